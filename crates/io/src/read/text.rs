//! Plain text: a file is a record. In comes what is in a file, out comes its text.

use std::sync::Arc;

use super::files::{self, Contents};
use super::records::{BYTE_ORDER_MARK, invalid_utf8};
use super::{Cut, Opening};
use crate::error::Error;
use crate::record::{Need, Value, Wanted};

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
        let text = simdutf8::basic::from_utf8(bytes).map_err(|_| invalid_utf8(bytes))?;
        if memchr::memchr(0, bytes).is_some() {
            return Err("the text contains a NUL character; is it a binary file?".to_owned());
        }
        tell(&self.values(text));
        Ok(())
    }
}

impl Documents {
    /// The first field that must be a text is the file's; it has no others.
    fn values<'a>(&self, text: &'a str) -> Vec<Value<'a>> {
        let fields = &self.wanted.fields;
        let first_text = fields.iter().position(|field| field.need == Need::Text);
        (0..fields.len())
            .map(|at| {
                if Some(at) == first_text {
                    Value::Text(text)
                } else {
                    Value::Missing
                }
            })
            .collect()
    }
}
