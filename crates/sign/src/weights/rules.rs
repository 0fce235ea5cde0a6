//! How the weight of a word follows from its class, its length and how common it is.

use std::fmt;

use lookalike_text::{WordClass, policy};
use serde::{Deserialize, Serialize};

use super::term::Term;

/// The intervals of the classes, and where in it a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", from = "GivenRules")]
#[non_exhaustive]
pub struct WeightRules {
    /// Which end of the interval is for common words.
    pub formula: Formula,
    /// Whether a word weighs so much a character.
    pub length: bool,
    /// What nouns weigh.
    pub nouns: Interval,
    /// Verbs.
    pub verbs: Interval,
    /// Adjectives.
    pub adjectives: Interval,
    /// Adverbs.
    pub adverbs: Interval,
    /// Pronouns.
    pub pronouns: Interval,
    /// Numbers, in digits or as words.
    pub numerals: Interval,
    /// Conjunctions, prepositions, particles, articles, auxiliaries.
    pub connectives: Interval,
    /// Emoji, and punctuation where it is kept.
    pub symbols: Interval,
    /// Words whose class is not known: names, and in most languages all but the function words.
    pub open: Interval,
}

impl Default for WeightRules {
    fn default() -> Self {
        WeightRules::of(Formula::Rare)
    }
}

/// What a table says; the rest follows from the formula.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GivenRules {
    formula: Option<Formula>,
    length: Option<bool>,
    nouns: Option<Interval>,
    verbs: Option<Interval>,
    adjectives: Option<Interval>,
    adverbs: Option<Interval>,
    pronouns: Option<Interval>,
    numerals: Option<Interval>,
    connectives: Option<Interval>,
    symbols: Option<Interval>,
    open: Option<Interval>,
}

impl From<GivenRules> for WeightRules {
    fn from(given: GivenRules) -> Self {
        let rules = WeightRules::of(given.formula.unwrap_or(Formula::Rare));
        WeightRules {
            formula: rules.formula,
            length: given.length.unwrap_or(rules.length),
            nouns: given.nouns.unwrap_or(rules.nouns),
            verbs: given.verbs.unwrap_or(rules.verbs),
            adjectives: given.adjectives.unwrap_or(rules.adjectives),
            adverbs: given.adverbs.unwrap_or(rules.adverbs),
            pronouns: given.pronouns.unwrap_or(rules.pronouns),
            numerals: given.numerals.unwrap_or(rules.numerals),
            connectives: given.connectives.unwrap_or(rules.connectives),
            symbols: given.symbols.unwrap_or(rules.symbols),
            open: given.open.unwrap_or(rules.open),
        }
    }
}

impl WeightRules {
    /// The table for a formula.
    ///
    /// Rounded values of which none matters much; `docs/messages.md` tells how they were compared. With rare words heavier
    /// the intervals are narrow: in a template that thousands of messages share, its words are the common ones.
    #[must_use]
    pub fn of(formula: Formula) -> Self {
        let interval = |least, most| Interval { least, most };
        match formula {
            Formula::Rare => WeightRules {
                formula,
                length: false,
                nouns: interval(0.6, 1.0),
                verbs: interval(0.6, 1.0),
                adjectives: interval(0.6, 1.0),
                adverbs: interval(0.2, 0.4),
                pronouns: interval(0.1, 0.2),
                numerals: interval(0.1, 0.2),
                connectives: interval(0.1, 0.2),
                symbols: interval(0.05, 0.1),
                open: interval(0.6, 1.0),
            },
            Formula::Paper => WeightRules {
                formula,
                length: true,
                nouns: interval(0.6, 1.0),
                verbs: interval(0.5, 0.9),
                adjectives: interval(0.5, 0.9),
                adverbs: interval(0.2, 0.4),
                pronouns: interval(0.1, 0.3),
                numerals: interval(0.1, 0.3),
                connectives: interval(0.1, 0.2),
                symbols: interval(0.05, 0.1),
                open: interval(0.6, 1.0),
            },
        }
    }

    /// About what a word of a text weighs, in units of 2⁻¹⁶.
    #[must_use]
    pub fn usual(&self) -> u32 {
        const USUAL_LENGTH: f64 = 5.0;
        let length = if self.length { USUAL_LENGTH } else { 1.0 };
        let Interval { least, most } = self.open;
        let usual = (least + most) / 2.0 / self.heaviest() * length;
        (usual * f64::from(1 << 16)).max(1.0) as u32
    }

    fn interval(&self, class: WordClass) -> Interval {
        match class {
            WordClass::Nouns => self.nouns,
            WordClass::Verbs => self.verbs,
            WordClass::Adjectives => self.adjectives,
            WordClass::Adverbs => self.adverbs,
            WordClass::Pronouns => self.pronouns,
            WordClass::Numerals => self.numerals,
            WordClass::Connectives => self.connectives,
            WordClass::Symbols => self.symbols,
            WordClass::Open => self.open,
        }
    }

    /// The heaviest that a word of one character can be: weights are shares of it, so that only ratios count.
    fn heaviest(&self) -> f64 {
        let all = WordClass::ALL.iter().map(|&class| self.interval(class));
        all.map(|interval| interval.most).fold(0.0, f64::max)
    }

    /// The weight of a term of this frequency, in units of 2⁻¹⁶, at least 1.
    pub(super) fn weight(&self, term: Term, frequency: u32, spans: &[Span]) -> u32 {
        let Interval { least, most } = self.interval(term.class());
        let share = spans[term.class_place()].share(self.formula, frequency);
        let base = least + (most - least) * share;
        let length = if self.length { term.length() } else { 1 };
        let weight = base / self.heaviest() * f64::from(length) * f64::from(1 << 16);
        libm::round(weight).max(1.0) as u32
    }
}

policy!(
    /// Which end of the interval is for common words.
    Formula, "formula", "rare (rare words weigh more) or paper (frequent words weigh more)",
    /// The upper one, in proportion to the frequency: Equation 2 of Gong, Huang, Cheng and Bai 2008.
    Paper = "paper",
    /// The lower one: the same turned around.
    Rare = "rare",
);

/// What words of a class weigh, a character: written `[0.1, 0.3]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 2]", into = "[f64; 2]")]
pub struct Interval {
    least: f64,
    most: f64,
}

impl Interval {
    /// The interval from `least` to `most`, or what is wrong with it.
    ///
    /// # Errors
    /// If they are not two positive numbers in ascending order.
    pub fn new(least: f64, most: f64) -> Result<Self, String> {
        if 0.0 < least && least <= most && most <= 1e6 {
            return Ok(Interval { least, most });
        }
        Err(format!(
            "the weights [{least}, {most}] are not two numbers above 0 in ascending order; try [0.1, 0.3]"
        ))
    }
}

impl TryFrom<[f64; 2]> for Interval {
    type Error = String;

    fn try_from([least, most]: [f64; 2]) -> Result<Self, String> {
        Interval::new(least, most)
    }
}

impl From<Interval> for [f64; 2] {
    fn from(interval: Interval) -> Self {
        [interval.least, interval.most]
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.least, self.most)
    }
}

/// The frequencies of the least and the most frequent term of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Span {
    /// 0 if there is no term.
    least: u32,
    most: u32,
}

impl Span {
    pub(super) fn include(&mut self, count: u32) {
        self.least = match self.least {
            0 => count,
            least => least.min(count),
        };
        self.most = self.most.max(count);
    }

    /// How far up in its interval a term of this frequency is; in the middle where all are of one.
    fn share(self, formula: Formula, frequency: u32) -> f64 {
        if self.least == self.most {
            return 0.5;
        }
        let (least, most) = (f64::from(self.least), f64::from(self.most));
        let frequency = f64::from(frequency.clamp(self.least, self.most));
        match formula {
            Formula::Paper => (frequency - least) / (most - least),
            Formula::Rare => (most - frequency) / (most - least),
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_text::Seed;

    use super::*;

    fn weight(rules: &WeightRules, word: &str, frequency: u32, span: (u32, u32)) -> f64 {
        let spans = [Span {
            least: span.0,
            most: span.1,
        }; 16];
        f64::from(rules.weight(Term::of(word, Seed(1)), frequency, &spans)) / 65536.0
    }

    fn rules(formula: Formula) -> WeightRules {
        WeightRules {
            formula,
            open: Interval::new(0.5, 1.0).unwrap(),
            nouns: Interval::new(0.5, 1.0).unwrap(),
            length: true,
            ..WeightRules::of(formula)
        }
    }

    #[test]
    fn the_formula_of_the_paper_gives_common_words_the_upper_end() {
        let paper = rules(Formula::Paper);
        for (frequency, expected) in [(1, 0.5), (51, 0.75), (101, 1.0), (500, 1.0), (0, 0.5)] {
            let found = weight(&paper, "gizmo", frequency, (1, 101));
            assert!(
                (found - 5.0 * expected).abs() < 1e-3,
                "{frequency}: {found}"
            );
        }
    }

    #[test]
    fn the_other_gives_rare_words_the_upper_end() {
        let rare = rules(Formula::Rare);
        for (frequency, expected) in [(1, 1.0), (51, 0.75), (101, 0.5), (0, 1.0)] {
            let found = weight(&rare, "gizmo", frequency, (1, 101));
            assert!(
                (found - 5.0 * expected).abs() < 1e-3,
                "{frequency}: {found}"
            );
        }
    }

    #[test]
    fn a_class_of_one_frequency_has_the_middle() {
        for formula in [Formula::Paper, Formula::Rare] {
            let found = weight(&rules(formula), "gizmo", 7, (7, 7));
            assert!((found - 5.0 * 0.75).abs() < 1e-3, "{found}");
        }
    }

    #[test]
    fn rules_are_read_from_toml_and_wrong_ones_refused() {
        let rules: WeightRules = toml::from_str("formula = \"paper\"\nverbs = [2, 3]").unwrap();
        assert_eq!(rules.formula, Formula::Paper);
        assert_eq!(rules.verbs, Interval::new(2.0, 3.0).unwrap());
        assert_eq!(rules.nouns, WeightRules::of(Formula::Paper).nouns);
        assert!(rules.length);
        let printed = toml::to_string(&rules).unwrap();
        assert_eq!(toml::from_str::<WeightRules>(&printed).unwrap(), rules);
        for wrong in ["verbs = [0.0, 1]", "verbs = [2, 1]", "verbs = [nan, 1]"] {
            let error = toml::from_str::<WeightRules>(wrong).unwrap_err();
            assert!(error.message().contains("above 0"), "{wrong}: {error}");
        }
        assert!(toml::from_str::<WeightRules>("nuons = [1, 2]").is_err());
    }
}
