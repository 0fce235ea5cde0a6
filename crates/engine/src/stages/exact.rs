//! The exact joins: by term, which counts the common features of all pairs, and by unit, which compares all pairs.
//!
//! In: a posting for every feature, or what the measure keeps of every unit. Out: scored pairs.

use std::sync::Arc;

use lookalike_kernel::{FoundBy, Mean, Probe};
use lookalike_pair::Pair;
use lookalike_pair::join::{Common, LeftOut, Overlap, Overlaps, TermRule, UnitBlock, UnitRule};
use lookalike_pair::spill::Shuffle;
use lookalike_pair::verify::OfSets;
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::UnitId;

use super::join::{Across, Batch, Candidates, Slices};
use super::store::{Store, Window};
use super::verify::Verified;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;

/// What joining keys or features gives.
pub(crate) enum Proposed {
    /// Pairs to verify.
    Candidates(Box<Candidates>),
    /// Pairs whose similarity is known already.
    Scored(Box<Verified>),
}

/// Counts the common features of all pairs: the similarities are known then, unless frequent features were left out.
pub(crate) fn by_term(
    context: &Context<'_>,
    units: Units<'_>,
    posting_cap: Option<usize>,
) -> Result<Proposed, Error> {
    if let Some(mean) = &context.plan().mean {
        return fields_by_term(context, units, (mean, posting_cap));
    }
    let (measure, threshold) = (of_sets(context)?, context.plan().threshold);
    let probed = units.signed.columns.probed.0.first();
    let sizes = probed.map_or(Ok(Vec::new()), |probed| probed.sizes.read_all())?;
    let size = |unit: UnitId| sizes[unit.index()] as usize;
    let across = Across::new(context, units);
    let rule = TermRule {
        admits: &|a, b| {
            Pair::new(a, b).is_some_and(|pair| across.admits(pair))
                && measure.admits(size(a), size(b), threshold)
        },
        posting_cap,
    };
    let overlaps = context.by_number("overlaps", units.count(), 30);
    let left_out = count(context, units, rule, &overlaps)?;

    let mut verified = Verified::new(context, units.count());
    let mut candidates = Candidates::new(context, units.count());
    let mut pairs = Overlaps::new(&overlaps, left_out);
    while let Some((pair, common)) = pairs.next()? {
        match common {
            Common::Exactly(common) => {
                let (a, b) = (size(pair.lo()), size(pair.hi()));
                let similarity = measure.similarity(common as usize, a, b);
                verified.counts.candidates += 1;
                if similarity >= threshold {
                    verified.scored.extend([pair.scored(similarity)])?;
                }
            }
            Common::AtLeast(_) => candidates.pairs.extend([pair])?,
        }
    }
    overlaps.clear();
    if left_out.features > 0 {
        candidates.searched.by = FoundBy::AllBut(left_out.features);
        return Ok(Proposed::Candidates(Box::new(candidates)));
    }
    Ok(Proposed::Scored(Box::new(verified)))
}

/// Proposes all pairs with a common feature in a field: a mean follows from what they have in common in all of them. Pairs
/// whose sizes do not allow the mean are left out before anything is counted.
fn fields_by_term(
    context: &Context<'_>,
    units: Units<'_>,
    (mean, posting_cap): (&Mean, Option<usize>),
) -> Result<Proposed, Error> {
    let of_sets = |probe: &Probe| {
        let problem = "a join by term was planned for a field whose measure is not of sets";
        let of_sets = Arc::clone(&probe.measure);
        match of_sets.of_sets() {
            Some(_) => Ok(of_sets),
            None => Err(Error::Internal(problem.to_string())),
        }
    };
    let probes = context.plan().probes.iter().map(of_sets);
    let measures: Vec<_> = probes.collect::<Result<_, Error>>()?;
    let probed = units.signed.columns.probed.0.iter();
    let sizes: Vec<Vec<u32>> = probed
        .map(|probed| probed.sizes.read_all())
        .collect::<Result<_, _>>()?;
    let across = Across::new(context, units);
    let most = |probe: usize, (a, b): (usize, usize)| {
        let of_sets = measures[probe].of_sets();
        of_sets.map_or(1.0, |of_sets| of_sets.similarity(a.min(b), a, b))
    };
    let rule = TermRule {
        admits: &|a, b| {
            let size = |probe: usize| {
                let of = |unit: UnitId| sizes[probe][unit.index()] as usize;
                (of(a), of(b))
            };
            Pair::new(a, b).is_some_and(|pair| across.admits(pair)) && mean.can_reach(size, most)
        },
        posting_cap,
    };
    let overlaps = context.by_number("overlaps", units.count(), 30);
    let left_out = count(context, units, rule, &overlaps)?;
    let mut candidates = Candidates::new(context, units.count());
    let mut pairs = Overlaps::new(&overlaps, left_out);
    while let Some((pair, _)) = pairs.next()? {
        candidates.pairs.extend([pair])?;
    }
    overlaps.clear();
    if left_out.features > 0 {
        candidates.searched.by = FoundBy::AllBut(left_out.features);
    }
    Ok(Proposed::Candidates(Box::new(candidates)))
}

fn of_sets<'r>(context: &'r Context<'_>) -> Result<&'r dyn OfSets, Error> {
    context.plan().measure.of_sets().ok_or_else(|| {
        Error::Internal("a join by term was planned for a measure that is not of sets".to_string())
    })
}

fn count(
    context: &Context<'_>,
    units: Units<'_>,
    rule: TermRule<'_>,
    overlaps: &Shuffle<Overlap>,
) -> Result<LeftOut, Error> {
    let mut left_out = LeftOut::default();
    let postings = &units.signed.columns.postings;
    Slices::new(context, postings, |posting| posting.key()).for_each(
        context,
        |posting| units.groups.is_first(posting.unit()),
        |postings, (): &mut ()| {
            Ok(rule.count(postings, |batch| overlaps.extend(batch.iter().copied()))?)
        },
        |more| {
            left_out.features += more.features;
            Ok(())
        },
    )?;
    Ok(left_out)
}

/// All units with content that stand for their group: what a join by unit describes.
pub(crate) fn standing(units: Units<'_>) -> Result<Bits<UnitId>, Error> {
    let mut standing = Bits::new(units.count());
    units.signed.columns.digests.for_each(|digest| {
        if units.groups.is_first(digest.unit) {
            standing.insert(digest.unit);
        }
        Ok::<_, Error>(())
    })?;
    Ok(standing)
}

/// Compares all pairs, block by block.
pub(crate) fn by_unit(
    context: &Context<'_>,
    units: Units<'_>,
    store: &Store<UnitId, u64>,
) -> Result<Verified, Error> {
    let across = Across::new(context, units);
    let admits = |pair| across.admits(pair);
    let rule = || {
        let plan = context.plan();
        Ok::<_, Error>(UnitRule {
            scorer: plan.measure.scorer(&plan.background)?,
            // What a measure that describes units keeps is as long as their texts, not as their sets.
            bounds: (plan.measure.bounds()).filter(|_| !plan.measure.describes_units()),
            floor: plan.threshold,
            admits: &admits,
        })
    };
    let blocks = blocks(context, store)?;
    let mut verified = Verified::new(context, units.count());
    let scored = &verified.scored;
    let (mut row, mut column) = (0, 0);
    let mut compared = 0;
    in_order(
        context.threads,
        || {
            let blocks = [UnitBlock::default(), UnitBlock::default()];
            Ok::<_, Error>((rule()?, (0, 0), blocks))
        },
        |(_, mine, _): &mut (UnitRule<'_>, (usize, usize), [UnitBlock; 2])| {
            if row >= blocks.len() {
                return Ok(Pulled::Nothing);
            }
            *mine = (row, column);
            column += 1;
            if column == blocks.len() {
                row += 1;
                column = row;
            }
            Ok(Pulled::Item)
        },
        |(rule, (row, column), [a, b])| {
            context.go_on()?;
            let mut batch = Batch::new(scored);
            load(store, &blocks[*row], a)?;
            let compared = if row == column {
                rule.within(a, &mut |pair| batch.push(pair))
            } else {
                load(store, &blocks[*column], b)?;
                rule.across(a, b, &mut |pair| batch.push(pair))
            };
            batch.finish()?;
            Ok(compared)
        },
        |more| {
            compared += more;
            context.done(compared)
        },
    )?;
    verified.counts.candidates = compared;
    Ok(verified)
}

/// The units cut into blocks such that two of them fit in the memory of a thread.
fn blocks(context: &Context<'_>, store: &Store<UnitId, u64>) -> Result<Vec<Vec<UnitId>>, Error> {
    /// Larger blocks gain nothing.
    const MOST_BYTES: usize = 4 << 20;
    let room = (context.budget.percent(25) / context.threads / 2).min(MOST_BYTES);
    let mut blocks = Vec::new();
    let (mut block, mut bytes) = (Vec::new(), 0);
    let mut window = Window::default();
    for unit in store.members().iter() {
        bytes += size_of_val(store.get(unit, &mut window)?) + 32;
        block.push(unit);
        if bytes > room {
            blocks.push(std::mem::take(&mut block));
            bytes = 0;
        }
    }
    blocks.extend((!block.is_empty()).then_some(block));
    Ok(blocks)
}

fn load(store: &Store<UnitId, u64>, units: &[UnitId], block: &mut UnitBlock) -> Result<(), Error> {
    let mut window = Window::default();
    block.clear();
    for &unit in units {
        block.push(unit, store.get(unit, &mut window)?);
    }
    block.sort();
    Ok(())
}
