//! The folder that spilled files go to.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::Xxh3;

const CONTINUE: &str = "continue with";

/// A spilled file could not be written or read back.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {path}: {source}")]
#[non_exhaustive]
pub struct Error {
    /// What was tried.
    pub doing: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The system's reason.
    pub source: io::Error,
}

impl Error {
    fn new(doing: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Error {
            doing,
            path: path.into(),
            source,
        }
    }

    /// Whether a file of a checkpoint is gone or does not hold what was written.
    pub fn is_of_checkpoint(&self) -> bool {
        self.doing == CONTINUE
    }
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
        let (kind, number) = name.rsplit_once('-').unwrap_or_default();
        number.len() >= 6
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && kind
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    }

    /// Makes a new file through `fill`, durable.
    pub(super) fn write(
        &self,
        kind: &str,
        fill: impl FnOnce(&mut Hashed<BufWriter<&File>>) -> io::Result<()>,
    ) -> Result<Opened, Error> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{kind}-{number:06}");
        let path = self.path.join(&name);
        let write = || {
            fs::create_dir_all(&self.path)?;
            // Of a run that was killed; or a link that somebody put there, which is not to be followed.
            let _ = fs::remove_file(&path);
            let options = File::options()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&path);
            let file = options?;
            let mut out = Hashed {
                inner: BufWriter::with_capacity(1 << 18, &file),
                hash: Xxh3::new(),
            };
            fill(&mut out)?;
            out.flush()?;
            let hash = out.hash.clone();
            drop(out);
            file.sync_data()?;
            Ok((file, hash))
        };
        match write() {
            Ok((file, hash)) => Ok(Opened {
                name,
                reading: Reading { file, path },
                hash,
            }),
            Err(source) => Err(Error::new("write", path, source)),
        }
    }

    /// Opens a file for reading.
    pub(super) fn read(&self, name: &str) -> Result<Reading, Error> {
        let path = self.path.join(name);
        match File::open(&path) {
            Ok(file) => Ok(Reading { file, path }),
            Err(source) => Err(Error::new("read", path, source)),
        }
    }

    /// Opens a file that a checkpoint lists with a length and a hash; what follows that length is of no checkpoint.
    ///
    /// # Errors
    /// [`Error::is_of_checkpoint`] if it does not hold what was written.
    pub(super) fn open_saved(&self, name: &str, bytes: u64, hash: u64) -> Result<Opened, Error> {
        let path = self.path.join(name);
        let open = || {
            let file = File::options().read(true).write(true).open(&path)?;
            let mut read = Hashed {
                inner: io::sink(),
                hash: Xxh3::new(),
            };
            let copied = io::copy(&mut (&file).take(bytes), &mut read)?;
            if (copied, read.hash.digest()) != (bytes, hash) {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "it is not what was written there",
                ));
            }
            Ok((file, read.hash))
        };
        match open() {
            Ok((file, hash)) => Ok(Opened {
                name: name.to_string(),
                reading: Reading { file, path },
                hash,
            }),
            Err(source) => Err(Error::new(CONTINUE, path, source)),
        }
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

/// Passes bytes on and takes their hash.
pub(super) struct Hashed<W> {
    inner: W,
    hash: Xxh3,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A spilled file that can grow.
pub(super) struct Opened {
    pub(super) name: String,
    reading: Reading,
    /// Of all that was written.
    hash: Xxh3,
}

impl Opened {
    pub(super) fn hash(&self) -> u64 {
        self.hash.digest()
    }

    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        self.reading.read_at(buffer, offset)
    }

    /// Writes what follows the first `offset` bytes, all there were until now, and makes it durable.
    pub(super) fn append(&mut self, bytes: &[u8], offset: u64) -> Result<(), Error> {
        let Reading { file, path } = &self.reading;
        let written = write_all_at(file, bytes, offset).and_then(|()| file.sync_data());
        written.map_err(|source| Error::new("write", path, source))?;
        self.hash.update(bytes);
        Ok(())
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reading.fmt(to)
    }
}

/// A spilled file, open for reading at any place.
#[derive(Debug)]
pub(super) struct Reading {
    file: File,
    path: PathBuf,
}

impl Reading {
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        read_exact_at(&self.file, buffer, offset)
            .map_err(|source| Error::new("read", &self.path, source))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
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
