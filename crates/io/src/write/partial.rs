//! Output that appears whole or not at all: written beside its destination under a hidden name, then renamed.
//!
//! What is there already is replaced only if we wrote it: a file whose hash is known, a folder of nothing but the files
//! that its mark lists. A device or pipe is written to at the end.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use lookalike_engine::{sync_folder, try_lock};
use lookalike_kernel::rows::Written;

use super::encoder::create_file;
use super::output_file::{is_stream, open_stream};
use super::replaceable::{Replaceable, written_file};
use crate::error::Error;
use crate::format::Format;

/// Lies in every folder this program wrote, and lists the files it wrote there.
const MARK: &str = ".lookalike-cleaned";

/// Whether a folder holds a cleaned corpus, and so what a run wrote.
pub fn is_cleaned(folder: &Path) -> bool {
    folder.join(MARK).is_file()
}

/// A file or folder that is not yet in its place. Dropped before it is complete, it is removed.
pub(super) struct Partial<'r> {
    path: PathBuf,
    destination: PathBuf,
    kind: Kind,
    replaceable: &'r Replaceable,
    /// Held while this process writes; none for a stream.
    lock: Option<(File, PathBuf)>,
    complete: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Stream,
}

impl<'r> Partial<'r> {
    /// For a file, which the caller makes.
    pub(super) fn file(destination: &Path, replaceable: &'r Replaceable) -> Result<Self, Error> {
        if is_stream(destination) {
            return Ok(Partial {
                path: replaceable.beside_journal("cleaned"),
                destination: destination.to_owned(),
                kind: Kind::Stream,
                replaceable,
                lock: None,
                complete: false,
            });
        }
        let partial = Self::beside(destination, Kind::File, replaceable)?;
        // What cannot be made is known before the work.
        create_file(&partial.path)?;
        remove(&partial.path);
        Ok(partial)
    }

    /// For a folder, which is made empty.
    pub(super) fn folder(destination: &Path, replaceable: &'r Replaceable) -> Result<Self, Error> {
        let cause = match fs::symlink_metadata(destination) {
            Ok(found) if found.is_symlink() => "it is a link; name the folder itself",
            Ok(found) if !found.is_dir() => {
                "it is a file, but several inputs need a folder; name a new folder, with a / at its end if there may be a single input at times"
            }
            // The name of a file would be a slip: a glob without quotes, say.
            Err(_) if Format::of_path(destination).is_some() => {
                "several inputs are written to a folder, and this is the name of a file; name a folder, or one input"
            }
            _ => "",
        };
        if !cause.is_empty() {
            return Err(Error::output(destination, cause));
        }
        let partial = Self::beside(destination, Kind::Folder, replaceable)?;
        fs::create_dir(&partial.path).map_err(Error::file("create", &partial.path))?;
        Ok(partial)
    }

    fn beside(destination: &Path, kind: Kind, replaceable: &'r Replaceable) -> Result<Self, Error> {
        let lock_path = hidden(destination, "lock")?;
        if let Some(folder) = lock_path.parent().filter(|folder| *folder != Path::new("")) {
            fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
        }
        let lock = try_lock(&lock_path).map_err(Error::file("write", destination))?;
        let Some(lock) = lock else {
            let cause = "another run is writing it; wait for it or choose another name";
            return Err(Error::output(destination, cause));
        };
        let partial = Partial {
            path: hidden(destination, "partial")?,
            destination: destination.to_owned(),
            kind,
            replaceable,
            lock: Some((lock, lock_path)),
            complete: false,
        };
        partial.check_replaceable()?;
        // Of a run that was killed.
        remove(&partial.path);
        Ok(partial)
    }

    /// Where to write.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the output in its place, and what was there out of it.
    pub(super) fn complete(mut self) -> Result<(), Error> {
        match self.kind {
            Kind::Stream => {
                let write = || {
                    let mut from = File::open(&self.path)?;
                    let mut to = open_stream(&self.destination)?;
                    io::copy(&mut from, &mut to)?;
                    to.flush()
                };
                // Removed when it is dropped.
                return write().map_err(Error::file("write", &self.destination));
            }
            Kind::File => {
                let written = written_file(&self.path).map_err(Error::file("read", &self.path))?;
                self.replaceable.note_cleaned(&self.destination, written)?;
                self.check_replaceable()?;
            }
            Kind::Folder => {
                let mut files = BTreeMap::new();
                self.list(&self.path, &self.path, &mut files)?;
                let mark = self.path.join(MARK);
                let listed = serde_json::to_vec_pretty(&files).map_err(io::Error::from);
                let written = listed.and_then(|listed| fs::write(&mark, listed));
                written.map_err(Error::file("write", &mark))?;
                self.check_replaceable()?;
                let replaced = hidden(&self.destination, "replaced")?;
                remove(&replaced);
                // A file replaces a file in one step; a folder cannot.
                if self.destination.exists() {
                    fs::rename(&self.destination, &replaced)
                        .map_err(Error::file("replace", &self.destination))?;
                }
            }
        }
        let renamed = fs::rename(&self.path, &self.destination);
        if renamed.is_err() && self.kind == Kind::Folder {
            // What was there comes back.
            let _ = fs::rename(hidden(&self.destination, "replaced")?, &self.destination);
        }
        let folder = self.destination.parent().unwrap_or(Path::new(""));
        renamed
            .and_then(|()| sync_folder(folder))
            .map_err(Error::file("write", &self.destination))?;
        self.complete = true;
        if self.kind == Kind::Folder {
            remove(&hidden(&self.destination, "replaced")?);
        }
        Ok(())
    }

    /// Ends with an error if what is at the destination was not written by us.
    fn check_replaceable(&self) -> Result<(), Error> {
        let destination = &self.destination;
        if self.kind == Kind::File {
            if self.replaceable.allows(destination) {
                return Ok(());
            }
            let cause = "it already exists and was not written by the run whose result is being replaced; \
                         choose another name, move it away, or replace it with `force=true`";
            return Err(Error::output(destination, cause));
        }
        if !destination.exists() {
            return Ok(());
        }
        let mut files = BTreeMap::new();
        self.list(destination, destination, &mut files)?;
        let mark = fs::read(destination.join(MARK)).unwrap_or_default();
        let known: BTreeMap<String, Written> = serde_json::from_slice(&mark).unwrap_or_default();
        match files
            .iter()
            .find(|(name, file)| known.get(*name) != Some(file))
        {
            Some((name, _)) => {
                let cause = format!(
                    "the folder exists and holds {name}, which is not from an earlier run; name a new one"
                );
                Err(Error::output(destination, cause))
            }
            None => Ok(()),
        }
    }

    /// Lists what is in a folder by its name in `root`, the mark aside.
    fn list(
        &self,
        root: &Path,
        folder: &Path,
        files: &mut BTreeMap<String, Written>,
    ) -> Result<(), Error> {
        for entry in fs::read_dir(folder).map_err(Error::file("read", folder))? {
            let path = entry.map_err(Error::file("read", folder))?.path();
            let name = path
                .strip_prefix(root)
                .unwrap_or(&path)
                .display()
                .to_string();
            let found = fs::symlink_metadata(&path).map_err(Error::file("read", &path))?;
            if found.is_dir() {
                self.list(root, &path, files)?;
            } else if !found.is_file() {
                // A link or device, which we never write.
                let nothing = Written {
                    bytes: 0,
                    xxh3_128: String::new(),
                };
                files.insert(name, nothing);
            } else if name != MARK {
                let written = written_file(&path).map_err(Error::file("read", &path))?;
                files.insert(name, written);
            }
        }
        Ok(())
    }
}

impl Drop for Partial<'_> {
    fn drop(&mut self) {
        if !self.complete {
            remove(&self.path);
        }
        if let Some((lock, path)) = self.lock.take() {
            // While it is still held: nobody else's lock is removed.
            remove(&path);
            drop(lock);
        }
    }
}

/// `.lookalike-partial-clean.jsonl.gz` for `clean.jsonl.gz`: hidden, with the endings that say what is in it.
fn hidden(destination: &Path, state: &str) -> Result<PathBuf, Error> {
    let Some(name) = destination.file_name() else {
        let cause = "it is not the name of a file or folder";
        return Err(Error::output(destination, cause));
    };
    let mut hidden = OsString::from(format!(".lookalike-{state}-"));
    hidden.push(name);
    Ok(destination.with_file_name(hidden))
}

/// Removes a file or folder if it is there. What cannot be removed shows itself when it is written.
fn remove(path: &Path) {
    let _ = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        _ => fs::remove_file(path),
    };
}
