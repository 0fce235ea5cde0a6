//! Repeated letters and marks. Where there are more than count goes out; among words, a run of the
//! same mark goes through [`OneMark`] and comes out as one.

use std::ops::Range;

use super::Edits;
use crate::chars::{CharTable, is_han};
use crate::class::{Break, Class};
use crate::words::WordSink;

/// The third and every further one of the same letter in a row.
pub(super) fn find_letters(text: &str, table: &CharTable, edits: &mut Edits) {
    find(text, table, 2, is_letter, edits);
}

/// The second and every further one of the same mark in a row.
pub(super) fn find_marks(text: &str, table: &CharTable, edits: &mut Edits) {
    find(text, table, 1, |_, class| is_mark(class), edits);
}

fn find(
    text: &str,
    table: &CharTable,
    most: usize,
    counts: impl Fn(char, Class) -> bool,
    edits: &mut Edits,
) {
    let (mut last, mut repeated) = (None, 0);
    let visible = text
        .char_indices()
        .filter(|&(_, c)| !table.info(c).is_ignored());
    let mut chars = visible.peekable();
    while let Some((at, c)) = chars.next() {
        let info = table.info(c);
        // A letter with a mark is another letter.
        let has_mark = |&(_, next): &(usize, char)| !table.info(next).starts();
        let here =
            (counts(c, info.class) && !info.expands() && !chars.peek().is_some_and(has_mark))
                .then(|| info.to());
        repeated = if here == last { repeated + 1 } else { 1 };
        last = here;
        if here.is_some() && repeated > most {
            edits.delete(at..at + c.len_utf8());
        }
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
