//! Words. A text comes in; its words go out, normalised, with the bytes they come from.

use std::ops::Range;

use crate::ascii::AsciiWords;
use crate::chars::{Break, CharTable, Class, is_han};
use crate::hash::{Seed, hash64};
use crate::options::{Punctuation, TextOptions};
use crate::piece::Piece;
use crate::segment::segment_at;

/// Takes the tokens of a text, in order. Any `FnMut(&str, Range<usize>)` is one.
pub trait TokenSink {
    /// Takes the next token: `token` as texts are compared, `source` the bytes of the text as
    /// given that it comes from. Where one character of the source makes several tokens (`㎞²`
    /// does not, `ﷺ` does), each has the whole of it as its source.
    fn token(&mut self, token: &str, source: Range<usize>);
}

impl<F: FnMut(&str, Range<usize>)> TokenSink for F {
    #[inline]
    fn token(&mut self, token: &str, source: Range<usize>) {
        self(token, source);
    }
}

/// Takes texts apart. Holds buffers that are used again: make one for each thread.
pub struct Tokenizer {
    pub(crate) options: TextOptions,
    pub(crate) table: &'static CharTable,
    pub(crate) piece: Piece,
    ascii: AsciiWords,
}

impl Tokenizer {
    /// A tokenizer for the given policies.
    #[must_use]
    pub fn new(options: TextOptions) -> Self {
        Self {
            options,
            table: CharTable::of(&options),
            piece: Piece::default(),
            ascii: AsciiWords::new(options.case),
        }
    }

    /// The policies it was made for.
    #[must_use]
    pub fn options(&self) -> &TextOptions {
        &self.options
    }

    /// Whether there is anything in the text besides white space and invisible characters. Texts
    /// with content have words and characters, texts without have none.
    #[must_use]
    pub fn has_content(&self, text: &str) -> bool {
        text.chars().any(|c| {
            let class = self.table.info(c).class;
            class.breaks != Break::Space && !class.is_invisible()
        })
    }

    /// Gives the words of `text` to `sink`.
    pub fn words<S: TokenSink>(&mut self, text: &str, sink: &mut S) {
        let mut sink = Counted { sink, tokens: 0 };
        match self.options.punctuation_of_words() {
            Punctuation::Keep => self.segments(text, Punctuation::Keep, &mut sink),
            Punctuation::Drop => {
                self.segments(text, Punctuation::Drop, &mut sink);
                if sink.tokens == 0 {
                    self.segments(text, Punctuation::Keep, &mut sink);
                }
            }
        }
    }

    /// Appends the [`hash64`] of each word of `text` to `out`: the same as hashing what
    /// [`words`](Self::words) gives, and faster.
    pub fn word_hashes(&mut self, text: &str, seed: Seed, out: &mut Vec<u64>) {
        self.words(text, &mut |word: &str, _: Range<usize>| {
            out.push(hash64(word.as_bytes(), seed));
        });
    }

    fn segments<S: TokenSink>(&mut self, text: &str, punctuation: Punctuation, sink: &mut S) {
        let mut at = 0;
        while at < text.len() {
            if punctuation == Punctuation::Drop {
                at = self.ascii.read(text, at, sink);
            }
            at = self.han_words(text, at, sink);
            at = self.piece.read(self.table, text, at);
            emit_words(&self.piece, punctuation, sink);
            let space = text[at..].chars().next();
            at += space
                .filter(|&c| self.table.info(c).class.breaks == Break::Space)
                .map_or(0, char::len_utf8);
        }
    }

    /// Gives the Han characters from `at` to the sink, as far as no marks follow them; returns
    /// where it stopped.
    fn han_words<S: TokenSink>(&self, text: &str, at: usize, sink: &mut S) -> usize {
        let mut begin = at;
        let mut chars = text[at..].chars();
        let mut here = chars.next();
        while let Some(c) = here
            && is_han(c)
        {
            let next = chars.next();
            let alone = next.is_none_or(|next| is_han(next) || self.begins_a_word(next));
            if !alone {
                break;
            }
            let source = begin..begin + c.len_utf8();
            begin = source.end;
            sink.token(&text[source.clone()], source);
            here = next;
        }
        begin
    }

    fn begins_a_word(&self, c: char) -> bool {
        let info = self.table.info(c);
        info.starts() && !info.class.extends()
    }
}

fn emit_words<S: TokenSink>(piece: &Piece, punctuation: Punctuation, sink: &mut S) {
    let mut at = 0;
    while at < piece.glyphs.len() {
        let segment = segment_at(&piece.glyphs, at);
        at = segment.end;
        let mut classes = piece.glyphs[segment.clone()]
            .iter()
            .map(|glyph| glyph.class);
        let wanted = match punctuation {
            Punctuation::Drop => classes.any(Class::is_content),
            Punctuation::Keep => {
                classes.any(|class| class.breaks != Break::Space && !class.is_invisible())
            }
        };
        if wanted {
            sink.token(piece.text(segment.clone()), piece.source(segment));
        }
    }
}

pub(crate) struct Counted<'a, S> {
    pub(crate) sink: &'a mut S,
    pub(crate) tokens: usize,
}

impl<S: TokenSink> TokenSink for Counted<'_, S> {
    #[inline]
    fn token(&mut self, token: &str, source: Range<usize>) {
        self.tokens += 1;
        self.sink.token(token, source);
    }
}
