//! Grams: runs of consecutive tokens, hashed. Shingles are all of them, winnowing keeps some.
//!
//! A text of fewer tokens than a gram has is one gram of its own: identical short texts match, different ones do not.

use std::fmt;
use std::ops::Range;

use lookalike_text::hash::{for_each_shingle, hash_sequence, hash64, mix64};
use lookalike_text::{Seed, Tokenizer, letters};

use super::Background;

/// The largest gram: longer ones only ever match identical texts, which are found anyway.
const MAX_SIZE: usize = 64;

/// What a method counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokens {
    /// Words of any script (UAX #29).
    Words,
    /// Characters.
    Chars,
    /// Characters by how much they say: an ideograph, a kana or a Hangul syllable counts as three letters.
    Letters,
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tokens::Words => "words",
            Tokens::Chars => "chars",
            Tokens::Letters => "letters",
        })
    }
}

/// Grams of `size` words, characters or letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grams {
    /// What is counted.
    pub tokens: Tokens,
    /// How many make a gram.
    pub size: usize,
}

impl Grams {
    pub(super) fn parse(tokens: &str, size: &str) -> Result<Self, String> {
        let tokens = match tokens {
            "words" => Tokens::Words,
            "chars" => Tokens::Chars,
            "letters" => Tokens::Letters,
            other => return Err(format!("\"{other}\" is neither words, chars nor letters")),
        };
        match size.parse() {
            Ok(size) if (1..=MAX_SIZE).contains(&size) => Ok(Grams { tokens, size }),
            _ => Err(format!(
                "the size \"{size}\" is not a number from 1 to {MAX_SIZE}"
            )),
        }
    }

    pub(super) fn reader(self, background: &Background) -> GramReader {
        GramReader {
            grams: self,
            seed: background.seed,
            tokenizer: Tokenizer::new(background.text),
            tokens: Vec::new(),
            widths: Vec::new(),
            text: String::new(),
        }
    }
}

impl fmt::Display for Grams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.tokens, self.size)
    }
}

/// Reads the grams of one text after the other.
pub(super) struct GramReader {
    grams: Grams,
    seed: Seed,
    tokenizer: Tokenizer,
    tokens: Vec<u64>,
    /// How many letters each token counts as, where these are counted and any counts as more than one.
    widths: Vec<usize>,
    /// The text as it is compared, where letters are counted.
    text: String,
}

impl GramReader {
    /// Gives the hash of each gram to `take`, in the order of the text: none only if the text has no content.
    pub(super) fn read(&mut self, text: &str, take: impl FnMut(u64)) {
        self.tokens.clear();
        match self.grams.tokens {
            Tokens::Words => self
                .tokenizer
                .word_hashes(text, self.seed, &mut self.tokens),
            Tokens::Chars => {
                self.tokenizer
                    .characters(text, &mut |character: &str, _: Range<usize>| {
                        self.tokens.push(hash64(character.as_bytes(), self.seed));
                    });
            }
            Tokens::Letters => {
                self.read_letters(text);
                if self.widths.iter().any(|&width| width > 1) {
                    return self.of_widths(take);
                }
            }
        }
        self.each_gram(&self.tokens, take);
    }

    /// The hashes of the words that were read last, if words are read.
    pub(super) fn words(&self) -> Option<&[u64]> {
        (self.grams.tokens == Tokens::Words).then_some(self.tokens.as_slice())
    }

    /// Does what [`read`](Self::read) does, given the words of the text; false if these are not enough.
    pub(super) fn read_words(&self, words: &[u64], take: impl FnMut(u64)) -> bool {
        let is_enough = self.grams.tokens == Tokens::Words;
        if is_enough {
            self.each_gram(words, take);
        }
        is_enough
    }

    fn each_gram(&self, tokens: &[u64], take: impl FnMut(u64)) {
        if tokens.is_empty() {
            return;
        }
        let size = self.grams.size.min(tokens.len());
        for_each_shingle(tokens, size, self.seed, take);
    }

    fn read_letters(&mut self, text: &str) {
        self.tokenizer.normalise(text, &mut self.text);
        self.widths.clear();
        let hash = |code: u64| mix64(self.seed.0 ^ code);
        if self.text.is_ascii() {
            let bytes = self.text.bytes();
            self.tokens.extend(bytes.map(|byte| hash(byte.into())));
            return;
        }
        let characters = self.text.chars();
        self.tokens
            .extend(characters.clone().map(|c| hash(u32::from(c).into())));
        self.widths.extend(characters.map(letters));
    }

    /// The grams from each token on until there are enough letters.
    fn of_widths(&self, mut take: impl FnMut(u64)) {
        let (mut end, mut wide) = (0, 0);
        for begin in 0..self.tokens.len() {
            while wide < self.grams.size && end < self.tokens.len() {
                wide += self.widths[end];
                end += 1;
            }
            if wide < self.grams.size && begin > 0 {
                return;
            }
            take(hash_sequence(&self.tokens[begin..end], self.seed));
            wide -= self.widths[begin];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(text: &str, form: (&str, &str)) -> Vec<u64> {
        let mut reader = Grams::parse(form.0, form.1)
            .unwrap()
            .reader(&Background::default());
        let mut found = Vec::new();
        reader.read(text, |gram| found.push(gram));
        found
    }

    #[test]
    fn an_ideograph_counts_as_three_letters() {
        let of = |text| grams(text, ("letters", "5"));
        // 春天 天来 来了
        assert_eq!(of("春天来了").len(), 3);
        assert_eq!(of("春天来了")[..2], of("春天来")[..]);
        assert_eq!(of("abcdefg").len(), 3);
        // 第12, 12届, 2届会 届会
        assert_eq!(of("第12届会").len(), 4);
        assert_eq!(of("ひらがな").len(), 3);
    }

    #[test]
    fn a_text_of_few_letters_is_one_gram() {
        for text in ["春", "ab", "é", "한"] {
            let found = grams(text, ("letters", "5"));
            assert_eq!(found.len(), 1, "{text}");
            assert_ne!(found, grams("x", ("letters", "5")));
        }
        assert!(grams("", ("letters", "5")).is_empty());
    }
}
