//! Archives, damaged and not.
use crate::{check, options};
use lookalike_io::Error;

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    match check("fuzz.jsonl", content, &options(first | 0x40)) {
        Ok(_) | Err(Error::Expansion { .. }) => {}
        Err(error) => panic!("damage is a rejection and not an error: {error}"),
    }
}
