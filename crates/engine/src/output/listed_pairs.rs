//! Which pairs are listed, in input order.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use lookalike_pair::assemble::Kind;
use lookalike_pair::spill::{Partitions, Shuffle, Sorted};
use lookalike_pair::{Pair, Scored};
use lookalike_text::UnitId;

use super::named_units::{MakeRows, UnitRows};
use crate::Error;
use crate::bits::Bits;
use crate::sink::{Chunk, Encoder, Sink};
use crate::stages::{Assembled, Context, Units};
use lookalike_kernel::Pairs;
use lookalike_pair::workers::{Flow, Pulled, in_order};

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
}

/// Writes the pairs that `--pairs` asks for, encoded by all threads.
pub(super) fn write_pairs(
    context: &Context<'_>,
    listing: Listing<'_>,
    rows: &dyn UnitRows,
    sink: &mut dyn Sink,
) -> Result<PairCounts, Error> {
    let mut counts = PairCounts::default();
    let mut table = sink.table(rows.pair_shape()).map_err(Error::Sink)?;
    if context.spec().pairs != Pairs::None {
        let more = beside_scored(context, listing)?;
        let mut listed = ListedPairs::new(context, listing, &more)?;
        // Made here, since the table is appended to while workers begin.
        let encoders = (0..context.threads).map(|_| table.encoder());
        let encoders = Mutex::new(encoders.collect::<Vec<_>>());
        in_order(
            context.threads,
            || Worker::new(rows, &encoders),
            |worker: &mut Worker<'_>| listed.next_chunk(&mut worker.pairs),
            Worker::encode,
            |(chunk, of_chunk)| {
                table.append(chunk).map_err(Error::Sink)?;
                counts.listed += of_chunk.listed;
                for (kind, count) in of_chunk.kinds {
                    *counts.kinds.entry(kind).or_default() += count;
                }
                Ok(Flow::Continue)
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
    fn new(rows: &'r dyn UnitRows, encoders: &Mutex<Vec<Box<dyn Encoder>>>) -> Result<Self, Error> {
        let mut encoders = encoders.lock().unwrap_or_else(PoisonError::into_inner);
        let encoder = encoders.pop();
        let missing = || Error::Internal("there are more workers than encoders".to_string());
        Ok(Worker {
            rows: rows.maker()?,
            encoder: encoder.ok_or_else(missing)?,
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
            counts.listed += u64::from(listed.is_wanted);
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
    match context.spec().pairs {
        Pairs::None => {}
        Pairs::Links => assembled
            .removed
            .for_each(|removed| add(removed.unit(), removed.kept(), removed.similarity))?,
        Pairs::Auto if context.corpus.is_against() => scored.for_each(|pair| {
            units
                .groups
                .copies_of(pair.lo())
                .try_for_each(|copy| add(copy, pair.hi(), pair.similarity))
        })?,
        Pairs::Auto => {
            units
                .groups
                .pairs()
                .try_for_each(|(first, copy)| add(first, copy, 1.0))?;
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

/// For a pair of units of one record, the first copies of them that stand in two.
fn elsewhere(units: Units<'_>, pair: Scored) -> Option<(UnitId, UnitId)> {
    let records = &units.signed.records;
    if !records.same(pair.lo().get(), pair.hi().get()) {
        return None;
    }
    let record = records.of(pair.lo().get());
    let copy_of = |unit| {
        let mut copies = units.groups.copies_of(unit);
        copies.find(|copy| records.of(copy.get()) != record)
    };
    let second = copy_of(pair.hi()).map(|copy| (pair.lo(), copy));
    second.or_else(|| copy_of(pair.lo()).map(|copy| (pair.hi(), copy)))
}

/// All listed pairs in input order.
struct ListedPairs<'r> {
    base: Option<&'r Shuffle<Scored>>,
    more: &'r Shuffle<Scored>,
    /// Where units of one record are not listed together.
    apart: Option<Units<'r>>,
    partition: usize,
    merged: Merged,
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
        Ok(ListedPairs {
            base,
            more,
            apart: apart.then_some(listing.units),
            partition: 0,
            merged: Merged::new(base.map(|base| base.sorted(0)), more.sorted(0))?,
        })
    }

    fn next_chunk(&mut self, chunk: &mut Vec<Scored>) -> Result<Pulled, Error> {
        chunk.clear();
        while chunk.len() < CHUNK {
            if let Some(pair) = self.merged.next()? {
                if !self.is_within_record(pair) {
                    chunk.push(pair);
                }
            } else if self.partition + 1 < self.more.partitions() {
                self.partition += 1;
                let base = self.base.map(|base| base.sorted(self.partition));
                self.merged = Merged::new(base, self.more.sorted(self.partition))?;
            } else {
                break;
            }
        }
        Ok(if chunk.is_empty() {
            Pulled::Nothing
        } else {
            Pulled::Item
        })
    }

    fn is_within_record(&self, pair: Scored) -> bool {
        let (lo, hi) = (pair.lo().get(), pair.hi().get());
        self.apart
            .is_some_and(|units| units.signed.records.same(lo, hi))
    }
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

/// The units that stand for those in listed pairs.
pub(super) fn units_in_pairs(units: Units<'_>, scored: &Shuffle<Scored>) -> Result<Bits, Error> {
    let mut members = Bits::new(units.count());
    let mut add = |unit: UnitId| members.insert(unit.get());
    scored.for_each(|pair| {
        add(pair.lo());
        add(pair.hi());
        Ok::<_, Error>(())
    })?;
    units.groups.with_copies().for_each(add);
    Ok(members)
}
