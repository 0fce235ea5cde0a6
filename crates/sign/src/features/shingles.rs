//! Shingles: every run of n consecutive words or characters.
//!
//! A text shorter than n is one shingle of its own: identical short texts match, different ones do not.

use std::fmt;
use std::ops::Range;

use lookalike_text::hash::{for_each_shingle, hash64};
use lookalike_text::{Seed, TextOptions, Tokenizer, Unit};

use super::{Describe, Features, Method};

pub(super) const FORM: &str = "shingles:words:N or shingles:chars:N";

/// The largest shingle: longer ones only ever match identical texts, which are found anyway.
const MAX_SIZE: usize = 64;

/// What a method counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokens {
    /// Words of any script (UAX #29).
    Words,
    /// Characters.
    Chars,
}

/// Shingles of `size` words or characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shingles {
    /// What is counted.
    pub tokens: Tokens,
    /// How many make a shingle.
    pub size: usize,
}

impl Shingles {
    pub(super) fn describer(self, options: TextOptions, seed: Seed) -> Shingler {
        Shingler {
            shingles: self,
            seed,
            tokenizer: Tokenizer::new(options),
            tokens: Vec::new(),
        }
    }
}

impl fmt::Display for Shingles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tokens = match self.tokens {
            Tokens::Words => "words",
            Tokens::Chars => "chars",
        };
        write!(f, "shingles:{tokens}:{}", self.size)
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Method, String> {
    let [tokens, size] = arguments else {
        return Err("say words or chars, and how many, as in shingles:words:5".to_string());
    };
    let tokens = match *tokens {
        "words" => Tokens::Words,
        "chars" => Tokens::Chars,
        other => return Err(format!("\"{other}\" is neither words nor chars")),
    };
    match size.parse() {
        Ok(size) if (1..=MAX_SIZE).contains(&size) => {
            Ok(Method::Shingles(Shingles { tokens, size }))
        }
        _ => Err(format!(
            "the size \"{size}\" is not a number from 1 to {MAX_SIZE}"
        )),
    }
}

pub(super) struct Shingler {
    shingles: Shingles,
    seed: Seed,
    tokenizer: Tokenizer,
    tokens: Vec<u64>,
}

impl Describe for Shingler {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        self.tokens.clear();
        match self.shingles.tokens {
            Tokens::Words => self
                .tokenizer
                .word_hashes(unit.text, self.seed, &mut self.tokens),
            Tokens::Chars => {
                self.tokenizer
                    .characters(unit.text, &mut |character: &str, _: Range<usize>| {
                        self.tokens.push(hash64(character.as_bytes(), self.seed));
                    });
            }
        }
        out.hashes.clear();
        if self.tokens.is_empty() {
            return;
        }
        let size = self.shingles.size.min(self.tokens.len());
        for_each_shingle(&self.tokens, size, self.seed, |shingle| {
            out.hashes.push(shingle);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_text::UnitId;

    fn hashes(method: &str, text: &str) -> Vec<u64> {
        let method: Method = method.parse().unwrap();
        let mut describe = method.describer(TextOptions::default(), Seed(7));
        let mut features = Features::default();
        describe.describe(&Unit::whole(UnitId::from(0), text), &mut features);
        features.hashes().to_vec()
    }

    #[test]
    fn a_text_of_n_tokens_has_one_shingle_and_each_further_token_adds_one() {
        for extra in 0..4 {
            let text = "word ".repeat(5 + extra);
            assert_eq!(hashes("shingles:words:5", &text).len(), 1 + extra);
        }
        assert_eq!(hashes("shingles:words:5", "一二三四五六七").len(), 3);
        assert_eq!(hashes("shingles:chars:4", "abcdef").len(), 3);
    }

    #[test]
    fn short_texts_match_only_when_they_are_the_same() {
        let one = hashes("shingles:words:5", "Guten Morgen");
        assert_eq!(one.len(), 1);
        assert_eq!(one, hashes("shingles:words:5", "guten  morgen!"));
        assert_ne!(one, hashes("shingles:words:5", "guten abend"));
        assert_ne!(one, hashes("shingles:words:5", "morgen guten"));
        assert_ne!(one, hashes("shingles:words:5", "guten"));
        assert_ne!(
            hashes("shingles:words:5", "你好"),
            hashes("shingles:words:5", "您好")
        );
    }

    #[test]
    fn an_empty_text_has_no_features_and_a_punctuation_text_has_some() {
        assert!(hashes("shingles:words:5", "").is_empty());
        assert!(hashes("shingles:words:5", " \n\t ").is_empty());
        assert!(!hashes("shingles:words:5", "???").is_empty());
        assert_ne!(
            hashes("shingles:words:5", "???"),
            hashes("shingles:words:5", "!!!")
        );
    }

    #[test]
    fn forms_are_parsed_and_printed_back() {
        for form in ["shingles:words:5", "shingles:chars:12"] {
            assert_eq!(form.parse::<Method>().unwrap().to_string(), form);
        }
    }

    #[test]
    fn a_wrong_form_names_the_remedy() {
        let message = |given: &str| given.parse::<Method>().unwrap_err().to_string();
        assert!(message("ngrams:5").contains("there are: shingles:words:N"));
        assert!(message("shingles:5").contains("say words or chars"));
        assert!(message("shingles:words:0").contains("1 to 64"));
        assert!(message("shingles:letters:3").contains("neither words nor chars"));
    }
}
