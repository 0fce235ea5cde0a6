//! Identical units become one.
//!
//! In: the digests. Out: [`Groups`]. From here on a group is represented by its first unit in the
//! input, so that a million copies of one text cost as much as one.

use lookalike_pair::spill::Sorted;
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::UnitId;

use super::Context;
use super::sign::{Digest, Signed};
use crate::Error;
use crate::rank::Ranks;

/// Which units are identical.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The first unit of each unit's group.
    first: Vec<UnitId>,
    /// The units that are copies of an earlier one, those of one group together, by its first unit.
    copies: Vec<UnitId>,
    /// The best rank in each unit's group, where it is not simply the first unit's.
    best_rank: Option<Vec<u32>>,
}

impl Groups {
    /// Whether a unit stands for its group.
    pub(crate) fn is_first(&self, unit: UnitId) -> bool {
        self.first[unit.index()] == unit
    }

    /// The unit that stands for this one.
    pub(crate) fn first_of(&self, unit: UnitId) -> UnitId {
        self.first[unit.index()]
    }

    /// The other members of the group a first unit stands for.
    pub(crate) fn copies_of(&self, first: UnitId) -> impl Iterator<Item = UnitId> {
        let begin = self
            .copies
            .partition_point(|&copy| self.first_of(copy) < first);
        let from_group = self.copies[begin..].iter().copied();
        from_group.take_while(move |&copy| self.first_of(copy) == first)
    }

    /// Whether a first unit stands for others, too.
    pub(crate) fn has_copies(&self, first: UnitId) -> bool {
        self.copies_of(first).next().is_some()
    }

    /// All members of the group a first unit stands for, the first unit first.
    pub(crate) fn members(&self, first: UnitId) -> impl Iterator<Item = UnitId> {
        std::iter::once(first).chain(self.copies_of(first))
    }

    /// The first units of the groups that have copies.
    pub(crate) fn with_copies(&self) -> impl Iterator<Item = UnitId> {
        self.groups().map(|group| self.first_of(group[0]))
    }

    /// The first unit of a group with each copy of it: units that are copies of an earlier one.
    pub(crate) fn copies(&self) -> impl ExactSizeIterator<Item = (UnitId, UnitId)> {
        let copies = self.copies.iter();
        copies.map(|&copy| (self.first_of(copy), copy))
    }

    /// The copies of each group.
    fn groups(&self) -> impl Iterator<Item = &[UnitId]> {
        let same_group = |&a: &UnitId, &b: &UnitId| self.first_of(a) == self.first_of(b);
        self.copies.chunk_by(same_group)
    }

    /// The rank of the unit of a group that would be kept.
    pub(crate) fn rank(&self, first: UnitId, ranks: &Ranks) -> u32 {
        match &self.best_rank {
            Some(best) => best[first.index()],
            None => ranks.of(first),
        }
    }
}

/// Finds the identical units.
pub(crate) fn collapse(
    context: &Context<'_>,
    signed: &Signed,
    ranks: &Ranks,
) -> Result<Groups, Error> {
    let mut next = 0;
    let mut first: Vec<UnitId> = (0..signed.units() as u32).map(UnitId::from).collect();
    let digests = &signed.columns.digests;
    in_order(
        context.threads,
        || Ok(0),
        |mine| Ok(Pulled::number(&mut next, mine, digests.partitions())),
        |mine| copies_in(digests.sorted(*mine)),
        |found| {
            for (group, copy) in found {
                first[copy.index()] = group;
            }
            Ok(())
        },
    )?;
    let copies = copies_by_group(&first);
    let best_rank = match ranks {
        Ranks::AsRead => None,
        Ranks::Ordered { position, .. } => {
            let mut best = position.clone();
            for copy in &copies {
                let group = first[copy.index()].index();
                best[group] = best[group].min(position[copy.index()]);
            }
            Some(best)
        }
    };
    let groups = Groups {
        first,
        copies,
        best_rank,
    };
    if context.corpus.is_whole() && context.corpus.compares_input() {
        // Identical records are in one cluster, which is one row: better to refuse it now than when all is done.
        let most_copies = groups.groups().map(<[UnitId]>::len).max().unwrap_or(0);
        let id_bytes = signed.columns.ids.mean_bytes(signed.counts.records);
        context.budget.check_row(most_copies + 1, id_bytes)?;
    }
    Ok(groups)
}

/// The copies, those of one group together: no more room is taken than they need.
fn copies_by_group(first: &[UnitId]) -> Vec<UnitId> {
    let units = (0..first.len() as u32).map(UnitId::from);
    let is_copy = |unit: &UnitId| first[unit.index()] != *unit;
    let mut copies = Vec::with_capacity(units.clone().filter(is_copy).count());
    copies.extend(units.filter(is_copy));
    // In the order of the input already: what has the same first unit stays in it.
    copies.sort_by_key(|copy| first[copy.index()]);
    copies
}

/// Every copy in a partition with the first unit of its group.
fn copies_in(mut digests: Sorted<Digest>) -> Result<Vec<(UnitId, UnitId)>, Error> {
    let mut found = Vec::new();
    let mut first: Option<Digest> = None;
    while let Some(digest) = digests.next()? {
        // Sorted by unit within a digest, so the first is the first in the input.
        match first {
            Some(first) if first.same_text(&digest) => found.push((first.unit, digest.unit)),
            _ => first = Some(digest),
        }
    }
    Ok(found)
}
