//! Numbers: the words with a digit. Two texts that differ in nothing else are often not about the same thing.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use lookalike_text::hash::hash64;
use lookalike_text::{Seed, Tokenizer, Unit};

use super::{Background, Describe, Features, Method, Tokens};
use crate::Error;

pub(super) const FORM: &str = "numbers";

/// The words with a digit, of any script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers;

impl Method for Numbers {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        Ok(Box::new(NumberDescriber {
            seed: background.seed,
            tokenizer: Tokenizer::new(background.text),
        }))
    }

    fn tokens(&self) -> Tokens {
        Tokens::Words
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM)
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    match arguments {
        [] => Ok(Arc::new(Numbers)),
        _ => Err("it has no parameters".to_string()),
    }
}

struct NumberDescriber {
    seed: Seed,
    tokenizer: Tokenizer,
}

impl Describe for NumberDescriber {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        let seed = self.seed;
        self.tokenizer
            .words(unit.text, &mut |word: &str, _: Range<usize>| {
                if word.chars().any(char::is_numeric) {
                    out.push(hash64(word.as_bytes(), seed));
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use crate::features::tests::hashes;

    #[test]
    fn only_words_with_a_digit_count() {
        assert_eq!(
            hashes("numbers", "Is 12 more than 7B?"),
            hashes("numbers", "12 und 7b")
        );
        assert_eq!(hashes("numbers", "借款30天，第2次").len(), 2);
        assert!(hashes("numbers", "no number at all").is_empty());
    }
}
