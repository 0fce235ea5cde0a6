//! A word in 64 bits, with all that its weight depends on beside its frequency.

use lookalike_text::hash::hash64;
use lookalike_text::{Seed, WordClass};

/// The lower bits hold the class and the length, the upper 54 are those of the word's hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term(u64);

const LENGTH_BITS: u32 = 6;
const CLASS_BITS: u32 = 4;
const FORM_BITS: u32 = LENGTH_BITS + CLASS_BITS;

const _: () = assert!(WordClass::ALL.len() <= 1 << CLASS_BITS);

impl Term {
    /// Longer words count as this long.
    pub const MOST_LENGTH: u32 = (1 << LENGTH_BITS) - 1;

    /// The term of a word as the tokenizer gives it.
    #[must_use]
    pub fn of(word: &str, seed: Seed) -> Self {
        Term::new(hash64(word.as_bytes(), seed), Form::of(word))
    }

    /// The term of a word with this hash and form.
    #[inline]
    pub(crate) fn new(hash: u64, form: Form) -> Self {
        Term(hash >> FORM_BITS << FORM_BITS | u64::from(form.0))
    }

    /// Whether it is the term of a word with this hash.
    #[inline]
    pub(crate) fn is_of(self, hash: u64) -> bool {
        self.0 != 0 && (self.0 ^ hash) >> FORM_BITS == 0
    }

    /// The 64 bits, never 0.
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }

    /// The class of the word.
    #[must_use]
    pub fn class(self) -> WordClass {
        let place = self.class_place();
        WordClass::ALL
            .get(place)
            .copied()
            .unwrap_or(WordClass::Open)
    }

    /// The place of the class among all.
    pub(super) fn class_place(self) -> usize {
        (self.0 >> LENGTH_BITS) as usize & ((1 << CLASS_BITS) - 1)
    }

    /// How long the word is, in characters.
    #[must_use]
    pub fn length(self) -> u32 {
        self.0 as u32 & Term::MOST_LENGTH
    }
}

impl From<u64> for Term {
    fn from(bits: u64) -> Self {
        Term(bits)
    }
}

/// What a word looks like: its class and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Form(u16);

impl Form {
    pub(crate) fn of(word: &str) -> Self {
        let class = WordClass::of(word);
        let place = WordClass::ALL.iter().position(|&known| known == class);
        let length = word.chars().take(Term::MOST_LENGTH as usize).count();
        Form((place.unwrap_or_default() as u16) << LENGTH_BITS | length.max(1) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_knows_class_and_length_and_words_differ() {
        let seed = Seed(1);
        for (word, class, length) in [
            ("42", WordClass::Numerals, 2),
            ("zyxgrumble", WordClass::Open, 10),
        ] {
            let term = Term::of(word, seed);
            assert_eq!((term.class(), term.length()), (class, length), "{word}");
        }
        assert_eq!(Term::of(&"x".repeat(500), seed).length(), Term::MOST_LENGTH);
        assert_ne!(Term::of("one", seed), Term::of("two", seed));
        assert_ne!(Term::of("one", seed), Term::of("one", Seed(2)));
        assert_ne!(Term::of("", seed).get(), 0);
    }
}
