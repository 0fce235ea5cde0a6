//! Near-identical documents, so that they count as one where it is asked in how many documents a sentence stands.
//!
//! In: which sentences are identical, and how long they are. Out: for each document an earlier one of its side with much the
//! same text, if there is one. Documents that share a band of MinHash keys of their sentences are compared with the first few
//! that do.

use lookalike_kernel::decide::{near_identical_bands, near_identical_in_band};
use lookalike_pair::join::RecordPosting;
use lookalike_text::hash::mix64;
use lookalike_text::{RecordId, UnitId};

use super::sequence::for_each_group;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;

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
        let mut set = Vec::new();
        let against_from = units.signed.first_record_against();
        for record in records.iter() {
            sentences(units, record, &mut set);
            let side = u64::from(record >= against_from);
            let of_side = |key: u64| mix64(key.wrapping_add(side));
            let keys = near_identical_bands(&mut set, words);
            bands.extend(keys.map(|key| RecordPosting::new(of_side(key), record)))?;
        }
        let mut leaders: Vec<RecordId> = units.signed.all_records().collect();
        let band = |posting: &RecordPosting| posting.key();
        for_each_group(&bands, band, |of_band| {
            let of_band = of_band.iter().map(|posting| posting.record());
            let get = |record: RecordId, set: &mut Vec<UnitId>| sentences(units, record, set);
            for (record, earlier) in near_identical_in_band(of_band, get, words) {
                let leader = &mut leaders[record.index()];
                *leader = earlier.min(*leader);
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
