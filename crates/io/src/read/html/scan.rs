//! The pieces of HTML: runs of text, references, tags. In goes markup, well-formed or not, out come its pieces in order.
//!
//! What is no tag by the rules of HTML (`a < b`) is text; a tag that never ends takes the rest with it, as in browsers. A
//! comment, a script or a quote that never ends does not: it ends where text may go on. Everything is looked at once or, to see
//! where an element ends, once for each name, so the time is linear in the length.

use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem};

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
    pub(super) name: &'h str,
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
    /// How much is left from the next end tag of each element that was looked for; none if there is none.
    ends: Vec<(&'h str, Option<usize>)>,
    /// No comment has an end any more.
    comments_are_open: bool,
}

impl<'h> Scanner<'h> {
    pub(super) fn new(html: &'h str) -> Self {
        Scanner {
            rest: html,
            ends: Vec::new(),
            comments_are_open: false,
        }
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
                    name,
                    attributes: tag,
                }))
            }
            [_, b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => {
                let name = name(&rest[2..]);
                self.rest = split_tag(&rest[2 + name.len()..]).1;
                Some(Piece::End(Tag::of(name)))
            }
            // The dashes of the start may be those of the end.
            [_, b'!', b'-', b'-', ..] if !self.comments_are_open => {
                match memmem::find(&rest.as_bytes()[2..], b"-->") {
                    Some(at) => self.rest = &rest[at + 5..],
                    None => self.comments_are_open = true,
                }
                None
            }
            [_, b'!' | b'?' | b'/', ..] => {
                let end = memchr(b'>', rest.as_bytes()).map(|at| at + 1);
                self.rest = end.map_or("", |end| &rest[end..]);
                None
            }
            _ => Some(self.text(1)),
        }
    }

    /// Passes over everything up to the end tag of that name, and over that. Without one, up to the next tag of a block.
    pub(super) fn skip_element(&mut self, element: &'h str) {
        self.rest = match self.split_element(element) {
            Some((_, after)) => after,
            None => {
                let rest = self.rest;
                let mut tags = memchr_iter(b'<', rest.as_bytes());
                tags.find(|at| begins_block(&rest[at + 1..]))
                    .map_or("", |at| &rest[at..])
            }
        };
    }

    /// What is left up to the end tag of that name, which is passed. Without one, up to the next tag.
    pub(super) fn take_element(&mut self, element: &'h str) -> &'h str {
        let rest = self.rest;
        let (inside, after) = self
            .split_element(element)
            .unwrap_or_else(|| rest.split_at(memchr(b'<', rest.as_bytes()).unwrap_or(rest.len())));
        self.rest = after;
        inside
    }

    /// Whether an end tag of that name is still to come.
    pub(super) fn has_end(&mut self, element: &'h str) -> bool {
        self.end_of(element).is_some()
    }

    /// What is before the next end tag of that name, and what is after it.
    fn split_element(&mut self, element: &'h str) -> Option<(&'h str, &'h str)> {
        let (inside, tag) = self.rest.split_at(self.end_of(element)?);
        Some((inside, split_tag(&tag[2..]).1))
    }

    /// Where the next end tag of that name begins.
    fn end_of(&mut self, element: &'h str) -> Option<usize> {
        let rest = self.rest;
        let is_it = |name: &str| name.eq_ignore_ascii_case(element);
        let known = self.ends.iter().position(|(name, _)| is_it(name));
        if let Some(known) = known {
            match self.ends[known].1 {
                Some(left) if left > rest.len() => {}
                left => return Some(rest.len() - left?),
            }
        }
        let found =
            memmem::find_iter(rest.as_bytes(), b"</").find(|at| is_it(name(&rest[at + 2..])));
        let end = (element, found.map(|at| rest.len() - at));
        match known {
            Some(known) => self.ends[known] = end,
            None => self.ends.push(end),
        }
        found
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
            // A value that never ends has no quote.
            at += memchr(byte, &text.as_bytes()[at..]).map_or(0, |len| len + 1);
        }
    }
    ("", "")
}

/// Whether a tag, without its `<`, is that of a block.
fn begins_block(tag: &str) -> bool {
    Tag::of(name(tag.strip_prefix('/').unwrap_or(tag))).is_block()
}
