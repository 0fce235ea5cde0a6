//! Which pairs are listed, in input order.

use std::collections::BTreeMap;

use lookalike_kernel::Pairs;
use lookalike_kernel::rows::SimilarityBin;
use lookalike_pair::assemble::{Difference, Kind};
use lookalike_pair::spill::Shuffle;
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_pair::{Pair, Scored};
use lookalike_text::UnitId;

use super::named_units::{MakeRows, UnitRows};
use crate::Error;
use crate::sink::{Chunk, Encoder, Encoders, Sink};
use crate::stages::{Assembled, Context, Sequence, Units, fill};

/// Pairs encoded in one piece of work.
const CHUNK: usize = 1024;

/// What is listed.
#[derive(Clone, Copy)]
pub(super) struct Listing<'r> {
    pub(super) units: Units<'r>,
    pub(super) scored: &'r Shuffle<Scored>,
    pub(super) assembled: &'r Assembled,
}

/// How many pairs were listed, and how many there are of each kind, where they have kinds.
#[derive(Debug, Default)]
pub(super) struct PairCounts {
    pub(super) listed: u64,
    pub(super) kinds: BTreeMap<Kind, u64>,
    /// How many of those listed differ in what, where that is told.
    pub(super) differences: BTreeMap<Difference, u64>,
    /// How many of those listed have no similarity.
    pub(super) unverified: u64,
    /// How many of those listed have which similarity.
    pub(super) similarities: [u64; SimilarityBin::STEPS + 1],
}

/// Writes the pairs that `--pairs` asks for, encoded by all threads.
pub(super) fn write_pairs(
    context: &Context<'_>,
    listing: Listing<'_>,
    rows: &mut dyn UnitRows,
    sink: &mut dyn Sink,
) -> Result<PairCounts, Error> {
    let mut counts = PairCounts::default();
    let mut table = sink.table(rows.pair_shape()).map_err(Error::Sink)?;
    if context.spec().pairs != Pairs::None {
        let more = beside_scored(context, listing)?;
        if rows.looks_back() {
            let mut listed = ListedPairs::new(context, listing, &more)?;
            rows.look_back(&mut |chunk| listed.next_chunk(chunk))?;
        }
        let rows = &*rows;
        let mut listed = ListedPairs::new(context, listing, &more)?;
        let encoders = Encoders::of(&*table, context.threads);
        in_order(
            context.threads,
            || Worker::new(rows, &encoders),
            |worker: &mut Worker<'_>| listed.next_chunk(&mut worker.pairs),
            Worker::encode,
            |(chunk, of_chunk)| {
                table.append(chunk).map_err(Error::Sink)?;
                counts.listed += of_chunk.listed;
                counts.unverified += of_chunk.unverified;
                let bins = counts.similarities.iter_mut();
                bins.zip(of_chunk.similarities)
                    .for_each(|(bin, more)| *bin += more);
                for (kind, count) in of_chunk.kinds {
                    *counts.kinds.entry(kind).or_default() += count;
                }
                for (difference, count) in of_chunk.differences {
                    *counts.differences.entry(difference).or_default() += count;
                }
                Ok(())
            },
        )?;
    }
    table.finish().map_err(Error::Sink)?;
    Ok(counts)
}

struct Worker<'r> {
    rows: Box<dyn MakeRows + 'r>,
    encoder: Box<dyn Encoder>,
    pairs: Vec<Scored>,
}

impl<'r> Worker<'r> {
    fn new(rows: &'r dyn UnitRows, encoders: &Encoders) -> Result<Self, Error> {
        Ok(Worker {
            rows: rows.maker()?,
            encoder: encoders.take()?,
            pairs: Vec::new(),
        })
    }

    fn encode(&mut self) -> Result<(Chunk, PairCounts), Error> {
        let mut counts = PairCounts::default();
        for &pair in &self.pairs {
            let listed = self.rows.pair(pair, &mut *self.encoder)?;
            if let Some(kind) = listed.kind {
                *counts.kinds.entry(kind).or_default() += 1;
            }
            if let Some(difference) = listed.difference {
                *counts.differences.entry(difference).or_default() += 1;
            }
            counts.listed += u64::from(listed.is_wanted);
            if listed.is_wanted && pair.similarity.is_nan() {
                counts.unverified += 1;
            } else if listed.is_wanted {
                counts.similarities[SimilarityBin::number(pair.similarity)] += 1;
            }
        }
        Ok((self.encoder.take(), counts))
    }
}

/// What is listed beside the pairs that were scored, or instead of them.
fn beside_scored(context: &Context<'_>, listing: Listing<'_>) -> Result<Shuffle<Scored>, Error> {
    let Listing {
        units,
        scored,
        assembled,
    } = listing;
    let more = context.by_number("listed", units.count(), 12);
    let add = |a: UnitId, b: UnitId, similarity: f64| -> Result<(), Error> {
        more.extend(Pair::new(a, b).map(|pair| pair.scored(similarity)))?;
        Ok(())
    };
    match context.spec().pairs {
        Pairs::None => {}
        Pairs::Links => assembled
            .removed
            .for_each(|removed| add(removed.unit(), removed.kept(), removed.similarity))?,
        Pairs::Auto if !context.corpus.compares_input() => add_copies_across(units, scored, &add)?,
        Pairs::Auto => {
            for first in units.input_groups() {
                let mut copies = units.groups.copies_of(first);
                copies.try_for_each(|copy| add(first, copy, 1.0))?;
            }
            if context.corpus.is_against() {
                add_copies_across(units, scored, &add)?;
            }
            if !context.corpus.compares_within_records() {
                scored.for_each(|pair| match elsewhere(units, pair) {
                    Some((a, b)) => add(a, b, pair.similarity),
                    None => Ok(()),
                })?;
            }
        }
        Pairs::All => add_all(context, units, scored, &add)?,
    }
    Ok(more)
}

/// The copies of units of the input with what these are similar to in the other corpus.
fn add_copies_across(
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    add: &impl Fn(UnitId, UnitId, f64) -> Result<(), Error>,
) -> Result<(), Error> {
    let against_from = units.signed.first_unit_against();
    scored.for_each(|pair| {
        let copies = units.groups.copies_of(pair.lo());
        let mut across = copies.filter(|_| pair.hi() >= against_from);
        across.try_for_each(|copy| add(copy, pair.hi(), pair.similarity))
    })
}

/// For a pair of units of one record, the first copies of them that stand in two.
fn elsewhere(units: Units<'_>, pair: Scored) -> Option<(UnitId, UnitId)> {
    let records = &units.signed.records;
    if !records.same(pair.lo(), pair.hi()) {
        return None;
    }
    let record = records.of(pair.lo());
    let copy_of = |unit| {
        let mut copies = units.groups.copies_of(unit);
        copies.find(|&copy| records.of(copy) != record)
    };
    let second = copy_of(pair.hi()).map(|copy| (pair.lo(), copy));
    second.or_else(|| copy_of(pair.lo()).map(|copy| (pair.hi(), copy)))
}

/// All listed pairs in input order: two sequences as one.
struct ListedPairs<'r> {
    sources: [Option<Sequence<'r, Scored>>; 2],
    ahead: [Option<Scored>; 2],
    /// Where units of one record are not listed together.
    apart: Option<Units<'r>>,
}

impl<'r> ListedPairs<'r> {
    fn new(
        context: &Context<'_>,
        listing: Listing<'r>,
        more: &'r Shuffle<Scored>,
    ) -> Result<Self, Error> {
        let base = (context.spec().pairs != Pairs::Links).then_some(listing.scored);
        // A link says why a sentence is in a cluster, wherever it stands.
        let apart = !context.corpus.compares_within_records() && base.is_some();
        let mut listed = ListedPairs {
            sources: [base, Some(more)].map(|pairs| pairs.map(Sequence::of)),
            ahead: [None, None],
            apart: apart.then_some(listing.units),
        };
        listed.advance(0)?;
        listed.advance(1)?;
        Ok(listed)
    }

    fn advance(&mut self, source: usize) -> Result<(), Error> {
        self.ahead[source] = match &mut self.sources[source] {
            Some(pairs) => pairs.next()?,
            None => None,
        };
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Scored>, Error> {
        loop {
            let source = match self.ahead {
                [Some(a), Some(b)] => usize::from(b < a),
                [a, _] => usize::from(a.is_none()),
            };
            let next = self.ahead[source];
            self.advance(source)?;
            if !next.is_some_and(|pair| self.is_within_record(pair)) {
                return Ok(next);
            }
        }
    }

    fn next_chunk(&mut self, chunk: &mut Vec<Scored>) -> Result<Pulled, Error> {
        fill(chunk, CHUNK, || self.next())
    }

    fn is_within_record(&self, pair: Scored) -> bool {
        self.apart
            .is_some_and(|units| units.signed.records.same(pair.lo(), pair.hi()))
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
    if !context.corpus.compares_input() {
        return Ok(());
    }
    for first in units.input_groups() {
        let members: Vec<UnitId> = groups.members(first).collect();
        for (position, &a) in members.iter().enumerate() {
            members[position + 1..]
                .iter()
                .try_for_each(|&b| add(a, b, 1.0))?;
        }
    }
    Ok(())
}
