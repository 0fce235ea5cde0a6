//! From prefixes to candidate pairs by counting what they have in common, for low floors.
//!
//! In: the floors of each probe. Out: candidate pairs, among them all that reach a floor. As many units as fit in memory are
//! indexed at a time, and all later ones are looked up in the index.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lookalike_pair::Pair;
use lookalike_pair::join::{CountRule, Counted, Counter, PrefixIndex};
use lookalike_pair::spill::Shuffle;

use super::join::{Across, Batch, Candidates};
use super::select::{Chunk, Overlaps, Sought, Tape};
use super::{Context, Units};
use crate::Error;
use crate::workers::{Flow, Pulled, in_order};

/// Joins the units under each probe.
pub(crate) fn join_counted(
    context: &Context<'_>,
    units: Units<'_>,
    sought: &Sought,
) -> Result<Candidates, Error> {
    let candidates = Candidates::of_prefixes(context, units, sought);
    let overlaps = Overlaps::new(context, units, &sought.sizes);
    for probe in 0..context.plan.probes.len() {
        if sought.floors.of_probes[probe]
            .iter()
            .all(|&floor| floor > 1.0)
        {
            continue;
        }
        let rule = sought.rule(context, probe)?;
        let lists = Tape::new(units, probe, &sought.sizes).lists(context, units, rule)?;
        let tape = lists.tape();
        let join = Join {
            context,
            units,
            overlaps: overlaps.as_ref(),
            probe,
            rule: CountRule::new(rule),
            tape: &tape,
        };
        for block in blocks(context, &tape.chunks) {
            join.block(block, &candidates.pairs)?;
        }
    }
    Ok(candidates)
}

/// Consecutive chunks whose prefixes can be indexed at once.
fn blocks(context: &Context<'_>, chunks: &[Chunk]) -> Vec<Range<usize>> {
    let room = context.budget.percent(30) / PrefixIndex::ENTRY_BYTES;
    let room = room.min(u32::MAX as usize);
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut features = 0;
    for (number, chunk) in chunks.iter().enumerate() {
        match blocks.last_mut() {
            Some(last) if features + chunk.features <= room => last.end = number + 1,
            _ => {
                blocks.push(number..number + 1);
                features = 0;
            }
        }
        features += chunk.features;
    }
    blocks
}

struct Join<'r> {
    context: &'r Context<'r>,
    units: Units<'r>,
    overlaps: Option<&'r Overlaps<'r>>,
    probe: usize,
    rule: CountRule<'r>,
    /// The prefixes.
    tape: &'r Tape<'r>,
}

impl Join<'_> {
    /// Indexes some chunks and looks up what comes with and after them.
    fn block(&self, block: Range<usize>, pairs: &Shuffle<Pair>) -> Result<(), Error> {
        let index = self.index(&self.tape.chunks[block.clone()])?;
        let across = Across::new(self.context, self.units.signed);
        let mut next = block.start;
        in_order(
            self.context.threads,
            || Ok((0, Counter::default())),
            |(mine, _): &mut (usize, Counter)| {
                *mine = next;
                next += 1;
                Ok(if *mine < self.tape.chunks.len() {
                    Pulled::Item
                } else {
                    Pulled::Nothing
                })
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
                    if across.admits(pair) && can_reach() {
                        batch.push(pair);
                    }
                };
                let chunk = &self.tape.chunks[*mine];
                self.tape.for_each(chunk, self.units, &mut |unit, prefix| {
                    self.rule
                        .candidates((unit, prefix), &index, (counter, &mut emit));
                })?;
                batch.finish()
            },
            |()| Ok(Flow::Continue),
        )
    }

    fn index(&self, chunks: &[Chunk]) -> Result<PrefixIndex, Error> {
        let first = chunks.first().map_or(0, |chunk| chunk.units().start);
        let end = chunks.last().map_or(0, |chunk| chunk.units().end);
        let entries = chunks.iter().map(|chunk| chunk.features).sum();
        let failed: Mutex<Option<Error>> = Mutex::new(None);
        let index = PrefixIndex::build(
            (first as u32, end - first),
            (entries, self.context.threads),
            &|each: &mut dyn FnMut(u32, &[u32])| {
                for chunk in chunks {
                    let told = self.tape.for_each(chunk, self.units, &mut |unit, prefix| {
                        each(unit.get(), prefix);
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
