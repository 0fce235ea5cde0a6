//! Features: a unit described as 64-bit hashes, with weights where the method has them.
//!
//! One file per method, one line in `METHODS`. A method is written `name:parameters`, as in `shingles:words:5`; where
//! grams are counted, words or characters is always said, because an ambiguous n-gram size has cost users whole corpora.

mod grams;
mod imatch;
mod negations;
mod numbers;
mod shingles;
mod spotsigs;
mod terms;
mod unspaced;
mod weighted_terms;
mod winnow;
mod word_starts;

use std::fmt;
use std::sync::Arc;

use lookalike_text::{Seed, TextOptions, Unit};

use crate::Error;
use crate::stats::Lexicon;
use crate::weights::{TermCounts, TermWeights, Weighed};
pub use grams::{Grams, Tokens};
pub use imatch::Digests;
pub use negations::Negations;
pub use numbers::Numbers;
pub use shingles::Shingles;
pub use spotsigs::{Antecedents, SpotSigs};
pub(crate) use terms::is_word_of_its_own;
pub use terms::{TermRules, Terms, Weighting};
pub use weighted_terms::{WeightedTerms, for_each_term};
pub use winnow::Winnow;
pub use word_starts::WordStarts;

/// The registry: a new method is one new file and one line here.
const METHODS: &[Registered] = &[
    Registered {
        name: "shingles",
        form: shingles::FORM,
        parse: shingles::parse,
    },
    Registered {
        name: "winnow",
        form: winnow::FORM,
        parse: winnow::parse,
    },
    Registered {
        name: "spotsigs",
        form: spotsigs::FORM,
        parse: spotsigs::parse,
    },
    Registered {
        name: "terms",
        form: terms::FORM,
        parse: terms::parse,
    },
    Registered {
        name: "weighted-terms",
        form: weighted_terms::FORM,
        parse: weighted_terms::parse,
    },
    Registered {
        name: "numbers",
        form: numbers::FORM,
        parse: numbers::parse,
    },
    Registered {
        name: "negations",
        form: negations::FORM,
        parse: negations::parse,
    },
    Registered {
        name: "imatch",
        form: imatch::FORM,
        parse: imatch::parse,
    },
    Registered {
        name: "word-starts",
        form: word_starts::FORM,
        parse: word_starts::parse,
    },
];

struct Registered {
    name: &'static str,
    form: &'static str,
    parse: Parse,
}

/// Makes a method of the parameters after the name, or says what is wrong with them.
type Parse = fn(&[&str]) -> Result<Arc<dyn Method>, String>;

/// A way of describing units, with its parameters; what `--features` names. Its `Display` is that name.
pub trait Method: fmt::Debug + fmt::Display + Send + Sync {
    /// The worker that describes units this way: one per thread, since it owns the buffers it reuses.
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error>;

    /// What the method counts, for the text options whose default depends on it.
    fn tokens(&self) -> Tokens;

    /// Whether its features have weights, given a lexicon.
    fn has_weights(&self) -> bool {
        false
    }

    /// Whether its features are weighed once all texts are known, by [`Background::weights`].
    fn is_weighed(&self) -> bool {
        false
    }

    /// Whether the background must have a lexicon.
    fn needs_statistics(&self, _background: &Background) -> bool {
        false
    }
}

/// What a method knows beside its own parameters.
#[derive(Debug, Clone, Default)]
pub struct Background {
    /// What counts as the same text.
    pub text: TextOptions,
    /// The seed of every hash.
    pub seed: Seed,
    /// Which words are terms.
    pub terms: TermRules,
    /// Where the antecedents of spot signatures come from.
    pub antecedents: Antecedents,
    /// The statistics of a corpus, of this seed and these text options. With it, terms have weights.
    pub lexicon: Option<Arc<Lexicon>>,
    /// Those of other text options, for the parts of a model.
    pub other_lexicons: Vec<Arc<Lexicon>>,
    /// What the weight of a term is.
    pub weighting: Weighting,
    /// Whether weights are needed, and so a lexicon where the method has weights.
    pub weighted: bool,
    /// What words weigh, for features that are weighed once all texts are known. Without it they have no weights.
    pub weights: Option<Arc<TermWeights>>,
    /// How common words are in another collection than the texts themselves.
    pub collection: Option<Arc<TermCounts>>,
}

impl Background {
    /// The lexicon of these text options, else the one there is.
    pub fn lexicon_for(&self, text: &TextOptions) -> Option<Arc<Lexicon>> {
        let all = self.lexicon.iter().chain(&self.other_lexicons);
        let mut fitting = all.filter(|lexicon| lexicon.counts_words_as(text));
        fitting.next().or(self.lexicon.as_ref()).cloned()
    }

    /// The lexicon, if its hashes and words are those of this background.
    fn matching_lexicon(&self) -> Result<Option<&Arc<Lexicon>>, Error> {
        let Some(lexicon) = &self.lexicon else {
            return Ok(None);
        };
        self.check_words(lexicon.text())?;
        let (built, wanted) = (lexicon.seed().0, self.seed.0);
        if built != wanted {
            return Err(Error::OtherLexicon {
                option: "seed",
                built: built.to_string(),
                wanted: wanted.to_string(),
            });
        }
        Ok(Some(lexicon))
    }

    /// Whether words that were counted with these options are those of this background.
    ///
    /// # Errors
    /// If they are not: with the first option that differs.
    pub fn check_words(&self, built: &TextOptions) -> Result<(), Error> {
        let options = built.of_words().into_iter().zip(self.text.of_words());
        for ((option, built), (_, wanted)) in options {
            if built != wanted {
                return Err(Error::OtherLexicon {
                    option,
                    built,
                    wanted,
                });
            }
        }
        Ok(())
    }

    fn needed_lexicon(&self, method: &dyn Method) -> Result<&Arc<Lexicon>, Error> {
        self.matching_lexicon()?
            .ok_or_else(|| Error::MissingLexicon {
                method: method.to_string(),
            })
    }
}

/// The method of a name such as `shingles:words:5`.
pub fn method(given: &str) -> Result<Arc<dyn Method>, Error> {
    let mut parts = given.split(':');
    let name = parts.next().unwrap_or_default();
    let Some(method) = METHODS.iter().find(|method| method.name == name) else {
        return Err(Error::UnknownMethod {
            what: "features",
            name: name.to_string(),
            known: forms().join(", "),
        });
    };
    let arguments: Vec<_> = parts.collect();
    (method.parse)(&arguments).map_err(|problem| Error::Malformed {
        what: "features",
        given: given.to_string(),
        form: method.form,
        problem,
    })
}

/// How each registered method is written.
pub fn forms() -> Vec<&'static str> {
    METHODS.iter().map(|method| method.form).collect()
}

/// Describes units. Dispatch is per unit, never per token.
pub trait Describe: Send {
    /// Replaces `out` by the features of `unit`, in the order of the text, repeats included. A unit without content
    /// has none.
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features);

    /// The hashes of the words of the unit that was described last, where features are made of these and of nothing else.
    fn words(&self) -> Option<&[u64]> {
        None
    }

    /// Does what [`describe`](Self::describe) does, given what [`words`](Self::words) of a describer with the same text
    /// options and the same seed says of the unit; false if more than the words must be known.
    fn describe_words(&mut self, _words: &[u64], _out: &mut Features) -> bool {
        false
    }
}

/// The features of one unit, in a buffer meant to be reused.
#[derive(Debug, Default, Clone)]
pub struct Features {
    hashes: Vec<u64>,
    weights: Vec<u32>,
    frequencies: Vec<u32>,
    /// Room to sort in.
    sorting: Vec<(u64, u32)>,
}

impl Features {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.hashes.clear();
        self.weights.clear();
        self.frequencies.clear();
    }

    /// Adds a feature. A unit has features with weights or without, never both.
    #[inline]
    pub fn push(&mut self, hash: u64) {
        self.hashes.push(hash);
    }

    /// Adds a feature of this weight, in units of 2⁻¹⁶.
    #[inline]
    pub fn push_weighted(&mut self, hash: u64, weight: u32) {
        self.hashes.push(hash);
        self.weights.push(weight);
    }

    /// Adds a feature with what is known of it.
    #[inline]
    pub fn push_weighed(&mut self, hash: u64, weighed: Weighed) {
        self.push_weighted(hash, weighed.weight);
        self.frequencies.push(weighed.frequency);
    }

    /// The hashes in the order of the text, repeats included; sorted and distinct after [`Features::sort`].
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The weights of the hashes; empty where the method has none.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// How many units have each of the hashes; empty where that is not known, and after [`Features::sort`].
    pub fn frequencies(&self) -> &[u32] {
        &self.frequencies
    }

    /// Whether the unit has no features: it matches nothing.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Makes the sequence a set. Sorting costs as much as splitting the text, so only units to verify are sorted. Of a
    /// feature that is repeated the first weight counts.
    pub fn sort(&mut self) -> FeatureSet<'_> {
        self.frequencies.clear();
        if self.weights.is_empty() {
            self.hashes.sort_unstable();
            self.hashes.dedup();
        } else {
            let weighted = &mut self.sorting;
            weighted.clear();
            weighted.extend(self.hashes.drain(..).zip(self.weights.drain(..)));
            // The first of equal hashes stays: a sort that keeps their order, and short ones are many.
            weighted.sort_by_key(|&(hash, _)| hash);
            weighted.dedup_by_key(|&mut (hash, _)| hash);
            self.hashes.extend(weighted.iter().map(|&(hash, _)| hash));
            self.weights
                .extend(weighted.iter().map(|&(_, weight)| weight));
        }
        FeatureSet(&self.hashes)
    }
}

/// A set of features: sorted and distinct, which only this type promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureSet<'a>(&'a [u64]);

impl<'a> FeatureSet<'a> {
    /// The hashes, ascending.
    pub fn hashes(self) -> &'a [u64] {
        self.0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use lookalike_text::UnitId;

    use super::*;

    pub(super) fn described(form: &str, background: &Background, text: &str) -> Features {
        let mut describe = method(form).unwrap().describer(background).unwrap();
        let mut features = Features::default();
        describe.describe(&Unit::whole(UnitId::from(0), text), &mut features);
        features
    }

    pub(super) fn hashes(form: &str, text: &str) -> Vec<u64> {
        let background = Background {
            seed: Seed(7),
            ..Background::default()
        };
        described(form, &background, text).hashes().to_vec()
    }
    #[test]
    fn a_form_reads_back_and_a_wrong_one_names_the_remedy() {
        for form in ["terms", "numbers", "weighted-terms", "spotsigs:20:3:2"] {
            assert_eq!(method(form).unwrap().to_string(), form);
        }
        for (wrong, remedy) in [
            ("ngrams:5", "there are: shingles:words:N"),
            ("shingles:5", "say words, chars or letters"),
            ("shingles:words:0", "1 to 64"),
            ("shingles:lines:3", "neither words, chars nor letters"),
            ("terms:5", "has no parameters"),
            ("numbers:2", "has no parameters"),
            ("weighted-terms:3", "has no parameters"),
            ("spotsigs:20", "as in spotsigs:20:1:2"),
            ("spotsigs:0:1:2", "number of antecedents \"0\""),
            ("spotsigs:20:1:99", "from 1 to 15"),
        ] {
            let message = method(wrong).unwrap_err().to_string();
            assert!(message.contains(remedy), "{message}");
        }
    }
}
