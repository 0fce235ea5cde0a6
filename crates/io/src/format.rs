//! The formats: one line each in [`FORMATS`]. A new format is a file in `read/`, one in `write/` unless it shares one,
//! and a line here.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::Error;
use crate::read::compression::Codec;
use crate::read::{self, Open};
use crate::write::{self, Start};

/// What is in a file: JSON Lines, CSV…
#[derive(Clone, Copy)]
pub struct Format(&'static Entry);

pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) extensions: &'static [&'static str],
    /// The bytes a file starts with, where the format has such.
    pub(crate) magic: &'static [u8],
    pub(crate) files: Files,
    pub(crate) open: Open,
    pub(crate) clean: Start,
}

/// How many records a file of the format holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Files {
    /// Many: each file is a source.
    HoldRecords,
    /// One: neighbouring files together are a source.
    AreRecords,
}

#[rustfmt::skip]
static FORMATS: &[Entry] = &[
    Entry { name: "jsonl", extensions: &["jsonl", "ndjson", "json-lines", "json"], magic: b"", files: Files::HoldRecords, open: read::jsonl::open, clean: write::raw::start },
    Entry { name: "text", extensions: &["txt", "md", "text"], magic: b"", files: Files::AreRecords, open: read::text::open, clean: write::text::start },
    Entry { name: "csv", extensions: &["csv"], magic: b"", files: Files::HoldRecords, open: read::csv::open, clean: write::raw::start_csv },
    Entry { name: "tsv", extensions: &["tsv", "tab"], magic: b"", files: Files::HoldRecords, open: read::csv::open_tabs, clean: write::raw::start_tsv },
    Entry { name: "parquet", extensions: &["parquet", "pq"], magic: b"PAR1", files: Files::HoldRecords, open: read::parquet::open, clean: write::parquet::start },
];

/// What has no name is one of these two.
const JSON_LINES: usize = 0;
const TEXT: usize = 1;

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Format> {
        FORMATS.iter().map(Format)
    }

    /// Its name, as `--format` takes it.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The format that a file's name says, under any compression: `pages.jsonl.gz` is JSON Lines.
    pub fn of_path(path: &Path) -> Option<Format> {
        let bare = Codec::strip_extension(path);
        let extension = bare.extension()?.to_str()?.to_ascii_lowercase();
        Format::all().find(|format| format.0.extensions.contains(&extension.as_str()))
    }

    /// The format of a file in a folder whose name does not say it.
    pub(crate) fn of_unnamed() -> Format {
        Format(&FORMATS[TEXT])
    }

    /// The format of content without a name, by its first bytes.
    pub(crate) fn of_content(first: &[u8]) -> Format {
        let magic = FORMATS
            .iter()
            .find(|entry| !entry.magic.is_empty() && first.starts_with(entry.magic));
        Format(magic.unwrap_or(&FORMATS[JSON_LINES]))
    }

    pub(crate) fn entry(self) -> &'static Entry {
        self.0
    }

    /// The names of all formats, for messages.
    pub(crate) fn names() -> String {
        Format::all()
            .map(Format::name)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Format::all()
            .find(|format| format.name() == name)
            .ok_or_else(|| Error::NoSuchFormat {
                name: name.to_owned(),
                formats: Format::names(),
            })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.name())
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}
