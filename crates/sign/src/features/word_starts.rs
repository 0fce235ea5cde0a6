//! Word starts: every word, and how longer words begin, so that forms of one word have something in common in any language.
//!
//! In scripts without spaces two characters that follow each other are a word, and nothing is longer than that.

use std::fmt;
use std::sync::Arc;

use lookalike_text::hash::hash64;
use lookalike_text::{Chinese, Seed, Tokenizer, Unit};

use super::unspaced::{Han, Pairing};
use super::{Background, Describe, Features, Method, Tokens};
use crate::Error;

pub(super) const FORM: &str = "word-starts:N";

/// Every word, and how longer words begin, so that forms of one word have something in common in
/// any language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordStarts {
    /// How many characters (code points) a start has.
    pub characters: usize,
}

impl Method for WordStarts {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        let han = match background.text.chinese() {
            Chinese::Words => Han::Cut,
            Chinese::Characters => Han::Uncut,
        };
        Ok(Box::new(Describer {
            characters: self.characters,
            words: background.seed,
            // A start is no word: `the` and the start of `these` are two features.
            starts: Seed(background.seed.0 ^ STARTS),
            tokenizer: Tokenizer::new(background.text),
            pairing: Pairing::new(han),
        }))
    }

    fn tokens(&self) -> Tokens {
        Tokens::Words
    }
}

/// Sets the hashes of starts apart.
const STARTS: u64 = 0x9E37_79B9_7F4A_7C15;

impl fmt::Display for WordStarts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "word-starts:{}", self.characters)
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    let say = || "say how many characters a start has, as in word-starts:3".to_string();
    let [characters] = arguments else {
        return Err(say());
    };
    match characters.parse() {
        Ok(characters @ 1..) => Ok(Arc::new(WordStarts { characters })),
        _ => Err(say()),
    }
}

struct Describer {
    characters: usize,
    words: Seed,
    starts: Seed,
    tokenizer: Tokenizer,
    pairing: Pairing,
}

impl Describe for Describer {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        let Describer {
            characters,
            words,
            starts,
            tokenizer,
            pairing,
        } = self;
        pairing.words(tokenizer, unit.text, |word| {
            out.push(hash64(word.as_bytes(), *words));
            if let Some((end, _)) = word.char_indices().nth(*characters) {
                out.push(hash64(&word.as_bytes()[..end], *starts));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::features::method;
    use crate::features::tests::hashes;

    fn common(a: &str, b: &str) -> usize {
        let [a, b] = [a, b].map(|text| hashes("word-starts:3", text));
        a.iter().filter(|feature| b.contains(feature)).count()
    }

    #[test]
    fn forms_of_a_word_share_how_they_begin() {
        assert_eq!(common("tutoyer", "tutoie"), 1);
        assert_eq!(common("спросить", "спрошу"), 1);
        assert_eq!(common("tutoyer", "tutoyer"), 2);
        assert_eq!(common("tutoyer", "vouvoyer"), 0);
    }

    #[test]
    fn a_word_is_not_the_start_of_a_longer_one() {
        assert_eq!(common("the", "these"), 0);
    }

    #[test]
    fn in_scripts_without_spaces_pairs_of_characters_are_words() {
        assert_eq!(hashes("word-starts:3", "北京天气").len(), 3);
        assert_eq!(common("北京天气", "天气北京"), 2);
    }

    #[test]
    fn a_start_has_at_least_one_character() {
        for form in ["word-starts", "word-starts:0", "word-starts:x"] {
            let error = method(form).unwrap_err().to_string();
            assert!(error.contains("word-starts:3"), "{error}");
        }
        assert_eq!(
            method("word-starts:3").unwrap().to_string(),
            "word-starts:3"
        );
    }
}
