//! The words of documents, some documents at a time.

use bytemuck::Zeroable;
use lookalike_kernel::decide::{CommonWords, DocumentSample, WordCounts};
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_sign::neighbours::{RunningWord, neighbours_of_page};
use lookalike_text::{RecordId, UnitId};

use crate::Error;
use crate::bits::Bits;
use crate::column::ListColumn;
use crate::number::Number;
use crate::stages::{Context, Units};

/// A chunk has about so many words, or one document.
const CHUNK_WORDS: u64 = 1 << 18;

/// The documents that are looked up.
pub(super) struct Documents<'r> {
    pub(super) context: &'r Context<'r>,
    pub(super) units: Units<'r>,
    words: &'r ListColumn<RunningWord>,
    /// How many words each sentence has.
    sizes: Vec<u32>,
    /// The sentences that are boilerplate.
    common: &'r Bits<UnitId>,
    /// The documents that are looked up.
    members: Bits<RecordId>,
    chunks: Vec<Chunk>,
}

/// Consecutive documents that have any text.
#[derive(Debug, Clone, Default)]
struct Chunk {
    /// The documents, each with its first sentence and how many there are.
    documents: Vec<(RecordId, UnitId, u32)>,
    begin: u64,
    words: u64,
}

impl<'r> Documents<'r> {
    pub(super) fn new(
        context: &'r Context<'r>,
        units: Units<'r>,
        common: &'r Bits<UnitId>,
        is_member: impl Fn(RecordId) -> bool,
    ) -> Result<Self, Error> {
        let words = &units.signed.columns.words;
        let sizes = words.sizes.read_all()?;
        let counts = units.signed.columns.unit_counts.read_all()?;
        let (mut chunks, mut chunk) = (Vec::new(), Chunk::default());
        let mut unit = 0;
        for (&count, record) in counts.iter().zip(0..) {
            let end = unit + count as usize;
            let length: u64 = sizes[unit..end].iter().map(|&size| u64::from(size)).sum();
            if chunk.words > 0 && chunk.words + length > CHUNK_WORDS {
                let begin = chunk.begin + chunk.words;
                chunks.push(std::mem::take(&mut chunk));
                chunk.begin = begin;
            }
            chunk
                .documents
                .push((RecordId::from(record), UnitId::from(unit as u32), count));
            chunk.words += length;
            unit = end;
        }
        chunks.push(chunk);
        Ok(Documents {
            context,
            units,
            words,
            sizes,
            common,
            members: Bits::of(counts.len(), |record| {
                counts[RecordId::index(record)] > 0 && is_member(record)
            }),
            chunks,
        })
    }

    /// How many documents there are, looked up or not.
    pub(super) fn count(&self) -> usize {
        self.units.signed.counts.records as usize
    }

    /// How many words there are in all.
    pub(super) fn word_count(&self) -> u64 {
        self.words.items.len()
    }

    /// Works on the documents of each chunk, in any thread, and commits what comes of it in order.
    pub(super) fn for_each<W: Default, R: Send>(
        &self,
        work: impl Fn(&mut dyn FnMut(&mut dyn FnMut(Document<'_>)), &mut W) -> Result<R, Error> + Sync,
        commit: impl FnMut(R) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        let mut next = 0;
        in_order(
            self.context.threads,
            || Ok((0, Vec::new(), W::default())),
            |(mine, ..): &mut (usize, Vec<RunningWord>, W)| {
                Ok(Pulled::number(&mut next, mine, self.chunks.len()))
            },
            |(mine, read, own)| {
                self.context.go_on()?;
                let chunk = &self.chunks[*mine];
                let words = match self
                    .words
                    .items
                    .in_memory(chunk.begin, chunk.words as usize)
                {
                    Some(words) => words,
                    None => {
                        read.resize(chunk.words as usize, RunningWord::zeroed());
                        self.words.items.read_at(read, chunk.begin)?;
                        read
                    }
                };
                work(
                    &mut |each| {
                        let mut rest = words;
                        for &(record, first, count) in &chunk.documents {
                            let sizes = &self.sizes[first.index()..][..count as usize];
                            let length: usize = sizes.iter().map(|&size| size as usize).sum();
                            let (words, after) = rest.split_at(length);
                            rest = after;
                            if self.members.contains(record) {
                                each(Document {
                                    record,
                                    first,
                                    sizes,
                                    words,
                                    common: self.common,
                                });
                            }
                        }
                    },
                    own,
                )
            },
            commit,
        )
    }

    /// The words that say too little, by a sample of the documents.
    pub(super) fn common_words(&self) -> Result<CommonWords, Error> {
        let sample = DocumentSample::of(self.members.count(), self.word_count());
        let mut counts = WordCounts::default();
        self.for_each(
            |documents, words: &mut Vec<RunningWord>| {
                let mut counts = WordCounts::default();
                documents(&mut |document| {
                    if sample.has(document.record.get().into()) {
                        words.clear();
                        words.extend(document.words.iter().filter(|word| !word.is_stretch()));
                        words.sort_unstable();
                        words.dedup();
                        counts.add(words);
                    }
                });
                Ok(counts)
            },
            |part| {
                counts.merge(&part);
                Ok(())
            },
        )?;
        Ok(counts.common())
    }
}

/// A document with its words.
pub(super) struct Document<'d> {
    pub(super) record: RecordId,
    first: UnitId,
    sizes: &'d [u32],
    words: &'d [RunningWord],
    common: &'d Bits<UnitId>,
}

impl Document<'_> {
    /// How long it is, in halves of words.
    pub(super) fn halves(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.step())).sum()
    }

    /// Tells the keys of its neighbouring words, with their places.
    pub(super) fn keys(&self, common: &CommonWords, each: impl FnMut(u64, u32)) {
        let mut rest = self.words;
        let sentences = self.sizes.iter().zip(0..).map(|(&size, number)| {
            let (words, after) = rest.split_at(size as usize);
            rest = after;
            (words, self.common.contains(self.first.plus(number)))
        });
        neighbours_of_page(sentences, |word| common.has(word), each);
    }
}
