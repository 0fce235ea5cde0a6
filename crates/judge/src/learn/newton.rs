//! Logistic regression with an L2 penalty, by Newton's method (iteratively reweighted least squares).
//!
//! The penalty makes the problem strictly convex in the weights, so there is one solution, also where the labels can
//! be separated without error. Only additions, multiplications, square roots and `libm` are used, in a fixed order:
//! the result is the same on every machine.

/// Iterations; ten are usual.
const MOST_ITERATIONS: usize = 100;
/// What a step can still gain, as a share of the loss, when the next one is the last. The error is squared by each
/// step, so it ends far below; smaller gains drown in the rounding of the loss.
const TOLERANCE: f64 = 1e-9;
/// Keeps the system solvable where all probabilities are almost 0 or 1.
const RIDGE: f64 = 1e-10;

/// Rows of numbers, each of the same width, whose last is 1 and stands for the bias.
#[derive(Debug, Clone)]
pub(crate) struct Design {
    pub(crate) width: usize,
    pub(crate) values: Vec<f64>,
    pub(crate) labels: Vec<bool>,
}

impl Design {
    fn rows(&self) -> impl Iterator<Item = (&[f64], f64)> {
        let labels = self.labels.iter().map(|&same| f64::from(u8::from(same)));
        self.values.chunks_exact(self.width).zip(labels)
    }

    /// How badly the coefficients explain the labels: the negative log likelihood.
    pub(crate) fn loss(&self, coefficients: &[f64]) -> f64 {
        let losses = self.rows().map(|(row, label)| {
            let z = dot(row, coefficients);
            z.max(0.0) + libm::log1p(libm::exp(-z.abs())) - label * z
        });
        losses.sum()
    }

    /// The coefficients of least loss plus strength/2 times the sum of the squares of all but the bias.
    pub(crate) fn fit(&self, strength: f64) -> Vec<f64> {
        let mut coefficients = vec![0.0; self.width];
        let mut loss = self.penalised(&coefficients, strength);
        for _ in 0..MOST_ITERATIONS {
            let (gradient, curvature) = self.derivatives(&coefficients, strength);
            let step = solve(curvature, gradient.clone());
            if dot(&gradient, &step) <= TOLERANCE * loss {
                return moved(&coefficients, &step, 1.0);
            }
            let Some((next, lower)) = self.descend(&coefficients, &step, (loss, strength)) else {
                break;
            };
            (coefficients, loss) = (next, lower);
        }
        coefficients
    }

    fn penalised(&self, coefficients: &[f64], strength: f64) -> f64 {
        let weights = &coefficients[..self.width - 1];
        self.loss(coefficients) + strength / 2.0 * dot(weights, weights)
    }

    /// The first of the whole step, half of it, a quarter… that does not raise the loss.
    fn descend(
        &self,
        from: &[f64],
        step: &[f64],
        (loss, strength): (f64, f64),
    ) -> Option<(Vec<f64>, f64)> {
        let parts = std::iter::successors(Some(1.0), |part| Some(part / 2.0)).take(30);
        let mut tried = parts.map(|part| {
            let next = moved(from, step, part);
            let loss = self.penalised(&next, strength);
            (next, loss)
        });
        tried.find(|(_, lower)| *lower <= loss)
    }

    /// First derivatives, and the lower triangle of the second ones.
    fn derivatives(&self, coefficients: &[f64], strength: f64) -> (Vec<f64>, Vec<f64>) {
        let width = self.width;
        let mut gradient = vec![0.0; width];
        let mut curvature = vec![0.0; width * width];
        for (row, label) in self.rows() {
            let probability = logistic(dot(row, coefficients));
            let spread = probability * (1.0 - probability);
            for (place, value) in row.iter().enumerate() {
                gradient[place] += (probability - label) * value;
                let line = &mut curvature[place * width..=place * width + place];
                for (sum, other) in line.iter_mut().zip(row) {
                    *sum += spread * value * other;
                }
            }
        }
        for place in 0..width {
            curvature[place * width + place] += RIDGE;
        }
        for place in 0..width - 1 {
            gradient[place] += strength * coefficients[place];
            curvature[place * width + place] += strength;
        }
        (gradient, curvature)
    }
}

fn moved(from: &[f64], step: &[f64], part: f64) -> Vec<f64> {
    let pairs = from.iter().zip(step);
    pairs.map(|(value, change)| value - part * change).collect()
}

/// 1 / (1 + e⁻ᶻ).
pub(crate) fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-z))
}

fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(a, b)| a * b).sum()
}

/// Solves a symmetric positive definite system, given as a lower triangle, by Cholesky's decomposition.
fn solve(mut lower: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let width = right.len();
    for row in 0..width {
        for column in 0..=row {
            let (before, line) = lower.split_at(row * width);
            let above = if column == row {
                &line[..column]
            } else {
                &before[column * width..column * width + column]
            };
            let rest = line[column] - dot(&line[..column], above);
            lower[row * width + column] = if column == row {
                rest.max(RIDGE).sqrt()
            } else {
                rest / lower[column * width + column]
            };
        }
    }
    for row in 0..width {
        let line = &lower[row * width..row * width + row];
        let known = dot(line, &right[..row]);
        right[row] = (right[row] - known) / lower[row * width + row];
    }
    for row in (0..width).rev() {
        let known: f64 = (row + 1..width)
            .map(|below| lower[below * width + row] * right[below])
            .sum();
        right[row] = (right[row] - known) / lower[row * width + row];
    }
    right
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_bias_alone_is_the_logarithm_of_the_odds() {
        let design = Design {
            width: 1,
            values: vec![1.0; 8],
            labels: [[true; 6].as_slice(), &[false; 2]].concat(),
        };
        let bias = design.fit(1.0)[0];
        assert!((bias - libm::log(3.0)).abs() < 1e-9, "{bias}");
        // 6·ln(4/3) + 2·ln(4)
        let loss = 6.0 * libm::log(4.0 / 3.0) + 2.0 * libm::log(4.0);
        assert!((design.loss(&[bias]) - loss).abs() < 1e-9);
    }

    #[test]
    fn labels_without_error_have_a_finite_solution() {
        let design = Design {
            width: 2,
            values: vec![-1.0, 1.0, -0.5, 1.0, 0.5, 1.0, 1.0, 1.0],
            labels: vec![false, false, true, true],
        };
        for strength in [1e-6, 1.0, 1e3] {
            let fit = design.fit(strength);
            assert!(fit[0] > 0.0 && fit[0].is_finite(), "{fit:?}");
            assert!(fit[1].abs() < 1e-6, "{fit:?}");
        }
    }

    proptest! {
        #[test]
        fn the_slope_is_zero_at_the_solution(
            rows in proptest::collection::vec((-1.0..1.0f64, -1.0..1.0f64, any::<bool>()), 4..40)
        ) {
            prop_assume!(rows.iter().any(|row| row.2) && rows.iter().any(|row| !row.2));
            let design = Design {
                width: 3,
                values: rows.iter().flat_map(|row| [row.0, row.1, 1.0]).collect(),
                labels: rows.iter().map(|row| row.2).collect(),
            };
            let (gradient, _) = design.derivatives(&design.fit(0.5), 0.5);
            prop_assert!(gradient.iter().all(|slope| slope.abs() < 1e-6), "{gradient:?}");
        }

        #[test]
        fn a_solved_system_gives_its_right_side_again(
            factor in proptest::collection::vec(-1.0..1.0f64, 16),
            right in proptest::collection::vec(-1.0..1.0f64, 4),
        ) {
            let line = |row: usize| &factor[4 * row..4 * row + 4];
            let matrix: Vec<f64> = (0..16)
                .map(|place| dot(line(place / 4), line(place % 4)) + f64::from(u8::from(place / 4 == place % 4)))
                .collect();
            let solution = solve(matrix.clone(), right.clone());
            for row in 0..4 {
                prop_assert!((dot(&matrix[4 * row..4 * row + 4], &solution) - right[row]).abs() < 1e-9);
            }
        }
    }
}
