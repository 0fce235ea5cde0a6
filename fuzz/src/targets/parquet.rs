//! Parquet: anything but a crash.

use crate::{check, options};

pub(crate) fn target(data: &[u8]) {
    let _ = check("fuzz.parquet", data, &options(200));
}
