//! What is kept of some units or records, any number of items each, found again by number.

use std::ops::Range;

use bytemuck::Pod;
use lookalike_pair::spill::{Spill, Spool};
use lookalike_text::Unit;

use super::Context;
use super::reread::{Described, InBlocks, Reread};
use crate::Error;
use crate::bits::{Bits, Ranked};
use crate::number::Number;
use crate::resume::Checkpointed;

/// What is kept of some units or records, any number of items each, found again by number.
pub(crate) struct Store<I, T> {
    members: Ranked<I>,
    /// Where the items of each member end.
    ends: Spool<u64>,
    items: Spool<T>,
    /// How many blocks of the input are done; all of them in a complete store.
    pub(super) blocks_done: usize,
}

impl<I, T: Pod> Checkpointed for Store<I, T> {
    type State = usize;

    /// Without the members, which follow from what is saved beside it.
    fn parts(&mut self) -> (Vec<&mut dyn Spill>, &mut usize) {
        (vec![&mut self.ends, &mut self.items], &mut self.blocks_done)
    }
}

impl<I: Number, T: Pod + Send> Store<I, T> {
    /// An empty store for these.
    pub(super) fn new(context: &Context<'_>, members: Bits<I>) -> Self {
        Store {
            members: Ranked::new(members),
            ends: context.spool("ends", 10),
            items: context.spool("kept", 40),
            blocks_done: 0,
        }
    }

    /// All that is read again, as a keeper keeps it.
    pub(crate) fn read<K>(
        what: &Reread<'_, I>,
        keeper: impl Fn() -> Result<K, Error> + Sync,
    ) -> Result<Self, Error>
    where
        I: InBlocks,
        K: FnMut(&Unit<'_>, &mut Vec<T>) -> Result<(), Error>,
    {
        let mut store = Store::new(what.context, what.wanted.clone());
        what.read(keeper, Ok, |described| store.add(&described))?;
        store.check_complete()?;
        Ok(store)
    }

    /// Whether something is kept of it.
    pub(crate) fn has(&self, member: I) -> bool {
        self.members().contains(member)
    }

    pub(super) fn members(&self) -> &Bits<I> {
        self.members.bits()
    }

    pub(super) fn add(&mut self, described: &Described<I, T>) -> Result<(), Error> {
        let mut end = self.items.len();
        let end_of = |&size: &u32| {
            end += u64::from(size);
            end
        };
        let ends: Vec<u64> = described.kept.sizes.iter().map(end_of).collect();
        self.ends.append(&ends)?;
        self.items.append(&described.kept.items)?;
        self.blocks_done = described.block + 1;
        Ok(())
    }

    /// Whether every member is there.
    pub(super) fn check_complete(&self) -> Result<(), Error> {
        if self.ends.len() == self.members().count() {
            return Ok(());
        }
        Err(Error::Internal(
            "the input changed while it was read: a record could not be read again".to_string(),
        ))
    }

    /// How many items are kept of a member.
    pub(crate) fn size(&self, member: I) -> Result<usize, Error> {
        let [begin, end] = self.range(member)?;
        Ok((end - begin) as usize)
    }

    /// What is kept of a member, by way of `window` where it is on disk.
    pub(crate) fn get<'s>(
        &'s self,
        member: I,
        window: &'s mut Window<T>,
    ) -> Result<&'s [T], Error> {
        let [begin, end] = self.range(member)?;
        let length = (end - begin) as usize;
        if let Some(kept) = self.items.in_memory(begin, length) {
            return Ok(kept);
        }
        let window_end = window.begin + window.items.len() as u64;
        if begin < window.begin || end > window_end {
            // Pairs come sorted, so the next unit may be a little further on.
            let ahead = (READ_AHEAD / size_of::<T>()) as u64;
            let near = begin >= window.begin && begin < window_end + ahead / 8;
            let wanted = if near {
                (end - begin).max(ahead)
            } else {
                end - begin
            };
            let available = self.items.len() - begin;
            window.begin = begin;
            let wanted = wanted.min(available) as usize;
            window.items.resize(wanted, T::zeroed());
            self.items.read_at(&mut window.items, begin)?;
        }
        let at = (begin - window.begin) as usize;
        Ok(&window.items[at..at + length])
    }

    /// Replaces `out` by some of the items kept of a member, and reads no others.
    pub(crate) fn read_part(
        &self,
        member: I,
        part: Range<u32>,
        out: &mut Vec<T>,
    ) -> Result<(), Error> {
        let [begin, end] = self.range(member)?;
        if part.start > part.end || u64::from(part.end) > end - begin {
            return Err(Error::Internal(format!(
                "of number {member} more is listed than was read again"
            )));
        }
        out.resize(part.len(), T::zeroed());
        Ok(self.items.read_at(out, begin + u64::from(part.start))?)
    }

    fn range(&self, member: I) -> Result<[u64; 2], Error> {
        if !self.members().contains(member) {
            return Err(Error::Internal(format!(
                "number {member} is compared and was not read again"
            )));
        }
        let mut ends = [0; 2];
        match self.members.place(member) as u64 {
            0 => self.ends.read_at(&mut ends[1..], 0)?,
            number => self.ends.read_at(&mut ends, number - 1)?,
        }
        Ok(ends)
    }
}

/// So many bytes.
const READ_AHEAD: usize = 1 << 14;

/// A part of what is stored, read back from disk.
#[derive(Debug, Default)]
pub(crate) struct Window<T> {
    begin: u64,
    items: Vec<T>,
}
