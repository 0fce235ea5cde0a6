//! HTML as plain text. In comes markup, well-formed or not, out come its words, and what its head says of it.
//!
//! Tags go, references become characters, and runs of white space become one space, or a line end where a block such as
//! a paragraph begins or ends. In `<pre>` white space stays. Scripts, styles, comments and what is not shown have no
//! text. No HTML is an error, and the time is linear in its length.
//!
//! [`scan`] finds the pieces, [`open`] knows what is open, [`convert`] puts both together and writes to [`text`].
//! [`main_content`] leaves out what is not the article.

mod attributes;
mod blocks;
mod charset;
mod convert;
mod entities;
mod main_content;
mod marks;
mod open;
mod scan;
mod tag;
mod text;

use crate::input::InputOptions;
use convert::{Cells, Converter, Settings};
use lookalike_kernel::CodeBlocks;

pub(crate) use charset::{decode, decode_plain, guessed_encoding, parameter as charset_of};
pub(crate) use entities::reference;

/// What is read of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// Of the head, or else the first heading of the first level.
    pub(crate) title: String,
    pub(crate) text: String,
    /// What the root element says.
    pub(crate) language: Option<String>,
    /// The page's own address.
    pub(crate) url: Option<String>,
}

/// Which text of a page is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageOptions {
    pub(crate) code: CodeBlocks,
    /// The article alone.
    pub(crate) main_content: bool,
}

impl PageOptions {
    pub(crate) fn of(options: &InputOptions) -> Self {
        PageOptions {
            code: options.code,
            main_content: options.main_content,
        }
    }
}

/// Appends the text of a part of a page.
pub(crate) fn to_text(html: &str, code: CodeBlocks, out: &mut String) {
    let settings = Settings {
        code,
        cells: Cells::AreWords,
        hidden: true,
        blocks: false,
    };
    Converter::new(html, settings, out).run();
}

/// Reads a whole page.
pub(crate) fn page(html: &str, options: PageOptions) -> Page {
    let mut page = page_without(html, options, false);
    if page.text.is_empty() {
        // Of a page that shows itself by a script, what it would show.
        page.text = page_without(html, options, true).text;
    }
    page
}

fn page_without(html: &str, options: PageOptions, hidden: bool) -> Page {
    let settings = Settings {
        code: options.code,
        cells: Cells::AreBlocks,
        hidden,
        blocks: options.main_content,
    };
    let mut text = String::with_capacity(html.len() / 8);
    let (head, blocks) = Converter::new(html, settings, &mut text).run();
    if let Some(article) = blocks.and_then(|blocks| main_content::choose(&text, &blocks)) {
        text = article;
    }
    Page {
        title: head.title(),
        text,
        language: head.language,
        url: head.url,
    }
}

#[cfg(test)]
mod tests;
