//! Pieces: stretches of a text between white space, normalised. A text and a position come in; the
//! normalised characters go out, each with its class and the bytes of the source it comes from.
//!
//! Normalising never looks across white space, so pieces can be taken one at a time, and a long
//! text needs no more memory than its longest piece. Two limits keep that and the time bounded on
//! any input; only texts that nobody wrote reach them:
//! - a piece ends at the first character, with its marks, that begins after 64 KB;
//! - a character takes at most 32 marks; what follows is normalised on its own.

use std::ops::Range;
use std::str::Chars;

use crate::chars::{CharInfo, CharTable};
use crate::class::{Break, Class, ZERO_WIDTH_JOINER};

/// Bytes of the source after which a piece without white space is cut.
pub(crate) const PIECE_BYTES: usize = 64 << 10;

/// How many marks a character takes.
const MARKS: usize = 32;

/// Where a piece ends, if not at the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// Before white space.
    Space,
    /// Before white space, and before any character that always has a word boundary before it.
    Boundary,
}

/// A normalised character.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyph {
    pub(crate) class: Class,
    /// Where it begins in the piece's text.
    begin: u32,
    source_begin: u32,
    source_end: u32,
}

/// The normalised characters of a stretch of text, in a buffer that is used again.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    text: String,
    pub(crate) glyphs: Vec<Glyph>,
    /// The byte of the source that the glyphs count from.
    base: usize,
    marks: Vec<Seen>,
    /// Whether the last glyph is an emoji, or belongs to one.
    ends_in_emoji: bool,
}

/// A character of the source.
#[derive(Debug, Clone, Copy)]
struct Seen {
    c: char,
    info: CharInfo,
    begin: u32,
    end: u32,
}

#[derive(Clone)]
struct Cursor<'a> {
    table: &'static CharTable,
    chars: Chars<'a>,
    length: usize,
}

impl Cursor<'_> {
    fn next(&mut self) -> Option<Seen> {
        let begin = self.length - self.chars.as_str().len();
        let c = self.chars.next()?;
        Some(Seen {
            c,
            info: self.table.info(c),
            begin: begin as u32,
            end: (begin + c.len_utf8()) as u32,
        })
    }
}

impl Piece {
    /// Takes the piece of `text` that begins at `at`, and returns where it ends.
    pub(crate) fn read(
        &mut self,
        table: &'static CharTable,
        text: &str,
        at: usize,
        until: Until,
    ) -> usize {
        self.text.clear();
        self.glyphs.clear();
        self.base = at;
        self.ends_in_emoji = false;
        let window = &text[at..];
        let mut cursor = Cursor {
            table,
            chars: window.chars(),
            length: window.len(),
        };
        let mut here = cursor.next();
        while let Some(seen) = here {
            let info = seen.info;
            let ends = info.class.breaks == Break::Space
                || seen.begin as usize >= PIECE_BYTES
                || (until == Until::Boundary && seen.begin > 0 && info.always_breaks());
            if ends {
                return at + seen.begin as usize;
            }
            let next = cursor.next();
            here = if info.is_ignored() {
                self.keep_in_emoji(seen, next);
                next
            } else if next.is_none_or(|next| next.info.starts()) {
                self.push_seen(table, seen);
                next
            } else {
                self.push_cluster(window, seen, next, &mut cursor)
            };
        }
        at + window.len()
    }

    /// Adds a character together with the marks that follow it; returns what follows them.
    fn push_cluster(
        &mut self,
        window: &str,
        first: Seen,
        next: Option<Seen>,
        cursor: &mut Cursor<'_>,
    ) -> Option<Seen> {
        self.marks.clear();
        let mut after = next;
        let mut steady = first.info.is_steady();
        let mut last = first;
        loop {
            let mut ahead = cursor.clone();
            let mut mark = after;
            while let Some(seen) = mark
                && seen.info.is_ignored()
                && (seen.begin as usize) < 2 * PIECE_BYTES
            {
                mark = ahead.next();
            }
            let Some(mark) = mark.filter(|mark| mark.info.is_mark()) else {
                break;
            };
            if self.marks.len() == MARKS {
                break;
            }
            steady &=
                mark.info.is_steady() && mark.info.combining_class >= last.info.combining_class;
            last = mark;
            self.marks.push(mark);
            *cursor = ahead;
            after = cursor.next();
        }
        if steady {
            self.push_seen(cursor.table, first);
            for mark in 0..self.marks.len() {
                self.push_seen(cursor.table, self.marks[mark]);
            }
        } else if self.marks.is_empty() {
            self.push_seen(cursor.table, first);
        } else {
            let source = first.begin..last.end;
            let cluster = &window[source.start as usize..source.end as usize];
            let normalised = cursor.table.normalise(cluster);
            self.push_str(cursor.table, &normalised, source);
        }
        after
    }

    fn push_seen(&mut self, table: &CharTable, seen: Seen) {
        let source = seen.begin..seen.end;
        if seen.info.expands() {
            self.push_str(table, table.expansion(seen.c), source);
        } else {
            self.push(seen.info.to(), seen.info.class, source);
        }
    }

    fn push_str(&mut self, table: &CharTable, normalised: &str, source: Range<u32>) {
        for c in normalised.chars() {
            self.push(c, table.info(c).class, source.clone());
        }
    }

    fn push(&mut self, c: char, class: Class, source: Range<u32>) {
        self.glyphs.push(Glyph {
            class,
            begin: self.text.len() as u32,
            source_begin: source.start,
            source_end: source.end,
        });
        self.text.push(c);
        if !class.extends() {
            self.ends_in_emoji = class.is_pictograph();
        }
    }

    /// Invisible characters are dropped, except where an emoji is made with them: a joiner
    /// between two, and the tags that make a flag.
    fn keep_in_emoji(&mut self, seen: Seen, next: Option<Seen>) {
        let needed = match seen.c {
            ZERO_WIDTH_JOINER => next.is_some_and(|next| next.info.class.is_pictograph()),
            '\u{E0020}'..='\u{E007F}' => true,
            _ => false,
        };
        if needed && self.ends_in_emoji {
            self.push(seen.c, seen.info.class, seen.begin..seen.end);
        }
    }

    /// The normalised text of some glyphs.
    #[inline]
    pub(crate) fn text(&self, glyphs: Range<usize>) -> &str {
        let position = |glyph: usize| {
            self.glyphs
                .get(glyph)
                .map_or(self.text.len(), |glyph| glyph.begin as usize)
        };
        &self.text[position(glyphs.start)..position(glyphs.end)]
    }

    /// The normalised character that a glyph is.
    pub(crate) fn char(&self, glyph: usize) -> Option<char> {
        let begin = self.glyphs.get(glyph)?.begin as usize;
        self.text[begin..].chars().next()
    }

    /// The bytes of the source that some glyphs come from; at least one glyph.
    #[inline]
    pub(crate) fn source(&self, glyphs: Range<usize>) -> Range<usize> {
        let begin = self.glyphs[glyphs.start].source_begin as usize;
        let end = self.glyphs[glyphs.end - 1].source_end as usize;
        self.base + begin..self.base + end
    }

    /// Bytes held by the buffers.
    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.text.capacity() + self.glyphs.capacity() * size_of::<Glyph>()
    }
}
