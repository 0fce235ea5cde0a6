//! Read the candidates again and store their features, so that each is described once however many pairs it is in.

use std::sync::atomic::{AtomicU64, Ordering};

use lookalike_io::{Block, Record};
use lookalike_pair::Pair;
use lookalike_pair::spill::{SavedSpool, Shuffle, Spool};
use lookalike_sign::{Describe, FeatureSet, Features};
use lookalike_text::{Unit, UnitId};
use serde::{Deserialize, Serialize};

use super::sign::Signed;
use super::Context;
use crate::bits::{Bits, Numbered};
use crate::corpus::BlockMark;
use crate::workers::{Flow, Pulled, in_order};
use crate::Error;

/// The sorted features of every candidate unit.
pub(crate) struct Store {
    members: Numbered,
    /// Where each member's features begin, and the end of the last.
    begins: Vec<u64>,
    features: Spool<u64>,
}

/// The files of a checkpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SavedStore {
    members: SavedSpool,
    begins: SavedSpool,
    features: SavedSpool,
}

impl SavedStore {
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.members.files().chain(self.begins.files()).chain(self.features.files())
    }
}

impl Store {
    fn new(context: &Context<'_>, members: Bits) -> Self {
        Store {
            members: Numbered::new(members),
            begins: vec![0],
            features: Spool::new("features", context.folder, context.budget.percent(40)),
        }
    }

    pub(crate) fn restore(context: &Context<'_>, saved: SavedStore) -> Result<Self, Error> {
        let folder = context.folder;
        let words = Spool::new("members", folder, 0).restore(saved.members)?.read_all()?;
        let mut store = Store::new(context, Bits::from_words(words));
        store.begins = Spool::new("begins", folder, 0).restore(saved.begins)?.read_all()?;
        store.features = store.features.restore(saved.features)?;
        Ok(store)
    }

    pub(crate) fn save(&mut self, context: &Context<'_>) -> Result<SavedStore, Error> {
        let spooled = |kind, words: &[u64]| -> Result<SavedSpool, Error> {
            let mut spool = Spool::new(kind, context.folder, 0);
            spool.append(words)?;
            Ok(spool.save()?)
        };
        Ok(SavedStore {
            members: spooled("members", self.members.bits().words())?,
            begins: spooled("begins", &self.begins)?,
            features: self.features.save()?,
        })
    }

    /// The features of a candidate unit, read into `buffer` where they are on disk.
    pub(crate) fn get<'s>(&'s self, unit: UnitId, buffer: &'s mut Vec<u64>) -> Result<FeatureSet<'s>, Error> {
        let number = self.members.number(unit.get());
        let (begin, end) = (self.begins[number], self.begins[number + 1]);
        let length = (end - begin) as usize;
        if let Some(features) = self.features.in_memory(begin, length) {
            return Ok(FeatureSet::from_sorted(features));
        }
        buffer.resize(length, 0);
        self.features.read_at(buffer, begin)?;
        Ok(FeatureSet::from_sorted(buffer))
    }
}

/// Describes every unit that is in a pair.
pub(crate) fn describe(context: &Context<'_>, signed: &Signed, pairs: &Shuffle<Pair>) -> Result<Store, Error> {
    let mut members = Bits::new(signed.units());
    let mut buffer = Vec::new();
    for partition in 0..pairs.partitions() {
        pairs.load(partition, |_| true, &mut buffer)?;
        for pair in &buffer {
            members.insert(pair.lo().get());
            members.insert(pair.hi().get());
        }
    }
    drop(buffer);
    let mut store = Store::new(context, members.clone());
    let marks = signed.blocks.read_all()?;
    reread(context, &marks, &members, |described| {
        for length in described.lengths {
            let begin = store.begins.last().copied().unwrap_or(0);
            store.begins.push(begin + u64::from(length));
        }
        store.features.append(&described.features)?;
        Ok(())
    })?;
    if store.begins.len() as u64 != members.count() + 1 {
        return Err(Error::Internal(
            "the input changed while it was read: a record could not be read again".to_string(),
        ));
    }
    Ok(store)
}

/// The features of the wanted units of a block, one after the other.
pub(crate) struct Described {
    pub(crate) units: Vec<u32>,
    pub(crate) lengths: Vec<u32>,
    pub(crate) features: Vec<u64>,
}

/// Reads the blocks with any unit of `wanted` again and describes these units as sets, in input order.
pub(crate) fn reread(
    context: &Context<'_>,
    marks: &[BlockMark],
    wanted: &Bits,
    mut each: impl FnMut(Described) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let mut pass = context.corpus.pass();
    let (mut next, mut read) = (0, 0);
    let bytes_read = AtomicU64::new(0);
    in_order(
        context.threads,
        || Describer::new(context),
        |describer: &mut Describer<'_>| {
            while marks.get(next).is_some_and(|mark| !wanted.any(mark.first, mark.records)) {
                next += 1;
            }
            let Some(mark) = marks.get(next) else {
                return Ok(Pulled::Nothing);
            };
            if next != read {
                pass.seek(mark)?;
            }
            pass.next_block(&mut describer.block)?;
            bytes_read.store(pass.bytes_read(), Ordering::Relaxed);
            describer.mark = Some(*mark);
            next += 1;
            read = next;
            Ok(Pulled::Item)
        },
        |describer| describer.describe(wanted),
        |described| {
            each(described)?;
            context.observer.done(bytes_read.load(Ordering::Relaxed));
            Ok(Flow::Continue)
        },
    )
}

/// The text of one record.
pub(crate) fn text_of(context: &Context<'_>, marks: &[BlockMark], record: u32) -> Result<String, Error> {
    let mut text = String::new();
    let mut joined = String::new();
    read_record(context, marks, record, |found| text.push_str(context.corpus.text(found, &mut joined)))?;
    Ok(text)
}

/// Reads one record again.
pub(crate) fn read_record(
    context: &Context<'_>,
    marks: &[BlockMark],
    record: u32,
    mut found: impl FnMut(&Record<'_>),
) -> Result<BlockMark, Error> {
    let after = marks.partition_point(|mark| mark.first <= record);
    let Some(mark) = after.checked_sub(1).map(|last| marks[last]) else {
        return Err(Error::Internal(format!("record {record} is in no block")));
    };
    let mut pass = context.corpus.pass();
    pass.seek(&mark)?;
    let mut block = Block::default();
    pass.next_block(&mut block)?;
    let is_it = |slot: u32| mark.first + slot == record;
    block.decode(&mut |slot| is_it(slot), &mut |slot, decoded| {
        if let (true, Ok(decoded)) = (is_it(slot), decoded) {
            found(&decoded);
        }
    })?;
    Ok(mark)
}

struct Describer<'r> {
    context: &'r Context<'r>,
    block: Block,
    mark: Option<BlockMark>,
    describe: Box<dyn Describe>,
    features: Features,
    joined: String,
}

impl<'r> Describer<'r> {
    fn new(context: &'r Context<'r>) -> Self {
        Describer {
            context,
            block: Block::default(),
            mark: None,
            describe: context.plan.method.describer(context.spec.text, context.plan.seed),
            features: Features::default(),
            joined: String::new(),
        }
    }

    fn describe(&mut self, wanted: &Bits) -> Result<Described, Error> {
        let Describer { context, block, mark, describe, features, joined } = self;
        let mut out = Described {
            units: Vec::new(),
            lengths: Vec::new(),
            features: Vec::new(),
        };
        let Some(mark) = mark else {
            return Ok(out);
        };
        let is_wanted = |slot: u32| slot < mark.records && wanted.contains(mark.first + slot);
        block.decode(&mut |slot| is_wanted(slot), &mut |slot, record| {
            let (true, Ok(record)) = (is_wanted(slot), record) else {
                return;
            };
            let unit = UnitId::from(mark.first + slot);
            let text = context.corpus.text(&record, joined);
            describe.describe(&Unit::whole(unit, text), features);
            let set = features.sort();
            out.units.push(unit.get());
            out.lengths.push(set.len() as u32);
            out.features.extend_from_slice(set.hashes());
        })?;
        Ok(out)
    }
}
