//! Boosted trees: many small trees of similarities, each learnt from what the ones before it get wrong.
//!
//! A tree asks the same few questions of every pair ("is this similarity at least 0.4?"), so its leaves are numbered by
//! the answers and it is read as a table (symmetric or oblivious trees: Prokhorenkova et al., CatBoost, 2018). Leaves are
//! Newton steps on the logistic loss with a penalty (Friedman, 2001; Chen and Guestrin, 2016, section 2.2).
//!
//! Pairs held out in turn say how many trees are enough and which threshold is best. Scores of pairs that a model was
//! learnt from are too sure, and the threshold would be wrong for others.

use lookalike_pair::verify::{Combination, Tree};
use lookalike_text::Seed;

use super::bins::Bins;
use super::grow::Growing;
use super::newton::{label, loss_and_probability};
use super::validate::{Folds, fold_of_each};
use super::{Examples, Learnt};
use crate::Error;
use crate::sweep::{LabelledScore, Sweep};

/// The most trees.
const MOST_TREES: usize = 200;
/// No more trees are tried once so many have not helped.
const PATIENCE: usize = 20;
/// Folds for the number of trees and for the threshold.
const FOLDS: usize = 5;

/// How to learn trees.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Boost {
    /// Which pairs are held out together while the number of trees and the threshold are chosen.
    pub(crate) seed: Seed,
}

/// See the [module](self). Where there are too few pairs to hold any out, it is one tree and the threshold of best F1.
///
/// # Errors
/// If a score is not finite, which no examples make.
pub(super) fn boost(examples: &Examples, options: Boost) -> Result<Learnt, Error> {
    let bins = Bins::new(examples);
    let mut folds = folds(examples, &bins, options.seed)?;
    let enough = enough_trees(&mut folds, &bins);
    let mut growing = Growing::new(&bins, |_| true);
    let combination = Combination::Trees {
        bias: growing.bias(),
        trees: (0..enough).map(|_| growing.grow()).collect(),
        means: bins.means.clone(),
    };
    let sweep = if folds.is_empty() {
        examples.sweep(&combination)
    } else {
        let scores = folds.into_iter();
        Sweep::new(scores.flat_map(|fold| fold.scores(examples, &bins, enough)))
    };
    Ok(Learnt {
        threshold: sweep?.best().threshold,
        combination,
    })
}

/// Each part of the pairs held out once; none where there is one pair of a label only.
fn folds<'a>(examples: &Examples, bins: &'a Bins, seed: Seed) -> Result<Vec<Fold<'a>>, Error> {
    let count = FOLDS.min(examples.positives()).min(examples.negatives());
    if count < 2 {
        return Ok(Vec::new());
    }
    let fold_of = fold_of_each(examples, Folds { count, seed })?;
    let fold = |fold| Fold::new(bins, |row| fold_of[row] == fold);
    Ok((0..count).map(fold).collect())
}

/// Grows trees in all folds until more no longer help, and says how many had the least loss on the held-out pairs.
fn enough_trees(folds: &mut [Fold<'_>], bins: &Bins) -> usize {
    let (mut best, mut least) = (1, f64::INFINITY);
    for trees in 1..=MOST_TREES {
        let loss: f64 = folds.iter_mut().map(|fold| fold.grow(bins)).sum();
        if loss < least {
            (best, least) = (trees, loss);
        } else if trees - best == PATIENCE {
            break;
        }
    }
    best
}

/// Trees that are grown without some pairs, to see how well they explain these.
struct Fold<'a> {
    growing: Growing<'a>,
    trees: Vec<Tree>,
    held_out: Vec<usize>,
    /// What the trees say of the held-out pairs.
    sums: Vec<f64>,
}

impl<'a> Fold<'a> {
    fn new(bins: &'a Bins, is_held_out: impl Fn(usize) -> bool) -> Self {
        let growing = Growing::new(bins, |row| !is_held_out(row));
        let held_out = (0..bins.labels.len()).filter(|&row| is_held_out(row));
        let held_out: Vec<usize> = held_out.collect();
        Fold {
            sums: vec![growing.bias(); held_out.len()],
            trees: Vec::new(),
            growing,
            held_out,
        }
    }

    /// Adds a tree and gives the loss of the held-out pairs.
    fn grow(&mut self, bins: &Bins) -> f64 {
        let tree = self.growing.grow();
        let mut loss = 0.0;
        for (sum, &row) in self.sums.iter_mut().zip(&self.held_out) {
            *sum += tree.leaf(&bins.filled[row]);
            loss += loss_and_probability(*sum, label(bins.labels[row])).0;
        }
        self.trees.push(tree);
        loss
    }

    /// What the held-out pairs score by the first trees.
    fn scores(
        mut self,
        examples: &Examples,
        bins: &Bins,
        trees: usize,
    ) -> impl Iterator<Item = LabelledScore> {
        self.trees.truncate(trees);
        let combination = Combination::Trees {
            means: bins.means.clone(),
            trees: self.trees,
            bias: self.growing.bias(),
        };
        self.held_out.into_iter().map(move |row| LabelledScore {
            score: combination.score(&examples.rows()[row].similarities),
            same: bins.labels[row],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Example;
    use crate::learn::generator::Generator;
    use crate::learn::logistic::{MaximumEntropy, maximum_entropy};

    fn examples(rows: Vec<Example>) -> Examples {
        Examples::new(rows).unwrap()
    }

    fn grown(learnt: &Learnt) -> (&[Tree], &[f64]) {
        match &learnt.combination {
            Combination::Trees { trees, means, .. } => (trees, means),
            other => panic!("{other:?}"),
        }
    }

    /// Labels drawn with the probability that `truth` gives.
    fn drawn(rows: usize, seed: u64, truth: impl Fn([f64; 2]) -> f64) -> Vec<Example> {
        let mut random = Generator::new(Seed(seed));
        let row = |_| {
            let values = [random.unit(), random.unit()];
            Example {
                same: random.unit() < truth(values),
                similarities: values.map(Some).to_vec(),
            }
        };
        (0..rows).map(row).collect()
    }

    fn f1(learnt: &Learnt, rows: Vec<Example>) -> f64 {
        examples(rows).judge(learnt).unwrap().f1()
    }

    /// Alike where both are high or both are low: no sum of the two can tell.
    fn either_both_or_none([a, b]: [f64; 2]) -> f64 {
        if (a < 0.5) == (b < 0.5) { 0.95 } else { 0.05 }
    }

    #[test]
    fn trees_learn_what_no_sum_of_similarities_tells() {
        let seen = examples(drawn(2000, 3, either_both_or_none));
        let trees = boost(&seen, Boost::default()).unwrap();
        let entropy = maximum_entropy(&seen, MaximumEntropy::default()).unwrap();
        let unseen = || drawn(2000, 4, either_both_or_none);
        assert!(f1(&trees, unseen()) > 0.92);
        assert!(f1(&entropy, unseen()) < 0.75);
    }

    #[test]
    fn noise_grows_few_trees_and_a_threshold_that_finds_all() {
        let noise = examples(drawn(1000, 5, |_| 0.5));
        let trees = boost(&noise, Boost::default()).unwrap();
        let count = grown(&trees).0.len();
        assert!(count < 20, "{count}");
        let unseen = examples(drawn(1000, 6, |_| 0.5));
        let counts = unseen.judge(&trees).unwrap();
        assert!(counts.recall() > 0.9, "{counts:?}");
    }

    #[test]
    fn a_missing_similarity_counts_as_the_mean() {
        let mut rows = drawn(500, 7, |[a, b]| (a + b) / 2.0);
        rows.iter_mut()
            .step_by(4)
            .for_each(|row| row.similarities[1] = None);
        let model = boost(&examples(rows), Boost::default()).unwrap();
        let mean = grown(&model).1[1];
        assert!((mean - 0.5).abs() < 0.05);
        assert_eq!(
            model.combination.score(&[Some(0.7), None]),
            model.combination.score(&[Some(0.7), Some(mean)])
        );
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let mut rows = drawn(300, 8, |[a, _]| a);
        let forwards = boost(&examples(rows.clone()), Boost::default()).unwrap();
        rows.rotate_left(123);
        assert_eq!(boost(&examples(rows), Boost::default()).unwrap(), forwards);
    }

    #[test]
    fn one_pair_of_each_label_is_enough() {
        let rows = [(0.9, true), (0.1, false)].map(|(value, same)| Example {
            similarities: vec![Some(value), None],
            same,
        });
        let examples = examples(rows.to_vec());
        let trees = boost(&examples, Boost::default()).unwrap();
        assert_eq!(examples.judge(&trees).unwrap().f1(), 1.0);
    }
}
