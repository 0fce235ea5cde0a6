//! The `Posts.xml` of a Stack Exchange data dump: a thread is a record, that is, a question with its accepted or best
//! answer. In comes a block of threads as [`convert`] has written them, out come the wanted fields of each.
//!
//! | field | |
//! |---|---|
//! | `id` | the question's, a number |
//! | `title`, `body` | of the question, as plain text |
//! | `answer` | the accepted one, else the one with the best score, as plain text |
//! | `score`, `views`, `answers` | of the question, numbers |
//! | `accepted` | 1 if the answer is the accepted one, else 0 |
//! | `date` | when it was asked |
//! | `tags` | with spaces between |

mod choose;
mod convert;
mod parts;
pub(crate) mod posts;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::converted::{self, Converted};
use super::html;
use super::xml::unescape;
use super::{Cut, Decode, Each, Opening, Want};
use crate::block::Block;
use crate::error::Error;
pub(crate) use convert::prepare;
use lookalike_kernel::CodeBlocks;
use lookalike_kernel::record::{Need, Value, Wanted};

/// The format's name.
pub(crate) const NAME: &str = "stackexchange";

/// The fields in the order of the cells in a line, after the line's number.
const FIELDS: [(&str, Kind); 10] = [
    ("id", Kind::Number),
    ("score", Kind::Number),
    ("views", Kind::Number),
    ("answers", Kind::Number),
    ("date", Kind::Text),
    ("tags", Kind::Tags),
    ("title", Kind::Text),
    ("body", Kind::Html),
    ("accepted", Kind::Number),
    ("answer", Kind::Html),
];
const CELLS: usize = FIELDS.len() + 1;

/// How a field is written in a dump.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    /// `<a><b>` or `|a|b|`.
    Tags,
    Html,
}

/// Opens the threads of a dump.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let decoder = Threads {
        name: opening.source.name.clone(),
        wanted: Arc::clone(opening.wanted),
        places: converted::places(opening, &FIELDS.map(|(field, _)| field))?,
        code: opening.options.code,
    };
    converted::open(opening, decoder)
}

struct Threads {
    name: String,
    wanted: Arc<Wanted>,
    /// Of each wanted field, the place in [`FIELDS`].
    places: Vec<Option<usize>>,
    code: CodeBlocks,
}

/// Buffers for one thread, reused.
#[derive(Default)]
struct Scratch {
    /// A value without XML's references.
    value: String,
    /// All texts that are wanted.
    texts: String,
    /// Of each wanted field, where in `texts`.
    found: Vec<(usize, usize)>,
}

impl Decode for Threads {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let converted = Converted {
            name: &self.name,
            what: "threads",
            reason: str::to_string,
        };
        let mut scratch = Scratch::default();
        converted.decode(block, (want, each), &mut |cells: &[&str; CELLS], take| {
            take(&self.values(cells, &mut scratch));
        })
    }

    fn raw(&self, block: &Block, each: &mut dyn FnMut(u32, &[u8])) {
        converted::raw(block, each);
    }
}

impl Threads {
    fn values<'a>(&self, cells: &[&str; CELLS], scratch: &'a mut Scratch) -> Vec<Value<'a>> {
        scratch.texts.clear();
        scratch.found.clear();
        for place in &self.places {
            let begin = scratch.texts.len();
            if let Some(place) = *place {
                self.add_text(FIELDS[place].1, cells[place + 1], scratch);
            }
            scratch.found.push((begin, scratch.texts.len()));
        }
        let fields = self.wanted.fields.iter().zip(&self.places);
        fields
            .zip(&scratch.found)
            .map(|((field, place), &(begin, end))| {
                let text = &scratch.texts[begin..end];
                let kind = place.map(|place| FIELDS[place].1);
                match (field.need, kind) {
                    (Need::Text, _) => Value::Text(text),
                    (Need::Optional, _) if text.is_empty() => Value::Missing,
                    (Need::Optional, Some(Kind::Number)) => Value::Number(text),
                    (Need::Optional, _) => Value::Text(text),
                }
            })
            .collect()
    }

    fn add_text(&self, kind: Kind, cell: &str, scratch: &mut Scratch) {
        let Scratch { value, texts, .. } = scratch;
        value.clear();
        match kind {
            Kind::Number => texts.push_str(cell),
            Kind::Text => unescape(cell, texts),
            Kind::Tags => {
                unescape(cell, value);
                let tags: Vec<&str> = value
                    .split(['<', '>', '|'])
                    .filter(|tag| !tag.is_empty())
                    .collect();
                texts.push_str(&tags.join(" "));
            }
            Kind::Html => {
                unescape(cell, value);
                html::to_text(value, self.code, texts);
            }
        }
    }
}
