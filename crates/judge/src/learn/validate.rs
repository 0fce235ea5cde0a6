//! How good is what was learnt on pairs it has not seen?

use std::num::NonZero;
use std::thread::available_parallelism;

use lookalike_pair::workers::in_parallel;
use lookalike_text::hash::{Seed, mix64};

use super::{Example, Examples, Learner};
use crate::Error;
use crate::metrics::Counts;

/// How to divide the pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folds {
    /// How many parts, each of which is held out once.
    pub count: usize,
    /// Which pairs are in which part.
    pub seed: Seed,
}

impl Default for Folds {
    fn default() -> Self {
        Folds {
            count: 5,
            seed: Seed::default(),
        }
    }
}

/// How good models are on the folds held out from them.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// The mean of F1 over the folds.
    pub mean_f1: f64,
    /// The sample standard deviation of F1 over the folds.
    pub deviation: f64,
    /// The numbers of each fold.
    pub folds: Vec<Counts>,
}

/// Learns on all folds but one, weights and threshold, and judges on that one; for each fold. Pairs are held out one
/// by one: where a record is in many pairs, or was rewritten in many ways, the estimate is somewhat too good.
///
/// As many folds at once as the machine has processors; [`cross_validate_on`] takes their number.
///
/// # Errors
/// If a fold would be without pairs of one label, or as the learner.
pub fn cross_validate(
    examples: &Examples,
    learner: &Learner,
    folds: Folds,
) -> Result<Validation, Error> {
    let threads = available_parallelism().map_or(1, NonZero::get);
    cross_validate_on(threads, examples, learner, folds)
}

/// The same on that many threads, with the same result.
///
/// # Errors
/// As [`cross_validate`].
pub fn cross_validate_on(
    threads: usize,
    examples: &Examples,
    learner: &Learner,
    folds: Folds,
) -> Result<Validation, Error> {
    let fold_of = fold_of_each(examples, folds)?;
    let judge_fold = |&fold: &usize| {
        let model = learner.learn(&examples.select(|row| fold_of[row] != fold))?;
        let held_out = examples.select(|row| fold_of[row] == fold);
        Ok(held_out.judge(&model))
    };
    let all: Vec<usize> = (0..folds.count).collect();
    let judged = in_parallel(&all, threads.max(1), |some| {
        some.iter().map(judge_fold).collect::<Result<Vec<_>, _>>()
    });
    let folds = judged
        .into_iter()
        .collect::<Result<Vec<_>, Error>>()?
        .concat();
    let (mean_f1, deviation) = mean_and_deviation(&folds);
    Ok(Validation {
        mean_f1,
        deviation,
        folds,
    })
}

fn mean_and_deviation(folds: &[Counts]) -> (f64, f64) {
    let count = folds.len() as f64;
    let mean = folds.iter().map(Counts::f1).sum::<f64>() / count;
    let squares: f64 = folds
        .iter()
        .map(|fold| (fold.f1() - mean) * (fold.f1() - mean))
        .sum();
    (mean, (squares / (count - 1.0)).sqrt())
}

/// The fold of each row. The pairs of each label are dealt out in turn, in an order that depends on the seed and their
/// values, not on their places.
pub(crate) fn fold_of_each(examples: &Examples, folds: Folds) -> Result<Vec<usize>, Error> {
    let (positives, negatives) = (examples.positives(), examples.negatives());
    let most = positives.min(negatives);
    if folds.count < 2 || folds.count > most {
        return Err(Error::Folds {
            folds: folds.count,
            positives,
            negatives,
            most,
        });
    }
    let rows = examples.rows();
    let hashes: Vec<u64> = rows.iter().map(|row| hash(row, folds.seed)).collect();
    let mut fold_of = vec![0; rows.len()];
    for label in [0..negatives, negatives..rows.len()] {
        let mut order: Vec<usize> = label.collect();
        order.sort_by_key(|&row| hashes[row]);
        for (turn, row) in order.into_iter().enumerate() {
            fold_of[row] = turn % folds.count;
        }
    }
    Ok(fold_of)
}

fn hash(row: &Example, seed: Seed) -> u64 {
    let values = row.similarities.iter();
    let bits = values.map(|value| value.map_or(u64::MAX, f64::to_bits));
    bits.fold(mix64(seed.0.wrapping_add(1)), |hash, bits| {
        mix64(hash.wrapping_add(mix64(bits.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::generator::Generator;
    use crate::learn::{Boost, Climb, MaximumEntropy};

    /// The first column is right in nine of ten pairs, the others are noise.
    fn rows(count: usize) -> Vec<Example> {
        let mut random = Generator::new(Seed(21));
        let row = |_| {
            let same = random.below(3) == 0;
            let told = same != (random.below(10) == 0);
            let first = 0.5 * random.unit() + if told { 0.5 } else { 0.0 };
            Example {
                similarities: vec![Some(first), Some(random.unit()), Some(random.unit())],
                same,
            }
        };
        (0..count).map(row).collect()
    }

    fn examples(rows: Vec<Example>) -> Examples {
        Examples::new(["标题", "نص", "ответ"].map(String::from), rows).unwrap()
    }

    #[test]
    fn every_fold_has_its_share_of_both_labels() {
        let examples = examples(rows(503));
        let folds = Folds::default();
        let fold_of = fold_of_each(&examples, folds).unwrap();
        for fold in 0..5 {
            let held_out = examples.select(|row| fold_of[row] == fold);
            assert!(held_out.positives().abs_diff(examples.positives() / 5) <= 1);
            assert!(held_out.negatives().abs_diff(examples.negatives() / 5) <= 1);
        }
        let other = Folds {
            seed: Seed(1),
            ..folds
        };
        assert_ne!(fold_of_each(&examples, other).unwrap(), fold_of);
    }

    #[test]
    fn all_learners_do_on_unseen_pairs_what_the_data_allows() {
        let examples = examples(rows(1000));
        let learners = [
            Learner::Climb(Climb::default()),
            Learner::MaximumEntropy(MaximumEntropy::default()),
            Learner::Boost(Boost::default()),
        ];
        for learner in learners {
            let validation = cross_validate(&examples, &learner, Folds::default()).unwrap();
            // Precision 0.3/0.367 and recall 0.9 are what the first column has: F1 0.857.
            assert!((validation.mean_f1 - 0.857).abs() < 0.03, "{validation:?}");
            assert!(validation.deviation > 0.0 && validation.deviation < 0.06);
            let judged: u64 = validation
                .folds
                .iter()
                .map(|fold| fold.true_positives + fold.false_negatives)
                .sum();
            assert_eq!(judged, examples.positives() as u64);
        }
    }

    #[test]
    fn noise_alone_looks_no_better_on_unseen_pairs_than_finding_all() {
        let mut random = Generator::new(Seed(8));
        let noise = (0..400).map(|row| Example {
            similarities: (0..3).map(|_| Some(random.unit())).collect(),
            same: row % 2 == 0,
        });
        let examples = examples(noise.collect());
        let learner = Learner::Climb(Climb::default());
        let validation = cross_validate(&examples, &learner, Folds::default()).unwrap();
        assert!(validation.mean_f1 < 0.68, "{validation:?}");
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let mut rows = rows(200);
        let learner = Learner::MaximumEntropy(MaximumEntropy::default());
        let validate = |rows| cross_validate(&examples(rows), &learner, Folds::default()).unwrap();
        let forwards = validate(rows.clone());
        rows.reverse();
        assert_eq!(validate(rows), forwards);
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let examples = examples(rows(300));
        let entropy = MaximumEntropy {
            products: true,
            ..MaximumEntropy::default()
        };
        let learners = [
            Learner::Climb(Climb::default()),
            Learner::MaximumEntropy(entropy),
            Learner::Boost(Boost::default()),
        ];
        for learner in learners {
            let on = |threads| {
                cross_validate_on(threads, &examples, &learner, Folds::default()).unwrap()
            };
            let alone = on(1);
            for threads in [2, 3, 8] {
                assert_eq!(on(threads), alone);
            }
            assert_eq!(
                cross_validate(&examples, &learner, Folds::default()).unwrap(),
                alone
            );
        }
    }

    #[test]
    fn mean_and_deviation_are_what_they_are_by_hand() {
        let fold = |true_positives, false_positives| Counts {
            true_positives,
            false_positives,
            false_negatives: 0,
            true_negatives: None,
        };
        // F1 1, 2/3 and 1/2: mean 13/18, deviation √(7/108).
        let (mean, deviation) = mean_and_deviation(&[fold(1, 0), fold(1, 1), fold(1, 2)]);
        assert!((mean - 13.0 / 18.0).abs() < 1e-12);
        assert!((deviation - (7.0f64 / 108.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn more_folds_than_pairs_of_a_label_are_refused() {
        let examples = examples(rows(20));
        let folds = Folds {
            count: 12,
            ..Folds::default()
        };
        let message = fold_of_each(&examples, folds).unwrap_err().to_string();
        assert!(message.starts_with("cannot make 12 folds of"), "{message}");
        let folds = Folds {
            count: 1,
            ..Folds::default()
        };
        assert!(fold_of_each(&examples, folds).is_err());
    }
}
