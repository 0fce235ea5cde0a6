//! Plain text: a file is a record. In comes what is in a file, out comes its text.

use std::borrow::Cow;
use std::sync::Arc;

use super::files::{self, Contents};
use super::records::{BYTE_ORDER_MARK, invalid_utf8};
use super::web::binary_kind;
use super::{Cut, Opening, html};
use crate::error::Error;
use crate::format::{Entry, Files};
use crate::write;
use lookalike_kernel::record::{Value, Wanted};

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["txt", "md", "text"],
    files: Files::AreRecords,
    ..Entry::new("text", open, write::text::start)
};

/// Opens a run of text files.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let wanted = Arc::clone(opening.wanted);
    Ok(files::open(opening, Documents { wanted }))
}

struct Documents {
    wanted: Arc<Wanted>,
}

impl Contents for Documents {
    fn read(&self, bytes: &[u8], tell: &mut dyn FnMut(&[Value<'_>])) -> Result<(), String> {
        if let Some(kind) = binary_kind(bytes) {
            return Err(format!(
                "this is {kind}, not text; unpack it, or convert it to plain text or HTML"
            ));
        }
        tell(&self.values(&decode(bytes)?));
        Ok(())
    }
}

/// The text of a file: UTF-8, UTF-16 with a byte order mark, or what its bytes are most likely to be. What has control
/// characters then is no text, or in no encoding that can be guessed.
fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    let marked = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if let Ok(text) = simdutf8::basic::from_utf8(marked) {
        return Ok(Cow::Borrowed(text));
    }
    let text = html::decode_plain(bytes, None);
    let is_odd =
        |c: char| c == char::REPLACEMENT_CHARACTER || (c.is_control() && !c.is_whitespace());
    match text.contains(is_odd) {
        true => Err(invalid_utf8(marked)),
        false => Ok(text),
    }
}

impl Documents {
    /// A file has no fields but its text.
    fn values<'a>(&self, text: &'a str) -> Vec<Value<'a>> {
        let mut values = vec![Value::Missing; self.wanted.fields.len()];
        if let Some(place) = self.wanted.text_place() {
            values[place] = Value::Text(text);
        }
        values
    }
}
