//! The frames around the documents of a small collection: menus, copyright lines, what a site says on every page.
//!
//! In: which sentences are identical. Out: the groups of identical sentences that are of a frame. In a large collection a frame
//! stands in more documents than the limit; in a small one it is told by where it stands, at the edges of many documents
//! that are otherwise different, or at both edges of some.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_kernel::decide::{self, LeastFramed, Standing, WITHIN_FRAME};
use lookalike_text::{RecordId, UnitId};

use super::classes::Classes;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;

/// So many sentences of the other edge are asked whether the same documents have them.
const ASKED: usize = 8;

/// The first units of the groups of identical sentences that are of a frame.
pub(super) fn find_frames(
    context: &Context<'_>,
    units: Units<'_>,
) -> Result<BTreeSet<UnitId>, Error> {
    let records = &units.signed.records;
    let documents = units.signed.all_records();
    let documents = documents.filter(|&record| records.has_units(record));
    let Some(least) = LeastFramed::of(context.spec(), documents.count()) else {
        return Ok(BTreeSet::new());
    };
    Ok(Framing::new(context, units, least)?.frames())
}

struct Framing<'r> {
    units: Units<'r>,
    least: LeastFramed,
    /// Sentences in several documents, by the first unit of their groups, and in how many they are.
    wide: BTreeMap<UnitId, usize>,
    /// The documents that have them.
    documents: BTreeSet<RecordId>,
    classes: Classes,
    /// How many words each sentence has.
    lengths: Vec<u16>,
}

impl<'r> Framing<'r> {
    fn new(context: &Context<'_>, units: Units<'r>, least: LeastFramed) -> Result<Self, Error> {
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

    /// The documents with this sentence, near-identical ones once.
    fn standing_for(&self, first: UnitId) -> BTreeSet<RecordId> {
        let members = self.units.groups.members(first);
        let record = |unit| self.units.signed.records.of(unit);
        members
            .map(|unit| self.classes.leader(record(unit)))
            .collect()
    }

    fn frames(self) -> BTreeSet<UnitId> {
        let mut at_edges: BTreeSet<(UnitId, RecordId)> = BTreeSet::new();
        let mut at_both: BTreeMap<[UnitId; 2], usize> = BTreeMap::new();
        let mut seen: BTreeSet<RecordId> = BTreeSet::new();
        for &record in &self.documents {
            let sentences: Vec<UnitId> = self.units.signed.records.units_of(record).collect();
            let leader = self.classes.leader(record);
            let begin = self.edge(sentences.iter().copied());
            let end = self.edge(sentences.iter().rev().copied());
            let edges = begin.sentences.iter().chain(&end.sentences);
            at_edges.extend(edges.map(|&first| (first, leader)));
            if seen.insert(leader) && !begin.is_all {
                for pair in pairs_of_edges(&begin.sentences, &end.sentences) {
                    *at_both.entry(pair).or_default() += 1;
                }
            }
        }
        let mut standing: BTreeMap<UnitId, Standing> = BTreeMap::new();
        for (first, _) in at_edges {
            let standing = standing.entry(first).or_default();
            standing.documents = self.wide[&first];
            standing.at_edges += 1;
        }
        for (pair, documents) in at_both {
            let each = pair.map(|first| self.wide[&first]);
            if let Some(standing) = standing.get_mut(&pair[0]) {
                standing.is_around |= decide::are_same_documents(each, documents);
            }
        }
        standing.retain(|_, standing| self.least.is_frame(*standing));
        standing.into_keys().collect()
    }

    /// The wide sentences that come first, until there are too many words of others.
    fn edge(&self, sentences: impl Iterator<Item = UnitId>) -> Edge {
        let mut edge = Edge {
            sentences: Vec::new(),
            is_all: true,
        };
        let mut others = 0;
        for unit in sentences {
            let first = self.units.groups.first_of(unit);
            if self.wide.contains_key(&first) {
                others = 0;
                edge.sentences.push(first);
            } else {
                others += u32::from(self.lengths.get(unit.index()).copied().unwrap_or(0));
                if others > WITHIN_FRAME {
                    edge.is_all = false;
                    break;
                }
            }
        }
        edge
    }
}

/// The wide sentences at an edge of a document, from the outside.
struct Edge {
    sentences: Vec<UnitId>,
    /// Whether there is nothing else: then it is the edge of nothing.
    is_all: bool,
}

/// Each sentence at an edge of a document with those at the other edge.
fn pairs_of_edges(begin: &[UnitId], end: &[UnitId]) -> BTreeSet<[UnitId; 2]> {
    let pairs = |one: &[UnitId], other: &[UnitId]| -> Vec<[UnitId; 2]> {
        let asked = &other[..other.len().min(ASKED)];
        let with = |&one: &UnitId| asked.iter().map(move |&other| [one, other]);
        one.iter().flat_map(with).collect()
    };
    let mut all = BTreeSet::from_iter(pairs(begin, end));
    all.extend(pairs(end, begin));
    all
}
