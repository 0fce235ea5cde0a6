//! Align the documents of every pair: where are the passages they share?
//!
//! In: pairs of records and their texts. Out: for each pair that shares anything what it comes to, and its passages, in the
//! order of the pairs. What is found is a function of the two texts and of which of their sentences are boilerplate.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::{Characters, PreparedPage};
use lookalike_pair::RecordPair;
use lookalike_pair::assemble::alignment::{Aligner, Passage, Relation, Scratch, Shared, Span};
use lookalike_pair::spill::{Spill, Spool};
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::RecordId;

use super::gather::Gathered;
use super::large_pages::LargePages;
use super::pages::{Text, Texts};
use super::sequence::Sequence;
use super::{Context, LARGE_BLOCK};
use crate::Error;
use crate::records::Records;
use crate::resume::Checkpointed;

/// Pairs aligned in one piece of work.
const CHUNK: usize = 256;

/// A worker keeps the pages of about so much text for other pairs with them. Longer pages are kept for all workers.
const KEPT_TEXT: usize = 256 << 10;

/// A page takes about so many times its text.
const PAGE_BY_TEXT: usize = 12;

/// Two documents that share something.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SharedPair {
    pub(crate) a: RecordId,
    pub(crate) b: RecordId,
    relation: u16,
    goes_on: u16,
    /// How many passages follow.
    pub(crate) passages: u32,
    /// About how many characters each has that are no boilerplate.
    pub(crate) own_a: u32,
    pub(crate) own_b: u32,
    pub(crate) covered_a: f64,
    pub(crate) covered_b: f64,
    pub(crate) similarity: f64,
}

impl SharedPair {
    pub(crate) fn relation(&self) -> Relation {
        Relation::ALL[(self.relation as usize).min(Relation::ALL.len() - 1)]
    }

    /// Whether one begins with what the other ends with.
    pub(crate) fn goes_on(&self) -> bool {
        self.goes_on != 0
    }
}

/// One side of a passage, in characters and in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Place {
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) first_byte: u32,
    pub(crate) end_byte: u32,
    pub(crate) first_sentence: u32,
    pub(crate) sentences: u32,
}

impl Place {
    pub(crate) fn bytes(&self) -> Range<u32> {
        self.first_byte..self.end_byte
    }
}

/// A passage of the pair it follows.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LocatedPassage {
    pub(crate) a: Place,
    pub(crate) b: Place,
    pub(crate) similarity: f64,
}

/// The passages that the documents of each pair share.
pub(crate) struct Located {
    pub(crate) pairs: Spool<SharedPair>,
    pub(crate) passages: Spool<LocatedPassage>,
    /// How many pairs were compared.
    pub(crate) compared: u64,
}

impl Located {
    pub(crate) fn new(context: &Context<'_>) -> Self {
        Located {
            pairs: context.spool("shared", 10),
            passages: context.spool("passages", 10),
            compared: 0,
        }
    }
}

impl Checkpointed for Located {
    type State = u64;

    fn parts(&mut self) -> (Vec<&mut dyn Spill>, &mut u64) {
        (
            vec![&mut self.pairs, &mut self.passages],
            &mut self.compared,
        )
    }
}

/// What is aligned, and by what.
pub(crate) struct Alignment<'r> {
    pub(crate) records: &'r Records,
    pub(crate) gathered: &'r Gathered,
    pub(crate) texts: &'r Texts,
    pub(crate) aligner: &'r Aligner,
}

/// Aligns the pairs that are not yet compared; `save` may save what is located after every chunk of them.
pub(crate) fn align(
    context: &Context<'_>,
    alignment: &Alignment<'_>,
    located: &mut Located,
    mut save: impl FnMut(&mut Located) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let large = LargePages::new(context.budget.percent(10) / PAGE_BY_TEXT);
    let mut chunks = Sequence::of(&alignment.gathered.pairs);
    let mut skip = located.compared;
    in_order(
        context.threads,
        || Worker::new(alignment, &large),
        |worker: &mut Worker<'_>| {
            loop {
                let pulled = chunks.next_chunk(&mut worker.pairs, CHUNK)?;
                let done = skip.min(worker.pairs.len() as u64);
                skip -= done;
                worker.pairs.drain(..done as usize);
                if !worker.pairs.is_empty() || pulled == Pulled::Nothing {
                    return Ok(match pulled {
                        Pulled::Item if worker.is_large()? => Pulled::LargeItem,
                        pulled => pulled,
                    });
                }
            }
        },
        Worker::align,
        |found| {
            located.pairs.append(&found.pairs)?;
            located.passages.append(&found.passages)?;
            located.compared += found.compared;
            save(located)?;
            context.done(located.compared)
        },
    )
}

/// What a chunk of pairs shares.
#[derive(Default)]
struct Found {
    pairs: Vec<SharedPair>,
    passages: Vec<LocatedPassage>,
    compared: u64,
}

struct Worker<'r> {
    alignment: &'r Alignment<'r>,
    scratch: Scratch,
    pairs: Vec<RecordPair>,
    found: Vec<Passage>,
    /// The first page of the pairs being aligned, which come sorted by it, and others.
    first: Option<(RecordId, Arc<PreparedPage>)>,
    kept: BTreeMap<RecordId, Arc<PreparedPage>>,
    kept_text: usize,
    large: &'r LargePages,
}

impl<'r> Worker<'r> {
    fn new(alignment: &'r Alignment<'r>, large: &'r LargePages) -> Result<Self, Error> {
        Ok(Worker {
            alignment,
            scratch: alignment.aligner.scratch()?,
            pairs: Vec::new(),
            found: Vec::new(),
            first: None,
            kept: BTreeMap::new(),
            kept_text: 0,
            large,
        })
    }

    /// Whether two such pieces of work might not fit in memory.
    fn is_large(&self) -> Result<bool, Error> {
        for pair in &self.pairs {
            for record in [pair.lo(), pair.hi()] {
                if self.alignment.texts.size(record)? > LARGE_BLOCK {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn align(&mut self) -> Result<Found, Error> {
        let mut found = Found {
            compared: self.pairs.len() as u64,
            ..Found::default()
        };
        for pair in std::mem::take(&mut self.pairs) {
            self.pair(pair.lo(), pair.hi(), &mut found)?;
        }
        Ok(found)
    }

    fn pair(&mut self, a: RecordId, b: RecordId, found: &mut Found) -> Result<(), Error> {
        let first = match &self.first {
            Some((record, prepared)) if *record == a => Arc::clone(prepared),
            _ => self.prepared(a)?,
        };
        self.first = Some((a, Arc::clone(&first)));
        let second = self.prepared(b)?;
        self.alignment.aligner.align(
            &first.page,
            &second.page,
            &mut self.scratch,
            &mut self.found,
        );
        let Some(shared) = Shared::of(&first.page, &second.page, &mut self.found) else {
            return Ok(());
        };
        let relation = Relation::ALL.iter().position(|&r| r == shared.relation);
        found.pairs.push(SharedPair {
            a,
            b,
            relation: relation.unwrap_or_default() as u16,
            goes_on: u16::from(shared.goes_on),
            passages: self.found.len() as u32,
            own_a: first.own_characters,
            own_b: second.own_characters,
            covered_a: shared.covered_a,
            covered_b: shared.covered_b,
            similarity: shared.similarity,
        });
        let located = self.found.iter().map(|passage| LocatedPassage {
            a: place(&first.characters, passage.a),
            b: place(&second.characters, passage.b),
            similarity: passage.similarity,
        });
        found.passages.extend(located);
        Ok(())
    }

    fn prepared(&mut self, record: RecordId) -> Result<Arc<PreparedPage>, Error> {
        if let Some(prepared) = self.kept.get(&record) {
            return Ok(Arc::clone(prepared));
        }
        let length = self.alignment.texts.size(record)?;
        if length > KEPT_TEXT {
            if let Some(prepared) = self.large.get(record) {
                return Ok(prepared);
            }
            self.large.make_room(length);
            let prepared = self.prepare(record)?;
            self.large.put(record, length, &prepared);
            return Ok(prepared);
        }
        let prepared = self.prepare(record)?;
        self.kept_text += length;
        if self.kept_text > KEPT_TEXT {
            self.kept.clear();
            self.kept_text = length;
        }
        self.kept.insert(record, Arc::clone(&prepared));
        Ok(prepared)
    }

    fn prepare(&mut self, record: RecordId) -> Result<Arc<PreparedPage>, Error> {
        let Alignment {
            records,
            gathered,
            texts,
            aligner,
        } = self.alignment;
        let Text { text, sentences } = texts.get(record)?;
        let is_common = |unit| gathered.common.contains(unit);
        let common: Vec<bool> = records.units_of(record).map(is_common).collect();
        let page = aligner.page(&text, &sentences, &common, &mut self.scratch);
        Ok(Arc::new(PreparedPage::new(page, text)))
    }
}

fn place(characters: &Characters, span: Span) -> Place {
    Place {
        begin: characters.at(span.begin),
        end: characters.at(span.end),
        first_byte: span.begin,
        end_byte: span.end,
        first_sentence: span.first_sentence,
        sentences: span.sentences,
    }
}
