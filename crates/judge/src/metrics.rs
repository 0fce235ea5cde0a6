//! How good is an answer?
//!
//! The answer and the gold come in, [`Counts`] go out: for pairs by [`judge_pairs`], for clusters by
//! [`judge_clusters`], which also has the adjusted Rand index. Located passages have [`PassageScores`] of their own, by
//! [`judge_passages`].
//!
//! What would be 0/0 is 1: who finds nothing makes no mistake (precision 1), and where nothing is to be found nothing
//! is missed (recall 1). F1 is 2·tp / (2·tp + fp + fn), so finding nothing where there is something still has F1 0.
//!
//! ```
//! use lookalike_judge::metrics::Counts;
//! let counts = Counts { true_positives: 6, false_positives: 2, false_negatives: 4, true_negatives: None };
//! assert_eq!((counts.precision(), counts.recall()), (0.75, 0.6));
//! assert_eq!(counts.f1(), 2.0 / 3.0);
//! ```

mod clusters;
mod pairs;
mod plagdet;

use std::cmp::Ordering;

pub use clusters::{ClusterVerdict, judge_clusters};
pub use pairs::{Found, Mistake, MistakeKind, PairVerdict, judge_pairs};
pub use plagdet::{
    Average, Located, PassageMistake, PassageMistakeKind, PassageScores, PassageSummary,
    PassageVerdict, Quiet, judge_passages,
};

/// How often an answer is right and wrong about pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Found, and rightly so.
    pub true_positives: u64,
    /// Found, but wrong.
    pub false_positives: u64,
    /// Missed.
    pub false_negatives: u64,
    /// Rightly not found; none where the number of all pairs is not known.
    pub true_negatives: Option<u64>,
}

impl Counts {
    /// How many pairs are found.
    pub fn found(&self) -> u64 {
        self.true_positives + self.false_positives
    }

    /// How many pairs there are to find.
    pub fn right(&self) -> u64 {
        self.true_positives + self.false_negatives
    }

    /// The share of the found pairs that are right; 1 if nothing is found.
    pub fn precision(&self) -> f64 {
        share(self.true_positives, self.found())
    }

    /// The share of the right pairs that are found; 1 if there are none.
    pub fn recall(&self) -> f64 {
        share(self.true_positives, self.right())
    }

    /// The harmonic mean of precision and recall; 1 if there is nothing to find and nothing is found.
    pub fn f1(&self) -> f64 {
        share(2 * self.true_positives, self.found() + self.right())
    }

    /// F1 without rounding, where there is something to find.
    pub(crate) fn exact_f1(&self) -> F1 {
        F1 {
            true_positives: self.true_positives,
            sizes: self.found() + self.right(),
        }
    }

    /// The share of all pairs about which the answer is right; none where their number is not known.
    pub fn accuracy(&self) -> Option<f64> {
        let right = self.true_positives + self.true_negatives?;
        Some(share(
            right,
            right + self.false_positives + self.false_negatives,
        ))
    }
}

/// How many pairs that many records make.
pub(crate) fn pairs_of(records: u64) -> u64 {
    records * records.saturating_sub(1) / 2
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// F1 as the fraction 2·tp / (found + right), compared without rounding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct F1 {
    pub(crate) true_positives: u64,
    /// Pairs found plus pairs there are to find; not 0.
    pub(crate) sizes: u64,
}

impl F1 {
    fn times(self, sizes: u64) -> u128 {
        u128::from(self.true_positives) * u128::from(sizes)
    }
}

impl Ord for F1 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.times(other.sizes).cmp(&other.times(self.sizes))
    }
}

impl PartialOrd for F1 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for F1 {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for F1 {}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts([tp, fp, missed]: [u64; 3]) -> Counts {
        Counts {
            true_positives: tp,
            false_positives: fp,
            false_negatives: missed,
            true_negatives: None,
        }
    }

    #[test]
    fn the_best_row_of_the_paper_comes_out() {
        // P = 94.98 %, R = 50.83 %, F1 = 66.22 %
        let counts = counts([246, 13, 238]);
        assert_eq!((counts.precision() * 1e4).round(), 9498.0);
        assert_eq!((counts.recall() * 1e4).round(), 5083.0);
        assert_eq!((counts.f1() * 1e4).round(), 6622.0);
    }

    #[test]
    fn zero_out_of_zero_is_one() {
        let (nothing, silent, noisy) = ([0, 0, 0], [0, 0, 5], [0, 5, 0]);
        for (counted, expected) in [
            (nothing, [1.0, 1.0, 1.0]),
            (silent, [1.0, 0.0, 0.0]),
            (noisy, [0.0, 1.0, 0.0]),
        ] {
            let counts = counts(counted);
            let shares = [counts.precision(), counts.recall(), counts.f1()];
            assert_eq!(shares, expected, "{counts:?}");
        }
    }

    #[test]
    fn accuracy_needs_the_number_of_all_pairs() {
        let counts = counts([1, 1, 1]);
        assert_eq!(counts.accuracy(), None);
        let counts = Counts {
            true_negatives: Some(7),
            ..counts
        };
        assert_eq!(counts.accuracy(), Some(0.8));
    }
}
