//! Files that one process at a time may hold.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

/// Locks the file `path`, which is made if it is not there, until it is dropped; none if another process has it, or if it
/// was taken away or replaced by a link meanwhile.
///
/// # Errors
/// If it cannot be opened or locked.
pub fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    let file = options.read(true).append(true).create(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(is_at(&file, path).then_some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether an open file is what is found under its name, not through a link.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |data: fs::Metadata| (data.dev(), data.ino());
    let opened = file.metadata().map(place).ok();
    opened.is_some() && opened == fs::symlink_metadata(path).map(place).ok()
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
