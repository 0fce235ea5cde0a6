//! Which threshold is best?
//!
//! Scores and labels come in and are sorted once; every threshold can then be answered. A pair is found if its score
//! is at least the threshold, so pairs with the same score are found together or not at all.
//!
//! ```
//! use lookalike_judge::sweep::Sweep;
//! let sweep = Sweep::new([(0.9, true), (0.8, true), (0.6, false), (0.3, true)])?;
//! let best = sweep.best();
//! assert_eq!(best.threshold, 0.3); // precision 3/4, recall 1: F1 6/7
//! assert_eq!(sweep.at(0.7).recall(), 2.0 / 3.0);
//! # Ok::<(), lookalike_judge::Error>(())
//! ```

use crate::Error;
use crate::metrics::Counts;

/// A threshold and what it finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The least score that is found.
    pub threshold: f64,
    /// The numbers at it.
    pub counts: Counts,
}

/// Labelled pairs by falling score.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// One for each distinct score, falling.
    points: Vec<Point>,
    /// The numbers above all scores.
    nothing: Counts,
}

impl Sweep {
    /// Sorts labelled pairs by how alike the two are said to be; with it comes whether they are near-duplicates.
    ///
    /// # Errors
    /// If a score is not finite, or if no pair has label 1.
    pub fn new(scores: impl IntoIterator<Item = (f64, bool)>) -> Result<Sweep, Error> {
        let mut scores: Vec<(f64, bool)> = scores.into_iter().collect();
        let broken = scores.iter().position(|(score, _)| !score.is_finite());
        if let Some(row) = broken {
            let value = scores[row].0;
            return Err(Error::NotFinite { row, value });
        }
        if scores.is_empty() {
            return Err(Error::NoPairs);
        }
        let positives = |scores: &[(f64, bool)]| scores.iter().filter(|(_, same)| *same).count();
        let all = positives(&scores);
        if all == 0 {
            return Err(Error::MissingLabel { missing: 1 });
        }
        scores.sort_unstable_by(|one, two| two.0.total_cmp(&one.0));
        let (mut found, mut right) = (0, 0);
        let counts = |found: usize, right: usize| Counts {
            true_positives: right as u64,
            false_positives: (found - right) as u64,
            false_negatives: (all - right) as u64,
            true_negatives: Some((scores.len() - all - (found - right)) as u64),
        };
        let points = scores.chunk_by(|one, two| one.0 == two.0).map(|equal| {
            found += equal.len();
            right += positives(equal);
            Point {
                threshold: equal[0].0,
                counts: counts(found, right),
            }
        });
        Ok(Sweep {
            points: points.collect(),
            nothing: counts(0, 0),
        })
    }

    /// The threshold with the best F1, the highest if there are several. Every threshold between two neighbouring
    /// scores finds the same; of these it is the number with the fewest digits about half-way, since unseen pairs
    /// fall on both sides of the gap.
    pub fn best(&self) -> Point {
        self.best_of(self.points.len())
    }

    /// The same among thresholds above 0, so that a pair with nothing in common is never found; none if no score is
    /// above 0.
    pub fn best_above_zero(&self) -> Option<Point> {
        let above = self.points.partition_point(|point| point.threshold > 0.0);
        (above > 0).then(|| self.best_of(above))
    }

    /// The best of the thresholds at the first points, of which there is one at least.
    fn best_of(&self, points: usize) -> Point {
        let mut best = 0;
        let f1 = |place: usize| self.points[place].counts.exact_f1();
        for place in 1..points {
            if f1(place) > f1(best) {
                best = place;
            }
        }
        let Point { threshold, counts } = self.points[best];
        let below = self.points.get(best + 1).map(|below| below.threshold);
        Point {
            threshold: below.map_or(threshold, |below| round_between(below, threshold)),
            counts,
        }
    }

    /// The numbers at a threshold.
    pub fn at(&self, threshold: f64) -> Counts {
        let is_found = |point: &Point| point.threshold >= threshold;
        let found = self.points.partition_point(is_found).checked_sub(1);
        found.map_or(self.nothing, |last| self.points[last].counts)
    }

    /// The precision-recall curve: a point at each distinct score, falling.
    pub fn curve(&self) -> &[Point] {
        &self.points
    }
}

/// The number with the fewest decimals, two at least, that is nearest to the middle, above `below` and at most `score`.
pub(crate) fn round_between(below: f64, score: f64) -> f64 {
    let middle = below + (score - below) / 2.0;
    let powers = std::iter::successors(Some(1e2), |power| Some(power * 10.0)).take(14);
    let rounded = powers.map(|power| (middle * power).round() / power);
    let mut fitting = rounded.filter(|&value| below < value && value <= score);
    fitting.next().unwrap_or(score)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sweep(scores: &[(f64, bool)]) -> Sweep {
        Sweep::new(scores.iter().copied()).unwrap()
    }

    #[test]
    fn the_best_threshold_is_a_round_number_in_the_gap() {
        let best = sweep(&[(0.91, true), (0.8, true), (0.4311, false), (0.2, false)]).best();
        assert_eq!(best.threshold, 0.62);
        assert_eq!(best.counts.f1(), 1.0);
        let best = sweep(&[(0.50012, true), (0.50011, false)]).best();
        assert_eq!(best.threshold, 0.50012);
    }

    #[test]
    fn a_threshold_above_zero_finds_no_pair_without_similarity() {
        let scores = [(0.5, true), (0.0, true), (0.0, true), (0.0, false)];
        assert_eq!(sweep(&scores).best().threshold, 0.0);
        let best = sweep(&scores).best_above_zero().unwrap();
        assert_eq!((best.threshold, best.counts.recall()), (0.25, 1.0 / 3.0));
        assert_eq!(sweep(&[(0.0, true)]).best_above_zero(), None);
    }

    #[test]
    fn equal_scores_are_found_together() {
        let sweep = sweep(&[
            (0.5, true),
            (0.5, false),
            (0.5, true),
            (0.0, false),
            (-0.0, true),
        ]);
        assert_eq!(sweep.curve().len(), 2);
        assert_eq!(sweep.at(0.5).false_positives, 1);
        assert_eq!(sweep.at(0.500_001).true_positives, 0);
        assert_eq!(sweep.at(0.0).recall(), 1.0);
    }

    #[test]
    fn of_equally_good_thresholds_the_highest_is_taken() {
        // 1 of 1 found with 2 to find, and 2 of 4: both 2/3.
        let scores = [(0.9, true), (0.8, false), (0.7, false), (0.6, true)];
        let best = sweep(&scores).best();
        assert_eq!(best.counts.precision(), 1.0);
        assert_eq!(best.threshold, 0.85);
    }

    #[test]
    fn without_a_right_pair_or_with_a_score_that_is_no_number_there_is_no_threshold() {
        let message = |scores: Vec<(f64, bool)>| Sweep::new(scores).unwrap_err().to_string();
        assert!(message(vec![]).contains("no labelled pairs"));
        assert!(message(vec![(0.5, false)]).contains("no pair has label 1"));
        assert!(message(vec![(0.5, true), (f64::NAN, true)]).contains("row 1 has the score NaN"));
    }

    fn naive(scores: &[(f64, bool)], threshold: f64) -> Counts {
        let count = |found: bool, label: bool| {
            let is_it =
                |&&(score, same): &&(f64, bool)| (score >= threshold) == found && same == label;
            scores.iter().filter(is_it).count() as u64
        };
        Counts {
            true_positives: count(true, true),
            false_positives: count(true, false),
            false_negatives: count(false, true),
            true_negatives: Some(count(false, false)),
        }
    }

    proptest! {
        #[test]
        fn no_threshold_is_better_than_the_best(
            scores in proptest::collection::vec((0u8..20, any::<bool>()), 1..60)
        ) {
            let scores: Vec<_> = scores.into_iter().map(|(score, same)| (f64::from(score) / 19.0, same)).collect();
            prop_assume!(scores.iter().any(|pair| pair.1));
            let sweep = sweep(&scores);
            let best = sweep.best();
            prop_assert_eq!(best.counts, naive(&scores, best.threshold));
            for point in sweep.curve() {
                prop_assert_eq!(point.counts, naive(&scores, point.threshold));
                prop_assert!(point.counts.f1() <= best.counts.f1());
            }
            for threshold in [-1.0, 0.0, 0.25, 0.5, 1.0, 2.0] {
                prop_assert_eq!(sweep.at(threshold), naive(&scores, threshold));
                prop_assert!(sweep.at(threshold).f1() <= best.counts.f1());
            }
            let mut reversed = scores.clone();
            reversed.reverse();
            prop_assert_eq!(super::tests::sweep(&reversed).best(), best);
        }
    }
}
