//! What went into a shuffle, in order: one by one, in chunks, or in groups.

use lookalike_pair::spill::{Item, Shuffle, Sorted};
use lookalike_pair::workers::Pulled;

use crate::Error;

/// Hands out all items of a shuffle in order.
pub(crate) struct Sequence<'s, T> {
    items: &'s Shuffle<T>,
    partition: usize,
    sorted: Sorted<T>,
}

impl<'s, T: Item> Sequence<'s, T> {
    pub(crate) fn of(items: &'s Shuffle<T>) -> Self {
        Sequence {
            items,
            partition: 0,
            sorted: items.sorted(0),
        }
    }

    /// The next item.
    pub(crate) fn next(&mut self) -> Result<Option<T>, Error> {
        loop {
            if let Some(item) = self.sorted.next()? {
                return Ok(Some(item));
            }
            if self.partition + 1 == self.items.partitions() {
                return Ok(None);
            }
            self.partition += 1;
            self.sorted = self.items.sorted(self.partition);
        }
    }

    /// Fills a chunk with the next items, at most so many.
    pub(crate) fn next_chunk(&mut self, chunk: &mut Vec<T>, most: usize) -> Result<Pulled, Error> {
        fill(chunk, most, || self.next())
    }
}

/// Fills a chunk with what comes next, at most so much.
pub(crate) fn fill<T>(
    chunk: &mut Vec<T>,
    most: usize,
    mut next: impl FnMut() -> Result<Option<T>, Error>,
) -> Result<Pulled, Error> {
    chunk.clear();
    while chunk.len() < most
        && let Some(item) = next()?
    {
        chunk.push(item);
    }
    Ok(if chunk.is_empty() {
        Pulled::Nothing
    } else {
        Pulled::Item
    })
}

/// Tells the items of a shuffle in groups: those in a row with the same key.
pub(crate) fn for_each_group<T: Item, K: PartialEq>(
    items: &Shuffle<T>,
    key: impl Fn(&T) -> K,
    mut each: impl FnMut(&[T]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut group: Vec<T> = Vec::new();
    items.for_each(|item| {
        if group.last().is_some_and(|last| key(last) != key(&item)) {
            each(&group)?;
            group.clear();
        }
        group.push(item);
        Ok::<_, Error>(())
    })?;
    if group.is_empty() {
        return Ok(());
    }
    each(&group)
}
