//! Pages of the web: a file of HTML is a record. In comes what is in a file, out come the fields of the page.

use std::sync::Arc;

use memchr::memmem;

use super::files::{self, Contents};
use super::html::{self, PageOptions};
use super::records::BYTE_ORDER_MARK;
use super::{Cut, Opening, places};
use crate::error::Error;
use crate::format::{Entry, Files, Xml};
use crate::write;
use lookalike_kernel::record::{Need, Value, Wanted, missing_field};

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["html", "htm", "xhtml"],
    begins: Some(begins_page),
    xml: Some(Xml {
        root: "html",
        beside: &[],
    }),
    files: Files::AreRecords,
    has_block_lines: true,
    ..Entry::new("html", open, write::text::start)
};

/// The fields of a page.
const FIELDS: [&str; 4] = ["title", "text", "language", "url"];

/// Whether these are the first bytes of a page, perhaps after comments: what says that it is HTML.
fn begins_page(first: &[u8]) -> bool {
    let mut rest = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first);
    loop {
        rest = rest.trim_ascii_start();
        let (begin, end): (&[u8], &[u8]) = match rest {
            [b'<', b'!', b'-', b'-', ..] => (b"<!--", b"-->"),
            [b'<', b'?', b'x', b'm', b'l', ..] => (b"<?xml", b"?>"),
            _ => break,
        };
        match memmem::find(&rest[begin.len()..], end) {
            Some(at) => rest = &rest[begin.len() + at + end.len()..],
            None => return false,
        }
    }
    let begins = |mark: &[u8]| {
        let (begin, after) = rest.split_at_checked(mark.len()).unwrap_or_default();
        let is_word = after.first().is_some_and(u8::is_ascii_alphanumeric);
        begin.eq_ignore_ascii_case(mark) && !is_word
    };
    begins(b"<!doctype html") || begins(b"<html")
}

/// Opens a run of HTML files.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let pages = Pages {
        wanted: Arc::clone(opening.wanted),
        places: places(opening, &FIELDS),
        options: PageOptions::of(opening.options),
    };
    Ok(files::open(opening, pages))
}

struct Pages {
    wanted: Arc<Wanted>,
    /// Of each wanted field, the place in [`FIELDS`].
    places: Vec<Option<usize>>,
    options: PageOptions,
}

impl Contents for Pages {
    fn read(&self, bytes: &[u8], tell: &mut dyn FnMut(&[Value<'_>])) -> Result<(), String> {
        not_binary(bytes)?;
        let page = html::page(&html::decode(bytes, None), self.options);
        let fields = [
            Value::Text(&page.title),
            Value::Text(&page.text),
            optional(page.language.as_deref()),
            optional(page.url.as_deref()),
        ];
        tell(&choose(&self.wanted, &self.places, &fields, &FIELDS[..2])?);
        Ok(())
    }

    fn fields(&self) -> Option<Vec<String>> {
        Some(FIELDS.map(str::to_owned).to_vec())
    }
}

/// A value that may be missing.
pub(super) fn optional(value: Option<&str>) -> Value<'_> {
    value.map_or(Value::Missing, Value::Text)
}

/// The values of the wanted fields, given those of all, and the names of those that are always there.
pub(super) fn choose<'a>(
    wanted: &Wanted,
    places: &[Option<usize>],
    values: &[Value<'a>],
    always: &[&str],
) -> Result<Vec<Value<'a>>, String> {
    let fields = wanted.fields.iter().zip(places);
    fields
        .map(
            |(field, place)| match place.map_or(Value::Missing, |place| values[place]) {
                Value::Missing if field.need == Need::Text => {
                    Err(missing_field(&field.name, always))
                }
                Value::Text("") if field.need == Need::Optional => Ok(Value::Missing),
                value => Ok(value),
            },
        )
        .collect()
}

/// Refuses what only pretends to be text.
pub(super) fn not_binary(bytes: &[u8]) -> Result<(), String> {
    match binary_kind(bytes) {
        Some(kind) => Err(format!("this is {kind}, not a page")),
        None => Ok(()),
    }
}

/// What is by its first bytes no text.
pub(crate) fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("a PDF file"),
        [b'{', b'\\', b'r', b't', b'f', ..] => Some("an RTF file"),
        [0x89, b'P', b'N', b'G', ..]
        | [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..]
        | [0xff, 0xd8, 0xff, ..] => Some("an image"),
        [b'P', b'K', 3, 4, ..] => Some("a ZIP archive or an office document"),
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ..] => {
            Some("an old office document (.doc, .xls, .ppt or .msg)")
        }
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some("an xz archive"),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some("a 7z archive"),
        [b'R', b'a', b'r', b'!', 0x1a, 0x07, ..] => Some("a RAR archive"),
        [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0, ..] => Some("an Arrow file"),
        [0x7f, b'E', b'L', b'F', ..] => Some("a program"),
        _ if bytes.starts_with(b"SQLite format 3\0") => Some("an SQLite database"),
        _ if bytes.get(TAR_MARK) == Some(b"ustar") => Some("a tar archive"),
        _ => None,
    }
}

/// Where the header of a tar archive says what it is.
const TAR_MARK: std::ops::Range<usize> = 257..262;
