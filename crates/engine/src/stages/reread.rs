//! Read units or records again that signing has seen.
//!
//! In: which ones. Out: what is kept of them, block by block, in input order. Only blocks with any of them are read and
//! only records with any of them are decoded, by any thread.

use std::sync::atomic::{AtomicU64, Ordering};

use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::{RecordId, Unit, UnitId};

use super::sign::Signed;
use super::{Context, pulled};
use crate::Error;
use crate::bits::Bits;
use crate::column::{Lists, OfBlock};
use crate::corpus::{BlockMark, Corpus, Splitter};
use crate::number::Number;
use crate::source::Block;

/// Read units or records again that signing has seen.
pub(crate) struct Reread<'r, I> {
    pub(crate) context: &'r Context<'r>,
    pub(crate) wanted: &'r Bits<I>,
    marks: Vec<BlockMark>,
    /// The block to begin with.
    from: usize,
}

/// What can be read again: units, or whole records.
pub(crate) trait InBlocks: Number {
    /// The first in a block, and how many there are.
    fn in_block(mark: &BlockMark) -> (Self, u32);

    /// What the records of a block are split into.
    fn splitter<'c>(corpus: &'c Corpus<'c>) -> Splitter<'c>;
}

impl InBlocks for UnitId {
    fn in_block(mark: &BlockMark) -> (Self, u32) {
        (mark.first_unit, mark.units)
    }

    fn splitter<'c>(corpus: &'c Corpus<'c>) -> Splitter<'c> {
        corpus.splitter()
    }
}

impl InBlocks for RecordId {
    fn in_block(mark: &BlockMark) -> (Self, u32) {
        (mark.first, mark.records)
    }

    fn splitter<'c>(corpus: &'c Corpus<'c>) -> Splitter<'c> {
        corpus.whole_records()
    }
}

/// What is kept of the wanted units or records of a block, one after the other.
pub(crate) struct Described<I, T> {
    /// The number of the block.
    pub(crate) block: usize,
    members: Vec<I>,
    pub(crate) kept: Lists<T>,
}

impl<I: Copy, T> Described<I, T> {
    /// Nothing yet of a block.
    pub(crate) fn new(block: usize) -> Self {
        Described {
            block,
            members: Vec::new(),
            kept: Lists::kept_if(true),
        }
    }

    /// Adds one and what `keep` keeps of it.
    pub(crate) fn add(
        &mut self,
        member: I,
        keep: impl FnOnce(&mut Vec<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.members.push(member);
        self.kept.open();
        self.kept.fill(keep)
    }

    /// Each with what is kept of it.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (I, &[T])> {
        self.members.iter().copied().zip(self.kept.iter())
    }
}

impl<'r, I: InBlocks> Reread<'r, I> {
    /// These units, or records.
    pub(crate) fn of(
        context: &'r Context<'r>,
        signed: &Signed,
        wanted: &'r Bits<I>,
    ) -> Result<Self, Error> {
        Ok(Reread {
            context,
            wanted,
            marks: signed.blocks.read_all()?,
            from: 0,
        })
    }

    /// Only those from a block on.
    pub(crate) fn starting_at(self, from: usize) -> Self {
        Reread { from, ..self }
    }

    /// Keeps of each unit what a keeper does, does `work` on what is kept of a block in any thread and hands the results
    /// on in input order. There is a keeper a thread.
    pub(crate) fn read<T, K, R: Send>(
        &self,
        keeper: impl Fn() -> Result<K, Error> + Sync,
        work: impl Fn(Described<I, T>) -> Result<R, Error> + Sync,
        mut each: impl FnMut(R) -> Result<(), Error> + Send,
    ) -> Result<(), Error>
    where
        K: FnMut(&Unit<'_>, &mut Vec<T>) -> Result<(), Error>,
    {
        let Reread {
            context, wanted, ..
        } = *self;
        let (mut pass, mut next) = (context.corpus.pass(), self.from);
        let bytes_read = AtomicU64::new(0);
        in_order(
            context.threads,
            || Ok((0, Block::default(), I::splitter(context.corpus), keeper()?)),
            |(number, block, ..): &mut (usize, Block, Splitter<'_>, K)| {
                let has_any = |mark: &BlockMark| {
                    let (first, count) = I::in_block(mark);
                    wanted.any(first, count)
                };
                while self.marks.get(next).is_some_and(|mark| !has_any(mark)) {
                    next += 1;
                }
                if Pulled::number(&mut next, number, self.marks.len()) == Pulled::Nothing {
                    return Ok(Pulled::Nothing);
                }
                pass.read_again(&self.marks[*number], block)?;
                bytes_read.store(pass.bytes_read(), Ordering::Relaxed);
                Ok(pulled(block))
            },
            |(number, block, splitter, keep)| {
                let (mut out, mut failed) = (Described::new(*number), None);
                let mark = &self.marks[*number];
                splitter.split_block(block, mark, wanted, &mut |member, unit| {
                    let added = out.add(member, |kept| keep(&unit, kept));
                    failed = failed.take().or(added.err());
                })?;
                work(failed.map_or(Ok(out), Err)?)
            },
            |result| {
                each(result)?;
                context.done(bytes_read.load(Ordering::Relaxed))
            },
        )
    }
}

/// The block with a unit, or with a record.
fn block_of<I: InBlocks>(marks: &[BlockMark], member: I) -> Result<BlockMark, Error> {
    let after = marks.partition_point(|mark| I::in_block(mark).0.get() <= member.get());
    let mark = after.checked_sub(1).map(|last| marks[last]);
    mark.ok_or_else(|| Error::Internal(format!("number {member} is in no block")))
}

/// The text of one unit.
pub(crate) fn text_of(
    context: &Context<'_>,
    marks: &[BlockMark],
    unit: UnitId,
) -> Result<String, Error> {
    let (mark, mut block) = (block_of(marks, unit)?, Block::default());
    context.corpus.pass().read_again(&mark, &mut block)?;
    let mut wanted = Bits::new(unit.index() + 1);
    wanted.insert(unit);
    let (mut splitter, mut text) = (context.corpus.splitter(), String::new());
    splitter.split_block(&block, &mark, &wanted, &mut |_, unit| {
        text.push_str(unit.text);
    })?;
    Ok(text)
}
