//! CSV and TSV.
use crate::{check, options};

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    // A missing column and a header that is not text are errors; all else is read.
    let _ = check("fuzz.csv", content, &options(*first));
    let headed = [b"id\ttext\n", content].concat();
    check("fuzz.tsv", &headed, &options(*first)).expect("any bytes can be read as rows");
}
