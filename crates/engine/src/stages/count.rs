//! Count the words of the corpus, for features that depend on how common a word is.
//!
//! In: the corpus. Out: a lexicon, which stays in memory. The pass comes before everything else; a run that is continued
//! counts again.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use lookalike_pair::workers::{Pulled, in_order};
use lookalike_sign::stats::Counter;
use lookalike_text::{TextOptions, Tokenizer, UnitId};

use super::pulled;
use crate::Error;
use crate::corpus::{Corpus, Texts};
use crate::source::Block;

/// What to count, and with what.
pub(crate) struct Counting<'r> {
    pub(crate) corpus: &'r Corpus<'r>,
    pub(crate) text: TextOptions,
    /// Only the first so many records of the input.
    pub(crate) limit: Option<u64>,
    pub(crate) threads: usize,
    /// What the threads share for their counts, in bytes, and where they go beyond it.
    pub(crate) memory: usize,
    pub(crate) folder: &'r Path,
    /// Told the bytes read so far.
    pub(crate) progress: &'r (dyn Fn(u64) + Sync),
}

impl Counting<'_> {
    /// Counts: a counter a thread.
    pub(crate) fn count(self) -> Result<Vec<Counter>, Error> {
        let counter = |_| Mutex::new(Counter::new(self.folder, self.memory / self.threads));
        let counters: Vec<Mutex<Counter>> = (0..self.threads).map(counter).collect();
        let workers = AtomicUsize::new(0);
        let mut pass = self.corpus.pass();
        let mut left = self.limit.unwrap_or(u64::MAX);
        in_order(
            self.threads,
            || {
                Ok(Worker {
                    counter: &counters[workers.fetch_add(1, Ordering::Relaxed)],
                    tokenizer: Tokenizer::new(self.text),
                    corpus: self.corpus,
                    block: Block::default(),
                    first: u32::MAX,
                    joined: Texts::default(),
                })
            },
            |worker| {
                if left == 0 {
                    pass.skip_input();
                }
                let Some(part) = pass.next_block(&mut worker.block)? else {
                    return Ok(Pulled::Nothing);
                };
                worker.first = u32::MAX;
                if self.limit.is_some() && part == 0 {
                    let records = worker.block.decode(&mut |_| false, &mut |_, _| {})?;
                    worker.first = left.min(u64::from(records)) as u32;
                    left -= u64::from(worker.first);
                }
                (self.progress)(pass.bytes_read());
                Ok(pulled(&worker.block))
            },
            Worker::count,
            |()| Ok(()),
        )?;
        let counters = counters.into_iter().map(Mutex::into_inner);
        let counters = counters.map(|counter| counter.unwrap_or_else(PoisonError::into_inner));
        Ok(counters.collect())
    }
}

/// Counts blocks in a counter of its own.
struct Worker<'r> {
    counter: &'r Mutex<Counter>,
    tokenizer: Tokenizer,
    corpus: &'r Corpus<'r>,
    block: Block,
    /// How many records of the block count, the first ones.
    first: u32,
    joined: Texts,
}

impl Worker<'_> {
    fn count(&mut self) -> Result<(), Error> {
        let mut counter = self.counter.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut failed, first) = (None, self.first);
        let is_counted = |slot| slot < first;
        self.block
            .decode(&mut |slot| is_counted(slot), &mut |slot, record| {
                // What is wrong with a record is said when it is signed.
                let (true, Ok(record)) = (is_counted(slot), record) else {
                    return;
                };
                let text = self
                    .corpus
                    .whole(UnitId::from(slot), &record, &mut self.joined)
                    .text;
                if let Err(error) = counter.add_document(|words| self.tokenizer.words(text, words))
                {
                    failed.get_or_insert(error);
                }
            })?;
        failed.map_or(Ok(()), |error| Err(counting_failed(error)))
    }
}

/// The runs of a counter could not be written or read.
pub(crate) fn counting_failed(source: std::io::Error) -> Error {
    Error::Output {
        doing: "write the word counts of",
        path: "the corpus".into(),
        source,
    }
}
