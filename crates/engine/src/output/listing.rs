//! `pairs.jsonl`: which pairs are listed, in input order.

use lookalike_pair::spill::{Partitions, Shuffle};
use lookalike_pair::{Pair, Scored};
use lookalike_text::UnitId;

use super::file::{Json, OutputFile};
use crate::Error;
use crate::spec::Pairs;
use crate::stages::{Assembled, Context, Units};

/// Writes the pairs that `--pairs` asks for and returns how many there are.
pub(crate) fn write_pairs(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    assembled: &Assembled,
    file: &mut OutputFile,
) -> Result<u64, Error> {
    let partitions = Partitions::of_units(scored.partitions(), units.count());
    let more = Shuffle::new(
        "listed",
        context.folder,
        partitions,
        context.budget.percent(12),
    );
    let add = |a: UnitId, b: UnitId, similarity: f64| -> Result<(), Error> {
        more.extend(Pair::new(a, b).map(|pair| pair.scored(similarity)))?;
        Ok(())
    };
    let mode = context.spec.pairs;
    match mode {
        Pairs::None => return Ok(0),
        Pairs::Links => {
            let mut loaded = Vec::new();
            for partition in 0..assembled.removed.partitions() {
                assembled.removed.load_sorted(partition, &mut loaded)?;
                for removed in &loaded {
                    add(removed.unit(), removed.kept(), removed.similarity)?;
                }
            }
        }
        Pairs::Auto if context.corpus.is_against() => for_each(scored, |pair| {
            units
                .groups
                .copies_of(pair.lo())
                .try_for_each(|copy| add(copy, pair.hi(), pair.similarity))
        })?,
        Pairs::Auto => units
            .groups
            .pairs()
            .try_for_each(|(first, copy)| add(first, copy, 1.0))?,
        Pairs::All => add_all(context, units, scored, &add)?,
    }

    let mut lookups = [units.signed.ids.lookup(), units.signed.ids.lookup()];
    let (mut listed, mut also) = (Vec::new(), Vec::new());
    let mut count = 0;
    for partition in 0..scored.partitions() {
        if mode == Pairs::Links {
            listed.clear();
        } else {
            scored.load_sorted(partition, &mut listed)?;
        }
        more.load_sorted(partition, &mut also)?;
        listed.append(&mut also);
        listed.sort_unstable();
        for pair in &listed {
            let [a, b] = &mut lookups;
            file.write(format_args!(
                "{{\"a\":{},\"b\":{},\"similarity\":{}}}\n",
                a.id(pair.lo().get())?,
                b.id(pair.hi().get())?,
                Json(pair.similarity),
            ))?;
        }
        count += listed.len() as u64;
    }
    Ok(count)
}

/// All pairs that identical copies add to those of the units that stand for them.
fn add_all(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    add: &impl Fn(UnitId, UnitId, f64) -> Result<(), Error>,
) -> Result<(), Error> {
    let groups = units.groups;
    for_each(scored, |pair| {
        for a in groups.members(pair.lo()) {
            for b in groups.members(pair.hi()) {
                if (a, b) != (pair.lo(), pair.hi()) {
                    add(a, b, pair.similarity)?;
                }
            }
        }
        Ok(())
    })?;
    if context.corpus.is_against() {
        return Ok(());
    }
    for first in groups.with_copies() {
        let members: Vec<UnitId> = groups.members(first).collect();
        for (position, &a) in members.iter().enumerate() {
            members[position + 1..]
                .iter()
                .try_for_each(|&b| add(a, b, 1.0))?;
        }
    }
    Ok(())
}

fn for_each(
    scored: &Shuffle<Scored>,
    mut each: impl FnMut(&Scored) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut loaded = Vec::new();
    for partition in 0..scored.partitions() {
        scored.load_sorted(partition, &mut loaded)?;
        loaded.iter().try_for_each(&mut each)?;
    }
    Ok(())
}
