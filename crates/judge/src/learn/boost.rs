//! Boosted trees: many small trees of similarities, each learnt from what the ones before it get wrong.
//!
//! A tree asks the same few questions of every pair ("is this similarity at least 0.4?"), so its leaves are numbered by
//! the answers and it is read as a table (symmetric or oblivious trees: Prokhorenkova et al., CatBoost, 2018). Leaves are
//! Newton steps on the logistic loss with a penalty (Friedman, 2001; Chen and Guestrin, 2016, section 2.2), made
//! [monotone](super::isotonic).
//!
//! Pairs held out in turn say how many trees are enough and which threshold is best. Scores of pairs that a model was
//! learnt from are too sure, and the threshold would be wrong for others.

use lookalike_pair::verify::{Combination, Tree};
use lookalike_text::Seed;

use super::bins::Bins;
use super::folds::Folds;
use super::grow::Growing;
use super::loss::{label, loss_and_probability};
use super::{Examples, Learnt};
use crate::Error;
use crate::sweep::Sweep;

/// The most trees.
const MOST_TREES: usize = 200;
/// No more trees are tried once so many have not helped.
const PATIENCE: usize = 20;

/// Many small trees of similarities, each learnt from what the ones before it get wrong. Where
/// there are too few pairs to hold any out, it is one tree and the threshold of best F1.
///
/// # Errors
/// If a score is not finite, which no examples make.
pub(super) fn boost(examples: &Examples, seed: Seed) -> Result<Learnt, Error> {
    let bins = Bins::new(examples);
    let mut folds: Vec<Fold<'_>> = match Folds::to_learn_by(examples, seed)? {
        Some((folds, Folds { of, .. })) => {
            let fold = |fold| Fold::new(&bins, |row| of[row] == fold);
            (0..folds).map(fold).collect()
        }
        None => Vec::new(),
    };
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
    ) -> impl Iterator<Item = (f64, bool)> {
        self.trees.truncate(trees);
        let combination = Combination::Trees {
            means: bins.means.clone(),
            trees: self.trees,
            bias: self.growing.bias(),
        };
        let rows = self.held_out.into_iter().map(|row| &examples.rows()[row]);
        rows.map(move |row| (combination.score(&row.similarities), row.same))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Example;
    use crate::learn::generator::drawn;
    use crate::learn::logistic::maximum_entropy;

    fn examples(rows: Vec<Example>) -> Examples {
        Examples::new(rows).unwrap()
    }

    /// Alike where both are high: no sum of the two can tell.
    fn both([a, b]: [f64; 2]) -> f64 {
        if a >= 0.5 && b >= 0.5 { 0.95 } else { 0.05 }
    }

    #[test]
    fn trees_learn_what_no_sum_of_similarities_tells() {
        let seen = examples(drawn(2000, 3, both));
        let trees = boost(&seen, Seed::default()).unwrap();
        let entropy = maximum_entropy(&seen).unwrap();
        let unseen = examples(drawn(2000, 4, both));
        let f1 = |learnt: &Learnt| unseen.judge(learnt).unwrap().f1();
        // Who knew the rule would have 0.905.
        assert!(f1(&trees) > 0.87, "{}", f1(&trees));
        assert!(f1(&entropy) < 0.85, "{}", f1(&entropy));
    }

    #[test]
    fn a_pair_more_alike_never_scores_less_whatever_the_labels_say() {
        // Labelled against the second similarity, so that trees free to do so would count it against a pair.
        let truth = |[a, b, c]: [f64; 3]| if a + c / 2.0 > b { 0.9 } else { 0.1 };
        let learnt = boost(&examples(drawn(3000, 9, truth)), Seed::default()).unwrap();
        let steps = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
        let score = |row: [f64; 3]| learnt.combination.score(&row.map(Some));
        for a in steps {
            for b in steps {
                for c in steps {
                    for column in 0..3 {
                        let mut more = [a, b, c];
                        more[column] += 0.2;
                        assert!(score(more) >= score([a, b, c]));
                    }
                }
            }
        }
        assert!(score([0.9, 0.5, 0.5]) > score([0.1, 0.5, 0.5]) + 0.3);
    }

    #[test]
    fn noise_grows_few_trees_and_a_threshold_that_finds_all() {
        let noise = |seed| examples(drawn(1000, seed, |_: [f64; 2]| 0.5));
        let learnt = boost(&noise(5), Seed::default()).unwrap();
        let Combination::Trees { trees, .. } = &learnt.combination else {
            panic!("{learnt:?}");
        };
        assert!(trees.len() < 20, "{}", trees.len());
        let counts = noise(6).judge(&learnt).unwrap();
        assert!(counts.recall() > 0.9, "{counts:?}");
    }
}
