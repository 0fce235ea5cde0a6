//! Small markup within a line: brackets that close nothing, character references, quotes, magic words.

use super::marks::Kind;
use super::walk::Walker;
use crate::read::html;

impl Walker<'_> {
    /// Passes over two of a byte that closes nothing; one is text.
    pub(super) fn skip_pair(&mut self, byte: u8) {
        if self.byte(self.at + 1) == byte {
            self.at += 2;
        } else {
            self.add(self.at, self.at + 1);
            self.at += 1;
        }
    }

    pub(super) fn brace(&mut self) {
        match self.mark() {
            Some(mark) if mark.kind == Kind::Template => self.template(mark),
            Some(mark) => self.parameter(mark),
            None => self.skip_pair(b'{'),
        }
    }

    pub(super) fn closing_bracket(&mut self) {
        if self.line.brackets > 0 {
            self.line.brackets -= 1;
            self.at += 1;
        } else {
            self.skip_pair(b']');
        }
    }

    pub(super) fn reference(&mut self) {
        match html::reference(&self.text[self.at..self.stop()]) {
            Some((characters, len)) => {
                for c in characters.into_iter().flatten() {
                    // Marks of the direction and joiners that nobody sees.
                    if !matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{ad}' | '\u{0}') {
                        self.add_text(c.encode_utf8(&mut [0; 4]));
                    }
                }
                self.at += len;
            }
            None => {
                self.add_text("&");
                self.at += 1;
            }
        }
    }

    /// Two apostrophes are italics, three are bold, five are both; of others the first are text.
    pub(super) fn quotes(&mut self) {
        let rest = &self.text.as_bytes()[self.at..self.stop()];
        let count = rest.iter().take_while(|&&byte| byte == b'\'').count();
        let text = match count {
            1 | 4 => 1,
            2 | 3 | 5 => 0,
            _ => count - 5,
        };
        self.add(self.at, self.at + text);
        self.at += count;
    }

    /// `__TOC__` and its like in all languages.
    pub(super) fn magic_word(&mut self) {
        const LONGEST: usize = 80;
        let rest = &self.text.as_bytes()[..self.stop()];
        let rest = rest.get(self.at + 2..).unwrap_or_default();
        let word = &rest[..rest.len().min(LONGEST)];
        let is_word = |byte: &&u8| byte.is_ascii_uppercase() || **byte == b'_' || !byte.is_ascii();
        let len = word.iter().take_while(is_word).count();
        if len > 2 && word[..len].ends_with(b"__") && word[..len - 2].last() != Some(&b'_') {
            self.at += 2 + len;
        } else {
            let count = rest.iter().take_while(|&&byte| byte == b'_').count();
            self.add(self.at, self.at + 2 + count);
            self.at += 2 + count;
        }
    }

    /// The term of a definition ends at a colon.
    pub(super) fn colon(&mut self) {
        self.at += 1;
        if matches!(self.byte(self.at), b' ' | b'\n') && !self.text[self.at..].starts_with(" //") {
            self.line.term = false;
            self.end_block();
        } else {
            self.add(self.at - 1, self.at);
        }
    }
}
