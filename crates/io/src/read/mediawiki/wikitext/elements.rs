//! Tags and what is between them.

use super::marks::{Kind, Mark};
use super::tags::{self, Opaque, Tag};
use super::walk::{FrameKind, Walker};
use crate::read::html;
use lookalike_kernel::CodeBlocks;

impl Walker<'_> {
    pub(super) fn tag(&mut self) {
        match self.mark() {
            Some(mark) if mark.kind == Kind::Comment => self.comment(mark),
            Some(mark) if mark.kind == Kind::Reference => {
                self.open_collecting(FrameKind::Reference, mark.body, mark.end, mark.after);
            }
            Some(Mark {
                kind: Kind::Opaque(content),
                body,
                end,
                after,
                ..
            }) => {
                self.opaque(content, body, end);
                self.at = after;
            }
            _ => self.other_tag(),
        }
    }

    /// A line with nothing but a comment is no line.
    fn comment(&mut self, mark: Mark) {
        let alone = !self.line.wrote && matches!(self.byte(mark.at.wrapping_sub(1)), b'\n' | 0);
        self.at = mark.after;
        if alone && self.at < self.stop() && self.byte(self.at) == b'\n' {
            self.at += 1;
            self.start_line();
        }
    }

    fn other_tag(&mut self) {
        let stop = self.stop();
        let closes = self.byte(self.at + 1) == b'/';
        let name = tags::name(&self.text[self.at + 1 + usize::from(closes)..]);
        let end = tags::end(self.text, self.at).filter(|&end| end <= stop);
        let (Some(tag), Some(end)) = (tags::of_name(name), end) else {
            self.add_text("<");
            self.at += 1;
            return;
        };
        let closes_itself = self.byte(end - 2) == b'/';
        match tag {
            Tag::Inline if name.eq_ignore_ascii_case("ref") && !closes && !closes_itself => {
                // It is not closed: then the rest of the line is it.
                let line_end = self.newlines.find(self.text, end).unwrap_or(stop).min(stop);
                if !self.in_reference() {
                    self.open_collecting(FrameKind::Reference, end, line_end, line_end);
                    return;
                }
            }
            Tag::Inline => {}
            Tag::Space => self.add_text(" "),
            Tag::Block => self.end_block(),
            Tag::Gallery => {
                self.end_block();
                self.line.gallery = !closes && !closes_itself;
            }
            Tag::Heading => {
                self.end_block();
                if !closes && self.html_heading(end) {
                    return;
                }
            }
        }
        self.at = end;
    }

    /// A heading written as HTML, up to its end tag in the same line.
    fn html_heading(&mut self, body: usize) -> bool {
        let level = self.byte(self.at + 2).wrapping_sub(b'0');
        let stop = self.stop();
        let line_end = self.newlines.find(self.text, body).unwrap_or(stop);
        let end = self.heading_ends.find(self.text, body);
        let Some(end) = end.filter(|&end| end <= stop.min(line_end)) else {
            return false;
        };
        self.open_collecting(FrameKind::Heading { level }, body, end, end);
        true
    }

    fn opaque(&mut self, content: Opaque, body: usize, end: usize) {
        let raw = &self.text[body..end];
        match content {
            Opaque::Plain => self.add_decoded(raw),
            Opaque::Preformatted => {
                self.end_block();
                self.add_decoded(raw);
                self.end_block();
            }
            Opaque::Code if self.options.code == CodeBlocks::Keep => {
                self.end_block();
                self.add_text(raw);
                self.end_block();
            }
            Opaque::Formula => {
                // TeX without its backslashes and braces: a formula is words of the sentence around it.
                for part in raw.split(['\\', '{', '}', '&', '$', '~']) {
                    self.add_text(part);
                    self.add_text(" ");
                }
                self.trim_formula(end);
            }
            Opaque::Code | Opaque::Dropped => {}
        }
    }

    /// No space before the punctuation that follows a formula.
    fn trim_formula(&mut self, end: usize) {
        let after = self.text[end..].find('>').map_or(end, |at| end + at + 1);
        let follows = self.text[after..].chars().next();
        let joined =
            follows.is_some_and(|c| !c.is_alphanumeric() && !c.is_whitespace() && c != '(');
        if joined && !self.muted {
            if self.collecting {
                self.collected.next_part();
            } else {
                self.sink().join();
            }
        }
    }

    /// Adds text in which only character references are markup.
    pub(super) fn add_decoded(&mut self, raw: &str) {
        let mut rest = raw;
        while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
            self.add_text(&rest[..at]);
            rest = &rest[at..];
            match html::reference(rest) {
                Some((characters, len)) => {
                    for c in characters.into_iter().flatten() {
                        self.add_text(c.encode_utf8(&mut [0; 4]));
                    }
                    rest = &rest[len..];
                }
                None => {
                    self.add_text("&");
                    rest = &rest[1..];
                }
            }
        }
        self.add_text(rest);
    }

    /// `-{zh-hans:a;zh-hant:b}-`: one of the variants, always the same.
    pub(super) fn variant(&mut self) {
        const LONGEST: usize = 2000;
        let stop = self.stop();
        let body = self.at + 2;
        let end = self.variant_ends.find(self.text, body);
        let Some(end) = end.filter(|&end| end + 2 <= stop && end - body <= LONGEST) else {
            self.add_text("-");
            self.at += 1;
            return;
        };
        let (from, to) = chosen_variant(&self.text[body..end]);
        self.open(FrameKind::Through, body + from, body + to, end + 2);
    }
}

/// Best first.
const VARIANTS: [&str; 12] = [
    "zh-hans", "zh-cn", "zh", "zh-sg", "zh-my", "zh-hant", "zh-tw", "zh-hk", "zh-mo", "sr-ec",
    "sr-el", "kk-cyrl",
];

/// Where in the content of `-{…}-` the text to show is.
fn chosen_variant(content: &str) -> (usize, usize) {
    let (flags, begin) = match content.split_once('|') {
        Some((flags, _))
            if flags
                .bytes()
                .all(|b| b.is_ascii_alphabetic() || b == b';' || b == b'-') =>
        {
            (flags, flags.len() + 1)
        }
        _ => ("", 0),
    };
    // Rules for the page or its title, which show nothing.
    if flags.contains(['H', 'T', '-']) {
        return (0, 0);
    }
    let mut best: Option<(usize, usize, usize)> = None;
    let mut at = begin;
    for part in content[begin..].split(';') {
        let next = at + part.len() + 1;
        if let Some((code, value)) = part.split_once(':') {
            let code = code.rsplit("=>").next().unwrap_or(code).trim();
            if let Some(rank) = VARIANTS.iter().position(|known| *known == code) {
                let from = at + part.len() - value.len();
                if best.is_none_or(|(known, _, _)| rank < known) {
                    best = Some((rank, from, at + part.len()));
                }
            }
        }
        at = next;
    }
    best.map_or((begin, content.len()), |(_, from, to)| (from, to))
}
