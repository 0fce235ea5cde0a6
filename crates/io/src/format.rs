//! The formats: one line each in [`FORMATS`]. A new format is a file in `read/`, which says all of it in an [`Entry`], one
//! in `write/` unless it shares one, and a line here.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use lookalike_engine::AnswerFields;

use crate::error::Error;
use crate::read::compression::Codec;
use crate::read::{
    Open, Prepare, csv, eml, jsonl, lines, mbox, mediawiki, parquet, refused, stackexchange, text,
    warc, web,
};
use crate::write::Start;

/// What is in a file: JSON Lines, CSV…
#[derive(Clone, Copy)]
pub struct Format(&'static Entry);

/// What a format says of itself.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) extensions: &'static [&'static str],
    /// The bytes a file starts with, where the format has such.
    pub(crate) magic: &'static [u8],
    /// Whether a file with these first bytes is of the format, where more than a magic number says it.
    pub(crate) begins: Option<fn(&[u8]) -> bool>,
    /// The XML a file holds, where the format is XML.
    pub(crate) xml: Option<Xml>,
    pub(crate) files: Files,
    /// Where records carry answers of which one is read.
    pub(crate) answers: Option<AnswerFields>,
    /// The field in which two records must agree for one to stand for the other, whatever is compared of them.
    pub(crate) apart_by: Option<&'static str>,
    /// Whether every paragraph of a text is one line.
    pub(crate) has_block_lines: bool,
    /// Whether files are compressed within, so that a file's name has no ending of a compression.
    pub(crate) compresses_within: bool,
    /// Where a file must be made into another before it is read.
    pub(crate) prepare: Option<Prepare>,
    pub(crate) open: Open,
    pub(crate) clean: Start,
}

impl Entry {
    /// A format of files that hold many records and are read as they are.
    pub(crate) const fn new(name: &'static str, open: Open, clean: Start) -> Entry {
        Entry {
            name,
            extensions: &[],
            magic: b"",
            begins: None,
            xml: None,
            files: Files::HoldRecords,
            answers: None,
            apart_by: None,
            has_block_lines: false,
            compresses_within: false,
            prepare: None,
            open,
            clean,
        }
    }
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

/// Of formats with one ending in common, the first is what a name means.
static FORMATS: &[&Entry] = &[
    &jsonl::FORMAT,
    &text::FORMAT,
    &csv::COMMAS,
    &csv::TABS,
    &parquet::FORMAT,
    &lines::FORMAT,
    &web::FORMAT,
    &warc::FORMAT,
    &stackexchange::FORMAT,
    &mediawiki::FORMAT,
    &mbox::FORMAT,
    &eml::FORMAT,
];

/// The ending of files whose root element says what they are.
pub(crate) const XML: &str = "xml";

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Format> {
        FORMATS.iter().copied().map(Format)
    }

    /// Its name, as `--format` takes it.
    pub fn name(self) -> &'static str {
        self.0.name
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
        let has = |xml: &Xml| xml.root.eq_ignore_ascii_case(root);
        Format::all().find(|format| format.0.xml.as_ref().is_some_and(has))
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
        Format(&jsonl::FORMAT)
    }

    /// A file is a record.
    pub(crate) fn text() -> Format {
        Format(&text::FORMAT)
    }

    /// A line is a record.
    pub(crate) fn lines() -> Format {
        Format(&lines::FORMAT)
    }

    /// A file is a mail.
    pub(crate) fn mail() -> Format {
        Format(&eml::FORMAT)
    }

    /// Not to be read.
    pub(crate) fn refused() -> Format {
        Format(&refused::FORMAT)
    }

    /// The format that the first bytes of a file say.
    pub fn of_beginning(first: &[u8]) -> Option<Format> {
        let has = |entry: &Entry| {
            let by_magic = !entry.magic.is_empty() && first.starts_with(entry.magic);
            by_magic || entry.begins.is_some_and(|begins| begins(first))
        };
        Format::all().find(|format| has(format.0))
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
        let name = |format: Format| {
            let root = format.0.xml.as_ref()?.root;
            Some(format!("{format} (<{root}>)"))
        };
        Format::all()
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
