//! Terms: the distinct words of a unit that say something about it.
//!
//! The rules are the preprocessing of I-Match (Kołcz, Chowdhury and Alspector, section 6.3): short words and words of
//! many digits are left out, and a unit with few words left has no features. With a lexicon every term has a weight.

mod distinct;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use icu_properties::props::{ExtendedPictographic, Script, WordBreak};
use icu_properties::{CodePointMapData, CodePointSetData};
use lookalike_text::hash::hash64;
use lookalike_text::{Seed, Tokenizer, Unit};
use serde::{Deserialize, Serialize};

use self::distinct::Distinct;
use super::{Background, Describe, Features, Method, Tokens};
use crate::Error;
use crate::stats::{IdfRange, Lexicon, tf_idf};

pub(super) const FORM: &str = "terms";

/// Which words are terms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct TermRules {
    /// A term has at least so many characters (code points). Where a character is a word of its own, in Chinese or Thai
    /// and among emoji, length says nothing and the rule does not apply.
    pub min_characters: usize,
    /// A term has at most so many digits.
    pub max_digits: usize,
    /// A unit with fewer terms, by all the other rules, has no features.
    pub min_unique: usize,
    /// Only words of this range are terms; words that the lexicon does not know are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idf: Option<IdfRange>,
}

impl Default for TermRules {
    fn default() -> Self {
        TermRules {
            min_characters: 4,
            max_digits: 1,
            min_unique: 5,
            idf: None,
        }
    }
}

impl TermRules {
    /// These rules but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    fn allow(&self, word: &str) -> bool {
        if word.chars().filter(|c| c.is_numeric()).count() > self.max_digits {
            return false;
        }
        word.chars().take(self.min_characters).count() == self.min_characters
            || word.chars().next().is_some_and(is_word_of_its_own)
    }
}

/// Whether the tokenizer makes a word of this character alone: it has no length that could be a rule.
pub(crate) fn is_word_of_its_own(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    match CodePointMapData::<WordBreak>::new().get(c) {
        WordBreak::ALetter => matches!(
            CodePointMapData::<Script>::new().get(c),
            Script::Balinese | Script::Bopomofo | Script::Javanese | Script::Yi
        ),
        WordBreak::HebrewLetter | WordBreak::Numeric | WordBreak::ExtendNumLet => false,
        WordBreak::RegionalIndicator => true,
        _ => c.is_alphabetic() || CodePointSetData::new::<ExtendedPictographic>().contains(c),
    }
}

/// What the weight of a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// How rare it is in the corpus: its normalised idf.
    #[default]
    Idf,
    /// Its idf times 1 + ln(tf), where tf is how often it occurs in the unit.
    TfIdf,
}

/// The distinct words of a unit, in the order of their first occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms;

impl Method for Terms {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        let lexicon = if self.needs_statistics(background) {
            Some(background.needed_lexicon(self)?)
        } else {
            background.matching_lexicon()?
        };
        Ok(Box::new(TermDescriber {
            rules: background.terms,
            seed: background.seed,
            tokenizer: Tokenizer::new(background.text),
            lexicon: lexicon.cloned(),
            weighting: background.weighting,
            words: Vec::new(),
            distinct: Distinct::default(),
        }))
    }

    fn tokens(&self) -> Tokens {
        Tokens::Words
    }

    fn has_weights(&self) -> bool {
        true
    }

    fn needs_statistics(&self, background: &Background) -> bool {
        background.weighted || background.terms.idf.is_some()
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM)
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    match arguments {
        [] => Ok(Arc::new(Terms)),
        _ => Err("it has no parameters; the rules for terms are options of their own".to_string()),
    }
}

struct TermDescriber {
    rules: TermRules,
    seed: Seed,
    tokenizer: Tokenizer,
    lexicon: Option<Arc<Lexicon>>,
    weighting: Weighting,
    words: Vec<u64>,
    distinct: Distinct,
}

impl Describe for TermDescriber {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        self.words.clear();
        self.tokenizer
            .words(unit.text, &mut |word: &str, _: Range<usize>| {
                if self.rules.allow(word) {
                    self.words.push(hash64(word.as_bytes(), self.seed));
                }
            });
        for &(hash, times) in self.distinct.count(&self.words) {
            let Some(lexicon) = &self.lexicon else {
                out.push(hash);
                continue;
            };
            let idf = lexicon.weight(hash);
            if self.rules.idf.is_some_and(|range| !range.contains(idf)) {
                continue;
            }
            let weight = match self.weighting {
                Weighting::Idf => idf,
                Weighting::TfIdf => tf_idf(idf, times),
            };
            out.push_weighted(hash, weight);
        }
        if out.hashes().len() < self.rules.min_unique {
            out.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_text::TextOptions;

    use super::*;
    use crate::features::method;
    use crate::features::tests::described;
    use crate::stats::{IDF_ONE, LexiconBuilder, TermCount, UNKNOWN_IDF};

    const SEED: Seed = Seed(5);

    fn background(rules: TermRules) -> Background {
        Background {
            terms: rules,
            seed: SEED,
            ..Background::default()
        }
    }

    fn hash(word: &str) -> u64 {
        hash64(word.as_bytes(), SEED)
    }

    fn all_lengths() -> TermRules {
        TermRules {
            min_characters: 1,
            min_unique: 1,
            ..TermRules::default()
        }
    }

    fn lexicon(documents: u64, terms: &[(&str, u32)]) -> Option<Arc<Lexicon>> {
        let mut builder = LexiconBuilder::new(SEED);
        for &(term, documents) in terms {
            builder.add(TermCount {
                term,
                documents,
                occurrences: documents.into(),
            });
        }
        Some(Arc::new(
            builder.finish(documents, TextOptions::default()).unwrap(),
        ))
    }

    #[test]
    fn terms_are_the_distinct_words_in_order_of_first_occurrence() {
        let text = "Rivers carry water, and water carries BOATS; rivers bend.";
        let features = described("terms", &background(TermRules::default()), text);
        let expected = ["rivers", "carry", "water", "carries", "boats", "bend"].map(hash);
        assert_eq!(features.hashes(), expected);
        assert!(features.weights().is_empty());
    }

    #[test]
    fn short_words_and_words_of_several_digits_are_left_out() {
        let rules = TermRules {
            min_unique: 1,
            ..TermRules::default()
        };
        let text = "the code a1bcd is not ab12c nor 2024 nor 7 nor été mais L'été";
        let features = described("terms", &background(rules), text);
        assert_eq!(
            features.hashes(),
            ["code", "a1bcd", "mais", "l'été"].map(hash)
        );
    }

    #[test]
    fn length_is_no_rule_where_a_character_is_a_word() {
        let rules = TermRules {
            min_unique: 1,
            ..TermRules::default()
        };
        for text in [
            "长江流入大海",
            "かながわ",
            "カタ",
            "ไทย",
            "ລາວ",
            "ꀀꀁ",
            "😀🇩🇪👨‍👩‍👧",
        ] {
            let all = described("terms", &background(all_lengths()), text);
            let features = described("terms", &background(rules), text);
            assert!(!features.is_empty(), "{text}");
            assert_eq!(features.hashes(), all.hashes(), "{text}");
        }
        for text in ["한국 사람", "три два", "בית", "عام", "¿ é", "x²"] {
            let features = described("terms", &background(rules), text);
            assert!(features.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_unit_with_too_few_terms_has_none() {
        let rules = background(TermRules::default());
        let four = "alpha beta gamma delta alpha beta gamma delta";
        assert!(described("terms", &rules, four).is_empty());
        let five = "alpha beta gamma delta epsilon";
        assert_eq!(described("terms", &rules, five).hashes().len(), 5);
    }

    #[test]
    fn with_a_lexicon_the_weight_is_the_idf() {
        let mut background = background(all_lengths());
        background.lexicon = lexicon(100, &[("the", 100), ("river", 10), ("长", 1)]);
        let features = described("terms", &background, "The river 长 bends the");
        assert_eq!(features.hashes(), ["the", "river", "长", "bends"].map(hash));
        assert_eq!(features.weights(), [0, IDF_ONE / 2, IDF_ONE, UNKNOWN_IDF]);
    }

    #[test]
    fn with_tf_idf_repeats_weigh_more() {
        let mut background = background(all_lengths());
        background.lexicon = lexicon(100, &[("river", 10), ("bend", 10)]);
        background.weighting = Weighting::TfIdf;
        let features = described("terms", &background, "river bend river");
        assert_eq!(features.weights(), [tf_idf(IDF_ONE / 2, 2), IDF_ONE / 2]);
    }

    #[test]
    fn only_words_in_the_range_are_terms() {
        let mut background = background(TermRules {
            idf: Some(IdfRange::new(0.4, 1.0).unwrap()),
            ..all_lengths()
        });
        background.lexicon = lexicon(100, &[("the", 90), ("river", 10), ("bend", 1)]);
        let features = described("terms", &background, "the river bend misspeled");
        assert_eq!(features.hashes(), ["river", "bend"].map(hash));
        background.terms.min_unique = 3;
        assert!(described("terms", &background, "the river bend misspeled").is_empty());
    }

    #[test]
    fn weights_and_ranges_need_a_lexicon() {
        let terms = method("terms").unwrap();
        let mut wanted = background(TermRules::default());
        assert!(!terms.needs_statistics(&wanted));
        wanted.weighted = true;
        assert!(terms.needs_statistics(&wanted));
        let message = terms.describer(&wanted).err().unwrap().to_string();
        assert!(message.contains("`lexicon=`"), "{message}");
        wanted.weighted = false;
        wanted.terms.idf = IdfRange::new(0.2, 0.8).ok();
        assert!(terms.needs_statistics(&wanted));
        assert!(terms.describer(&wanted).is_err());
    }

    #[test]
    fn a_lexicon_of_other_words_or_hashes_is_refused() {
        let terms = method("terms").unwrap();
        let mut wanted = background(TermRules::default());
        wanted.lexicon = lexicon(2, &[("word", 1)]);
        wanted.text.case = lookalike_text::Case::Keep;
        let message = terms.describer(&wanted).err().unwrap().to_string();
        assert!(message.contains("built with case fold and this run has keep"));
        wanted.text = TextOptions::default();
        wanted.seed = Seed(6);
        let message = terms.describer(&wanted).err().unwrap().to_string();
        assert!(message.contains("built with seed 5 and this run has 6"));
    }

    #[test]
    fn rules_are_read_from_toml_with_their_defaults() {
        let rules: TermRules = toml::from_str("min-unique = 2\nidf = [0.2, 0.8]").unwrap();
        assert_eq!(
            (rules.min_characters, rules.max_digits, rules.min_unique),
            (4, 1, 2)
        );
        assert_eq!(rules.idf, IdfRange::new(0.2, 0.8).ok());
        let error = toml::from_str::<TermRules>("idf = [0.8, 0.2]").unwrap_err();
        assert!(error.message().contains("try [0.2, 0.8]"));
        assert!(toml::from_str::<TermRules>("min-length = 2").is_err());
    }
}
