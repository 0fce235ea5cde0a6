//! How good is what was learnt on pairs it has not seen?

use lookalike_text::Seed;
use lookalike_text::hash::mix64;
use rayon::prelude::*;

use super::{Example, Examples, Learner};
use crate::Error;
use crate::metrics::Counts;

/// Folds by which learners choose what they cannot choose by the pairs they learn from.
const FOLDS_OF_LEARNERS: usize = 5;

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
/// # Errors
/// If a fold would be without pairs of one label, or as the learner.
pub(crate) fn cross_validate(
    examples: &Examples,
    learner: Learner,
    folds: usize,
    seed: Seed,
) -> Result<Validation, Error> {
    let fold_of = fold_of_each(examples, folds, seed)?;
    let judge_fold = |fold| {
        let seen = examples.select(|row| fold_of[row] != fold);
        let held_out = examples.select(|row| fold_of[row] == fold);
        held_out.judge(&learner.learn(&seen, seed)?)
    };
    let folds: Vec<_> = (0..folds).into_par_iter().map(judge_fold).collect();
    // One after the other: of several errors it is always the first.
    let folds = folds.into_iter().collect::<Result<Vec<Counts>, Error>>()?;
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
fn fold_of_each(examples: &Examples, folds: usize, seed: Seed) -> Result<Vec<usize>, Error> {
    let (positives, negatives) = (examples.positives(), examples.negatives());
    let most = positives.min(negatives);
    if folds < 2 || folds > most {
        return Err(Error::Folds {
            folds,
            positives,
            negatives,
            most,
        });
    }
    let rows = examples.rows();
    let hashes: Vec<u64> = rows.iter().map(|row| hash(row, seed)).collect();
    let mut fold_of = vec![0; rows.len()];
    for label in [0..negatives, negatives..rows.len()] {
        let mut order: Vec<usize> = label.collect();
        order.sort_by_key(|&row| hashes[row]);
        for (turn, row) in order.into_iter().enumerate() {
            fold_of[row] = turn % folds;
        }
    }
    Ok(fold_of)
}

/// How many folds there are for what a learner has to choose, and the fold of each row; none where there is one pair of
/// a label only.
pub(super) fn folds_to_learn_by(
    examples: &Examples,
    seed: Seed,
) -> Result<Option<(usize, Vec<usize>)>, Error> {
    let most = examples.positives().min(examples.negatives());
    let folds = FOLDS_OF_LEARNERS.min(most);
    if folds < 2 {
        return Ok(None);
    }
    Ok(Some((folds, fold_of_each(examples, folds, seed)?)))
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
    use crate::learn::STARTS;
    use crate::learn::generator::{Generator, drawn};

    const CLIMB: Learner = Learner::Climb { starts: STARTS };

    /// The first column is right in nine of ten pairs, the others are noise.
    fn rows(count: usize) -> Vec<Example> {
        let mut random = Generator::new(Seed(21));
        let row = |_| {
            let same = random.below(3) == 0;
            let told = same != (random.below(10) == 0);
            let first = 0.5 * random.unit() + if told { 0.5 } else { 0.0 };
            Example::new(&[first, random.unit(), random.unit()], same)
        };
        (0..count).map(row).collect()
    }

    fn examples(rows: Vec<Example>) -> Examples {
        Examples::new(rows).unwrap()
    }

    #[test]
    fn every_fold_has_its_share_of_both_labels() {
        let examples = examples(rows(503));
        let fold_of = fold_of_each(&examples, 5, Seed(0)).unwrap();
        for fold in 0..5 {
            let held_out = examples.select(|row| fold_of[row] == fold);
            assert!(held_out.positives().abs_diff(examples.positives() / 5) <= 1);
            assert!(held_out.negatives().abs_diff(examples.negatives() / 5) <= 1);
        }
        assert_ne!(fold_of_each(&examples, 5, Seed(1)).unwrap(), fold_of);
    }

    #[test]
    fn all_learners_do_on_unseen_pairs_what_the_data_allows() {
        let examples = examples(rows(1000));
        let entropy = Learner::MaximumEntropy { products: false };
        for learner in [CLIMB, entropy, Learner::Boost] {
            let validation = cross_validate(&examples, learner, 5, Seed::default()).unwrap();
            // Precision 0.3/0.367 and recall 0.9 are what the first column has: F1 0.857.
            assert!((validation.mean_f1 - 0.857).abs() < 0.03, "{validation:?}");
            assert!(validation.deviation > 0.0 && validation.deviation < 0.06);
            let judged: u64 = validation.folds.iter().map(Counts::right).sum();
            assert_eq!(judged, examples.positives() as u64);
        }
    }

    #[test]
    fn noise_alone_looks_no_better_on_unseen_pairs_than_finding_all() {
        let examples = examples(drawn(400, 8, |_: [f64; 3]| 0.5));
        let validation = cross_validate(&examples, CLIMB, 5, Seed::default()).unwrap();
        assert!(validation.mean_f1 < 0.68, "{validation:?}");
    }

    #[test]
    fn neither_the_number_of_threads_nor_the_order_of_the_rows_matters() {
        let rows = rows(300);
        let reversed: Vec<Example> = rows.iter().rev().cloned().collect();
        let rows = [rows, reversed].map(examples);
        let entropy = Learner::MaximumEntropy { products: true };
        for learner in [CLIMB, entropy, Learner::Boost] {
            let on = |threads, examples| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let validate = || cross_validate(examples, learner, 5, Seed::default());
                pool.unwrap().install(validate).unwrap()
            };
            let alone = on(1, &rows[0]);
            for (threads, examples) in [(2, &rows[0]), (3, &rows[1]), (8, &rows[0])] {
                assert_eq!(on(threads, examples), alone);
            }
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
        let error = fold_of_each(&examples, 12, Seed(0)).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("cannot make 12 folds of"), "{message}");
        assert!(fold_of_each(&examples, 1, Seed(0)).is_err());
    }
}
