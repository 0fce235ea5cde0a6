//! Choose the rarest features of each unit, its prefix, by which all similar pairs are found.
//!
//! In: the tape, which holds the features of all units. Out: a posting for each feature of a prefix that another unit
//! has too, or for a model the floors it is found by; or, where there is another way, that prefixes cost too much.

mod common;
mod cost;
mod overlap;
mod rarest;
mod sizes;

use lookalike_kernel::ChosenFloors;
use lookalike_kernel::decide::{self, AtAnyCost};
use lookalike_pair::join::PrefixPosting;
use lookalike_pair::spill::Shuffle;

use super::tape::Tape;
use super::{Context, Units};
use crate::Error;
pub(crate) use common::Spread;
pub(crate) use overlap::{Overlaps, common};
pub(crate) use sizes::Sizes;

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
    let plan = context.plan();
    let known = |(probe, floors): (usize, &Vec<f64>)| {
        let bounds = plan.probes[probe].bounds()?;
        Tape::of_probe(units, probe, &sizes).estimate(context, units, (bounds, floors))
    };
    let chosen = decide::floors(plan, at_any_cost, &sizes.class_counts(), known)?;
    let Some(floors) = chosen else {
        return Ok(Selected::TooMany);
    };
    let sought = Sought { floors, sizes };
    if context.plan().model.is_some() {
        return Ok(Selected::ToCount(sought));
    }
    let tape = Tape::of_probe(units, 0, &sought.sizes);
    let rule = sought.rule(context, 0)?;
    let postings = tape.postings(context, units, rule)?;
    Ok(Selected::Prefixes(Prefixes { postings, sought }))
}
