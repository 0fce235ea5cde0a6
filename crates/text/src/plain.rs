//! The fast path for plain words of every script: those in which each character becomes one
//! character and stays where it is. A text and a position come in; the plain words from there on
//! go out, straight from the source where normalising does not change them.
//!
//! It must find what [`segment`](crate::segment) would find in a [`Piece`](crate::piece::Piece),
//! and stops before everything it is not sure of: digits, emoji, invisible characters, marks that
//! combine; and before ASCII, for which there is a faster path, unless that has given up on it.

use std::ops::Range;

use crate::chars::{CharInfo, CharTable, is_han};
use crate::class::Break;
use crate::options::Punctuation;
use crate::piece::PIECE_BYTES;
use crate::words::WordSink;

/// What the caller knows about the words to come.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    pub(crate) punctuation: Punctuation,
    /// Where the path for ASCII may be tried again.
    pub(crate) ascii_seen: usize,
}

/// Finds plain words, in a buffer that is used again.
pub(crate) struct PlainWords {
    table: &'static CharTable,
    /// A word that normalising changes.
    changed: String,
}

impl PlainWords {
    pub(crate) fn new(table: &'static CharTable) -> Self {
        Self {
            table,
            changed: String::new(),
        }
    }

    /// Gives the plain words from `at` on to the sink; returns where it stopped. `at` must be
    /// where a piece may begin.
    pub(crate) fn read<S: WordSink>(
        &mut self,
        text: &str,
        mut at: usize,
        stretch: Stretch,
        sink: &mut S,
    ) -> usize {
        while let Some(c) = char_at(text, at)
            && (at < stretch.ascii_seen || !c.is_ascii_alphanumeric())
        {
            let end = if is_han(c) {
                Some(self.read_han(text, at, sink)).filter(|&end| end > at)
            } else {
                let info = self.table.info(c);
                match info.class.breaks {
                    Break::Space => Some(at + c.len_utf8()),
                    _ if !info.starts() || info.expands() || info.class.is_pictograph() => None,
                    Break::Letter if info.class.is_content() => self.read_word(text, at, sink),
                    Break::Other if info.class.is_content() => {
                        self.read_one(text, at, info.to(), sink)
                    }
                    breaks
                        if stretch.punctuation == Punctuation::Drop && is_punctuation(breaks) =>
                    {
                        self.end_of_one(text, at + c.len_utf8())
                    }
                    _ => None,
                }
            };
            let Some(end) = end else {
                break;
            };
            at = end;
        }
        at
    }

    /// A run of Han characters, each a word, up to one that a mark may follow.
    fn read_han<S: WordSink>(&self, text: &str, at: usize, sink: &mut S) -> usize {
        let mut begin = at;
        let mut chars = text[at..].chars();
        let mut here = chars.next();
        while let Some(c) = here
            && is_han(c)
        {
            here = chars.next();
            let end = begin + c.len_utf8();
            if !here.is_none_or(is_han) && self.end_of_one(text, end).is_none() {
                break;
            }
            sink.word(&text[begin..end], begin..end);
            begin = end;
        }
        begin
    }

    /// A character of an unspaced script that no mark follows: a word.
    #[inline]
    fn read_one<S: WordSink>(
        &self,
        text: &str,
        at: usize,
        becomes: char,
        sink: &mut S,
    ) -> Option<usize> {
        let length = char_at(text, at).map_or(0, char::len_utf8);
        let end = self.end_of_one(text, at + length)?;
        sink.word(becomes.encode_utf8(&mut [0; 4]), at..end);
        Some(end)
    }

    /// `end`, if nothing that follows belongs to the character that ends there.
    #[inline]
    fn end_of_one(&self, text: &str, end: usize) -> Option<usize> {
        let alone = char_at(text, end).is_none_or(|next| {
            is_han(next) || {
                let info = self.table.info(next);
                info.starts() && !info.expands() && !info.class.extends()
            }
        });
        alone.then_some(end)
    }

    /// A run of letters and steady marks, ended by what cannot be part of a word.
    fn read_word<S: WordSink>(&mut self, text: &str, at: usize, sink: &mut S) -> Option<usize> {
        let mut end = at;
        let mut combining_class = 0;
        let mut unchanged = true;
        for c in text[at..].chars() {
            let info = self.table.info(c);
            if !continues_word(info, combining_class) {
                match self.after_letters(info, text, end + c.len_utf8()) {
                    After::WordGoesOn => {}
                    After::WordEnds => break,
                    After::Unsure => return None,
                }
            }
            combining_class = info.combining_class;
            let to = info.to();
            if unchanged && to != c {
                unchanged = false;
                self.changed.clear();
                self.changed.push_str(&text[at..end]);
            }
            if !unchanged {
                self.changed.push(to);
            }
            end += c.len_utf8();
            if end - at >= PIECE_BYTES {
                return None;
            }
        }
        let source: Range<usize> = at..end;
        let word = if unchanged {
            &text[source.clone()]
        } else {
            &self.changed
        };
        sink.word(word, source);
        Some(end)
    }

    /// What becomes of a word of letters at this character; `rest` is where the next one begins.
    fn after_letters(&self, info: CharInfo, text: &str, rest: usize) -> After {
        if !info.starts() || info.expands() {
            return After::Unsure;
        }
        match info.class.breaks {
            Break::Space | Break::Other | Break::MidNum | Break::DoubleQuote => After::WordEnds,
            Break::MidLetter | Break::MidNumLet | Break::SingleQuote => {
                let Some(next) = char_at(text, rest) else {
                    return After::WordEnds;
                };
                let next = self.table.info(next);
                match next.class.breaks {
                    Break::Space => After::WordEnds,
                    Break::Letter if continues_word(next, 0) => After::WordGoesOn,
                    _ => After::Unsure,
                }
            }
            _ => After::Unsure,
        }
    }
}

enum After {
    WordEnds,
    WordGoesOn,
    Unsure,
}

fn continues_word(info: CharInfo, combining_class: u8) -> bool {
    match info.class.breaks {
        Break::Letter => info.starts() && info.is_steady() && !info.class.is_pictograph(),
        Break::Extend => {
            info.is_steady() && (info.starts() || info.combining_class >= combining_class)
        }
        _ => false,
    }
}

fn is_punctuation(breaks: Break) -> bool {
    matches!(
        breaks,
        Break::Other
            | Break::MidLetter
            | Break::MidNum
            | Break::MidNumLet
            | Break::SingleQuote
            | Break::DoubleQuote
    )
}

#[inline]
fn char_at(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}
