//! What does not fit in memory: sorted groups ([`Shuffle`]) and sequences ([`Spool`]) that go to disk beyond a limit.
//!
//! Both write files that never change once complete. A checkpoint is therefore the list of these files, and a run
//! that was killed continues from such a list.

mod folder;
mod shuffle;
mod spool;

pub use folder::{Error, Folder};
use serde::{Deserialize, Serialize};
pub use shuffle::{Item, Partitions, Shuffle, Sorted};
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
    /// If they cannot be opened.
    fn restore(&mut self, saved: SavedFiles) -> Result<(), Error>;

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
}

impl SavedFiles {
    /// The names of the files, which a clean-up must spare.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|file| file.name.as_str())
    }
}
