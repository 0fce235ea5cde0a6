//! Weighted terms: every word of a short text, with what it weighs.
//!
//! The words are [`Term`]s: what a word weighs depends on its class, its length and how common it is. The first two are
//! in the term itself; the weights are there once all texts are known ([`Background::weights`]). In scripts without spaces
//! that no dictionary cuts (kana, Thai …) a term is two characters.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use lookalike_text::hash::hash64;
use lookalike_text::{Seed, Tokenizer, Unit};

use super::terms::is_word_of_its_own;
use super::{Background, Describe, Features, Method, Tokens};
use crate::Error;
use crate::weights::{Form, Term, TermWeights};

pub(super) const FORM: &str = "weighted-terms";

/// See the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedTerms;

impl Method for WeightedTerms {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        Ok(Box::new(Describer {
            seed: background.seed,
            tokenizer: Tokenizer::new(background.text),
            weights: background.weights.clone(),
            forms: Forms::default(),
            pair: String::new(),
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

struct Describer {
    seed: Seed,
    tokenizer: Tokenizer,
    weights: Option<Arc<TermWeights>>,
    forms: Forms,
    /// Two characters of a script without spaces, or the first of them.
    pair: String,
}

impl Describe for Describer {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        let Describer {
            seed,
            tokenizer,
            weights,
            forms,
            pair,
        } = self;
        let mut add = |word: &str| {
            let hash = hash64(word.as_bytes(), *seed);
            let term = forms.term(hash, word);
            match weights {
                Some(weights) => out.push_weighed(term, weights.weigh(term)),
                None => out.push(term),
            }
        };
        // A character of a script without spaces that may go on with the next one: where it ends, and whether it was
        // told in a pair.
        let mut before: Option<(usize, bool)> = None;
        tokenizer.words(unit.text, &mut |word: &str, source: Range<usize>| {
            let begins_pair = is_unspaced(word);
            match before.take() {
                Some((end, _)) if begins_pair && end == source.start => {
                    pair.push_str(word);
                    add(pair);
                    before = Some((source.end, true));
                }
                unfinished => {
                    if let Some((_, false)) = unfinished {
                        add(pair);
                    }
                    before = begins_pair.then_some((source.end, false));
                }
            }
            pair.clear();
            if begins_pair {
                pair.push_str(word);
            } else {
                add(word);
            }
        });
        if let Some((_, false)) = before {
            add(pair);
        }
    }
}

/// Whether a word is a single character of a script without spaces that no dictionary cuts: kana, Thai, Khmer… One such
/// character says next to nothing, so two that follow each other are a term.
fn is_unspaced(word: &str) -> bool {
    let Some(first) = word.chars().next().filter(|first| !first.is_ascii()) else {
        return false;
    };
    first.is_alphabetic()
        && is_word_of_its_own(first)
        && CodePointMapData::<Script>::new().get(first) != Script::Han
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
