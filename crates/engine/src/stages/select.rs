//! Choose the rarest features of each unit, its prefix, by which all similar pairs are found.
//!
//! In: the tape, which holds the features of all units. Out: a posting for each feature of a prefix that another unit
//! has too; or, where there is another way, that prefixes cost too much. That is judged by a sample of the features, of
//! a size that every memory has room for, so that the choice depends on the corpus alone.

use std::iter::Sum;
use std::ops::Range;
use std::thread;

use lookalike_pair::join::{Floors, PrefixPosting, PrefixRule};
use lookalike_pair::spill::{Partitions, Shuffle, Spool};
use lookalike_pair::verify::Bounds;
use lookalike_sign::keys::{Frequencies, Part};
use lookalike_text::UnitId;
use lookalike_text::hash::mix64;

use super::{Context, Units};
use crate::Error;
use crate::plan::{ChosenFloors, Mean, Plan};
use crate::workers::{Flow, Pulled, in_order};

/// What prefixes come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct PrefixCost {
    /// Features looked up.
    postings: u64,
    /// Pairs that share one of them, each counted once a feature.
    proposals: u64,
}

/// So little is always worth an exact answer: it takes a fraction of a second.
const LITTLE: u64 = 2_000_000;
/// Beyond it, prefixes may come to these shares of the features, where there is another way. A feature looked up costs
/// about as much as reading one, a proposal less. With these limits exact runs took up to about twice as long as MinHash.
const MOST_POSTINGS: f64 = 0.125;
const MOST_PROPOSALS: f64 = 0.25;

impl PrefixCost {
    /// Both as one number, to compare floors by.
    fn work(self) -> f64 {
        (self.postings + self.proposals) as f64
    }

    fn times(self, share: f64) -> PrefixCost {
        PrefixCost {
            postings: (self.postings as f64 * share) as u64,
            // Each of a pair.
            proposals: (self.proposals as f64 * share * share) as u64,
        }
    }

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
        })
    }
}

/// The prefixes of all units, or that they cost too much.
pub(crate) enum Selected {
    Prefixes(Prefixes),
    TooMany,
}

/// The prefixes of all units under each probe, and the floors they are for.
pub(crate) struct Prefixes {
    pub(crate) of_probes: Vec<Shuffle<PrefixPosting>>,
    pub(crate) floors: ChosenFloors,
    pub(crate) sizes: Sizes,
}

/// How many features each unit has under each probe.
pub(crate) struct Sizes {
    of_probes: Vec<Vec<u32>>,
    /// Which probes find features in each unit, a bit a probe; empty where that does not matter.
    classes: Vec<u8>,
}

impl Sizes {
    fn read(context: &Context<'_>, units: Units<'_>) -> Result<Self, Error> {
        let probed = units.signed.probed.iter();
        let of_probes: Vec<Vec<u32>> = probed
            .map(|probed| probed.sizes.read_all())
            .collect::<Result<_, _>>()?;
        let mean = context.plan.mean.as_ref();
        let classes = if mean.is_some_and(Mean::has_classes) {
            let mut classes = vec![0; units.count()];
            for (probe, sizes) in of_probes.iter().enumerate() {
                let marked = classes.iter_mut().zip(sizes);
                marked.for_each(|(class, &size)| *class |= u8::from(size > 0) << probe);
            }
            classes
        } else {
            Vec::new()
        };
        Ok(Sizes { of_probes, classes })
    }

    /// The classes that units are of.
    fn classes(&self) -> Vec<u8> {
        let mut known = [false; 256];
        self.classes
            .iter()
            .for_each(|&class| known[usize::from(class)] = true);
        (1..=u8::MAX)
            .filter(|&class| known[usize::from(class)])
            .collect()
    }

    /// Whether two units can reach the threshold, judged by their sizes under all probes.
    pub(crate) fn admit(&self, plan: &Plan, (a, b): (UnitId, UnitId)) -> bool {
        let Some(mean) = &plan.mean else {
            return true;
        };
        let (mut sum, mut total) = (0.0, 0.0);
        for ((sizes, probe), weight) in self.of_probes.iter().zip(&plan.probes).zip(&mean.weights) {
            let (a, b) = (sizes[a.index()] as usize, sizes[b.index()] as usize);
            if !mean.absence.counts(a > 0, b > 0) {
                continue;
            }
            total += weight;
            if let (true, Some(of_sets)) = (a > 0 && b > 0, probe.measure.of_sets()) {
                sum += weight * of_sets.similarity(a.min(b), a, b);
            }
        }
        sum >= mean.threshold * total - 1e-9
    }

    /// When units that share a feature under a probe are compared.
    pub(crate) fn rule<'r>(
        &'r self,
        context: &'r Context<'_>,
        (probe, floors): (usize, &'r ChosenFloors),
    ) -> Result<PrefixRule<'r>, Error> {
        Ok(PrefixRule {
            bounds: context.plan.probes[probe].bounds()?,
            floors: Floors::new(&floors.of_probes[probe], &self.classes),
            sizes: &self.of_probes[probe],
        })
    }
}

/// Whether prefixes are the only way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtAnyCost {
    Yes,
    No,
}

/// Chooses the prefixes.
pub(crate) fn select(
    context: &Context<'_>,
    units: Units<'_>,
    at_any_cost: AtAnyCost,
) -> Result<Selected, Error> {
    let sizes = Sizes::read(context, units)?;
    let Some(floors) = choose_floors(context, units, (&sizes, at_any_cost))? else {
        return Ok(Selected::TooMany);
    };
    let mut of_probes = Vec::new();
    for probe in 0..context.plan.probes.len() {
        let rule = sizes.rule(context, (probe, &floors))?;
        let tape = Tape::new(units, probe, &sizes);
        of_probes.push(tape.prefixes(context, units, rule)?);
    }
    Ok(Selected::Prefixes(Prefixes {
        of_probes,
        floors,
        sizes,
    }))
}

/// The floors by which pairs are found, or none if that costs too much and there is another way. They are fixed, unless
/// the measure is a weighted mean: then the cheapest that miss nothing.
fn choose_floors(
    context: &Context<'_>,
    units: Units<'_>,
    (sizes, at_any_cost): (&Sizes, AtAnyCost),
) -> Result<Option<ChosenFloors>, Error> {
    let plan = context.plan;
    let grid: Vec<Vec<f64>> = match &plan.mean {
        Some(mean) => vec![mean.grid().to_vec(); plan.probes.len()],
        None => plan.probes.iter().map(|probe| vec![probe.floor]).collect(),
    };
    if plan.mean.is_none() && at_any_cost == AtAnyCost::Yes {
        return Ok(Some(ChosenFloors { of_probes: grid }));
    }
    let mut costs: Vec<Vec<PrefixCost>> = Vec::new();
    let mut features = 0;
    for (probe, floors) in grid.iter().enumerate() {
        let tape = Tape::new(units, probe, sizes);
        features += tape.items.len();
        let bounds = plan.probes[probe].bounds()?;
        costs.push(tape.estimate(context, units, (bounds, floors))?);
    }
    let (floors, cost) = match &plan.mean {
        None => {
            let cost = costs.iter().map(|of_probe| of_probe[0]).sum();
            (ChosenFloors { of_probes: grid }, cost)
        }
        Some(mean) => {
            let work =
                |of_probe: &Vec<PrefixCost>| std::array::from_fn(|step| of_probe[step].work());
            let works: Vec<_> = costs.iter().map(work).collect();
            let floors = mean.choose(&works, &sizes.classes());
            let cost = cost_of(&floors, &costs, (&grid, &sizes.classes));
            (floors, cost)
        }
    };
    let too_high = at_any_cost == AtAnyCost::No && cost.is_too_high(features);
    Ok((!too_high).then_some(floors))
}

/// What floors by class come to: the floor that most units have, probe by probe.
fn cost_of(
    floors: &ChosenFloors,
    costs: &[Vec<PrefixCost>],
    (grid, classes): (&[Vec<f64>], &[u8]),
) -> PrefixCost {
    let mut units = [0u64; 256];
    classes
        .iter()
        .for_each(|&class| units[usize::from(class)] += 1);
    let of_probe = |(probe, costs): (usize, &Vec<PrefixCost>)| {
        let of_class = &floors.of_probes[probe];
        let share = |class: usize| {
            let step = grid[probe]
                .iter()
                .position(|&floor| floor == of_class[class]);
            let cost = step.map_or(PrefixCost::default(), |step| costs[step]);
            cost.times(units[class] as f64 / classes.len().max(1) as f64)
        };
        match of_class.len() {
            1 => grid[probe]
                .iter()
                .position(|&floor| floor == of_class[0])
                .map_or(PrefixCost::default(), |step| costs[step]),
            several => (0..several).map(share).sum(),
        }
    };
    costs.iter().enumerate().map(of_probe).sum()
}

/// Consecutive units, and where their features begin on the tape.
#[derive(Debug, Clone)]
struct Chunk {
    units: Range<usize>,
    begin: u64,
    features: usize,
}

fn chunks(sizes: &[u32]) -> Vec<Chunk> {
    /// Features read at a time.
    const FEATURES: usize = 1 << 18;
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut begin = 0;
    for (unit, &size) in sizes.iter().enumerate() {
        match chunks.last_mut() {
            Some(last) if last.features + size as usize <= FEATURES => {
                last.units.end += 1;
                last.features += size as usize;
            }
            _ => chunks.push(Chunk {
                units: unit..unit + 1,
                begin,
                features: size as usize,
            }),
        }
        begin += u64::from(size);
    }
    chunks
}

/// The features of all units under one probe.
struct Tape<'t> {
    items: &'t Spool<u32>,
    sizes: &'t [u32],
    chunks: Vec<Chunk>,
}

impl<'t> Tape<'t> {
    fn new(units: Units<'t>, probe: usize, sizes: &'t Sizes) -> Self {
        let sizes = &sizes.of_probes[probe];
        Tape {
            items: &units.signed.probed[probe].tape,
            sizes,
            chunks: chunks(sizes),
        }
    }

    /// The prefixes of all units.
    fn prefixes(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        rule: PrefixRule<'_>,
    ) -> Result<Shuffle<PrefixPosting>, Error> {
        let memory = context.budget.percent(20);
        let frequencies = self.count(context.threads, units, (Sampled::ALL, memory))?;
        let postings = Shuffle::new(
            "prefixes",
            context.folder,
            Partitions::of_hashes(context.budget.partitions),
            context.budget.percent(20) / context.plan.probes.len(),
        );
        let mut next = 0;
        in_order(
            context.threads,
            || Ok((0, Chooser::new(&frequencies, rule))),
            |(mine, _): &mut (usize, Chooser<'_>)| {
                *mine = next;
                next += 1;
                Ok(if *mine < self.chunks.len() {
                    Pulled::Item
                } else {
                    Pulled::Nothing
                })
            },
            |(mine, chooser)| {
                self.for_each(&self.chunks[*mine], units, &mut |unit, features| {
                    chooser.choose(unit, features);
                })?;
                Ok(std::mem::take(&mut chooser.postings))
            },
            |chosen| {
                postings.extend(chosen)?;
                Ok(Flow::Continue)
            },
        )?;
        Ok(postings)
    }

    /// Tells the features of every unit of a chunk that stands for its group.
    fn for_each(
        &self,
        chunk: &Chunk,
        units: Units<'_>,
        each: &mut impl FnMut(UnitId, &[u32]),
    ) -> Result<(), Error> {
        let mut read = Vec::new();
        let mut rest = match self.items.in_memory(chunk.begin, chunk.features) {
            Some(features) => features,
            None => {
                read.resize(chunk.features, 0);
                self.items.read_at(&mut read, chunk.begin)?;
                &read
            }
        };
        for unit in chunk.units.clone() {
            let (features, after) = rest.split_at(self.sizes[unit] as usize);
            rest = after;
            let unit = UnitId::from(unit as u32);
            if !features.is_empty() && units.groups.is_first(unit) {
                each(unit, features);
            }
        }
        Ok(())
    }

    /// About how often each sampled feature occurs.
    fn count(
        &self,
        threads: usize,
        units: Units<'_>,
        (sampled, memory): (Sampled, usize),
    ) -> Result<Frequencies, Error> {
        /// Every part reads the whole tape, so more of them soon gain nothing.
        const MOST_PARTS: usize = 4;
        let mut frequencies = Frequencies::new(self.items.len() >> sampled.bits, memory);
        thread::scope(|scope| {
            let counting: Vec<_> = frequencies
                .parts(threads.min(MOST_PARTS))
                .into_iter()
                .map(|part| scope.spawn(move || self.count_part(units, sampled, part)))
                .collect();
            counting
                .into_iter()
                .try_for_each(|counted| match counted.join() {
                    Ok(counted) => counted,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
        })?;
        Ok(frequencies)
    }

    fn count_part(
        &self,
        units: Units<'_>,
        sampled: Sampled,
        mut part: Part<'_>,
    ) -> Result<(), Error> {
        let mut chosen = Vec::new();
        self.chunks.iter().try_for_each(|chunk| {
            self.for_each(chunk, units, &mut |_, features| {
                part.count(sampled.choose(features, &mut chosen));
            })
        })
    }

    /// About what prefixes for each of these floors, which ascend, would come to, judged by a sample.
    fn estimate(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        (bounds, floors): (&dyn Bounds, &[f64]),
    ) -> Result<Vec<PrefixCost>, Error> {
        let sampled = Sampled::of(self.items.len());
        let frequencies = self.count(context.threads, units, (sampled, usize::MAX))?;
        let at = |floor: &f64, size: usize| {
            let rule = PrefixRule {
                bounds,
                floors: Floors::new(&[], &[]),
                sizes: &[],
            };
            rule.prefix_at(*floor, size)
        };
        let (mut chosen, mut shared) = (Vec::new(), Vec::new());
        // Each feature with how many of the floors look it up: the first ones, which are the lowest.
        let mut looked_up: Vec<(u32, u32)> = Vec::new();
        for chunk in &self.chunks {
            self.for_each(chunk, units, &mut |unit, features| {
                let chosen = sampled.choose(features, &mut chosen);
                // Rounded up as often as not rounding would come to: units may have but a feature or two in the sample.
                let chance = (mix64(unit.get().into()) >> 11) as f64 / (1u64 << 53) as f64;
                let share = chosen.len() as f64 / features.len() as f64;
                shared.clear();
                let counted = chosen
                    .iter()
                    .map(|&feature| (frequencies.of(feature), feature));
                shared.extend(counted);
                shared.sort_unstable();
                let mut floor = floors.len();
                for (place, &(count, feature)) in shared.iter().enumerate() {
                    let prefix = |floor: usize| {
                        let whole = at(&floors[floor], features.len());
                        (whole as f64 * share + chance) as usize
                    };
                    while floor > 0 && prefix(floor - 1) <= place {
                        floor -= 1;
                    }
                    if floor == 0 {
                        break;
                    }
                    if count > 1 {
                        looked_up.push((feature, floor as u32));
                    }
                }
            })?;
        }
        looked_up.sort_unstable();
        let mut costs = vec![PrefixCost::default(); floors.len()];
        for bucket in looked_up.chunk_by(|a, b| a.0 == b.0) {
            for (floor, cost) in costs.iter_mut().enumerate() {
                let below = bucket.partition_point(|&(_, floors)| floors as usize <= floor);
                let units = (bucket.len() - below) as u64;
                cost.postings += units;
                cost.proposals += units * units.saturating_sub(1) / 2;
            }
        }
        for cost in &mut costs {
            cost.postings <<= sampled.bits;
            cost.proposals <<= sampled.bits;
        }
        Ok(costs)
    }
}

/// Features with so many bits zero, after another hash: one of 2^bits.
#[derive(Debug, Clone, Copy)]
struct Sampled {
    bits: u32,
}

impl Sampled {
    const ALL: Sampled = Sampled { bits: 0 };

    /// A sample of so many features that is never too large for memory.
    fn of(features: u64) -> Self {
        const MOST: u64 = 1 << 22;
        let bits = (0..31).find(|bits| features >> bits <= MOST);
        Sampled {
            bits: bits.unwrap_or(31),
        }
    }

    fn choose<'f>(self, features: &'f [u32], chosen: &'f mut Vec<u32>) -> &'f [u32] {
        if self.bits == 0 {
            return features;
        }
        // By other bits than those that choose a slot.
        let is_chosen = |feature: &u32| feature.wrapping_mul(0x9E37_79B1) >> (32 - self.bits) == 0;
        chosen.clear();
        chosen.extend(features.iter().filter(|&feature| is_chosen(feature)));
        chosen
    }
}

/// Chooses the prefix of one unit after the other.
struct Chooser<'r> {
    frequencies: &'r Frequencies,
    rule: PrefixRule<'r>,
    /// The features of a unit that others may have, each after its frequency.
    shared: Vec<(u8, u32)>,
    postings: Vec<PrefixPosting>,
}

impl<'r> Chooser<'r> {
    fn new(frequencies: &'r Frequencies, rule: PrefixRule<'r>) -> Self {
        Chooser {
            frequencies,
            rule,
            shared: Vec::new(),
            postings: Vec::new(),
        }
    }

    fn choose(&mut self, unit: UnitId, features: &[u32]) {
        let prefix = self.rule.prefix(unit, features.len());
        // What occurs nowhere else comes first in the order. If it fills the prefix, no pair can be missed.
        let lone = self.frequencies.lone(features, prefix);
        if lone >= prefix {
            return;
        }
        self.shared.clear();
        let counted = features
            .iter()
            .map(|&feature| (self.frequencies.of(feature), feature));
        self.shared.extend(counted.filter(|&(count, _)| count > 1));
        let wanted = prefix - lone;
        if wanted < self.shared.len() {
            self.shared.select_nth_unstable(wanted);
            self.shared.truncate(wanted);
        }
        self.shared.sort_unstable();
        for (place, &(_, feature)) in self.shared.iter().enumerate() {
            self.postings
                .push(PrefixPosting::new(feature, unit, lone + place));
        }
    }
}
