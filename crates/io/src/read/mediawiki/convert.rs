//! A dump made into a file of articles, in the order of the pages, a line each. That has its name only once it is whole,
//! so a run that was killed finds it again.
//!
//! The dump is cut into blocks of whole pages in one thread at a time; the pages of a block are converted in any thread;
//! what they come to is written in the order of the blocks.
//!
//! | line | cells, with tabs between |
//! |---|---|
//! | an article | line, `id`, `namespace`, `date`, `title`, `text`, `references`, `headings`; tabs, line ends and backslashes in them are `\t`, `\n` and `\\` |
//! | a rejection | `!`, line, reason |

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lookalike_pair::workers::{Flow, Pulled, in_order};
use memchr::memchr3;

use super::super::xml::unescape;
use super::super::{Cut, Decode, Opening, Preparing};
use super::dump::{self, Content, Page, Revision, Selection};
use super::wikitext::{self, Options};
use crate::block::{Block, BlockPlace};
use crate::error::Error;
use crate::input::{InputOptions, Source};
use crate::read::converted::{self, REJECTION};
use lookalike_kernel::CodeBlocks;
use lookalike_kernel::record::Record;

/// Converts the dump, unless it is there already. The number of threads is not part of what the result depends on.
pub(crate) fn prepare(preparing: &Preparing<'_>) -> Result<PathBuf, Error> {
    let options = preparing.options;
    let drops_code = u64::from(options.code == CodeBlocks::Drop);
    let mut also = drops_code.to_le_bytes().to_vec();
    for namespace in &options.namespaces {
        also.extend_from_slice(&namespace.to_le_bytes());
    }
    converted::prepare(preparing, ("articles", &also), |path| {
        convert(preparing.source, options, path)
    })
}

/// Writes the articles of a dump to `path`.
fn convert(source: &Source, options: &InputOptions, path: &Path) -> Result<(), Error> {
    let site = super::site_of(source, options)?;
    let selection = Selection {
        site: &site,
        options,
    };
    let mut cutter = dump::open(source, options)?;
    converted::write(path, |out, partial| {
        in_order(
            options.threads,
            || Ok(Block::default()),
            |block| {
                Ok(if cutter.next_block(block)? {
                    Pulled::Item
                } else {
                    Pulled::Nothing
                })
            },
            |block| articles(&selection, block),
            |lines| {
                let written = out.write_all(&lines);
                written.map_err(Error::file("write", partial))?;
                Ok(Flow::Continue)
            },
        )?;
        Ok(())
    })
}

/// The lines that the pages of a block come to.
fn articles(selection: &Selection<'_>, block: &Block) -> Result<Vec<u8>, Error> {
    let mut lines = Vec::new();
    let mut scratch = Scratch::default();
    selection.each_piece(block, &mut |piece| {
        match piece.content {
            Content::Page(page) => {
                write_article(selection, piece.line, &page, &mut scratch, &mut lines);
            }
            Content::Rejected(reason) => {
                lines.extend_from_slice(REJECTION.as_bytes());
                lines.extend_from_slice(piece.line.to_string().as_bytes());
                write_cell(&reason, &mut lines);
                lines.push(b'\n');
            }
            Content::Other => {}
        }
        Ok(())
    })?;
    Ok(lines)
}

/// Tells the revisions of the pages at wanted lines of a dump, the oldest of each first, as the records that they would be.
pub(super) fn revisions(
    opening: &Opening<'_>,
    decoder: &Arc<dyn Decode>,
    is_wanted: &dyn Fn(u64) -> bool,
    each: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let (source, options) = (opening.source, opening.options);
    let site = super::site_of(source, options)?;
    let selection = Selection {
        site: &site,
        options,
    };
    let (mut scratch, mut line) = (Scratch::default(), Vec::new());
    let mut block = Block::default();
    dump::for_each(source, options, |piece| {
        let Content::Page(page) = piece.content else {
            return Ok(());
        };
        if !is_wanted(piece.line) {
            return Ok(());
        }
        for Revision { date, text } in dump::revisions(piece.bytes) {
            line.clear();
            let page = Page { date, text, ..page };
            write_article(&selection, piece.line, &page, &mut scratch, &mut line);
            block.begin(BlockPlace::default(), Some(Arc::clone(decoder)));
            block.bytes.extend(&line);
            let mut told = Ok(());
            block.decode(&mut |_| true, &mut |_, record| {
                if let Ok(record) = record {
                    told = each(record);
                }
            })?;
            told?;
        }
        Ok(())
    })
}

/// Texts without XML's references, reused.
#[derive(Default)]
struct Scratch {
    title: String,
    text: String,
}

fn write_article(
    selection: &Selection<'_>,
    line: u64,
    page: &Page<'_>,
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) {
    let Scratch { title, text } = scratch;
    title.clear();
    text.clear();
    unescape(page.title, title);
    unescape(page.text, text);
    let options = Options {
        code: selection.options.code,
    };
    let article = wikitext::read(text, title, selection.site, options);
    out.extend_from_slice(line.to_string().as_bytes());
    for number in [page.id.to_string(), page.namespace.to_string()] {
        write_cell(&number, out);
    }
    for text in [
        page.date,
        title.trim(),
        &article.text,
        &article.references,
        &article.headings,
    ] {
        write_cell(text, out);
    }
    out.push(b'\n');
}

fn write_cell(text: &str, out: &mut Vec<u8>) {
    out.push(b'\t');
    let mut rest = text.as_bytes();
    while let Some(at) = memchr3(b'\t', b'\n', b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(match rest[at] {
            b'\t' => b"\\t",
            b'\n' => b"\\n",
            _ => b"\\\\",
        });
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

/// Appends what a cell stands for.
pub(super) fn read_cell(cell: &str, out: &mut String) {
    let mut rest = cell;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push(match rest.as_bytes().get(at + 1) {
            Some(b't') => '\t',
            Some(b'n') => '\n',
            _ => '\\',
        });
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    out.push_str(rest);
}
