//! A spool: items are appended in order and read back by position; beyond a limit the beginning goes to disk. What is
//! saved stays in memory, too, as long as there is room.

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
    /// How many items are not in memory: all of them are in the file.
    before: u64,
    /// What follows these, in memory; the beginning of it may be in the file as well.
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
            before: 0,
            tail: Vec::new(),
        }
    }

    /// How many items were appended.
    pub fn len(&self) -> u64 {
        self.before + self.tail.len() as u64
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
        let before = self.before.saturating_sub(offset).min(buffer.len() as u64);
        let (written, held) = buffer.split_at_mut(before as usize);
        if let Some(file) = self.file.as_ref().filter(|_| !written.is_empty()) {
            let byte = offset * size_of::<T>() as u64;
            file.read_at(bytemuck::cast_slice_mut(written), byte)?;
        }
        let begin = (offset + before).saturating_sub(self.before) as usize;
        held.copy_from_slice(&self.tail[begin..begin + held.len()]);
        Ok(())
    }

    /// The items of a range, if all of them are still in memory.
    pub fn in_memory(&self, offset: u64, len: usize) -> Option<&[T]> {
        let begin = offset.checked_sub(self.before)? as usize;
        self.tail.get(begin..begin + len)
    }

    /// Reads everything back.
    pub fn read_all(&self) -> Result<Vec<T>, Error> {
        let mut all = vec![T::zeroed(); self.len() as usize];
        self.read_at(&mut all, 0)?;
        Ok(all)
    }

    /// Writes what is in memory only.
    fn write_out(&mut self) -> Result<(), Error> {
        let unwritten = &self.tail[(self.on_disk - self.before) as usize..];
        if unwritten.is_empty() {
            return Ok(());
        }
        let bytes = bytemuck::cast_slice(unwritten);
        match &mut self.file {
            Some(file) => file.append(bytes, self.on_disk * size_of::<T>() as u64)?,
            None => {
                let file = self.folder.write(self.kind, |out| out.write_all(bytes))?;
                self.file = Some(Box::new(file));
            }
        }
        self.on_disk += unwritten.len() as u64;
        Ok(())
    }

    fn spill(&mut self) -> Result<(), Error> {
        self.write_out()?;
        self.before = self.on_disk;
        self.tail = Vec::new();
        Ok(())
    }
}

impl<T: Pod> Spill for Spool<T> {
    fn save(&mut self) -> Result<SavedFiles, Error> {
        self.write_out()?;
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
            self.before = self.on_disk;
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
        (self.on_disk, self.before) = (0, 0);
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
            kept in any::<bool>(),
        ) {
            let place = tempfile::tempdir().unwrap();
            let folder = Arc::new(Folder::new(place.path().join("work"), 0));
            let mut spool = Spool::new("ids", &folder, memory);
            for piece in &pieces {
                spool.append(piece).unwrap();
                if kept {
                    spool.save().unwrap();
                }
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
    #[test]
    fn what_is_saved_stays_in_memory_as_long_as_there_is_room() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path().join("work"), 0));
        let mut spool = Spool::new("numbers", &folder, 1000);
        spool.append(&[1u8; 500]).unwrap();
        let saved = spool.save().unwrap();
        assert_eq!(saved.0[0].items(), 500);
        assert_eq!(spool.in_memory(0, 500), Some([1u8; 500].as_slice()));
        spool.append(&[2u8; 200]).unwrap();
        assert_eq!(spool.in_memory(499, 2), Some([1u8, 2].as_slice()));
        assert_eq!(spool.save().unwrap().0[0].items(), 700);
        spool.append(&[3u8; 200]).unwrap();
        assert_eq!(spool.in_memory(699, 1), None);
        assert_eq!(spool.in_memory(700, 200), Some([3u8; 200].as_slice()));
        let all = [[1u8; 500].as_slice(), &[2; 200], &[3; 200]].concat();
        assert_eq!(spool.read_all().unwrap(), all);
    }
}
