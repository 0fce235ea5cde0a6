//! JSON Lines, held against `serde_json`.
use crate::{check, options};

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    // Compressed content is another target's.
    if !content.is_empty() && !content[0].is_ascii() {
        return;
    }
    let outcomes =
        check("fuzz.jsonl", content, &options(*first)).expect("any bytes can be read as lines");
    let lines: Vec<&[u8]> = content.split(|byte| *byte == b'\n').collect();
    for (line, text) in outcomes.into_iter().flatten() {
        let raw = lines[line as usize - 1];
        match serde_json::from_slice::<serde_json::Value>(raw) {
            Ok(parsed) => assert_eq!(parsed["text"].as_str(), Some(text.as_str())),
            Err(error) => {
                // Limits of serde_json, and what is wrong in fields that nobody reads.
                let message = error.to_string();
                let lenient = [
                    "recursion limit",
                    "number out of range",
                    "surrogate",
                    "unexpected end of hex escape",
                ];
                assert!(
                    lenient.iter().any(|known| message.contains(known)),
                    "{message}"
                );
            }
        }
    }
}
