//! Letters that are written apart. Where separators stand between them goes out.

use std::ops::Range;

use super::Edits;
use crate::chars::{CharTable, is_han};
use crate::class::Break;

/// How many single letters with spaces between them are a word, how many with marks, and how many single Han characters:
/// honest texts have `i c u`, but who writes `w.i.n` means the word.
const WITH_SPACES: usize = 4;
pub(super) const WITH_MARKS: usize = 3;
const HAN: usize = 3;

pub(super) fn find(text: &str, table: &CharTable, edits: &mut Edits) {
    let source = Source { text, table };
    let mut inside = false;
    let mut at = 0;
    while let Some(c) = source.char_at(at) {
        let after_run = source.skip_run(at);
        if after_run > at {
            (at, inside) = (after_run, true);
            continue;
        }
        let next = at + c.len_utf8();
        let kind = source.kind(c);
        let begins = !inside && matches!(kind, Kind::Letter | Kind::Han);
        inside = kind.is_inside() || (kind == Kind::Joiner && inside && source.is_inside(next));
        if !begins {
            at = next;
            continue;
        }
        let row = source.row(at, kind);
        let enough = match kind {
            Kind::Han => HAN,
            _ if row.has_spaces => WITH_SPACES,
            _ => WITH_MARKS,
        };
        inside = true;
        at = if row.letters >= enough {
            source.each_separator(at..row.end, edits);
            row.end
        } else if row.letters > 1 {
            // The last letter may begin another row with another separator.
            inside = row.separator == Some(Kind::Joiner);
            row.last
        } else {
            row.end.max(next)
        };
    }
}

/// What a character is to letters beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Han,
    /// Part of words, but no letter: digits.
    Digit,
    /// Belongs to the character before it.
    Mark,
    /// Part of a word if there is a letter or digit on both sides.
    Joiner,
    /// May stand between letters that are written apart.
    Separator,
    /// Parts words and letters: line breaks, emoji, the letters of unspaced scripts.
    Other,
}

impl Kind {
    fn is_inside(self) -> bool {
        matches!(self, Self::Letter | Self::Han | Self::Digit | Self::Mark)
    }
}

/// Single letters, each but the first after the same separator.
struct Row {
    letters: usize,
    /// Where the last one begins, and where it ends with its marks.
    last: usize,
    end: usize,
    separator: Option<Kind>,
    has_spaces: bool,
}

struct Source<'a> {
    text: &'a str,
    table: &'a CharTable,
}

impl Source<'_> {
    fn char_at(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// Where a run of letters of one kind, at least two, that begins at `at` ends; texts are little
    /// else.
    #[inline]
    fn skip_run(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        if rest.starts_with(|c: char| c.is_ascii()) {
            let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
            return if letters > 1 { at + letters } else { at };
        }
        let is_other_letter = |c: char| {
            !c.is_ascii() && {
                let info = self.table.info(c);
                info.class.breaks == Break::Letter && info.class.is_content()
            }
        };
        let begins_with_han = rest.starts_with(is_han);
        let (mut length, mut first) = (0, 0);
        for c in rest.chars() {
            let same = if begins_with_han {
                is_han(c)
            } else {
                is_other_letter(c)
            };
            if !same {
                break;
            }
            first = if length == 0 { c.len_utf8() } else { first };
            length += c.len_utf8();
        }
        if length > first { at + length } else { at }
    }

    fn kind(&self, c: char) -> Kind {
        if is_han(c) {
            return Kind::Han;
        }
        let class = self.table.class(c);
        match class.breaks {
            Break::Letter | Break::HebrewLetter if class.is_content() => Kind::Letter,
            Break::Numeric => Kind::Digit,
            Break::Extend | Break::ZeroWidthJoiner => Kind::Mark,
            Break::Space if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => Kind::Other,
            _ if class.is_content() || self.table.info(c).expands() => Kind::Other,
            Break::MidLetter | Break::MidNumLet | Break::SingleQuote | Break::ExtendNumLet => {
                Kind::Joiner
            }
            _ => Kind::Separator,
        }
    }

    fn is_inside(&self, at: usize) -> bool {
        self.char_at(at).is_some_and(|c| self.kind(c).is_inside())
    }

    /// Where the letter that begins at `at` ends with its marks, if it stands alone.
    fn single(&self, at: usize, separator: Option<char>) -> Option<usize> {
        let mut chars = self.text[at..].char_indices().skip(1);
        let after = chars.find(|&(_, c)| self.kind(c) != Kind::Mark);
        let Some((length, c)) = after else {
            return Some(self.text.len());
        };
        let goes_on = match self.kind(c) {
            Kind::Letter | Kind::Han | Kind::Digit => true,
            Kind::Joiner => {
                separator.is_some_and(|same| same != self.table.info(c).to()) && {
                    self.is_inside(at + length + c.len_utf8())
                }
            }
            _ => false,
        };
        (!goes_on).then_some(at + length)
    }

    /// The row that begins at `at`.
    fn row(&self, at: usize, kind: Kind) -> Row {
        let mut row = Row {
            letters: 0,
            last: at,
            end: at,
            separator: None,
            has_spaces: false,
        };
        let mut same = None;
        let mut next = at;
        while let Some(end) = self.single(next, same) {
            (row.letters, row.last, row.end) = (row.letters + 1, next, end);
            let Some(c) = self.char_at(end) else {
                break;
            };
            let (separator, parts) = (self.table.info(c).to(), self.kind(c));
            next = end + c.len_utf8();
            let goes_on = matches!(parts, Kind::Joiner | Kind::Separator)
                && same.is_none_or(|same| same == separator)
                && self.char_at(next).is_some_and(|c| self.kind(c) == kind);
            if !goes_on {
                break;
            }
            (same, row.separator) = (Some(separator), Some(parts));
            row.has_spaces = separator.is_whitespace();
        }
        row
    }

    fn each_separator(&self, row: Range<usize>, edits: &mut Edits) {
        for (at, c) in self.text[row.clone()].char_indices() {
            if matches!(self.kind(c), Kind::Joiner | Kind::Separator) {
                let at = row.start + at;
                edits.delete(at..at + c.len_utf8());
            }
        }
    }
}
