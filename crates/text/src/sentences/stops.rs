//! Which stops end sentences? A piece of text comes in; the ranges of its sentences go out.

use std::ops::Range;

use memchr::memchr_iter;

use super::after::{Closed, Next, NextKind, closing};
use super::before::{full_stop_ends, is_abbreviation, token_before};
use super::marks::{
    is_east_asian, is_foreign_stop, is_hangul, is_ideograph, is_lower, is_stop, is_thai,
};
use super::tables;

pub(super) fn for_each_sentence(piece: &str, each: &mut impl FnMut(Range<usize>)) {
    let mut scan = Scan::new(piece);
    let bytes = piece.as_bytes();
    let mut at = 0;
    while let Some(skipped) = bytes[at..]
        .iter()
        .position(|&byte| !SKIPPED[usize::from(byte)])
    {
        at += skipped;
        match scan.mark(at) {
            Mark::None(length) => at += length,
            Mark::Stop => {
                let stop = scan.stop(at);
                at = stop.end;
                if scan.ends(&stop) {
                    scan.end(stop.end, each);
                }
            }
            Mark::Space(length) => {
                at += length;
                if scan.long_enough(at) {
                    scan.end(at, each);
                }
            }
        }
    }
    scan.end(bytes.len(), each);
}

/// Bytes that neither are a mark nor begin one.
static SKIPPED: [bool; 256] = skipped();

const fn skipped() -> [bool; 256] {
    let mut table = [true; 256];
    let marks = [b'.', b'!', b'?', b'(', 0xCD, 0xD6, 0xD8, 0xDB, 0xDC, 0xDF];
    let mut i = 0;
    while i < marks.len() {
        table[marks[i] as usize] = false;
        i += 1;
    }
    let wide = [0xE0, 0xE1, 0xE2, 0xE3, 0xEA, 0xEF, 0xF0];
    let mut i = 0;
    while i < wide.len() {
        table[wide[i] as usize] = false;
        i += 1;
    }
    table
}

enum Mark {
    /// Nothing of interest, and its length.
    None(usize),
    Stop,
    /// The last letter of a Thai word before a space, and its length.
    Space(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One full stop: the hard case.
    FullStop,
    /// Several, or `…`.
    Ellipsis,
    /// `!` and `?`.
    Exclamation,
    /// A mark that does nothing but end sentences: `。`, `؟`, `।`.
    Clear,
}

struct Stop {
    begin: usize,
    kind: Kind,
    /// After the marks themselves.
    closed_from: usize,
    closed: Closed,
    /// After what closes with them.
    end: usize,
}

struct Scan<'a> {
    piece: &'a str,
    /// Where the sentence begins.
    begin: usize,
    /// Up to here the text is in brackets that opened within the sentence.
    bracketed_to: usize,
    /// Before this there is no closing bracket that has not been passed.
    unclosed_to: usize,
    /// Plain quotation marks were counted up to here, and an odd number of them was found.
    quotes: (usize, bool),
    has_capitals: Option<bool>,
    has_ideographic_stops: Option<bool>,
}

/// How long brackets are, at most, within which no sentence ends.
const LONGEST_BRACKETS: usize = 300;

impl<'a> Scan<'a> {
    fn new(piece: &'a str) -> Self {
        Self {
            piece,
            begin: 0,
            bracketed_to: 0,
            unclosed_to: 0,
            quotes: (0, false),
            has_capitals: None,
            has_ideographic_stops: None,
        }
    }

    fn end(&mut self, end: usize, each: &mut impl FnMut(Range<usize>)) {
        let sentence = self.piece[self.begin..end].trim_end();
        if !sentence.is_empty() {
            each(self.begin..self.begin + sentence.len());
        }
        let rest = &self.piece[end..];
        self.begin = end + (rest.len() - rest.trim_start().len());
    }

    fn mark(&mut self, at: usize) -> Mark {
        let bytes = self.piece.as_bytes();
        let second = bytes.get(at + 1).copied().unwrap_or(0);
        let third = bytes.get(at + 2).copied().unwrap_or(0);
        // Most characters of a script share the first byte of some mark: they are told apart by the others.
        let (is_mark, length) = match bytes[at] {
            b'(' => {
                self.bracket(at, ")");
                (false, 1)
            }
            0xE0 if matches!(second, 0xB8..=0xBB) => return self.thai(at),
            0xE0 => (matches!(second, 0xA0 | 0xA5), 3),
            0xE2 if second == 0x80 => (matches!(third, 0xA6 | 0xBC | 0xBD), 3),
            0xE3 => (second == 0x80 && matches!(third, 0x82 | 0x88 | 0x8A), 3),
            0xEF if second == 0xBC => (matches!(third, 0x81 | 0x88 | 0x8E | 0x9F), 3),
            _ => (true, 0),
        };
        if !is_mark {
            return Mark::None(length);
        }
        let Some(c) = self.piece[at..].chars().next() else {
            return Mark::None(1);
        };
        match c {
            '（' => self.bracket(at, "）"),
            '《' => self.bracket(at, "》"),
            '〈' => self.bracket(at, "〉"),
            _ => {}
        }
        if c.is_ascii() || is_foreign_stop(c) {
            Mark::Stop
        } else {
            Mark::None(c.len_utf8())
        }
    }

    /// Titles, and brackets that open within a sentence, are a part of it, with all stops in them, if they are short.
    fn bracket(&mut self, at: usize, close: &str) {
        if at == self.begin && matches!(close, ")" | "）") {
            return;
        }
        let from = self.bracketed_to.max(self.unclosed_to).max(at + 1);
        let limit = (at + LONGEST_BRACKETS).min(self.piece.len());
        let bytes = self.piece.as_bytes();
        let Some(window) = bytes.get(from..limit) else {
            return;
        };
        match memchr::memmem::find(window, close.as_bytes()) {
            Some(length) => self.bracketed_to = from + length,
            None => self.unclosed_to = limit,
        }
    }

    fn thai(&self, at: usize) -> Mark {
        let rest = &self.piece[at..];
        let length = 3;
        let Some(after) = rest[length..].strip_prefix(' ') else {
            return Mark::None(length);
        };
        // `ๆ` repeats a word and `ฯ` shortens one; both have a space after them.
        let last = rest.chars().next();
        let next = after.chars().next();
        if last.is_some_and(|c| !matches!(c, 'ๆ' | 'ฯ'))
            && next.is_some_and(|c| is_thai(c) && c != 'ๆ')
        {
            Mark::Space(length)
        } else {
            Mark::None(length)
        }
    }

    /// Shorter runs of Thai between spaces are clauses.
    fn long_enough(&self, at: usize) -> bool {
        const LEAST_BYTES: usize = 3 * 30;
        at - self.begin >= LEAST_BYTES && at > self.bracketed_to
    }

    /// Reads all marks of a stop and what closes with them.
    fn stop(&mut self, at: usize) -> Stop {
        let mut begin = at;
        loop {
            let (kind, closed_from) = self.run(begin);
            let piece = self.piece;
            let (closed, end) = closing(piece, closed_from, &mut |quote| self.is_quoted(quote));
            if end > closed_from && piece[end..].starts_with(is_stop) {
                begin = end;
                continue;
            }
            return Stop {
                begin,
                kind,
                closed_from,
                closed,
                end,
            };
        }
    }

    /// A run of marks, also `. . .`
    fn run(&self, begin: usize) -> (Kind, usize) {
        let bytes = self.piece.as_bytes();
        let mut at = begin;
        let (mut dots, mut kind) = (0, Kind::FullStop);
        while let Some(c) = self.piece[at..].chars().next() {
            match c {
                '.' => dots += 1,
                '…' => dots += 2,
                '!' | '?' | '‼' | '⁇' | '⁈' | '⁉' | '‽' if kind != Kind::Clear => {
                    kind = Kind::Exclamation;
                }
                ' ' if at > begin
                    && bytes[at - 1] == b'.'
                    && bytes[at..].starts_with(b" .")
                    && spaced(bytes, at + 2) => {}
                _ if is_stop(c) => kind = Kind::Clear,
                _ => break,
            }
            at += c.len_utf8();
        }
        if kind == Kind::FullStop && dots > 1 {
            kind = Kind::Ellipsis;
        }
        (kind, at)
    }

    /// Whether a plain quotation mark is the second of a pair.
    fn is_quoted(&mut self, at: usize) -> bool {
        let (from, odd) = self.quotes;
        let more = memchr_iter(b'"', &self.piece.as_bytes()[from..at]).count();
        self.quotes = (at, odd ^ (more % 2 == 1));
        self.quotes.1
    }

    fn ends(&mut self, stop: &Stop) -> bool {
        let next = Next::at(self.piece, stop.end);
        if next.kind == NextKind::End {
            return true;
        }
        if stop.begin < self.bracketed_to {
            return false;
        }
        match stop.kind {
            Kind::Clear => self.clear_ends(stop, &next),
            Kind::Exclamation => self.exclamation_ends(stop, &next),
            Kind::Ellipsis => self.ellipsis_ends(stop, &next),
            Kind::FullStop if next.gap => self.spaced_full_stop_ends(stop, &next),
            Kind::FullStop => self.tight_full_stop_ends(stop, &next),
        }
    }

    fn clear_ends(&self, stop: &Stop, next: &Next) -> bool {
        let full_width_point = self.piece[stop.begin..].starts_with('．');
        if next.kind == NextKind::GoesOn || (full_width_point && next.kind == NextKind::Digit) {
            return false;
        }
        match stop.closed {
            Closed::Quote(_) if next.says() => false,
            Closed::Quote(_) if !next.gap => !next.says_in_chinese() && !next.is_particle(),
            Closed::Title => next.gap,
            _ => true,
        }
    }

    fn exclamation_ends(&mut self, stop: &Stop, next: &Next) -> bool {
        let quoted = matches!(stop.closed, Closed::Quote(_));
        if !next.gap {
            let before = self.piece[..stop.begin].chars().next_back();
            return match next.kind {
                NextKind::Uncased => {
                    next.word.starts_with(is_east_asian) && self.clear_ends(stop, next)
                }
                NextKind::Upper => {
                    before.is_some_and(|c| is_lower(c) || is_east_asian(c)) && next.is_capitalised()
                }
                _ => false,
            };
        }
        match next.kind {
            NextKind::GoesOn => false,
            NextKind::Lower => !quoted && !self.has_capitals(),
            _ if quoted && next.says() => false,
            NextKind::Upper
                if tables::is_shout(token_before(self.piece, self.begin, stop.begin)) =>
            {
                next.opens()
            }
            _ => stop.closed != Closed::Title || next.kind != NextKind::Uncased,
        }
    }

    fn ellipsis_ends(&mut self, stop: &Stop, next: &Next) -> bool {
        let before = self.piece[self.begin..stop.begin].chars().next_back();
        let Some(before) = before.filter(|&c| !matches!(c, '[' | '(' | '“' | '「')) else {
            return false;
        };
        if !next.gap {
            return is_lower(before) && stop.end == stop.closed_from && next.is_capitalised();
        }
        match next.kind {
            NextKind::GoesOn => false,
            NextKind::Lower => !before.is_whitespace() && !self.has_capitals(),
            // A space on both sides: something was left out, or somebody hesitates.
            _ if before.is_whitespace() => next.word != "I" && next.opens(),
            _ => true,
        }
    }

    fn spaced_full_stop_ends(&mut self, stop: &Stop, next: &Next) -> bool {
        match next.kind {
            NextKind::GoesOn => false,
            NextKind::Lower => {
                stop.closed == Closed::Nothing
                    && !self.has_capitals()
                    && !is_abbreviation(self.piece, self.begin, stop.begin)
                    && full_stop_ends(self.piece, self.begin, stop.begin, next)
            }
            NextKind::Uncased if matches!(stop.closed, Closed::Quote(_)) && next.says() => false,
            _ => full_stop_ends(self.piece, self.begin, stop.begin, next),
        }
    }

    /// Without white space after it: a name, a number, or a forgotten space.
    fn tight_full_stop_ends(&mut self, stop: &Stop, next: &Next) -> bool {
        let word = token_before(self.piece, self.begin, stop.begin);
        let last = word.chars().next_back();
        let Some(last) = last else {
            return false;
        };
        let quoted = matches!(stop.closed, Closed::Quote(_));
        let asian = |c: char| is_ideograph(c) || (is_hangul(c) && !quoted);
        if next.word.starts_with(asian) {
            // Where `。` is used, a point between ideographs separates the parts of a name.
            let stops = is_hangul(last) || !self.has_ideographic_stops();
            return asian(last) && stops && self.clear_ends(stop, next);
        }
        let plain = word
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | ',' | '-'));
        let is_word = plain
            && is_lower(last)
            && word.chars().nth(1).is_some()
            && tables::abbreviation(word).is_none();
        // `System.Out` and `obj.Method` are names; `Paris.The` is not.
        let lower = word.starts_with(is_lower) && word.chars().nth(3).is_some();
        is_word
            && next.is_capitalised()
            && (lower || stop.closed != Closed::Nothing || next.opens())
    }

    fn has_ideographic_stops(&mut self) -> bool {
        let piece = self.piece;
        *self
            .has_ideographic_stops
            .get_or_insert_with(|| piece.contains('。'))
    }

    fn has_capitals(&mut self) -> bool {
        let piece = self.piece;
        *self
            .has_capitals
            .get_or_insert_with(|| piece.chars().any(char::is_uppercase))
    }
}

fn spaced(bytes: &[u8], at: usize) -> bool {
    bytes
        .get(at)
        .is_none_or(|&byte| matches!(byte, b' ' | b'.' | b'"' | b')' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stop_is_seen() {
        for c in (0..=0x10_FFFF)
            .filter_map(char::from_u32)
            .filter(|&c| is_stop(c))
        {
            let text = format!("你好{c}");
            let mut scan = Scan::new(&text);
            let at = text.len() - c.len_utf8();
            assert!(!SKIPPED[usize::from(text.as_bytes()[at])], "{c}");
            assert!(matches!(scan.mark(at), Mark::Stop), "{c}");
        }
    }
}
