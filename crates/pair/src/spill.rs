//! What does not fit in memory: sorted groups ([`Shuffle`]) and sequences ([`Spool`]) that go to disk beyond a limit.
//!
//! What a file holds never changes, it only grows. A checkpoint is therefore the list of these files with their lengths
//! and hashes, and a run that was killed continues from such a list.

mod folder;
mod shuffle;
mod sorted;
mod spool;

pub use folder::{Error, Folder};
use serde::{Deserialize, Serialize};
pub use shuffle::{Item, Partitions, Shuffle};
pub use sorted::Sorted;
pub use spool::Spool;

/// What goes to disk beyond a limit: a checkpoint lists its files.
pub trait Spill {
    /// Writes what is held to disk and returns the list of files.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save(&mut self) -> Result<SavedFiles, Error>;

    /// Takes up the files of a checkpoint, in place of nothing.
    ///
    /// # Errors
    /// If they cannot be read, or do not hold what was written.
    fn restore(&mut self, saved: SavedFiles) -> Result<(), Error>;

    /// Holds only this share of what it was allowed to hold, from now on.
    ///
    /// # Errors
    /// If what is held beyond it cannot be written.
    fn shrink(&mut self, share: f64) -> Result<(), Error>;

    /// Removes all items and the files.
    fn clear(&mut self);
}

/// The files of a [`Spill`], in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFiles(Vec<SavedFile>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SavedFile {
    name: String,
    /// How many items it has, partition by partition.
    counts: Vec<u64>,
    /// Of all of them.
    hash: u64,
}

impl SavedFile {
    fn items(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Opens the file, having read that it is what was saved.
    fn open<T>(&self, folder: &Folder) -> Result<folder::Opened, Error> {
        let bytes = self.items().saturating_mul(size_of::<T>() as u64);
        folder.open_saved(&self.name, bytes, self.hash)
    }
}

impl SavedFiles {
    /// The names of the files, which a clean-up must spare.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|file| file.name.as_str())
    }
}
