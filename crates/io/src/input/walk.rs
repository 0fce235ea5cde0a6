//! Files, folders and globs, listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::maildir;
use super::spool::Spooled;
use super::{InputOptions, Source, SourceFile, change_time, identity, is_later};
use crate::error::Error;
use crate::format::Format;
use crate::read::compression::Stream;
use crate::read::web::binary_kind;
use crate::read::{json, open_pieces, xml};
use crate::write::partial::is_cleaned;
use crate::write::results::files_of_result;

/// What has been found so far.
#[derive(Default)]
pub(super) struct Found {
    pub(super) sources: Vec<Source>,
    /// One for each argument that named something.
    pub(super) arguments: Vec<Argument>,
    /// All paths, as they were named or found.
    seen: BTreeSet<PathBuf>,
    /// The files they lead to: named twice, say by two globs or a link, one is still read once.
    files: BTreeSet<PathBuf>,
    hash: Xxh3,
}

/// How a file came to be read: one that was named must be readable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Named,
    Found,
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
            let files = self.add_path(path, options, Origin::Named)?;
            return some_files(named, files);
        }
        let pattern_error = |cause: String| Error::Pattern {
            pattern: named.to_owned(),
            cause,
        };
        let listed = glob::glob(named).map_err(|error| pattern_error(error.to_string()))?;
        let mut paths = Vec::new();
        for path in listed {
            match path {
                Ok(path) => paths.push(path),
                Err(error) => {
                    let path = error.path().to_owned();
                    let error = Error::file("list", &path)(error.into());
                    self.refuse(&path, error.reason()?);
                }
            }
        }
        // By their bytes: paths themselves are ordered by their components.
        paths.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
        let mut files = 0;
        for path in &paths {
            files += self.add_path(path, options, Origin::Found)?;
        }
        some_files(named, files)
    }

    /// Adds the copy of standard input. JSON Lines, unless its first bytes or the options say otherwise.
    pub(super) fn add_standard_input(
        &mut self,
        spooled: Spooled,
        options: &InputOptions,
    ) -> Result<(), Error> {
        const NAME: &str = "stdin";
        self.arguments.push(Argument::File);
        self.hash.update(b"-\0");
        self.hash.update(&spooled.hash.to_le_bytes());
        self.hash.update(&spooled.bytes.to_le_bytes());
        let format = match options.format {
            Some(format) => format,
            None if options.text_is_lines => lines_unless_told(&spooled.path, options)?,
            None => match root(&spooled.path, options)? {
                Some(root) => xml_format(NAME, Ok(root))?,
                None => {
                    let first = Stream::first_bytes(&spooled.path, options, FIRST_BYTES)?;
                    Format::of_beginning(first.as_slice()).unwrap_or_else(Format::json_lines)
                }
            },
        };
        let file = SourceFile {
            path: spooled.path,
            bytes: spooled.bytes,
            identity: spooled.hash,
            watched: None,
            is_copy: true,
        };
        self.sources
            .push(Source::new(NAME.to_owned(), format, file));
        Ok(())
    }

    /// Adds a file or the files below a folder, and returns how many these are.
    fn add_path(
        &mut self,
        path: &Path,
        options: &InputOptions,
        origin: Origin,
    ) -> Result<usize, Error> {
        if !path.is_dir() {
            self.arguments.push(Argument::File);
            let format = || format_of(path, options);
            self.add_file(path, format, options, origin)?;
            return Ok(1);
        }
        self.arguments.push(Argument::Folder(path.to_owned()));
        let mut listed = Listed::default();
        listed.add(path, &options.skip)?;
        listed
            .files
            .sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
        let files = formats_of(listed.files, options);
        let count = files.len() + listed.unlisted.len();
        for (file, format) in files {
            self.add_file(&file, || format, options, Origin::Found)?;
        }
        listed
            .unlisted
            .sort_by(|(a, _), (b, _)| a.as_os_str().cmp(b.as_os_str()));
        for (folder, error) in listed.unlisted {
            self.refuse(&folder, error.reason()?);
        }
        Ok(count)
    }

    /// Adds a file. One that cannot be opened ends the run if it was named, and is rejected if it was found.
    fn add_file(
        &mut self,
        path: &Path,
        format: impl FnOnce() -> Result<Format, Error>,
        options: &InputOptions,
        origin: Origin,
    ) -> Result<(), Error> {
        let is_later = |until| is_later(path, until);
        if origin == Origin::Found && options.until.is_some_and(is_later) {
            return Ok(());
        }
        // Some streams have no place of their own.
        let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if !self.files.insert(file) {
            return Ok(());
        }
        self.seen.insert(path.to_owned());
        match open(path, format, options) {
            Err(error) if origin == Origin::Found => self.refuse(path, error.reason()?),
            opened => self.push(opened?),
        }
        Ok(())
    }

    /// Adds a file or folder that cannot be read, and why.
    fn refuse(&mut self, path: &Path, fault: String) {
        let file = SourceFile {
            path: path.to_owned(),
            bytes: 0,
            identity: xxh3_64(format!("{}\0{fault}", path.display()).as_bytes()),
            watched: None,
            is_copy: false,
        };
        self.push(Source {
            fault: Some(fault),
            ..Source::new(path.display().to_string(), Format::refused(), file)
        });
    }

    fn push(&mut self, source: Source) {
        let file = &source.files[0];
        self.hash.update(&file.identity.to_le_bytes());
        match self.sources.last_mut() {
            Some(last) if last.takes(source.format) => {
                Arc::make_mut(&mut last.files).push(file.clone());
            }
            _ => self.sources.push(source),
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

/// The file in the same folder that may be meant by one that is not there, as a question; else nothing.
pub fn nearest_name(path: &Path) -> String {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let meant = lookalike_kernel::nearest(&wanted, names.iter().map(String::as_str));
    let meant = meant.map(|meant| path.with_file_name(meant).display().to_string());
    meant.map_or(String::new(), |meant| format!(" (did you mean {meant}?)"))
}

/// A file as a source, once it is known that it can be opened as its format is.
fn open(
    path: &Path,
    format: impl FnOnce() -> Result<Format, Error>,
    options: &InputOptions,
) -> Result<Source, Error> {
    let name = path.display().to_string();
    let about = fs::metadata(path).map_err(|error| match error.kind() {
        // A link to nothing is there.
        std::io::ErrorKind::NotFound if fs::symlink_metadata(path).is_err() => Error::NotThere {
            nearest: nearest_name(path),
            name: name.clone(),
        },
        _ => Error::file("open", path)(error),
    })?;
    if !about.is_file() {
        return Err(Error::NotAFile { name });
    }
    File::open(path).map_err(Error::file("open", path))?;
    let file = SourceFile {
        path: path.to_owned(),
        bytes: about.len(),
        identity: identity(path, &about),
        watched: Some(change_time(&about)),
        is_copy: false,
    };
    let source = Source::new(name, format()?, file);
    let entry = source.format.entry();
    if entry.prepare.is_none() {
        open_pieces(&source, options, entry.open)?;
    }
    Ok(source)
}

/// The format of a file that was named.
fn format_of(path: &Path, options: &InputOptions) -> Result<Format, Error> {
    let name = path.display().to_string();
    match named_format(path, options) {
        Some(format) => Ok(format),
        None if Format::is_xml(path) => {
            let mut stream = Stream::open_text(path, options)?;
            let root = xml::root(&mut stream)?;
            let no_root = stream.damage();
            xml_format(&name, root.ok_or(no_root.unwrap_or(NO_ELEMENT.to_owned())))
        }
        None if options.text_is_lines => lines_unless_told(path, options),
        None => {
            let first = Stream::first_bytes(path, options, FIRST_BYTES)?;
            let unknown = || match binary_kind(first.as_slice()) {
                Some(kind) => Error::NotText { name, kind },
                None => Error::UnknownFormat {
                    name,
                    formats: Format::names(),
                },
            };
            Format::of_beginning(first.as_slice()).ok_or_else(unknown)
        }
    }
}

/// The format that the options, the file's name or its folder say.
fn named_format(path: &Path, options: &InputOptions) -> Option<Format> {
    let of_folder = || maildir::holds(path).then(Format::mail);
    let of_name = || match Format::of_path(path)? {
        format if options.text_is_lines && format == Format::text() => Some(Format::lines()),
        format => Some(format),
    };
    options.format.or_else(of_folder).or_else(of_name)
}

/// The format that the first bytes of a file say.
fn told_by_beginning(path: &Path, options: &InputOptions) -> Result<Option<Format>, Error> {
    let first = Stream::first_bytes(path, options, FIRST_BYTES)?;
    Ok(Format::of_beginning(first.as_slice()))
}

/// Lines, unless the content says that it is something else. A chat may well begin with `<name>` or `[time]`.
fn lines_unless_told(path: &Path, options: &InputOptions) -> Result<Format, Error> {
    if let Some(format) = root(path, options)?.and_then(|root| Format::of_root(&root)) {
        return Ok(format);
    }
    let first = Stream::first_bytes(path, options, FIRST_BYTES)?;
    let first = first.as_slice();
    Ok(match Format::of_beginning(first) {
        Some(format) => format,
        None if json::begins_object(first) => Format::json_lines(),
        None => Format::lines(),
    })
}

/// The files of a folder with their formats. What neither name nor content says to be another is taken for text, but files that belong with one of
/// the same folder and hold no records are left out: a dump's `Users.xml` beside its `Posts.xml`.
fn formats_of(
    files: Vec<PathBuf>,
    options: &InputOptions,
) -> Vec<(PathBuf, Result<Format, Error>)> {
    let mut roots = BTreeMap::new();
    let mut beside = BTreeSet::new();
    for path in files.iter().filter(|path| Format::is_xml(path)) {
        // One that cannot be opened shows itself when its turn comes.
        let Ok(Some(root)) = root(path, options) else {
            continue;
        };
        if let Some(xml) = Format::of_root(&root).and_then(|format| format.entry().xml.as_ref()) {
            beside.extend(
                xml.beside
                    .iter()
                    .map(|root| (path.parent().map(Path::to_owned), *root)),
            );
        }
        roots.insert(path.clone(), root);
    }
    let mut formats = Vec::new();
    for path in files {
        let root = roots.get(&path).map(String::as_str);
        if root.is_some_and(|root| beside.contains(&(path.parent().map(Path::to_owned), root))) {
            continue;
        }
        let told = named_format(&path, options).or_else(|| Format::of_root(root?));
        let format = match told {
            Some(format) => Ok(format),
            None if options.text_is_lines => lines_unless_told(&path, options),
            None => told_by_beginning(&path, options).map(|told| told.unwrap_or_else(Format::text)),
        };
        formats.push((path, format));
    }
    formats
}

/// How many bytes of a file without a name say what it is.
const FIRST_BYTES: usize = 4096;

/// The root element of a file, if it is XML.
fn root(path: &Path, options: &InputOptions) -> Result<Option<String>, Error> {
    xml::root(&mut Stream::open_text(path, options)?)
}

/// Why a file has no root element, if nothing else is wrong with it.
const NO_ELEMENT: &str = "it does not start with an element";

/// The format with a root element, which may be missing for a reason.
fn xml_format(name: &str, root: Result<String, String>) -> Result<Format, Error> {
    let known = root.as_ref().ok().and_then(|root| Format::of_root(root));
    known.ok_or_else(|| Error::UnknownXml {
        name: name.to_owned(),
        found: root.map_or_else(
            |reason| reason,
            |root| format!("its root element is <{root}>"),
        ),
        formats: Format::xml_names(),
    })
}

/// A name that stands for no file at all is a mistake.
fn some_files(named: &str, files: usize) -> Result<(), Error> {
    match files {
        0 if Path::new(named).is_dir() => Err(Error::EmptyFolder {
            name: named.to_owned(),
        }),
        0 => Err(Error::NoFiles {
            name: named.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Whether a file that is there is one that an argument stands for, or lies in a folder that it names.
pub fn stands_for(named: &str, file: &Path) -> bool {
    let holds = |path: &Path| {
        let Ok((path, file)) = path
            .canonicalize()
            .and_then(|path| Ok((path, file.canonicalize()?)))
        else {
            return false;
        };
        file.starts_with(path)
    };
    let path = Path::new(named);
    if path.exists() || !is_pattern(named) {
        return holds(path);
    }
    let found = glob::glob(named).into_iter().flatten();
    found.flatten().any(|path| holds(&path))
}

fn is_pattern(named: &str) -> bool {
    named.contains(['*', '?', '['])
}

/// What is below a folder, in no order.
#[derive(Default)]
struct Listed {
    files: Vec<PathBuf>,
    /// Folders whose content nobody tells us, and why.
    unlisted: Vec<(PathBuf, Error)>,
}

impl Listed {
    /// Adds all files below a folder but the hidden ones, those in the folders `skip` and those that a run wrote as its result; of
    /// a Maildir, its mails.
    fn add(&mut self, folder: &Path, skip: &[PathBuf]) -> Result<(), Error> {
        let is_maildir = maildir::is(folder);
        let results = files_of_result(folder);
        for entry in fs::read_dir(folder).map_err(Error::file("list", folder))? {
            let entry = entry.map_err(Error::file("list", folder))?;
            let path = entry.path();
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let is_passed_over = match is_maildir {
                true => !maildir::reads(&path),
                false => is_hidden || results.contains(&entry.file_name()),
            };
            if is_passed_over {
                continue;
            }
            // A link to a folder is followed only when named: it could lead in circles.
            let kind = entry.file_type().map_err(Error::file("open", &path))?;
            if kind.is_dir() {
                // A corpus that a run cleaned into the folder of its result is part of that, and one that it cleaned out of
                // what lies here has nothing else.
                let is_result = is_cleaned(&path) && (!results.is_empty() || is_copy(&path));
                let is_skipped = || path.canonicalize().is_ok_and(|path| skip.contains(&path));
                if is_result || is_skipped() {
                    continue;
                }
                if let Err(error) = self.add(&path, skip) {
                    self.unlisted.push((path, error));
                }
            } else if fs::metadata(&path).map_or(true, |found| found.is_file()) {
                // What is not known to be a file shows itself when it is opened.
                self.files.push(path);
            }
        }
        Ok(())
    }
}

/// Whether every file of a cleaned corpus has the name of one beside its folder, or in one folder beside it: then it was made of
/// these.
fn is_copy(cleaned: &Path) -> bool {
    let mut listed = Listed::default();
    let Some(parent) = cleaned
        .parent()
        .filter(|_| listed.add(cleaned, &[]).is_ok())
    else {
        return false;
    };
    let names = listed.files.iter();
    let names: Vec<&Path> = names
        .filter_map(|path| path.strip_prefix(cleaned).ok())
        .collect();
    let is_of = |folder: &Path| names.iter().all(|name| folder.join(name).is_file());
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut folders = entries.map(|entry| entry.path());
    let is_other = |folder: &Path| folder != cleaned && folder.is_dir() && !is_cleaned(folder);
    !names.is_empty() && (is_of(parent) || folders.any(|path| is_other(&path) && is_of(&path)))
}
