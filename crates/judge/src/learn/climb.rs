//! Hill climbing over weights, as in section 5.2 of the paper on threads of question-and-answer forums: from many
//! random starts, move a little weight from one similarity to another as long as F1 gets better. The threshold needs
//! no climbing, the best one for given weights is known.
//!
//! Weights are whole hundredths. All starts climb in tenths; the best few peaks then in twentieths and hundredths.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lookalike_pair::verify::Combination;
use lookalike_text::Seed;

use super::generator::Generator;
use super::{Examples, Learnt};
use crate::Error;
use crate::sweep::Point;

/// In hundredths.
const COARSE_STEP: u8 = 10;
const FINE_STEPS: [u8; 2] = [5, 1];
/// How many of the coarse peaks are climbed further.
const REFINED: usize = 5;

/// The weights and the threshold with the best F1 that climbing finds, from each column alone and from so many random
/// starts: never worse than one column alone.
///
/// # Errors
/// If the similarities are so large that their sum is not finite.
pub(super) fn climb(examples: &Examples, starts: usize, seed: Seed) -> Result<Learnt, Error> {
    let columns = examples.columns();
    let mut random = Generator::new(seed);
    let alone = (0..columns).map(|place| one_column(columns, place));
    let anywhere = (0..starts).map(|_| random_start(columns, &mut random));
    let starts: Vec<Weights> = alone.chain(anywhere).collect();

    let mut climber = Climber {
        examples,
        known: BTreeMap::new(),
    };
    let mut peaks = climber.peaks(starts, COARSE_STEP)?;
    for step in FINE_STEPS {
        peaks.truncate(REFINED);
        peaks = climber.peaks(peaks, step)?;
    }
    let best = peaks.first().ok_or_else(|| Error::internal("no start"))?;
    Ok(Learnt {
        combination: mean(best),
        threshold: climber.point(best)?.threshold,
    })
}

/// Hundredths, one for each column, 100 together.
type Weights = Vec<u8>;

/// The weighted mean.
fn mean(weights: &[u8]) -> Combination {
    let shares = weights.iter().map(|&weight| f64::from(weight) / 100.0);
    Combination::Linear {
        weights: shares.collect(),
    }
}

fn one_column(columns: usize, place: usize) -> Weights {
    let mut weights = vec![0; columns];
    weights[place] = 100;
    weights
}

/// Every way to give out tenths is equally likely: ten stars in a row with bars between the columns, bars at random.
fn random_start(columns: usize, random: &mut Generator) -> Weights {
    let stars = 100 / usize::from(COARSE_STEP);
    let mut weights = vec![0; columns];
    let (mut stars_left, mut bars_left) = (stars, columns - 1);
    let mut column = 0;
    while stars_left > 0 {
        if random.below(stars_left + bars_left) < bars_left {
            bars_left -= 1;
            column += 1;
        } else {
            stars_left -= 1;
            weights[column] += COARSE_STEP;
        }
    }
    weights
}

struct Climber<'e> {
    examples: &'e Examples,
    /// Climbs cross and neighbours have neighbours in common.
    known: BTreeMap<Weights, Point>,
}

impl Climber<'_> {
    /// The best threshold of these weights.
    fn point(&mut self, weights: &[u8]) -> Result<Point, Error> {
        if let Some(&point) = self.known.get(weights) {
            return Ok(point);
        }
        let point = self.examples.sweep(&mean(weights))?.best();
        self.known.insert(weights.to_vec(), point);
        Ok(point)
    }

    /// Where the climbs from these starts end, each once, the best first.
    fn peaks(&mut self, starts: Vec<Weights>, step: u8) -> Result<Vec<Weights>, Error> {
        let mut peaks = BTreeSet::new();
        for start in starts {
            peaks.insert(self.climb(start, step)?);
        }
        let f1 = |weights: &Weights| Reverse(self.known[weights].counts.exact_f1());
        let mut peaks: Vec<Weights> = peaks.into_iter().collect();
        peaks.sort_by_key(f1);
        Ok(peaks)
    }

    fn climb(&mut self, start: Weights, step: u8) -> Result<Weights, Error> {
        let mut here = start;
        while let Some(better) = self.best_neighbour(&here, step)? {
            here = better;
        }
        Ok(here)
    }

    /// The best of those that are better, the first of equally good ones.
    fn best_neighbour(&mut self, here: &[u8], step: u8) -> Result<Option<Weights>, Error> {
        let mut best = (self.point(here)?.counts.exact_f1(), None);
        for from in (0..here.len()).filter(|&from| here[from] >= step) {
            for to in (0..here.len()).filter(|&to| to != from) {
                let mut weights = here.to_vec();
                weights[from] -= step;
                weights[to] += step;
                let f1 = self.point(&weights)?.counts.exact_f1();
                if f1 > best.0 {
                    best = (f1, Some(weights));
                }
            }
        }
        Ok(best.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Example;
    use crate::learn::generator::drawn;

    /// Rows that are near-duplicates exactly if 0.4·a + 0.2·b + 0.4·c ≥ 0.5, the weights of the paper; then every so
    /// many are labelled wrongly.
    fn planted(rows: usize, seed: u64, wrong: Option<usize>) -> Examples {
        let truth = |[a, b, c]: [f64; 3]| f64::from(u8::from(0.4 * a + 0.2 * b + 0.4 * c >= 0.5));
        let mut rows = drawn(rows, seed, truth);
        if let Some(every) = wrong {
            let wrong = rows.iter_mut().step_by(every);
            wrong.for_each(|row| row.same = !row.same);
        }
        Examples::new(rows).unwrap()
    }

    #[test]
    fn climbing_finds_planted_weights_and_threshold() {
        let examples = planted(2000, 1, None);
        let model = climb(&examples, 20, Seed::default()).unwrap();
        assert_eq!(model.combination, mean(&[40, 20, 40]));
        assert!((model.threshold - 0.5).abs() < 0.002, "{}", model.threshold);
        assert_eq!(examples.judge(&model).unwrap().f1(), 1.0);
    }

    #[test]
    fn climbing_is_never_worse_than_one_column_even_without_random_starts() {
        let examples = planted(400, 3, Some(3));
        let climbed = climb(&examples, 0, Seed::default()).unwrap();
        let f1 = examples.judge(&climbed).unwrap().f1();
        for place in 0..3 {
            let alone = examples.sweep(&mean(&one_column(3, place))).unwrap();
            assert!(f1 >= alone.best().counts.f1());
        }
    }

    #[test]
    fn one_column_has_all_the_weight() {
        let rows = [(0.9, true), (0.2, false)].map(|(value, same)| Example::new(&[value], same));
        let examples = Examples::new(rows).unwrap();
        let model = climb(&examples, 20, Seed::default()).unwrap();
        assert_eq!(model.combination, mean(&[100]));
        assert_eq!(model.threshold, 0.55);
    }

    #[test]
    fn random_starts_reach_every_corner_and_always_sum_to_one() {
        let mut random = Generator::new(Seed(0));
        let starts: BTreeSet<Weights> = (0..3000).map(|_| random_start(3, &mut random)).collect();
        assert!(starts.iter().all(|start| start.iter().sum::<u8>() == 100));
        // 12 · 11 / 2 ways to give ten tenths to three columns.
        assert_eq!(starts.len(), 66);
    }
}
