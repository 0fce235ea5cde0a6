//! How several similarities make one, and what counts where a text has nothing to compare.

use lookalike_text::policy;
use serde::{Deserialize, Serialize};

/// How the similarities of the parts make one.
#[derive(Debug, Clone, PartialEq)]
pub enum Combination {
    /// The weighted mean of those that are there.
    Linear {
        /// One a part; at least 0.
        weights: Vec<f64>,
    },
    /// The logistic function of a weighted sum: a probability.
    Logistic {
        /// One a part.
        weights: Vec<f64>,
        /// What a missing similarity counts as, one a part.
        means: Vec<f64>,
        /// Two parts, multiplied, and the weight of the product.
        products: Vec<(usize, usize, f64)>,
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
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// Parts, and the least similarity for a yes.
    pub splits: Vec<(usize, f64)>,
    /// By the answers as the digits of a binary number, the first question being the lowest digit.
    pub leaves: Vec<f64>,
}

impl Tree {
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
                products,
                bias,
            } => {
                let values = filled(similarities, means);
                let plain: f64 = weights
                    .iter()
                    .zip(&values)
                    .map(|(w, value)| w * value)
                    .sum();
                let products = products.iter();
                let multiplied: f64 = products
                    .map(|&(left, right, weight)| weight * values[left] * values[right])
                    .sum();
                logistic(bias + plain + multiplied)
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
    fn what_is_missing_is_left_out_of_a_mean_and_the_mean_of_a_sum() {
        let means = vec![0.9, 0.5];
        let logistic = Combination::Logistic {
            weights: vec![2.0, 1.0],
            means,
            products: vec![(0, 1, 4.0)],
            bias: -1.0,
        };
        let expected = 1.0 / (1.0 + libm::exp(-(-1.0 + (2.0 * 0.9 + 0.25) + 4.0 * 0.9 * 0.25)));
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
