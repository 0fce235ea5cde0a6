//! Near-identical documents, which count as one where it is asked in how many documents a sentence stands: those that share a band
//! of MinHash keys of their sentences are compared with the first few that do.
//!
//! A sentence is the number of the first of those identical to it.

use lookalike_text::hash::mix64;
use lookalike_text::{RecordId, UnitId};

use super::boilerplate;

/// These find 0.94 of the documents with a third of their sentences in common, nearly all with more.
const BANDS: u64 = 24;
const ROWS: u64 = 2;

/// A document with sentences of so many words is found by these.
const LONG: u32 = 8;

/// With how many of the earlier documents of its band a document is compared.
const COMPARED: usize = 4;

/// The bands of a document, by its sentences in order, each once; none of one without any. Those that say little are dropped.
pub fn near_identical_bands(
    set: &mut Vec<UnitId>,
    words: impl Fn(UnitId) -> u32,
) -> impl Iterator<Item = u64> {
    // Short lines are mostly of frames.
    if set.iter().any(|&sentence| words(sentence) >= LONG) {
        set.retain(|&sentence| words(sentence) >= LONG);
    }
    keys(set)
}

/// Those of the documents of a band, in order, that are near-identical to an earlier one, each with that one. `sentences` fills
/// in the sentences of a document, in order, each once; `words` tells how long one is.
pub fn near_identical_in_band(
    records: impl Iterator<Item = RecordId>,
    sentences: impl Fn(RecordId, &mut Vec<UnitId>),
    words: impl Fn(UnitId) -> u32,
) -> Vec<(RecordId, RecordId)> {
    let (mut set, mut other) = (Vec::new(), Vec::new());
    let (mut first, mut found): (Vec<RecordId>, Vec<_>) = (Vec::new(), Vec::new());
    for record in records {
        sentences(record, &mut set);
        let same = first.iter().find(|&&earlier| {
            sentences(earlier, &mut other);
            are_near_identical(&set, &other, &words)
        });
        match same {
            Some(&earlier) => found.push((record, earlier)),
            None if first.len() < COMPARED => first.push(record),
            None => {}
        }
    }
    found
}

/// The bands of a set; none of an empty one.
fn keys(set: &[UnitId]) -> impl Iterator<Item = u64> {
    let bands = if set.is_empty() { 0 } else { BANDS };
    (0..bands).map(|band| {
        let rows = band * ROWS..(band + 1) * ROWS;
        rows.fold(mix64(band), |key, row| {
            let hash = |sentence: &UnitId| mix64(u64::from(sentence.get()) | (row + 1) << 32);
            mix64(key ^ set.iter().map(hash).min().unwrap_or_default())
        })
    })
}

fn are_near_identical(a: &[UnitId], b: &[UnitId], words: &impl Fn(UnitId) -> u32) -> bool {
    let words = |&sentence: &UnitId| u64::from(words(sentence));
    let all = |set: &[UnitId]| set.iter().map(words).sum();
    let (mut common, mut rest) = (0, b);
    for sentence in a {
        let before = rest.partition_point(|other| other < sentence);
        rest = &rest[before..];
        if rest.first() == Some(sentence) {
            common += words(sentence);
        }
    }
    boilerplate::are_near_identical([all(a), all(b)], common)
}
