//! The frames around the documents of a small collection: menus, copyright lines, what a site says on every page.
//!
//! In: which sentences are identical. Out: the groups of identical sentences that are of a frame. In a large collection a frame
//! stands in more documents than the limit; in a small one it is told by where it stands, at the edges of many documents
//! that are otherwise different, or at both edges of some. With another corpus, each side is a collection of its own, and what
//! stands in the corpus is judged by the corpus alone: the opening of a source that a whole class copies is no frame.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lookalike_kernel::decide::{Framing, LeastFramed};
use lookalike_text::{RecordId, UnitId};

use super::classes::Classes;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;

/// The first units of the groups of identical sentences that are of a frame.
pub(super) fn find_frames(
    context: &Context<'_>,
    units: Units<'_>,
) -> Result<BTreeSet<UnitId>, Error> {
    let records = &units.signed.records;
    let end = RecordId::from(units.signed.counts.records as u32);
    let corpus = units.signed.first_record_against();
    let mut frames = BTreeSet::new();
    for side in [RecordId::from(0)..corpus, corpus..end] {
        let documents = units.signed.all_records();
        let documents = documents.filter(|record| side.contains(record));
        let documents = documents.filter(|&record| records.has_units(record));
        if let Some(least) = LeastFramed::of(context.spec(), documents.count()) {
            frames.extend(Framed::new(context, units, side, least)?.frames());
        }
    }
    Ok(frames)
}

struct Framed<'r> {
    units: Units<'r>,
    /// The records of the input, or those of the other corpus.
    side: Range<RecordId>,
    least: LeastFramed,
    /// Sentences in several documents, by the first unit of their groups, and in how many they are.
    wide: BTreeMap<UnitId, usize>,
    /// The documents that have them.
    documents: BTreeSet<RecordId>,
    classes: Classes,
    /// How many words each sentence has.
    lengths: Vec<u16>,
}

impl<'r> Framed<'r> {
    fn new(
        context: &Context<'_>,
        units: Units<'r>,
        side: Range<RecordId>,
        least: LeastFramed,
    ) -> Result<Self, Error> {
        let mut framing = Framed {
            units,
            side,
            least,
            wide: BTreeMap::new(),
            documents: BTreeSet::new(),
            classes: Classes::default(),
            lengths: Vec::new(),
        };
        let mut in_many = Bits::new(units.signed.counts.records as usize);
        for first in units.groups.with_copies() {
            let documents = framing.standing_for(first);
            if documents.len() >= least.at_both {
                framing.wide.insert(first, documents.len());
                documents.iter().for_each(|&record| in_many.insert(record));
                framing.documents.extend(documents);
            }
        }
        if framing.wide.is_empty() {
            return Ok(framing);
        }
        framing.classes = Classes::of(context, units, &in_many)?;
        framing.lengths = units.signed.columns.lengths.read_all()?;
        let mut wide = std::mem::take(&mut framing.wide);
        wide.retain(|&first, documents| {
            *documents = framing.standing_for(first).len();
            *documents >= least.at_both
        });
        framing.wide = wide;
        Ok(framing)
    }

    /// The documents of this side with this sentence, near-identical ones once; none if the corpus that follows has it, too.
    fn standing_for(&self, first: UnitId) -> BTreeSet<RecordId> {
        let members = self.units.groups.members(first);
        let records = members.map(|unit| self.units.signed.records.of(unit));
        let mut documents = BTreeSet::new();
        for record in records.filter(|&record| record >= self.side.start) {
            if record >= self.side.end {
                return BTreeSet::new();
            }
            documents.insert(self.classes.leader(record));
        }
        documents
    }

    fn frames(self) -> BTreeSet<UnitId> {
        let length = |unit: UnitId| self.lengths.get(unit.index()).copied().unwrap_or(0);
        let mut framing = Framing::new(self.least, self.wide);
        for record in self.documents {
            let sentences = self.units.signed.records.units_of(record);
            let sentence = |unit| (self.units.groups.first_of(unit), length(unit));
            let sentences: Vec<(UnitId, u16)> = sentences.map(sentence).collect();
            framing.add(self.classes.leader(record), &sentences);
        }
        framing.frames()
    }
}
