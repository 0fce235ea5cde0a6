//! A text as it is given to an index, and as it is stored.

use std::cell::RefCell;
use std::ops::Range;

use lookalike_kernel::rows::Id;
use lookalike_kernel::text::{Unit, UnitId};

/// A text, whole or made of fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    fields: Vec<Range<usize>>,
}

impl Text {
    /// A whole text.
    pub fn whole(text: impl Into<String>) -> Self {
        Text {
            text: text.into(),
            fields: Vec::new(),
        }
    }

    /// Fields in the order in which the settings name them; empty where there is none.
    pub fn of_fields(fields: &[impl AsRef<str>]) -> Self {
        let mut text = String::new();
        let mut ranges = Vec::new();
        for field in fields {
            if !ranges.is_empty() {
                text.push('\n');
            }
            let begin = text.len();
            text.push_str(field.as_ref());
            ranges.push(begin..text.len());
        }
        Text {
            text,
            fields: ranges,
        }
    }

    /// All of it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its fields, where it is made of such.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|range| &self.text[range.clone()])
    }

    pub(crate) fn unit(&self) -> Unit<'_> {
        Unit {
            fields: &self.fields,
            ..Unit::whole(UnitId::from(0), &self.text)
        }
    }
}

/// A text that is to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Its name. One that the index knows replaces what it has.
    pub id: Id,
    /// What it says.
    pub text: Text,
    /// Whether the id only says where the text was read, as `stdin:1` does. Such a text replaces no other: where the id is
    /// taken, it gets another.
    pub named_by_place: bool,
}

impl Document {
    /// A text with a name of its own.
    pub fn new(id: Id, text: Text) -> Self {
        Document {
            id,
            text,
            named_by_place: false,
        }
    }
}

/// Appends the stored form: the length of the id and of each field, the id as JSON, the text; compressed where that makes it
/// shorter.
pub(crate) fn encode(document: &Document, compressor: &mut Compressor, out: &mut Vec<u8>) {
    let plain = &mut compressor.plain;
    plain.clear();
    let id = document.id.to_string();
    let number = |number: usize| (number as u32).to_le_bytes();
    plain.extend_from_slice(&number(id.len()));
    plain.extend_from_slice(&number(document.text.fields.len()));
    for field in &document.text.fields {
        plain.extend_from_slice(&number(field.start));
        plain.extend_from_slice(&number(field.end));
    }
    plain.extend_from_slice(id.as_bytes());
    plain.extend_from_slice(document.text.text.as_bytes());
    /// Shorter ones hardly become any shorter.
    const LEAST: usize = 256;
    let compressed = match plain.len() {
        0..LEAST => None,
        _ => compressor
            .zstd
            .as_mut()
            .and_then(|zstd| zstd.compress(plain).ok()),
    };
    match compressed {
        Some(compressed) if compressed.len() + 4 < plain.len() => {
            out.push(1);
            out.extend_from_slice(&number(plain.len()));
            out.extend_from_slice(&compressed);
        }
        _ => {
            out.push(0);
            out.extend_from_slice(plain);
        }
    }
}

/// What compresses texts: one a thread.
pub(crate) struct Compressor {
    plain: Vec<u8>,
    zstd: Option<zstd::bulk::Compressor<'static>>,
}

impl Default for Compressor {
    fn default() -> Self {
        Compressor {
            plain: Vec::new(),
            zstd: zstd::bulk::Compressor::new(1).ok(),
        }
    }
}

/// What was compressed. A thread has one context for it: making one takes as long as a short text.
fn expand(compressed: &[u8], length: usize) -> Option<Vec<u8>> {
    thread_local! {
        static ZSTD: RefCell<Option<zstd::bulk::Decompressor<'static>>> =
            RefCell::new(zstd::bulk::Decompressor::new().ok());
    }
    ZSTD.with_borrow_mut(|zstd| zstd.as_mut()?.decompress(compressed, length).ok())
}

/// The stored form read back; none if it is none.
pub(crate) fn decode(stored: &[u8]) -> Option<Document> {
    let (kind, rest) = stored.split_first()?;
    let expanded;
    let plain = match kind {
        0 => rest,
        1 => {
            let (length, rest) = rest.split_first_chunk::<4>()?;
            let length = u32::from_le_bytes(*length) as usize;
            expanded = expand(rest, length)?;
            &expanded
        }
        _ => return None,
    };
    let mut numbers = plain;
    let mut number = || {
        let (number, rest) = numbers.split_first_chunk::<4>()?;
        numbers = rest;
        Some(u32::from_le_bytes(*number) as usize)
    };
    let (id_length, count) = (number()?, number()?);
    let mut fields = Vec::new();
    for _ in 0..count {
        fields.push(number()?..number()?);
    }
    let (id, text) = numbers.split_at_checked(id_length)?;
    let text = String::from_utf8(text.to_vec()).ok()?;
    if fields.iter().any(|field| text.get(field.clone()).is_none()) {
        return None;
    }
    Some(Document::new(
        Id::from_json(std::str::from_utf8(id).ok()?)?,
        Text { text, fields },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_back_as_it_was() {
        let mut compressor = Compressor::default();
        for document in [
            Document::new(Id::from(7), Text::whole("短")),
            Document::new(
                Id::from("a \"b\""),
                Text::of_fields(&["title", "", &"a long answer ".repeat(100)]),
            ),
        ] {
            let mut stored = Vec::new();
            encode(&document, &mut compressor, &mut stored);
            assert_eq!(decode(&stored).as_ref(), Some(&document));
            for end in 0..stored.len() {
                let _ = decode(&stored[..end]);
            }
        }
    }
}
