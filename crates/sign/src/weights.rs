//! What does a word of a short text weigh?
//!
//! Words of one class (nouns, connectives …) weigh between the two ends of an interval, depending on how common the word
//! is, if wanted times its length ([`WeightRules`]). How common it is follows from all texts ([`TermCounts`]), so
//! weights are known once everything was read: until then a word is a [`Term`], 64 bits with all that its weight
//! depends on beside its frequency.
//!
//! ```
//! use lookalike_sign::weights::{Term, TermCounts, TermTable, TermWeights, WeightRules};
//! use lookalike_text::Seed;
//!
//! let term = |word| Term::of(word, Seed(1)).get();
//! let mut table = TermTable::default();
//! for words in [["cheap", "watches"], ["cheap", "flights"], ["cheap", "tickets"]] {
//!     words.map(term).iter().for_each(|&term| table.count(term));
//! }
//! let weights = TermWeights::new(WeightRules::default(), TermCounts::new(vec![table]), None);
//! assert_eq!(weights.weigh(term("cheap")).frequency, 3);
//! assert!(weights.weigh(term("flights")).weight > weights.weigh(term("cheap")).weight);
//! ```

mod counts;
mod rules;
mod term;

pub use counts::{TermCounts, TermTable};
pub use rules::{Formula, Interval, WeightRules};
pub(crate) use term::Form;
pub use term::Term;

use std::sync::Arc;

use crate::Features;
use rules::Span;

/// What a term weighs, in units of 2⁻¹⁶, and in how many texts it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weighed {
    /// At least 1.
    pub weight: u32,
    /// In the corpus; 1 for a term of one text, whatever the background.
    pub frequency: u32,
}

/// What the terms of a corpus weigh.
#[derive(Debug)]
pub struct TermWeights {
    rules: WeightRules,
    /// Of the corpus, each with its weight.
    counts: TermCounts,
    /// Of another collection that tells how common words are.
    background: Option<Arc<TermCounts>>,
    /// The frequencies of each class, by which its words are weighed.
    spans: Vec<Span>,
    /// A term is in so many texts at the least: in two where other texts come than those that were counted.
    least_frequency: u32,
}

impl TermWeights {
    /// The weights of a corpus by these rules. How common words are is told by the `background`, or by the corpus itself.
    #[must_use]
    pub fn new(
        rules: WeightRules,
        mut counts: TermCounts,
        background: Option<Arc<TermCounts>>,
    ) -> Self {
        let spans = background.as_deref().unwrap_or(&counts).spans();
        let weigh = |term: u64, frequency: u32| {
            let frequency = match &background {
                Some(background) => background.frequency(term),
                None => frequency,
            };
            rules.weight(Term::from(term), frequency, &spans)
        };
        counts.set_weights(weigh);
        TermWeights {
            rules,
            counts,
            background,
            spans,
            least_frequency: 1,
        }
    }

    /// The weights by a collection that tells how common words are in texts to come. A word that it does not have counts as
    /// seen once, and any may be in several of them.
    #[must_use]
    pub fn of_collection(rules: WeightRules, counts: TermCounts) -> Self {
        TermWeights {
            least_frequency: 2,
            ..TermWeights::new(rules, counts, None)
        }
    }

    /// What a term weighs.
    #[inline]
    #[must_use]
    pub fn weigh(&self, term: u64) -> Weighed {
        match self.counts.get(term) {
            Some(weighed) => Weighed {
                frequency: weighed.frequency.max(self.least_frequency),
                ..weighed
            },
            None => self.weigh_lone(term),
        }
    }

    /// Of a term that is in no table: one text has it.
    fn weigh_lone(&self, term: u64) -> Weighed {
        let frequency = match &self.background {
            Some(background) => background.frequency(term),
            None => 1,
        };
        Weighed {
            weight: self.rules.weight(Term::from(term), frequency, &self.spans),
            frequency: self.least_frequency,
        }
    }

    /// Replaces `out` by these terms with their weights.
    pub fn features(&self, terms: &[u64], out: &mut Features) {
        out.clear();
        for &term in terms {
            out.push_weighed(term, self.weigh(term));
        }
    }

    /// How many terms of the corpus are counted.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.counts.terms()
    }

    /// About how many bytes this takes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let background = self
            .background
            .as_deref()
            .map_or(0, TermCounts::memory_bytes);
        self.counts.memory_bytes() + background
    }
}
