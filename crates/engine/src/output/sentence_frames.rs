//! Which sentences are frames, and which articles are written after one pattern: what a corpus says of two similar sentences
//! beside themselves.
//!
//! In: the pairs of sentences. Out: the sentences whose like stands in articles of three different titles or more, with other
//! names and numbers in each; and the pairs of articles that say something of different subjects in the same words, as far as
//! they also have a pair that may be drift.

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::decide;
use lookalike_pair::Scored;
use lookalike_pair::assemble::{Comparer, Outline, Seen};
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_pair::workers::in_order;
use lookalike_text::{RecordId, UnitId};

use super::sentence_quotes::{Quote, Quotes, Reading};
use crate::Error;
use crate::bits::Bits;
use crate::stages::{Context, Sequence, Units, fill, for_each_group};

/// Pairs looked at in one piece of work.
const CHUNK: usize = 1024;

/// A sentence is like one of another article that states other facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Like {
    unit: UnitId,
    /// Hashes of the other title and of what the other sentence states.
    title: u32,
    filling: u32,
}

impl Item for Like {
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.unit.get()
    }
}

/// Two articles have a pair of sentences with different facts: about different subjects, or perhaps about one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Shared {
    a: RecordId,
    b: RecordId,
    has_subjects: u32,
}

impl Item for Shared {
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.a.get()
    }
}

/// What a corpus says of two similar sentences beside themselves.
pub(super) struct Frames {
    frames: Bits<UnitId>,
    /// In order.
    siblings: Vec<(RecordId, RecordId)>,
}

impl Frames {
    /// Of all pairs of sentences.
    pub(super) fn find(
        context: &Context<'_>,
        units: Units<'_>,
        quotes: &Quotes<'_>,
        scored: &Shuffle<Scored>,
    ) -> Result<Self, Error> {
        let likes = context.by_number("likes", units.count(), 6);
        let shared = context.by_number("sharing", units.signed.counts.records as usize, 4);
        let mut pairs = Sequence::of(scored);
        in_order(
            context.threads,
            || Worker::new(quotes),
            |worker: &mut Worker<'_>| fill(&mut worker.pairs, CHUNK, || pairs.next()),
            Worker::outline,
            |outlined: Vec<Outlined>| {
                for of_pair in outlined {
                    likes.extend(of_pair.likes)?;
                    shared.extend([of_pair.shared])?;
                }
                Ok(())
            },
        )?;
        let mut frames = Bits::new(units.count());
        for_each_group(
            &likes,
            |like| like.unit,
            |likes| {
                if are_different(likes) {
                    frames.insert(likes[0].unit);
                }
                Ok(())
            },
        )?;
        likes.clear();
        let mut siblings = Vec::new();
        for_each_group(
            &shared,
            |shared| (shared.a, shared.b),
            |all| {
                // One with the same subjects, and one without.
                if all.len() == 2 {
                    siblings.push((all[0].a, all[0].b));
                }
                Ok(())
            },
        )?;
        shared.clear();
        Ok(Frames { frames, siblings })
    }

    /// Of two sentences, which stand in these articles.
    pub(super) fn seen(&self, units: [UnitId; 2], articles: [RecordId; 2]) -> Seen {
        let [a, b] = articles;
        Seen::Among {
            is_frame: units.iter().any(|&unit| self.frames.contains(unit)),
            are_siblings: self.siblings.binary_search(&(a.min(b), a.max(b))).is_ok(),
        }
    }
}

/// Whether they have different titles and state different facts.
fn are_different(likes: &[Like]) -> bool {
    let distinct = |value: fn(&Like) -> u32| {
        let mut values: Vec<u32> = likes.iter().map(value).collect();
        values.sort_unstable();
        values.dedup();
        values.len()
    };
    decide::is_sentence_frame(distinct(|like| like.title), distinct(|like| like.filling))
}

/// What a pair says of others.
struct Outlined {
    likes: [Like; 2],
    shared: Shared,
}

struct Worker<'q> {
    quotes: &'q Quotes<'q>,
    reading: [Reading<'q>; 2],
    pair: [Quote; 2],
    comparer: Comparer,
    pairs: Vec<Scored>,
}

impl<'q> Worker<'q> {
    fn new(quotes: &'q Quotes<'q>) -> Result<Self, Error> {
        Ok(Worker {
            quotes,
            reading: [quotes.reading()?, quotes.reading()?],
            pair: <[Quote; 2]>::default(),
            comparer: Comparer::default(),
            pairs: Vec::new(),
        })
    }

    fn outline(&mut self) -> Result<Vec<Outlined>, Error> {
        let records = self.quotes.records();
        let mut all = Vec::new();
        for pair in &self.pairs {
            let units = [pair.lo(), pair.hi()];
            for ((reading, quote), unit) in self.reading.iter_mut().zip(&mut self.pair).zip(units) {
                reading.read(unit, quote)?;
            }
            let [a, b] = &self.pair;
            let outline = self.comparer.outline(a.statement(), b.statement());
            let Some(outline) = outline.filter(|outline| outline.is_elsewhere) else {
                continue;
            };
            let [x, y] = units.map(|unit| records.of(unit));
            all.push(Outlined {
                likes: likes(units, [a, b], &outline),
                shared: Shared {
                    a: x.min(y),
                    b: x.max(y),
                    has_subjects: u32::from(outline.has_subjects),
                },
            });
        }
        Ok(all)
    }
}

/// Each of two sentences with what the other one is.
fn likes(units: [UnitId; 2], quotes: [&Quote; 2], outline: &Outline) -> [Like; 2] {
    [(0, 1), (1, 0)].map(|(one, other)| {
        let (title, filling) = decide::likeness(outline, other, quotes[other].title());
        Like {
            unit: units[one],
            title,
            filling,
        }
    })
}
