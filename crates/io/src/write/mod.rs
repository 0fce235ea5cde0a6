//! The cleaned corpus: the input without the records that were removed, in the input's own format.
//!
//! In come the blocks of a pass over the input, and for every slot whether it stays; out comes a file for one input
//! file, a folder of the same names for more. All is written beside its destination under a hidden name and renamed
//! when it is whole; dropped before that, it leaves nothing behind.
//!
//! ```
//! use lookalike_io::{Block, CleanWriter, Input, InputOptions, Reader, Replaceable, Wanted};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let (file, clean) = (folder.path().join("all.jsonl"), folder.path().join("clean.jsonl"));
//! std::fs::write(&file, "{\"text\": \"eins\"}\n{\"text\": \"eins\"}\n{\"text\": \"二\"}\n")?;
//!
//! let input = Input::resolve(&[file.to_string_lossy()], &InputOptions::default(), folder.path())?;
//! let mut reader = Reader::new(&input, &Wanted::default());
//! let replaceable = Replaceable::new(folder.path(), folder.path().join("journal"));
//! let mut writer = CleanWriter::new(&input, &clean, &replaceable)?;
//! let mut block = Block::default();
//! while reader.next_block(&mut block)? {
//!     writer.write(&block, &mut |slot| slot != 1)?;
//! }
//! writer.finish()?;
//! assert_eq!(std::fs::read_to_string(&clean)?, "{\"text\": \"eins\"}\n{\"text\": \"二\"}\n");
//! # Ok(())
//! # }
//! ```

pub(crate) mod annotated;
mod dump;
mod encoder;
pub(crate) mod output_file;
pub(crate) mod pages;
pub(crate) mod parquet;
pub(crate) mod partial;
pub(crate) mod posts;
pub(crate) mod raw;
pub(crate) mod refused;
pub(crate) mod replaceable;
pub(crate) mod results;
pub(crate) mod text;
pub(crate) mod warc;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::block::Block;
use crate::error::Error;
use crate::input::{Input, InputOptions, Source, maildir};
use crate::read::compression::Codec;
use output_file::{check_output, is_stream};
use partial::Partial;
use replaceable::Replaceable;

/// Asked for every slot: does its record stay?
pub(crate) type Keep<'a> = &'a mut dyn FnMut(u32) -> bool;

/// Begins the cleaned copy of one source.
pub(crate) type Start = for<'a> fn(&Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error>;

/// The cleaned copy of one source.
pub(crate) trait Clean: Send {
    /// Writes the records of a block that stay.
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error>;

    /// Writes what is left.
    fn finish(self: Box<Self>) -> Result<(), Error>;
}

/// What a format needs to know to write a source's copy.
pub(crate) struct Cleaning<'a> {
    pub(crate) source: &'a Source,
    pub(crate) options: &'a InputOptions,
    pub(crate) names: Names<'a>,
}

impl Cleaning<'_> {
    /// Where the copy of a source that is one file goes.
    fn path(&self) -> PathBuf {
        self.names.of(self.source.path())
    }
}

/// Where the copies go.
#[derive(Clone)]
pub(crate) struct Names<'a> {
    input: &'a Input,
    /// The file or folder, still under its hidden name.
    root: PathBuf,
    is_folder: bool,
}

impl Names<'_> {
    /// Where the copy of an input file goes.
    pub(crate) fn of(&self, path: &Path) -> PathBuf {
        match self.is_folder {
            true => self.root.join(self.input.relative(path)),
            false => self.root.clone(),
        }
    }
}

/// Writes the cleaned corpus.
pub struct CleanWriter<'i> {
    input: &'i Input,
    partial: Partial<'i>,
    is_folder: bool,
    /// The copy being written, of source `next_source - 1`.
    current: Option<Box<dyn Clean + 'i>>,
    next_source: usize,
}

impl<'i> CleanWriter<'i> {
    /// Prepares to write to `destination`: a folder if the input is several files, or if the destination is the name of one; else a
    /// file.
    pub fn new(
        input: &'i Input,
        destination: &Path,
        replaceable: &'i Replaceable,
    ) -> Result<Self, Error> {
        let is_folder = is_folder(input, destination);
        check_destination(input, destination, is_folder)?;
        let partial = match is_folder {
            true => Partial::folder(destination, replaceable)?,
            false => Partial::file(destination, replaceable)?,
        };
        Ok(Self {
            input,
            partial,
            is_folder,
            current: None,
            next_source: 0,
        })
    }

    /// Writes the records of `block` that `keep` wants, asked for every slot in order. Blocks come in input order.
    pub fn write(&mut self, block: &Block, keep: &mut dyn FnMut(u32) -> bool) -> Result<(), Error> {
        let source = block.place.part as usize;
        self.start_up_to(source + 1)?;
        match &mut self.current {
            Some(current) if self.next_source == source + 1 => current.write(block, keep),
            _ => Err(Error::Internal(
                "blocks of a cleaned corpus came out of order".to_owned(),
            )),
        }
    }

    /// Completes the corpus and puts it in its place.
    pub fn finish(mut self) -> Result<(), Error> {
        self.start_up_to(self.input.sources.len())?;
        self.finish_current()?;
        if self.is_folder {
            self.make_maildirs()?;
        }
        self.partial.complete()
    }

    /// A Maildir is none without all of its folders, also those without a mail.
    fn make_maildirs(&self) -> Result<(), Error> {
        let mut before = None;
        for path in self.input.paths() {
            let folder = path.parent();
            if std::mem::replace(&mut before, folder) == folder {
                continue;
            }
            for folder in maildir::folders(path).into_iter().flatten() {
                let folder = self.partial.path().join(self.input.relative(&folder));
                fs::create_dir_all(&folder).map_err(Error::file("create", &folder))?;
            }
        }
        Ok(())
    }

    /// Starts copies until `count` have been started. Those without a block become empty ones.
    fn start_up_to(&mut self, count: usize) -> Result<(), Error> {
        while self.next_source < count {
            self.finish_current()?;
            let Some(source) = self.input.sources.get(self.next_source) else {
                return Err(Error::Internal(format!(
                    "no source {} to write",
                    self.next_source
                )));
            };
            let names = Names {
                input: self.input,
                root: self.partial.path().to_owned(),
                is_folder: self.is_folder,
            };
            let cleaning = Cleaning {
                source,
                options: &self.input.options,
                names,
            };
            self.current = Some((source.format.entry().clean)(&cleaning)?);
            self.next_source += 1;
        }
        Ok(())
    }

    fn finish_current(&mut self) -> Result<(), Error> {
        self.current.take().map_or(Ok(()), Clean::finish)
    }
}

/// Whether the copies go into a folder. A glob or a folder may stand for one file today and for two tomorrow.
fn is_folder(input: &Input, destination: &Path) -> bool {
    let name = destination.as_os_str().as_encoded_bytes();
    let is_named = || {
        let is_it = |path: &Path, named: &String| named == "-" || Path::new(named) == path;
        let mut paths = input.paths();
        paths.all(|path| input.arguments.iter().any(|named| is_it(path, named)))
    };
    !input.single
        || name
            .last()
            .is_some_and(|&last| std::path::is_separator(char::from(last)))
        || destination.is_dir() && !is_named()
}

/// The destination is not an input, and its name does not promise another format.
fn check_destination(input: &Input, destination: &Path, is_folder: bool) -> Result<(), Error> {
    let refuse = |cause: &str| Err(Error::output(destination, cause));
    check_output(destination, input.paths())?;
    if !input.single && is_stream(destination) {
        return refuse("several inputs make a folder of files; name one");
    }
    if is_folder {
        return check_names(input, destination);
    }
    let [Source { format, .. }] = input.sources.as_slice() else {
        return Ok(());
    };
    if destination.is_dir() {
        return refuse("it is a folder, but the input is one file; name a file");
    }
    match format.says_other(destination) {
        Some(other) => refuse(&format!(
            "its name says {other}, but the input is {format}; use an ending of that format"
        )),
        _ if format.entry().compresses_within && Codec::of_path(destination).is_some() => {
            refuse("Parquet is compressed within; leave out the compression's ending")
        }
        _ => Ok(()),
    }
}

/// No two files go by one name in the folder, nor one by the name of a folder with another.
fn check_names(input: &Input, destination: &Path) -> Result<(), Error> {
    let mut files: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    let both = |one: &Path, two: &Path, name: &Path| {
        let [one, two, name] = [one, two, name].map(Path::display);
        let cause = format!("{one} and {two} would both be {name} in it; rename one of them");
        Error::output(destination, cause)
    };
    for path in input.paths() {
        let name = input.relative(path);
        if let Some(other) = files.insert(name.clone(), path) {
            return Err(both(other, path, &name));
        }
    }
    for (name, path) in &files {
        let mut folders = name.ancestors().skip(1);
        if let Some((folder, other)) = folders.find_map(|folder| files.get_key_value(folder)) {
            return Err(both(other, path, folder));
        }
    }
    Ok(())
}
