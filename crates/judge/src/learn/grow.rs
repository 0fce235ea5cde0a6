//! One tree after the other, each a step from what those before it say to what the labels say. A split that would give
//! the more alike the less gains nothing, and leaves are made monotone.

use lookalike_pair::verify::Tree;

use super::bins::{Bins, MOST_CUTS};
use super::isotonic::{Step, monotone};
use super::loss::{label, loss_and_probability};

/// Questions a tree asks: with three, similarities can qualify each other, and a tree fits on a line.
const DEPTH: usize = 3;
/// How much of its step a tree takes: with small steps no single tree decides.
const RATE: f64 = 0.2;
/// What is added to the second derivatives of a leaf. A pair has a quarter at most, so leaves of a few pairs say little.
const PENALTY: f64 = 5.0;
/// Leaves are whole multiples of 1 / this, so that they are read and written without loss.
const LEAF_UNITS: f64 = 10_000.0;

/// Bits for the number of cuts that a row reaches; the rest of a byte is for the leaf it is in before the last question.
const STEP_BITS: u32 = u8::BITS - (DEPTH as u32 - 1);
const _: () = assert!(MOST_CUTS < 1 << STEP_BITS);

/// A cut of a column.
#[derive(Debug, Clone, Copy)]
struct ColumnCut {
    column: usize,
    cut: usize,
}

/// First and second derivative of the loss: of a row, or added up.
#[derive(Debug, Clone, Copy, Default)]
struct Slope {
    first: f64,
    second: f64,
}

impl Slope {
    fn add(&mut self, other: Slope) {
        self.first += other.first;
        self.second += other.second;
    }

    fn without(self, other: Slope) -> Slope {
        Slope {
            first: self.first - other.first,
            second: self.second - other.second,
        }
    }

    /// Twice what the best step gains.
    fn gain(self) -> f64 {
        self.first * self.first / (self.second + PENALTY)
    }

    /// What two parts of a leaf gain if the upper may not get less than the lower: nothing more where it would.
    fn gain_apart(lower: Slope, upper: Slope) -> f64 {
        let rises =
            lower.first * (upper.second + PENALTY) >= upper.first * (lower.second + PENALTY);
        if rises {
            lower.gain() + upper.gain()
        } else {
            let mut both = lower;
            both.add(upper);
            both.gain()
        }
    }

    fn step(self) -> Step {
        Step {
            sum: -self.first,
            weight: self.second + PENALTY,
        }
    }
}

/// Some rows and what the trees so far say of them.
pub(super) struct Growing<'a> {
    cuts: &'a [Vec<f64>],
    /// How many of the cuts each of the rows reaches, for each column.
    reached: Vec<Vec<u8>>,
    labels: Vec<bool>,
    bias: f64,
    sums: Vec<f64>,
}

impl<'a> Growing<'a> {
    /// The rows that `is_seen` says.
    pub(super) fn new(bins: &'a Bins, is_seen: impl Fn(usize) -> bool) -> Self {
        let rows: Vec<usize> = (0..bins.labels.len()).filter(|&row| is_seen(row)).collect();
        let seen = |column: &Vec<u8>| rows.iter().map(|&row| column[row]).collect();
        let labels: Vec<bool> = rows.iter().map(|&row| bins.labels[row]).collect();
        let same = labels.iter().filter(|&&same| same).count() as f64;
        let bias = libm::log(same / (labels.len() as f64 - same));
        Growing {
            cuts: &bins.cuts,
            reached: bins.reached.iter().map(seen).collect(),
            sums: vec![bias; labels.len()],
            labels,
            bias,
        }
    }

    /// What a row has before the first tree: the logarithm of the odds.
    pub(super) fn bias(&self) -> f64 {
        self.bias
    }

    /// The next tree.
    pub(super) fn grow(&mut self) -> Tree {
        let both = self.sums.iter().zip(&self.labels);
        let slopes: Vec<Slope> = both
            .map(|(&sum, &same)| {
                let (_, probability) = loss_and_probability(sum, label(same));
                Slope {
                    first: probability - label(same),
                    second: probability * (1.0 - probability),
                }
            })
            .collect();
        let mut leaf_of = vec![0u8; slopes.len()];
        let mut splits = Vec::new();
        while splits.len() < DEPTH {
            let leaves = 1 << splits.len();
            let Some(split) = self.best_split(&slopes, &leaf_of, leaves) else {
                break;
            };
            let reached = self.reached[split.column].iter();
            for (leaf, &reached) in leaf_of.iter_mut().zip(reached) {
                *leaf |= u8::from(usize::from(reached) > split.cut) << splits.len();
            }
            splits.push((split.column, self.cuts[split.column][split.cut]));
        }
        let mut totals = vec![Slope::default(); 1 << splits.len()];
        for (&leaf, &slope) in leaf_of.iter().zip(&slopes) {
            totals[usize::from(leaf)].add(slope);
        }
        let steps: Vec<Step> = totals.into_iter().map(Slope::step).collect();
        // Plus zero: a leaf is never −0.
        let rounded = |step: f64| (RATE * step * LEAF_UNITS).round() / LEAF_UNITS + 0.0;
        let leaves: Vec<f64> = monotone(&steps).into_iter().map(rounded).collect();
        for (sum, &leaf) in self.sums.iter_mut().zip(&leaf_of) {
            *sum += leaves[usize::from(leaf)];
        }
        Tree { splits, leaves }
    }

    /// The question that gains most over all leaves, the first of equals; none if none gains anything.
    fn best_split(&self, slopes: &[Slope], leaf_of: &[u8], leaves: usize) -> Option<ColumnCut> {
        let mut best = None;
        for (column, reached) in self.reached.iter().enumerate() {
            // By leaf and cuts reached in one byte: no place is out of bounds, which halves the time.
            let mut steps = [Slope::default(); 1 << u8::BITS];
            for ((&leaf, &reached), &slope) in leaf_of.iter().zip(reached).zip(slopes) {
                steps[usize::from(leaf << STEP_BITS | reached)].add(slope);
            }
            let mut gains = vec![0.0; self.cuts[column].len()];
            let mut without = 0.0;
            for steps in steps.chunks(1 << STEP_BITS).take(leaves) {
                let mut all = Slope::default();
                steps.iter().for_each(|&step| all.add(step));
                without += all.gain();
                let mut below = Slope::default();
                for (gain, &step) in gains.iter_mut().zip(steps) {
                    below.add(step);
                    *gain += Slope::gain_apart(below, all.without(below));
                }
            }
            for (cut, gain) in gains.into_iter().enumerate() {
                let least = best.map_or(without, |(gain, _)| gain);
                if gain > least {
                    best = Some((gain, ColumnCut { column, cut }));
                }
            }
        }
        best.map(|(_, place)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Example, Examples};

    /// One column says the label, the other nothing.
    fn bins() -> Bins {
        let row = |row| {
            let values = [f64::from(row % 7) / 7.0, f64::from(row) / 400.0];
            Example::new(&values, row >= 200)
        };
        Bins::new(&Examples::new((0..400).map(row)).unwrap())
    }

    #[test]
    fn the_first_question_is_the_one_that_tells_most() {
        let bins = bins();
        let tree = Growing::new(&bins, |_| true).grow();
        let (column, least) = tree.splits[0];
        assert_eq!(column, 1);
        assert!((least - 0.5).abs() < 0.02);
    }

    #[test]
    fn every_tree_lowers_the_loss_of_what_it_is_grown_from() {
        let bins = bins();
        let mut growing = Growing::new(&bins, |_| true);
        let loss = |growing: &Growing<'_>| -> f64 {
            let rows = growing.sums.iter().zip(&growing.labels);
            rows.map(|(&sum, &same)| loss_and_probability(sum, label(same)).0)
                .sum()
        };
        let mut last = loss(&growing);
        for _ in 0..30 {
            growing.grow();
            assert!(loss(&growing) < last);
            last = loss(&growing);
        }
    }

    #[test]
    fn a_tree_says_of_similarities_what_it_said_of_the_cuts_they_reach() {
        let bins = bins();
        let mut growing = Growing::new(&bins, |_| true);
        let tree = growing.grow();
        for (sum, row) in growing.sums.iter().zip(&bins.filled) {
            assert_eq!(*sum, growing.bias() + tree.leaf(row));
        }
    }

    #[test]
    fn where_nothing_can_be_asked_a_tree_is_one_leaf() {
        let rows = (0..40).map(|row| Example::new(&[0.5], row % 4 == 0));
        let bins = Bins::new(&Examples::new(rows).unwrap());
        let tree = Growing::new(&bins, |_| true).grow();
        assert!(tree.splits.is_empty());
        assert_eq!(tree.leaves, [0.0]);
    }
}
