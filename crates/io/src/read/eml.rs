//! Mail: a file is a message, as in `.eml` files and in the folders of a Maildir. In comes what is in a file, out come the
//! fields of the mail.

use super::files::{self, Contents};
use super::mail::{self, Mails};
use super::web::binary_kind;
use super::{Cut, Opening};
use crate::error::Error;
use crate::format::{Entry, Files};
use crate::write;
use lookalike_kernel::record::Value;

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["eml"],
    begins: Some(mail::begins_mail),
    files: Files::AreRecords,
    apart_by: Some(mail::ATTACHMENTS),
    ..Entry::new("eml", open, write::text::start)
};

/// Opens a run of mails.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    Ok(files::open(opening, Mails::new(opening)))
}

impl Contents for Mails {
    fn read(&self, bytes: &[u8], tell: &mut dyn FnMut(&[Value<'_>])) -> Result<(), String> {
        match binary_kind(bytes) {
            Some(kind) => Err(format!("this is {kind}, not a mail")),
            None => Mails::read(self, bytes, tell),
        }
    }

    fn fields(&self) -> Option<Vec<String>> {
        Some(Mails::fields())
    }
}
