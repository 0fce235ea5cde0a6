//! What tests of whole runs share.

use std::path::Path;

use serde_json::Value;

/// The objects of a result file.
pub(crate) fn lines(out: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(out.join(name)).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
