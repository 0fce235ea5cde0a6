//! Hill climbing over weights, as in section 5.2 of the paper on threads of question-and-answer forums: from many
//! random starts, move a little weight from one similarity to another as long as F1 gets better. The threshold needs
//! no climbing, the best one for given weights is known.
//!
//! Weights are whole hundredths. All starts climb in tenths; the best few peaks then in twentieths and hundredths. On
//! the way F1 is that of rounded scores (see [`Screen`]); the last few peaks and each column alone are compared by
//! exact F1, and the threshold is exact.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lookalike_text::hash::Seed;
use serde::{Deserialize, Serialize};

use super::generator::Generator;
use super::screen::{Gift, Screen};
use super::{Examples, present};
use crate::Error;
use crate::metrics::F1;

/// In hundredths.
const COARSE_STEP: u8 = 10;
const FINE_STEPS: [u8; 2] = [5, 1];
/// How many of the coarse peaks are climbed further.
const REFINED: usize = 5;

/// A weighted mean of similarities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    /// The name and weight of each column; at least 0, and 1 together.
    pub weights: Vec<(String, f64)>,
    /// The least score of near-duplicates.
    pub threshold: f64,
}

impl Linear {
    /// The mean of what is there: where a similarity is missing, the other weights are scaled up to 1. Where nothing
    /// is there that has a weight, 0.
    pub fn score(&self, similarities: &[Option<f64>]) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for ((_, weight), similarity) in self.weights.iter().zip(similarities) {
            if let Some(value) = present(*similarity) {
                sum += weight * value;
                weights += weight;
            }
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    }
}

/// How to climb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Climb {
    /// How many random starts; each column alone is a start as well.
    pub starts: usize,
    /// Where the random starts are.
    pub seed: Seed,
}

impl Default for Climb {
    fn default() -> Self {
        Climb {
            starts: 100,
            seed: Seed::default(),
        }
    }
}

/// The weights and the threshold with the best F1 that climbing finds: never worse than one column alone.
///
/// # Errors
/// If the similarities are so large that their sum is not finite.
pub fn climb(examples: &Examples, options: Climb) -> Result<Linear, Error> {
    let columns = examples.names().len();
    let mut random = Generator::new(options.seed);
    let alone: Vec<Weights> = (0..columns)
        .map(|place| one_column(columns, place))
        .collect();
    let anywhere = (0..options.starts).map(|_| random_start(columns, &mut random));
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
) -> Result<Linear, Error> {
    let mut best: Option<(F1, Linear)> = None;
    let mut tried = BTreeSet::new();
    for weights in candidates {
        if tried.contains(&weights) {
            continue;
        }
        let (f1, model) = with_threshold(examples, &weights)?;
        if best.as_ref().is_none_or(|(known, _)| f1 > *known) {
            best = Some((f1, model));
        }
        tried.insert(weights);
    }
    best.map(|(_, model)| model).ok_or(Error::NoColumns)
}

fn with_threshold(examples: &Examples, weights: &[u8]) -> Result<(F1, Linear), Error> {
    let named = examples.names().iter().cloned().zip(shares(weights));
    let mut model = Linear {
        weights: named.collect(),
        threshold: 0.0,
    };
    let best = examples
        .sweep(|similarities| model.score(similarities))?
        .best();
    model.threshold = best.threshold;
    let counts = best.counts;
    let f1 = F1 {
        true_positives: counts.true_positives,
        sizes: 2 * counts.true_positives + counts.false_positives + counts.false_negatives,
    };
    Ok((f1, model))
}

/// Hundredths, one for each column, 100 together.
type Weights = Vec<u8>;

fn shares(weights: &[u8]) -> Vec<f64> {
    weights
        .iter()
        .map(|&weight| f64::from(weight) / 100.0)
        .collect()
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
        if self
            .bounds
            .get(weights)
            .is_some_and(|bound| *bound <= floor)
        {
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
    use crate::learn::{Example, Model};

    const NAMES: [&str; 3] = ["标题", "正文", "回答"];

    /// Rows that are near-duplicates exactly if 0.4·a + 0.2·b + 0.4·c ≥ 0.5: the weights of the paper.
    fn planted(rows: usize, seed: Seed) -> Vec<Example> {
        let mut random = Generator::new(seed);
        let row = |_| {
            let values = [random.unit(), random.unit(), random.unit()];
            Example {
                same: 0.4 * values[0] + 0.2 * values[1] + 0.4 * values[2] >= 0.5,
                similarities: values.map(Some).to_vec(),
            }
        };
        (0..rows).map(row).collect()
    }

    fn examples(rows: Vec<Example>) -> Examples {
        Examples::new(NAMES.map(String::from), rows).unwrap()
    }

    #[test]
    fn climbing_finds_planted_weights_and_threshold() {
        let examples = examples(planted(2000, Seed(1)));
        let model = climb(&examples, Climb::default()).unwrap();
        let weights: Vec<f64> = model.weights.iter().map(|(_, weight)| *weight).collect();
        assert_eq!(weights, [0.4, 0.2, 0.4]);
        assert!((model.threshold - 0.5).abs() < 0.002, "{}", model.threshold);
        assert_eq!(examples.judge(&Model::Linear(model)).f1(), 1.0);
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let mut rows = planted(300, Seed(2));
        rows.iter_mut()
            .step_by(7)
            .for_each(|row| row.same = !row.same);
        rows.iter_mut()
            .step_by(5)
            .for_each(|row| row.similarities[1] = None);
        let forwards = climb(&examples(rows.clone()), Climb::default()).unwrap();
        rows.reverse();
        let backwards = climb(&examples(rows), Climb::default()).unwrap();
        assert_eq!(forwards, backwards);
    }

    #[test]
    fn climbing_is_never_worse_than_one_column_even_without_random_starts() {
        let mut rows = planted(400, Seed(3));
        rows.iter_mut()
            .step_by(3)
            .for_each(|row| row.same = !row.same);
        let examples = examples(rows);
        let options = Climb {
            starts: 0,
            ..Climb::default()
        };
        let climbed = Model::Linear(climb(&examples, options).unwrap());
        for place in 0..3 {
            let alone = examples.sweep(|row| row[place].unwrap_or(0.0)).unwrap();
            assert!(examples.judge(&climbed).f1() >= alone.best().counts.f1());
        }
    }

    #[test]
    fn remembered_bounds_change_no_peak() {
        let mut rows = planted(300, Seed(5));
        rows.iter_mut()
            .step_by(6)
            .for_each(|row| row.same = !row.same);
        let examples = examples(rows);
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
    fn missing_similarities_leave_their_weight_to_the_others() {
        let weights = [0.5, 0.25, 0.25].into_iter();
        let model = Linear {
            weights: NAMES.map(String::from).into_iter().zip(weights).collect(),
            threshold: 0.5,
        };
        assert_eq!(model.score(&[Some(1.0), None, Some(0.25)]), 0.75);
        assert_eq!(model.score(&[None, Some(0.3), Some(f64::NAN)]), 0.3);
        assert_eq!(model.score(&[None, None, None]), 0.0);
    }

    #[test]
    fn one_column_has_all_the_weight() {
        let rows = [(0.9, true), (0.2, false)].map(|(value, same)| Example {
            similarities: vec![Some(value)],
            same,
        });
        let examples = Examples::new(["текст".to_string()], rows).unwrap();
        let model = climb(&examples, Climb::default()).unwrap();
        assert_eq!(model.weights, [("текст".to_string(), 1.0)]);
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

    #[test]
    fn a_model_is_read_as_it_was_written() {
        let model =
            Model::Linear(climb(&examples(planted(50, Seed(4))), Climb::default()).unwrap());
        let json = serde_json::to_string(&model).unwrap();
        assert!(
            json.starts_with("{\"model\":\"linear\",\"weights\":[[\"标题\","),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Model>(&json).unwrap(), model);
    }
}
