//! What is known of all units, unit after unit, looked at some units at a time.

use std::ops::Range;

use bytemuck::Pod;
use lookalike_pair::spill::Spool;
use lookalike_text::UnitId;

use crate::Error;

/// Consecutive units, and where what is known of them begins.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    pub(crate) units: Range<usize>,
    begin: u64,
    items: usize,
}

impl Chunk {
    /// All units, of which so many items each are known, in chunks of at most so many bytes, or of one unit.
    pub(crate) fn of_sizes<T>(sizes: &[u32]) -> Vec<Chunk> {
        const BYTES: usize = 1 << 20;
        let most = BYTES / size_of::<T>();
        let (mut chunks, mut begin): (Vec<Chunk>, u64) = (Vec::new(), 0);
        for (unit, &size) in sizes.iter().enumerate() {
            match chunks.last_mut() {
                Some(last) if last.items + size as usize <= most => {
                    last.units.end += 1;
                    last.items += size as usize;
                }
                _ => chunks.push(Chunk {
                    units: unit..unit + 1,
                    begin,
                    items: size as usize,
                }),
            }
            begin += u64::from(size);
        }
        chunks
    }

    /// Tells the items of every unit that has any, by way of `read` where they are on disk.
    pub(crate) fn for_each<T: Pod>(
        &self,
        tape: (&Spool<T>, &[u32]),
        read: &mut Vec<T>,
        each: &mut impl FnMut(UnitId, &[T]),
    ) -> Result<(), Error> {
        self.try_for_each(tape, read, &mut |unit, items| {
            each(unit, items);
            Ok(())
        })
    }

    /// The same, until there is an error.
    pub(crate) fn try_for_each<T: Pod>(
        &self,
        (items, sizes): (&Spool<T>, &[u32]),
        read: &mut Vec<T>,
        each: &mut impl FnMut(UnitId, &[T]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rest = match items.in_memory(self.begin, self.items) {
            Some(items) => items,
            None => {
                read.resize(self.items, T::zeroed());
                items.read_at(read, self.begin)?;
                read
            }
        };
        for unit in self.units.clone() {
            let (items, after) = rest.split_at(sizes[unit] as usize);
            rest = after;
            if !items.is_empty() {
                each(UnitId::from(unit as u32), items)?;
            }
        }
        Ok(())
    }
}
