//! Weighted terms: every word of a short text, with what it weighs.
//!
//! The words are [`Term`]s: what a word weighs depends on its class, its length and how common it is. The first two are
//! in the term itself; the weights are there once all texts are known ([`Background::weights`]). In scripts without spaces
//! that no dictionary cuts (kana, Thai …) a term is two characters.

use std::fmt;
use std::sync::Arc;

use lookalike_text::hash::hash64;
use lookalike_text::{Seed, Tokenizer, Unit};

use super::unspaced::{Han, Pairing};
use super::{Background, Describe, Features, Method, Tokens};
use crate::Error;
use crate::weights::{Form, Term, TermWeights};

pub(super) const FORM: &str = "weighted-terms";

/// Every word of a short text, with what it weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedTerms;

impl Method for WeightedTerms {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        Ok(Box::new(Describer {
            seed: background.seed,
            tokenizer: Tokenizer::new(background.text),
            weights: background.weights.clone(),
            forms: Forms::default(),
            pairing: Pairing::new(Han::Cut),
        }))
    }

    fn tokens(&self) -> Tokens {
        Tokens::Words
    }

    fn has_weights(&self) -> bool {
        true
    }

    fn is_weighed(&self) -> bool {
        true
    }
}

impl fmt::Display for WeightedTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM)
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    match arguments {
        [] => Ok(Arc::new(WeightedTerms)),
        _ => Err("it has no parameters; what words weigh is in a table of its own".to_string()),
    }
}

/// Tells each word of a text, as it is compared, with its term.
pub fn for_each_term(background: &Background, text: &str, mut each: impl FnMut(&str, u64)) {
    let mut tokenizer = Tokenizer::new(background.text);
    Pairing::new(Han::Cut).words(&mut tokenizer, text, |word| {
        each(word, Term::of(word, background.seed).get());
    });
}

struct Describer {
    seed: Seed,
    tokenizer: Tokenizer,
    weights: Option<Arc<TermWeights>>,
    forms: Forms,
    pairing: Pairing,
}

impl Describe for Describer {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        let Describer {
            seed,
            tokenizer,
            weights,
            forms,
            pairing,
        } = self;
        pairing.words(tokenizer, unit.text, |word| {
            let hash = hash64(word.as_bytes(), *seed);
            let term = forms.term(hash, word);
            match weights {
                Some(weights) => out.push_weighed(term, weights.weigh(term)),
                None => out.push(term),
            }
        });
    }
}

/// The terms of the words met last: most words of a text are common ones, and finding their class takes a while.
#[derive(Default)]
struct Forms {
    /// Each at a place that the hash of its word tells; 0 where there is none yet.
    known: Vec<u64>,
}

impl Forms {
    const PLACES: usize = 1 << 16;

    #[inline]
    fn term(&mut self, hash: u64, word: &str) -> u64 {
        if self.known.is_empty() {
            self.known.resize(Self::PLACES, 0);
        }
        let known = &mut self.known[(hash >> 40) as usize & (Self::PLACES - 1)];
        if !Term::from(*known).is_of(hash) {
            *known = Term::new(hash, Form::of(word)).get();
        }
        *known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::tests::described;
    use crate::weights::{TermCounts, TermTable, WeightRules};

    #[test]
    fn words_are_terms_in_the_order_of_the_text_with_repeats() {
        let background = Background {
            seed: Seed(3),
            ..Background::default()
        };
        let features = described(FORM, &background, "Free FREE ringtones, 4 you!");
        let expected = ["free", "free", "ringtones", "4", "you"];
        let expected = expected.map(|word| Term::of(word, Seed(3)).get());
        assert_eq!(features.hashes(), expected);
        assert!(features.weights().is_empty());
    }

    #[test]
    fn in_scripts_without_spaces_two_characters_are_a_term() {
        let background = Background {
            seed: Seed(3),
            ..Background::default()
        };
        for (text, expected) in [
            ("かなが abc", vec!["かな", "なが", "abc"]),
            ("か な", vec!["か", "な"]),
            ("abcかな", vec!["abc", "かな"]),
            ("か漢字", vec!["か", "漢", "字"]),
            ("ก", vec!["ก"]),
        ] {
            let terms: Vec<u64> = expected
                .iter()
                .map(|word| Term::of(word, Seed(3)).get())
                .collect();
            assert_eq!(described(FORM, &background, text).hashes(), terms, "{text}");
        }
    }

    #[test]
    fn with_weights_every_word_has_one() {
        let seed = Seed(3);
        let mut table = TermTable::default();
        for word in ["free", "free", "offer"] {
            table.count(Term::of(word, seed).get());
        }
        let counts = TermCounts::new(vec![table]);
        let background = Background {
            seed,
            weights: Some(Arc::new(TermWeights::new(
                WeightRules::default(),
                counts,
                None,
            ))),
            ..Background::default()
        };
        let mut features = described(FORM, &background, "free offer of unseen");
        assert_eq!(features.frequencies(), [2, 1, 1, 1]);
        assert!(features.weights()[1] > features.weights()[0]);
        features.sort();
        assert!(features.frequencies().is_empty());
        assert_eq!(features.weights().len(), 4);
    }
}
