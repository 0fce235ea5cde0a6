//! The XML dump of a MediaWiki: an article is a record. In comes a block of articles as [`convert`] has written them, out
//! come the wanted fields of each.
//!
//! | field | |
//! |---|---|
//! | `id`, `namespace` | of the page, numbers |
//! | `title` | of the page |
//! | `date` | of the last revision with text |
//! | `text` | prose as plain text, a block a line |
//! | `references` | citations, notes and lists of literature, one a line |
//! | `headings` | one a line |

mod convert;
pub(crate) mod dump;
mod redirect;
mod site;
mod wikitext;

use std::sync::Arc;

use super::compression::Stream;
use super::converted::{self, Converted};
use super::{Cut, Decode, Each, Opening, Want};
use crate::block::Block;
use crate::error::Error;
use crate::input::{InputOptions, Source};
pub(crate) use convert::prepare;
use lookalike_kernel::record::{Need, Value, Wanted};
use site::Site;

/// The format's name.
pub(crate) const NAME: &str = "mediawiki";

/// The fields in the order of the cells in a line, after the line's number, and whether each is a number.
const FIELDS: [(&str, bool); 7] = [
    ("id", true),
    ("namespace", true),
    ("date", false),
    ("title", false),
    ("text", false),
    ("references", false),
    ("headings", false),
];
const CELLS: usize = FIELDS.len() + 1;

/// What the head of a dump says.
fn site_of(source: &Source, options: &InputOptions) -> Result<Site, Error> {
    Site::read(&mut Stream::open_xml(source.path(), options)?)
}

/// Opens the articles of a dump.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let decoder = Articles {
        name: opening.source.name.clone(),
        places: converted::places(opening, &FIELDS.map(|(field, _)| field))?,
        wanted: Arc::clone(opening.wanted),
    };
    converted::open(opening, decoder)
}

struct Articles {
    name: String,
    wanted: Arc<Wanted>,
    /// Of each wanted field, the place in [`FIELDS`].
    places: Vec<Option<usize>>,
}

impl Decode for Articles {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let converted = Converted {
            name: &self.name,
            what: "articles",
            reason: |cell| {
                let mut reason = String::new();
                convert::read_cell(cell, &mut reason);
                reason
            },
        };
        let mut texts = String::new();
        converted.decode(block, (want, each), &mut |cells: &[&str; CELLS], take| {
            take(&self.values(cells, &mut texts));
        })
    }

    fn raw(&self, block: &Block, each: &mut dyn FnMut(u32, &[u8])) {
        converted::raw(block, each);
    }
}

impl Articles {
    fn values<'a>(&self, cells: &[&str; CELLS], texts: &'a mut String) -> Vec<Value<'a>> {
        texts.clear();
        let found: Vec<_> = self
            .places
            .iter()
            .map(|place| {
                let begin = texts.len();
                if let Some(place) = *place {
                    convert::read_cell(cells[place + 1], texts);
                }
                (begin, texts.len())
            })
            .collect();
        let texts = &*texts;
        let fields = self.wanted.fields.iter().zip(&self.places);
        fields
            .zip(found)
            .map(|((field, place), (begin, end))| {
                let text = &texts[begin..end];
                match (field.need, place.map(|place| FIELDS[place].1)) {
                    (Need::Text, _) => Value::Text(text),
                    (Need::Optional, _) if text.is_empty() => Value::Missing,
                    (Need::Optional, Some(true)) => Value::Number(text),
                    (Need::Optional, _) => Value::Text(text),
                }
            })
            .collect()
    }
}
