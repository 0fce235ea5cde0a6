//! Choose the rarest features of each unit, its prefix, by which all similar pairs are found.
//!
//! In: the tape, which holds the features of all units. Out: a posting for each feature of a prefix that another unit
//! has too, or for a model the floors it is found by; or, where there is another way, that prefixes cost too much.

mod common;
mod cost;
mod overlap;
mod sizes;
mod tape;

use lookalike_pair::join::PrefixPosting;
use lookalike_pair::spill::Shuffle;

use super::{Context, Units};
use crate::Error;
use cost::PrefixCost;
use lookalike_kernel::ChosenFloors;
pub(crate) use overlap::Overlaps;
pub(crate) use sizes::Sizes;
pub(crate) use tape::Tape;

/// How pairs are found by prefixes, or that it costs too much.
pub(crate) enum Selected {
    /// By the prefixes of all units.
    Prefixes(Prefixes),
    /// By counting what prefixes have in common.
    ToCount(Sought),
    TooMany,
}

/// From which similarity on pairs are looked for, and what is known of the units.
pub(crate) struct Sought {
    pub(crate) floors: ChosenFloors,
    pub(crate) sizes: Sizes,
}

/// The prefixes of all units.
pub(crate) struct Prefixes {
    pub(crate) postings: Shuffle<PrefixPosting>,
    pub(crate) sought: Sought,
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
    if units.signed.is_too_many(context) {
        return Ok(Selected::TooMany);
    }
    let sizes = Sizes::read(context, units)?;
    let Some(floors) = choose_floors(context, units, (&sizes, at_any_cost))? else {
        return Ok(Selected::TooMany);
    };
    let sought = Sought { floors, sizes };
    if context.plan().model.is_some() {
        return Ok(Selected::ToCount(sought));
    }
    let tape = Tape::new(units, 0, &sought.sizes);
    let rule = sought.rule(context, 0)?;
    let postings = tape.postings(context, units, rule)?;
    Ok(Selected::Prefixes(Prefixes { postings, sought }))
}

/// The floors by which pairs are found, or none if that costs too much and there is another way. They are fixed, unless
/// the measure is a weighted mean: then the cheapest that miss nothing.
fn choose_floors(
    context: &Context<'_>,
    units: Units<'_>,
    (sizes, at_any_cost): (&Sizes, AtAnyCost),
) -> Result<Option<ChosenFloors>, Error> {
    let plan = context.plan();
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
            let floors = mean.choose(&works, &sizes.distinct_classes());
            let cost = cost_of(&floors, &costs, (&grid, &sizes.classes));
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
