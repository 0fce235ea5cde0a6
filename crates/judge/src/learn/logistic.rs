//! Maximum entropy: the probability of being near-duplicates, from similarities alone.
//!
//! A missing similarity counts as the mean of its column and nothing tells that it was missing: that would let the
//! model learn how long texts are instead of how alike. Columns are standardised for fitting, so that the penalty is
//! fair; the model is in the original units.

use lookalike_pair::verify::{Combination, filled};
use lookalike_text::Seed;

use super::newton::{Design, Fit, Rows};
use super::validate::{Folds, fold_of_each};
use super::{Example, Examples, Learnt};
use crate::Error;

/// Columns with the products; the time grows with the square.
pub(crate) const MOST_COLUMNS: usize = 128;
/// Penalties that are tried, the strongest first.
const STRENGTHS: [f64; 5] = [100.0, 10.0, 1.0, 0.1, 0.01];
/// The penalty where there are too few pairs to try any.
const USUAL_STRENGTH: f64 = 1.0;
/// Folds for choosing the penalty.
const FOLDS: usize = 5;

/// How to learn a logistic model.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MaximumEntropy {
    /// Squares and products of all columns are columns, too.
    pub(crate) products: bool,
    /// Which pairs are held out together while the penalty is chosen.
    pub(crate) seed: Seed,
}

/// The logistic model with the penalty that explains held-out pairs best, and the threshold of best F1.
///
/// # Errors
/// If there are more than 128 columns, the products included.
pub(super) fn maximum_entropy(
    examples: &Examples,
    options: MaximumEntropy,
) -> Result<Learnt, Error> {
    let columns = examples.columns();
    let products = if options.products {
        all_products(columns)
    } else {
        Vec::new()
    };
    if columns + products.len() > MOST_COLUMNS {
        return Err(Error::TooManyColumns {
            columns: columns + products.len(),
            limit: MOST_COLUMNS,
        });
    }
    let scale = Scale::of(examples.rows(), columns, &products);
    let count = FOLDS.min(examples.positives()).min(examples.negatives());
    let fit = if count < 2 {
        let design = scale.design(examples.rows(), vec![0; examples.rows().len()]);
        design.fit(USUAL_STRENGTH, Fit::start(design.width))
    } else {
        let seed = options.seed;
        let fold_of = fold_of_each(examples, Folds { count, seed })?;
        best_fit(&scale.design(examples.rows(), fold_of), count)
    };
    let combination = scale.in_original_units(&fit);
    let threshold = examples.sweep(&combination)?.best().threshold;
    Ok(Learnt {
        combination,
        threshold,
    })
}

fn all_products(columns: usize) -> Vec<(usize, usize)> {
    (0..columns)
        .flat_map(|left| (left..columns).map(move |right| (left, right)))
        .collect()
}

/// With the penalty of the least loss on held-out pairs: it changes smoothly, where F1 jumps with single pairs. Columns
/// are standardised with the held-out pairs, which tells nothing of their labels; so the fit to all pairs is where the
/// fit to the pairs of all folds but one begins.
fn best_fit(design: &Design, folds: usize) -> Vec<f64> {
    let share = 1.0 - 1.0 / folds as f64;
    let mut fit = Fit::start(design.width);
    let mut best = (f64::INFINITY, USUAL_STRENGTH, fit.clone());
    for strength in STRENGTHS {
        fit = design.fit_roughly(Rows::All, strength, fit);
        let held_out_loss = |fold| {
            let seen = design.fit_roughly(Rows::Without(fold), strength, fit.for_share(share));
            design.loss(Rows::Only(fold), &seen.coefficients)
        };
        let loss: f64 = (0..folds).map(held_out_loss).sum();
        if loss < best.0 {
            best = (loss, strength, fit.clone());
        }
    }
    design.fit(best.1, best.2)
}

/// How columns become comparable: what was seen of each when fitting.
struct Scale<'a> {
    /// The mean of each similarity where it is there.
    fill: Vec<f64>,
    products: &'a [(usize, usize)],
    /// Mean and reciprocal deviation of each column, the products included; 0 for a constant column.
    standard: Vec<(f64, f64)>,
}

impl<'a> Scale<'a> {
    fn of(rows: &[Example], columns: usize, products: &'a [(usize, usize)]) -> Scale<'a> {
        let mut scale = Scale {
            fill: (0..columns)
                .map(|place| mean_of_present(rows, place))
                .collect(),
            products,
            standard: Vec::new(),
        };
        let expanded: Vec<Vec<f64>> = rows.iter().map(|row| scale.expand(row)).collect();
        scale.standard = (0..columns + products.len())
            .map(|place| mean_and_scale(expanded.iter().map(|row| row[place])))
            .collect();
        scale
    }

    fn expand(&self, row: &Example) -> Vec<f64> {
        let mut values = filled(&row.similarities, &self.fill);
        for &(left, right) in self.products {
            values.push(values[left] * values[right]);
        }
        values
    }

    fn design(&self, rows: &[Example], folds: Vec<usize>) -> Design {
        let mut values = Vec::new();
        for row in rows {
            let expanded = self.expand(row).into_iter().zip(&self.standard);
            values.extend(expanded.map(|(value, (mean, scale))| (value - mean) * scale));
            values.push(1.0);
        }
        Design {
            width: self.standard.len() + 1,
            values,
            labels: rows.iter().map(|row| row.same).collect(),
            folds,
        }
    }

    fn in_original_units(&self, fit: &[f64]) -> Combination {
        let scaled = fit.iter().zip(&self.standard);
        let mut weights: Vec<f64> = scaled.map(|(weight, (_, scale))| weight * scale).collect();
        let shifts = weights.iter().zip(&self.standard);
        let shift: f64 = shifts.map(|(weight, (mean, _))| weight * mean).sum();
        let of_products = weights.split_off(self.fill.len());
        let products = self.products.iter().zip(of_products);
        Combination::Logistic {
            products: products
                .map(|(&(left, right), weight)| (left, right, weight))
                .collect(),
            weights,
            means: self.fill.clone(),
            bias: fit[self.standard.len()] - shift,
        }
    }
}

pub(super) fn mean_of_present(rows: &[Example], place: usize) -> f64 {
    let values = rows.iter().filter_map(|row| row.similarities[place]);
    let (sum, count) = values.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

fn mean_and_scale(values: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
    let deviation = (squares / count).sqrt();
    // A constant column deviates by rounding errors only.
    let is_constant = deviation <= 1e-12 * mean.abs().max(1.0);
    (mean, if is_constant { 0.0 } else { 1.0 / deviation })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::generator::Generator;
    use crate::learn::newton::loss_and_probability;

    fn examples(rows: Vec<Example>) -> Examples {
        Examples::new(rows).unwrap()
    }

    fn learnt(examples: &Examples) -> Combination {
        let learnt = maximum_entropy(examples, MaximumEntropy::default());
        learnt.unwrap().combination
    }

    /// The weights and the means of a model without products, and its bias.
    fn parts(combination: &Combination) -> (&[f64], &[f64], f64) {
        match combination {
            Combination::Logistic {
                weights,
                means,
                products,
                bias,
            } if products.is_empty() => (weights, means, *bias),
            other => panic!("{other:?}"),
        }
    }

    /// Labels drawn with the probability that `logit` gives.
    fn drawn(rows: usize, logit: impl Fn([f64; 2]) -> f64) -> Vec<Example> {
        let mut random = Generator::new(Seed(11));
        let row = |_| {
            let values = [random.unit(), random.unit()];
            Example {
                same: random.unit() < loss_and_probability(logit(values), 0.0).1,
                similarities: values.map(Some).to_vec(),
            }
        };
        (0..rows).map(row).collect()
    }

    #[test]
    fn planted_weights_are_recovered_in_original_units() {
        let examples = examples(drawn(20_000, |[a, b]| 6.0 * a - 2.0 * b - 1.5));
        let model = learnt(&examples);
        let (weights, _, bias) = parts(&model);
        assert!((weights[0] - 6.0).abs() < 0.3, "{model:?}");
        assert!((weights[1] + 2.0).abs() < 0.2, "{model:?}");
        assert!((bias + 1.5).abs() < 0.2, "{model:?}");
    }

    #[test]
    fn a_product_is_learnt_only_where_products_are_asked_for() {
        // Alike exactly if both are high or both are low: no sum of the two can tell.
        let examples = examples(drawn(3000, |[a, b]| 400.0 * (a - 0.5) * (b - 0.5)));
        let f1 = |products| {
            let options = MaximumEntropy {
                products,
                ..MaximumEntropy::default()
            };
            let model = maximum_entropy(&examples, options).unwrap();
            examples.judge(&model).unwrap().f1()
        };
        assert!(f1(true) > 0.9);
        assert!(f1(false) < 0.75);
    }

    #[test]
    fn a_missing_similarity_counts_as_the_mean() {
        let mut rows = drawn(500, |[a, b]| 8.0 * a + 2.0 * b - 5.0);
        rows.iter_mut()
            .step_by(4)
            .for_each(|row| row.similarities[1] = None);
        let model = learnt(&examples(rows));
        let mean = parts(&model).1[1];
        assert!((mean - 0.5).abs() < 0.05);
        assert_eq!(
            model.score(&[Some(0.7), None]),
            model.score(&[Some(0.7), Some(mean)])
        );
    }

    #[test]
    fn that_a_value_is_missing_says_nothing() {
        // Missing exactly in the pairs with label 1, and otherwise always the same.
        let rows = (0..200).map(|row| Example {
            same: row % 2 == 0,
            similarities: vec![Some(f64::from(row / 2)), (row % 2 != 0).then_some(0.25)],
        });
        let model = learnt(&examples(rows.collect()));
        assert_eq!(parts(&model).0[1], 0.0);
        assert_eq!(
            model.score(&[Some(7.0), None]),
            model.score(&[Some(7.0), Some(0.25)])
        );
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let mut rows = drawn(300, |[a, b]| 3.0 * a + b - 2.0);
        let options = MaximumEntropy {
            products: true,
            seed: Seed(9),
        };
        let forwards = maximum_entropy(&examples(rows.clone()), options).unwrap();
        rows.rotate_left(123);
        assert_eq!(maximum_entropy(&examples(rows), options).unwrap(), forwards);
    }

    #[test]
    fn one_pair_of_each_label_is_enough() {
        let rows = [(0.9, true), (0.1, false)].map(|(value, same)| Example {
            similarities: vec![Some(value), None],
            same,
        });
        let examples = examples(rows.to_vec());
        let model = maximum_entropy(&examples, MaximumEntropy::default()).unwrap();
        assert_eq!(parts(&model.combination).0[1], 0.0);
        assert_eq!(examples.judge(&model).unwrap().f1(), 1.0);
    }

    #[test]
    fn too_many_products_are_refused() {
        let rows = [true, false].map(|same| Example {
            similarities: vec![Some(0.5); 20],
            same,
        });
        let options = MaximumEntropy {
            products: true,
            ..MaximumEntropy::default()
        };
        let error = maximum_entropy(&examples(rows.to_vec()), options).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("230 columns are more than the 128"),
            "{error}"
        );
    }
}
