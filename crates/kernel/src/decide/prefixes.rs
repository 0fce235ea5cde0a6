//! Whether finding every pair by its rarest features is cheap, and from which similarity on to look for pairs in which
//! respect.
//!
//! Judged by a sample of the features, which is of a size that every memory has room for, so that what is chosen by it
//! depends on the corpus alone. The aggregates: how many features there are, how often each of the sampled ones occurs,
//! and, from these, what the prefixes of all units come to ([`PrefixCosts`], a sum over features). A text of a hundred words
//! may have no feature in the sample, and have very many variants: so of a few units all features are looked at, too.

use std::iter::Sum;

use lookalike_pair::join::{Floors, PrefixRule};
use lookalike_pair::verify::Bounds;
use lookalike_text::UnitId;
use lookalike_text::hash::mix64;

use crate::Error;
use crate::plan::{ChosenFloors, Plan};

/// Features with so many bits zero, after another hash: one of 2^bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureSample {
    bits: u32,
}

impl FeatureSample {
    /// All of them.
    pub const ALL: FeatureSample = FeatureSample { bits: 0 };

    /// A sample of so many features that is never too large for memory.
    pub fn of(features: u64) -> Self {
        const MOST: u64 = 1 << 20;
        let bits = (0..31).find(|bits| features >> bits <= MOST);
        FeatureSample {
            bits: bits.unwrap_or(31),
        }
    }

    /// How many of so many features are in it, about.
    pub fn share_of(self, features: u64) -> u64 {
        features >> self.bits
    }

    /// Those of a unit, by way of `chosen`.
    pub fn choose<'f>(self, features: &'f [u32], chosen: &'f mut Vec<u32>) -> &'f [u32] {
        if self.bits == 0 {
            return features;
        }
        // By other bits than those that choose a slot in a table of counts.
        let is_chosen = |feature: &u32| feature.wrapping_mul(0x9E37_79B1) >> (32 - self.bits) == 0;
        chosen.clear();
        chosen.extend(features.iter().filter(|&feature| is_chosen(feature)));
        chosen
    }

    /// Whether a unit of these features is one of those of which all are looked at: one of 2^bits. None is where all
    /// features are in the sample.
    pub fn has_unit(self, features: &[u32]) -> bool {
        let sum = features.iter().fold(0u64, |sum, &f| sum + u64::from(f));
        self.bits > 0 && !features.is_empty() && mix64(sum) >> (64 - self.bits) == 0
    }
}

/// So many of the units of which all features are looked at must have a feature for it to be common.
const COMMON: usize = 16;

/// What the prefixes of all units come to, under one probe, for each of some floors, which ascend.
#[derive(Clone)]
pub struct PrefixCosts<'p> {
    bounds: &'p dyn Bounds,
    floors: &'p [f64],
    sample: FeatureSample,
    costs: Vec<PrefixCost>,
    /// By the features that are common among units of which all features are known.
    of_common: Vec<PrefixCost>,
}

impl<'p> PrefixCosts<'p> {
    /// Of nothing yet.
    pub fn new(bounds: &'p dyn Bounds, floors: &'p [f64], sample: FeatureSample) -> Self {
        PrefixCosts {
            bounds,
            floors,
            sample,
            costs: vec![PrefixCost::default(); floors.len()],
            of_common: vec![PrefixCost::default(); floors.len()],
        }
    }

    /// Tells each sampled feature that the prefixes of a unit of so many features hold, with how many of the floors look
    /// it up: the first ones, which are the lowest. The sampled ones come with how often they occur, the rarest first.
    pub fn looked_up(
        &self,
        (unit, size): (UnitId, usize),
        sampled: &[(u32, u32)],
        mut each: impl FnMut(u32, u32),
    ) {
        let rule = self.rule();
        // Rounded up as often as not rounding would come to: units may have but a feature or two in the sample.
        let chance = (mix64(unit.get().into()) >> 11) as f64 / (1u64 << 53) as f64;
        let share = sampled.len() as f64 / size as f64;
        let mut floor = self.floors.len();
        for (place, &(count, feature)) in sampled.iter().enumerate() {
            let prefix = |floor: usize| {
                let whole = rule.prefix_at(self.floors[floor], size);
                (whole as f64 * share + chance) as usize
            };
            while floor > 0 && prefix(floor - 1) <= place {
                floor -= 1;
            }
            if floor == 0 {
                break;
            }
            if count > 1 {
                each(feature, floor as u32);
            }
        }
    }

    /// Adds features, sorted: each as often as a unit looks it up, with at how many floors.
    pub fn add(&mut self, looked_up: &[(u32, u32)]) {
        add(&mut self.costs, looked_up);
    }

    /// Adds the units of which all features are known ([`FeatureSample::has_unit`]).
    pub fn add_units(&mut self, units: &[Vec<u32>]) {
        let mut all: Vec<u32> = units.iter().flatten().copied().collect();
        all.sort_unstable();
        let common: Vec<(u32, usize)> = (all.chunk_by(|a, b| a == b))
            .filter(|same| same.len() >= COMMON)
            .map(|same| (same[0], same.len()))
            .collect();
        let (rule, mut looked_up, mut own) = (self.rule(), Vec::new(), Vec::new());
        for unit in units {
            own.clear();
            for &feature in unit {
                let place = common.binary_search_by_key(&feature, |&(common, _)| common);
                own.extend(place.map(|place| (common[place].1, feature)));
            }
            own.sort_unstable();
            // All others come before them in the order.
            for (place, &(_, feature)) in (unit.len() - own.len()..).zip(&own) {
                let looks = |floor: &&f64| rule.prefix_at(**floor, unit.len()) > place;
                let floors = self.floors.iter().take_while(looks).count();
                looked_up.extend((floors > 0).then_some((feature, floors as u32)));
            }
        }
        looked_up.sort_unstable();
        add(&mut self.of_common, &looked_up);
    }

    fn rule(&self) -> PrefixRule<'p> {
        PrefixRule {
            bounds: self.bounds,
            floors: Floors::new(&[], &[]),
            sizes: &[],
        }
    }

    /// What the whole corpus comes to, of so many units and features.
    pub fn finish(mut self, units: usize, features: u64) -> Vec<PrefixCost> {
        let size = (features as usize).div_ceil(units.max(1));
        let bits = self.sample.bits;
        let floors = self.of_common.iter().zip(self.floors);
        for (cost, (common, &floor)) in self.costs.iter_mut().zip(floors) {
            cost.postings = cost.postings.max(common.postings) << bits;
            // Of a pair both must be known.
            let proposals = common.proposals.saturating_mul(1 << (2 * bits));
            cost.proposals = (cost.proposals << bits).max(proposals);
            cost.compared = match common_needed(self.bounds, size, floor.min(1.0)) {
                0 | 1 => cost.proposals,
                2 => cost.proposals / 4,
                3 => cost.proposals / 16,
                _ => 0,
            };
        }
        self.costs
    }
}

fn add(costs: &mut [PrefixCost], looked_up: &[(u32, u32)]) {
    for same in looked_up.chunk_by(|a, b| a.0 == b.0) {
        for (floor, cost) in costs.iter_mut().enumerate() {
            let below = same.partition_point(|&(_, floors)| floors as usize <= floor);
            let units = (same.len() - below) as u64;
            cost.postings += units;
            cost.proposals += units * units.saturating_sub(1) / 2;
        }
    }
}

/// How many common features of their prefixes two units of the usual size must have to be compared.
fn common_needed(bounds: &dyn Bounds, size: usize, floor: f64) -> usize {
    let after = bounds.least_with_any(size, floor) - 1;
    bounds.least_common(size, size, floor).saturating_sub(after)
}

/// What prefixes come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PrefixCost {
    /// Features looked up.
    postings: u64,
    /// Pairs that share one of them, each counted once a feature.
    proposals: u64,
    /// About how many of them have enough in common to be compared.
    compared: u64,
}

/// So little is always worth an exact answer: it takes a fraction of a second.
const LITTLE: u64 = 2_000_000;
/// Beyond it, prefixes may come to these shares of the features, where there is another way. A feature looked up costs
/// about as much as reading one, a proposal less. With these limits exact runs took up to about twice as long as MinHash.
const MOST_POSTINGS: f64 = 0.125;
const MOST_PROPOSALS: f64 = 0.25;

impl PrefixCost {
    /// Both as one number, to compare floors by: looking a feature up costs as much as counting some that are found.
    fn work(self) -> f64 {
        const LOOK_UP: f64 = 20.0;
        const COMPARE: f64 = 50.0;
        LOOK_UP * self.postings as f64 + self.proposals as f64 + COMPARE * self.compared as f64
    }

    /// Whether the pairs of a model are found more cheaply by keys: counting what a feature is shared by is cheap.
    fn is_too_high_to_count(self, features: u64) -> bool {
        const MOST: f64 = 100.0;
        self.work() > LITTLE as f64 && self.work() / features.max(1) as f64 > MOST
    }

    fn times(self, share: f64) -> PrefixCost {
        PrefixCost {
            postings: (self.postings as f64 * share) as u64,
            // Each of a pair.
            proposals: (self.proposals as f64 * share * share) as u64,
            compared: (self.compared as f64 * share * share) as u64,
        }
    }

    /// Whether pairs are found more cheaply by keys.
    fn is_too_high(self, features: u64) -> bool {
        let share = |count: u64| count as f64 / features.max(1) as f64;
        self.postings + self.proposals > LITTLE
            && (share(self.postings) > MOST_POSTINGS || share(self.proposals) > MOST_PROPOSALS)
    }
}

impl Sum for PrefixCost {
    fn sum<I: Iterator<Item = PrefixCost>>(costs: I) -> Self {
        costs.fold(PrefixCost::default(), |sum, cost| PrefixCost {
            postings: sum.postings + cost.postings,
            proposals: sum.proposals + cost.proposals,
            compared: sum.compared + cost.compared,
        })
    }
}

/// Whether prefixes are the only way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtAnyCost {
    /// There is no other.
    Yes,
    /// There are keys, too.
    No,
}

/// What is known of all units under one probe.
#[derive(Debug, Clone)]
pub struct ProbedUnits {
    /// How many features they have together.
    pub features: u64,
    /// What prefixes would come to, for each floor of [`grid`].
    pub costs: Vec<PrefixCost>,
}

/// How many units there are of each class: of those that have something under just these probes, a bit each.
pub type ClassCounts = [u64; 256];

/// The floors between which is chosen, probe by probe: one each, unless the measure is a weighted mean.
pub fn grid(plan: &Plan) -> Vec<Vec<f64>> {
    match &plan.mean {
        Some(mean) => vec![mean.grid().to_vec(); plan.probes.len()],
        None => plan.probes.iter().map(|probe| vec![probe.floor]).collect(),
    }
}

/// The floors by which pairs are found, or none if that costs too much and there is another way. They are fixed, unless
/// the measure is a weighted mean: then the cheapest that miss nothing. What is `known` is asked only if it matters.
///
/// # Errors
/// If what is known cannot be found out.
pub fn floors<E: From<Error>>(
    plan: &Plan,
    at_any_cost: AtAnyCost,
    classes: &ClassCounts,
    known: impl FnMut((usize, &Vec<f64>)) -> Result<ProbedUnits, E>,
) -> Result<Option<ChosenFloors>, E> {
    let grid = grid(plan);
    if plan.mean.is_none() && at_any_cost == AtAnyCost::Yes {
        return Ok(Some(ChosenFloors { of_probes: grid }));
    }
    let known = grid.iter().enumerate().map(known);
    let known: Vec<ProbedUnits> = known.collect::<Result<_, _>>()?;
    let features = known.iter().map(|probed| probed.features).sum();
    let (floors, cost) = match &plan.mean {
        None => {
            let cost = known.iter().map(|probed| probed.costs[0]).sum();
            (ChosenFloors { of_probes: grid }, cost)
        }
        Some(mean) => {
            let work = |probed: &ProbedUnits| std::array::from_fn(|step| probed.costs[step].work());
            let works: Vec<_> = known.iter().map(work).collect();
            let there = (1..=u8::MAX).filter(|&class| classes[usize::from(class)] > 0);
            let floors = mean.choose(&works, &there.collect::<Vec<_>>());
            let cost = cost_of(&floors, &known, (&grid, classes));
            (floors, cost)
        }
    };
    let too_high = if plan.model.is_some() {
        cost.is_too_high_to_count(features)
    } else {
        cost.is_too_high(features)
    };
    let too_high = too_high && at_any_cost == AtAnyCost::No;
    Ok((!too_high).then_some(floors))
}

/// What floors by class come to: the floor that most units have, probe by probe.
fn cost_of(
    floors: &ChosenFloors,
    known: &[ProbedUnits],
    (grid, classes): (&[Vec<f64>], &ClassCounts),
) -> PrefixCost {
    let units: u64 = classes.iter().sum();
    let of_probe = |(probe, ProbedUnits { costs, .. }): (usize, &ProbedUnits)| {
        let of_class = &floors.of_probes[probe];
        let cost = |class: usize| {
            let mut steps = grid[probe].iter();
            let step = steps.position(|&floor| floor == of_class[class]);
            step.map_or(PrefixCost::default(), |step| costs[step])
        };
        let share = |class: usize| cost(class).times(classes[class] as f64 / units.max(1) as f64);
        match of_class.len() {
            1 => cost(0),
            several => (0..several).map(share).sum(),
        }
    };
    known.iter().enumerate().map(of_probe).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Spec};

    #[test]
    fn a_text_with_many_variants_is_seen_though_none_of_its_features_is_sampled() {
        let sample = FeatureSample { bits: 6 };
        let hash = |number: u64| mix64(number) as u32;
        let is_missed = |&feature: &u32| sample.choose(&[feature], &mut Vec::new()).is_empty();
        let of_template: Vec<u32> = (0..).map(hash).filter(is_missed).take(90).collect();
        let variant = |number: u64| -> Vec<u32> {
            let own = (0..6).map(|place| hash(1_000_000 + 6 * number + place));
            of_template.iter().copied().chain(own).collect()
        };
        let units: Vec<Vec<u32>> = (0..10_000).map(variant).collect();
        let known: Vec<Vec<u32>> = (units.iter())
            .filter(|unit| sample.has_unit(unit))
            .cloned()
            .collect();
        assert!((100..250).contains(&known.len()), "{}", known.len());
        let kernel = Kernel::new(&Spec::default()).unwrap();
        let bounds = kernel.plan().probes[0].bounds().unwrap();
        let mut costs = PrefixCosts::new(bounds, &[0.7], sample);
        assert!(!costs.clone().finish(10_000, 960_000)[0].is_too_high(960_000));
        costs.add_units(&known);
        assert!(costs.finish(10_000, 960_000)[0].is_too_high(960_000));
    }

    #[test]
    fn what_few_units_share_is_not_taken_for_common() {
        let sample = FeatureSample { bits: 6 };
        let units: Vec<Vec<u32>> = (0..1000u32)
            .map(|number| (0..96).map(|place| number / 2 * 96 + place).collect())
            .collect();
        let kernel = Kernel::new(&Spec::default()).unwrap();
        let bounds = kernel.plan().probes[0].bounds().unwrap();
        let mut costs = PrefixCosts::new(bounds, &[0.7], sample);
        costs.add_units(&units);
        assert_eq!(costs.finish(1000, 96_000)[0], PrefixCost::default());
    }

    #[test]
    fn which_units_are_looked_at_does_not_depend_on_the_order_of_their_features() {
        let sample = FeatureSample { bits: 2 };
        for number in 0..100u32 {
            let features: Vec<u32> = (0..9)
                .map(|place| number * 77_777 + place * place)
                .collect();
            let reversed: Vec<u32> = features.iter().rev().copied().collect();
            assert_eq!(sample.has_unit(&features), sample.has_unit(&reversed));
        }
        assert!(!FeatureSample::ALL.has_unit(&[0]));
    }
}
