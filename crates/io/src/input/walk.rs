//! Files, folders and globs, listed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use xxhash_rust::xxh3::Xxh3;

use super::spool::Spooled;
use super::{InputOptions, Source, SourceFile};
use crate::error::Error;
use crate::format::Format;

/// What has been found so far.
#[derive(Default)]
pub(super) struct Found {
    pub(super) sources: Vec<Source>,
    /// One for each argument that named something.
    pub(super) arguments: Vec<Argument>,
    /// Named twice, say by two globs, is still read once.
    seen: BTreeSet<PathBuf>,
    hash: Xxh3,
}

/// What an argument turned out to be.
pub(super) enum Argument {
    File,
    Folder(PathBuf),
}

impl Found {
    /// Adds the file, folder or glob of that name.
    pub(super) fn add(&mut self, named: &str, options: &InputOptions) -> Result<(), Error> {
        let path = Path::new(named);
        // A file whose name has a bracket in it is that file and not a pattern.
        if path.exists() || !is_pattern(named) {
            let files = self.add_path(path, options)?;
            return some_files(named, files);
        }
        let pattern_error = |cause: String| Error::Pattern {
            pattern: named.to_owned(),
            cause,
        };
        let listed = glob::glob(named).map_err(|error| pattern_error(error.to_string()))?;
        let mut paths = Vec::new();
        for path in listed {
            paths.push(path.map_err(|error| {
                let path = error.path().to_owned();
                Error::file("list", &path)(error.into())
            })?);
        }
        paths.sort_by(|a, b| {
            a.as_os_str()
                .as_encoded_bytes()
                .cmp(b.as_os_str().as_encoded_bytes())
        });
        let mut files = 0;
        for path in &paths {
            files += self.add_path(path, options)?;
        }
        some_files(named, files)
    }

    /// Adds the copy of standard input. JSON Lines, unless its first bytes or the options say otherwise.
    pub(super) fn add_standard_input(&mut self, spooled: Spooled, options: &InputOptions) {
        self.arguments.push(Argument::File);
        self.hash.update(b"-\0");
        self.hash.update(&spooled.hash.to_le_bytes());
        self.hash.update(&spooled.bytes.to_le_bytes());
        let format = options
            .format
            .unwrap_or_else(|| Format::of_content(&spooled.first));
        let file = SourceFile {
            path: spooled.path,
            bytes: spooled.bytes,
        };
        self.sources.push(Source {
            name: "stdin".to_owned(),
            format,
            files: Arc::new(vec![file]),
        });
    }

    /// Adds a file or the files below a folder, and returns how many these are.
    fn add_path(&mut self, path: &Path, options: &InputOptions) -> Result<usize, Error> {
        let about = fs::metadata(path).map_err(Error::file("open", path))?;
        if !about.is_dir() && !about.is_file() {
            let name = path.display().to_string();
            return Err(Error::NotAFile { name });
        }
        if about.is_file() {
            let format = options
                .format
                .or_else(|| Format::of_path(path))
                .ok_or_else(|| Error::UnknownFormat {
                    name: path.display().to_string(),
                    formats: Format::names(),
                })?;
            self.arguments.push(Argument::File);
            self.add_file(path.to_owned(), format)?;
            return Ok(1);
        }
        self.arguments.push(Argument::Folder(path.to_owned()));
        let mut files = Vec::new();
        list_folder(path, options.skip.as_deref(), &mut files)?;
        files.sort_by(|a, b| {
            a.as_os_str()
                .as_encoded_bytes()
                .cmp(b.as_os_str().as_encoded_bytes())
        });
        let count = files.len();
        for file in files {
            let format = options
                .format
                .or_else(|| Format::of_path(&file))
                .unwrap_or_else(Format::of_unnamed);
            self.add_file(file, format)?;
        }
        Ok(count)
    }

    fn add_file(&mut self, path: PathBuf, format: Format) -> Result<(), Error> {
        if !self.seen.insert(path.clone()) {
            return Ok(());
        }
        let about = File::open(&path)
            .and_then(|file| file.metadata())
            .map_err(Error::file("open", &path))?;
        let changed = about
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
            .unwrap_or_default();
        self.hash.update(path.as_os_str().as_encoded_bytes());
        self.hash.update(&[0]);
        self.hash.update(&about.len().to_le_bytes());
        self.hash.update(&changed.as_nanos().to_le_bytes());
        self.push(
            SourceFile {
                path,
                bytes: about.len(),
            },
            format,
        );
        Ok(())
    }

    fn push(&mut self, file: SourceFile, format: Format) {
        match self.sources.last_mut() {
            Some(last) if last.takes(format) => Arc::make_mut(&mut last.files).push(file),
            _ => {
                let name = file.path.display().to_string();
                self.sources.push(Source {
                    name,
                    format,
                    files: Arc::new(vec![file]),
                });
            }
        }
    }

    pub(super) fn fingerprint(&self) -> u64 {
        self.hash.digest()
    }

    /// How many leading components all paths have in common, leaving at least a file name.
    pub(super) fn shared_components(&self) -> usize {
        if let [Argument::Folder(folder)] = self.arguments.as_slice() {
            return folder.components().count();
        }
        let mut parents = self
            .seen
            .iter()
            .map(|path| path.parent().unwrap_or(Path::new("")));
        let Some(first) = parents.next() else {
            return 0;
        };
        parents.fold(first.components().count(), |shared, parent| {
            let same = first
                .components()
                .zip(parent.components())
                .take_while(|(a, b)| a == b)
                .count();
            shared.min(same)
        })
    }
}

/// A name that stands for no file at all is a mistake.
fn some_files(named: &str, files: usize) -> Result<(), Error> {
    match files {
        0 => Err(Error::NoFiles {
            name: named.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn is_pattern(named: &str) -> bool {
    named.contains(['*', '?', '['])
}

/// All files below a folder but the hidden ones and those in the folder `skip`, in no order.
fn list_folder(folder: &Path, skip: Option<&Path>, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::file("list", folder))? {
        let entry = entry.map_err(Error::file("list", folder))?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        // A link to a folder is followed only when named: it could lead in circles.
        let kind = entry.file_type().map_err(Error::file("open", &path))?;
        if kind.is_dir() {
            if skip.is_none_or(|skip| std::path::absolute(&path).ok().as_deref() != Some(skip)) {
                list_folder(&path, skip, files)?;
            }
        } else if fs::metadata(&path)
            .map_err(Error::file("open", &path))?
            .is_file()
        {
            files.push(path);
        }
    }
    Ok(())
}
