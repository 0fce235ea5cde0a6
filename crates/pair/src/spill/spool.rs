//! A spool: items are appended in order and read back by position; beyond a limit the beginning goes to disk.

use std::io::Write;
use std::sync::Arc;

use bytemuck::Pod;

use super::folder::{Error, Folder, Opened};
use super::{SavedFile, SavedFiles, Spill};

#[derive(Debug)]
struct Segment {
    name: String,
    opened: Opened,
    begin: u64,
    len: u64,
}

/// See the [module](self).
#[derive(Debug)]
pub struct Spool<T> {
    kind: &'static str,
    folder: Arc<Folder>,
    /// How many items may be held.
    most_held: usize,
    segments: Vec<Segment>,
    /// What follows the segments, still in memory.
    tail: Vec<T>,
}

impl<T: Pod> Spool<T> {
    /// An empty spool that holds up to `memory` bytes and spills into `folder`.
    pub fn new(kind: &'static str, folder: &Arc<Folder>, memory: usize) -> Self {
        Spool {
            kind,
            folder: Arc::clone(folder),
            // See `append`: a quarter of the room may be unused.
            most_held: memory / 5 * 4 / size_of::<T>(),
            segments: Vec::new(),
            tail: Vec::new(),
        }
    }

    /// How many items were appended.
    pub fn len(&self) -> u64 {
        self.on_disk() + self.tail.len() as u64
    }

    /// Whether nothing was appended.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends items.
    pub fn append(&mut self, items: &[T]) -> Result<(), Error> {
        if self.tail.len() + items.len() > self.most_held {
            self.spill()?;
        }
        if self.tail.capacity() - self.tail.len() < items.len() {
            // By a quarter, not to twice the size: this can be most of the memory there is.
            let room = items.len().max(self.tail.len() / 4);
            self.tail.reserve_exact(room);
        }
        self.tail.extend_from_slice(items);
        Ok(())
    }

    /// Fills `buffer` with the items from `offset` on, which must be there.
    pub fn read_at(&self, mut buffer: &mut [T], mut offset: u64) -> Result<(), Error> {
        while !buffer.is_empty() {
            let after = self
                .segments
                .partition_point(|segment| segment.begin <= offset);
            let segment = after.checked_sub(1).map(|i| &self.segments[i]);
            match segment.filter(|segment| offset < segment.begin + segment.len) {
                Some(segment) => {
                    let here = segment.begin + segment.len - offset;
                    let (now, rest) = buffer.split_at_mut((here as usize).min(buffer.len()));
                    let byte = (offset - segment.begin) * size_of::<T>() as u64;
                    segment
                        .opened
                        .read_at(bytemuck::cast_slice_mut(now), byte)?;
                    offset += now.len() as u64;
                    buffer = rest;
                }
                None => {
                    let begin = (offset - self.on_disk()) as usize;
                    buffer.copy_from_slice(&self.tail[begin..begin + buffer.len()]);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The items of a range, if all of them are still in memory.
    pub fn in_memory(&self, offset: u64, len: usize) -> Option<&[T]> {
        let begin = offset.checked_sub(self.on_disk())? as usize;
        self.tail.get(begin..begin + len)
    }

    /// Reads everything back.
    pub fn read_all(&self) -> Result<Vec<T>, Error> {
        let mut all = vec![T::zeroed(); self.len() as usize];
        self.read_at(&mut all, 0)?;
        Ok(all)
    }

    fn on_disk(&self) -> u64 {
        self.segments.last().map_or(0, |last| last.begin + last.len)
    }

    fn spill(&mut self) -> Result<(), Error> {
        if self.tail.is_empty() {
            return Ok(());
        }
        let tail = std::mem::take(&mut self.tail);
        let name = self
            .folder
            .write(self.kind, |out| out.write_all(bytemuck::cast_slice(&tail)))?;
        self.add_segment(name, tail.len() as u64)
    }

    fn add_segment(&mut self, name: String, len: u64) -> Result<(), Error> {
        let opened = self.folder.open(&name)?;
        let begin = self.on_disk();
        self.segments.push(Segment {
            name,
            opened,
            begin,
            len,
        });
        Ok(())
    }
}

impl<T: Pod> Spill for Spool<T> {
    fn save(&mut self) -> Result<SavedFiles, Error> {
        self.spill()?;
        let file = |segment: &Segment| SavedFile {
            name: segment.name.clone(),
            counts: vec![segment.len],
        };
        Ok(SavedFiles(self.segments.iter().map(file).collect()))
    }

    fn restore(&mut self, saved: SavedFiles) -> Result<(), Error> {
        let mut files = saved.0.into_iter();
        files.try_for_each(|file| self.add_segment(file.name, file.counts.iter().sum()))
    }

    fn clear(&mut self) {
        self.tail = Vec::new();
        for segment in self.segments.drain(..) {
            self.folder.remove(&segment.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_range_reads_back_whatever_the_memory(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..20),
            memory in 0usize..128,
            saved in any::<bool>(),
        ) {
            let place = tempfile::tempdir().unwrap();
            let folder = Arc::new(Folder::new(place.path().join("work"), 0));
            let mut spool = Spool::new("ids", &folder, memory);
            for piece in &pieces {
                spool.append(piece).unwrap();
            }
            if saved {
                let files = spool.save().unwrap();
                spool = Spool::new("ids", &folder, memory);
                spool.restore(files).unwrap();
            }
            let whole = pieces.concat();
            prop_assert_eq!(spool.len(), whole.len() as u64);
            for begin in 0..whole.len() {
                let mut back = vec![0; whole.len() - begin];
                spool.read_at(&mut back, begin as u64).unwrap();
                prop_assert_eq!(&back, &whole[begin..]);
            }
        }
    }
}
