//! How several similarities make one, and what counts where a text has nothing to compare.

use lookalike_text::policy;
use serde::{Deserialize, Serialize};

/// How the similarities of the parts make one: never less where one of them is higher.
#[derive(Debug, Clone, PartialEq)]
pub enum Combination {
    /// The weighted mean of those that are there.
    Linear {
        /// One a part; at least 0.
        weights: Vec<f64>,
    },
    /// The logistic function of a weighted sum: a probability.
    Logistic {
        /// One a part; at least 0.
        weights: Vec<f64>,
        /// What a missing similarity counts as, one a part.
        means: Vec<f64>,
        /// What is added.
        bias: f64,
    },
    /// The logistic function of what trees say, added up: a probability.
    Trees {
        /// What a missing similarity counts as, one a part.
        means: Vec<f64>,
        /// What is added up.
        trees: Vec<Tree>,
        /// What is added.
        bias: f64,
    },
}

/// A few questions, asked of every pair, and what each combination of answers adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// Parts, from 0, and the least similarity for a yes.
    pub splits: Vec<(usize, f64)>,
    /// What is added: for no to all questions, yes to the first, to the second, to both, to the third… The answers are
    /// the digits of a binary number, the first question being the lowest digit.
    pub leaves: Vec<f64>,
}

impl Tree {
    /// Whether every answer to its questions has a leaf.
    pub fn is_whole(&self) -> bool {
        // More questions than the bits of a place have no table.
        let wanted = u32::try_from(self.splits.len());
        let wanted = wanted.ok().and_then(|splits| 1usize.checked_shl(splits));
        wanted == Some(self.leaves.len())
    }

    /// Whether a yes never adds less than a no; the tree must be whole.
    pub fn is_monotone(&self) -> bool {
        let leaves = self.leaves.iter().enumerate();
        let with_one_more = |leaf: usize| (0..self.splits.len()).map(move |bit| leaf | 1 << bit);
        leaves
            .flat_map(|(leaf, value)| with_one_more(leaf).map(move |more| (more, value)))
            .all(|(more, value)| self.leaves[more] >= *value)
    }

    /// What is added for these similarities, one a part.
    pub fn leaf(&self, values: &[f64]) -> f64 {
        let answers = self.splits.iter().enumerate();
        let digits = answers.map(|(bit, &(part, least))| usize::from(values[part] >= least) << bit);
        self.leaves[digits.sum::<usize>()]
    }
}

/// The similarities, with the means where there are none.
pub fn filled(similarities: &[Option<f64>], means: &[f64]) -> Vec<f64> {
    let both = similarities.iter().zip(means);
    both.map(|(similarity, mean)| similarity.unwrap_or(*mean))
        .collect()
}

/// In software: the C libraries of different machines differ in the last bit.
fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-sum))
}

impl Combination {
    /// The similarity of a pair from those of its parts, none where neither text has anything to compare.
    pub fn score(&self, similarities: &[Option<f64>]) -> f64 {
        match self {
            Combination::Linear { weights } => {
                let (mut sum, mut present) = (0.0, 0.0);
                for (weight, similarity) in weights.iter().zip(similarities) {
                    if let Some(value) = similarity {
                        sum += weight * value;
                        present += weight;
                    }
                }
                if present > 0.0 { sum / present } else { 0.0 }
            }
            Combination::Logistic {
                weights,
                means,
                bias,
            } => {
                let values = filled(similarities, means);
                let weighted = weights.iter().zip(&values);
                let sum: f64 = weighted.map(|(weight, value)| weight * value).sum();
                logistic(bias + sum)
            }
            Combination::Trees { means, trees, bias } => {
                let values = filled(similarities, means);
                let leaves = trees.iter().map(|tree| tree.leaf(&values));
                logistic(bias + leaves.sum::<f64>())
            }
        }
    }
}

policy!(
    /// What a part counts as where a text has nothing to compare.
    Absent, "absent", "left-out or different",
    /// It does not count, and the weights of the others are rescaled.
    LeftOut = "left-out",
    /// It counts as a similarity of 0.
    Different = "different",
);

/// What parts count as that both texts lack, or one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Absence {
    /// Neither text has anything to compare.
    pub in_both: Absent,
    /// One of them has not.
    pub in_one: Absent,
}

impl Default for Absence {
    fn default() -> Self {
        Absence {
            in_both: Absent::LeftOut,
            in_one: Absent::Different,
        }
    }
}

impl Absence {
    /// Whether a part counts, given whether each text has something to compare.
    pub fn counts(&self, a: bool, b: bool) -> bool {
        match (a, b) {
            (true, true) => true,
            (false, false) => self.in_both == Absent::Different,
            _ => self.in_one == Absent::Different,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_add_up_what_they_say_for_the_answers() {
        let tree = |splits: &[(usize, f64)], leaves: &[f64]| Tree {
            splits: splits.to_vec(),
            leaves: leaves.to_vec(),
        };
        let trees = Combination::Trees {
            means: vec![0.9, 0.5],
            trees: vec![
                tree(&[(0, 0.5), (1, 0.25)], &[-1.0, 2.0, 4.0, 8.0]),
                tree(&[], &[0.5]),
            ],
            bias: -1.0,
        };
        let expected = |sum: f64| 1.0 / (1.0 + libm::exp(-(sum - 0.5)));
        for (row, leaf) in [
            ([Some(0.4), Some(0.2)], -1.0),
            ([None, Some(0.2)], 2.0),
            ([Some(0.4), None], 4.0),
            ([Some(0.5), Some(0.25)], 8.0),
        ] {
            assert_eq!(trees.score(&row), expected(leaf));
        }
    }

    #[test]
    fn a_tree_is_monotone_if_no_yes_takes_anything_away() {
        let tree = |leaves: [f64; 4]| Tree {
            splits: vec![(0, 0.5), (1, 0.25)],
            leaves: leaves.to_vec(),
        };
        assert!(tree([-1.0, 0.5, -1.0, 0.5]).is_monotone());
        assert!(!tree([-1.0, 0.5, 0.0, 0.4]).is_monotone());
        assert!(!tree([-1.0, -1.5, 0.0, 0.4]).is_monotone());
    }

    #[test]
    fn what_is_missing_is_left_out_of_a_mean_and_the_mean_of_a_sum() {
        let means = vec![0.9, 0.5];
        let logistic = Combination::Logistic {
            weights: vec![2.0, 1.0],
            means,
            bias: -1.0,
        };
        let expected = 1.0 / (1.0 + libm::exp(-(-1.0 + (2.0 * 0.9 + 0.25))));
        assert_eq!(logistic.score(&[None, Some(0.25)]), expected);
        let linear = Combination::Linear {
            weights: vec![0.5, 0.5],
        };
        assert_eq!(linear.score(&[None, Some(1.0)]), 1.0);
        assert_eq!(
            linear.score(&[Some(0.0), Some(1.0)]),
            0.5,
            "missing on one side only"
        );
    }
}
