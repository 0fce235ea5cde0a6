//! `pairs.jsonl`: which pairs are listed, in input order.

use lookalike_pair::spill::{Partitions, Shuffle, Sorted};
use lookalike_pair::{Pair, Scored};
use lookalike_text::UnitId;

use super::details::Details;
use super::file::{OutputFile, Similarity};
use crate::Error;
use crate::spec::Pairs;
use crate::stages::{Assembled, Context, Units};

/// What is listed.
pub(crate) struct Listing<'r> {
    pub(crate) units: Units<'r>,
    pub(crate) scored: &'r Shuffle<Scored>,
    pub(crate) assembled: &'r Assembled,
    /// What is said of a pair beside its similarity.
    pub(crate) details: Option<Details<'r>>,
}

/// Writes the pairs that `--pairs` asks for and returns how many there are.
pub(crate) fn write_pairs(
    context: &Context<'_>,
    listing: Listing<'_>,
    file: &mut OutputFile,
) -> Result<u64, Error> {
    let Listing {
        units,
        scored,
        assembled,
        mut details,
    } = listing;
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
        Pairs::Links => assembled
            .removed
            .for_each(|removed| add(removed.unit(), removed.kept(), removed.similarity))?,
        Pairs::Auto if context.corpus.is_against() => scored.for_each(|pair| {
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

    let mut lookups = [units.signed.ids(), units.signed.ids()];
    let mut count = 0;
    for partition in 0..scored.partitions() {
        let base = if mode == Pairs::Links {
            None
        } else {
            Some(scored.sorted(partition))
        };
        let mut listed = Merged::new(base, more.sorted(partition))?;
        while let Some(pair) = listed.next()? {
            let [a, b] = &mut lookups;
            let details = match &mut details {
                Some(details) => details.of(pair)?,
                None => "",
            };
            file.write(format_args!(
                "{{\"a\":{},\"b\":{},{}{details}}}\n",
                a.id(pair.lo().get())?,
                b.id(pair.hi().get())?,
                Similarity(pair.similarity),
            ))?;
            count += 1;
        }
    }
    Ok(count)
}

/// Two sorted sequences as one.
struct Merged {
    sources: [Option<Sorted<Scored>>; 2],
    ahead: [Option<Scored>; 2],
}

impl Merged {
    fn new(base: Option<Sorted<Scored>>, more: Sorted<Scored>) -> Result<Self, Error> {
        let mut merged = Merged {
            sources: [base, Some(more)],
            ahead: [None, None],
        };
        merged.advance(0)?;
        merged.advance(1)?;
        Ok(merged)
    }

    fn advance(&mut self, source: usize) -> Result<(), Error> {
        self.ahead[source] = match &mut self.sources[source] {
            Some(sorted) => sorted.next()?,
            None => None,
        };
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Scored>, Error> {
        let source = match self.ahead {
            [Some(a), Some(b)] => usize::from(b < a),
            [a, _] => usize::from(a.is_none()),
        };
        let next = self.ahead[source];
        self.advance(source)?;
        Ok(next)
    }
}

/// All pairs that identical copies add to those of the units that stand for them.
fn add_all(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    add: &impl Fn(UnitId, UnitId, f64) -> Result<(), Error>,
) -> Result<(), Error> {
    let groups = units.groups;
    scored.for_each(|pair| {
        for a in groups.members(pair.lo()) {
            for b in groups.members(pair.hi()) {
                if (a, b) != (pair.lo(), pair.hi()) {
                    add(a, b, pair.similarity)?;
                }
            }
        }
        Ok::<_, Error>(())
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
