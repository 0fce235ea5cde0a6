//! Logistic regression with an L2 penalty, by Newton's method (iteratively reweighted least squares).
//!
//! The penalty makes the problem strictly convex in the weights, so there is one solution, also where the labels can
//! be separated without error. Only additions, multiplications, square roots and `libm` are used, in a fixed order:
//! the result is the same on every machine.
//!
//! With many columns the second derivatives cost far more than a step. A step is therefore first tried with those of
//! an earlier place, another penalty or a few rows more, and they are renewed only where such steps gain too little.

/// Iterations; ten are usual.
const MOST_ITERATIONS: usize = 200;
/// What a step can still gain, as a share of the loss, when the next one is the last. With the second derivatives of
/// the place the error is squared by it, so it ends far below; smaller gains drown in the rounding of the loss.
const TOLERANCE: f64 = 1e-9;
/// The same for fits that are only compared with one another.
const ROUGH_TOLERANCE: f64 = 1e-7;
/// A step with old second derivatives has to leave at most this share of what the one before could gain.
const LARGEST_REST: f64 = 0.2;
/// Keeps the system solvable where all probabilities are almost 0 or 1.
const RIDGE: f64 = 1e-10;

/// Rows of numbers, each of the same width, whose last is 1 and stands for the bias.
#[derive(Debug, Clone)]
pub(crate) struct Design {
    pub(crate) width: usize,
    pub(crate) values: Vec<f64>,
    pub(crate) labels: Vec<bool>,
    /// The fold of each row.
    pub(crate) folds: Vec<usize>,
}

/// Which rows count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rows {
    All,
    Without(usize),
    Only(usize),
}

/// Coefficients and the way to better ones.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    pub(crate) coefficients: Vec<f64>,
    /// The lower triangle of the second derivatives of the loss here or near by; none if not known.
    curvature: Option<Vec<f64>>,
}

impl Fit {
    /// Where nothing is known.
    pub(crate) fn start(width: usize) -> Fit {
        Fit {
            coefficients: vec![0.0; width],
            curvature: None,
        }
    }

    /// What to begin with for that share of the rows.
    pub(crate) fn for_share(&self, share: f64) -> Fit {
        let scaled = |curvature: &Vec<f64>| curvature.iter().map(|value| share * value).collect();
        Fit {
            coefficients: self.coefficients.clone(),
            curvature: self.curvature.as_ref().map(scaled),
        }
    }
}

/// What is to be as small as possible: the loss of these rows plus strength/2 times the sum of the squares of all
/// coefficients but the bias.
#[derive(Debug, Clone, Copy)]
struct Goal {
    rows: Rows,
    strength: f64,
}

/// A point and the slope there.
struct Point {
    coefficients: Vec<f64>,
    penalised: f64,
    gradient: Vec<f64>,
}

impl Design {
    fn rows(&self, rows: Rows) -> impl Iterator<Item = (&[f64], f64)> {
        let labels = self.labels.iter().map(|&same| label(same));
        let all = self.values.chunks_exact(self.width).zip(labels);
        let counted = all.zip(&self.folds).filter(move |(_, fold)| match rows {
            Rows::All => true,
            Rows::Without(held_out) => **fold != held_out,
            Rows::Only(held_out) => **fold == held_out,
        });
        counted.map(|(row, _)| row)
    }

    /// How badly the coefficients explain the labels: the negative log likelihood.
    pub(crate) fn loss(&self, rows: Rows, coefficients: &[f64]) -> f64 {
        let rows = self.rows(rows);
        rows.map(|(row, label)| loss_and_probability(dot(row, coefficients), label).0)
            .sum()
    }

    /// The coefficients of least loss plus strength/2 times the sum of the squares of all but the bias.
    pub(crate) fn fit(&self, strength: f64, start: Fit) -> Vec<f64> {
        let rows = Rows::All;
        let near = self.approach(Goal { rows, strength }, start, TOLERANCE);
        let exact = Fit {
            coefficients: near.coefficients,
            curvature: None,
        };
        self.approach(Goal { rows, strength }, exact, TOLERANCE)
            .coefficients
    }

    /// Coefficients good enough to tell which penalty is better.
    pub(crate) fn fit_roughly(&self, rows: Rows, strength: f64, start: Fit) -> Fit {
        self.approach(Goal { rows, strength }, start, ROUGH_TOLERANCE)
    }

    fn approach(&self, goal: Goal, start: Fit, tolerance: f64) -> Fit {
        let mut here = self.point(start.coefficients, goal);
        let mut is_fresh = start.curvature.is_none();
        let mut curvature = start
            .curvature
            .unwrap_or_else(|| self.curvature(&here.coefficients, goal.rows));
        let mut factor = factorise(&curvature, goal.strength);
        let mut last_gain = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            let step = solve(&factor, &here.gradient);
            let gain = dot(&here.gradient, &step);
            if gain <= tolerance * here.penalised {
                here.coefficients = moved(&here.coefficients, &step, 1.0);
                break;
            }
            let is_slow = gain > LARGEST_REST * last_gain;
            let next = if is_slow && !is_fresh {
                None
            } else {
                self.descend(&here, &step, goal)
            };
            match next {
                Some(next) => {
                    here = next;
                    is_fresh = false;
                    last_gain = gain;
                }
                None if is_fresh => break,
                None => {
                    curvature = self.curvature(&here.coefficients, goal.rows);
                    factor = factorise(&curvature, goal.strength);
                    is_fresh = true;
                }
            }
        }
        Fit {
            coefficients: here.coefficients,
            curvature: Some(curvature),
        }
    }

    /// The first of the whole step, half of it, a quarter… that does not raise the loss.
    fn descend(&self, from: &Point, step: &[f64], goal: Goal) -> Option<Point> {
        let parts = std::iter::successors(Some(1.0), |part| Some(part / 2.0)).take(30);
        let mut tried = parts.map(|part| self.point(moved(&from.coefficients, step, part), goal));
        tried.find(|point| point.penalised <= from.penalised)
    }

    fn point(&self, coefficients: Vec<f64>, goal: Goal) -> Point {
        let mut gradient = vec![0.0; self.width];
        let mut loss = 0.0;
        for (row, label) in self.rows(goal.rows) {
            let (lost, probability) = loss_and_probability(dot(row, &coefficients), label);
            loss += lost;
            let error = probability - label;
            for (slope, value) in gradient.iter_mut().zip(row) {
                *slope += error * value;
            }
        }
        let weights = &coefficients[..self.width - 1];
        for (slope, weight) in gradient.iter_mut().zip(weights) {
            *slope += goal.strength * weight;
        }
        Point {
            penalised: loss + goal.strength / 2.0 * dot(weights, weights),
            gradient,
            coefficients,
        }
    }

    /// The lower triangle of the second derivatives of the loss.
    fn curvature(&self, coefficients: &[f64], rows: Rows) -> Vec<f64> {
        let width = self.width;
        let nothing = vec![0.0; width];
        let with_spread = self.rows(rows).map(|(row, label)| {
            let (_, probability) = loss_and_probability(dot(row, coefficients), label);
            (row, probability * (1.0 - probability))
        });
        let rows: Vec<(&[f64], f64)> = with_spread.collect();
        let mut curvature = vec![0.0; width * width];
        // Four rows at a time: the sums are read and written a fourth as often.
        for four in rows.chunks(4) {
            let row = |place: usize| four.get(place).copied().unwrap_or((&nothing, 0.0));
            let [(a, of_a), (b, of_b), (c, of_c), (d, of_d)] = [row(0), row(1), row(2), row(3)];
            for place in 0..width {
                let line = &mut curvature[place * width..=place * width + place];
                let by = [
                    of_a * a[place],
                    of_b * b[place],
                    of_c * c[place],
                    of_d * d[place],
                ];
                let others = a.iter().zip(b).zip(c.iter().zip(d));
                for (sum, ((a, b), (c, d))) in line.iter_mut().zip(others) {
                    *sum += (by[0] * a + by[1] * b) + (by[2] * c + by[3] * d);
                }
            }
        }
        curvature
    }
}

fn moved(from: &[f64], step: &[f64], part: f64) -> Vec<f64> {
    let pairs = from.iter().zip(step);
    pairs.map(|(value, change)| value - part * change).collect()
}

/// 1 for near-duplicates, else 0.
pub(crate) fn label(same: bool) -> f64 {
    f64::from(u8::from(same))
}

/// The negative logarithm of the probability of the label, and the probability of label 1.
pub(crate) fn loss_and_probability(z: f64, label: f64) -> (f64, f64) {
    let odds = libm::exp(-z.abs());
    let loss = z.max(0.0) + libm::log1p(odds) - label * z;
    let probability = if z >= 0.0 { 1.0 } else { odds } / (1.0 + odds);
    (loss, probability)
}

/// In four sums, which do not wait for one another.
fn dot(one: &[f64], two: &[f64]) -> f64 {
    let (fours, rest) = one.as_chunks::<4>();
    let (other_fours, other_rest) = two[..one.len()].as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (four, other) in fours.iter().zip(other_fours) {
        for place in 0..4 {
            sums[place] += four[place] * other[place];
        }
    }
    let rest: f64 = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Cholesky's decomposition of the curvature with the penalty, which makes it positive definite.
fn factorise(curvature: &[f64], strength: f64) -> Vec<f64> {
    let width = curvature.len().isqrt();
    let mut lower = curvature.to_vec();
    for place in 0..width {
        let penalty = if place + 1 < width { strength } else { 0.0 };
        lower[place * width + place] += RIDGE + penalty;
    }
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
    lower
}

/// Solves a system, given as the lower triangle of Cholesky's decomposition.
fn solve(lower: &[f64], right: &[f64]) -> Vec<f64> {
    let width = right.len();
    let mut right = right.to_vec();
    for row in 0..width {
        let line = &lower[row * width..row * width + row];
        let known = dot(line, &right[..row]);
        right[row] = (right[row] - known) / lower[row * width + row];
    }
    for row in (0..width).rev() {
        right[row] /= lower[row * width + row];
        let known = right[row];
        let line = &lower[row * width..row * width + row];
        for (value, factor) in right.iter_mut().zip(line) {
            *value -= factor * known;
        }
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
            folds: vec![0; 8],
        };
        let bias = design.fit(1.0, Fit::start(1))[0];
        assert!((bias - libm::log(3.0)).abs() < 1e-9, "{bias}");
        // 6·ln(4/3) + 2·ln(4)
        let loss = 6.0 * libm::log(4.0 / 3.0) + 2.0 * libm::log(4.0);
        assert!((design.loss(Rows::All, &[bias]) - loss).abs() < 1e-9);
    }

    #[test]
    fn labels_without_error_have_a_finite_solution() {
        let design = Design {
            width: 2,
            values: vec![-1.0, 1.0, -0.5, 1.0, 0.5, 1.0, 1.0, 1.0],
            labels: vec![false, false, true, true],
            folds: vec![0; 4],
        };
        for strength in [1e-6, 1.0, 1e3] {
            let fit = design.fit(strength, Fit::start(2));
            assert!(fit[0] > 0.0 && fit[0].is_finite(), "{fit:?}");
            assert!(fit[1].abs() < 1e-6, "{fit:?}");
        }
    }

    fn design(rows: &[(f64, f64, bool)]) -> Design {
        Design {
            width: 3,
            values: rows.iter().flat_map(|row| [row.0, row.1, 1.0]).collect(),
            labels: rows.iter().map(|row| row.2).collect(),
            folds: (0..rows.len()).map(|row| row % 4).collect(),
        }
    }

    proptest! {
        #[test]
        fn the_slope_is_zero_at_the_solution(
            rows in proptest::collection::vec((-1.0..1.0f64, -1.0..1.0f64, any::<bool>()), 4..40)
        ) {
            prop_assume!(rows.iter().any(|row| row.2) && rows.iter().any(|row| !row.2));
            let design = design(&rows);
            let fit = design.fit(0.5, Fit::start(3));
            let goal = Goal { rows: Rows::All, strength: 0.5 };
            let gradient = design.point(fit, goal).gradient;
            prop_assert!(gradient.iter().all(|slope| slope.abs() < 1e-6), "{gradient:?}");
        }

        #[test]
        fn the_solution_does_not_depend_on_the_start(
            rows in proptest::collection::vec((-1.0..1.0f64, -1.0..1.0f64, any::<bool>()), 4..40),
            strengths in (0.01..100.0f64, 0.01..100.0f64),
        ) {
            prop_assume!(rows.iter().any(|row| row.2) && rows.iter().any(|row| !row.2));
            let design = design(&rows);
            let cold = design.fit(strengths.1, Fit::start(3));
            let elsewhere = design.fit_roughly(Rows::All, strengths.0, Fit::start(3));
            let warm = design.fit(strengths.1, elsewhere);
            for (cold, warm) in cold.iter().zip(&warm) {
                prop_assert!((cold - warm).abs() <= 1e-5 * cold.abs().max(1.0), "{cold} {warm}");
            }
        }

        #[test]
        fn a_held_out_fold_counts_as_if_it_was_not_there(
            rows in proptest::collection::vec((-1.0..1.0f64, -1.0..1.0f64, any::<bool>()), 8..40)
        ) {
            let all = design(&rows);
            let seen: Vec<_> = rows.iter().enumerate().filter(|(row, _)| row % 4 != 1).map(|(_, row)| *row).collect();
            // As every fold has pairs of both labels; otherwise the bias would have no end.
            prop_assume!(seen.iter().any(|row| row.2) && seen.iter().any(|row| !row.2));
            let expected = design(&seen).fit(1.0, Fit::start(3));
            let near = all.fit_roughly(Rows::All, 1.0, Fit::start(3)).for_share(0.75);
            let goal = Goal { rows: Rows::Without(1), strength: 1.0 };
            let fit = all.approach(goal, near, ROUGH_TOLERANCE).coefficients;
            let [rough, best] = [fit.clone(), expected].map(|fit| all.point(fit, goal).penalised);
            prop_assert!(rough <= best * (1.0 + 1e-6), "{rough} {best}");
            let parts = (0..4).map(|fold| all.loss(Rows::Only(fold), &fit)).sum::<f64>();
            prop_assert!((parts - all.loss(Rows::All, &fit)).abs() < 1e-9);
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
            let solution = solve(&factorise(&matrix, 0.0), &right);
            for row in 0..4 {
                prop_assert!((dot(&matrix[4 * row..4 * row + 4], &solution) - right[row]).abs() < 1e-9);
            }
        }
    }
}
