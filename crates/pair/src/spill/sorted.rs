//! Reading the sorted runs of a partition as one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::Arc;

use super::SavedFile;
use super::folder::{Error, Folder, Reading};
use super::shuffle::Item;

/// Items read from a file at a time.
pub(super) const READ_ITEMS: usize = 1 << 12;

/// A file, which is open only while it is read.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) saved: SavedFile,
    /// Where each partition's segment begins, in items.
    pub(super) begins: Vec<u64>,
}

impl Run {
    pub(super) fn new(saved: SavedFile) -> Self {
        let begins = saved.counts.iter().scan(0, |sum, &count| {
            let begin = *sum;
            *sum += count;
            Some(begin)
        });
        Run {
            begins: begins.collect(),
            saved,
        }
    }

    pub(super) fn bytes<T>(&self) -> usize {
        self.saved.items() as usize * size_of::<T>()
    }
}

/// A partition in order; see [`Shuffle::sorted`](super::Shuffle::sorted).
pub struct Sorted<T> {
    /// What is in memory, then the runs.
    segments: Vec<Segment<T>>,
    /// The first item of each segment that has any left, once they are read. The least comes first; of equal ones that
    /// of the earlier segment.
    firsts: Option<BinaryHeap<Reverse<(T, usize)>>>,
    last: Option<T>,
}

/// A sorted sequence being merged.
struct Segment<T> {
    /// The file and where it is, unless all of it is in memory.
    run: Option<(Arc<Run>, Arc<Folder>)>,
    /// The same, while some of it is still to be read.
    file: Option<Reading>,
    /// Items read ahead, and the first of them not yet taken.
    ahead: Vec<T>,
    at: usize,
    /// The place in the run, in items, of what is not yet read, and how much that is.
    next: u64,
    left: u64,
}

impl<T: Item> Segment<T> {
    /// Takes the next item.
    #[inline]
    fn take(&mut self) -> Result<Option<T>, Error> {
        if self.at == self.ahead.len() && self.left > 0 {
            let count = self.left.min(READ_ITEMS as u64);
            self.ahead.resize(count as usize, T::zeroed());
            if let Some((run, folder)) = &self.run {
                let file = match self.file.take() {
                    Some(file) => file,
                    None => folder.read(&run.saved.name)?,
                };
                let bytes = bytemuck::cast_slice_mut(&mut self.ahead);
                file.read_at(bytes, self.next * size_of::<T>() as u64)?;
                self.file = (self.left > count).then_some(file);
            }
            self.next += count;
            self.left -= count;
            self.at = 0;
        }
        let item = self.ahead.get(self.at).copied();
        self.at += usize::from(item.is_some());
        Ok(item)
    }
}

impl<T: Item> Sorted<T> {
    /// What is in memory, sorted, and what the runs have of a partition.
    pub(super) fn new(
        held: Vec<T>,
        runs: &[Arc<Run>],
        folder: &Arc<Folder>,
        partition: usize,
    ) -> Self {
        let held = Segment {
            run: None,
            file: None,
            ahead: held,
            at: 0,
            next: 0,
            left: 0,
        };
        let runs = runs.iter().map(|run| Segment {
            run: Some((Arc::clone(run), Arc::clone(folder))),
            file: None,
            ahead: Vec::new(),
            at: 0,
            next: run.begins[partition],
            left: run.saved.counts[partition],
        });
        Sorted {
            segments: std::iter::once(held).chain(runs).collect(),
            firsts: None,
            last: None,
        }
    }

    /// The next item.
    #[expect(clippy::should_implement_trait, reason = "reading can fail")]
    pub fn next(&mut self) -> Result<Option<T>, Error> {
        let firsts = match &mut self.firsts {
            Some(firsts) => firsts,
            None => {
                let mut firsts = BinaryHeap::with_capacity(self.segments.len());
                for (number, segment) in self.segments.iter_mut().enumerate() {
                    firsts.extend(segment.take()?.map(|item| Reverse((item, number))));
                }
                self.firsts.insert(firsts)
            }
        };
        loop {
            let Some(mut least) = firsts.peek_mut() else {
                return Ok(None);
            };
            let Reverse((item, number)) = *least;
            match self.segments[number].take()? {
                Some(next) => *least = Reverse((next, number)),
                None => drop(PeekMut::pop(least)),
            }
            if !(T::MERGE_EQUAL && self.last == Some(item)) {
                self.last = Some(item);
                return Ok(Some(item));
            }
        }
    }
}
