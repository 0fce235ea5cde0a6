//! The pieces of HTML: runs of text, references, tags. In goes markup, well-formed or not, out come its pieces in order.
//!
//! What is no tag by the rules of HTML (`a < b`) is text; a tag or comment that never ends takes the rest with it, as in
//! browsers. Everything is looked at once, so the time is linear in the length.

use memchr::{memchr, memchr2, memchr3, memmem};

use super::entities::{self, Characters};
use super::tag::Tag;

/// A piece of HTML.
pub(super) enum Piece<'h> {
    Text(&'h str),
    Reference(Characters),
    Start(StartTag<'h>),
    End(Tag),
}

/// A start tag.
#[derive(Clone, Copy)]
pub(super) struct StartTag<'h> {
    pub(super) tag: Tag,
    /// From after its name up to its `>`.
    pub(super) attributes: &'h str,
}

impl StartTag<'_> {
    /// Whether it ends in `/>`.
    pub(super) fn is_self_closing(&self) -> bool {
        self.attributes.ends_with('/')
    }
}

/// HTML being read.
pub(super) struct Scanner<'h> {
    rest: &'h str,
}

impl<'h> Scanner<'h> {
    pub(super) fn new(html: &'h str) -> Self {
        Scanner { rest: html }
    }

    pub(super) fn next(&mut self) -> Option<Piece<'h>> {
        loop {
            let rest = self.rest;
            match rest.as_bytes().first()? {
                b'&' => return Some(self.reference()),
                b'<' => {
                    if let Some(piece) = self.markup() {
                        return Some(piece);
                    }
                }
                _ => {
                    let end = memchr2(b'<', b'&', rest.as_bytes()).unwrap_or(rest.len());
                    return Some(self.text(end));
                }
            }
        }
    }

    fn text(&mut self, len: usize) -> Piece<'h> {
        let (text, rest) = self.rest.split_at(len);
        self.rest = rest;
        Piece::Text(text)
    }

    fn reference(&mut self) -> Piece<'h> {
        let Some((characters, len)) = entities::reference(self.rest) else {
            return self.text(1);
        };
        self.rest = &self.rest[len..];
        Piece::Reference(characters)
    }

    /// What starts with `<`; none for comments and the like.
    fn markup(&mut self) -> Option<Piece<'h>> {
        let rest = self.rest;
        match rest.as_bytes() {
            [_, b'a'..=b'z' | b'A'..=b'Z', ..] => {
                let name = name(&rest[1..]);
                let (tag, after) = split_tag(&rest[1 + name.len()..]);
                self.rest = after;
                Some(Piece::Start(StartTag {
                    tag: Tag::of(name),
                    attributes: tag,
                }))
            }
            [_, b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => {
                let name = name(&rest[2..]);
                self.rest = split_tag(&rest[2 + name.len()..]).1;
                Some(Piece::End(Tag::of(name)))
            }
            // The dashes of the start may be those of the end.
            [_, b'!', b'-', b'-', ..] => {
                self.skip_to(memmem::find(&rest.as_bytes()[2..], b"-->").map(|at| at + 5))
            }
            [_, b'!' | b'?' | b'/', ..] => {
                self.skip_to(memchr(b'>', rest.as_bytes()).map(|at| at + 1))
            }
            _ => Some(self.text(1)),
        }
    }

    fn skip_to(&mut self, at: Option<usize>) -> Option<Piece<'h>> {
        self.rest = at.map_or("", |at| &self.rest[at..]);
        None
    }

    /// Passes over everything up to the end tag of that name, and over that. Without one, over the rest.
    pub(super) fn skip_element(&mut self, element: &str) {
        self.rest = split_element(self.rest, element).map_or("", |(_, after)| after);
    }

    /// What is left up to the end tag of that name, which is passed. Without one, up to the next tag.
    pub(super) fn take_element(&mut self, element: &str) -> &'h str {
        let rest = self.rest;
        let (inside, after) = split_element(rest, element)
            .unwrap_or_else(|| rest.split_at(memchr(b'<', rest.as_bytes()).unwrap_or(rest.len())));
        self.rest = after;
        inside
    }

    /// A line end at the very start of `<pre>` is not part of it.
    pub(super) fn skip_line_end(&mut self) {
        let rest = self.rest.strip_prefix('\r').unwrap_or(self.rest);
        self.rest = rest.strip_prefix('\n').unwrap_or(self.rest);
    }

    /// Whether `<code>` is next.
    pub(super) fn at_code(&self) -> bool {
        let tag = self
            .rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace());
        tag.strip_prefix('<')
            .is_some_and(|tag| name(tag).eq_ignore_ascii_case("code"))
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    byte <= b' ' && matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

/// The name that a tag, without its `<` or `</`, starts with.
fn name(tag: &str) -> &str {
    let end = |byte: u8| is_space(byte) || byte == b'/' || byte == b'>';
    &tag[..tag.bytes().position(end).unwrap_or(tag.len())]
}

/// The attributes that `text` starts with, and what comes after the tag. A `>` in a quoted value does not end it; a tag
/// without an end has no attributes.
fn split_tag(text: &str) -> (&str, &str) {
    let mut at = 0;
    while let Some(found) = memchr3(b'>', b'"', b'\'', &text.as_bytes()[at..]) {
        at += found;
        let byte = text.as_bytes()[at];
        if byte == b'>' {
            return (&text[..at], &text[at + 1..]);
        }
        // A quote opens a value only where one begins.
        let opens = text[..at]
            .trim_end_matches(|c: char| c.is_ascii_whitespace())
            .ends_with('=');
        at += 1;
        if opens {
            match memchr(byte, &text.as_bytes()[at..]) {
                Some(len) => at += len + 1,
                None => break,
            }
        }
    }
    ("", "")
}

/// What is before the next end tag of that name, and what is after it.
fn split_element<'h>(text: &'h str, element: &str) -> Option<(&'h str, &'h str)> {
    memmem::find_iter(text.as_bytes(), b"</")
        .find(|at| name(&text[at + 2..]).eq_ignore_ascii_case(element))
        .map(|at| (&text[..at], split_tag(&text[at + 2..]).1))
}
