//! HTML as plain text. In comes markup, well-formed or not, out come its words.
//!
//! Tags go, references become characters, and runs of white space become one space, or a line end where a block such as
//! a paragraph begins or ends. In `<pre>` white space stays. Scripts, styles and comments have no text. What is no tag
//! by the rules of HTML (`a < b`) is text; a tag or comment that never ends takes the rest with it, as in browsers.
//! Everything is looked at once, so the time is linear in the length.

mod entities;

use memchr::{memchr, memchr2, memchr3, memmem};

use crate::input::CodeBlocks;

pub(crate) use entities::reference;

/// Appends the text of `html`.
pub(crate) fn to_text(html: &str, code: CodeBlocks, out: &mut String) {
    let mut text = Text {
        begin: out.len(),
        out,
        gap: Gap::None,
        preformatted: 0,
    };
    let mut rest = html;
    while let Some(at) = memchr2(b'<', b'&', rest.as_bytes()) {
        text.add(&rest[..at]);
        rest = &rest[at..];
        rest = if rest.starts_with('<') {
            text.markup(rest, code)
        } else {
            text.reference(rest)
        };
    }
    text.add(rest);
    text.end();
}

/// What separates the text so far from what comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Line,
}

/// The text being written.
struct Text<'o> {
    out: &'o mut String,
    /// Where it begins in `out`.
    begin: usize,
    gap: Gap,
    /// How many `<pre>` are open.
    preformatted: usize,
}

impl Text<'_> {
    /// Adds a run of text without markup.
    fn add(&mut self, run: &str) {
        if self.preformatted > 0 {
            if !run.is_empty() {
                self.close_gap();
                self.out.push_str(run);
            }
            return;
        }
        let bytes = run.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if is_space(bytes[at]) {
                self.gap = self.gap.max(Gap::Space);
                at += 1;
                continue;
            }
            // Up to white space that is not one space between words.
            let begin = at;
            while at < bytes.len()
                && (!is_space(bytes[at])
                    || bytes[at] == b' ' && bytes.get(at + 1).is_some_and(|&next| !is_space(next)))
            {
                at += 1;
            }
            self.close_gap();
            self.out.push_str(&run[begin..at]);
        }
    }

    fn close_gap(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if self.out.len() == self.begin {
            return;
        }
        match gap {
            Gap::Line if !self.out.ends_with('\n') => self.out.push('\n'),
            Gap::Space => self.out.push(' '),
            Gap::Line | Gap::None => {}
        }
    }

    fn end(self) {
        let text = &self.out[self.begin..];
        let len = text
            .trim_end_matches(|c: char| c.is_ascii_whitespace())
            .len();
        self.out.truncate(self.begin + len);
    }

    /// Adds what the `&` that `rest` starts with stands for, and returns what follows.
    fn reference<'a>(&mut self, rest: &'a str) -> &'a str {
        let Some((characters, len)) = entities::reference(rest) else {
            self.add("&");
            return &rest[1..];
        };
        for c in characters.into_iter().flatten() {
            self.add(c.encode_utf8(&mut [0; 4]));
        }
        &rest[len..]
    }

    /// Reads the markup that `rest` starts with, and returns what follows.
    fn markup<'a>(&mut self, rest: &'a str, code: CodeBlocks) -> &'a str {
        match rest.as_bytes() {
            [_, b'a'..=b'z' | b'A'..=b'Z', ..] => {
                let element = Element::of(&rest[1..]);
                self.start(element, after_tag(rest), code)
            }
            [_, b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => {
                self.finish(Element::of(&rest[2..]));
                after_tag(rest)
            }
            // The dashes of the start may be those of the end.
            [_, b'!', b'-', b'-', ..] => {
                after(rest, memmem::find(&rest.as_bytes()[2..], b"-->"), 5)
            }
            [_, b'!' | b'?' | b'/', ..] => after(rest, memchr(b'>', rest.as_bytes()), 1),
            _ => {
                self.add("<");
                &rest[1..]
            }
        }
    }

    /// A start tag, after which comes `rest`.
    fn start<'a>(&mut self, element: Element, rest: &'a str, code: CodeBlocks) -> &'a str {
        self.gap = self.gap.max(element.gap());
        match element {
            Element::Unread(name) => after_end_tag(rest, name),
            Element::Preformatted if code == CodeBlocks::Drop && starts_with_code(rest) => {
                after_end_tag(rest, "pre")
            }
            Element::Preformatted => {
                self.preformatted += 1;
                // A line end at the very start is not part of it.
                rest.strip_prefix('\n').unwrap_or(rest)
            }
            Element::Block | Element::Cell | Element::Inline => rest,
        }
    }

    fn finish(&mut self, element: Element) {
        self.gap = self.gap.max(element.gap());
        if element == Element::Preformatted {
            self.preformatted = self.preformatted.saturating_sub(1);
        }
    }
}

/// What an element means for its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    /// Nothing.
    Inline,
    /// Begins and ends a line.
    Block,
    /// Begins and ends a word.
    Cell,
    Preformatted,
    /// Has no text, whatever is in it up to its end tag.
    Unread(&'static str),
}

impl Element {
    /// By the name that `tag` starts with.
    fn of(tag: &str) -> Element {
        let mut lower = [0; 10];
        let name = name(tag).as_bytes();
        let Some(lower) = lower.get_mut(..name.len()) else {
            return Element::Inline;
        };
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        match &*lower {
            b"pre" => Element::Preformatted,
            b"script" => Element::Unread("script"),
            b"style" => Element::Unread("style"),
            b"td" | b"th" => Element::Cell,
            b"address" | b"article" | b"aside" | b"blockquote" | b"body" | b"br" | b"caption"
            | b"center" | b"dd" | b"details" | b"dialog" | b"div" | b"dl" | b"dt" | b"fieldset"
            | b"figcaption" | b"figure" | b"footer" | b"form" | b"h1" | b"h2" | b"h3" | b"h4"
            | b"h5" | b"h6" | b"head" | b"header" | b"hgroup" | b"hr" | b"html" | b"legend"
            | b"li" | b"main" | b"menu" | b"nav" | b"ol" | b"option" | b"p" | b"section"
            | b"summary" | b"table" | b"tbody" | b"tfoot" | b"thead" | b"title" | b"tr" | b"ul" => {
                Element::Block
            }
            _ => Element::Inline,
        }
    }

    fn gap(self) -> Gap {
        match self {
            Element::Inline | Element::Unread(_) => Gap::None,
            Element::Cell => Gap::Space,
            Element::Block | Element::Preformatted => Gap::Line,
        }
    }
}

fn is_space(byte: u8) -> bool {
    byte <= b' ' && matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

/// The name that a tag, without its `<` or `</`, starts with.
fn name(tag: &str) -> &str {
    let end = |byte: u8| is_space(byte) || byte == b'/' || byte == b'>';
    &tag[..tag.bytes().position(end).unwrap_or(tag.len())]
}

/// What comes `len` bytes after the position found; nothing if there is none.
fn after(text: &str, found: Option<usize>, len: usize) -> &str {
    found.map_or("", |at| &text[at + len..])
}

/// What comes after the tag that `text` starts with. A `>` in a quoted value does not end it.
fn after_tag(text: &str) -> &str {
    let mut at = 0;
    while let Some(found) = memchr3(b'>', b'"', b'\'', &text.as_bytes()[at..]) {
        at += found;
        let byte = text.as_bytes()[at];
        if byte == b'>' {
            return &text[at + 1..];
        }
        // A quote opens a value only where one begins.
        let opens = text[..at]
            .trim_end_matches(|c: char| c.is_ascii_whitespace())
            .ends_with('=');
        at += 1;
        if opens {
            match memchr(byte, &text.as_bytes()[at..]) {
                Some(len) => at += len + 1,
                None => return "",
            }
        }
    }
    ""
}

/// What comes after the next end tag of that name.
fn after_end_tag<'a>(text: &'a str, element: &str) -> &'a str {
    for at in memmem::find_iter(text.as_bytes(), b"</") {
        if name(&text[at + 2..]).eq_ignore_ascii_case(element) {
            return after_tag(&text[at..]);
        }
    }
    ""
}

fn starts_with_code(text: &str) -> bool {
    let tag = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    tag.strip_prefix('<')
        .is_some_and(|tag| name(tag).eq_ignore_ascii_case("code"))
}

#[cfg(test)]
mod tests;
