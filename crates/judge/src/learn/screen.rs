//! The best F1 of many weights over the same rows, without sorting all rows each time.
//!
//! Similarities become whole numbers once, so scores are sums of whole numbers: the same whatever the order in which
//! they are added. All ways to move weight away from one column share their base, and each adds one column to it.
//!
//! Scores are counted in bins. The F1 at the edge of a bin is known from the counts, and inside a bin it cannot be
//! better than with all of its right pairs and none of its wrong ones. Only bins whose bound beats the best so far are
//! sorted: hardly any once a good F1 is known.
//!
//! The result is the F1 of the rounded scores. It is that of the weighted mean itself unless two scores are within a few
//! parts of 10⁸ of the range of all similarities, so it is good for climbing, and the last choice is left to a
//! [`Sweep`](crate::sweep::Sweep).

use std::cmp::Reverse;
use std::ops::Range;

use super::{Example, Examples};
use crate::metrics::F1;

const BIN_BITS: u32 = 11;
const BINS: usize = 1 << BIN_BITS;
/// Rows that are scored at a time.
const BLOCK: usize = 256;
/// What the largest similarity becomes. A hundred hundredths of it are below 2³², and from 0 to 1 it keeps seven
/// decimals exactly, so that equal scores stay equal.
const LARGEST: u32 = 40_000_000;

/// So many that a mean is rounded down exactly.
const SCALE_BITS: u32 = 57;

/// The examples by column, and room to work.
#[derive(Debug)]
pub(crate) struct Screen {
    columns: Vec<Column>,
    rows: Vec<Group>,
    /// Rows before this one have all their similarities.
    complete: usize,
    positives: u64,
    /// The score of a row of whose similarities none has a weight.
    score_of_nothing: u32,
    /// By what a sum is multiplied if that many hundredths of the weights are there, times 2 to the [`SCALE_BITS`].
    scale_up: [u64; 128],
    /// All weights, of each row.
    here: Sums,
    /// Some weight taken away.
    base: Sums,
}

/// Rows side by side that are counted in the same way.
#[derive(Debug, Clone)]
struct Group {
    rows: Range<usize>,
    same: bool,
}

#[derive(Debug)]
struct Column {
    /// 0 where missing.
    values: Vec<u32>,
    /// Of the rows with gaps: 1, or 0 where missing.
    present: Vec<u8>,
}

#[derive(Debug, Clone, Default)]
struct Sums {
    /// Hundredths times similarities.
    scores: Vec<u32>,
    /// Of the rows with gaps: the hundredths of what is there.
    weights: Vec<u8>,
}

impl Sums {
    fn add(&mut self, column: &Column, hundredths: u8) {
        for (sum, value) in self.scores.iter_mut().zip(&column.values) {
            *sum += u32::from(hundredths) * value;
        }
        for (sum, there) in self.weights.iter_mut().zip(&column.present) {
            *sum += hundredths * there;
        }
    }

    fn subtract(&mut self, column: &Column, hundredths: u8) {
        for (sum, value) in self.scores.iter_mut().zip(&column.values) {
            *sum -= u32::from(hundredths) * value;
        }
        for (sum, there) in self.weights.iter_mut().zip(&column.present) {
            *sum -= hundredths * there;
        }
    }
}

/// Weight that is given to a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gift {
    pub(crate) column: usize,
    pub(crate) hundredths: u8,
}

/// How many pairs of each label.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    wrong: u64,
    right: u64,
}

/// How many rows with label 0 and with label 1 are in each bin; the last bin has the largest scores.
type Bins = [[u32; BINS]; 2];

/// A bin that may hide a better F1 than there is at its edges.
struct Promising {
    bin: usize,
    /// What is found in the bins of larger scores.
    above: Tally,
    bound: F1,
}

impl Screen {
    pub(crate) fn new(examples: &Examples) -> Screen {
        let has_gap = |row: &Example| row.similarities.iter().any(Option::is_none);
        let mut rows: Vec<&Example> = examples.rows().iter().collect();
        rows.sort_by_key(|row| (has_gap(row), row.same));
        let complete = rows.partition_point(|row| !has_gap(row));
        let places: Vec<usize> = (0..rows.len()).collect();
        let groups = places.chunk_by(|&one, &two| {
            (has_gap(rows[one]), rows[one].same) == (has_gap(rows[two]), rows[two].same)
        });
        let groups = groups.map(|group| Group {
            rows: group[0]..group[0] + group.len(),
            same: rows[group[0]].same,
        });
        let round = Rounding::of(&rows, complete < rows.len());
        let column = |place: usize| {
            let values = rows.iter().map(|row| row.similarities[place]);
            let gaps = values.clone().skip(complete);
            Column {
                present: gaps.map(|value| u8::from(value.is_some())).collect(),
                values: values
                    .map(|value| value.map_or(0, |value| round.whole(value)))
                    .collect(),
            }
        };
        let nothing = Sums {
            scores: vec![0; rows.len()],
            weights: vec![0; rows.len() - complete],
        };
        Screen {
            columns: (0..examples.columns()).map(column).collect(),
            rows: groups.collect(),
            complete,
            positives: examples.positives() as u64,
            score_of_nothing: 100 * round.whole(0.0),
            scale_up: std::array::from_fn(|there| {
                (100u64 << SCALE_BITS).div_ceil(there.max(1) as u64)
            }),
            here: nothing.clone(),
            base: nothing,
        }
    }

    /// Goes to these weights: hundredths, at most 100 together.
    pub(crate) fn go_to(&mut self, weights: &[u8]) {
        self.here.scores.fill(0);
        self.here.weights.fill(0);
        for (column, &weight) in self.columns.iter().zip(weights) {
            if weight > 0 {
                self.here.add(column, weight);
            }
        }
        self.base.clone_from(&self.here);
    }

    /// Takes weight from a column that has as much where one is; what was taken before is given back.
    pub(crate) fn take(&mut self, from: usize, hundredths: u8) {
        self.base.clone_from(&self.here);
        self.base.subtract(&self.columns[from], hundredths);
    }

    /// The best F1 of all thresholds with this weight added, if it beats the floor.
    pub(crate) fn best_f1(&self, gift: Gift, floor: F1) -> Option<F1> {
        let bins = self.count(gift);
        let (at_edges, mut promising) = self.look_at_edges(&bins, floor);
        promising.retain(|bin| bin.bound > at_edges);
        let best = self.look_inside(&promising, gift, at_edges);
        (best > floor).then_some(best)
    }

    /// The better of the floor and the best F1 at an edge, and bins that may beat it.
    fn look_at_edges(&self, [wrong, right]: &Bins, floor: F1) -> (F1, Vec<Promising>) {
        let mut best = floor;
        let mut promising = Vec::new();
        let mut found = Tally::default();
        for bin in (0..BINS).rev() {
            // F1 can only fall where no right pair is found.
            if right[bin] > 0 {
                let above = found;
                found.right += u64::from(right[bin]);
                let bound = self.f1(found);
                found.wrong += u64::from(wrong[bin]);
                if bound > best {
                    promising.push(Promising { bin, above, bound });
                    best = best.max(self.f1(found));
                }
            } else {
                found.wrong += u64::from(wrong[bin]);
            }
        }
        (best, promising)
    }

    /// The better of the floor and the best F1 in these bins.
    fn look_inside(&self, promising: &[Promising], gift: Gift, floor: F1) -> F1 {
        let mut best = floor;
        if promising.is_empty() {
            return best;
        }
        let mut is_promising = [false; BINS];
        for chosen in promising {
            is_promising[chosen.bin] = true;
        }
        let mut rows: Vec<(u32, bool)> = Vec::new();
        self.for_each_block(gift, |scores, same| {
            let chosen = scores.iter().filter(|score| is_promising[bin_of(**score)]);
            rows.extend(chosen.map(|score| (*score, same)));
        });
        rows.sort_unstable_by_key(|&(score, _)| Reverse(score));
        let bins = rows.chunk_by(|one, two| bin_of(one.0) == bin_of(two.0));
        // Both from the largest score down.
        for (bin, chosen) in bins.zip(promising) {
            let mut found = chosen.above;
            for equal in bin.chunk_by(|one, two| one.0 == two.0) {
                let right = equal.iter().filter(|(_, same)| *same).count();
                found.right += right as u64;
                found.wrong += (equal.len() - right) as u64;
                best = best.max(self.f1(found));
            }
        }
        best
    }

    fn f1(&self, found: Tally) -> F1 {
        F1 {
            true_positives: found.right,
            sizes: found.right + found.wrong + self.positives,
        }
    }

    fn count(&self, gift: Gift) -> Bins {
        // Counting by turns in two places halves the time: a count waits for the one before in the same place.
        let mut bins = [[0; BINS]; 2];
        let mut odd_bins = [[0; BINS]; 2];
        self.for_each_block(gift, |scores, same| {
            let bins = &mut bins[usize::from(same)];
            let odd_bins = &mut odd_bins[usize::from(same)];
            let (fours, rest) = scores.as_chunks::<4>();
            for four in fours {
                bins[bin_of(four[0])] += 1;
                odd_bins[bin_of(four[1])] += 1;
                bins[bin_of(four[2])] += 1;
                odd_bins[bin_of(four[3])] += 1;
            }
            for &score in rest {
                bins[bin_of(score)] += 1;
            }
        });
        for (sum, odd) in bins
            .as_flattened_mut()
            .iter_mut()
            .zip(odd_bins.as_flattened())
        {
            *sum += odd;
        }
        bins
    }

    /// A block is scored before any of it is counted: with gaps that takes a third less time than row by row.
    fn for_each_block(&self, gift: Gift, mut see: impl FnMut(&[u32], bool)) {
        let mut scores = [0; BLOCK];
        for Group { rows, same } in &self.rows {
            for start in rows.clone().step_by(BLOCK) {
                let block = start..rows.end.min(start + BLOCK);
                let scores = &mut scores[..block.len()];
                self.score(block, gift, scores);
                see(scores, *same);
            }
        }
    }

    fn score(&self, rows: Range<usize>, gift: Gift, scores: &mut [u32]) {
        let column = &self.columns[gift.column];
        let hundredths = u32::from(gift.hundredths);
        let sums = self.base.scores[rows.clone()].iter();
        let sums = sums.zip(&column.values[rows.clone()]);
        for (score, (sum, value)) in scores.iter_mut().zip(sums) {
            *score = sum + hundredths * value;
        }
        if rows.start >= self.complete {
            let gaps = rows.start - self.complete..rows.end - self.complete;
            let weights = self.base.weights[gaps.clone()].iter();
            let weights = weights.zip(&column.present[gaps]);
            for (score, (sum, there)) in scores.iter_mut().zip(weights) {
                *score = self.mean(*score, sum + gift.hundredths * there);
            }
        }
    }

    /// The score of a row where only some of the weights are there.
    fn mean(&self, sum: u32, weight: u8) -> u32 {
        if weight == 0 {
            self.score_of_nothing
        } else {
            let scale = self.scale_up[usize::from(weight & 127)];
            ((u128::from(sum) * u128::from(scale)) >> SCALE_BITS) as u32
        }
    }
}

fn bin_of(score: u32) -> usize {
    (score >> (32 - BIN_BITS)) as usize
}

/// How similarities become whole numbers.
struct Rounding {
    least: f64,
    /// Half of it, since the whole may be infinite.
    half_range: f64,
}

impl Rounding {
    /// 0 is among the similarities where a row may have nothing.
    fn of(rows: &[&Example], has_gaps: bool) -> Rounding {
        let values = rows.iter().flat_map(|row| &row.similarities);
        let values = values.flatten().copied().chain(has_gaps.then_some(0.0));
        let (least, most) = values.fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(least, most), value| (least.min(value), most.max(value)),
        );
        Rounding {
            least,
            half_range: most / 2.0 - least / 2.0,
        }
    }

    /// From 0 to [`LARGEST`].
    fn whole(&self, similarity: f64) -> u32 {
        // Where all similarities are the same this is not a number, which becomes 0.
        let part = (similarity / 2.0 - self.least / 2.0) / self.half_range;
        ((part * f64::from(LARGEST)).round() as u32).min(LARGEST)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::learn::climb::mean;
    use crate::sweep::Sweep;

    const NOTHING: F1 = F1 {
        true_positives: 0,
        sizes: 1,
    };

    /// By moving weight from the first column that has some.
    fn screened(screen: &mut Screen, weights: &[u8], floor: F1) -> Option<F1> {
        let from = weights.iter().position(|&weight| weight > 0).unwrap();
        let hundredths = weights[from].min(5);
        screen.go_to(weights);
        screen.take(from, hundredths);
        let gift = Gift {
            column: from,
            hundredths,
        };
        screen.best_f1(gift, floor)
    }

    proptest! {
        #[test]
        fn screening_finds_what_sorting_finds(
            rows in proptest::collection::vec(
                (proptest::collection::vec(proptest::option::weighted(0.9, 0u32..=2500), 3), any::<bool>()), 2..200),
            cuts in (0u8..=20, 0u8..=20),
            least in -2i32..=0,
        ) {
            let value = |value: Option<u32>| Some(f64::from(value?) / 2500.0 + f64::from(least) / 2.0);
            let ends = [(vec![Some(0); 3], false), (vec![Some(2500); 3], true)];
            let rows = rows.into_iter().chain(ends).map(|(values, same)| Example {
                similarities: values.into_iter().map(value).collect(),
                same,
            });
            let examples = Examples::new(rows).unwrap();
            let (low, high) = (cuts.0.min(cuts.1), cuts.0.max(cuts.1));
            let weights = [low, high - low, 20 - high].map(|twentieths| 5 * twentieths);
            let mut screen = Screen::new(&examples);
            let best = screened(&mut screen, &weights, NOTHING).unwrap();

            // Different scores are 10⁻⁶ apart at least; equal ones may differ in the last bit unless they are rounded.
            let mean = mean(&weights);
            let rounded = |row: &Example| ((mean.score(&row.similarities) * 1e7).round(), row.same);
            let rounded = examples.rows().iter().map(rounded);
            prop_assert_eq!(best, Sweep::new(rounded).unwrap().best().counts.exact_f1());
            prop_assert!(screened(&mut screen, &weights, best).is_none());
        }

        #[test]
        fn a_mean_is_rounded_down(sum in 0..=100 * LARGEST, weight in 1u8..=100) {
            let rows = [true, false].map(|same| Example::new(&[0.5], same));
            let screen = Screen::new(&Examples::new(rows).unwrap());
            let sum = sum / 100 * u32::from(weight);
            let expected = u64::from(sum) * 100 / u64::from(weight);
            prop_assert_eq!(u64::from(screen.mean(sum, weight)), expected);
            let sum = sum.saturating_sub(1);
            let expected = u64::from(sum) * 100 / u64::from(weight);
            prop_assert_eq!(u64::from(screen.mean(sum, weight)), expected);
        }
    }

    #[test]
    fn weights_moved_by_any_path_have_the_same_f1() {
        let rows = (0..60u8).map(|row| Example {
            similarities: (1..4)
                .map(|place| (row % 7 != place).then_some(f64::from(row * place % 11) / 10.0))
                .collect(),
            same: row % 3 == 0,
        });
        let examples = Examples::new(rows).unwrap();
        let mut screen = Screen::new(&examples);
        let expected = screened(&mut screen, &[30, 30, 40], NOTHING);
        for (from, to) in [(0, 1), (1, 2), (2, 0), (1, 0)] {
            let mut weights = [30, 30, 40];
            weights[from] += 10;
            weights[to] -= 10;
            screen.go_to(&weights);
            screen.take(from, 10);
            let gift = Gift {
                column: to,
                hundredths: 10,
            };
            assert_eq!(screen.best_f1(gift, NOTHING), expected);
        }
    }

    #[test]
    fn the_largest_and_smallest_numbers_are_rounded_without_overflow() {
        let rows = [(f64::MAX, true), (f64::MIN, false), (0.0, false)];
        let rows = rows.map(|(value, same)| Example {
            similarities: vec![Some(value), None],
            same,
        });
        let examples = Examples::new(rows).unwrap();
        let mut screen = Screen::new(&examples);
        for weights in [[100, 0], [1, 99]] {
            let best = screened(&mut screen, &weights, NOTHING).unwrap();
            assert_eq!((best.true_positives, best.sizes), (1, 2));
        }
    }
}
