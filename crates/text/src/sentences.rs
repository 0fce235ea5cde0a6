//! Where does a sentence end? A text comes in; the byte ranges of its sentences go out, in order.
//!
//! Lines are read first ([`lines`]): they cut the text into pieces no sentence goes beyond. In a piece only the
//! characters that can end a sentence are looked at ([`stops`]); whether one does depends on what stands before it
//! ([`before`]: an abbreviation, an initial, a number) and after it ([`after`]: a quotation mark, a small letter, "said").
//! No rule looks further than a fixed number of characters, so the time is linear in the text, whatever it is.
//!
//! ```
//! use lookalike_text::{SentenceOptions, sentences};
//!
//! let text = "Dr. Ames left at 5 p.m. in the rain. “Why?” she asked. 天黑了。";
//! let mut found = Vec::new();
//! sentences(text, &SentenceOptions::unlimited(), |sentence| found.push(&text[sentence.range]));
//! assert_eq!(found, ["Dr. Ames left at 5 p.m. in the rain.", "“Why?” she asked.", "天黑了。"]);
//! ```

mod after;
mod before;
mod lines;
mod marks;
mod stops;
mod tables;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use marks::letters;
use serde::{Deserialize, Serialize};

use crate::policy;

policy!(
    /// What the end of a line means. An empty line always ends a sentence, and a list item always begins one.
    Lines, "lines", "auto, break or join",
    /// Decided for each paragraph: where its lines look as if a program had broken them, as many words on each as fit
    /// into 50 to 100 columns (of four lines and more also 30 to 200), their ends are spaces; else they end sentences.
    Auto = "auto",
    /// It ends a sentence: for texts with a block a line.
    Break = "break",
    /// It is a space.
    Join = "join",
);

/// How a text is cut into sentences, and which of them are wanted.
///
/// Lengths are in letters: any character counts 1, but an ideograph, a kana or a Hangul syllable 3, because that is about
/// how many letters say as much. So the default of 20 is 20 letters of English or 7 characters of Chinese.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct SentenceOptions {
    /// Sentences with fewer letters are left out.
    pub least_characters: u32,
    /// Sentences with more letters are left out: they are tables and lists.
    pub most_characters: u32,
    /// What the end of a line means.
    pub lines: Lines,
}

impl Default for SentenceOptions {
    fn default() -> Self {
        Self {
            least_characters: 20,
            most_characters: 1000,
            lines: Lines::Auto,
        }
    }
}

impl SentenceOptions {
    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// All sentences, however short or long.
    #[must_use]
    pub fn unlimited() -> Self {
        Self {
            least_characters: 0,
            most_characters: u32::MAX,
            lines: Lines::Auto,
        }
    }

    fn wants(&self, sentence: &str) -> bool {
        let (least, most) = (
            self.least_characters as usize,
            self.most_characters as usize,
        );
        // No character has more letters than bytes, nor more than four bytes a letter.
        if sentence.len() < least || sentence.len() / 4 > most {
            return false;
        }
        if sentence.len() / 4 >= least && sentence.len() <= most {
            return true;
        }
        let letters = sentence.chars().map(marks::letters).sum::<usize>();
        (least..=most).contains(&letters)
    }
}

/// A sentence of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its bytes in the text, without white space around it and without the bullet or number of a list item.
    pub range: Range<usize>,
    /// Which it is, counted from 0 over all sentences of the text, also those that are left out.
    pub number: u32,
}

/// Calls `each` with every wanted line of the text as if it were a sentence: citations and other items of lists, whose
/// stops end nothing. Returns how many there are, wanted or not.
pub fn items(text: &str, options: &SentenceOptions, mut each: impl FnMut(Sentence)) -> u32 {
    let (mut begin, mut number) = (0, 0_u32);
    for line in text.split_inclusive('\n') {
        let item = line.trim();
        let at = begin + (line.len() - line.trim_start().len());
        begin += line.len();
        if item.is_empty() {
            continue;
        }
        if options.wants(item) {
            let range = at..at + item.len();
            each(Sentence { range, number });
        }
        number = number.saturating_add(1);
    }
    number
}

/// Calls `each` with every wanted sentence of the text, in order, and returns how many there are, wanted or not.
pub fn sentences(text: &str, options: &SentenceOptions, mut each: impl FnMut(Sentence)) -> u32 {
    let mut number = 0_u32;
    lines::for_each_piece(text, options.lines, &mut |piece: Range<usize>| {
        let begin = piece.start;
        stops::for_each_sentence(&text[piece], &mut |range: Range<usize>| {
            let range = begin + range.start..begin + range.end;
            if options.wants(&text[range.clone()]) {
                each(Sentence { range, number });
            }
            number = number.saturating_add(1);
        });
    });
    number
}
