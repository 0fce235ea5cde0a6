//! How good is what was learnt on pairs it has not seen?

use lookalike_text::Seed;
use rayon::prelude::*;

use super::folds::Folds;
use super::{Example, Examples, Learner};
use crate::Error;
use crate::metrics::Counts;

/// How good models are on the folds held out from them.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// The mean of F1 over the folds.
    pub mean_f1: f64,
    /// The sample standard deviation of F1 over the folds.
    pub deviation: f64,
    /// The numbers of each fold.
    pub folds: Vec<Counts>,
    /// Whether no text is both in pairs held out and in pairs learnt from. Where it is not so, F1 is somewhat too good.
    pub are_apart: bool,
    /// What each pair scores by the model that has not seen it, and whether its texts are near-duplicates.
    pub scores: Vec<(f64, bool)>,
}

/// Learns on all folds but one, weights and threshold, and judges on that one; for each fold. Pairs that are linked by a
/// common text are held out together, see [`Folds`].
///
/// # Errors
/// If a fold would be without pairs of one label, or as the learner.
pub(crate) fn cross_validate(
    examples: &Examples,
    learner: Learner,
    folds: usize,
    seed: Seed,
) -> Result<Validation, Error> {
    let Folds { of, are_apart } = Folds::deal(examples, folds, seed)?;
    let judge_fold = |fold| {
        let seen = examples.select(|row| of[row] != fold);
        let held_out = examples.select(|row| of[row] == fold);
        let learnt = learner.learn(&seen, seed)?;
        let score = |row: &Example| (learnt.combination.score(&row.similarities), row.same);
        let scores = held_out.rows().iter().map(score).collect();
        Ok((held_out.judge(&learnt)?, scores))
    };
    let folds: Vec<_> = (0..folds).into_par_iter().map(judge_fold).collect();
    // One after the other: of several errors it is always the first.
    let judged = folds.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let (folds, scores): (Vec<Counts>, Vec<Vec<(f64, bool)>>) = judged.into_iter().unzip();
    let (mean_f1, deviation) = mean_and_deviation(&folds);
    Ok(Validation {
        mean_f1,
        deviation,
        folds,
        are_apart,
        scores: scores.concat(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::generator::{Generator, drawn};

    const CLIMB: Learner = Learner::Climb { starts: 20 };
    const LEARNERS: [Learner; 4] = [
        CLIMB,
        Learner::Mean,
        Learner::MaximumEntropy,
        Learner::Boost,
    ];

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
    fn all_learners_do_on_unseen_pairs_what_the_data_allows() {
        let examples = examples(rows(1000));
        for learner in LEARNERS {
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
        for learner in LEARNERS {
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
}
