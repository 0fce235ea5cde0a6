//! What a run may replace: nothing but what an earlier run, or its own interrupted try, wrote.
//!
//! A file is known by its place, its size and its hash: those of an earlier result stand in its summary, those of an interrupted
//! try in a journal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lookalike_engine::write_whole;
use lookalike_kernel::rows::Written;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::Xxh3;

use super::results::SUMMARY;
use crate::error::Error;

/// What a run may replace: nothing but what an earlier run, or its own interrupted try, wrote.
#[derive(Debug)]
pub struct Replaceable {
    journal: PathBuf,
    known: Mutex<Known>,
    /// Whatever is there, because the user says so.
    anything: bool,
}

#[derive(Debug, Default)]
struct Known {
    /// By absolute path.
    written: BTreeSet<(String, Written)>,
    /// Cleaned corpora of this run and of earlier ones into the same folder.
    cleaned: BTreeMap<String, Written>,
    /// Annotated inputs of earlier runs into the same folder.
    annotated: BTreeMap<String, Written>,
}

/// What a summary of any version says of files.
#[derive(Default, Deserialize)]
struct Earlier {
    #[serde(default)]
    files: BTreeMap<String, Written>,
    #[serde(default)]
    deduplicated: BTreeMap<String, Written>,
    #[serde(default)]
    annotated: BTreeMap<String, Written>,
}

impl Replaceable {
    /// What a run that writes its result into `out` may replace, and the file that keeps it in mind.
    pub fn new(out: &Path, journal: impl Into<PathBuf>) -> Self {
        let journal = journal.into();
        let mut written: BTreeSet<(String, Written)> = read_json(&journal).unwrap_or_default();
        let earlier: Earlier = read_json(&out.join(SUMMARY)).unwrap_or_default();
        let files = earlier.files.into_iter();
        written.extend(files.map(|(name, file)| (place(&out.join(name)), file)));
        let mut cleaned = earlier.deduplicated;
        let mut annotated = earlier.annotated;
        for earlier in [&mut cleaned, &mut annotated] {
            earlier.retain(|path, _| Path::new(path).exists());
            written.extend(earlier.clone());
        }
        let known = Mutex::new(Known {
            written,
            cleaned,
            annotated,
        });
        Replaceable {
            journal,
            known,
            anything: false,
        }
    }

    /// Any file may be replaced.
    #[must_use]
    pub fn with_anything(mut self) -> Self {
        self.anything = true;
        self
    }

    /// Whether there is nothing at `path`, or a file that we wrote.
    pub(super) fn allows(&self, path: &Path) -> bool {
        match fs::symlink_metadata(path) {
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(found) if !found.is_file() => false,
            Ok(_) if self.anything => true,
            Ok(found) => {
                let (place, written) = (place(path), &self.known().written);
                let mut here = written.iter().filter(|(other, _)| *other == place);
                here.any(|(_, written)| {
                    written.bytes == found.len()
                        && written_file(path).is_ok_and(|found| found == *written)
                })
            }
        }
    }

    /// Notes, for good, what is about to be put in its place.
    pub(super) fn note(
        &self,
        files: impl IntoIterator<Item = (PathBuf, Written)>,
    ) -> Result<(), Error> {
        let mut known = self.known();
        let files = files.into_iter();
        known
            .written
            .extend(files.map(|(path, file)| (place(&path), file)));
        let write = |out: &mut BufWriter<File>| Ok(serde_json::to_writer(out, &known.written)?);
        if let Some(folder) = self.journal.parent() {
            fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
        }
        write_whole(&self.journal, write).map_err(Error::file("write", &self.journal))
    }

    /// Notes the cleaned corpus the same way, for the summary.
    pub(super) fn note_cleaned(&self, path: &Path, cleaned: Written) -> Result<(), Error> {
        let mut known = self.known();
        known.cleaned.insert(place(path), cleaned.clone());
        drop(known);
        self.note([(path.to_path_buf(), cleaned)])
    }

    pub(super) fn cleaned(&self) -> BTreeMap<String, Written> {
        self.known().cleaned.clone()
    }

    pub(super) fn annotated(&self) -> BTreeMap<String, Written> {
        self.known().annotated.clone()
    }

    /// A file in the same folder as the journal, which goes with the run.
    pub(super) fn beside_journal(&self, name: &str) -> PathBuf {
        self.journal.with_file_name(name)
    }

    /// Once the result is complete.
    pub(super) fn forget(&self) {
        let _ = fs::remove_file(&self.journal);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a file is known by beside its content.
pub(super) fn place(path: &Path) -> String {
    let absolute = std::path::absolute(path);
    absolute.as_deref().unwrap_or(path).display().to_string()
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// The size and the hash of what a file holds.
pub(crate) fn written_file(path: &Path) -> io::Result<Written> {
    let mut hashed = Hashed::default();
    io::copy(&mut File::open(path)?, &mut hashed)?;
    Ok(hashed.written())
}

/// Takes the size and hash of what is written to it.
#[derive(Default)]
pub(super) struct Hashed {
    hash: Xxh3,
    bytes: u64,
}

impl Hashed {
    pub(super) fn written(&self) -> Written {
        Written {
            bytes: self.bytes,
            xxh3_128: format!("{:032x}", self.hash.digest128()),
        }
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
