//! XML, as far as dumps need it: where markup begins, the attributes of an element, character references.
//!
//! In XML a `<` begins markup and nothing else; in values and texts it is written `&lt;`. So a stream is cut before
//! every `<`, and whatever is wrong with one piece ends with it.

use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr};

use super::compression::Stream;
use super::records::RecordEnds;
use crate::block::{Block, Buffer};
use crate::error::Error;

/// A root element must begin within so many bytes.
const ROOT_WITHIN: usize = 64 << 10;

/// Cuts before every `<`.
#[derive(Default)]
pub(crate) struct Markup {
    /// The first byte of the piece, which may be its `<`, has been seen.
    inside: bool,
}

impl RecordEnds for Markup {
    fn restart(&mut self) {
        self.inside = false;
    }

    fn next_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let from = usize::from(!self.inside).min(bytes.len());
        let end = memchr(b'<', &bytes[from..]).map(|at| from + at);
        self.inside = end.is_none() && (self.inside || !bytes.is_empty());
        end
    }

    fn last_end(&mut self, bytes: &[u8]) -> Option<usize> {
        self.inside = !bytes.is_empty();
        memrchr(b'<', bytes).filter(|&at| at > 0)
    }
}

/// The pieces of a block, each with the line it begins in. A piece ends where the next `<` is, so it has the space
/// after its markup.
pub(crate) fn pieces(block: &Block) -> impl Iterator<Item = (u64, &[u8])> {
    let mut rest = block.bytes.as_slice();
    let mut next_line = block.place.line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr(b'<', &rest[1..]).map_or(rest.len(), |at| at + 1);
        let (piece, after) = rest.split_at(end);
        rest = after;
        let line = next_line;
        next_line += memchr_iter(b'\n', piece).count() as u64;
        Some((line, piece))
    })
}

/// The attributes of the element of that name which a piece begins with; none if it is another.
pub(crate) fn element<'a>(piece: &'a str, name: &str) -> Option<Attributes<'a>> {
    let rest = piece.strip_prefix('<')?.strip_prefix(name)?;
    rest.starts_with(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>')
        .then_some(Attributes { rest, ended: false })
}

/// The names and values of an element's attributes, in order, or what is wrong with it. Values are as written.
pub(crate) struct Attributes<'a> {
    rest: &'a str,
    ended: bool,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Result<(&'a str, &'a str), &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.attribute().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

impl<'a> Attributes<'a> {
    fn attribute(&mut self) -> Result<Option<(&'a str, &'a str)>, &'static str> {
        self.skip_space();
        let end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'/');
        let Some(len) = self.rest.bytes().position(end) else {
            return Err("invalid XML: the element is not closed before the next < or the end");
        };
        if len == 0 {
            return self.close().map(|()| None);
        }
        let (name, rest) = self.rest.split_at(len);
        self.rest = rest;
        self.skip_space();
        self.rest = self.rest.strip_prefix('=').ok_or(NO_VALUE)?;
        self.skip_space();
        let Some(&quote @ (b'"' | b'\'')) = self.rest.as_bytes().first() else {
            return Err(NO_VALUE);
        };
        let value = &self.rest[1..];
        let Some(len) = memchr(quote, value.as_bytes()) else {
            return Err("invalid XML: a quote is not closed before the next < or the end");
        };
        self.rest = &value[len + 1..];
        Ok(Some((name, &value[..len])))
    }

    fn close(&self) -> Result<(), &'static str> {
        let rest = self.rest.strip_prefix('/').unwrap_or(self.rest);
        match rest.strip_prefix('>') {
            // A quote or > that is not escaped would cut a value short.
            Some(after) if !after.bytes().all(|byte| byte.is_ascii_whitespace()) => {
                Err("invalid XML: text after the element; is a quote or > in a value not escaped?")
            }
            Some(_) => Ok(()),
            None => Err(NO_VALUE),
        }
    }

    fn skip_space(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace());
    }
}

const NO_VALUE: &str = "invalid XML: an attribute without a quoted value";

/// Appends a value with its references replaced. What is no reference of XML stays as it is written.
pub(crate) fn unescape(value: &str, out: &mut String) {
    let mut rest = value;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, len) = reference(rest).unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[len..];
    }
    out.push_str(rest);
}

/// The character of the reference that `text` starts with, and the length of the reference.
fn reference(text: &str) -> Option<(char, usize)> {
    let bytes = text.as_bytes();
    match bytes {
        [b'&', b'l', b't', b';', ..] => Some(('<', 4)),
        [b'&', b'g', b't', b';', ..] => Some(('>', 4)),
        [b'&', b'#', b'x', b'A', b';', ..] => Some(('\n', 5)),
        [b'&', b'a', b'm', b'p', b';', ..] => Some(('&', 5)),
        [b'&', b'q', b'u', b'o', b't', b';', ..] => Some(('"', 6)),
        [b'&', b'a', b'p', b'o', b's', b';', ..] => Some(('\'', 6)),
        [b'&', b'#', ..] => {
            let (number, len) = numeric(text)?;
            let c = char::from_u32(number).filter(|&c| c != '\0');
            let closed = bytes.get(len) == Some(&b';');
            closed.then_some((c.unwrap_or(char::REPLACEMENT_CHARACTER), len + 1))
        }
        _ => None,
    }
}

/// The number of a reference like `&#233` or `&#xE9` and the length of that, without a semicolon.
pub(crate) fn numeric(text: &str) -> Option<(u32, usize)> {
    let after = text.strip_prefix("&#")?;
    let (radix, digits) = match after.strip_prefix(['x', 'X']) {
        Some(digits) => (16, digits),
        None => (10, after),
    };
    let mut number = 0_u32;
    let mut len = 0;
    for digit in digits.chars().map_while(|c| c.to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        len += 1;
    }
    (len > 0).then_some((number, text.len() - digits.len() + len))
}

/// The name of the root element of a stream, if that starts with XML.
pub(crate) fn root(stream: &mut Stream) -> Result<Option<String>, Error> {
    let mut buffer = Buffer::default();
    for len in [ROOT_WITHIN / 16, ROOT_WITHIN] {
        let more = buffer.fill(stream, len)?;
        let root = root_of(buffer.as_slice());
        if root.is_some() || !more {
            return Ok(root);
        }
    }
    Ok(None)
}

fn root_of(bytes: &[u8]) -> Option<String> {
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    loop {
        rest = rest.trim_ascii_start().strip_prefix(b"<")?;
        let end: &[u8] = match rest {
            [b'?', ..] => b"?>",
            [b'!', b'-', b'-', ..] => b"-->",
            // A declaration may hold others, in brackets.
            [b'!', ..] if memchr2(b'[', b'>', rest).is_some_and(|at| rest[at] == b'[') => b"]>",
            [b'!', ..] => b">",
            _ => break,
        };
        rest = &rest[memmem::find(rest, end)? + end.len()..];
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte);
    let len = rest.iter().position(|&byte| !is_name(byte))?;
    let name = String::from_utf8_lossy(&rest[..len]).into_owned();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::records::ends_in_parts;

    fn attributes(piece: &str) -> Result<Vec<(&str, &str)>, &'static str> {
        element(piece, "row").unwrap().collect()
    }

    #[test]
    fn attributes_are_read_in_either_quotes_and_over_lines() {
        let piece = "<row Id=\"1\"\r\n  Title = 'a \"b\" > c'\tBody=\"\" />\n  ";
        let expected = [("Id", "1"), ("Title", "a \"b\" > c"), ("Body", "")];
        assert_eq!(attributes(piece).unwrap(), expected);
        assert_eq!(attributes("<row>").unwrap(), []);
        assert_eq!(attributes("<row/>").unwrap(), []);
        assert!(element("<rows Id=\"1\"/>", "row").is_none());
        assert!(element("row", "row").is_none());
    }

    #[test]
    fn a_damaged_element_says_what_is_wrong() {
        let cases = [
            ("<row Id=\"1\"", "is not closed before"),
            ("<row Id=\"1", "a quote is not closed"),
            ("<row Id=1 />", "without a quoted value"),
            ("<row Id />", "without a quoted value"),
            ("<row = />", "without a quoted value"),
            ("<row Body=\"a\">b\" />", "text after the element"),
            ("<row Body=\"a\"b\" />", "without a quoted value"),
        ];
        for (piece, reason) in cases {
            let found = attributes(piece).unwrap_err();
            assert!(found.contains(reason), "{piece}: {found}");
        }
    }

    #[test]
    fn references_are_replaced_once_and_the_rest_stays() {
        let mut out = String::new();
        unescape(
            "&lt;p&gt; &amp;quot; &quot;&apos; é&#233;&#xe9;&#xA;&#x1F600; & &nbsp; &#; &#0;&#xD800;&#99",
            &mut out,
        );
        let expected = "<p> &quot; \"' ééé\n😀 & &nbsp; &#; \u{fffd}\u{fffd}&#99";
        assert_eq!(out, expected);
    }

    #[test]
    fn the_root_is_the_first_element() {
        let root = |text: &str| root_of(text.as_bytes());
        let text = "\u{feff}<?xml version=\"1.0\"?>\r\n<!-- <no/> --><!DOCTYPE posts>\n<posts>";
        assert_eq!(root(text), Some("posts".to_owned()));
        assert_eq!(root(" <a:b/>"), Some("a:b".to_owned()));
        let described =
            "<!DOCTYPE x [\n<!ELEMENT x (y*)>\n<!ATTLIST y\nn CDATA #REQUIRED\n>\n]>\n<x>";
        assert_eq!(root(described), Some("x".to_owned()));
        for text in ["", "posts", "{}", "<", "< a>", "<?xml", "<!-- a >"] {
            assert_eq!(root(text), None, "{text}");
        }
    }

    #[test]
    fn pieces_are_cut_the_same_in_parts_of_any_size() {
        let text = b"x<a>\n<b/> <<c";
        let ends = |size: usize| ends_in_parts(Markup::default(), text, size);
        assert_eq!(ends(text.len()), [1, 5, 10, 11]);
        for size in 1..text.len() {
            assert_eq!(ends(size), [1, 5, 10, 11], "parts of {size}");
        }
    }
}
