//! Characters. A text comes in; its characters go out, normalised, with the bytes they come from,
//! or all of them as one normalised text.
//!
//! ```
//! use lookalike_text::{TextOptions, Tokenizer};
//!
//! let mut normalised = String::new();
//! let mut tokenizer = Tokenizer::new(TextOptions::default());
//! tokenizer.normalise("  Ｆｕｌｌ   width,\tﬁne\u{AD}ly. ", &mut normalised);
//! assert_eq!(normalised, "full width, finely.");
//! ```

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::class::{Break, Class};
use crate::options::{Characters, Punctuation, Whitespace};
use crate::piece::{Piece, Until};
use crate::unmask::{Purpose, Unmasked};
use crate::words::{TokenSink, Tokenizer};

impl Tokenizer {
    /// Gives the characters of `text` to `sink`, white space included as the options say. The
    /// options for stop words, stems and Chinese words are for words only. The characters of a number or date in
    /// its one form ([`numbers`](crate::numbers)) all have the whole of it as their source.
    pub fn characters<S: TokenSink>(&mut self, text: &str, sink: &mut S) {
        let unit = self.options.characters;
        let Some(mut unmask) = self.unmask.take() else {
            return self.each_character(text, unit, sink);
        };
        if unmask.read(text, Purpose::Characters, self) {
            let unmask = &unmask;
            self.each_character(unmask.text(), unit, &mut Unmasked { unmask, sink });
        } else {
            self.each_character(text, unit, sink);
        }
        self.unmask = Some(unmask);
    }

    /// Writes the text as it is compared, that is its characters, to `out`, replacing what is there.
    pub fn normalise(&mut self, text: &str, out: &mut String) {
        let Some(mut unmask) = self.unmask.take() else {
            return self.normalise_unmasked(text, out);
        };
        if unmask.read(text, Purpose::Characters, self) {
            self.normalise_unmasked(unmask.text(), out);
        } else {
            self.normalise_unmasked(text, out);
        }
        self.unmask = Some(unmask);
    }

    fn normalise_unmasked(&mut self, text: &str, out: &mut String) {
        out.clear();
        if self.normalise_plain(text, out) {
            return;
        }
        let mut append = |character: &str, _: Range<usize>| out.push_str(character);
        self.each_character(text, Characters::CodePoint, &mut append);
    }

    /// The same for texts in which every character becomes one character and stays where it is, which are most; false if
    /// this is none.
    fn normalise_plain(&self, text: &str, out: &mut String) -> bool {
        let options = &self.options;
        let is_plain = options.punctuation_of_characters() == Punctuation::Keep
            && options.whitespace == Whitespace::Collapse
            && self.numbers.is_none();
        if !is_plain {
            return false;
        }
        out.reserve(text.len());
        let mut after_space = false;
        for c in text.chars() {
            let info = self.table.info(c);
            let class = info.class;
            if class.breaks == Break::Space {
                after_space = true;
                continue;
            }
            if !info.starts() || info.expands() || class.extends() || class.is_invisible() {
                out.clear();
                return false;
            }
            if after_space && !out.is_empty() {
                out.push(' ');
            }
            after_space = false;
            out.push(info.to());
        }
        true
    }

    fn each_character<S: TokenSink>(&mut self, text: &str, unit: Characters, sink: &mut S) {
        if !self.has_content(text) {
            return;
        }
        let mut punctuation = self.options.punctuation_of_characters();
        if punctuation == Punctuation::Drop && !self.has_letters(text) {
            punctuation = Punctuation::Keep;
        }
        let mut spaced = Spaced {
            sink,
            whitespace: self.options.whitespace,
            written: false,
            gap: None,
            after_content: false,
        };
        let kept = Kept { unit, punctuation };
        let Some(mut numbers) = self.numbers.take() else {
            return self.character_pass(text, 0, kept, &mut spaced);
        };
        let mut at = 0;
        for (source, form) in numbers.find(text) {
            self.character_pass(&text[..source.start], at, kept, &mut spaced);
            for (place, c) in form.char_indices() {
                spaced.character(&form[place..place + c.len_utf8()], source.clone());
            }
            spaced.after_content = true;
            at = source.end;
        }
        self.character_pass(text, at, kept, &mut spaced);
        self.numbers = Some(numbers);
    }

    /// Whether there is anything in the text that is not punctuation.
    fn has_letters(&self, text: &str) -> bool {
        text.chars().any(|c| {
            let info = self.table.info(c);
            if info.expands() {
                let mut chars = self.table.expansion(c).chars();
                chars.any(|c| self.table.info(c).class.is_content())
            } else {
                info.class.is_content()
            }
        })
    }

    fn character_pass<S: TokenSink>(
        &mut self,
        text: &str,
        mut at: usize,
        kept: Kept,
        sink: &mut Spaced<'_, S>,
    ) {
        while at < text.len() {
            at = self.piece.read(self.table, text, at, Until::Space);
            let mut begin = 0;
            while begin < self.piece.glyphs.len() {
                let character = character_at(&self.piece, begin, kept.unit);
                begin = character.end;
                emit_character(&self.piece, character, kept.punctuation, sink);
            }
            let Some(c) = text[at..].chars().next() else {
                return;
            };
            let info = self.table.info(c);
            if info.class.breaks == Break::Space {
                let source = at..at + c.len_utf8();
                at = source.end;
                sink.space(info.to().encode_utf8(&mut [0; 4]), source);
            }
        }
    }
}

fn character_at(piece: &Piece, begin: usize, unit: Characters) -> Range<usize> {
    let length = match unit {
        Characters::CodePoint => 1,
        Characters::Grapheme => {
            let rest = piece.text(begin..piece.glyphs.len());
            let grapheme = rest.graphemes(true).next().unwrap_or(rest);
            grapheme.chars().count()
        }
    };
    begin..begin + length
}

fn emit_character<S: TokenSink>(
    piece: &Piece,
    character: Range<usize>,
    punctuation: Punctuation,
    sink: &mut Spaced<'_, S>,
) {
    let (text, source) = (
        piece.text(character.clone()),
        piece.source(character.clone()),
    );
    let classes = piece.glyphs[character.clone()]
        .iter()
        .map(|glyph| glyph.class);
    if classes.clone().all(|class| class.breaks == Break::Space) {
        sink.space(text, source);
        return;
    }
    let wanted = match punctuation {
        Punctuation::Keep => true,
        Punctuation::Drop => sink.is_content(classes),
    };
    if wanted {
        sink.character(text, source);
    }
}

/// What a character is, and which of them count.
#[derive(Clone, Copy)]
struct Kept {
    unit: Characters,
    punctuation: Punctuation,
}

/// Puts white space between characters as the options say.
struct Spaced<'a, S> {
    sink: &'a mut S,
    whitespace: Whitespace,
    written: bool,
    /// White space since the last character, to be collapsed.
    gap: Option<Range<usize>>,
    /// Whether the last character that is not a mark is a letter, a number or an emoji.
    after_content: bool,
}

impl<S: TokenSink> Spaced<'_, S> {
    fn character(&mut self, text: &str, source: Range<usize>) {
        if let Some(gap) = self.gap.take()
            && self.written
        {
            self.sink.token(" ", gap);
        }
        self.written = true;
        self.sink.token(text, source);
    }

    /// Whether a character of these classes is a letter, a number or an emoji, or a mark on one.
    fn is_content(&mut self, classes: impl Iterator<Item = Class>) -> bool {
        for class in classes.filter(|class| !class.extends()) {
            self.after_content = class.is_content();
        }
        self.after_content
    }

    fn space(&mut self, text: &str, source: Range<usize>) {
        self.after_content = false;
        match self.whitespace {
            Whitespace::Keep => self.sink.token(text, source),
            Whitespace::Drop => {}
            Whitespace::Collapse => match &mut self.gap {
                Some(gap) => gap.end = source.end,
                None => self.gap = Some(source),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;

    fn characters(text: &str, options: TextOptions) -> Vec<(String, Range<usize>)> {
        let mut found = Vec::new();
        let mut sink = |character: &str, source| found.push((character.to_owned(), source));
        Tokenizer::new(options).characters(text, &mut sink);
        found
    }

    fn joined(text: &str, options: TextOptions) -> String {
        let found = characters(text, options);
        let characters: Vec<String> = found.into_iter().map(|(text, _)| text).collect();
        characters.join("|")
    }

    #[test]
    fn white_space_is_collapsed_kept_or_dropped() {
        let with = |whitespace| TextOptions {
            whitespace,
            ..TextOptions::default()
        };
        let text = "\n你 \t 好 ";
        assert_eq!(joined(text, with(Whitespace::Collapse)), "你| |好");
        assert_eq!(joined(text, with(Whitespace::Keep)), "\n|你| |\t| |好| ");
        assert_eq!(joined(text, with(Whitespace::Drop)), "你|好");
        let collapsed = characters(text, with(Whitespace::Collapse));
        assert_eq!(collapsed[1], (" ".to_owned(), 4..7));
    }

    #[test]
    fn characters_are_code_points_or_graphemes() {
        let with = |characters| TextOptions {
            characters,
            ..TextOptions::default()
        };
        let text = "नि👍🏽q\u{323}";
        assert_eq!(
            joined(text, with(Characters::CodePoint)),
            "न|ि|👍|🏽|q|\u{323}"
        );
        assert_eq!(joined(text, with(Characters::Grapheme)), "नि|👍🏽|q\u{323}");
    }

    #[test]
    fn punctuation_is_dropped_unless_there_is_nothing_else() {
        let options = TextOptions {
            punctuation: Some(Punctuation::Drop),
            ..TextOptions::default()
        };
        assert_eq!(
            joined("«q\u{323}!\u{323}» — да", options),
            "q|\u{323}| |д|а"
        );
        assert_eq!(joined("?! —", options), "?|!| |—");
        assert_eq!(joined(" \u{200B}\u{AD} ", options), "");
    }
}
