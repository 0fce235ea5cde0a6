//! Clusters by the one rule, spread over identical copies.
//!
//! In: verified pairs of units that stand for their group. Out: every removed unit with the one kept for it, by unit
//! and by cluster. A group is ranked by its best member; the member with that rank is the one kept.

use bytemuck::{Pod, Zeroable};
use lookalike_pair::Scored;
use lookalike_pair::assemble::{Directed, Removed, Stars};
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_text::UnitId;

use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;
use crate::rank::Ranks;

/// A removed unit by the one kept for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Member {
    pub(crate) kept: UnitId,
    pub(crate) unit: UnitId,
}

impl Item for Member {
    fn place(&self) -> u32 {
        self.kept.get()
    }
}

/// See the [module](self).
pub(crate) struct Assembled {
    pub(crate) removed: Shuffle<Removed>,
    pub(crate) members: Shuffle<Member>,
}

/// Applies the rule.
pub(crate) fn assemble(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
) -> Result<Assembled, Error> {
    let Units { groups, ranks, .. } = units;
    let assembled = Assembled {
        removed: context.by_number("removed", units.count(), 8),
        members: context.by_number("members", units.count(), 8),
    };
    let remove = |unit: UnitId, kept: UnitId, similarity: f64| -> Result<(), Error> {
        assembled
            .removed
            .extend([Removed::new(unit, kept, similarity)])?;
        Ok(assembled.members.extend([Member { kept, unit }])?)
    };

    let mut taken_groups = Bits::new(units.count());
    for_each_taken(context, units, scored, |second, first, similarity| {
        taken_groups.insert(second);
        groups
            .members(second)
            .try_for_each(|member| remove(member, first, similarity))
    })?;

    // Copies in one side only: with --against the corpus is what is compared with, and copies in the input are not
    // compared with each other.
    if !context.corpus.is_against() {
        for first in groups.with_copies() {
            if !taken_groups.contains(first) {
                let kept = ranks.unit(units.rank(first));
                for member in groups.members(first).filter(|&member| member != kept) {
                    remove(member, kept, 1.0)?;
                }
            }
        }
    }
    Ok(assembled)
}

/// Tells for each group that is taken the unit that stands for it, the unit that is kept for it and their similarity.
pub(crate) fn for_each_taken(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    mut each: impl FnMut(UnitId, UnitId, f64) -> Result<(), Error>,
) -> Result<(), Error> {
    let Units { groups, ranks, .. } = units;
    let mut stars = Stars::new(units.count());
    match ranks {
        // Pairs in input order are in the order of rank already.
        Ranks::AsRead => scored.for_each(|pair| {
            if is_assumed(context, &pair) {
                return Ok(());
            }
            let directed = Directed {
                first: pair.lo().get(),
                second: pair.hi().get(),
                similarity: pair.similarity,
            };
            match stars.take(directed) {
                Some(_) => each(pair.hi(), pair.lo(), pair.similarity),
                None => Ok(()),
            }
        }),
        Ranks::Ordered { .. } => {
            let directed = by_rank(context, units, scored)?;
            directed.for_each(|pair| match stars.take(pair) {
                Some(pair) => {
                    let second = groups.first_of(ranks.unit(pair.second));
                    each(second, ranks.unit(pair.first), pair.similarity)
                }
                None => Ok(()),
            })?;
            directed.clear();
            Ok(())
        }
    }
}

/// Whether a pair was not compared though it could be: then it takes nothing.
fn is_assumed(context: &Context<'_>, pair: &Scored) -> bool {
    context.plan().verified && pair.similarity.is_nan()
}

fn by_rank(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
) -> Result<Shuffle<Directed>, Error> {
    let directed = context.by_number("directed", units.count(), 8);
    scored.for_each(|pair| {
        if is_assumed(context, &pair) {
            return Ok(());
        }
        let (a, b) = (units.rank(pair.lo()), units.rank(pair.hi()));
        directed.extend([Directed {
            first: a.min(b),
            second: a.max(b),
            similarity: pair.similarity,
        }])?;
        Ok::<_, Error>(())
    })?;
    Ok(directed)
}
