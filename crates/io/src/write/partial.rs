//! Output that appears whole or not at all: written beside its destination under a hidden name, then renamed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::encoder::create_file;
use crate::error::Error;

/// Lies in every folder this program wrote, which it may therefore replace.
const MARK: &str = ".lookalike-cleaned";

/// A file or folder that is not yet in its place. Dropped before it is complete, it is removed.
pub(super) struct Partial {
    path: PathBuf,
    destination: PathBuf,
    is_folder: bool,
    complete: bool,
}

impl Partial {
    /// For a file, which the caller makes.
    pub(super) fn file(destination: &Path) -> Result<Partial, Error> {
        let partial = Self::beside(destination, false)?;
        // What cannot be made is known before the work.
        create_file(&partial.path)?;
        remove(&partial.path);
        Ok(partial)
    }

    /// For a folder, which is made empty.
    pub(super) fn folder(destination: &Path) -> Result<Partial, Error> {
        if let Ok(mut entries) = fs::read_dir(destination) {
            if entries.next().is_some() && !destination.join(MARK).exists() {
                let cause = "the folder exists and holds other files; name a new one";
                return Err(Error::output(destination, cause));
            }
        } else if destination.exists() {
            let cause = "it is a file, but several inputs need a folder; name a new folder";
            return Err(Error::output(destination, cause));
        }
        let partial = Self::beside(destination, true)?;
        fs::create_dir(&partial.path).map_err(Error::file("create", &partial.path))?;
        let mark = partial.path.join(MARK);
        File::create(&mark).map_err(Error::file("create", &mark))?;
        Ok(partial)
    }

    fn beside(destination: &Path, is_folder: bool) -> Result<Partial, Error> {
        let path = hidden(destination, "partial")?;
        // Of a run that was killed.
        remove(&path);
        Ok(Partial {
            path,
            destination: destination.to_owned(),
            is_folder,
            complete: false,
        })
    }

    /// Where to write.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the output in its place, and what was there out of it.
    pub(super) fn complete(mut self) -> Result<(), Error> {
        let replaced = hidden(&self.destination, "replaced")?;
        remove(&replaced);
        // A file replaces a file in one step; a folder cannot.
        if self.is_folder && self.destination.exists() {
            fs::rename(&self.destination, &replaced)
                .map_err(Error::file("replace", &self.destination))?;
        }
        if self.is_folder || self.path.exists() {
            fs::rename(&self.path, &self.destination)
                .map_err(Error::file("write", &self.destination))?;
        }
        self.complete = true;
        remove(&replaced);
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.complete {
            remove(&self.path);
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
    let _ = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
}
