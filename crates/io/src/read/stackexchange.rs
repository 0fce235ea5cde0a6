//! The `Posts.xml` of a Stack Exchange data dump: a thread is a record, that is, a question with its accepted or best
//! answer. In comes a block of threads as [`convert`] has written them, out come the wanted fields of each.
//!
//! | field | |
//! |---|---|
//! | `id` | the question's, a number |
//! | `title`, `body` | of the question, as plain text |
//! | `answer` | the accepted one, else the one with the best score, as plain text |
//! | `score`, `views` | of the question, numbers |
//! | `answers` | how many answers to it there are, a number |
//! | `accepted` | 1 if the answer is the accepted one, else 0 |
//! | `date` | when it was asked |
//! | `tags` | with spaces between |

mod choose;
mod convert;
mod parts;
pub(crate) mod posts;
#[cfg(test)]
mod tests;

use super::converted::{self, Cells};
use super::html;
use super::xml::unescape;
use super::{Cut, Opening};
use crate::error::Error;
use crate::format::{Entry, XML, Xml};
use crate::write;
use lookalike_engine::AnswerFields;
use lookalike_kernel::CodeBlocks;

pub(crate) static FORMAT: Entry = Entry {
    extensions: &[XML],
    xml: Some(DUMP),
    prepare: Some(convert::prepare),
    answers: Some(AnswerFields {
        count: "answers",
        chosen: "answer",
    }),
    ..Entry::new("stackexchange", open, write::posts::start)
};

/// A dump is a folder with a file for each table.
const DUMP: Xml = Xml {
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

/// Opens the threads of a dump.
fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let code = opening.options.code;
    converted::open(opening, Threads { code })
}

struct Threads {
    code: CodeBlocks,
}

impl Cells for Threads {
    const RECORDS: &'static str = "threads";

    const FIELDS: &'static [(&'static str, bool)] = &[
        ("id", true),
        ("score", true),
        ("views", true),
        ("date", false),
        ("tags", false),
        ("title", false),
        ("body", false),
        ("answers", true),
        ("accepted", true),
        ("answer", false),
    ];

    fn add_text(&self, field: &str, cell: &str, scratch: &mut String, texts: &mut String) {
        match field {
            // `<a><b>` or `|a|b|`.
            "tags" => {
                unescape(cell, scratch);
                let tags = scratch.split(['<', '>', '|']);
                let tags: Vec<&str> = tags.filter(|tag| !tag.is_empty()).collect();
                texts.push_str(&tags.join(" "));
            }
            "body" | "answer" => {
                unescape(cell, scratch);
                html::to_text(scratch, self.code, texts);
            }
            _ => unescape(cell, texts),
        }
    }

    fn reason(&self, cell: &str) -> String {
        cell.to_string()
    }
}
