//! Which documents are worth aligning: two sentences near each other may match in both, or a single one that is long enough to be
//! a passage.

use bytemuck::{Pod, Zeroable};
use lookalike_pair::spill::Item;
use lookalike_sign::keys::{Sieve, Sketch};
use lookalike_text::{RecordId, UnitId};

use crate::spec::{Align, Spec};

/// A single sentence is worth a look only where most of it is the same.
const MOSTLY_SAME: Sieve = Sieve::Features { threshold: 0.75 };

/// How many dots are looked at beside one: a sentence that is repeated all over a document has very many.
const MOST_NEAR: usize = 100;

/// A sentence of record `a` and one of record `b` that may match, each as a unit of its record, if it is known which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Dot {
    /// The earlier record,
    pub a: RecordId,
    /// and the later one.
    pub b: RecordId,
    /// A sentence of the first; [`UnitId::NONE`] of one that stands for another record and does not have it itself,
    pub of_a: UnitId,
    /// and of the second.
    pub of_b: UnitId,
}

impl Item for Dot {
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.a.get()
    }
}

/// What is known of the sentences of dots.
pub trait KnownDots {
    /// Whether the sentences, if it is known which they are, are the same word for word.
    fn is_identical(&self, dot: &Dot) -> bool;

    /// Whether identical sentences are all there is of both documents, once or again and again.
    fn is_all(&self, dot: &Dot) -> bool;

    /// How many words they have, by [`length_in_words`], of those that are known.
    fn lengths(&self, dot: &Dot) -> [Option<u16>; 2];

    /// Their sketches, where both are known.
    fn sketches(&self, dot: &Dot) -> [Sketch; 2];
}

/// About how many words of six bytes, which are two ideographs.
pub fn length_in_words(text: &str) -> u16 {
    (text.len() / 6).try_into().unwrap_or(u16::MAX)
}

/// Tells which documents are worth aligning, from their dots.
#[derive(Debug, Clone, Copy)]
pub struct Worth {
    /// A single sentence is enough,
    single: bool,
    /// or one of so many words.
    words: u32,
    /// Two sentences with at most so many between them are near each other.
    gap: u32,
}

impl Worth {
    /// By these settings.
    pub fn of(spec: &Spec) -> Self {
        let passages = &spec.passages;
        Worth {
            single: passages.least_sentences < 2,
            words: match passages.align {
                // Lengths are estimated.
                Align::Words => passages.least_words / 4 * 3,
                Align::Sentences => u32::MAX,
            },
            gap: passages.gap,
        }
    }

    /// Whether two documents are, given all their dots in order, each once.
    pub fn is_worth_it(&self, dots: &[Dot], known: &impl KnownDots) -> bool {
        self.single
            || dots.iter().any(|dot| self.is_long(dot, known))
            || self.has_neighbours(dots)
            || dots
                .first()
                .is_some_and(|dot| known.is_identical(dot) && known.is_all(dot))
    }

    /// Whether a single sentence of both is long, and mostly the same.
    fn is_long(&self, dot: &Dot, known: &impl KnownDots) -> bool {
        let is_long = |length: u16| u32::from(length) >= self.words;
        match known.lengths(dot) {
            [Some(a), Some(b)] => {
                let is_same = || {
                    let [one, two] = known.sketches(dot);
                    MOSTLY_SAME.admits(one, two)
                };
                is_long(a.min(b)) && (is_same() || known.is_identical(dot))
            }
            // The first of near-identical documents, which need not have just this sentence.
            [Some(one), None] | [None, Some(one)] => is_long(one),
            [None, None] => false,
        }
    }

    /// Whether two different dots are near each other in both documents. The dots are in the order of the first one.
    fn has_neighbours(&self, dots: &[Dot]) -> bool {
        let reach = self.gap.saturating_add(1);
        let is_near =
            |a: UnitId, b: UnitId| a.max(b) == UnitId::NONE || a.get().abs_diff(b.get()) <= reach;
        let is_other = |a: UnitId, b: UnitId| a != b || a == UnitId::NONE;
        dots.iter().enumerate().any(|(place, dot)| {
            let later = dots[place + 1..].iter();
            later
                .take_while(|other| is_near(dot.of_a, other.of_a))
                .take(MOST_NEAR)
                .any(|other| {
                    is_other(dot.of_a, other.of_a)
                        && is_other(dot.of_b, other.of_b)
                        && is_near(dot.of_b, other.of_b)
                })
        })
    }
}
