//! Plain text: a file is a record. In comes what is in a file, out comes its text.

use std::sync::Arc;

use super::files::{self, Contents};
use super::records::{BYTE_ORDER_MARK, invalid_utf8};
use super::web::binary_kind;
use super::{Cut, Opening};
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
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let text = simdutf8::basic::from_utf8(bytes).map_err(|_| match binary_kind(bytes) {
            Some(kind) => format!("this is {kind}, not text; convert it to plain text or HTML"),
            None => invalid_utf8(bytes),
        })?;
        tell(&self.values(text));
        Ok(())
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
