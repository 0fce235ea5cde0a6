//! The folders of a run: claimed by one process, and removed only where they bear our mark.
//!
//! While a run works, `OUT/.lookalike/` holds the lock, the manifest, what is not yet in its place, and the spilled files
//! unless another folder for them is named. In that one they have a folder of their own with a name that cannot be
//! foreseen. When the run is finished both are gone. A folder that others made is neither used nor removed, and links are
//! not followed.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::Error;
use crate::lock::try_lock;
use crate::observe::Observer;
use crate::resume::{Manifest, Work};
use crate::whole::{drawn_number, write_whole};

const HIDDEN: &str = ".lookalike";
/// Lies in every folder that a run may remove.
const LOCK: &str = "lock";
/// Names the folder of the spilled files where that is not in the hidden one.
const ELSEWHERE: &str = "elsewhere";
/// What a sink keeps in mind of a try that did not come to its end.
const JOURNAL: &str = "replaceable.json";
/// What the lock of a folder that a run made begins with.
const MARK: &str = "lookalike works here for ";

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
    /// None once the run has begun.
    folders: Option<Folders>,
    /// Of the run to be continued, if there is one.
    manifest: Option<Manifest>,
    /// What was in the folder of the spilled files, of a run to be continued.
    spilled_before: BTreeSet<OsString>,
    every: Duration,
    /// The folder of the spilled files, and of the results that are not yet in their place.
    spill: PathBuf,
    aside: PathBuf,
    journal: PathBuf,
}

impl Workspace {
    /// Claims the folder.
    ///
    /// # Errors
    /// If another run works in it, if it holds what is not ours, or an unfinished run that is damaged.
    pub fn claim(options: &WorkOptions) -> Result<Self, Error> {
        let mut folders = Folders::claim(&options.out)?;
        let found = folders.find_manifest();
        let manifest = if options.restart {
            // Before standard input is copied into the folder.
            let _ = fs::remove_file(folders.manifest());
            folders.remove_spill(&folders.spill);
            None
        } else {
            found?
        };
        if manifest.is_none() {
            folders.remove_elsewhere();
        }
        match (&manifest, &options.work_dir) {
            // A run stays where it began.
            (Some(found), _) => folders.spill.clone_from(&found.folder),
            (None, Some(work_dir)) => {
                folders.spill = folders.make_elsewhere(&absolute(work_dir))?;
            }
            (None, None) => {}
        }
        Ok(Workspace {
            spilled_before: names(&folders.spill),
            spill: folders.spill.clone(),
            aside: folders.hidden.join("result"),
            journal: folders.hidden.join(JOURNAL),
            folders: Some(folders),
            manifest,
            every: options.checkpoint_every,
        })
    }

    /// Where a source may keep what it needs to be read again, such as a copy of standard input.
    pub fn spool(&self) -> PathBuf {
        self.spill.clone()
    }

    /// Where a sink may keep what is not yet in its place; it goes with the run.
    pub fn aside(&self) -> PathBuf {
        self.aside.clone()
    }

    /// Where a sink may note what it is about to put into place. Unlike all else it outlives a run that fails.
    pub fn journal(&self) -> PathBuf {
        self.journal.clone()
    }

    /// Begins the run, or continues it: `fingerprint` stands for all that decides the result.
    pub(crate) fn begin(
        mut self,
        fingerprint: String,
        observer: &dyn Observer,
    ) -> Result<Work<'_>, Error> {
        let other = |manifest: &Manifest| manifest.fingerprint != fingerprint;
        let folders = match self.folders.take() {
            Some(folders) if self.manifest.as_ref().is_some_and(other) => {
                let path = folders.out.clone();
                self.folders = Some(folders);
                return Err(Error::Unfinished { path });
            }
            Some(folders) => folders,
            None => return Err(Error::Internal("a run was begun twice".to_string())),
        };
        let mut manifest = self.manifest.take().unwrap_or_default();
        manifest.fingerprint = fingerprint;
        manifest.folder.clone_from(&self.spill);
        Work::begin(folders, manifest, self.every, observer)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let Some(folders) = self.folders.take() else {
            return;
        };
        if self.manifest.is_none() {
            folders.remove(false);
            return;
        }
        // A run to be continued copies standard input again. Of what was converted, it needs what it made itself.
        let _ = fs::remove_file(self.spill.join("stdin"));
        for name in names(&self.spill).difference(&self.spilled_before) {
            let _ = fs::remove_file(self.spill.join(name));
        }
    }
}

/// The folders of a run, locked.
#[derive(Debug)]
pub(crate) struct Folders {
    out: PathBuf,
    out_was_there: bool,
    hidden: PathBuf,
    /// Where the spilled files are.
    spill: PathBuf,
    _lock: File,
}

impl Folders {
    pub(crate) const MANIFEST: &'static str = "manifest.json";

    fn claim(out: &Path) -> Result<Self, Error> {
        let out_was_there = out.is_dir();
        fs::create_dir_all(out).map_err(Error::output("create", out))?;
        // A run may be continued from another directory.
        let hidden = absolute(out).join(HIDDEN);
        let is_work = |folder: &Path| folder.iter().any(|part| part == HIDDEN);
        if is_work(out) || out.canonicalize().is_ok_and(|out| is_work(&out)) {
            let path = out.to_path_buf();
            return Err(Error::NotOurs { path });
        }
        if hidden.to_str().is_none() {
            let problem = "its name is not valid Unicode";
            let problem = io::Error::new(io::ErrorKind::InvalidInput, problem);
            return Err(Error::output("use", out)(problem));
        }
        let lock = lock(&hidden, out)?;
        let spill = hidden.join("spill");
        if fs::symlink_metadata(&spill).is_ok_and(|found| !found.is_dir()) {
            return Err(Error::NotOurs { path: spill });
        }
        Ok(Folders {
            out: out.to_path_buf(),
            out_was_there,
            spill,
            hidden,
            _lock: lock,
        })
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.hidden.join(Self::MANIFEST)
    }

    fn find_manifest(&self) -> Result<Option<Manifest>, Error> {
        let path = self.manifest();
        // Where the folder for temporary files was emptied, the run begins again.
        let is_there =
            |found: &Manifest| found.folder.starts_with(&self.hidden) || found.folder.exists();
        let found = Manifest::read(&path)?.filter(is_there);
        if found
            .as_ref()
            .is_some_and(|found| !self.owns(&found.folder))
        {
            let reason = "it names a folder that is not of this run".to_string();
            return Err(Error::Damaged { path, reason });
        }
        Ok(found)
    }

    /// What a folder's mark must say for this run to remove it.
    fn mark(&self) -> String {
        format!("{MARK}{}\n", self.hidden.display())
    }

    /// Whether a folder is one that this run, or the one it continues, keeps its spilled files in.
    fn owns(&self, folder: &Path) -> bool {
        folder == self.hidden.join("spill")
            || is_folder(folder)
                && fs::read_to_string(folder.join(LOCK)).is_ok_and(|mark| mark == self.mark())
    }

    /// Makes a folder for spilled files in one that others may use, too.
    fn make_elsewhere(&self, work_dir: &Path) -> Result<PathBuf, Error> {
        let unusable = |path: &Path| {
            let path = path.to_path_buf();
            move |source| Error::WorkDir { path, source }
        };
        if work_dir.to_str().is_none() {
            let problem = "its name is not valid Unicode";
            let problem = io::Error::new(io::ErrorKind::InvalidInput, problem);
            return Err(unusable(work_dir)(problem));
        }
        fs::create_dir_all(work_dir).map_err(unusable(work_dir))?;
        let name = format!("lookalike-{:016x}", drawn_number());
        let path = work_dir.join(name);
        // Noted first: a run that is killed before its manifest is written leaves nothing that is not found again.
        let noted = self.hidden.join(ELSEWHERE);
        let note = |out: &mut BufWriter<File>| write!(out, "{}", path.display());
        write_whole(&noted, note).map_err(Error::output("write", &noted))?;
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(unusable(&path))?;
        let mark = path.join(LOCK);
        fs::write(&mark, self.mark()).map_err(unusable(&mark))?;
        Ok(path)
    }

    /// Removes the folder for spilled files that was made elsewhere for a run which did not come to list it.
    fn remove_elsewhere(&self) {
        let noted = self.hidden.join(ELSEWHERE);
        if let Ok(folder) = fs::read_to_string(&noted) {
            self.remove_spill(Path::new(&folder));
            let _ = fs::remove_file(noted);
        }
    }

    fn remove_spill(&self, folder: &Path) {
        if self.owns(folder) {
            let _ = fs::remove_dir_all(folder);
        }
    }

    /// Forgets the run. The manifest goes first: one that lists files which are gone could not be continued.
    pub(crate) fn remove(self, out_stays: bool) {
        let _ = fs::remove_file(self.manifest());
        self.remove_spill(&self.spill);
        let is_journal = |name: &OsStr| !out_stays && name == JOURNAL;
        let (kept, gone): (Vec<_>, Vec<_>) = names(&self.hidden)
            .into_iter()
            .filter(|name| name != LOCK)
            .partition(|name| is_journal(name));
        for name in gone {
            let path = self.hidden.join(name);
            let _ = match is_folder(&path) {
                true => fs::remove_dir_all(path),
                false => fs::remove_file(path),
            };
        }
        if kept.is_empty() {
            // The lock last: what has none is not known to be ours.
            let _ = fs::remove_file(self.hidden.join(LOCK));
            let _ = fs::remove_dir(&self.hidden);
        }
        if !out_stays && !self.out_was_there {
            // Only if it is empty.
            let _ = fs::remove_dir(&self.out);
        }
    }
}

/// Locks the hidden folder, which is made if it is not there.
fn lock(hidden: &Path, out: &Path) -> Result<File, Error> {
    let path = hidden.join(LOCK);
    // A process that was killed a moment ago may still hold it.
    const TRIES: u32 = 20;
    for _ in 0..TRIES {
        match fs::create_dir(hidden) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(Error::output("create", hidden)(error));
            }
            _ => {}
        }
        let found = names(hidden);
        let is_unmarked = !found.is_empty() && !found.contains(OsStr::new(LOCK));
        let is_other = |path: &Path, is_it: fn(&fs::Metadata) -> bool| {
            fs::symlink_metadata(path).is_ok_and(|found| !is_it(&found))
        };
        if is_unmarked
            || is_other(hidden, fs::Metadata::is_dir)
            || is_other(&path, fs::Metadata::is_file)
        {
            let path = hidden.to_path_buf();
            return Err(Error::NotOurs { path });
        }
        match try_lock(&path) {
            Ok(Some(mut file)) => {
                mark(&mut file, hidden)?;
                return Ok(file);
            }
            Ok(None) => thread::sleep(Duration::from_millis(50)),
            // A run that ended just now took the folder away with it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::output("lock", path)(error)),
        }
    }
    Err(Error::Busy {
        path: out.to_path_buf(),
    })
}

/// Writes our mark into the lock of a folder that has nothing else in it; anything else must have it.
fn mark(lock: &mut File, hidden: &Path) -> Result<(), Error> {
    let mut found = String::new();
    let read = lock.take(MARK.len() as u64).read_to_string(&mut found);
    let is_empty = read.is_ok_and(|bytes| bytes == 0) && names(hidden).len() == 1;
    if is_empty {
        let line = format!("{MARK}{}\n", hidden.display());
        let written = lock.write_all(line.as_bytes());
        return written.map_err(Error::output("write", hidden.join(LOCK)));
    }
    if found != MARK {
        let path = hidden.to_path_buf();
        return Err(Error::NotOurs { path });
    }
    Ok(())
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The names of all that is in a folder.
pub(crate) fn names(folder: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.flatten().map(|entry| entry.file_name()).collect()
}
