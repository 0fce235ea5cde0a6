//! libFuzzer on the target that the environment names: `TARGET=jsonl`.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").unwrap_or_default();
    let names = TARGETS.map(|(name, _)| name).join(", ");
    let target = TARGETS.into_iter().find(|(known, _)| *known == name);
    let target = target.unwrap_or_else(|| panic!("TARGET {name:?} is none of {names}"));
    // The Parquet library may panic, which the reader turns into an error; the hook of libFuzzer would abort before that.
    // What leaves a target ends the process all the same.
    if target.0 == "parquet" {
        std::panic::set_hook(Box::new(|_| {}));
    }
    target
});

fuzz_target!(|data: &[u8]| (TARGET.1)(data));
