//! What is known of all units, unit after unit, looked at some units at a time.

use std::borrow::Cow;

use bytemuck::Pod;
use lookalike_pair::spill::Spool;
use lookalike_text::UnitId;

use crate::Error;
use crate::column::ListColumn;
use crate::number::Number;

/// What is known of all units, unit after unit, looked at some units at a time.
pub(crate) struct Tape<'t, T> {
    pub(crate) items: &'t Spool<T>,
    /// How many each unit has.
    pub(crate) sizes: Cow<'t, [u32]>,
    pub(crate) chunks: Vec<Chunk>,
}

/// Consecutive units, and where what is known of them begins.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    pub(crate) first: UnitId,
    pub(crate) units: u32,
    begin: u64,
    items: usize,
}

impl<'t, T: Pod> Tape<'t, T> {
    /// All units, of which so many items each are known, in chunks of at most so many bytes, or of one unit.
    pub(crate) fn new(items: &'t Spool<T>, sizes: impl Into<Cow<'t, [u32]>>) -> Self {
        const BYTES: usize = 1 << 20;
        let (most, sizes) = (BYTES / size_of::<T>(), sizes.into());
        let (mut chunks, mut begin): (Vec<Chunk>, u64) = (Vec::new(), 0);
        for (unit, &size) in (0..).zip(sizes.iter()) {
            match chunks.last_mut() {
                Some(last) if last.items + size as usize <= most => {
                    last.units += 1;
                    last.items += size as usize;
                }
                _ => chunks.push(Chunk {
                    first: UnitId::from(unit),
                    units: 1,
                    begin,
                    items: size as usize,
                }),
            }
            begin += u64::from(size);
        }
        Tape {
            items,
            sizes,
            chunks,
        }
    }

    /// A whole column.
    pub(crate) fn of(column: &'t ListColumn<T>) -> Result<Self, Error> {
        Ok(Tape::new(&column.items, column.sizes.read_all()?))
    }

    /// How many items a unit has.
    pub(crate) fn size(&self, unit: UnitId) -> usize {
        self.sizes[unit.index()] as usize
    }

    /// Tells the items of every unit of a chunk that has any, by way of `read` where they are on disk.
    pub(crate) fn for_each(
        &self,
        chunk: &Chunk,
        read: &mut Vec<T>,
        each: &mut impl FnMut(UnitId, &[T]),
    ) -> Result<(), Error> {
        self.try_for_each(chunk, read, &mut |unit, items| {
            each(unit, items);
            Ok(())
        })
    }

    /// The same, until there is an error.
    pub(crate) fn try_for_each(
        &self,
        chunk: &Chunk,
        read: &mut Vec<T>,
        each: &mut impl FnMut(UnitId, &[T]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rest = match self.items.in_memory(chunk.begin, chunk.items) {
            Some(items) => items,
            None => {
                read.resize(chunk.items, T::zeroed());
                self.items.read_at(read, chunk.begin)?;
                read
            }
        };
        let sizes = &self.sizes[chunk.first.index()..][..chunk.units as usize];
        for (place, &size) in (0..).zip(sizes) {
            let (items, after) = rest.split_at(size as usize);
            rest = after;
            if !items.is_empty() {
                each(chunk.first.plus(place), items)?;
            }
        }
        Ok(())
    }
}
