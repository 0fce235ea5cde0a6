//! Shingles: every run of n consecutive words or characters.

use std::fmt;
use std::sync::Arc;

use lookalike_text::Unit;

use super::grams::GramReader;
use super::{Background, Describe, Features, Grams, Method, Tokens};
use crate::Error;

pub(super) const FORM: &str = "shingles:words:N, shingles:chars:N or shingles:letters:N";

/// Every gram of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shingles {
    /// What a shingle is.
    pub grams: Grams,
}

impl Method for Shingles {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        Ok(Box::new(Shingler(self.grams.reader(background))))
    }

    fn tokens(&self) -> Tokens {
        self.grams.tokens
    }
}

impl fmt::Display for Shingles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shingles:{}", self.grams)
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    let [tokens, size] = arguments else {
        return Err(
            "say words, chars or letters, and how many, as in shingles:words:5".to_string(),
        );
    };
    let grams = Grams::parse(tokens, size)?;
    Ok(Arc::new(Shingles { grams }))
}

struct Shingler(GramReader);

impl Describe for Shingler {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        self.0.read(unit.text, |shingle| out.push(shingle));
    }

    fn words(&self) -> Option<&[u64]> {
        self.0.words()
    }

    fn describe_words(&mut self, words: &[u64], out: &mut Features) -> bool {
        out.clear();
        self.0.read_words(words, |shingle| out.push(shingle))
    }
}

#[cfg(test)]
mod tests {
    use crate::features::method;
    use crate::features::tests::hashes;

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
            assert_eq!(method(form).unwrap().to_string(), form);
        }
    }
}
