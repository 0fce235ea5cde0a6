//! The formats: one line each in [`FORMATS`]. A new format is a file in `read/`, one in `write/` unless it shares one,
//! and a line here.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::Error;
use crate::read::compression::Codec;
use crate::read::{self, Open, Prepare, lines, mediawiki, stackexchange, warc, web};
use crate::write::{self, Start};

/// What is in a file: JSON Lines, CSV…
#[derive(Clone, Copy)]
pub struct Format(&'static Entry);

pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) extensions: &'static [&'static str],
    /// The bytes a file starts with, where the format has such.
    pub(crate) magic: &'static [u8],
    /// The XML a file holds, where the format is XML.
    pub(crate) xml: Option<Xml>,
    pub(crate) files: Files,
    /// Where a file must be made into another before it is read.
    pub(crate) prepare: Option<Prepare>,
    pub(crate) open: Open,
    pub(crate) clean: Start,
}

/// How one XML format is told from the others.
pub(crate) struct Xml {
    pub(crate) root: &'static str,
    /// The roots of files that belong with it and hold no records.
    pub(crate) beside: &'static [&'static str],
}

/// How many records a file of the format holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Files {
    /// Many: each file is a source.
    HoldRecords,
    /// One: neighbouring files together are a source.
    AreRecords,
}

// Of formats with one ending in common, the first is what a name means.
#[rustfmt::skip]
static FORMATS: &[Entry] = &[
    Entry { name: "jsonl", extensions: &["jsonl", "ndjson", "json-lines", "json"], magic: b"", xml: None, files: Files::HoldRecords, prepare: None, open: read::jsonl::open, clean: write::raw::start },
    Entry { name: "text", extensions: &["txt", "md", "text"], magic: b"", xml: None, files: Files::AreRecords, prepare: None, open: read::text::open, clean: write::text::start },
    Entry { name: "csv", extensions: &["csv"], magic: b"", xml: None, files: Files::HoldRecords, prepare: None, open: read::csv::open, clean: write::raw::start_csv },
    Entry { name: "tsv", extensions: &["tsv", "tab"], magic: b"", xml: None, files: Files::HoldRecords, prepare: None, open: read::csv::open_tabs, clean: write::raw::start_tsv },
    Entry { name: "parquet", extensions: &["parquet", "pq"], magic: b"PAR1", xml: None, files: Files::HoldRecords, prepare: None, open: read::parquet::open, clean: write::parquet::start },
    Entry { name: lines::NAME, extensions: &["lines", "txt", "md", "text"], magic: b"", xml: None, files: Files::HoldRecords, prepare: None, open: lines::open, clean: write::raw::start },
    Entry { name: web::NAME, extensions: &["html", "htm", "xhtml"], magic: b"", xml: Some(HTML), files: Files::AreRecords, prepare: None, open: web::open, clean: write::text::start },
    Entry { name: warc::NAME, extensions: &["warc", "wet"], magic: warc::MAGIC, xml: None, files: Files::HoldRecords, prepare: None, open: warc::open, clean: write::warc::start },
    Entry { name: stackexchange::NAME, extensions: &[XML], magic: b"", xml: Some(STACK_EXCHANGE), files: Files::HoldRecords, prepare: Some(stackexchange::prepare), open: stackexchange::open, clean: write::posts::start },
    Entry { name: mediawiki::NAME, extensions: &[XML], magic: b"", xml: Some(MEDIA_WIKI), files: Files::HoldRecords, prepare: Some(mediawiki::prepare), open: mediawiki::open, clean: write::pages::start },
];

const HTML: Xml = Xml {
    root: "html",
    beside: &[],
};

const MEDIA_WIKI: Xml = Xml {
    root: "mediawiki",
    beside: &[],
};

/// A dump is a folder with a file for each table.
const STACK_EXCHANGE: Xml = Xml {
    root: "posts",
    beside: &[
        "badges",
        "comments",
        "posthistory",
        "postlinks",
        "tags",
        "users",
        "votes",
    ],
};

/// The ending of files whose root element says what they are.
const XML: &str = "xml";

/// What has no name is one of these.
const JSON_LINES: usize = 0;
const TEXT: usize = 1;
const LINES: usize = 5;

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Format> {
        FORMATS.iter().map(Format)
    }

    /// Its name, as `--format` takes it.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Whether every paragraph of a text is one line.
    pub fn has_block_lines(self) -> bool {
        [lines::NAME, mediawiki::NAME, warc::NAME, web::NAME].contains(&self.name())
    }

    /// The format that a file's name says, under any compression: `pages.jsonl.gz` is JSON Lines. None for XML, where
    /// the root element says it.
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = extension(path)?;
        let known = extension != XML;
        Format::all().find(|format| known && format.has(&extension))
    }

    /// Whether a file's name says that it is XML.
    pub(crate) fn is_xml(path: &Path) -> bool {
        extension(path).is_some_and(|extension| extension == XML)
    }

    /// The XML format with that root element.
    pub(crate) fn of_root(root: &str) -> Option<Format> {
        Format::all().find(|format| {
            format
                .0
                .xml
                .as_ref()
                .is_some_and(|xml| xml.root.eq_ignore_ascii_case(root))
        })
    }

    /// What the name of a file that is to be written in this format says instead.
    pub(crate) fn says_other(self, path: &Path) -> Option<String> {
        let extension = extension(path)?;
        if self.has(&extension) {
            return None;
        }
        let others: Vec<_> = Format::all()
            .filter(|format| format.has(&extension))
            .map(Format::name)
            .collect();
        (!others.is_empty()).then(|| others.join(" or "))
    }

    fn has(self, extension: &str) -> bool {
        self.0.extensions.contains(&extension)
    }

    pub(crate) fn json_lines() -> Format {
        Format(&FORMATS[JSON_LINES])
    }

    /// A file is a record.
    pub(crate) fn text() -> Format {
        Format(&FORMATS[TEXT])
    }

    /// A line is a record.
    pub(crate) fn lines() -> Format {
        Format(&FORMATS[LINES])
    }

    /// The format that the first bytes of a file say.
    pub(crate) fn of_magic(first: &[u8]) -> Option<Format> {
        let has = |entry: &&Entry| !entry.magic.is_empty() && first.starts_with(entry.magic);
        FORMATS.iter().find(has).map(Format)
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

    /// The XML formats with their root elements, for messages.
    pub(crate) fn xml_names() -> String {
        let name = |entry: &Entry| {
            let root = entry.xml.as_ref()?.root;
            Some(format!("{} (<{root}>)", entry.name))
        };
        FORMATS
            .iter()
            .filter_map(name)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The extension of a file's name, without that of its compression.
fn extension(path: &Path) -> Option<String> {
    let bare = Codec::strip_extension(path);
    Some(bare.extension()?.to_str()?.to_ascii_lowercase())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_where_they_are_looked_for() {
        let names = [Format::json_lines(), Format::text(), Format::lines()].map(Format::name);
        assert_eq!(names, ["jsonl", "text", "lines"]);
    }

    #[test]
    fn a_file_of_lines_may_have_the_name_of_a_text() {
        assert_eq!(Format::of_path(Path::new("a.txt.gz")), Some(Format::text()));
        assert_eq!(
            Format::of_path(Path::new("a.lines.zst")),
            Some(Format::lines())
        );
        assert_eq!(Format::lines().says_other(Path::new("a.txt")), None);
        let says = |format: Format, path: &str| format.says_other(Path::new(path)).unwrap();
        assert_eq!(says(Format::text(), "a.lines"), "lines");
        assert_eq!(says(Format::lines(), "a.csv"), "csv");
    }
}
