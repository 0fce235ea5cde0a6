//! The XML dump of a MediaWiki: an article is a record. In comes a block of articles as [`convert`] has written them, out
//! come the wanted fields of each.
//!
//! | field | |
//! |---|---|
//! | `id`, `namespace` | of the page, numbers |
//! | `title` | of the page |
//! | `date` | of the last revision with text |
//! | `text` | prose as plain text, a block a line |
//! | `references` | citations, notes and lists of literature, one per line |
//! | `headings` | one per line |

mod convert;
pub(crate) mod dump;
mod redirect;
mod site;
mod wikitext;

use super::compression::Stream;
use super::converted::{self, Cells};
use super::{Cut, Opening};
use crate::error::Error;
use crate::format::{Entry, XML, Xml};
use crate::input::{InputOptions, Source};
use crate::write;
use lookalike_kernel::record::Record;
use site::Site;

pub(crate) static FORMAT: Entry = Entry {
    extensions: &[XML],
    xml: Some(Xml {
        root: "mediawiki",
        beside: &[],
    }),
    has_block_lines: true,
    prepare: Some(convert::prepare),
    ..Entry::new("mediawiki", open, write::pages::start)
};

/// What the head of a dump says.
fn site_of(source: &Source, options: &InputOptions) -> Result<Site, Error> {
    Site::read(&mut Stream::open_text(source.path(), options)?)
}

/// The address that titles of articles follow on the wiki itself, if this is a dump that states it.
pub(crate) fn address(source: &Source, options: &InputOptions) -> Option<String> {
    is_dump(source).then(|| site_of(source, options).ok()?.address)?
}

/// Opens the articles of a dump.
fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    converted::open(opening, Articles)
}

/// Whether a source is a dump, which may have all revisions of its pages.
pub(crate) fn is_dump(source: &Source) -> bool {
    source.format.name() == FORMAT.name && source.fault.is_none()
}

/// Tells the revisions of the pages at wanted lines of a dump, the oldest of each first, as the records that they would be.
pub(crate) fn revisions(
    opening: &Opening<'_>,
    is_wanted: &dyn Fn(u64) -> bool,
    each: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let decoder = converted::decoder(opening, Articles)?;
    convert::revisions(opening, &decoder, is_wanted, each)
}

struct Articles;

impl Cells for Articles {
    const RECORDS: &'static str = "articles";

    const FIELDS: &'static [(&'static str, bool)] = &[
        ("id", true),
        ("namespace", true),
        ("date", false),
        ("title", false),
        ("text", false),
        ("references", false),
        ("headings", false),
    ];

    fn add_text(&self, _field: &str, cell: &str, _scratch: &mut String, texts: &mut String) {
        convert::read_cell(cell, texts);
    }

    fn reason(&self, cell: &str) -> String {
        let mut reason = String::new();
        convert::read_cell(cell, &mut reason);
        reason
    }
}
