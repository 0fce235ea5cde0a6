//! The folder that spilled files go to.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A spilled file could not be written or read back.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {path}: {source}")]
#[non_exhaustive]
pub struct Error {
    /// `write` or `read`.
    pub doing: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The system's reason.
    pub source: io::Error,
}

/// Hands out names for spilled files. Nothing is created on disk before the first file is.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    next: AtomicU64,
    listed: Mutex<Listed>,
}

/// Files that a checkpoint lists stay until another checkpoint does not.
#[derive(Debug, Default)]
struct Listed {
    files: BTreeSet<String>,
    /// Those of them that nobody needs any more but the checkpoint.
    unneeded: BTreeSet<String>,
}

impl Folder {
    /// Files go to `path`, numbered from `first` on (after a restart: above all numbers in use).
    pub fn new(path: impl Into<PathBuf>, first: u64) -> Self {
        Folder {
            path: path.into(),
            next: AtomicU64::new(first),
            listed: Mutex::default(),
        }
    }

    /// The files of the checkpoint that is durable now. What only the one before it listed and nobody needs is removed.
    pub fn keep_listed(&self, files: BTreeSet<String>) {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.files = files;
        let unneeded = std::mem::take(&mut listed.unneeded);
        let (still_listed, gone) = unneeded
            .into_iter()
            .partition(|name| listed.files.contains(name));
        listed.unneeded = still_listed;
        drop(listed);
        let gone: BTreeSet<String> = gone;
        gone.iter().for_each(|name| self.remove(name));
    }

    /// Where the files are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number the next file gets.
    pub fn next_number(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Whether a file of this name can be one of ours: a kind and a number of six digits or more.
    pub fn is_spilled(name: &str) -> bool {
        let number = name.rsplit_once('-').map_or("", |(_, number)| number);
        number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Writes a new file through `fill`, makes it durable and returns its name.
    pub(super) fn write(
        &self,
        kind: &str,
        fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<String, Error> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{kind}-{number:06}");
        let path = self.path.join(&name);
        let write = || {
            fs::create_dir_all(&self.path)?;
            let mut out = BufWriter::with_capacity(1 << 18, File::create(&path)?);
            fill(&mut out)?;
            out.flush()?;
            out.get_ref().sync_data()
        };
        write().map_err(failed("write", &path))?;
        Ok(name)
    }

    pub(super) fn open(&self, name: &str) -> Result<Opened, Error> {
        let path = self.path.join(name);
        let file = File::open(&path).map_err(failed("read", &path))?;
        Ok(Opened { file, path })
    }

    pub(super) fn remove(&self, name: &str) {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if listed.files.contains(name) {
            listed.unneeded.insert(name.to_string());
            return;
        }
        // A file left behind is removed with the folder when the run ends.
        let _ = fs::remove_file(self.path.join(name));
    }
}

/// A complete spilled file, open for reading at any place.
#[derive(Debug)]
pub(super) struct Opened {
    file: File,
    path: PathBuf,
}

impl Opened {
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        read_exact_at(&self.file, buffer, offset).map_err(failed("read", &self.path))
    }
}

/// For `map_err`.
fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error {
        doing,
        path: path.to_path_buf(),
        source,
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}
