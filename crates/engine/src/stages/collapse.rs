//! Identical units become one.
//!
//! In: the digests. Out: [`Groups`]. From here on a group is represented by its first unit in the
//! input, so that a million copies of one text cost as much as one.

use lookalike_kernel::jobs::Outcome;
use lookalike_pair::spill::Sorted;
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::UnitId;

use super::Context;
use super::sign::{Digest, Signed};
use crate::Error;
use crate::bits::Bits;
use crate::rank::Ranks;

/// Which units are identical.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The first unit of each unit's group.
    first: Vec<UnitId>,
    /// The units that are copies of an earlier one, those of one group together, by its first unit.
    copies: Vec<UnitId>,
    /// The first units of groups that have copies, which few are.
    copied: Bits<UnitId>,
    /// The best rank in each unit's group, where it is not simply the first unit's.
    best_rank: Option<Vec<u32>>,
    /// The first units of groups of the input that are identical to one of the corpus it is compared with.
    twins: Bits<UnitId>,
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
        let begin = match self.copied.contains(first) {
            true => self
                .copies
                .partition_point(|&copy| self.first_of(copy) < first),
            false => self.copies.len(),
        };
        let from_group = self.copies[begin..].iter().copied();
        from_group.take_while(move |&copy| self.first_of(copy) == first)
    }

    /// Whether a first unit stands for others, too.
    pub(crate) fn has_copies(&self, first: UnitId) -> bool {
        self.copied.contains(first)
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

    /// Whether a unit of the input is identical to one of the corpus that it is compared with.
    pub(crate) fn has_twin(&self, unit: UnitId) -> bool {
        self.twins.contains(self.first_of(unit))
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
    // A sentence that is to be boilerplate is as common as it is on both sides together.
    let apart = context.corpus.is_against() && context.spec().job.outcome() != Outcome::Passages;
    let against_from = apart.then(|| signed.first_unit_against());
    let mut twins = Bits::new(against_from.map_or(0, UnitId::index));
    let digests = &signed.columns.digests;
    in_order(
        context.threads,
        || Ok(0),
        |mine| Ok(Pulled::number(&mut next, mine, digests.partitions())),
        |mine| copies_in(digests.sorted(*mine), against_from),
        |found| {
            for (group, copy) in found.copies {
                first[copy.index()] = group;
            }
            found.twins.into_iter().for_each(|unit| twins.insert(unit));
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
    let mut copied = Bits::new(first.len());
    copies
        .iter()
        .for_each(|copy| copied.insert(first[copy.index()]));
    let groups = Groups {
        first,
        copies,
        copied,
        best_rank,
        twins,
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

/// What is identical in a partition.
#[derive(Default)]
struct Identical {
    /// Every copy with the first unit of its group.
    copies: Vec<(UnitId, UnitId)>,
    /// The first units of the input that have their like in the corpus it is compared with.
    twins: Vec<UnitId>,
}

/// What is identical in a partition. Where units from one on are apart, they are the same as each other only.
fn copies_in(
    mut digests: Sorted<Digest>,
    against_from: Option<UnitId>,
) -> Result<Identical, Error> {
    let mut found = Identical::default();
    let is_apart = |unit: UnitId| against_from.is_some_and(|from| unit >= from);
    let mut first: Option<Digest> = None;
    while let Some(digest) = digests.next()? {
        // Sorted by unit within a digest, so the first is the first in the input.
        match first.filter(|first| first.same_text(&digest)) {
            Some(one) if is_apart(one.unit) == is_apart(digest.unit) => {
                found.copies.push((one.unit, digest.unit));
            }
            other => {
                found.twins.extend(other.map(|one| one.unit));
                first = Some(digest);
            }
        }
    }
    Ok(found)
}
