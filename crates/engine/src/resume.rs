//! What survives a killed run: the manifest in the output folder and the spilled files it lists.
//!
//! The manifest is replaced as a whole, after the files it lists are durable; files it does not list are left-overs. It
//! has a checksum, and the lengths and hashes of the files: damage is found before a run continues from it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lookalike_kernel::Searched;
use lookalike_pair::spill::{Folder, SavedFiles, Spill};
use lookalike_text::Seed;
use lookalike_text::hash::hash64;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Error;
use crate::observe::Observer;
use crate::stages::{Candidates, Counts, Signed, VerifiedCounts};
use crate::whole::{sync_folder, write_whole};
use crate::workspace::{Folders, names};

/// What a stage leaves to the next one, and a checkpoint keeps.
pub(crate) trait Checkpointed: Sized {
    /// What is known beside the files.
    type State: Clone + Serialize + DeserializeOwned;

    /// What it consists of, always in the same order.
    fn parts(&mut self) -> (Vec<&mut dyn Spill>, &mut Self::State);

    /// Writes what is held to disk, for a manifest.
    fn save(&mut self) -> Result<Saved<Self::State>, Error> {
        let (spilled, state) = self.parts();
        let files = spilled.into_iter().map(Spill::save);
        Ok(Saved {
            files: files.collect::<Result<_, _>>()?,
            state: state.clone(),
        })
    }

    /// Takes up what a manifest has, in place of nothing.
    fn restore(mut self, saved: Saved<Self::State>) -> Result<Self, Error> {
        let (spilled, state) = self.parts();
        if spilled.len() != saved.files.len() {
            return Err(Error::Damaged {
                path: Folders::MANIFEST.into(),
                reason: "it is of another version".to_string(),
            });
        }
        for (spilled, files) in spilled.into_iter().zip(saved.files) {
            spilled.restore(files)?;
        }
        *state = saved.state;
        Ok(self)
    }
}

/// What a checkpoint keeps of a stage.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Saved<S> {
    files: Vec<SavedFiles>,
    state: S,
}

impl<S> Saved<S> {
    fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(SavedFiles::names)
    }
}

/// How far a run has come. What a stage needs is what the one before it left.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) fingerprint: String,
    pub(crate) folder: PathBuf,
    next_file: u64,
    /// Differs once records may have changed since they were read.
    pub(crate) touched: Option<u64>,
    /// Reading and signing, perhaps not to the end.
    pub(crate) signed: Option<Saved<Counts>>,
    pub(crate) candidates: Option<Saved<Searched>>,
    /// With how many blocks are done.
    pub(crate) described: Option<Saved<usize>>,
    pub(crate) verified: Option<Saved<VerifiedCounts>>,
    /// With how many pairs were compared.
    pub(crate) located: Option<Saved<u64>>,
}

/// A manifest with its checksum.
#[derive(Serialize, Deserialize)]
struct Sealed<'m> {
    #[serde(borrow)]
    manifest: &'m RawValue,
    checksum: u64,
}

fn checksum(manifest: &RawValue) -> u64 {
    hash64(manifest.get().as_bytes(), Seed(0))
}

impl Manifest {
    /// Reads a manifest; none if there is none.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Error> {
        let damaged = |reason: String| Error::Damaged {
            path: path.to_path_buf(),
            reason,
        };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(damaged(error.to_string())),
        };
        let unlike = || damaged("it is not what was written there".to_string());
        let sealed: Sealed<'_> = serde_json::from_slice(&bytes).map_err(|_| unlike())?;
        if checksum(sealed.manifest) != sealed.checksum {
            return Err(unlike());
        }
        let read: Self = serde_json::from_str(sealed.manifest.get())
            .map_err(|_| damaged("it is of another version".to_string()))?;
        if !read.files().into_iter().all(Folder::is_spilled) {
            return Err(unlike());
        }
        Ok(Some(read))
    }

    fn files(&self) -> BTreeSet<&str> {
        let mut files = BTreeSet::new();
        files.extend(self.signed.iter().flat_map(Saved::files));
        files.extend(self.candidates.iter().flat_map(Saved::files));
        files.extend(self.described.iter().flat_map(Saved::files));
        files.extend(self.verified.iter().flat_map(Saved::files));
        files.extend(self.located.iter().flat_map(Saved::files));
        files
    }
}

/// The folder of a run in progress.
pub(crate) struct Work<'r> {
    observer: &'r dyn Observer,
    folders: Folders,
    pub(crate) folder: Arc<Folder>,
    pub(crate) manifest: Manifest,
    last_checkpoint: Instant,
    every: Duration,
}

impl<'r> Work<'r> {
    /// Begins a run, or continues it.
    pub(crate) fn begin(
        folders: Folders,
        manifest: Manifest,
        every: Duration,
        observer: &'r dyn Observer,
    ) -> Result<Self, Error> {
        let mut work = Work {
            observer,
            folder: Arc::new(Folder::new(&manifest.folder, manifest.next_file)),
            folders,
            manifest,
            last_checkpoint: Instant::now(),
            every,
        };
        work.remove_leftovers();
        work.save_manifest()?;
        Ok(work)
    }

    /// Whether enough time has passed since the last checkpoint for another to be worth its cost, or the run is to end.
    pub(crate) fn is_due(&self) -> bool {
        self.last_checkpoint.elapsed() >= self.every || self.observer.is_stopped()
    }

    /// Makes the manifest as it is now the one to continue from. Ends with an error if the run is to end.
    pub(crate) fn checkpoint(&mut self) -> Result<(), Error> {
        self.save_manifest()?;
        go_on(self.observer)
    }

    /// Puts what was read and joined into the manifest: a checkpoint needs both.
    pub(crate) fn save_joined(
        &mut self,
        signed: &mut Signed,
        candidates: &mut Candidates,
    ) -> Result<(), Error> {
        self.manifest.signed = Some(signed.save()?);
        self.manifest.candidates = Some(candidates.save()?);
        Ok(())
    }

    fn save_manifest(&mut self) -> Result<(), Error> {
        self.manifest.next_file = self.folder.next_number();
        let path = self.folders.manifest();
        let manifest = serde_json::value::to_raw_value(&self.manifest).map_err(Error::internal)?;
        let sealed = Sealed {
            checksum: checksum(&manifest),
            manifest: &manifest,
        };
        let bytes = serde_json::to_vec(&sealed).map_err(Error::internal)?;
        let files = self.manifest.files().into_iter().map(str::to_string);
        let files: BTreeSet<String> = files.collect();
        if !files.is_empty() {
            let folder = &self.manifest.folder;
            sync_folder(folder).map_err(Error::output("write into", folder))?;
        }
        write_whole(&path, |out| out.write_all(&bytes)).map_err(Error::output("write", &path))?;
        self.folder.keep_listed(files);
        self.last_checkpoint = Instant::now();
        Ok(())
    }

    /// Removes everything but the results.
    pub(crate) fn finish(self) {
        self.folders.remove(true);
    }

    /// After an error: a checkpoint stays for the next try, unless that would end the same way; anything else goes. Returns
    /// the error as it is to be told.
    pub(crate) fn abandon(self, error: Error) -> Error {
        let is_final = matches!(
            error,
            Error::DuplicateId { .. }
                | Error::Changed { .. }
                | Error::MostRejected { .. }
                | Error::NothingToRankBy { .. }
        );
        let is_saved = self.manifest.signed.is_some();
        if !is_saved || is_final {
            self.folders.remove(false);
        }
        match error {
            Error::Stopped if !is_saved => Error::StoppedAtOnce,
            error => error,
        }
    }

    fn remove_leftovers(&self) {
        let (folder, listed) = (&self.manifest.folder, self.manifest.files());
        for name in names(folder) {
            let name = name.to_str().unwrap_or_default();
            if Folder::is_spilled(name) && !listed.contains(name) {
                let _ = fs::remove_file(folder.join(name));
            }
        }
    }
}

/// Ends with an error if the run is to end.
pub(crate) fn go_on(observer: &dyn Observer) -> Result<(), Error> {
    if observer.is_stopped() {
        return Err(Error::Stopped);
    }
    Ok(())
}
