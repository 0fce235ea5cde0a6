//! What survives a killed run: the manifest in the output folder and the spilled files it lists.
//!
//! While a run works, `OUT/.lookalike/` holds a lock, the manifest, and (unless `--work-dir` says otherwise) the
//! spilled files. The manifest is replaced as a whole, after the files it lists are durable; files it does not list
//! are left-overs. When the run is finished the folder is gone.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use lookalike_kernel::Searched;
use lookalike_pair::spill::{Folder, SavedFiles, Spill};
use lookalike_text::Seed;
use lookalike_text::hash::hash64;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::observe::Observer;
use crate::stages::{Candidates, Counts, Signed, VerifiedCounts};
use crate::whole::{sync_folder, write_whole};

const HIDDEN: &str = ".lookalike";
const MANIFEST: &str = "manifest.json";

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
            return Err(Error::Internal(
                "the unfinished run is of another version; `restart=true` discards it".to_string(),
            ));
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
    fingerprint: String,
    folder: PathBuf,
    next_file: u64,
    /// Reading and signing, perhaps not to the end.
    pub(crate) signed: Option<Saved<Counts>>,
    pub(crate) candidates: Option<Saved<Searched>>,
    /// With how many blocks are done.
    pub(crate) described: Option<Saved<usize>>,
    pub(crate) verified: Option<Saved<VerifiedCounts>>,
    /// With how many pairs were compared.
    pub(crate) located: Option<Saved<u64>>,
}

impl Manifest {
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
    out: PathBuf,
    out_was_there: bool,
    /// Where standard input is copied to and formats are converted: not the folder of the spilled files where a run
    /// continues with another `--work-dir`.
    spool: PathBuf,
    pub(crate) folder: Arc<Folder>,
    pub(crate) manifest: Manifest,
    last_checkpoint: Instant,
    every: Duration,
    _lock: Option<File>,
}

/// What the folders of a run are to be.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WorkOptions {
    /// The folder of the results, in which a hidden one holds the work.
    pub out: PathBuf,
    /// The folder for temporary files; by default in `out`.
    pub work_dir: Option<PathBuf>,
    /// Discard an unfinished run in `out`.
    pub restart: bool,
    /// How much work a crash may cost.
    pub checkpoint_every: Duration,
}

impl WorkOptions {
    /// All in this folder.
    pub fn new(out: impl Into<PathBuf>) -> Self {
        WorkOptions {
            out: out.into(),
            work_dir: None,
            restart: false,
            checkpoint_every: Duration::from_secs(30),
        }
    }
}

/// A folder claimed for one run before anything is written into it. Dropped before the run begins, it leaves the folder
/// as it was found.
#[derive(Debug)]
pub struct Workspace {
    options: WorkOptions,
    out_was_there: bool,
    /// What was in the spill folder: of an unfinished run, if it has its files there.
    spilled_before: BTreeSet<OsString>,
    /// None once the run has begun.
    lock: Option<File>,
}

impl Workspace {
    /// Claims the folder.
    ///
    /// # Errors
    /// If another run works in it.
    pub fn claim(options: &WorkOptions) -> Result<Self, Error> {
        let hidden = options.out.join(HIDDEN);
        let out_was_there = options.out.is_dir();
        let lock = lock(&hidden, &options.out)?;
        let workspace = Workspace {
            options: options.clone(),
            out_was_there,
            spilled_before: names(&spill_folder(options)),
            lock: Some(lock),
        };
        if options.restart {
            // Before standard input is copied into the folder.
            if let Some(found) = read_manifest(&hidden.join(MANIFEST)) {
                discard(&found, &hidden);
            }
        }
        Ok(workspace)
    }

    /// Where a source may keep what it needs to be read again, such as a copy of standard input.
    pub fn spool(&self) -> PathBuf {
        spill_folder(&self.options)
    }

    /// Where a sink may keep what is not yet in its place; it goes with the run.
    pub fn aside(&self) -> PathBuf {
        self.options.out.join(HIDDEN).join("result")
    }

    /// Whether a folder holds an unfinished run.
    pub fn is_unfinished(out: &Path) -> bool {
        read_manifest(&out.join(HIDDEN).join(MANIFEST)).is_some()
    }

    /// Begins the run, or continues it: `fingerprint` stands for all that decides the result.
    pub(crate) fn begin(
        mut self,
        fingerprint: String,
        observer: &dyn Observer,
    ) -> Result<Work<'_>, Error> {
        let hidden = self.options.out.join(HIDDEN);
        let spool = self.spool();
        let manifest = match read_manifest(&hidden.join(MANIFEST)) {
            Some(found) if found.fingerprint == fingerprint => found,
            Some(_) => {
                let path = self.options.out.clone();
                return Err(Error::Unfinished { path });
            }
            None => Manifest::default(),
        };
        let folder = if manifest.fingerprint.is_empty() {
            spool.clone()
        } else {
            manifest.folder.clone()
        };
        let mut work = Work {
            observer,
            out: self.options.out.clone(),
            out_was_there: self.out_was_there,
            spool,
            folder: Arc::new(Folder::new(&folder, manifest.next_file)),
            manifest: Manifest {
                fingerprint,
                folder,
                ..manifest
            },
            last_checkpoint: Instant::now(),
            every: self.options.checkpoint_every,
            _lock: self.lock.take(),
        };
        work.remove_leftovers();
        work.save_manifest()?;
        Ok(work)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        if self.lock.is_none() {
            return;
        }
        let (out, spill) = (&self.options.out, self.spool());
        if !Self::is_unfinished(out) {
            remove_folder(&spill, &out.join(HIDDEN));
            remove_hidden(out, self.out_was_there);
            return;
        }
        // A run to be continued copies standard input again. Of what was converted, it needs what it made itself.
        let _ = fs::remove_file(spill.join("stdin"));
        for name in names(&spill).difference(&self.spilled_before) {
            let _ = fs::remove_file(spill.join(name));
        }
        // Only if nothing is in it.
        let _ = fs::remove_dir(spill);
    }
}

impl Work<'_> {
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
        let path = self.out.join(HIDDEN).join(MANIFEST);
        let bytes = serde_json::to_vec(&self.manifest).map_err(Error::internal)?;
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
        self.discard();
        remove_hidden(&self.out, true);
    }

    /// After an error: a checkpoint stays for the next try, unless that would end the same way; anything else goes.
    pub(crate) fn abandon(self, error: &Error) {
        let is_final = matches!(error, Error::DuplicateId { .. });
        if self.manifest.signed.is_some() && !is_final {
            return;
        }
        self.discard();
        remove_hidden(&self.out, self.out_was_there);
    }

    fn discard(&self) {
        let hidden = self.out.join(HIDDEN);
        discard(&self.manifest, &hidden);
        remove_folder(&self.spool, &hidden);
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

/// A run may be continued from another directory.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The folder of spilled files is ours alone, so that it can be removed as a whole.
fn spill_folder(options: &WorkOptions) -> PathBuf {
    match &options.work_dir {
        None => absolute(&options.out).join(HIDDEN).join("spill"),
        Some(work_dir) => {
            let out = absolute(&options.out);
            let name = hash64(out.as_os_str().as_encoded_bytes(), Seed(0));
            absolute(work_dir).join(format!("lookalike-{name:016x}"))
        }
    }
}

/// Forgets a run. The manifest goes first: one that lists files which are gone could not be continued.
fn discard(manifest: &Manifest, hidden: &Path) {
    let _ = fs::remove_file(hidden.join(MANIFEST));
    remove_folder(&manifest.folder, hidden);
}

/// The names of all that is in a folder.
fn names(folder: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.flatten().map(|entry| entry.file_name()).collect()
}

fn remove_hidden(out: &Path, out_was_there: bool) {
    let _ = fs::remove_dir_all(out.join(HIDDEN));
    if !out_was_there {
        // Only if it is empty.
        let _ = fs::remove_dir(out);
    }
}

fn remove_folder(spill: &Path, hidden: &Path) {
    let ours = spill.starts_with(absolute(hidden))
        || spill
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("lookalike-"));
    if ours {
        let _ = fs::remove_dir_all(spill);
    }
}

fn lock(hidden: &Path, out: &Path) -> Result<File, Error> {
    let path = hidden.join("lock");
    // A process that was killed a moment ago may still hold it.
    const TRIES: u32 = 20;
    for _ in 0..TRIES {
        fs::create_dir_all(hidden).map_err(Error::output("create", hidden))?;
        let file = File::create(&path).map_err(Error::output("create", &path))?;
        match file.try_lock() {
            Ok(()) if is_at(&file, &path) => return Ok(file),
            // A run that ended just now took the folder away with it.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(50)),
            Err(TryLockError::Error(error)) => return Err(Error::output("lock", path)(error)),
        }
    }
    Err(Error::Busy {
        path: out.to_path_buf(),
    })
}

/// Whether an open file is still what is found under its name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |data: fs::Metadata| (data.dev(), data.ino());
    let opened = file.metadata().map(place).ok();
    opened.is_some() && opened == fs::metadata(path).map(place).ok()
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// A manifest that cannot be read, or whose files are gone, is as good as none: the run begins again.
fn read_manifest(path: &Path) -> Option<Manifest> {
    let manifest: Manifest = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let is_there = |file: &&str| manifest.folder.join(file).is_file();
    manifest.files().iter().all(is_there).then_some(manifest)
}
