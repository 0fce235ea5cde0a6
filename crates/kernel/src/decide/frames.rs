//! The frames around the documents of a small collection: menus, copyright lines, what a site says on every page. They are told by
//! where they stand, at the edges of many documents that are otherwise different, or at both edges of some.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_text::{RecordId, UnitId};

use super::boilerplate::{
    LeastFramed, Standing, WITHIN_FRAME, are_same_documents, is_running_text,
};

/// So many sentences of the other edge are asked whether the same documents have them.
const ASKED: usize = 8;

/// Finds frames: looks at one document after the other, in their order.
#[derive(Debug)]
pub struct Framing {
    least: LeastFramed,
    /// Sentences in several documents, by the first of those identical to them, and in how many they are.
    wide: BTreeMap<UnitId, usize>,
    at_edges: BTreeSet<(UnitId, RecordId)>,
    /// Those of them that are part of running text.
    in_running_text: BTreeSet<(UnitId, RecordId)>,
    at_both: BTreeMap<[UnitId; 2], usize>,
    seen: BTreeSet<RecordId>,
    /// Documents for which an earlier one stands.
    led: usize,
}

impl Framing {
    /// Of these sentences, each in so many documents, near-identical ones counted once.
    pub fn new(least: LeastFramed, wide: BTreeMap<UnitId, usize>) -> Self {
        Framing {
            least,
            wide,
            at_edges: BTreeSet::new(),
            in_running_text: BTreeSet::new(),
            at_both: BTreeMap::new(),
            seen: BTreeSet::new(),
            led: 0,
        }
    }

    /// Adds a document by the one that stands for it, with its sentences: the first of those identical to each, and its words.
    pub fn add(&mut self, leader: RecordId, sentences: &[(UnitId, u16)]) {
        let begin = self.edge(sentences.iter());
        let end = self.edge(sentences.iter().rev());
        for edge in [&begin, &end] {
            let of_leader = |&first: &UnitId| (first, leader);
            self.at_edges.extend(edge.sentences.iter().map(of_leader));
            let running = edge.running_text.iter();
            self.in_running_text.extend(running.map(of_leader));
        }
        let is_first = self.seen.insert(leader);
        self.led += usize::from(!is_first);
        if is_first && !begin.is_all {
            for pair in pairs_of_edges(&begin.sentences, &end.sentences) {
                *self.at_both.entry(pair).or_default() += 1;
            }
        }
    }

    /// The sentences that are of a frame.
    pub fn frames(mut self) -> BTreeSet<UnitId> {
        // Near-identical documents count once there, too.
        self.least.collection = self.least.collection.saturating_sub(self.led);
        let mut standing: BTreeMap<UnitId, Standing> = BTreeMap::new();
        for (first, _) in self.at_edges {
            let standing = standing.entry(first).or_default();
            standing.documents = self.wide[&first];
            standing.at_edges += 1;
        }
        for (first, _) in self.in_running_text {
            standing.entry(first).or_default().in_running_text += 1;
        }
        for (pair, documents) in self.at_both {
            let each = pair.map(|first| self.wide[&first]);
            if let Some(standing) = standing.get_mut(&pair[0]) {
                standing.is_around |= are_same_documents(each, documents);
            }
        }
        standing.retain(|_, standing| self.least.is_frame(*standing));
        standing.into_keys().collect()
    }

    /// The wide sentences that come first, until there are too many words of others.
    fn edge<'s>(&self, sentences: impl Iterator<Item = &'s (UnitId, u16)>) -> Edge {
        let mut edge = Edge {
            sentences: Vec::new(),
            running_text: Vec::new(),
            is_all: true,
        };
        let mut others = 0;
        let mut run = Run::default();
        for &(first, words) in sentences {
            if self.wide.contains_key(&first) {
                others = 0;
                edge.sentences.push(first);
                run.sentences.push(first);
                run.words += u32::from(words);
            } else {
                edge.running_text.extend(run.end());
                others += u32::from(words);
                if others > WITHIN_FRAME {
                    edge.is_all = false;
                    break;
                }
            }
        }
        edge.running_text.extend(run.end());
        edge
    }
}

/// Wide sentences that follow each other.
#[derive(Default)]
struct Run {
    sentences: Vec<UnitId>,
    words: u32,
}

impl Run {
    /// Ends it; its sentences, if they are running text.
    fn end(&mut self) -> Vec<UnitId> {
        let Run { sentences, words } = std::mem::take(self);
        match is_running_text(sentences.len(), words) {
            true => sentences,
            false => Vec::new(),
        }
    }
}

/// The wide sentences at an edge of a document, from the outside.
struct Edge {
    sentences: Vec<UnitId>,
    /// Those of them that are part of running text.
    running_text: Vec<UnitId>,
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
