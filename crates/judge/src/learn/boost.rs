//! Boosted trees: many small trees of similarities, each learnt from what the ones before it get wrong.
//!
//! A tree asks the same few questions of every pair ("is this similarity at least 0.4?"), so its leaves are numbered by
//! the answers and it is read as a table (symmetric or oblivious trees: Prokhorenkova et al., CatBoost, 2018). Leaves are
//! Newton steps on the logistic loss with a penalty (Friedman, 2001; Chen and Guestrin, 2016, section 2.2).
//!
//! Pairs held out in turn say how many trees are enough and which threshold is best. Scores of pairs that a model was
//! learnt from are too sure, and the threshold would be wrong for others.

use lookalike_text::hash::Seed;
use serde::{Deserialize, Serialize};

use super::bins::Bins;
use super::grow::{Growing, Grown};
use super::newton::{label, logistic, loss_and_probability};
use super::validate::{Folds, fold_of_each};
use super::{Examples, present};
use crate::Error;
use crate::sweep::{LabelledScore, Sweep};

/// The most trees.
const MOST_TREES: usize = 200;
/// No more trees are tried once so many have not helped.
const PATIENCE: usize = 20;
/// Folds for the number of trees and for the threshold.
const FOLDS: usize = 5;

/// The probability of being near-duplicates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trees {
    /// The name of each column.
    pub names: Vec<String>,
    /// What a missing similarity counts as, for each column.
    pub means: Vec<f64>,
    /// What is added up.
    pub trees: Vec<Tree>,
    /// What is added to the sum.
    pub bias: f64,
    /// The least probability of near-duplicates.
    pub threshold: f64,
}

/// One of the trees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// The questions.
    pub splits: Vec<Split>,
    /// One for each combination of answers: with the first question it is 1 more, with the second 2, with the third 4.
    pub leaves: Vec<f64>,
}

/// Whether a similarity is at least a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// The place of the column.
    pub column: usize,
    /// The least similarity for a yes.
    pub least: f64,
}

impl Trees {
    /// The probability.
    pub fn score(&self, similarities: &[Option<f64>]) -> f64 {
        let value = |column: usize| {
            let similarity = similarities.get(column).copied().flatten();
            present(similarity)
                .or_else(|| self.means.get(column).copied())
                .unwrap_or(0.0)
        };
        let leaf = |tree: &Tree| {
            let answers = tree.splits.iter().enumerate();
            let place =
                answers.map(|(bit, split)| usize::from(value(split.column) >= split.least) << bit);
            tree.leaves[place.sum::<usize>()]
        };
        logistic(self.bias + self.trees.iter().map(leaf).sum::<f64>())
    }
}

/// How to learn trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Boost {
    /// Which pairs are held out together while the number of trees and the threshold are chosen.
    pub seed: Seed,
}

/// See the [module](self). Where there are too few pairs to hold any out, it is one tree and the threshold of best F1.
///
/// # Errors
/// If a score is not finite, which no examples make.
pub fn boost(examples: &Examples, options: Boost) -> Result<Trees, Error> {
    let bins = Bins::new(examples);
    let mut folds = folds(examples, &bins, options.seed)?;
    let enough = enough_trees(&mut folds, &bins);
    let mut growing = Growing::new(&bins, |_| true);
    let mut model = Trees {
        names: examples.names().to_vec(),
        bias: growing.bias(),
        trees: (0..enough)
            .map(|_| growing.grow().with_cuts(&bins))
            .collect(),
        means: bins.means.clone(),
        threshold: 0.5,
    };
    let sweep = if folds.is_empty() {
        examples.sweep(|similarities| model.score(similarities))
    } else {
        Sweep::new(folds.iter().flat_map(|fold| fold.scores(&bins, enough)))
    };
    model.threshold = sweep?.best().threshold;
    Ok(model)
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
    trees: Vec<Grown>,
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
            *sum += tree.leaf(bins, row);
            loss += loss_and_probability(*sum, label(bins.labels[row])).0;
        }
        self.trees.push(tree);
        loss
    }

    /// What the held-out pairs score by the first trees.
    fn scores(&self, bins: &Bins, trees: usize) -> impl Iterator<Item = LabelledScore> {
        self.held_out.iter().map(move |&row| {
            let leaves = self.trees[..trees].iter().map(|tree| tree.leaf(bins, row));
            LabelledScore {
                score: logistic(self.growing.bias() + leaves.sum::<f64>()),
                same: bins.labels[row],
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::generator::Generator;
    use crate::learn::{Example, MaximumEntropy, Model, maximum_entropy};

    fn examples(rows: Vec<Example>) -> Examples {
        let names = (0..rows[0].similarities.len()).map(|place| format!("字段{place}"));
        Examples::new(names, rows).unwrap()
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

    fn f1(model: &Model, rows: Vec<Example>) -> f64 {
        examples(rows).judge(model).f1()
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
        assert!(f1(&Model::Trees(trees), unseen()) > 0.92);
        assert!(f1(&Model::Logistic(entropy), unseen()) < 0.75);
    }

    #[test]
    fn noise_grows_few_trees_and_a_threshold_that_finds_all() {
        let noise = examples(drawn(1000, 5, |_| 0.5));
        let trees = boost(&noise, Boost::default()).unwrap();
        assert!(trees.trees.len() < 20, "{}", trees.trees.len());
        let counts = examples(drawn(1000, 6, |_| 0.5)).judge(&Model::Trees(trees));
        assert!(counts.recall() > 0.9, "{counts:?}");
    }

    #[test]
    fn a_missing_similarity_counts_as_the_mean() {
        let mut rows = drawn(500, 7, |[a, b]| (a + b) / 2.0);
        rows.iter_mut()
            .step_by(4)
            .for_each(|row| row.similarities[1] = None);
        let model = boost(&examples(rows), Boost::default()).unwrap();
        let mean = model.means[1];
        assert!((mean - 0.5).abs() < 0.05);
        for missing in [None, Some(f64::NAN)] {
            assert_eq!(
                model.score(&[Some(0.7), missing]),
                model.score(&[Some(0.7), Some(mean)])
            );
        }
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
        assert_eq!(examples.judge(&Model::Trees(trees)).f1(), 1.0);
    }

    #[test]
    fn what_is_written_is_what_was_learnt() {
        let model = boost(&examples(drawn(200, 9, |[a, b]| a * b)), Boost::default()).unwrap();
        let json = serde_json::to_string(&Model::Trees(model.clone())).unwrap();
        assert_eq!(
            serde_json::from_str::<Model>(&json).unwrap(),
            Model::Trees(model)
        );
    }
}
