//! The pages of a dump, in order, as they stand in the file.

use memchr::{memchr, memchr_iter, memmem};

use super::super::records::{RecordCutter, RecordEnds, invalid_utf8, too_large};
use super::super::{Cut, open_pieces};
use super::redirect;
use super::site::Site;
use crate::block::Block;
use crate::error::Error;
use crate::input::{InputOptions, Source};

const START: &[u8] = b"<page>";
const END: &[u8] = b"</page>";

/// Cuts before the markup that follows the end of a page.
#[derive(Default)]
pub(super) struct PageEnds {
    /// The last bytes seen, in which an end tag may begin.
    seen: Vec<u8>,
    /// The end tag has been seen.
    closed: bool,
}

impl RecordEnds for PageEnds {
    fn restart(&mut self) {
        self.seen.clear();
        self.closed = false;
    }

    fn next_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut from = 0;
        if !self.closed {
            from = self.end_tag(bytes)?;
            self.closed = true;
        }
        let end = memchr(b'<', &bytes[from..]).map(|at| from + at)?;
        self.restart();
        Some(end)
    }
}

impl PageEnds {
    /// Where the end tag ends.
    fn end_tag(&mut self, bytes: &[u8]) -> Option<usize> {
        let begin = self.seen.len();
        self.seen.extend(&bytes[..bytes.len().min(END.len() - 1)]);
        if let Some(at) = memmem::find(&self.seen, END) {
            return Some(at + END.len() - begin);
        }
        if let Some(at) = memmem::find(bytes, END) {
            return Some(at + END.len());
        }
        if bytes.len() >= END.len() {
            self.seen.clear();
            self.seen.extend(&bytes[bytes.len() - (END.len() - 1)..]);
        } else {
            let old = self.seen.len().saturating_sub(END.len() - 1);
            self.seen.drain(..old);
        }
        None
    }
}

/// A piece of the file: a page, or what is between pages.
pub(crate) struct Piece<'a> {
    /// The line it begins in.
    pub(crate) line: u64,
    pub(crate) bytes: &'a [u8],
    pub(crate) content: Content<'a>,
}

pub(crate) enum Content<'a> {
    /// A page that is a record.
    Page(Page<'a>),
    /// A malformed page with the reason.
    Rejected(String),
    /// A page that is none, or no page.
    Other,
}

/// Values are as written in the file.
pub(crate) struct Page<'a> {
    pub(crate) id: u64,
    pub(crate) namespace: i32,
    pub(crate) title: &'a str,
    pub(crate) date: &'a str,
    pub(crate) text: &'a str,
}

/// A state that a page was in. Values are as written in the file.
pub(super) struct Revision<'a> {
    pub(super) date: &'a str,
    pub(super) text: &'a str,
}

/// Which pages are records.
pub(crate) struct Selection<'a> {
    pub(crate) site: &'a Site,
    pub(crate) options: &'a InputOptions,
}

/// Opens the pages of a dump.
pub(super) fn open(
    source: &Source,
    options: &InputOptions,
) -> Result<RecordCutter<PageEnds>, Error> {
    open_pieces(source, options, |opening| {
        RecordCutter::open(opening, PageEnds::default())
    })
}

/// Tells all pieces of a dump in order.
pub(crate) fn for_each(
    source: &Source,
    options: &InputOptions,
    mut each: impl FnMut(Piece<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let site = super::site_of(source, options)?;
    let selection = Selection {
        site: &site,
        options,
    };
    let mut cutter = open(source, options)?;
    let mut block = Block::default();
    while cutter.next_block(&mut block)? {
        selection.each_piece(&block, &mut each)?;
    }
    Ok(())
}

impl Selection<'_> {
    /// Tells the pieces of a block in order, then what was found unusable while cutting it.
    pub(crate) fn each_piece(
        &self,
        block: &Block,
        each: &mut dyn FnMut(Piece<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rest = block.bytes.as_slice();
        let mut line = block.place.line;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(self.piece_end(rest));
            rest = after;
            each(Piece {
                line,
                bytes: piece,
                content: self.content(piece),
            })?;
            line += memchr_iter(b'\n', piece).count() as u64;
        }
        for rejection in &block.rejections {
            each(Piece {
                line: rejection.line.unwrap_or(1),
                bytes: b"",
                content: Content::Rejected(rejection.reason.clone()),
            })?;
        }
        Ok(())
    }

    /// A piece ends where a page begins, and with what follows the end of one.
    fn piece_end(&self, bytes: &[u8]) -> usize {
        let from = START.len().min(bytes.len());
        let next_start = memmem::find(&bytes[from..], START).map(|at| from + at);
        let within = next_start.unwrap_or(bytes.len());
        PageEnds::default()
            .next_end(&bytes[..within])
            .unwrap_or(within)
    }

    fn content<'p>(&self, piece: &'p [u8]) -> Content<'p> {
        if !piece.starts_with(START) {
            return Content::Other;
        }
        match self.page(piece) {
            Ok(Some(page)) => Content::Page(page),
            Ok(None) => Content::Other,
            Err(reason) => Content::Rejected(reason),
        }
    }

    /// The page that a piece is; none if it is not a record.
    fn page<'p>(&self, piece: &'p [u8]) -> Result<Option<Page<'p>>, String> {
        let Some(end) = memmem::rfind(piece, END) else {
            return Err(
                "the page does not end before the next one or the end of the file".to_owned(),
            );
        };
        if piece.len() as u64 > self.options.max_record {
            return Err(too_large(self.options.max_record));
        }
        let piece = &piece[..end];
        let text = simdutf8::basic::from_utf8(piece).map_err(|_| invalid_utf8(piece))?;
        if memchr(0, piece).is_some() {
            return Err("invalid XML: a NUL character".to_owned());
        }
        let mut elements = Elements::default();
        elements.read(text, &mut |_| {});
        self.select(&elements)
    }

    fn select<'p>(&self, elements: &Elements<'p>) -> Result<Option<Page<'p>>, String> {
        let missing = |name: &str| format!("the page has no <{name}>");
        let title = elements.title.ok_or_else(|| missing("title"))?;
        let id = elements.id.ok_or_else(|| missing("id"))?.trim();
        let id = id
            .parse()
            .map_err(|_| format!("the id \"{}\" is not a number", shortened(id)))?;
        let namespace = match elements.namespace {
            Some(number) => number
                .trim()
                .parse()
                .map_err(|_| format!("the namespace \"{}\" is not a number", shortened(number)))?,
            None => self.site.of_title(title),
        };
        let wanted = &self.options.namespaces;
        let selected = wanted.is_empty() || wanted.contains(&namespace);
        if !selected || elements.redirects || redirect::is_redirect(elements.text) {
            return Ok(None);
        }
        Ok(Some(Page {
            id,
            namespace,
            title,
            date: elements.date.trim(),
            text: elements.text,
        }))
    }
}

/// The revisions of a page that have text, the oldest first.
pub(super) fn revisions(page: &[u8]) -> Vec<Revision<'_>> {
    let mut revisions = Vec::new();
    if let Ok(page) = simdutf8::basic::from_utf8(page) {
        Elements::default().read(page, &mut |revision| revisions.push(revision));
    }
    // Dates as a dump writes them sort as text. Imported revisions may stand out of order.
    revisions.sort_by_key(|revision| revision.date);
    revisions
}

fn shortened(value: &str) -> String {
    value.chars().take(40).collect()
}

/// The elements of a page that matter.
#[derive(Default)]
struct Elements<'a> {
    title: Option<&'a str>,
    namespace: Option<&'a str>,
    id: Option<&'a str>,
    redirects: bool,
    /// Of the last revision that has text, else of the last.
    date: &'a str,
    text: &'a str,
    /// Of the revision being read.
    revision_date: &'a str,
    in_revision: bool,
    /// A further slot of the revision.
    in_slot: bool,
}

impl<'a> Elements<'a> {
    /// Takes up what matters of a page, and tells every revision that has text.
    fn read(&mut self, page: &'a str, each: &mut impl FnMut(Revision<'a>)) {
        let mut rest = page;
        while let Some(begin) = memchr(b'<', rest.as_bytes()) {
            rest = &rest[begin + 1..];
            let Some(end) = memchr(b'>', rest.as_bytes()) else {
                return;
            };
            let (tag, after) = (&rest[..end], &rest[end + 1..]);
            let content = &after[..memchr(b'<', after.as_bytes()).unwrap_or(after.len())];
            self.element(tag, content, each);
            rest = &after[content.len()..];
        }
    }

    fn element(&mut self, tag: &'a str, content: &'a str, each: &mut impl FnMut(Revision<'a>)) {
        let empty = tag.ends_with('/');
        let name = tag.trim_end_matches('/').split_ascii_whitespace().next();
        match name.unwrap_or_default() {
            "revision" => self.in_revision = true,
            "content" if self.in_revision => self.in_slot = !empty,
            "timestamp" if self.in_revision => {
                self.revision_date = content;
                if self.text.is_empty() {
                    self.date = content;
                }
            }
            "text" if self.in_revision && !self.in_slot && !empty && !content.trim().is_empty() => {
                self.text = content;
                self.date = self.revision_date;
                each(Revision {
                    date: self.revision_date.trim(),
                    text: content,
                });
            }
            "title" if !self.in_revision => self.title = self.title.or(Some(content)),
            "ns" if !self.in_revision => self.namespace = Some(content),
            "id" if !self.in_revision => self.id = self.id.or(Some(content)),
            "redirect" => self.redirects = true,
            "/revision" => self.in_revision = false,
            "/content" => self.in_slot = false,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::records::ends_in_parts;

    #[test]
    fn pages_are_cut_the_same_in_parts_of_any_size() {
        let text = b"<mediawiki>\n<page>a</page>\n <page>b</page></mediawiki>\n";
        let ends = |size: usize| ends_in_parts(PageEnds::default(), text, size);
        assert_eq!(ends(text.len()), [28, 42]);
        for size in 1..text.len() {
            assert_eq!(ends(size), [28, 42], "parts of {size}");
        }
    }
}
