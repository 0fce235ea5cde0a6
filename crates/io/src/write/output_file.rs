//! Where a command may write: the one check that every output path passes before the work.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use lookalike_engine::write_whole;

use crate::error::Error;

/// So much of a file shows what it is.
const BEGINNING: u64 = 4096;

/// A file that a command writes beside a result.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    is_stream: bool,
}

impl OutputFile {
    /// A file that may be replaced if `is_ours` says so of its beginning, or a device or pipe, which is written to.
    ///
    /// # Errors
    /// If it is one of the files that are `read`, or was not written by this command.
    pub fn new<'p>(
        path: &Path,
        read: impl IntoIterator<Item = &'p Path>,
        is_ours: impl FnOnce(&str) -> bool,
    ) -> Result<Self, Error> {
        check_output(path, read)?;
        let is_stream = is_stream(path);
        if !is_stream && fs::symlink_metadata(path).is_ok() {
            let mut beginning = Vec::new();
            let mut open = || {
                File::open(path)?
                    .take(BEGINNING)
                    .read_to_end(&mut beginning)
            };
            let is_empty = open().map_err(Error::file("read", path))? == 0;
            if !is_empty && !is_ours(&String::from_utf8_lossy(&beginning)) {
                let cause = "it holds something else; move it away or name another file";
                return Err(Error::output(path, cause));
            }
        }
        Ok(OutputFile {
            path: path.to_path_buf(),
            is_stream,
        })
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a device or a pipe.
    pub(super) fn is_stream(&self) -> bool {
        self.is_stream
    }

    /// Writes it: a file whole, or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        let written = if self.is_stream {
            open_stream(&self.path).and_then(|mut stream| fill(&mut stream))
        } else {
            write_whole(&self.path, |out| fill(out))
        };
        written.map_err(|error| Error::output(&self.path, format!("{error}; name another file")))
    }
}

/// Ends with an error if `path` is or holds one of the files that are read, or lies where a run keeps its own.
pub(crate) fn check_output<'p>(
    path: &Path,
    read: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Error> {
    let is_work = |path: &Path| {
        path.components()
            .any(|part| part.as_os_str() == ".lookalike")
    };
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    if is_work(path) || folder.is_some_and(|folder| is_work(&folder)) {
        let cause = "a folder called .lookalike is where a run keeps its own files; name another";
        return Err(Error::output(path, cause));
    }
    if fs::metadata(path).is_ok_and(|found| is_block_device(&found)) {
        return Err(Error::output(path, "it is a disk; name a file"));
    }
    let Ok(existing) = path.canonicalize() else {
        return Ok(());
    };
    let found = fs::metadata(&existing).ok();
    let is_it = |file: &Path| {
        let is_below = |file: PathBuf| file.starts_with(&existing);
        file.canonicalize().is_ok_and(is_below) || is_same_file(found.as_ref(), file)
    };
    match read.into_iter().find(|file| is_it(file)) {
        Some(file) if file == path => Err(Error::output(
            path,
            "it is also an input; choose another name",
        )),
        Some(file) => {
            let cause = format!(
                "it is, or contains, {}, which is an input; choose another name",
                file.display()
            );
            Err(Error::output(path, cause))
        }
        None => Ok(()),
    }
}

/// Whether something is written to and never replaced: a device, a pipe, an open file of a process.
pub(crate) fn is_stream(path: &Path) -> bool {
    // What is in memory alone is a file like any other.
    let is_of_system = |path: PathBuf| {
        path.starts_with("/proc") || path.starts_with("/dev") && !path.starts_with("/dev/shm")
    };
    path == Path::new("-")
        || cfg!(unix) && std::path::absolute(path).is_ok_and(is_of_system)
        || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether a path names standard output.
pub fn is_standard_output(path: &Path) -> bool {
    let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| path == Path::new(name))
}

/// Opens what is written to and not replaced.
pub(crate) fn open_stream(path: &Path) -> io::Result<Box<dyn Write>> {
    if is_standard_output(path) {
        return Ok(Box::new(UntilClosed {
            out: io::stdout(),
            is_closed: false,
        }));
    }
    Ok(Box::new(File::options().append(true).open(path)?))
}

/// Standard output, or what takes its place. A reader that closes it has what it wanted, as `head` has: the rest is dropped.
struct UntilClosed<W> {
    out: W,
    is_closed: bool,
}

impl<W> UntilClosed<W> {
    /// What was done, or this instead where nobody reads any more.
    fn unless_closed<T>(&mut self, done: io::Result<T>, instead: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(instead)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.unless_closed(flushed, ())
    }
}

/// Whether a file goes by another name, too: a hard link.
#[cfg(unix)]
fn is_same_file(one: Option<&fs::Metadata>, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let has_names = |found: &&fs::Metadata| found.is_file() && found.nlink() > 1;
    one.filter(has_names).is_some_and(|one| {
        let is_it = |other: fs::Metadata| (one.dev(), one.ino()) == (other.dev(), other.ino());
        fs::metadata(other).is_ok_and(is_it)
    })
}

#[cfg(not(unix))]
fn is_same_file(_: Option<&fs::Metadata>, _: &Path) -> bool {
    false
}

#[cfg(unix)]
fn is_block_device(found: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_block_device(&found.file_type())
}

#[cfg(not(unix))]
fn is_block_device(_: &fs::Metadata) -> bool {
    false
}
