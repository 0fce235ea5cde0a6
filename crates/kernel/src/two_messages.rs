//! Why two messages are similar, or not: their words, of which class each is, and what it weighs.
//!
//! In: a kernel that weighs words, the texts that tell how common they are, and two messages. Out: the words of both.
//!
//! ```
//! use lookalike_kernel::{Kernel, Spec, TwoMessages, WordCounts, jobs};
//!
//! let kernel = Kernel::new(&Spec::of_job(jobs::MESSAGES))?;
//! let [a, b] = ["your code is 4711", "your code is 0815"];
//! let mut counts = WordCounts::new(&kernel)?;
//! [a, b].map(|text| counts.add(text));
//! let compared = TwoMessages::compare(&counts.weigh(kernel)?, a, b)?;
//! assert_eq!(compared.words[0].word, "code");
//! assert!(compared.similarity > Some(0.65));
//! # Ok::<(), lookalike_kernel::Error>(())
//! ```

use lookalike_sign::features::for_each_term;
use lookalike_sign::weights::{Term, TermCounts, TermTable, TermWeights};
use lookalike_text::{Unit, UnitId, WordClass};
use serde::Serialize;

use crate::Error;
use crate::kernel::Kernel;
use crate::setting::Setting;
use crate::signer::Signer;
use crate::statistics::Statistics;

/// Counts in how many texts words occur.
pub struct WordCounts {
    signer: Signer,
    table: TermTable,
    terms: Vec<u64>,
}

impl WordCounts {
    /// None yet.
    ///
    /// # Errors
    /// If the kernel weighs no words.
    pub fn new(kernel: &Kernel) -> Result<Self, Error> {
        if !kernel.plan().weighs || kernel.plan().probes.is_empty() {
            return Err(Error::refused(
                Setting::Measure,
                "words are shown with their weights, but nothing is weighted",
                "use `features=weighted-terms` and `measure=weighted-jaccard`",
            ));
        }
        Ok(WordCounts {
            signer: kernel.signer()?,
            table: TermTable::default(),
            terms: Vec::new(),
        })
    }

    /// Counts the words of a text.
    pub fn add(&mut self, text: &str) {
        let described = self.signer.describe(0, &Unit::whole(UnitId::from(0), text));
        self.terms.clear();
        self.terms.extend_from_slice(described.hashes());
        self.terms.sort_unstable();
        self.terms.dedup();
        self.terms.iter().for_each(|&term| self.table.count(term));
    }

    /// The kernel, knowing what these words weigh.
    ///
    /// # Errors
    /// If they are not its own.
    pub fn weigh(self, kernel: Kernel) -> Result<Kernel, Error> {
        let rules = kernel.spec().weights.unwrap_or_default();
        let collection = kernel.plan().background.collection.clone();
        let counts = TermCounts::new(vec![self.table]);
        kernel.with(Statistics::of_weights(TermWeights::new(
            rules, counts, collection,
        )))
    }
}

/// Two messages, word by word.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoMessages {
    /// What the common words weigh over what all words of both weigh; none where one has no words.
    pub similarity: Option<f64>,
    /// From which similarity on they would be listed.
    pub threshold: f64,
    /// What the words of both weigh, of the first alone, and of the second alone.
    pub weight: WeightShares,
    /// The words: those of both, of the first, of the second; the heaviest first, equally heavy ones as they stand.
    pub words: Vec<WeighedWord>,
}

/// What is common, and what is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct WeightShares {
    /// What the words of both weigh.
    pub both: f64,
    /// What those weigh that only the first has,
    pub a: f64,
    /// or only the second.
    pub b: f64,
}

/// A word of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WeighedWord {
    /// As it is compared.
    pub word: String,
    /// What kind of word it is.
    pub class: WordClass,
    /// How many texts have it, in the corpus or in the collection that was named.
    pub messages: u32,
    /// What it weighs; the heaviest words of one character weigh 1.
    pub weight: f64,
    /// Who has it.
    #[serde(rename = "in")]
    pub of: Side,
}

/// Which of two messages has a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Both.
    Both,
    /// The first.
    A,
    /// The second.
    B,
}

/// The unit of weights.
const ONE: f64 = (1u32 << 16) as f64;

impl TwoMessages {
    /// Compares two messages by a kernel that knows what words weigh.
    ///
    /// # Errors
    /// If it does not.
    pub fn compare(kernel: &Kernel, a: &str, b: &str) -> Result<Self, Error> {
        let background = &kernel.plan().background;
        let Some(weights) = &background.weights else {
            return Err(Error::Internal("words were not weighed".to_string()));
        };
        let mut found: Vec<(u64, String, [bool; 2])> = Vec::new();
        for (side, text) in [a, b].into_iter().enumerate() {
            for_each_term(background, text, |word, term| {
                match found.iter_mut().find(|(other, ..)| *other == term) {
                    Some((.., has)) => has[side] = true,
                    None => found.push((term, word.to_owned(), [side == 0, side == 1])),
                }
            });
        }
        let (mut shares, mut words) = ([0u64; 3], Vec::new());
        for (term, word, has) in found {
            let of = match has {
                [true, true] => Side::Both,
                [true, false] => Side::A,
                _ => Side::B,
            };
            let weighed = weights.weigh(term);
            shares[of as usize] += u64::from(weighed.weight);
            words.push(WeighedWord {
                word,
                class: Term::from(term).class(),
                messages: match &background.collection {
                    Some(collection) => collection.frequency(term),
                    None => weighed.frequency,
                },
                weight: f64::from(weighed.weight) / ONE,
                of,
            });
        }
        words.sort_by(|x, y| x.of.cmp(&y.of).then(y.weight.total_cmp(&x.weight)));
        let [both, of_a, of_b] = shares;
        let all = both + of_a + of_b;
        let has_words = both + of_a > 0 && both + of_b > 0;
        let [weight_both, weight_a, weight_b] = shares.map(|share| share as f64 / ONE);
        Ok(TwoMessages {
            similarity: has_words.then(|| both as f64 / all as f64),
            threshold: kernel.spec().least_similarity(),
            weight: WeightShares {
                both: weight_both,
                a: weight_a,
                b: weight_b,
            },
            words,
        })
    }
}
