//! The frames around the documents of a small collection: menus, copyright lines, what a site says on every page.
//!
//! In: which sentences are identical. Out: the groups of identical sentences that are of a frame. In a large collection a frame
//! stands in more documents than the limit; in a small one it is told by where it stands, at the edges of many documents
//! that are otherwise different.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_kernel::decide::{self, Standing, WITHIN_FRAME};
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
    let documents = units.signed.all_records();
    let documents = documents.filter(|&record| records.has_units(record));
    let least = decide::least_framed(context.spec(), documents.count());
    match least {
        Some(least) => Framing::new(context, units, least)?.frames(),
        None => Ok(BTreeSet::new()),
    }
}

struct Framing<'r> {
    units: Units<'r>,
    least: usize,
    /// Sentences in many documents, by the first unit of their groups.
    wide: BTreeMap<UnitId, Standing>,
    /// The documents that have them.
    documents: BTreeSet<RecordId>,
    classes: Classes,
    /// How many words each sentence has.
    lengths: Vec<u16>,
}

impl<'r> Framing<'r> {
    fn new(context: &Context<'_>, units: Units<'r>, least: usize) -> Result<Self, Error> {
        let mut framing = Framing {
            units,
            least,
            wide: BTreeMap::new(),
            documents: BTreeSet::new(),
            classes: Classes::default(),
            lengths: Vec::new(),
        };
        let mut in_many = Bits::new(units.signed.counts.records as usize);
        for first in units.groups.with_copies() {
            let documents = framing.standing_for(first);
            if documents.len() >= least {
                framing.wide.insert(first, Standing::default());
                documents.iter().for_each(|&record| in_many.insert(record));
                framing.documents.extend(documents);
            }
        }
        if framing.wide.is_empty() {
            return Ok(framing);
        }
        framing.classes = Classes::of(context, units, &in_many)?;
        framing.lengths = units.signed.columns.lengths.read_all()?;
        let firsts: Vec<UnitId> = framing.wide.keys().copied().collect();
        for first in firsts {
            let documents = framing.standing_for(first).len();
            match documents >= least {
                true => framing.wide.insert(
                    first,
                    Standing {
                        documents,
                        at_edges: 0,
                    },
                ),
                false => framing.wide.remove(&first),
            };
        }
        Ok(framing)
    }

    /// The documents with this sentence, near-identical ones once.
    fn standing_for(&self, first: UnitId) -> BTreeSet<RecordId> {
        let members = self.units.groups.members(first);
        let record = |unit| self.units.signed.records.of(unit);
        members
            .map(|unit| self.classes.leader(record(unit)))
            .collect()
    }

    fn frames(mut self) -> Result<BTreeSet<UnitId>, Error> {
        let mut at_edges: BTreeSet<(UnitId, RecordId)> = BTreeSet::new();
        for &record in &self.documents {
            let sentences: Vec<UnitId> = self.units.signed.records.units_of(record).collect();
            let leader = self.classes.leader(record);
            let mut add = |first| {
                at_edges.insert((first, leader));
            };
            self.for_each_at_edge(sentences.iter().copied(), &mut add);
            self.for_each_at_edge(sentences.iter().rev().copied(), &mut add);
        }
        for (first, _) in at_edges {
            if let Some(standing) = self.wide.get_mut(&first) {
                standing.at_edges += 1;
            }
        }
        let least = self.least;
        let frames = self.wide.into_iter();
        let frames = frames.filter(|(_, standing)| decide::is_frame(*standing, least));
        Ok(frames.map(|(first, _)| first).collect())
    }

    /// Calls `each` with the wide sentences that come first, until there are too many words of others.
    fn for_each_at_edge(
        &self,
        sentences: impl Iterator<Item = UnitId>,
        each: &mut impl FnMut(UnitId),
    ) {
        let mut others = 0;
        for unit in sentences {
            let first = self.units.groups.first_of(unit);
            if self.wide.contains_key(&first) {
                others = 0;
                each(first);
            } else {
                others += u32::from(self.lengths.get(unit.index()).copied().unwrap_or(0));
                if others > WITHIN_FRAME {
                    break;
                }
            }
        }
    }
}
