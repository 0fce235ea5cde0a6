//! A weighted mean of similarities: how alike must two units be in which respect to be worth comparing?
//!
//! If every similarity is below its floor, the mean is below the mean of the floors. So any floors whose mean is the
//! threshold miss nothing: a pair that reaches the threshold reaches a floor. They need not be equal: short texts are alike
//! by chance, long ones are not, so a high floor for the short and a low one for the long propose fewer pairs in vain. Which
//! floors are the cheapest is found by dynamic programming over a grid, from what each would cost.
//!
//! Where units lack something, other parts count. So there are floors for each class of units: what they have and lack.

use std::collections::BTreeMap;

use lookalike_pair::verify::Absence;

/// More parts are not told apart by what units lack: a class is a byte.
const MOST_CLASSED: usize = 8;

/// The floors between which is chosen.
pub const GRID: usize = 21;

/// A floor that no pair reaches: nothing is looked up.
pub const NEVER: f64 = f64::INFINITY;

/// See the [module](self).
#[derive(Debug, Clone, PartialEq)]
pub struct Mean {
    /// One a probe, above 0.
    pub weights: Vec<f64>,
    /// What parts count as that a unit lacks.
    pub absence: Absence,
    /// The mean that is to be reached.
    pub threshold: f64,
}

/// The floors of each probe.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenFloors {
    /// For each probe one a class.
    pub of_probes: Vec<Vec<f64>>,
}

/// What a unit has: a bit a probe.
type Class = u8;

impl Mean {
    /// Whether units are classed by what they lack.
    pub fn has_classes(&self) -> bool {
        (2..=MOST_CLASSED).contains(&self.weights.len())
    }

    /// The floors to choose from, ascending; the last is [`NEVER`], and the threshold is among them.
    pub fn grid(&self) -> [f64; GRID] {
        const HALF: usize = GRID / 2;
        let threshold = self.threshold;
        std::array::from_fn(|step| match step {
            step if step < HALF => threshold * (step + 1) as f64 / HALF as f64,
            step if step == GRID - 1 => NEVER,
            step => threshold + (1.0 - threshold) * (step - HALF + 1) as f64 / HALF as f64,
        })
    }

    /// The cheapest floors that miss no pair among units of these classes, given what each floor of each probe costs.
    pub fn choose(&self, costs: &[[f64; GRID]], classes: &[Class]) -> ChosenFloors {
        if !self.has_classes() {
            let of_probes = vec![vec![self.threshold]; self.weights.len()];
            return ChosenFloors { of_probes };
        }
        let mut of_probes = vec![vec![NEVER; 1 << self.weights.len()]; self.weights.len()];
        let mut known: BTreeMap<Class, Vec<f64>> = BTreeMap::new();
        for &own in classes {
            for &other in classes {
                let counted = self.counted(own, other);
                if own & other == 0 || counted == 0 {
                    continue;
                }
                let floors = known
                    .entry(counted)
                    .or_insert_with(|| self.cheapest(costs, counted));
                for (probe, &floor) in of_probes.iter_mut().zip(floors.iter()) {
                    let lowest = &mut probe[usize::from(own)];
                    *lowest = lowest.min(floor);
                }
            }
        }
        ChosenFloors { of_probes }
    }

    /// What counts for a pair of units of these classes.
    fn counted(&self, a: Class, b: Class) -> Class {
        let has = |class: Class, place: usize| class >> place & 1 == 1;
        let counts = |place: &usize| self.absence.counts(has(a, *place), has(b, *place));
        let places = (0..self.weights.len()).filter(counts);
        places.fold(0, |counted, place| counted | 1 << place)
    }

    /// The cheapest floors where these parts count: a knapsack of what the mean can bear.
    fn cheapest(&self, costs: &[[f64; GRID]], counted: Class) -> Vec<f64> {
        const UNITS: usize = 1000;
        let grid = self.grid();
        let places: Vec<usize> = (0..self.weights.len())
            .filter(|&place| counted >> place & 1 == 1)
            .collect();
        let total: f64 = places.iter().map(|&place| self.weights[place]).sum();
        // At most what the threshold stands for, in whole units, each floor rounded up.
        let taken = |place: usize, step: usize| {
            let share = self.weights[place] * grid[step].min(1.0) / (self.threshold * total);
            (share * UNITS as f64 - 1e-6).ceil().max(0.0) as usize
        };
        let mut least = vec![0.0; UNITS + 1];
        let mut choice: Vec<Vec<usize>> = Vec::new();
        for &place in &places {
            let mut next = vec![f64::INFINITY; UNITS + 1];
            let mut chosen = vec![0; UNITS + 1];
            for left in 0..=UNITS {
                for (step, own) in costs[place].iter().enumerate() {
                    let Some(rest) = left.checked_sub(taken(place, step)) else {
                        break;
                    };
                    let cost = least[rest] + own;
                    // Of equal costs the higher floor.
                    if cost <= next[left] {
                        (next[left], chosen[left]) = (cost, step);
                    }
                }
            }
            least = next;
            choice.push(chosen);
        }
        let mut floors = vec![NEVER; self.weights.len()];
        let mut left = UNITS;
        for (&place, chosen) in places.iter().zip(&choice).rev() {
            let step = chosen[left];
            floors[place] = grid[step];
            left = left.saturating_sub(taken(place, step));
        }
        let spent: f64 = places
            .iter()
            .map(|&place| self.weights[place] * floors[place].min(1.0))
            .sum();
        let all_never = places.iter().all(|&place| floors[place] == NEVER);
        // Where nothing cheaper fits, as with very unequal weights, and where all would have to be identical.
        if all_never || spent > self.threshold * total * (1.0 + 1e-9) {
            places
                .iter()
                .for_each(|&place| floors[place] = self.threshold);
        }
        floors
    }
}

#[cfg(test)]
mod tests {
    use lookalike_pair::verify::Absent;
    use proptest::prelude::*;

    use super::*;

    fn mean(weights: &[f64], threshold: f64) -> Mean {
        Mean {
            weights: weights.to_vec(),
            absence: Absence::default(),
            threshold,
        }
    }

    /// The cost of floors that falls as they rise.
    fn falling(most: f64) -> [f64; GRID] {
        std::array::from_fn(|step| most * (GRID - 1 - step) as f64)
    }

    #[test]
    fn what_costs_much_gets_a_high_floor_and_the_rest_a_low_one() {
        let mean = mean(&[0.4, 0.2, 0.4], 0.5);
        let floors = mean.choose(&[falling(1000.0), falling(1.0), falling(1.0)], &[0b111]);
        let of_all: Vec<f64> = floors.of_probes.iter().map(|probe| probe[0b111]).collect();
        assert_eq!(of_all[0], NEVER);
        assert!(of_all[1] < 0.5 && of_all[2] < 0.5, "{of_all:?}");
    }

    #[test]
    fn units_that_lack_the_rest_are_found_by_what_they_have() {
        let mean = mean(&[0.4, 0.2, 0.4], 0.5);
        let costs = [falling(1000.0), falling(1.0), falling(1.0)];
        let floors = mean.choose(&costs, &[0b001, 0b111]);
        assert_eq!(floors.of_probes[0][0b001], 0.5);
        assert_eq!(floors.of_probes[0][0b111], NEVER);
    }

    proptest! {
        #[test]
        fn no_pair_that_reaches_the_threshold_is_below_all_floors(
            weights in prop::collection::vec(0.01f64..1.0, 2..5),
            threshold in 0.05f64..=1.0,
            costs in prop::collection::vec(0.0f64..1000.0, 5),
            similarities in prop::collection::vec(prop_oneof![0.0f64..=1.0, Just(1.0)], 5),
            (own, other) in (1u8..16, 1u8..16),
            (in_both, in_one) in (any::<bool>(), any::<bool>()),
        ) {
            let absent = |different| if different { Absent::Different } else { Absent::LeftOut };
            let absence = Absence { in_both: absent(in_both), in_one: absent(in_one) };
            let mean = Mean { absence, ..mean(&weights, threshold) };
            let mask = (1u8 << weights.len()) - 1;
            let (own, other) = (own & mask, other & mask);
            let costs: Vec<_> = costs.iter().take(weights.len()).map(|&most| falling(most)).collect();
            let floors = mean.choose(&costs, &[own, other]);
            let (mut sum, mut total) = (0.0, 0.0);
            let mut reaches_a_floor = false;
            for (place, weight) in weights.iter().enumerate() {
                let (a, b) = (own >> place & 1 == 1, other >> place & 1 == 1);
                if !absence.counts(a, b) {
                    continue;
                }
                total += weight;
                if a && b {
                    sum += weight * similarities[place];
                    let of = |class: u8| floors.of_probes[place][usize::from(class)];
                    reaches_a_floor |= similarities[place] >= of(own).max(of(other)) * (1.0 - 1e-9);
                }
            }
            if total > 0.0 && sum / total >= threshold {
                prop_assert!(reaches_a_floor, "{:?}", floors);
            }
        }
    }
}
