//! Parquet: anything but a crash.
#![no_main]

use std::panic::{catch_unwind, set_hook};
use std::process::abort;
use std::sync::Once;

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::{check, options};

static QUIET: Once = Once::new();

fuzz_target!(|data: &[u8]| {
    // The Parquet library may panic, which the reader turns into an error; the usual hook would abort before that.
    QUIET.call_once(|| set_hook(Box::new(|_| {})));
    if catch_unwind(|| check("fuzz.parquet", data, &options(200))).is_err() {
        abort();
    }
});
