//! The records that are in pairs, with what a later command needs to know of them, and those whose id had occurred before.

use std::borrow::Cow;

use lookalike_kernel::Keep;
use lookalike_kernel::rows::{RecordRow, RepeatedRow, Row, Shape};
use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_pair::workers::in_order;
use lookalike_text::RecordId;

use super::named_units::id_of;
use crate::Error;
use crate::bits::Bits;
use crate::ids::Lookup;
use crate::paged::Paged;
use crate::places::Places;
use crate::rank::{NO_VALUE, shown_value};
use crate::sink::{Chunk, Encoder, Encoders, Sink, TableWriter};
use crate::stages::{Context, Signed, Units, fill};

/// Records encoded in one piece of work.
const CHUNK: usize = 1024;

/// The records in pairs: those of scored units, and of copies that are compared.
pub(super) fn records_in_pairs(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
) -> Result<Bits<RecordId>, Error> {
    let (signed, groups) = (units.signed, units.groups);
    let mut members = Bits::new(signed.counts.records as usize);
    scored.for_each(|pair| {
        for first in [pair.lo(), pair.hi()] {
            for unit in groups.members(first) {
                members.insert(signed.records.of(unit));
            }
        }
        Ok::<_, Error>(())
    })?;
    // Records of the input alone may be copies of each other, and not be compared.
    let against_from = signed.first_unit_against();
    let mut across = Bits::new(units.count());
    if !context.corpus.compares_input() {
        let copies = groups.copies();
        copies
            .filter(|&(first, copy)| first < against_from && copy >= against_from)
            .for_each(|(first, _)| across.insert(first));
    }
    for (first, copy) in groups.copies() {
        if context.corpus.compares_input() || across.contains(first) {
            members.insert(signed.records.of(first));
            members.insert(signed.records.of(copy));
        }
    }
    Ok(members)
}

/// Writes these records in input order. Where records are units, `units` says which are copies, and what they are ranked by.
pub(super) fn write_records(
    context: &Context<'_>,
    signed: &Signed,
    units: Option<Units<'_>>,
    members: &Bits<RecordId>,
    sink: &mut dyn Sink,
) -> Result<(), Error> {
    let units = units.filter(|_| context.corpus.is_whole());
    let mut table = sink.table(Shape::Records).map_err(Error::Sink)?;
    let encoders = Encoders::of(&*table, context.threads);
    let mut left = members.iter();
    in_order(
        context.threads,
        || Worker::new(context, signed, units, &encoders),
        |worker: &mut Worker<'_>| fill(&mut worker.records, CHUNK, || Ok(left.next())),
        Worker::encode,
        |chunk| table.append(chunk).map_err(Error::Sink),
    )?;
    table.finish().map_err(Error::Sink)
}

/// Makes the rows of some records.
struct Worker<'r> {
    context: &'r Context<'r>,
    units: Option<Units<'r>>,
    against_from: RecordId,
    places: Places<'r>,
    ids: Lookup<'r>,
    firsts: Lookup<'r>,
    sizes: Paged<'r, [u32; 2]>,
    titles: Option<Lookup<'r>>,
    origins: Option<Lookup<'r>>,
    ranks: Option<Paged<'r, u64>>,
    encoder: Box<dyn Encoder>,
    records: Vec<RecordId>,
}

impl<'r> Worker<'r> {
    fn new(
        context: &'r Context<'r>,
        signed: &'r Signed,
        units: Option<Units<'r>>,
        encoders: &Encoders,
    ) -> Result<Self, Error> {
        Ok(Worker {
            context,
            units,
            against_from: signed.first_record_against(),
            places: Places::new(context.corpus, signed)?,
            ids: signed.ids(),
            firsts: signed.ids(),
            sizes: Paged::new(&signed.columns.sizes),
            titles: signed.titles_if_kept(),
            origins: signed.source_names(),
            ranks: (ranks_by_value(context) && units.is_some())
                .then(|| Paged::new(&signed.columns.rank_values)),
            encoder: encoders.take()?,
            records: Vec::new(),
        })
    }

    fn encode(&mut self) -> Result<Chunk, Error> {
        let records = std::mem::take(&mut self.records);
        records.iter().try_for_each(|&record| self.add(record))?;
        self.records = records;
        Ok(self.encoder.take())
    }

    fn add(&mut self, record: RecordId) -> Result<(), Error> {
        let (source, line) = self.places.of(record)?;
        let rank = match &mut self.ranks {
            Some(ranks) => ranks.at(record.get())?,
            None => NO_VALUE,
        };
        let first = self
            .units
            .map(|units| units.groups.first_of(record.get().into()));
        let first = first.map(|first| RecordId::from(first.get()));
        let copy_of = match first.filter(|first| *first != record) {
            Some(first) => Some(id_of(&mut self.firsts, first)?),
            None => None,
        };
        let against = record >= self.against_from;
        let [length, bytes] = self.sizes.at(record.get())?.map(u64::from);
        let before = if against { self.against_from.get() } else { 0 };
        let row = RecordRow {
            id: id_of(&mut self.ids, record)?,
            order: u64::from(record.get() - before) + 1,
            rank: shown_value(&self.context.spec().keep, rank),
            length,
            bytes,
            source: Cow::Owned(source),
            line,
            title: name_of(self.titles.as_mut(), record)?,
            origin: name_of(self.origins.as_mut(), record)?,
            copy_of,
            against,
        };
        self.encoder.encode(&Row::Record(row)).map_err(Error::Sink)
    }
}

/// What a record is called in a list of names, if it is called anything.
fn name_of(
    names: Option<&mut Lookup<'_>>,
    record: RecordId,
) -> Result<Option<Cow<'static, str>>, Error> {
    let name = names.map(|names| names.id(record)).transpose()?;
    let name = name.filter(|name| !name.is_empty());
    Ok(name.and_then(|name| serde_json::from_str::<String>(name).ok().map(Cow::Owned)))
}

fn ranks_by_value(context: &Context<'_>) -> bool {
    !matches!(context.spec().keep, Keep::Auto | Keep::First | Keep::Last)
}

/// Writes the records whose id had occurred before, and says how many there are.
pub(super) fn write_repeated(
    context: &Context<'_>,
    signed: &Signed,
    sink: &mut dyn Sink,
) -> Result<u64, Error> {
    let mut table = TableWriter::begin(sink, Shape::Repeated)?;
    let mut count = 0;
    if let Some(renamed) = &signed.renamed {
        let mut places = Places::new(context.corpus, signed)?;
        let (mut ids, mut names) = (signed.original_ids(), signed.ids());
        renamed.repeated.for_each(|repeated| {
            let (source, line) = places.of(repeated.record)?;
            count += 1;
            table.write(&Row::Repeated(RepeatedRow {
                id: id_of(&mut ids, repeated.record)?,
                name: id_of(&mut names, repeated.record)?,
                source: Cow::Owned(source),
                line,
            }))
        })?;
    }
    table.finish()?;
    Ok(count)
}
