//! What does not fit in memory: sorted groups ([`Shuffle`]) and sequences ([`Spool`]) that go to disk beyond a limit.
//!
//! Both write files that never change once complete. A checkpoint is therefore the list of these files, and a run
//! that was killed continues from such a list.

mod folder;
mod shuffle;
mod spool;

pub use folder::{Error, Folder};
pub use shuffle::{Item, Partitions, SavedShuffle, Shuffle, Sorted};
pub use spool::{SavedSpool, Spool};
