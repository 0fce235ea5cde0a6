//! Maximum entropy: the probability of being near-duplicates, from similarities alone.
//!
//! No weight is below 0, so a pair more alike in one respect is never less of a duplicate. A missing similarity counts as
//! the mean of its column and nothing tells that it was missing: that would let the model learn how long texts are instead
//! of how alike. Columns are standardised for fitting, so that the penalty is fair; the model is in the original units.
//!
//! Each step minimises the quadratic that touches the loss where it stands, one weight after the other, none going below
//! 0 (Friedman, Hastie and Tibshirani, 2010, section 3), and is halved until the loss falls.

use lookalike_pair::verify::{Combination, filled};

use super::loss::{label, loss_and_probability};
use super::{Example, Examples, Learnt};
use crate::Error;

/// What a squared weight of a standardised column costs: half of this times it.
const PENALTY: f64 = 1.0;
/// The weights of a mean are whole multiples of 1 / this.
const WEIGHT_UNITS: f64 = 1000.0;

/// The logistic model that explains the labels best, and the threshold of best F1.
///
/// # Errors
/// If a score is not finite, which no examples make.
pub(super) fn maximum_entropy(examples: &Examples) -> Result<Learnt, Error> {
    let (weights, bias) = fit(examples);
    Learnt::at_best_threshold(
        examples,
        Combination::Logistic {
            weights,
            means: examples.means(),
            bias,
        },
    )
}

/// The weighted mean with the weights of that model, and the threshold of best F1. Where nothing speaks for a
/// near-duplicate, all columns weigh the same.
///
/// # Errors
/// As [`maximum_entropy`].
pub(super) fn mean(examples: &Examples) -> Result<Learnt, Error> {
    let (mut weights, _) = fit(examples);
    let sum: f64 = weights.iter().sum();
    let share = |weight: f64| (weight / sum * WEIGHT_UNITS).round() / WEIGHT_UNITS;
    weights
        .iter_mut()
        .for_each(|weight| *weight = share(*weight));
    if !weights.iter().any(|&weight| weight > 0.0) {
        weights.fill(1.0);
    }
    Learnt::at_best_threshold(examples, Combination::Linear { weights })
}

/// Weights, one a column, and what is added, both in the units of the similarities.
fn fit(examples: &Examples) -> (Vec<f64>, f64) {
    let scale = Scale::of(examples);
    let mut fit = Fit::new(scale.standardised(examples.rows()), examples.rows());
    fit.minimise();
    let scaled = fit.weights.iter().zip(&scale.deviations);
    let weights: Vec<f64> = scaled
        .map(|(weight, deviation)| weight * deviation)
        .collect();
    let shifts = weights.iter().zip(&scale.means);
    let shift: f64 = shifts.map(|(weight, mean)| weight * mean).sum();
    (weights, fit.bias - shift)
}

/// How columns become comparable.
struct Scale {
    means: Vec<f64>,
    /// One divided by the standard deviation; 0 for a constant column.
    deviations: Vec<f64>,
}

impl Scale {
    fn of(examples: &Examples) -> Self {
        let means = examples.means();
        let deviation = |(column, &mean): (usize, &f64)| {
            let values = examples
                .rows()
                .iter()
                .filter_map(|row| row.similarities[column]);
            let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
            let deviation = (squares / examples.rows().len() as f64).sqrt();
            // A constant column deviates by rounding errors only.
            let is_constant = deviation <= 1e-12 * mean.abs().max(1.0);
            if is_constant { 0.0 } else { 1.0 / deviation }
        };
        Scale {
            deviations: means.iter().enumerate().map(deviation).collect(),
            means,
        }
    }

    fn standardised(&self, rows: &[Example]) -> Vec<Vec<f64>> {
        let row = |row: &Example| {
            let values = filled(&row.similarities, &self.means).into_iter();
            let scale = self.means.iter().zip(&self.deviations);
            values
                .zip(scale)
                .map(|(value, (mean, deviation))| (value - mean) * deviation)
                .chain([1.0])
                .collect()
        };
        rows.iter().map(row).collect()
    }
}

/// A fit to standardised rows, each with a 1 at the end for the bias.
struct Fit {
    rows: Vec<Vec<f64>>,
    labels: Vec<f64>,
    weights: Vec<f64>,
    bias: f64,
}

/// The quadratic that touches the loss at a fit: its slope and curvature, the bias last.
struct Quadratic {
    slope: Vec<f64>,
    curvature: Vec<Vec<f64>>,
}

impl Fit {
    fn new(rows: Vec<Vec<f64>>, examples: &[Example]) -> Self {
        let labels: Vec<f64> = examples.iter().map(|row| label(row.same)).collect();
        let positives: f64 = labels.iter().sum();
        Fit {
            weights: vec![0.0; rows[0].len() - 1],
            bias: libm::log(positives / (labels.len() as f64 - positives)),
            rows,
            labels,
        }
    }

    fn minimise(&mut self) {
        const MOST_STEPS: usize = 50;
        let mut loss = self.loss();
        for _ in 0..MOST_STEPS {
            let (weights, bias) = (self.weights.clone(), self.bias);
            let (new_weights, new_bias) = self.quadratic().minimum(&weights, bias);
            let mut share = 1.0;
            let fell = loop {
                let between = |old: f64, new: f64| old + share * (new - old);
                let both = weights.iter().zip(&new_weights);
                self.weights = both.map(|(&old, &new)| between(old, new)).collect();
                self.bias = between(bias, new_bias);
                let after = self.loss();
                if after <= loss || share < 1e-6 {
                    let fell = loss - after;
                    loss = after;
                    break fell;
                }
                share /= 2.0;
            };
            if fell <= 1e-9 * loss {
                break;
            }
        }
    }

    fn sum(&self, row: &[f64]) -> f64 {
        let weighted = row.iter().zip(&self.weights);
        self.bias + weighted.map(|(value, weight)| value * weight).sum::<f64>()
    }

    fn loss(&self) -> f64 {
        let rows = self.rows.iter().zip(&self.labels);
        let losses = rows.map(|(row, &label)| loss_and_probability(self.sum(row), label).0);
        let squares: f64 = self.weights.iter().map(|weight| weight * weight).sum();
        losses.sum::<f64>() + PENALTY / 2.0 * squares
    }

    fn quadratic(&self) -> Quadratic {
        let width = self.weights.len();
        let mut slope = vec![0.0; width + 1];
        let mut curvature = vec![vec![0.0; width + 1]; width + 1];
        for (row, &label) in self.rows.iter().zip(&self.labels) {
            let (_, probability) = loss_and_probability(self.sum(row), label);
            let (first, second) = (probability - label, probability * (1.0 - probability));
            let lines = slope.iter_mut().zip(&mut curvature);
            for ((slope, line), &value) in lines.zip(row) {
                *slope += first * value;
                for (cell, &other) in line.iter_mut().zip(row) {
                    *cell += second * value * other;
                }
            }
        }
        for (place, &weight) in self.weights.iter().enumerate() {
            slope[place] += PENALTY * weight;
            curvature[place][place] += PENALTY;
        }
        // The bias has no penalty, but where all probabilities are certain it would have no curvature either.
        curvature[width][width] += 1e-9;
        Quadratic { slope, curvature }
    }
}

impl Quadratic {
    /// Where it is least among weights of at least 0, and the bias there, from where it touches the loss.
    fn minimum(&self, weights: &[f64], bias: f64) -> (Vec<f64>, f64) {
        const MOST_ROUNDS: usize = 1000;
        let from: Vec<f64> = weights.iter().copied().chain([bias]).collect();
        let mut at = from.clone();
        for _ in 0..MOST_ROUNDS {
            let mut moved: f64 = 0.0;
            for place in 0..at.len() {
                let row = self.curvature[place].iter().zip(at.iter().zip(&from));
                let rise: f64 = row
                    .map(|(curvature, (at, from))| curvature * (at - from))
                    .sum();
                let step = -(self.slope[place] + rise) / self.curvature[place][place];
                let least = if place < weights.len() {
                    0.0
                } else {
                    f64::NEG_INFINITY
                };
                let next = (at[place] + step).max(least);
                moved = moved.max((next - at[place]).abs());
                at[place] = next;
            }
            if moved < 1e-9 {
                break;
            }
        }
        let bias = at.pop().unwrap_or(bias);
        (at, bias)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::generator::drawn;

    fn examples(rows: Vec<Example>) -> Examples {
        Examples::new(rows).unwrap()
    }

    fn probability(logit: f64) -> f64 {
        loss_and_probability(logit, 0.0).1
    }

    #[test]
    fn planted_weights_are_recovered_in_original_units() {
        let truth = |[a, b]: [f64; 2]| probability(6.0 * a + 2.0 * b - 4.5);
        let (weights, bias) = fit(&examples(drawn(20_000, 11, truth)));
        assert!((weights[0] - 6.0).abs() < 0.3, "{weights:?}");
        assert!((weights[1] - 2.0).abs() < 0.2, "{weights:?}");
        assert!((bias + 4.5).abs() < 0.2, "{bias}");
        let mean = mean(&examples(drawn(20_000, 11, truth))).unwrap();
        let Combination::Linear { weights } = mean.combination else {
            panic!("{mean:?}");
        };
        assert!((weights[0] - 0.75).abs() < 0.03, "{weights:?}");
    }

    #[test]
    fn what_speaks_against_a_near_duplicate_has_no_weight() {
        let truth = |[a, b]: [f64; 2]| probability(6.0 * a - 4.0 * b - 1.0);
        let (weights, _) = fit(&examples(drawn(5_000, 12, truth)));
        assert!(weights[0] > 4.0, "{weights:?}");
        assert_eq!(weights[1], 0.0);
        let against = |[a]: [f64; 1]| probability(-6.0 * a + 3.0);
        let mean = mean(&examples(drawn(500, 13, against))).unwrap();
        assert_eq!(mean.combination, Combination::Linear { weights: vec![1.0] });
    }

    #[test]
    fn labels_without_error_have_finite_weights() {
        let rows = (0..40).map(|row| Example::new(&[f64::from(row), 0.5], row >= 20));
        let (weights, bias) = fit(&examples(rows.collect()));
        assert!(weights[0] > 0.0 && weights[0].is_finite() && bias.is_finite());
        assert_eq!(weights[1], 0.0, "a constant column");
    }

    #[test]
    fn that_a_value_is_missing_says_nothing() {
        // Missing exactly in the pairs with label 1, and otherwise always the same.
        let rows = (0..200).map(|row| Example {
            same: row % 2 == 0,
            similarities: vec![Some(f64::from(row / 2)), (row % 2 != 0).then_some(0.25)],
            group: row as u64,
        });
        let model = maximum_entropy(&examples(rows.collect()))
            .unwrap()
            .combination;
        assert_eq!(
            model.score(&[Some(7.0), None]),
            model.score(&[Some(7.0), Some(0.25)])
        );
    }
}
