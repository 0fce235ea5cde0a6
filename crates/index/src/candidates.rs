//! Which documents share a key with a text, and may be similar to it by their sketches.
//!
//! A short text shares keys with hundreds of documents, of which nearly all are ruled out by their sketches: a lookup is
//! mostly waiting for memory. So the texts of a batch are looked up together: all their keys in the order of keys, and what
//! they ask of the sketches in the order of documents.

use std::collections::BTreeSet;

use lookalike_kernel::sign::keys::{Key, Sieve, Sketch};

use crate::Error;
use crate::checker::CheckOptions;
use crate::segment::Segment;
use crate::view::{Place, View};

/// A text that is looked up.
#[derive(Default)]
pub(crate) struct Query {
    pub(crate) keys: Vec<Key>,
    /// What the comparison needs of the text.
    pub(crate) kept: Vec<u64>,
    pub(crate) sketch: Option<Sketch>,
    /// Of each key, how many documents with it were looked at.
    pub(crate) looked_at: Vec<usize>,
    /// Whether some were left out.
    pub(crate) cut: bool,
    /// In the order in which they were added, each once.
    pub(crate) candidates: Vec<Candidate>,
}

/// A document that shares a key with a text, and may be similar by its sketch.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) place: Place,
    pub(crate) sketch: Option<Sketch>,
}

/// Finds the candidates of texts. It owns the buffers that it reuses, so there is one a thread.
#[derive(Default)]
pub(crate) struct Finder {
    wanted: Vec<Wanted>,
    documents: Vec<u32>,
    asked: Vec<Asked>,
    in_order: Vec<Asked>,
    begins: Vec<u32>,
}

/// A key of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    key: Key,
    /// Which of the texts.
    query: u32,
    /// Which of its keys.
    place: u32,
}

/// A document that shares a key with a text.
#[derive(Clone, Copy, Default)]
struct Asked {
    document: u32,
    /// Which of the texts.
    query: u32,
}

impl Finder {
    /// Finds the candidates of each text. What is hidden is none.
    pub(crate) fn find(
        &mut self,
        queries: &mut [Query],
        (view, sieve): (&View, Option<Sieve>),
        options: &CheckOptions,
        hidden: &BTreeSet<Place>,
    ) -> Result<(), Error> {
        self.wanted.clear();
        for (query, number) in queries.iter_mut().zip(0..) {
            query.cut = false;
            query.candidates.clear();
            query.looked_at.clear();
            query.looked_at.resize(query.keys.len(), 0);
            let keys = query.keys.iter().zip(0..);
            self.wanted.extend(keys.map(|(&key, place)| Wanted {
                key,
                query: number,
                place,
            }));
        }
        self.wanted.sort_unstable();
        for (segment, number) in view.segments.iter().zip(0..) {
            let lookup = Lookup::new((segment, number), view, options, hidden);
            self.ask(queries, &lookup)?;
            self.sift(queries, sieve, &lookup)?;
        }
        for query in queries {
            let candidates = &mut query.candidates;
            candidates.sort_unstable_by_key(|candidate| candidate.place);
            candidates.dedup_by_key(|candidate| candidate.place);
        }
        Ok(())
    }

    /// Looks up which documents of a segment share a key with a text.
    fn ask(&mut self, queries: &mut [Query], lookup: &Lookup<'_>) -> Result<(), Error> {
        /// So many keys are fetched at once.
        const FETCHED: usize = 16;
        self.asked.clear();
        for wanted in self.wanted.chunks(FETCHED) {
            let keys = wanted.iter().map(|wanted| wanted.key);
            lookup.segment.keys.touch(keys);
            for wanted in wanted {
                let query = &mut queries[wanted.query as usize];
                let looked_at = &mut query.looked_at[wanted.place as usize];
                self.documents.clear();
                query.cut |= lookup.find(wanted.key, looked_at, &mut self.documents)?;
                let asked = self.documents.iter().map(|&document| Asked {
                    document,
                    query: wanted.query,
                });
                self.asked.extend(asked);
            }
        }
        Ok(())
    }

    /// Makes candidates of the documents of a segment that may be similar by their sketches.
    fn sift(
        &mut self,
        queries: &mut [Query],
        sieve: Option<Sieve>,
        lookup: &Lookup<'_>,
    ) -> Result<(), Error> {
        let candidate = |document, sketch| Candidate {
            place: lookup.place(document),
            sketch,
        };
        let (Some(sieve), Some(stored)) = (sieve, lookup.segment.sketches()) else {
            for asked in &self.asked {
                let query = &mut queries[asked.query as usize];
                query.candidates.push(candidate(asked.document, None));
            }
            return Ok(());
        };
        if queries.len() > 1 {
            self.put_in_order();
        }
        for asked in &self.asked {
            let query = &mut queries[asked.query as usize];
            let sketch = stored.get(asked.document, lookup.view.reading())?;
            if query.sketch.is_none_or(|own| sieve.admits(own, sketch)) {
                let candidate = candidate(asked.document, Some(sketch));
                query.candidates.push(candidate);
            }
        }
        Ok(())
    }

    /// Puts what is asked in the order of the documents, so that sketches are read as they lie in memory.
    fn put_in_order(&mut self) {
        /// The sketches of so many documents, two to the power of this, are in one line of a cache: their order is all one.
        const IN_LINE: u32 = 2;
        /// At most so many bits of a number are looked at at a time.
        const AT_A_TIME: u32 = 10;
        let last = self.asked.iter().map(|asked| asked.document).max();
        let bits = last.map_or(0, |last| u32::BITS - last.leading_zeros());
        let mut shift = IN_LINE.max(bits.saturating_sub(2 * AT_A_TIME));
        while shift < bits {
            self.order_by(shift, AT_A_TIME.min(bits - shift));
            shift += AT_A_TIME;
        }
    }

    /// Puts what is asked in the order of some bits of the documents; where these are equal, the order stays.
    fn order_by(&mut self, shift: u32, bits: u32) {
        let group = |asked: &Asked| (asked.document >> shift) as usize & ((1 << bits) - 1);
        let begins = &mut self.begins;
        begins.clear();
        begins.resize((1 << bits) + 1, 0);
        for asked in &self.asked {
            begins[group(asked) + 1] += 1;
        }
        let mut begin = 0;
        for count in &mut *begins {
            begin += *count;
            *count = begin;
        }
        self.in_order.resize(self.asked.len(), Asked::default());
        for asked in &self.asked {
            let place = &mut begins[group(asked)];
            self.in_order[*place as usize] = *asked;
            *place += 1;
        }
        std::mem::swap(&mut self.asked, &mut self.in_order);
    }
}

/// Where the documents with a key are, and whether some were left out.
pub(crate) fn places_of(
    view: &View,
    key: Key,
    options: &CheckOptions,
) -> Result<(Vec<Place>, bool), Error> {
    let (mut places, mut documents) = (Vec::new(), Vec::new());
    let (mut cut, mut looked_at) = (false, 0);
    let hidden = BTreeSet::new();
    for (segment, number) in view.segments.iter().zip(0..) {
        documents.clear();
        let lookup = Lookup::new((segment, number), view, options, &hidden);
        cut |= lookup.find(key, &mut looked_at, &mut documents)?;
        places.extend(documents.iter().map(|&document| lookup.place(document)));
    }
    Ok((places, cut))
}

/// Looks up keys in a segment.
struct Lookup<'l> {
    segment: &'l Segment,
    number: u32,
    view: &'l View,
    hidden: &'l BTreeSet<Place>,
    /// Whether documents of the segment were removed, or may be hidden.
    has_gone: bool,
    /// The most documents that are looked at a key, in all segments together.
    most: usize,
}

impl<'l> Lookup<'l> {
    fn new(
        (segment, number): (&'l Segment, u32),
        view: &'l View,
        options: &CheckOptions,
        hidden: &'l BTreeSet<Place>,
    ) -> Self {
        Lookup {
            segment,
            number,
            view,
            hidden,
            has_gone: segment.described.removed > 0 || !hidden.is_empty(),
            most: options.candidates.unwrap_or(usize::MAX),
        }
    }

    /// Appends the documents with a key, in the order in which they were added, counts them, and says whether some were left
    /// out.
    fn find(
        &self,
        key: Key,
        looked_at: &mut usize,
        documents: &mut Vec<u32>,
    ) -> Result<bool, Error> {
        let mut cut = false;
        let reading = self.view.reading();
        self.segment.keys.find(key, reading, |found| {
            let before = documents.len();
            let left = self.most - *looked_at;
            if self.has_gone {
                let mut there = found.iter().filter(|one| !self.is_gone(**one));
                documents.extend(there.by_ref().take(left));
                cut = there.next().is_some();
            } else {
                documents.extend_from_slice(&found[..left.min(found.len())]);
                cut = found.len() > left;
            }
            *looked_at += documents.len() - before;
            !cut
        })?;
        Ok(cut)
    }

    fn is_gone(&self, document: u32) -> bool {
        self.segment.removed.has(document) || self.hidden.contains(&self.place(document))
    }

    fn place(&self, document: u32) -> Place {
        Place {
            segment: self.number,
            document,
        }
    }
}
