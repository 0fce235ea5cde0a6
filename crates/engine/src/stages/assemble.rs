//! Clusters by the one rule, spread over identical copies.
//!
//! In: verified pairs of units that stand for their group. Out: every removed unit with the one kept for it, by unit
//! and by cluster. A group is ranked by its best member; the member with that rank is the one kept.

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::Clusters;
use lookalike_pair::assemble::{Components, Directed, Removed, Stars};
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_pair::{Pair, Scored};
use lookalike_text::UnitId;

use super::sequence::Sequence;
use super::verify::Verified;
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

/// Clusters by the one rule, spread over identical copies.
pub(crate) struct Assembled {
    pub(crate) removed: Shuffle<Removed>,
    pub(crate) members: Shuffle<Member>,
}

/// What removes units: by all pairs but those that are held back.
pub(crate) fn assemble(
    context: &Context<'_>,
    units: Units<'_>,
    verified: &Verified,
) -> Result<Assembled, Error> {
    let assembled = Assembled {
        removed: context.by_number("removed", units.count(), 8),
        members: context.by_number("members", units.count(), 8),
    };
    apply(context, units, Links::of(verified), assembled)
}

/// The clusters that there would be if no pair was held back: all variants of one text.
pub(crate) fn assemble_variants(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
) -> Result<Assembled, Error> {
    let assembled = Assembled {
        removed: context.by_number("variants-removed", units.count(), 4),
        members: context.by_number("variants", units.count(), 8),
    };
    apply(context, units, Links::all(scored), assembled)
}

/// Applies the rule.
fn apply(
    context: &Context<'_>,
    units: Units<'_>,
    links: Links<'_>,
    assembled: Assembled,
) -> Result<Assembled, Error> {
    if context.spec().clusters() == Clusters::Components {
        link(context, units, links, &assembled)?;
        return Ok(assembled);
    }
    let Units { groups, ranks, .. } = units;
    let remove = |unit: UnitId, kept: UnitId, similarity: f64| -> Result<(), Error> {
        assembled
            .removed
            .extend([Removed::new(unit, kept, similarity)])?;
        Ok(assembled.members.extend([Member { kept, unit }])?)
    };

    let mut taken_groups = Bits::new(units.count());
    for_each_taken(context, units, links, |second, first, similarity| {
        taken_groups.insert(second);
        groups
            .members(second)
            .try_for_each(|member| remove(member, first, similarity))
    })?;

    // Copies in one side only: with --against the corpus is what is compared with.
    if context.corpus.compares_input() {
        for first in units.input_groups() {
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

/// Puts together what is linked by pairs, also over others: each unit with the one of smallest rank. What links them is kept
/// as if it removed.
fn link(
    context: &Context<'_>,
    units: Units<'_>,
    links: Links<'_>,
    assembled: &Assembled,
) -> Result<(), Error> {
    let Units { groups, ranks, .. } = units;
    let mut components = Components::new(units.count());
    let mut linked = Bits::new(units.count());
    links.for_each(context, |pair| {
        linked.insert(pair.lo());
        linked.insert(pair.hi());
        if components.link(units.rank(pair.lo()), units.rank(pair.hi())) {
            let link = Removed::new(pair.hi(), pair.lo(), pair.similarity);
            assembled.removed.extend([link])?;
        }
        Ok(())
    })?;
    let against_from = units.signed.first_unit_against();
    let mut put_together = |first: UnitId| -> Result<(), Error> {
        let kept = ranks.unit(components.first_of(units.rank(first)));
        // Of another corpus only what is similar to the input, and not the copies of that.
        let copies = || groups.copies_of(first).filter(|_| first < against_from);
        let links = copies().map(|unit| Removed::new(unit, first, 1.0));
        assembled.removed.extend(links)?;
        let others = copies().chain([first]).filter(|&unit| unit != kept);
        let members = others.map(|unit| Member { kept, unit });
        Ok(assembled.members.extend(members)?)
    };
    for first in (0..units.count() as u32).map(UnitId::from) {
        if linked.contains(first) {
            put_together(first)?;
        }
    }
    if context.corpus.compares_input() {
        let mut alone = units
            .input_groups()
            .filter(|&first| !linked.contains(first));
        alone.try_for_each(put_together)?;
    }
    Ok(())
}

/// The pairs by which one unit may take another.
#[derive(Clone, Copy)]
pub(crate) struct Links<'v> {
    scored: &'v Shuffle<Scored>,
    /// Those that take nothing.
    held: Option<&'v Shuffle<Pair>>,
}

impl<'v> Links<'v> {
    /// All but those that are held back.
    pub(crate) fn of(verified: &'v Verified) -> Self {
        Links {
            scored: &verified.scored,
            held: Some(&verified.held),
        }
    }

    /// Whatever their units differ in.
    pub(crate) fn all(scored: &'v Shuffle<Scored>) -> Self {
        Links { scored, held: None }
    }

    /// Tells those that were compared, in order.
    fn for_each(
        self,
        context: &Context<'_>,
        mut each: impl FnMut(Scored) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut held = self.held.map(Sequence::of);
        let mut next_held = held.as_mut().map_or(Ok(None), Sequence::next)?;
        self.scored.for_each(|scored| {
            while next_held.is_some_and(|next| next < scored.pair()) {
                next_held = held.as_mut().map_or(Ok(None), Sequence::next)?;
            }
            if next_held == Some(scored.pair()) || is_assumed(context, &scored) {
                return Ok(());
            }
            each(scored)
        })
    }
}

/// Tells for each group that is taken the unit that stands for it, the unit that is kept for it and their similarity.
pub(crate) fn for_each_taken(
    context: &Context<'_>,
    units: Units<'_>,
    links: Links<'_>,
    mut each: impl FnMut(UnitId, UnitId, f64) -> Result<(), Error>,
) -> Result<(), Error> {
    let Units { groups, ranks, .. } = units;
    let mut stars = Stars::new(units.count());
    // Empty where all may take each other.
    let keep_per = units.signed.columns.keep_per.read_all()?;
    let may_take =
        |a: UnitId, b: UnitId| keep_per.is_empty() || keep_per[a.index()] == keep_per[b.index()];
    match ranks {
        // Pairs in input order are in the order of rank already.
        Ranks::AsRead => links.for_each(context, |pair| {
            if !may_take(pair.lo(), pair.hi()) {
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
            let directed = by_rank(context, units, links, may_take)?;
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

/// The pairs in the order of rank. All records of another corpus are kept, so one of the input needs only one of them: the most
/// similar, and of several the one of smallest rank.
fn by_rank(
    context: &Context<'_>,
    units: Units<'_>,
    links: Links<'_>,
    may_take: impl Fn(UnitId, UnitId) -> bool,
) -> Result<Shuffle<Directed>, Error> {
    let directed = context.by_number("directed", units.count(), 8);
    let push = |pair: Scored| -> Result<(), Error> {
        let (a, b) = (units.rank(pair.lo()), units.rank(pair.hi()));
        directed.extend([Directed {
            first: a.min(b),
            second: a.max(b),
            similarity: pair.similarity,
        }])?;
        Ok(())
    };
    let against_from = units.signed.first_unit_against();
    let mut best: Option<Scored> = None;
    links.for_each(context, |pair| {
        if !may_take(pair.lo(), pair.hi()) {
            return Ok(());
        }
        if pair.hi() < against_from {
            return push(pair);
        }
        match best {
            Some(known) if known.lo() == pair.lo() => {
                let is_as_similar = pair.similarity == known.similarity;
                let is_before = units.rank(pair.hi()) < units.rank(known.hi());
                if pair.similarity > known.similarity || is_as_similar && is_before {
                    best = Some(pair);
                }
                Ok(())
            }
            _ => best.replace(pair).map_or(Ok(()), push),
        }
    })?;
    best.map_or(Ok(()), push)?;
    Ok(directed)
}
