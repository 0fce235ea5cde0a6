//! Archives, damaged and not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::{check, options};
use lookalike_io::Error;

fuzz_target!(|data: &[u8]| {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    match check("fuzz.jsonl", content, &options(first | 0x40)) {
        Ok(_) | Err(Error::Expansion { .. }) => {}
        Err(error) => panic!("damage is a rejection and not an error: {error}"),
    }
});
