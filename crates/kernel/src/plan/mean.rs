//! A weighted mean of similarities: how alike must two units be in which respect to be worth comparing?
//!
//! If every similarity is below its floor, the mean is below the mean of the floors. So any floors whose mean is the
//! threshold miss nothing: a pair that reaches the threshold reaches a floor. They need not be equal: short texts are alike
//! by chance, long ones are not, so a high floor for the short and a low one for the long propose fewer pairs needlessly. Which
//! floors are the cheapest is found by dynamic programming over a grid, from what each would cost.
//!
//! Where units lack something, other parts count. So there are floors for each class of units: what they have and lack.
//! Where a part asks for a least similarity of its own, looking for that alone misses nothing either, if both units have it.

use std::collections::BTreeMap;

use lookalike_pair::verify::{Absence, ShortAnswers};

use super::Probe;
use crate::Error;

/// More parts are not told apart by what units lack: a class is a byte, of which short answers take a bit.
const MOST_CLASSED: usize = 7;

/// The floors between which is chosen.
pub const GRID: usize = 21;

/// A floor that no pair reaches: nothing is looked up.
pub const NEVER: f64 = f64::INFINITY;

/// A weighted mean of similarities, with the floor of each.
#[derive(Debug, Clone, PartialEq)]
pub struct Mean {
    /// One a probe, above 0.
    pub weights: Vec<f64>,
    /// What parts count as that a unit lacks.
    pub absence: Absence,
    /// The mean that is to be reached.
    pub threshold: f64,
    /// How alike units must be under each probe that finds something in both; 0 where nothing is asked.
    pub least: Vec<f64>,
    /// The probes of answers and of questions, where short answers may count more than their features say.
    pub short: Option<ShortAnswers>,
}

/// The floors of each probe.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenFloors {
    /// For each probe one per class.
    pub of_probes: Vec<Vec<f64>>,
}

/// What a unit has: a bit per probe, and whether its answer is short.
type Class = u8;

/// The bit of a short answer.
const SHORT: Class = 1 << MOST_CLASSED;

/// What counts for a pair of units: of which parts, which of them both have, and whether the question alone must tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Counted {
    parts: Class,
    both: Class,
    by_question: bool,
}

impl Mean {
    /// Whether units are classed by what they lack.
    pub fn has_classes(&self) -> bool {
        (2..=MOST_CLASSED).contains(&self.weights.len())
    }

    /// The most parts for which there can be a rule for short answers.
    pub const MOST_PARTS: usize = MOST_CLASSED;

    /// The class of a unit with so many features under each probe.
    pub fn class(&self, sizes: impl Iterator<Item = usize>) -> u8 {
        let mut class = 0;
        for (place, size) in sizes.enumerate().take(MOST_CLASSED) {
            class |= u8::from(size > 0) << place;
            let is_answer = self.short.is_some_and(|short| short.answer == place);
            if is_answer && ShortAnswers::is_short(size) {
                class |= SHORT;
            }
        }
        class
    }

    /// Where some similarities say nothing about keys, lets keys find all pairs that are alike enough under a probe in which
    /// all must be.
    pub(super) fn lower_to_guard(&self, probes: &mut [Probe]) -> Result<(), Error> {
        let mut lacks_keys = false;
        for probe in probes.iter() {
            lacks_keys |= probe.bounds()?.least_jaccard(probe.floor) <= 0.0;
        }
        for (probe, &least) in probes.iter_mut().zip(&self.least) {
            if lacks_keys && least > 0.0 && probe.bounds()?.least_jaccard(least) > 0.0 {
                probe.floor = probe.floor.min(least);
            }
        }
        Ok(())
    }

    /// The probe with keys in which units must be alike at least as much as these keys find pairs for: it finds all that the
    /// others would, among units that have it.
    pub fn guard<'p>(&self, probes: &'p [Probe]) -> Option<&'p Probe> {
        let asked = probes.iter().zip(&self.least);
        let mut guards =
            asked.filter(|(probe, least)| probe.keys.is_some() && **least >= probe.floor);
        guards.next().map(|(probe, _)| probe)
    }

    /// The least that answers of two units count as, if one of them is short and both have a question.
    pub fn short_answer(&self, size: impl Fn(usize) -> (usize, usize)) -> Option<(usize, f64)> {
        let short = self.short?;
        let ((a, b), question) = (size(short.answer), size(short.question));
        let has_short = ShortAnswers::is_short(a) || ShortAnswers::is_short(b);
        let applies = has_short && a.min(b) > 0 && question.0.min(question.1) > 0;
        applies.then_some((short.answer, ShortAnswers::COUNT))
    }

    /// Whether two units of these sizes can reach the threshold, if they are as alike under each probe as `most` says.
    pub fn can_reach(
        &self,
        size: impl Fn(usize) -> (usize, usize),
        most: impl Fn(usize, (usize, usize)) -> f64,
    ) -> bool {
        let (mut sum, mut total) = (0.0, 0.0);
        for (probe, weight) in self.weights.iter().enumerate() {
            let (a, b) = size(probe);
            if self.absence.counts(a > 0, b > 0) {
                total += weight;
            }
            if a > 0 && b > 0 {
                sum += weight * most(probe, (a, b));
            }
        }
        // Only what is clearly below is left out; the exact comparison decides.
        total > 0.0 && sum >= self.threshold * total - 1e-9
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
        let mut of_probes = vec![vec![NEVER; usize::from(Class::MAX) + 1]; self.weights.len()];
        let mut known: BTreeMap<Counted, Vec<f64>> = BTreeMap::new();
        for &own in classes {
            for &other in classes {
                let counted = self.counted(own, other);
                if counted.both == 0 || counted.parts == 0 {
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
    fn counted(&self, a: Class, b: Class) -> Counted {
        let has = |class: Class, place: usize| class >> place & 1 == 1;
        let counts = |place: &usize| self.absence.counts(has(a, *place), has(b, *place));
        let places = (0..self.weights.len()).filter(counts);
        let both = a & b & !SHORT;
        let by_question = |short: ShortAnswers| {
            (a | b) & SHORT != 0 && has(both, short.answer) && has(both, short.question)
        };
        Counted {
            parts: places.fold(0, |counted, place| counted | 1 << place),
            both,
            by_question: self.short.is_some_and(by_question),
        }
    }

    /// The cheapest floors that miss nothing: those of the mean, or what one part asks for that both units have.
    fn cheapest(&self, costs: &[[f64; GRID]], counted: Counted) -> Vec<f64> {
        let alone = |place: usize| {
            let step = self.step_of_least(place)?;
            let mut floors = vec![NEVER; self.weights.len()];
            floors[place] = self.grid()[step];
            Some((costs[place][step], floors))
        };
        if let Some(short) = self.short.filter(|_| counted.by_question)
            && let Some((_, floors)) = alone(short.question)
        {
            return floors;
        }
        let (mut cheapest, floors) = self.cheapest_of_mean(costs, counted.parts);
        let mut best = floors;
        let both = (0..self.weights.len()).filter(|&place| counted.both >> place & 1 == 1);
        for (cost, floors) in both.filter_map(alone) {
            if cost < cheapest {
                (cheapest, best) = (cost, floors);
            }
        }
        best
    }

    /// The highest floor that what a part asks for reaches; none where it asks for less than any.
    fn step_of_least(&self, place: usize) -> Option<usize> {
        let least = self.least[place];
        self.grid().iter().rposition(|&floor| floor <= least)
    }

    /// The cheapest floors where these parts count, with what they cost: a knapsack of what the mean can bear.
    fn cheapest_of_mean(&self, costs: &[[f64; GRID]], counted: Class) -> (f64, Vec<f64>) {
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
        let cost = |&place: &usize| {
            let step = grid.iter().position(|&floor| floor == floors[place]);
            step.map_or(0.0, |step| costs[place][step])
        };
        (places.iter().map(cost).sum(), floors)
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
            least: vec![0.0; weights.len()],
            short: None,
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

    #[test]
    fn what_a_part_asks_for_is_looked_for_alone_where_that_is_cheaper() {
        let mut mean = mean(&[0.4, 0.2, 0.4], 0.5);
        mean.least = vec![0.0, 0.0, 0.25];
        let costs = [falling(1000.0), falling(1000.0), falling(1.0)];
        let floors = mean.choose(&costs, &[0b111]);
        let of_all: Vec<f64> = floors.of_probes.iter().map(|probe| probe[0b111]).collect();
        assert_eq!(of_all, [NEVER, NEVER, 0.25]);
    }

    #[test]
    fn threads_with_a_short_answer_are_found_by_their_question() {
        let mut mean = mean(&[0.4, 0.2, 0.4], 0.5);
        mean.least = vec![0.5, 0.0, 0.25];
        mean.short = Some(ShortAnswers {
            answer: 2,
            question: 0,
        });
        let costs = [falling(1000.0), falling(1000.0), falling(1.0)];
        let short = mean.class([4, 30, 1].into_iter());
        let long = mean.class([4, 30, 90].into_iter());
        let floors = mean.choose(&costs, &[short, long]);
        assert_eq!(floors.of_probes[0][usize::from(short)], 0.5);
        assert_eq!(floors.of_probes[0][usize::from(long)], 0.5);
        assert_eq!(floors.of_probes[2][usize::from(long)], 0.25);
        let short_answer = |a, b| mean.short_answer(|place| [(4, 4), (0, 0), (a, b)][place]);
        assert_eq!(short_answer(1, 90), Some((2, ShortAnswers::COUNT)));
        assert_eq!(short_answer(2, 90), None);
    }

    proptest! {
        #[test]
        fn no_pair_that_reaches_the_threshold_is_below_all_floors(
            weights in prop::collection::vec(0.01f64..1.0, 2..5),
            threshold in 0.05f64..=1.0,
            costs in prop::collection::vec(0.0f64..1000.0, 5),
            similarities in prop::collection::vec(prop_oneof![0.0f64..=1.0, Just(1.0)], 5),
            least in prop::collection::vec(prop_oneof![Just(0.0), 0.0f64..=1.0], 5),
            (own, other) in (1u8..16, 1u8..16),
            (in_both, in_one) in (any::<bool>(), any::<bool>()),
        ) {
            let absent = |different| if different { Absent::Different } else { Absent::LeftOut };
            let absence = Absence { in_both: absent(in_both), in_one: absent(in_one) };
            let mean = Mean { absence, ..mean(&weights, threshold) };
            let mask = (1u8 << weights.len()) - 1;
            let (own, other) = (own & mask, other & mask);
            let costs: Vec<_> = costs.iter().take(weights.len()).map(|&most| falling(most)).collect();
            let mean = Mean { least: least[..weights.len()].to_vec(), ..mean };
            let floors = mean.choose(&costs, &[own, other]);
            let (mut sum, mut total) = (0.0, 0.0);
            let mut reaches_a_floor = false;
            let mut reaches_least = true;
            for (place, weight) in weights.iter().enumerate() {
                let (a, b) = (own >> place & 1 == 1, other >> place & 1 == 1);
                if !absence.counts(a, b) {
                    continue;
                }
                total += weight;
                if a && b {
                    sum += weight * similarities[place];
                    reaches_least &= similarities[place] >= mean.least[place];
                    let of = |class: u8| floors.of_probes[place][usize::from(class)];
                    reaches_a_floor |= similarities[place] >= of(own).max(of(other)) * (1.0 - 1e-9);
                }
            }
            if total > 0.0 && sum / total >= threshold && reaches_least {
                prop_assert!(reaches_a_floor, "{:?}", floors);
            }
        }
    }
}
