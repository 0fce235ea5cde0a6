//! What is boilerplate: sentences that stand, word for word, in too many documents.
//!
//! The aggregates: in how many documents a sentence stands, near-identical ones counted once; and of two documents how
//! many words they have, and how many are in sentences that both have.

use crate::spec::Spec;

/// Two documents are one if this share of the shorter one's words is in sentences that both have: a reprint in another
/// frame. A frame around other text is less.
const NEAR_IDENTICAL: f64 = 0.5;

/// Whether a sentence is boilerplate that stands in so many documents, near-identical ones counted once.
pub fn is_boilerplate(spec: &Spec, documents: usize) -> bool {
    documents > spec.passages.common_limit as usize
}

/// Whether two documents of so many words count as one, with so many words in sentences that both have.
pub fn are_near_identical(words: [u64; 2], common: u64) -> bool {
    let [a, b] = words;
    common as f64 >= NEAR_IDENTICAL * a.min(b) as f64
}
