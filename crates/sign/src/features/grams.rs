//! Grams: runs of consecutive tokens, hashed. Shingles are all of them, winnowing keeps some.
//!
//! A text of fewer tokens than a gram has is one gram of its own: identical short texts match, different ones do not.

use std::fmt;
use std::ops::Range;

use lookalike_text::hash::{for_each_shingle, hash64};
use lookalike_text::{Seed, Tokenizer};

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
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tokens::Words => "words",
            Tokens::Chars => "chars",
        })
    }
}

/// Grams of `size` words or characters.
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
            other => return Err(format!("\"{other}\" is neither words nor chars")),
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
        }
        if self.tokens.is_empty() {
            return;
        }
        let size = self.grams.size.min(self.tokens.len());
        for_each_shingle(&self.tokens, size, self.seed, take);
    }
}
