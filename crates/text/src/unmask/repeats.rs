//! Repeated letters and marks. Where there are more than count goes out; among words, a run of the
//! same mark goes through [`OneMark`] and comes out as one.

use std::ops::Range;

use super::Edits;
use crate::chars::{CharTable, is_han};
use crate::class::{Break, Class};
use crate::piece::{Piece, Until};
use crate::words::WordSink;

/// The third and every further one of the same letter in a row, whatever it is written with: `ßs` is three, and so
/// are `é` as one character and twice as two.
pub(super) fn find_letters(
    text: &str,
    table: &'static CharTable,
    piece: &mut Piece,
    edits: &mut Edits,
) {
    let is_three = |three: &[u8]| three.iter().all(|c| c.eq_ignore_ascii_case(&three[0]));
    if text.is_ascii() && !text.as_bytes().windows(3).any(is_three) {
        return;
    }
    let mut run = Run::default();
    let mut left = String::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if table.class(c).breaks == Break::Space {
            run = Run::default();
            at += c.len_utf8();
            continue;
        }
        at = piece.read(table, text, at, Until::Space);
        let mut glyph = 0;
        // What was one character, or one with its marks, is replaced as one.
        while glyph < piece.glyphs.len() {
            let (begin, source) = (glyph, piece.source(glyph..glyph + 1));
            left.clear();
            while glyph < piece.glyphs.len() && piece.source(glyph..glyph + 1) == source {
                let next = piece.char(glyph + 1);
                let has_mark = next.is_some_and(|c| !table.info(c).starts());
                let letter = |c: &char| is_letter(*c, piece.glyphs[glyph].class) && !has_mark;
                let here = piece.char(glyph);
                if run.takes(here.filter(letter)) <= 2 {
                    left.extend(here);
                }
                glyph += 1;
            }
            if left.len() < piece.text(begin..glyph).len() {
                edits.replace(source, &left);
            }
        }
    }
}

/// The second and every further one of the same mark in a row.
pub(super) fn find_marks(text: &str, table: &CharTable, edits: &mut Edits) {
    let mut run = Run::default();
    let visible = text
        .char_indices()
        .filter(|&(_, c)| !table.info(c).is_ignored());
    let mut chars = visible.peekable();
    while let Some((at, c)) = chars.next() {
        let info = table.info(c);
        // A mark with a mark is another mark.
        let has_mark = |&(_, next): &(usize, char)| !table.info(next).starts();
        let here = is_mark(info.class) && !info.expands() && !chars.peek().is_some_and(has_mark);
        if run.takes(here.then(|| info.to())) > 1 {
            edits.delete(at..at + c.len_utf8());
        }
    }
}

/// How often the same character came in a row.
#[derive(Default)]
struct Run {
    last: Option<char>,
    repeated: usize,
}

impl Run {
    /// Takes the next one, none for what ends every run. Returns how many that makes, 0 for none.
    fn takes(&mut self, here: Option<char>) -> usize {
        self.repeated = match here {
            None => 0,
            same if same == self.last => self.repeated + 1,
            _ => 1,
        };
        self.last = here;
        self.repeated
    }
}

fn is_letter(c: char, class: Class) -> bool {
    is_han(c)
        || matches!(class.breaks, Break::Letter | Break::HebrewLetter)
        || (class.breaks == Break::Other && class.is_content() && c.is_alphabetic())
}

fn is_mark(class: Class) -> bool {
    !class.is_content()
        && !class.extends()
        && !class.is_invisible()
        && !matches!(class.breaks, Break::Space | Break::RegionalIndicator)
}

/// Gives words on, but of marks that touch and are the same only the first.
pub(crate) struct OneMark<'a> {
    sink: &'a mut dyn WordSink,
    table: &'static CharTable,
    /// The last word, if it was a mark, and where it ended.
    last: Option<(char, usize)>,
}

impl<'a> OneMark<'a> {
    pub(crate) fn before(sink: &'a mut dyn WordSink, table: &'static CharTable) -> Self {
        Self {
            sink,
            table,
            last: None,
        }
    }

    /// The mark that the word is a row of.
    fn mark(&self, word: &str) -> Option<char> {
        let first = word.chars().next()?;
        let is_row = is_mark(self.table.info(first).class) && word.chars().all(|c| c == first);
        is_row.then_some(first)
    }
}

impl WordSink for OneMark<'_> {
    fn word(&mut self, word: &str, source: Range<usize>) {
        let Some(mark) = self.mark(word) else {
            self.last = None;
            return self.sink.word(word, source);
        };
        let before = self.last.replace((mark, source.end));
        if before.is_none_or(|(same, end)| same != mark || end < source.start) {
            self.sink.word(mark.encode_utf8(&mut [0; 4]), source);
        }
    }

    fn is_empty(&self) -> bool {
        self.sink.is_empty()
    }
}
