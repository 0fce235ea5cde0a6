//! Maximum entropy: the probability of being near-duplicates, from similarities alone.
//!
//! A missing similarity counts as the mean of its column and nothing tells that it was missing: that would let the
//! model learn how long texts are instead of how alike. Columns are standardised for fitting, so that the penalty is
//! fair; the model is in the original units.

use lookalike_pair::verify::{Combination, filled};
use lookalike_text::Seed;

use super::newton::{Design, Fit, Rows};
use super::validate::folds_to_learn_by;
use super::{Example, Examples, Learnt};
use crate::Error;

/// Columns with the products; the time grows with the square.
pub(crate) const MOST_COLUMNS: usize = 128;
/// Penalties that are tried, the strongest first.
const STRENGTHS: [f64; 5] = [100.0, 10.0, 1.0, 0.1, 0.01];
/// The penalty where there are too few pairs to try any.
const USUAL_STRENGTH: f64 = 1.0;

/// The logistic model with the penalty that explains held-out pairs best, and the threshold of best F1.
///
/// # Errors
/// If there are more than 128 columns, the products included.
pub(super) fn maximum_entropy(
    examples: &Examples,
    products: bool,
    seed: Seed,
) -> Result<Learnt, Error> {
    let columns = examples.columns();
    let products = if products {
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
    let scale = Scale::of(examples, &products);
    let fit = match folds_to_learn_by(examples, seed)? {
        None => {
            let design = scale.design(examples.rows(), vec![0; examples.rows().len()]);
            design.fit(USUAL_STRENGTH, Fit::start(design.width))
        }
        Some((folds, fold_of)) => best_fit(&scale.design(examples.rows(), fold_of), folds),
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
    fn of(examples: &Examples, products: &'a [(usize, usize)]) -> Scale<'a> {
        let mut scale = Scale {
            fill: examples.means(),
            products,
            standard: Vec::new(),
        };
        let rows = examples.rows().iter();
        let expanded: Vec<Vec<f64>> = rows.map(|row| scale.expand(row)).collect();
        let columns = 0..examples.columns() + products.len();
        scale.standard = columns
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
    use crate::learn::generator::drawn;
    use crate::learn::newton::loss_and_probability;

    fn examples(rows: Vec<Example>) -> Examples {
        Examples::new(rows).unwrap()
    }

    fn learnt(examples: &Examples) -> Combination {
        let learnt = maximum_entropy(examples, false, Seed::default());
        learnt.unwrap().combination
    }

    /// The weights of a model and its bias.
    fn parts(combination: &Combination) -> (&[f64], f64) {
        match combination {
            Combination::Logistic { weights, bias, .. } => (weights, *bias),
            other => panic!("{other:?}"),
        }
    }

    fn probability(logit: f64) -> f64 {
        loss_and_probability(logit, 0.0).1
    }

    #[test]
    fn planted_weights_are_recovered_in_original_units() {
        let truth = |[a, b]: [f64; 2]| probability(6.0 * a - 2.0 * b - 1.5);
        let model = learnt(&examples(drawn(20_000, 11, truth)));
        let (weights, bias) = parts(&model);
        assert!((weights[0] - 6.0).abs() < 0.3, "{model:?}");
        assert!((weights[1] + 2.0).abs() < 0.2, "{model:?}");
        assert!((bias + 1.5).abs() < 0.2, "{model:?}");
    }

    #[test]
    fn a_product_is_learnt_only_where_products_are_asked_for() {
        // Alike exactly if both are high or both are low: no sum of the two can tell.
        let truth = |[a, b]: [f64; 2]| probability(400.0 * (a - 0.5) * (b - 0.5));
        let examples = examples(drawn(3000, 11, truth));
        let f1 = |products| {
            let model = maximum_entropy(&examples, products, Seed::default()).unwrap();
            examples.judge(&model).unwrap().f1()
        };
        assert!(f1(true) > 0.9);
        assert!(f1(false) < 0.75);
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
    fn too_many_products_are_refused() {
        let rows = [true, false].map(|same| Example::new(&[0.5; 20], same));
        let learnt = maximum_entropy(&examples(rows.to_vec()), true, Seed::default());
        let error = learnt.unwrap_err().to_string();
        let expected = "230 columns are more than the 128";
        assert!(error.starts_with(expected), "{error}");
    }
}
