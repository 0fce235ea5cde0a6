//! From prefixes to candidate pairs by counting what they have in common, for low floors.
//!
//! In: the floors of each probe. Out: candidate pairs, among them all that reach a floor. As many units as fit in memory are
//! indexed at a time, the smaller ones first, and all larger ones are looked up in the index.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lookalike_pair::Pair;
use lookalike_pair::join::{CountRule, Counted, Counter, PrefixIndex};
use lookalike_pair::spill::Shuffle;
use lookalike_pair::workers::{Pulled, in_order};

use super::join::{Across, Batch, Candidates};
use super::select::{Overlaps, Sought};
use super::tape::Tape;
use super::variants::Variants;
use super::{Context, Units};
use crate::Error;

/// Joins the units under each probe.
pub(crate) fn join_counted(
    context: &Context<'_>,
    units: Units<'_>,
    sought: &Sought,
) -> Result<Candidates, Error> {
    let mut candidates = Candidates::of_prefixes(context, units, sought);
    let variants = Variants::find(context, units, (&sought.sizes, &mut candidates))?;
    let overlaps = Overlaps::new(context, units, &sought.sizes)?;
    for probe in 0..context.plan().probes.len() {
        if sought.floors.of_probes[probe]
            .iter()
            .all(|&floor| floor > 1.0)
        {
            continue;
        }
        let rule = sought.rule(context, probe)?;
        let lists = Tape::of_probe(units, probe, &sought.sizes).lists(context, units, rule)?;
        let tape = lists.tape();
        let join = Join {
            context,
            units,
            variants: &variants,
            overlaps: overlaps.as_ref(),
            probe,
            rule: CountRule::new(rule),
            tape: &tape,
        };
        for block in join.blocks() {
            join.block(block, &candidates.pairs)?;
        }
    }
    Ok(candidates)
}

struct Join<'r> {
    context: &'r Context<'r>,
    units: Units<'r>,
    /// Their pairs are known already, as far as they are compared.
    variants: &'r Variants,
    overlaps: Option<&'r Overlaps<'r>>,
    probe: usize,
    rule: CountRule<'r>,
    /// The prefixes.
    tape: &'r Tape<'r, u32>,
}

impl Join<'_> {
    /// Consecutive ranks whose prefixes can be indexed at once, each with how many entries they make.
    fn blocks(&self) -> Vec<(Range<usize>, usize)> {
        let room = self.context.budget.percent(25) / PrefixIndex::ENTRY_BYTES;
        let room = room.min(u32::MAX as usize);
        // Every thread counts in two bytes per unit, and lists those it touches.
        const COUNTED_BYTES: usize = 10;
        let most_units = self.context.budget.percent(8) / self.context.threads / COUNTED_BYTES;
        let most_units = most_units.max(1);
        let mut blocks: Vec<(Range<usize>, usize)> = Vec::new();
        for (rank, &unit) in self.rule.in_order().iter().enumerate() {
            let prefix = self.tape.size(unit.into());
            match blocks.last_mut() {
                Some((ranks, entries)) if *entries + prefix <= room && ranks.len() < most_units => {
                    ranks.end = rank + 1;
                    *entries += prefix;
                }
                _ => blocks.push((rank..rank + 1, prefix)),
            }
        }
        blocks
    }

    /// Indexes some units and looks up all others in the index.
    fn block(
        &self,
        (ranks, entries): (Range<usize>, usize),
        pairs: &Shuffle<Pair>,
    ) -> Result<(), Error> {
        let index = self.index(&ranks, entries)?;
        let across = Across::new(self.context, self.units);
        let mut next = 0;
        in_order(
            self.context.threads,
            || Ok((0, Counter::default())),
            |(mine, _): &mut (usize, Counter)| {
                Ok(Pulled::number(&mut next, mine, self.tape.chunks.len()))
            },
            |(mine, counter)| {
                let mut batch = Batch::new(pairs);
                let mut emit = |Counted { pair, most_common }: Counted| {
                    let can_reach = || {
                        let known = (self.probe, most_common);
                        let overlaps = self.overlaps;
                        overlaps
                            .is_none_or(|known_of| known_of.admit((pair.lo(), pair.hi()), known))
                    };
                    if !self.variants.are(pair) && across.admits(pair) && can_reach() {
                        batch.push(pair);
                    }
                };
                let chunk = &self.tape.chunks[*mine];
                self.tape
                    .for_each_standing(chunk, self.units, &mut |unit, prefix| {
                        self.rule
                            .candidates((unit, prefix), &index, (counter, &mut emit));
                    })?;
                batch.finish()
            },
            |()| Ok(()),
        )
    }

    fn index(&self, ranks: &Range<usize>, entries: usize) -> Result<PrefixIndex, Error> {
        let failed: Mutex<Option<Error>> = Mutex::new(None);
        let index = PrefixIndex::build(
            (ranks.start as u32, ranks.len()),
            (entries, self.context.threads),
            &|each: &mut dyn FnMut(u32, &[u32])| {
                for chunk in &self.tape.chunks {
                    // What one pass was not told, the next must not be told either.
                    if failed
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .is_some()
                    {
                        return;
                    }
                    let told =
                        self.tape
                            .for_each_standing(chunk, self.units, &mut |unit, prefix| {
                                let rank = self.rule.rank(unit);
                                if ranks.contains(&(rank as usize)) {
                                    each(rank, self.rule.indexed(unit, prefix));
                                }
                            });
                    if let Err(error) = told {
                        failed
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .get_or_insert(error);
                    }
                }
            },
        );
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(index), Err)
    }
}
