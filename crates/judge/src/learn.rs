//! Which weights and which threshold are best?
//!
//! [`Examples`] come in: for each labelled pair its similarities, one a column, none where neither text has anything to
//! compare. What is [`Learnt`] goes out: a [`Combination`], which scores such a row in a run, too, and a threshold. It is a
//! weighted mean or a logistic function by maximum entropy ([`logistic`]), trees by boosting ([`boost`]), or a weighted
//! mean by hill climbing ([`climb`]). All are monotone: a pair more alike in one respect never scores less.
//! [`cross_validate`] says how good it is on pairs it has not seen. The result depends on the rows and the seed, not on the
//! order of the rows.

mod bins;
mod boost;
mod climb;
mod examples;
mod folds;
mod generator;
mod grow;
mod isotonic;
mod logistic;
mod loss;
mod validate;

use lookalike_pair::verify::Combination;
use lookalike_text::Seed;

pub(crate) use examples::{Example, Examples};
pub(crate) use generator::Generator;
pub use validate::Validation;
pub(crate) use validate::cross_validate;

use crate::Error;

/// How to learn.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Learner {
    /// Weights that sum to 1, by hill climbing from each column alone and from so many random starts.
    Climb { starts: usize },
    /// The weighted mean of maximum entropy.
    Mean,
    /// Logistic regression.
    MaximumEntropy,
    /// Boosted trees.
    Boost,
}

impl Learner {
    /// What these examples teach. The seed decides where random starts are, and which pairs are held out together where
    /// something is chosen by held-out pairs.
    pub(crate) fn learn(self, examples: &Examples, seed: Seed) -> Result<Learnt, Error> {
        match self {
            Learner::Climb { starts } => climb::climb(examples, starts, seed),
            Learner::Mean => logistic::mean(examples),
            Learner::MaximumEntropy => logistic::maximum_entropy(examples),
            Learner::Boost => boost::boost(examples, seed),
        }
    }
}

/// What was learnt.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Learnt {
    /// How the similarities, one a column, make one.
    pub(crate) combination: Combination,
    /// The least score of near-duplicates.
    pub(crate) threshold: f64,
}

impl Learnt {
    /// The combination with the threshold of best F1 on these examples.
    fn at_best_threshold(examples: &Examples, combination: Combination) -> Result<Self, Error> {
        Ok(Learnt {
            threshold: examples.sweep(&combination)?.best().threshold,
            combination,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::generator::drawn;
    use super::*;

    const LEARNERS: [Learner; 4] = [
        Learner::Climb { starts: 20 },
        Learner::Mean,
        Learner::MaximumEntropy,
        Learner::Boost,
    ];

    fn learn(learner: Learner, rows: &[Example]) -> Learnt {
        let examples = Examples::new(rows.to_vec()).unwrap();
        learner.learn(&examples, Seed(9)).unwrap()
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let mut rows = drawn(300, 2, |[a, b]| (2.0 * a + b) / 3.0);
        let gaps = rows.iter_mut().step_by(5);
        gaps.for_each(|row| row.similarities[1] = None);
        let forwards = LEARNERS.map(|learner| learn(learner, &rows));
        rows.rotate_left(123);
        assert_eq!(LEARNERS.map(|learner| learn(learner, &rows)), forwards);
    }

    #[test]
    fn one_pair_of_each_label_is_enough() {
        let rows = [(0.9, true), (0.1, false)].map(|(value, same)| Example {
            similarities: vec![Some(value), None],
            same,
            group: u64::from(same),
        });
        for learner in LEARNERS {
            let learnt = learn(learner, &rows);
            let examples = Examples::new(rows.clone()).unwrap();
            assert_eq!(examples.judge(&learnt).unwrap().f1(), 1.0, "{learnt:?}");
        }
    }

    #[test]
    fn a_missing_similarity_counts_as_the_mean() {
        let mut rows = drawn(500, 7, |[a, b]| (a + b) / 2.0);
        let gaps = rows.iter_mut().step_by(4);
        gaps.for_each(|row| row.similarities[1] = None);
        for learner in &LEARNERS[2..] {
            let model = learn(*learner, &rows).combination;
            let (Combination::Logistic { means, .. } | Combination::Trees { means, .. }) = &model
            else {
                panic!("{model:?}");
            };
            assert!((means[1] - 0.5).abs() < 0.05);
            assert_eq!(
                model.score(&[Some(0.7), None]),
                model.score(&[Some(0.7), Some(means[1])])
            );
        }
    }
}
