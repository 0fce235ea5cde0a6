//! From what the user named to the files to read: files, folders, globs and standard input, in a fixed order.

pub(crate) mod maildir;
mod spool;
mod walk;

use std::fs;
use std::io::{self, Read};
use std::num::NonZero;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use lookalike_kernel::CodeBlocks;
use xxhash_rust::xxh3::Xxh3;

use crate::block::Block;
use crate::error::Error;
use crate::format::{Files, Format};
use crate::read::{Opening, Preparing, mediawiki};
use crate::reader::Reader;
use lookalike_kernel::record::{Need, Wanted, list};
use walk::{Argument, Found};
pub use walk::{nearest_name, stands_for};

/// Limits, and the format where names do not say it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputOptions {
    /// The format of all files named; by default each file's name says it.
    pub format: Option<Format>,
    /// What would be read as text by its name is read as lines: a line and not a file is a record. So is what no name
    /// and no content says to be anything else: JSON, XML or a format with a magic number.
    pub text_is_lines: bool,
    /// Folders, by their absolute paths, that are not part of the folders named: the results of this very run, say.
    pub skip: Vec<PathBuf>,
    /// Files that came into a folder later than this, or have been changed since, are no part of it.
    pub until: Option<SystemTime>,
    /// The largest record in bytes (`--max-record`). Larger ones are rejected without being held in memory.
    pub max_record: u64,
    /// How many times its size an archive may expand to (`--max-expansion`).
    pub max_expansion: u64,
    /// An archive may always expand to this many bytes.
    pub expansion_floor: u64,
    /// The size of a block in bytes. Part of what a [`BlockPlace`](crate::BlockPlace) means: the same in all passes over an
    /// input, never derived from memory or threads.
    pub block_bytes: usize,
    /// Blocks of code in formats whose texts are HTML or wikitext.
    pub code: CodeBlocks,
    /// Of pages of the web, the article alone, without navigation, footers and the like (`--main-content`).
    pub main_content: bool,
    /// The namespaces whose pages are records, in formats that have such; all if empty.
    pub namespaces: Vec<i32>,
    /// How many threads decompress and convert. Changes nothing but the time.
    pub threads: usize,
}

impl Default for InputOptions {
    fn default() -> Self {
        Self {
            format: None,
            text_is_lines: false,
            skip: Vec::new(),
            until: None,
            max_record: 64_000_000,
            max_expansion: 1000,
            expansion_floor: 1 << 30,
            block_bytes: 1 << 20,
            code: CodeBlocks::default(),
            main_content: false,
            namespaces: vec![0],
            threads: available_parallelism().map_or(1, NonZero::get),
        }
    }
}

impl InputOptions {
    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// How many bytes a file of this size may expand to.
    pub(crate) fn most_expanded(&self, file_bytes: u64) -> u64 {
        let most = self.max_expansion.saturating_mul(file_bytes);
        most.max(self.expansion_floor)
    }
}

/// All files to read, in order.
#[derive(Clone, Debug)]
pub struct Input {
    /// As the user named them.
    pub(crate) arguments: Vec<String>,
    /// In the order of the arguments; in a folder or glob by path.
    pub sources: Vec<Source>,
    pub(crate) options: InputOptions,
    /// One file was named, so that a cleaned corpus is one file too.
    pub(crate) single: bool,
    /// How many leading components of the paths are left out of the names in a cleaned corpus.
    shared_components: usize,
    fingerprint: u64,
}

/// A file of records, or a run of neighbouring files that are a record each.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as named by the user; of a run of files, the first one's.
    pub name: String,
    /// What is in it.
    pub format: Format,
    /// One file, or the run.
    pub(crate) files: Arc<Vec<SourceFile>>,
    /// Where the format reads the records from, if not from the file itself.
    pub(crate) prepared: Option<Prepared>,
    /// Why it is not read.
    pub(crate) fault: Option<String>,
}

/// What a source was converted to.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) path: PathBuf,
    bytes: u64,
}

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    /// Changes with the file: of its path, size and time, or, for standard input, of its content.
    pub(crate) identity: u64,
    /// When anything of it changed last; none for a copy of standard input in a folder of our own, and for what cannot be
    /// read.
    watched: Option<ChangeTime>,
    is_copy: bool,
}

impl SourceFile {
    /// Whether it is a copy of standard input, whose path means nothing to anybody.
    pub(crate) fn is_copy(&self) -> bool {
        self.is_copy
    }

    /// Changes whenever somebody may have written to it, and perhaps when nobody has.
    pub(crate) fn touched(&self) -> u64 {
        let (seconds, nanoseconds) = self.watched.unwrap_or_default();
        let mut hash = Xxh3::with_seed(self.identity);
        hash.update(&seconds.to_le_bytes());
        hash.update(&nanoseconds.to_le_bytes());
        hash.digest()
    }

    /// Whether somebody has written to it since it was found.
    pub(crate) fn is_changed(&self) -> bool {
        self.watched.is_some_and(|changed| {
            let is_it = |about: fs::Metadata| {
                identity(&self.path, &about) == self.identity && change_time(&about) == changed
            };
            !fs::metadata(&self.path).is_ok_and(is_it)
        })
    }
}

/// Seconds and nanoseconds.
type ChangeTime = (i64, i64);

/// When a file was last written to or renamed. Unlike the time of its content nobody can set it, so it tells a file that was
/// rewritten and dated back. It is no part of the identity: a file that was copied with its time is the same to a run that
/// is continued.
#[cfg(unix)]
fn change_time(about: &fs::Metadata) -> ChangeTime {
    use std::os::unix::fs::MetadataExt;
    (about.ctime(), about.ctime_nsec())
}

#[cfg(not(unix))]
fn change_time(_: &fs::Metadata) -> ChangeTime {
    (0, 0)
}

/// Whether a file was written to, renamed or moved to where it is after that time.
fn is_later(path: &Path, time: SystemTime) -> bool {
    let Ok(about) = fs::metadata(path) else {
        return false;
    };
    let is_written_later = about.modified().is_ok_and(|modified| modified > time);
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let time = (since.as_secs() as i64, i64::from(since.subsec_nanos()));
    is_written_later || change_time(&about) > time
}

/// Of a file's path, size and time.
fn identity(path: &Path, about: &fs::Metadata) -> u64 {
    let changed = about.modified().ok();
    let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let mut hash = Xxh3::new();
    hash.update(path.as_os_str().as_encoded_bytes());
    hash.update(&[0]);
    hash.update(&about.len().to_le_bytes());
    hash.update(&changed.unwrap_or_default().as_nanos().to_le_bytes());
    hash.digest()
}

impl Input {
    /// All files that are read.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let files = self.sources.iter().flat_map(|source| source.files.iter());
        files.map(|file| file.path.as_path())
    }

    /// The address on the web that titles of articles follow, as in `https://en.wikipedia.org/wiki/`, if these are dumps of
    /// a wiki that state it. Nothing but the head of a dump is read.
    pub fn wiki_address(arguments: &[impl AsRef<str>], options: &InputOptions) -> Option<String> {
        let mut found = Found::default();
        let names = arguments.iter().map(AsRef::as_ref);
        for name in names.filter(|name| *name != "-") {
            found.add(name, options).ok()?;
        }
        let mut sources = found.sources.iter();
        sources.find_map(|source| mediawiki::address(source, options))
    }

    /// Finds all files that `arguments` name and opens each once, so that a missing or unreadable one is known before
    /// anything is read: an error where it was named, a rejection where it was found in a folder or by a pattern.
    /// Standard input (`-`) is copied to a file in the folder `spool`, to be read more than once; there, too, formats are
    /// converted that cannot be read record by record. What was converted before, and whole, is used again.
    pub fn resolve(
        arguments: &[impl AsRef<str>],
        options: &InputOptions,
        spool: &Path,
    ) -> Result<Input, Error> {
        Self::resolve_from(arguments, options, spool, &mut io::stdin().lock())
    }

    /// The bytes of something that is no file, under the name that the user gave it; they are copied to a file in the folder
    /// `spool`. The options say what they are.
    pub fn of_stream(
        name: &str,
        stream: &mut dyn Read,
        options: &InputOptions,
        spool: &Path,
    ) -> Result<Input, Error> {
        let mut input = Self::resolve_from(&["-"], options, spool, stream)?;
        input.arguments = vec![name.to_string()];
        for source in &mut input.sources {
            source.name = name.to_string();
        }
        Ok(input)
    }

    fn resolve_from(
        arguments: &[impl AsRef<str>],
        options: &InputOptions,
        spool: &Path,
        standard_input: &mut dyn Read,
    ) -> Result<Input, Error> {
        let names = || arguments.iter().map(AsRef::as_ref);
        if names().filter(|name| *name == "-").count() > 1 {
            return Err(Error::StandardInputTwice);
        }
        if names().any(|name| name == "-") {
            // No one should pipe a terabyte to learn that another file is missing.
            let mut others = Found::default();
            names()
                .filter(|name| *name != "-")
                .try_for_each(|name| others.add(name, options))?;
        }
        let mut found = Found::default();
        for name in names() {
            match name {
                "-" => found.add_standard_input(spool::spool(standard_input, spool)?, options)?,
                _ => found.add(name, options)?,
            }
        }
        let is_read = |source: &Source| source.fault.is_none();
        let single = matches!(found.arguments.as_slice(), [Argument::File])
            && found.sources.iter().all(is_read);
        let shared_components = found.shared_components();
        for source in &mut found.sources {
            source.prepare(options, spool)?;
        }
        Ok(Input {
            arguments: names().map(str::to_string).collect(),
            fingerprint: found.fingerprint(),
            sources: found.sources,
            options: options.clone(),
            single,
            shared_components,
        })
    }

    /// Opens every source, so that what cannot be read is known before anything is. Ends with an error, too, if there are only
    /// tables without a wanted column; beside others they cost their records.
    pub fn check(&self, wanted: &Wanted) -> Result<(), Error> {
        let wanted = Arc::new(wanted.clone());
        for (source, number) in self.sources.iter().zip(0..) {
            let opening = Opening {
                source,
                number,
                options: &self.options,
                wanted: &wanted,
            };
            (source.format.entry().open)(&opening)?;
        }
        let mut missing = None;
        for part in 0..self.sources.len() as u32 {
            match self.lacks(part, &wanted)? {
                Lacks::Nothing => return Ok(()),
                Lacks::Column(error) => missing = missing.or(Some(error)),
                Lacks::Records => {}
            }
        }
        missing.map_or(Ok(()), Err)
    }

    /// What a source lacks of what records must have.
    fn lacks(&self, part: u32, wanted: &Wanted) -> Result<Lacks, Error> {
        let source = &self.sources[part as usize];
        let (none, mut block) = (Wanted::default(), Block::default());
        let mut reader = Reader::of_source(self, &none, part);
        if source.fault.is_some() || !reader.next_block(&mut block)? || block.place.part != part {
            return Ok(Lacks::Records);
        }
        let mut records = 1;
        let columns = match block.fields(&mut records) {
            Some(columns) if columns.is_empty() => return Ok(Lacks::Records),
            Some(columns) if records == 1 => columns,
            // Records need not have all the same fields.
            _ => return Ok(Lacks::Nothing),
        };
        let is_there = |name: &String| columns.contains(name);
        let mut needed = wanted
            .fields
            .iter()
            .filter(|field| field.need == Need::Text);
        Ok(match needed.find(|field| !is_there(&field.name)) {
            None => Lacks::Nothing,
            Some(field) => Lacks::Column(Error::MissingColumn {
                name: source.name.clone(),
                field: field.name.clone(),
                columns: list(&columns, 50),
            }),
        })
    }

    /// The names of the fields that records have: of tables all, else those of the first `records`. None where a source has
    /// no such names: any may be meant then.
    pub fn fields(&self, mut records: u32) -> Result<Option<Vec<String>>, Error> {
        let wanted = Wanted::default();
        let mut names: Vec<String> = Vec::new();
        let mut block = Block::default();
        for part in 0..self.sources.len() as u32 {
            if self.sources[part as usize].fault.is_some() {
                continue;
            }
            let mut reader = Reader::of_source(self, &wanted, part);
            let before = records;
            while reader.next_block(&mut block)? && block.place.part == part {
                if block.is_unreadable() {
                    break;
                }
                let Some(found) = block.fields(&mut records) else {
                    return Ok(None);
                };
                let is_new = |name: &String| !names.contains(name);
                let found: Vec<String> = found.into_iter().filter(is_new).collect();
                names.extend(found);
                // A table says all of them at once.
                if records == before || records == 0 {
                    break;
                }
            }
            if records == 0 {
                break;
            }
        }
        Ok((!names.is_empty()).then_some(names))
    }

    /// Whether anything had to be converted before it can be read.
    pub fn is_converted(&self) -> bool {
        self.sources.iter().any(|source| source.prepared.is_some())
    }

    /// Changes when a file is added, removed, renamed or changed (its size or time; for standard input, its content).
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Changes whenever somebody may have written to a file, and perhaps when nobody has: its size, its time and that of its
    /// last change, if the system tells that one.
    pub fn touched(&self) -> Option<u64> {
        let files = self.sources.iter().flat_map(|source| source.files.iter());
        let mut hash = Xxh3::new();
        files.for_each(|file| hash.update(&file.touched().to_le_bytes()));
        cfg!(unix).then(|| hash.digest())
    }

    /// The size of all that is read: of the files on disk, or of what they were converted to.
    pub fn bytes(&self) -> u64 {
        self.sources.iter().map(Source::bytes).sum()
    }

    /// The name of a file in a cleaned corpus: its path below what all inputs share.
    pub(crate) fn relative(&self, path: &Path) -> PathBuf {
        let below: PathBuf = path
            .components()
            .skip(self.shared_components)
            .filter(|component| matches!(component, Component::Normal(_)))
            .collect();
        if below.as_os_str().is_empty() {
            path.file_name().map(PathBuf::from).unwrap_or_default()
        } else {
            below
        }
    }
}

/// What a source lacks.
enum Lacks {
    Nothing,
    /// A column: then all its records lack that.
    Column(Error),
    /// Records that could lack anything.
    Records,
}

impl Source {
    fn new(name: String, format: Format, file: SourceFile) -> Source {
        Source {
            name,
            format,
            files: Arc::new(vec![file]),
            prepared: None,
            fault: None,
        }
    }

    /// Its size on disk, or that of what it was converted to.
    pub fn bytes(&self) -> u64 {
        match &self.prepared {
            Some(prepared) => prepared.bytes,
            None => self.files.iter().map(|file| file.bytes).sum(),
        }
    }

    /// Converts it if its format needs that.
    fn prepare(&mut self, options: &InputOptions, spool: &Path) -> Result<(), Error> {
        let Some(prepare) = self.format.entry().prepare else {
            return Ok(());
        };
        fs::create_dir_all(spool).map_err(Error::file("create", spool))?;
        let path = prepare(&Preparing {
            source: self,
            options,
            spool,
        })?;
        let about = fs::metadata(&path).map_err(Error::file("open", &path))?;
        self.prepared = Some(Prepared {
            path,
            bytes: about.len(),
        });
        Ok(())
    }

    /// Whether it is a copy of standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.files.first().is_some_and(SourceFile::is_copy)
    }

    /// The file; of a run of files, the first.
    pub(crate) fn path(&self) -> &Path {
        self.files.first().map_or(Path::new(""), |file| &file.path)
    }

    fn takes(&self, format: Format) -> bool {
        self.format == format && format.entry().files == Files::AreRecords
    }
}

#[cfg(test)]
mod tests;
