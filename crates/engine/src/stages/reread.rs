//! Read units or records again that signing has seen.
//!
//! In: which ones. Out: what is kept of them, block by block, in input order. Only blocks with any of them are read and
//! only records with any of them are decoded, by any thread.

use std::sync::atomic::{AtomicU64, Ordering};

use lookalike_kernel::record::Record;
use lookalike_text::{Unit, UnitId};

use super::sign::Signed;
use super::{Context, LARGE_BLOCK};
use crate::Error;
use crate::bits::Bits;
use crate::column::{Lists, OfBlock};
use crate::corpus::{BlockMark, Splitter};
use crate::source::Block;
use lookalike_pair::workers::{Flow, Pulled, in_order};

/// See the [module](self).
pub(crate) struct Reread<'r> {
    pub(crate) context: &'r Context<'r>,
    pub(crate) wanted: &'r Bits,
    of: Of,
    marks: Vec<BlockMark>,
    /// The block to begin with.
    from: usize,
}

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Units,
    /// Records, each as one unit with the number of the record.
    Records,
}

/// What is kept of the wanted units of a block, one after the other.
pub(crate) struct Described<T> {
    /// The number of the block.
    pub(crate) block: usize,
    units: Vec<UnitId>,
    pub(crate) kept: Lists<T>,
}

impl<T> Described<T> {
    /// Nothing yet of a block.
    pub(crate) fn new(block: usize) -> Self {
        Described {
            block,
            units: Vec::new(),
            kept: Lists::kept_if(true),
        }
    }

    /// Adds a unit and what `keep` keeps of it.
    pub(crate) fn add(
        &mut self,
        unit: UnitId,
        keep: impl FnOnce(&mut Vec<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.units.push(unit);
        self.kept.open();
        self.kept.fill(keep)
    }

    /// Each unit with what is kept of it.
    pub(crate) fn units(&self) -> impl Iterator<Item = (UnitId, &[T])> {
        self.units.iter().copied().zip(self.kept.iter())
    }
}

impl<'r> Reread<'r> {
    /// These units.
    pub(crate) fn units(
        context: &'r Context<'r>,
        signed: &Signed,
        wanted: &'r Bits,
    ) -> Result<Self, Error> {
        Ok(Reread {
            context,
            wanted,
            of: Of::Units,
            marks: signed.blocks.read_all()?,
            from: 0,
        })
    }

    /// These records.
    pub(crate) fn records(
        context: &'r Context<'r>,
        signed: &Signed,
        wanted: &'r Bits,
    ) -> Result<Self, Error> {
        Ok(Reread {
            of: Of::Records,
            ..Reread::units(context, signed, wanted)?
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
        work: impl Fn(Described<T>) -> Result<R, Error> + Sync,
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
            || Ok((0, Block::default(), self.splitter(), keeper()?)),
            |(number, block, ..): &mut (usize, Block, Splitter<'_>, K)| {
                while self.marks.get(next).is_some_and(|mark| !self.has_any(mark)) {
                    next += 1;
                }
                let pulled = Pulled::number(&mut next, number, self.marks.len());
                if pulled == Pulled::Nothing {
                    return Ok(pulled);
                }
                pass.read_again(&self.marks[*number], block)?;
                bytes_read.store(pass.bytes_read(), Ordering::Relaxed);
                Ok(if block.bytes_held() > LARGE_BLOCK {
                    Pulled::LargeItem
                } else {
                    Pulled::Item
                })
            },
            |(number, block, splitter, keep)| {
                let (mut out, mut failed) = (Described::new(*number), None);
                splitter.split_block(block, &self.marks[*number], wanted, &mut |unit| {
                    let added = out.add(unit.id, |kept| keep(&unit, kept));
                    failed = failed.take().or(added.err());
                })?;
                work(failed.map_or(Ok(out), Err)?)
            },
            |result| {
                each(result)?;
                context.done(bytes_read.load(Ordering::Relaxed))?;
                Ok(Flow::Continue)
            },
        )
    }

    fn has_any(&self, mark: &BlockMark) -> bool {
        match self.of {
            Of::Units => self.wanted.any(mark.first_unit, mark.units),
            Of::Records => self.wanted.any(mark.first, mark.records),
        }
    }

    fn splitter(&self) -> Splitter<'r> {
        match self.of {
            Of::Units => self.context.corpus.splitter(),
            Of::Records => self.context.corpus.whole_records(),
        }
    }
}

/// The text of one unit.
pub(crate) fn text_of(
    context: &Context<'_>,
    marks: &[BlockMark],
    unit: u32,
) -> Result<String, Error> {
    let after = marks.partition_point(|mark| mark.first_unit <= unit);
    let Some(mark) = after.checked_sub(1).map(|last| marks[last]) else {
        return Err(Error::Internal(format!("unit {unit} is in no block")));
    };
    let mut block = Block::default();
    context.corpus.pass().read_again(&mark, &mut block)?;
    let mut wanted = Bits::new(unit as usize + 1);
    wanted.insert(unit);
    let (mut splitter, mut text) = (context.corpus.splitter(), String::new());
    splitter.split_block(&block, &mark, &wanted, &mut |unit| text.push_str(unit.text))?;
    Ok(text)
}

/// Reads one record again.
pub(crate) fn read_record(
    context: &Context<'_>,
    marks: &[BlockMark],
    record: u32,
    mut found: impl FnMut(&Record<'_>),
) -> Result<BlockMark, Error> {
    let after = marks.partition_point(|mark| mark.first <= record);
    let Some(mark) = after.checked_sub(1).map(|last| marks[last]) else {
        return Err(Error::Internal(format!("record {record} is in no block")));
    };
    let mut pass = context.corpus.pass();
    let mut block = Block::default();
    pass.read_again(&mark, &mut block)?;
    let is_it = |slot: u32| mark.first + slot == record;
    block.decode(&mut |slot| is_it(slot), &mut |slot, decoded| {
        if let (true, Ok(decoded)) = (is_it(slot), decoded) {
            found(&decoded);
        }
    })?;
    Ok(mark)
}
