//! The formats: one line each in [`FORMATS`]. A new format is a file in `read/`, one in `write/` unless it shares one,
//! and a line here.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::Error;
use crate::read::compression::Codec;
use crate::read::{self, Open};

/// What is in a file: JSON Lines, CSV…
#[derive(Clone, Copy)]
pub struct Format(&'static Entry);

pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) extensions: &'static [&'static str],
    pub(crate) files: Files,
    pub(crate) open: Open,
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
    Entry { name: "jsonl", extensions: &["jsonl", "ndjson", "json-lines", "json"], files: Files::HoldRecords, open: read::jsonl::open },
];

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

    /// The format of files in a folder whose names do not say it.
    pub(crate) fn of_unknown() -> Format {
        Format(&FORMATS[FORMATS.len() - 1])
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
