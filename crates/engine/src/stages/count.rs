//! Count the words of the corpus, for features that depend on how common a word is.
//!
//! In: the corpus. Out: a lexicon, which stays in memory. The pass comes before everything else; a run that is continued
//! counts again.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use lookalike_pair::workers::{Flow, Pulled, in_order};
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
        let counted = Mutex::new(Vec::new());
        let mut pass = self.corpus.pass();
        let mut left = self.limit.unwrap_or(u64::MAX);
        in_order(
            self.threads,
            || {
                Ok(Worker {
                    counted: &counted,
                    counter: Some(Counter::new(self.folder, self.memory / self.threads)),
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
            |()| Ok(Flow::Continue),
        )?;
        Ok(counted.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Counts blocks, and hands its counter over at the end.
struct Worker<'r> {
    counted: &'r Mutex<Vec<Counter>>,
    counter: Option<Counter>,
    tokenizer: Tokenizer,
    corpus: &'r Corpus<'r>,
    block: Block,
    /// How many records of the block count, the first ones.
    first: u32,
    joined: Texts,
}

impl Worker<'_> {
    fn count(&mut self) -> Result<(), Error> {
        let Worker {
            counter: Some(counter),
            tokenizer,
            corpus,
            block,
            first,
            joined,
            ..
        } = self
        else {
            return Ok(());
        };
        let mut failed = None;
        block.decode(&mut |slot| slot < *first, &mut |slot, record| {
            // What is wrong with a record is said when it is signed.
            let (true, Ok(record)) = (slot < *first, record) else {
                return;
            };
            let text = corpus.whole(UnitId::from(slot), &record, joined).text;
            if let Err(error) = counter.add_document(|words| tokenizer.words(text, words)) {
                failed.get_or_insert(error);
            }
        })?;
        failed.map_or(Ok(()), |error| Err(counting_failed(error)))
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if let Some(counter) = self.counter.take() {
            let counted = self.counted.lock();
            counted
                .unwrap_or_else(PoisonError::into_inner)
                .push(counter);
        }
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
