//! Hill climbing over weights, as in section 5.2 of the paper on threads of question-and-answer forums: from many
//! random starts, move a little weight from one similarity to another as long as F1 gets better. The threshold needs
//! no climbing, the best one for given weights is known.
//!
//! Weights are whole hundredths. All starts climb in tenths; the best few peaks then in twentieths and hundredths. On
//! the way F1 is that of rounded scores (see [`Screen`]); the last few peaks and each column alone are compared by
//! exact F1, and the threshold is exact.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lookalike_pair::verify::Combination;
use lookalike_text::Seed;

use super::generator::Generator;
use super::screen::{Gift, Screen};
use super::{Examples, Learnt};
use crate::Error;
use crate::metrics::F1;

/// In hundredths.
const COARSE_STEP: u8 = 10;
const FINE_STEPS: [u8; 2] = [5, 1];
/// How many of the coarse peaks are climbed further.
const REFINED: usize = 5;
/// Random starts that are enough; each column alone is a start as well.
pub(crate) const STARTS: usize = 20;

/// The weights and the threshold with the best F1 that climbing finds: never worse than one column alone.
///
/// # Errors
/// If the similarities are so large that their sum is not finite.
pub(super) fn climb(examples: &Examples, starts: usize, seed: Seed) -> Result<Learnt, Error> {
    let columns = examples.columns();
    let mut random = Generator::new(seed);
    let alone: Vec<Weights> = (0..columns)
        .map(|place| one_column(columns, place))
        .collect();
    let anywhere = (0..starts).map(|_| random_start(columns, &mut random));
    let starts: Vec<Weights> = alone.iter().cloned().chain(anywhere).collect();

    let mut climber = Climber::new(examples);
    let mut peaks = climber.peaks(starts, COARSE_STEP);
    for step in FINE_STEPS {
        let best = peaks.into_iter().take(REFINED);
        peaks = climber.peaks(best.map(|peak| peak.weights), step);
    }
    let peaks = peaks.into_iter().map(|peak| peak.weights);
    best_by_sweep(examples, peaks.chain(alone))
}

/// The first of the best.
fn best_by_sweep(
    examples: &Examples,
    candidates: impl Iterator<Item = Weights>,
) -> Result<Learnt, Error> {
    let mut best: Option<(F1, Learnt)> = None;
    let mut tried = BTreeSet::new();
    for weights in candidates {
        if !tried.insert(weights.clone()) {
            continue;
        }
        let combination = mean(&weights);
        let point = examples.sweep(&combination)?.best();
        let (f1, threshold) = (point.counts.exact_f1(), point.threshold);
        if best.as_ref().is_none_or(|(known, _)| f1 > *known) {
            let learnt = Learnt {
                combination,
                threshold,
            };
            best = Some((f1, learnt));
        }
    }
    let best = best.map(|(_, learnt)| learnt);
    best.ok_or_else(|| Error::internal("examples without similarities"))
}

/// Hundredths, one for each column, 100 together.
type Weights = Vec<u8>;

/// The weighted mean.
pub(super) fn mean(weights: &[u8]) -> Combination {
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

struct Climber {
    screen: Screen,
    /// No F1 that was computed is above its bound. Climbs cross and neighbours have neighbours in common.
    bounds: BTreeMap<Weights, F1>,
}

struct Peak {
    weights: Weights,
    f1: F1,
}

const NO_F1: F1 = F1 {
    true_positives: 0,
    sizes: 1,
};

impl Climber {
    fn new(examples: &Examples) -> Climber {
        Climber {
            screen: Screen::new(examples),
            bounds: BTreeMap::new(),
        }
    }

    /// Where the climbs from these starts end, the best first.
    fn peaks(&mut self, starts: impl IntoIterator<Item = Weights>, step: u8) -> Vec<Peak> {
        let mut visited = BTreeSet::new();
        let mut peaks: Vec<Peak> = starts
            .into_iter()
            .filter_map(|start| self.climb(start, step, &mut visited))
            .collect();
        peaks.sort_by_key(|peak| Reverse(peak.f1));
        peaks
    }

    /// None if the climb comes upon the path of an earlier one, since from there on it is the same.
    fn climb(&mut self, start: Weights, step: u8, visited: &mut BTreeSet<Weights>) -> Option<Peak> {
        if visited.contains(&start) {
            return None;
        }
        self.screen.go_to(&start);
        let as_it_is = Gift {
            column: 0,
            hundredths: 0,
        };
        let f1 = self.screen.best_f1(as_it_is, NO_F1).unwrap_or(NO_F1);
        let mut here = Peak { weights: start, f1 };
        while visited.insert(here.weights.clone()) {
            match self.best_neighbour(&here, step) {
                Some(next) => here = next,
                None => return Some(here),
            }
        }
        None
    }

    /// The best of those that are better, the first of equally good ones.
    fn best_neighbour(&mut self, here: &Peak, step: u8) -> Option<Peak> {
        let mut best: Option<Peak> = None;
        let mut weights = here.weights.clone();
        self.screen.go_to(&weights);
        for from in 0..weights.len() {
            if weights[from] < step {
                continue;
            }
            self.screen.take(from, step);
            weights[from] -= step;
            for to in (0..weights.len()).filter(|&to| to != from) {
                let gift = Gift {
                    column: to,
                    hundredths: step,
                };
                weights[to] += step;
                let floor = best.as_ref().map_or(here.f1, |best| best.f1);
                if let Some(f1) = self.better(&weights, gift, floor) {
                    best = Some(Peak {
                        weights: weights.clone(),
                        f1,
                    });
                }
                weights[to] -= step;
            }
            weights[from] += step;
        }
        best
    }

    /// The F1 of these weights, which are those of the screen with the gift, if it beats the floor.
    fn better(&mut self, weights: &[u8], gift: Gift, floor: F1) -> Option<F1> {
        let bound = self.bounds.get(weights);
        if bound.is_some_and(|bound| *bound <= floor) {
            return None;
        }
        let f1 = self.screen.best_f1(gift, floor);
        self.bounds.insert(weights.to_vec(), f1.unwrap_or(floor));
        f1
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
        let model = climb(&examples, STARTS, Seed::default()).unwrap();
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
    fn remembered_bounds_change_no_peak() {
        let examples = planted(300, 5, Some(6));
        let mut random = Generator::new(Seed(6));
        let starts: Vec<Weights> = (0..40).map(|_| random_start(3, &mut random)).collect();
        let together = Climber::new(&examples).peaks(starts.clone(), COARSE_STEP);
        let alone = |start| Climber::new(&examples).climb(start, COARSE_STEP, &mut BTreeSet::new());
        let alone: Vec<Peak> = starts.into_iter().filter_map(alone).collect();
        let places = |peaks: &[Peak]| -> BTreeSet<Weights> {
            peaks.iter().map(|peak| peak.weights.clone()).collect()
        };
        assert_eq!(places(&together), places(&alone));
        assert!(alone.iter().all(|peak| peak.f1 <= together[0].f1));
    }

    #[test]
    fn one_column_has_all_the_weight() {
        let rows = [(0.9, true), (0.2, false)].map(|(value, same)| Example::new(&[value], same));
        let examples = Examples::new(rows).unwrap();
        let model = climb(&examples, STARTS, Seed::default()).unwrap();
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
