//! What do the ends of lines mean? A text comes in; the pieces go out that no sentence goes beyond, without white space
//! around them and without bullets.

use std::ops::{Range, RangeInclusive};

use memchr::memchr3;

use super::Lines;
use super::marks::{is_dash, is_east_asian, is_ideograph, is_lower, is_thai};
use super::tables;

/// The columns of lines that a program broke: the longest is within these.
const WRAPPED: RangeInclusive<usize> = 50..=100;

/// Narrow columns and wide windows: the longest line is within these, and every line of the paragraph must be as long as its
/// words allow, of at least so many lines. So short are also the lines of verses and lists, so long also paragraphs.
const PERHAPS_WRAPPED: RangeInclusive<usize> = 30..=200;
const SURE_LINES: usize = 4;

pub(super) fn for_each_piece(text: &str, lines: Lines, each: &mut impl FnMut(Range<usize>)) {
    let mut piece: Option<usize> = None;
    let mut wrapping = None;
    let mut line = next_line(text, 0);
    while let Some(current) = line {
        let next = next_line(text, current.next);
        let content = current.of(text);
        if piece.is_none() && !is_blank(content) {
            // A line that was not joined with the one before it may stand in the middle of a paragraph.
            if current.after_blank {
                wrapping = (lines == Lines::Auto)
                    .then(|| Wrapping::of(text, current.begin))
                    .flatten();
            }
            piece = Some(current.begin);
        }
        if let Some(begin) = piece {
            let joined = next.as_ref().is_some_and(|next| {
                let following = next.of(text);
                let is_space = match lines {
                    Lines::Break => false,
                    Lines::Join => true,
                    Lines::Auto => {
                        wrapping.is_some_and(|wrapping| wrapping.broke(content, following))
                    }
                };
                is_space && !is_blank(following) && item_mark(following.trim_start()) == 0
            });
            if !joined {
                emit(text, begin..current.end, each);
                piece = None;
            }
        }
        line = next.map(|next| Line {
            after_blank: is_blank(content),
            ..next
        });
    }
}

struct Line {
    begin: usize,
    end: usize,
    /// Where the next line begins.
    next: usize,
    /// Begins a paragraph.
    after_blank: bool,
}

impl Line {
    fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.begin..self.end]
    }
}

fn next_line(text: &str, begin: usize) -> Option<Line> {
    let bytes = text.as_bytes();
    if begin >= bytes.len() {
        return None;
    }
    let length = memchr3(b'\n', b'\r', b'\x0C', &bytes[begin..]);
    let end = length.map_or(bytes.len(), |length| begin + length);
    let pair = bytes[end..].starts_with(b"\r\n");
    Some(Line {
        begin,
        end,
        next: end + 1 + usize::from(pair),
        after_blank: begin == 0,
    })
}

fn is_blank(line: &str) -> bool {
    line.trim_start().is_empty()
}

fn emit(text: &str, piece: Range<usize>, each: &mut impl FnMut(Range<usize>)) {
    let content = text[piece.clone()].trim_start();
    let content = &content[item_mark(content)..];
    let begin = piece.end - content.len();
    let end = begin + content.trim_end().len();
    if begin < end {
        each(begin..end);
    }
}

/// How a program broke the lines of a paragraph.
#[derive(Clone, Copy)]
struct Wrapping {
    columns: usize,
    lines: usize,
}

impl Wrapping {
    /// Of the paragraph that begins here; none if its lines do not look broken.
    fn of(text: &str, begin: usize) -> Option<Self> {
        let mut wrapping = Self {
            columns: 0,
            lines: 0,
        };
        let mut at = begin;
        while let Some(line) = next_line(text, at) {
            let content = line.of(text);
            if is_blank(content) {
                break;
            }
            wrapping.columns = wrapping.columns.max(columns(content.trim_end()));
            wrapping.lines += 1;
            if wrapping.columns > *PERHAPS_WRAPPED.end() {
                return None;
            }
            at = line.next;
        }
        let is_usual = wrapping.lines > 1 && WRAPPED.contains(&wrapping.columns);
        let is_wrapped = is_usual
            || wrapping.lines >= SURE_LINES
                && PERHAPS_WRAPPED.contains(&wrapping.columns)
                && wrapping.broke_all(&text[begin..at.min(text.len())]);
        is_wrapped.then_some(wrapping)
    }

    /// Whether every line of a paragraph but the last was broken.
    fn broke_all(self, paragraph: &str) -> bool {
        let mut line = next_line(paragraph, 0);
        while let Some(current) = line {
            line = next_line(paragraph, current.next);
            if let Some(next) = &line
                && !self.broke(current.of(paragraph), next.of(paragraph))
            {
                return false;
            }
        }
        true
    }

    /// Whether the next line begins where it does because its first word had no room on this one.
    fn broke(self, line: &str, next: &str) -> bool {
        let (line, next) = (line.trim_end(), next.trim_start());
        let first = next.chars().next();
        if first.is_some_and(is_lower) && is_hyphenated(line) {
            return true;
        }
        // Two lines may be a heading and what follows it. Thai has no stops, so lines are the surest ends.
        if (self.lines == 2 && !first.is_some_and(is_lower)) || first.is_some_and(is_thai) {
            return false;
        }
        let room = if first.is_some_and(is_ideograph) {
            4
        } else {
            1 + next.split_whitespace().next().map_or(0, columns)
        };
        columns(line) + room > self.columns
    }
}

/// Whether a line ends within a word.
fn is_hyphenated(line: &str) -> bool {
    let mut last = line.chars().rev();
    matches!(last.next(), Some('-' | '\u{AD}' | '\u{2010}')) && last.next().is_some_and(is_lower)
}

/// The width on a screen; only roughly, where it is too much anyway.
fn columns(line: &str) -> usize {
    if line.is_ascii() || line.len() > 4 * PERHAPS_WRAPPED.end() {
        return line.len();
    }
    line.chars()
        .map(|c| 1 + usize::from(is_east_asian(c)))
        .sum()
}

/// The bytes of the bullet or number with which a line begins, with the space after it; 0 if nothing would be left.
fn item_mark(line: &str) -> usize {
    let bytes = line.as_bytes();
    // Ordinary lines begin with an ASCII letter.
    if bytes
        .first()
        .is_none_or(|first| first.is_ascii_alphabetic() && bytes.get(1) != Some(&b')'))
    {
        return 0;
    }
    let mark = bullet(line).or_else(|| enumerator(line)).unwrap_or(0);
    let rest = line[mark..].trim_start();
    if rest.is_empty() {
        0
    } else {
        line.len() - rest.len()
    }
}

fn bullet(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    let is_bullet = is_dash(first)
        || matches!(
            first,
            '*' | '#'
                | '+'
                | '•'
                | '‣'
                | '◦'
                | '▪'
                | '■'
                | '●'
                | '○'
                | '◆'
                | '·'
                | '★'
                | '※'
                | '→'
        );
    let rest = line.trim_start_matches(first);
    let length = line.len() - rest.len();
    // A dash of Russian or Spanish speech needs no space; that of a negative number has none.
    let spaced = rest.starts_with([' ', '\t', '\u{A0}', '\u{3000}']);
    let tight = matches!(first, '—' | '•' | '●' | '■' | '※');
    (is_bullet && length <= 8 * first.len_utf8() && (spaced || tight)).then_some(length)
}

/// `1.`, `2.1.`, `3)`, `(4)`, `a)`, `5、`, `六、`, `（七）`, `⑧`.
fn enumerator(line: &str) -> Option<usize> {
    const LONGEST: usize = 24;
    let first = line.chars().next()?;
    if matches!(first, '①'..='⑳') {
        return Some(first.len_utf8());
    }
    let opened = matches!(first, '(' | '（');
    let open = if opened { first.len_utf8() } else { 0 };
    let han = |c: char| "一二三四五六七八九十百".contains(c);
    let mut digits = 0;
    for (at, c) in line[open..].char_indices().take(LONGEST) {
        let at = open + at;
        let number = &line[open..at];
        let rest = &line[at + c.len_utf8()..];
        let letter = number.len() == 1 && number.as_bytes()[0].is_ascii_alphabetic();
        let numbered = (1..=3).contains(&digits) && !number.is_empty();
        let spaced = rest.starts_with([' ', '\t', '\u{A0}', '\u{3000}']);
        match c {
            '0'..='9' => digits += 1,
            '.' if numbered && spaced => {
                return (!opened && !tables::is_counted(first_word(rest))).then_some(at + 1);
            }
            '.' if numbered && rest.starts_with(|c: char| c.is_ascii_digit()) => digits = 0,
            ')' if (numbered || letter) && spaced => return Some(at + 1),
            '）' if opened && (numbered || number.chars().all(han)) => {
                return Some(at + c.len_utf8());
            }
            '、' | '．'
                if !opened && (numbered || (!number.is_empty() && number.chars().all(han))) =>
            {
                return Some(at + c.len_utf8());
            }
            _ if han(c) => {}
            _ if number.is_empty() && c.is_ascii_alphabetic() => {}
            _ => return None,
        }
    }
    None
}

fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    let end = text
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(text.len());
    &text[..end]
}
