//! Near-identical documents, so that they count as one where it is asked in how many documents a sentence stands.
//!
//! In: which sentences are identical, and how long they are. Out: for each document an earlier one of its side with much the
//! same text, if there is one. Documents that share a band of MinHash keys of their sentences are compared with the first few
//! that do.

use lookalike_kernel::decide;
use lookalike_pair::join::RecordPosting;
use lookalike_text::hash::mix64;
use lookalike_text::{RecordId, UnitId};

use super::sequence::for_each_group;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;

/// These find 0.94 of the documents with a third of their sentences in common, nearly all with more.
const BANDS: u64 = 24;
const ROWS: u64 = 2;

/// A document with sentences of so many words is found by these.
const LONG: u32 = 8;

/// With how many of the earlier documents of its band a document is compared.
const COMPARED: usize = 4;

/// Near-identical documents, so that they count as one where it is asked in how many documents a
/// sentence stands.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// By record; empty where every document is one of its own.
    leaders: Vec<RecordId>,
}

impl Classes {
    /// The classes of these documents.
    pub(crate) fn of(
        context: &Context<'_>,
        units: Units<'_>,
        records: &Bits<RecordId>,
    ) -> Result<Self, Error> {
        let bands = context.by_hash("bands", 12);
        let lengths = units.signed.columns.lengths.read_all()?;
        let length = |sentence: UnitId| lengths.get(sentence.index()).copied();
        let words = |sentence: UnitId| 1 + u32::from(length(sentence).unwrap_or_default());
        let (mut set, mut other) = (Vec::new(), Vec::new());
        let against_from = units.signed.first_record_against();
        for record in records.iter() {
            sentences(units, record, &mut set);
            // Short lines are mostly of frames.
            if set.iter().any(|&sentence| words(sentence) >= LONG) {
                set.retain(|&sentence| words(sentence) >= LONG);
            }
            let side = u64::from(record >= against_from);
            let of_side = |key: u64| mix64(key.wrapping_add(side));
            bands.extend(keys(&set).map(|key| RecordPosting::new(of_side(key), record)))?;
        }
        let mut leaders: Vec<RecordId> = units.signed.all_records().collect();
        let band = |posting: &RecordPosting| posting.key();
        for_each_group(&bands, band, |of_band| {
            let mut first: Vec<RecordId> = Vec::new();
            for record in of_band.iter().map(|posting| posting.record()) {
                sentences(units, record, &mut set);
                let same = first.iter().find(|&&earlier| {
                    sentences(units, earlier, &mut other);
                    are_near_identical(&set, &other, words)
                });
                match same {
                    Some(&earlier) => {
                        let leader = &mut leaders[record.index()];
                        *leader = earlier.min(*leader);
                    }
                    None if first.len() < COMPARED => first.push(record),
                    None => {}
                }
            }
            Ok(())
        })?;
        bands.clear();
        for record in 0..leaders.len() {
            leaders[record] = leaders[leaders[record].index()];
        }
        Ok(Classes { leaders })
    }

    /// The document that stands for this one.
    pub(crate) fn leader(&self, record: RecordId) -> RecordId {
        self.leaders.get(record.index()).copied().unwrap_or(record)
    }
}

/// The sentences of a document, identical ones under one number, each once.
fn sentences(units: Units<'_>, record: RecordId, out: &mut Vec<UnitId>) {
    let sentences = units.signed.records.units_of(record);
    out.clear();
    out.extend(sentences.map(|unit| units.groups.first_of(unit)));
    out.sort_unstable();
    out.dedup();
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

fn are_near_identical(a: &[UnitId], b: &[UnitId], words: impl Fn(UnitId) -> u32) -> bool {
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
    decide::are_near_identical([all(a), all(b)], common)
}
