//! A spool: items are appended in order and read back by position; beyond a limit the beginning goes to disk.

use std::io::Write;
use std::sync::Arc;

use bytemuck::Pod;

use super::folder::{Error, Folder, Opened};
use super::{SavedFile, SavedFiles, Spill};

/// Items are appended in order and read back by position; beyond a limit the beginning goes to
/// disk.
#[derive(Debug)]
pub struct Spool<T> {
    kind: &'static str,
    folder: Arc<Folder>,
    /// How many items may be held.
    most_held: usize,
    /// One file however often it grows: a run of many checkpoints would have too many.
    file: Option<Box<Opened>>,
    /// How many items are in the file.
    on_disk: u64,
    /// What follows them, still in memory.
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
            file: None,
            on_disk: 0,
            tail: Vec::new(),
        }
    }

    /// How many items were appended.
    pub fn len(&self) -> u64 {
        self.on_disk + self.tail.len() as u64
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
    pub fn read_at(&self, buffer: &mut [T], offset: u64) -> Result<(), Error> {
        let on_disk = self.on_disk.saturating_sub(offset).min(buffer.len() as u64);
        let (written, held) = buffer.split_at_mut(on_disk as usize);
        if let Some(file) = self.file.as_ref().filter(|_| !written.is_empty()) {
            let byte = offset * size_of::<T>() as u64;
            file.read_at(bytemuck::cast_slice_mut(written), byte)?;
        }
        let begin = (offset + on_disk).saturating_sub(self.on_disk) as usize;
        held.copy_from_slice(&self.tail[begin..begin + held.len()]);
        Ok(())
    }

    /// The items of a range, if all of them are still in memory.
    pub fn in_memory(&self, offset: u64, len: usize) -> Option<&[T]> {
        let begin = offset.checked_sub(self.on_disk)? as usize;
        self.tail.get(begin..begin + len)
    }

    /// Reads everything back.
    pub fn read_all(&self) -> Result<Vec<T>, Error> {
        let mut all = vec![T::zeroed(); self.len() as usize];
        self.read_at(&mut all, 0)?;
        Ok(all)
    }

    fn spill(&mut self) -> Result<(), Error> {
        if self.tail.is_empty() {
            return Ok(());
        }
        let tail = std::mem::take(&mut self.tail);
        let bytes = bytemuck::cast_slice(&tail);
        match &mut self.file {
            Some(file) => file.append(bytes, self.on_disk * size_of::<T>() as u64)?,
            None => {
                let file = self.folder.write(self.kind, |out| out.write_all(bytes))?;
                self.file = Some(Box::new(file));
            }
        }
        self.on_disk += tail.len() as u64;
        Ok(())
    }
}

impl<T: Pod> Spill for Spool<T> {
    fn save(&mut self) -> Result<SavedFiles, Error> {
        self.spill()?;
        let file = |file: &Opened| SavedFile {
            name: file.name.clone(),
            counts: vec![self.on_disk],
            hash: file.hash(),
        };
        Ok(SavedFiles(
            self.file.as_deref().map(file).into_iter().collect(),
        ))
    }

    fn restore(&mut self, saved: SavedFiles) -> Result<(), Error> {
        if let Some(file) = saved.0.first() {
            self.file = Some(Box::new(file.open::<T>(&self.folder)?));
            self.on_disk = file.items();
        }
        Ok(())
    }

    fn shrink(&mut self, share: f64) -> Result<(), Error> {
        self.most_held = (self.most_held as f64 * share) as usize;
        if self.tail.len() > self.most_held {
            self.spill()?;
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.tail = Vec::new();
        self.on_disk = 0;
        if let Some(file) = self.file.take() {
            self.folder.remove(&file.name);
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
                if saved {
                    let files = spool.save().unwrap();
                    // Of no checkpoint: written by a run that was then killed.
                    spool.append(b"lost").unwrap();
                    spool.save().unwrap();
                    spool = Spool::new("ids", &folder, memory);
                    spool.restore(files).unwrap();
                }
            }
            spool.shrink(0.5).unwrap();
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
