//! Read the candidates again and store what the measure needs of them, so that each is described once however many pairs
//! it is in.

use std::sync::atomic::{AtomicU64, Ordering};

use std::ops::Range;

use lookalike_io::{Block, Record};
use lookalike_pair::spill::{SavedSpool, Spool};
use lookalike_pair::verify::{Keep, Kept};
use lookalike_sign::{Describe, Features};
use lookalike_text::{Unit, UnitId};
use serde::{Deserialize, Serialize};

use super::join::Candidates;
use super::sign::Signed;
use super::weigh::describe_taped;
use super::{Context, LARGE_BLOCK, Units};
use crate::Error;
use crate::bits::{Bits, Numbered};
use crate::corpus::{BlockMark, Splitter};
use crate::resume::Work;
use lookalike_pair::workers::{Flow, Pulled, in_order};

/// What the measure keeps of every candidate unit.
pub(crate) struct Store {
    members: Numbered,
    /// Where each member's words begin, and the end of the last.
    begins: Spool<u64>,
    kept: Spool<u64>,
    /// How many blocks of the input are done; all of them in a complete store.
    blocks_done: usize,
    saved_members: Option<SavedSpool>,
}

/// The files of a checkpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SavedStore {
    members: SavedSpool,
    begins: SavedSpool,
    kept: SavedSpool,
    blocks_done: usize,
}

impl SavedStore {
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.members
            .files()
            .chain(self.begins.files())
            .chain(self.kept.files())
    }
}

impl Store {
    /// An empty store for these units.
    fn new(context: &Context<'_>, members: Bits) -> Result<Self, Error> {
        let mut store = Store::of(context, members);
        store.begins.append(&[0])?;
        Ok(store)
    }

    fn of(context: &Context<'_>, members: Bits) -> Self {
        Store {
            members: Numbered::new(members),
            begins: Spool::new("begins", context.folder, context.budget.percent(10)),
            kept: Spool::new("kept", context.folder, context.budget.percent(40)),
            blocks_done: 0,
            saved_members: None,
        }
    }

    fn restore(context: &Context<'_>, saved: SavedStore) -> Result<Self, Error> {
        let words = Spool::new("described", context.folder, 0)
            .restore(saved.members.clone())?
            .read_all()?;
        let store = Store::of(context, Bits::from_words(words));
        Ok(Store {
            begins: store.begins.restore(saved.begins)?,
            kept: store.kept.restore(saved.kept)?,
            blocks_done: saved.blocks_done,
            saved_members: Some(saved.members),
            ..store
        })
    }

    pub(crate) fn save(&mut self, context: &Context<'_>) -> Result<SavedStore, Error> {
        let members = match self.saved_members.clone() {
            Some(members) => members,
            None => {
                let mut spool = Spool::new("described", context.folder, 0);
                spool.append(self.members.bits().words())?;
                spool.save()?
            }
        };
        self.saved_members = Some(members.clone());
        Ok(SavedStore {
            members,
            begins: self.begins.save()?,
            kept: self.kept.save()?,
            blocks_done: self.blocks_done,
        })
    }

    /// Whether every member is there.
    fn check_complete(&self) -> Result<(), Error> {
        if self.begins.len() == self.members.bits().count() + 1 {
            return Ok(());
        }
        Err(Error::Internal(
            "the input changed while it was read: a record could not be read again".to_string(),
        ))
    }

    fn add(&mut self, described: &Described) -> Result<(), Error> {
        let mut end = self.kept.len();
        for &length in &described.lengths {
            end += u64::from(length);
            self.begins.append(&[end])?;
        }
        self.kept.append(&described.kept)?;
        self.blocks_done = described.block + 1;
        Ok(())
    }

    /// What is kept of a candidate unit, by way of `window` where it is on disk.
    pub(crate) fn get<'s>(
        &'s self,
        unit: UnitId,
        window: &'s mut Window,
    ) -> Result<&'s Kept, Error> {
        if !self.members.bits().contains(unit.get()) {
            return Err(Error::Internal(format!(
                "unit {} is compared and was not described",
                unit.get()
            )));
        }
        let number = self.members.number(unit.get());
        let mut ends = [0; 2];
        self.begins.read_at(&mut ends, number as u64)?;
        let [begin, end] = ends;
        let length = (end - begin) as usize;
        if let Some(kept) = self.kept.in_memory(begin, length) {
            return Ok(kept);
        }
        let window_end = window.begin + window.kept.len() as u64;
        if begin < window.begin || end > window_end {
            // Pairs come sorted, so the next unit may be a little further on.
            let near = begin >= window.begin && begin < window_end + WINDOW / 8;
            let wanted = if near {
                (end - begin).max(WINDOW)
            } else {
                end - begin
            };
            let available = self.kept.len() - begin;
            window.begin = begin;
            window.kept.resize(wanted.min(available) as usize, 0);
            self.kept.read_at(&mut window.kept, begin)?;
        }
        let at = (begin - window.begin) as usize;
        Ok(&window.kept[at..at + length])
    }
}

/// Words read ahead.
const WINDOW: u64 = 1 << 11;

/// A part of what is stored, read back from disk.
#[derive(Debug, Default)]
pub(crate) struct Window {
    begin: u64,
    kept: Vec<u64>,
}

/// All units that are in a pair, or in a hot bucket: later rounds compare these, too.
pub(crate) fn in_pairs(units: usize, candidates: &Candidates) -> Result<Bits, Error> {
    let (pairs, mut members) = (&candidates.pairs, candidates.hot.units(units)?);
    let mut loaded = Vec::new();
    for partition in 0..pairs.partitions() {
        pairs.load(partition, |_| true, &mut loaded)?;
        for pair in &loaded {
            members.insert(pair.lo().get());
            members.insert(pair.hi().get());
        }
    }
    Ok(members)
}

/// Describes every unit that `members` names, continuing where the manifest of `work` ends.
pub(crate) fn describe(
    context: &Context<'_>,
    signed: &mut Signed,
    (candidates, members): (&mut Candidates, Members<'_>),
    work: &mut Work,
) -> Result<Store, Error> {
    let mut store = match work.manifest.described.clone() {
        Some(saved) => Store::restore(context, saved)?,
        None => Store::new(context, members(signed.units(), candidates)?)?,
    };
    let marks = signed.blocks.read_all()?;
    let members = store.members.bits().clone();
    if context.plan.weighs && !context.plan.measure.describes_units() {
        describe_taped(context, signed, &members, |described| store.add(described))?;
        store.blocks_done = marks.len();
        store.check_complete()?;
        return Ok(store);
    }
    let what = Reread {
        marks: &marks,
        blocks: store.blocks_done..marks.len(),
        wanted: &members,
        keeping: &Keeping::Measured,
    };
    reread(
        context,
        &what,
        |described| described,
        |described| {
            store.add(&described)?;
            if work.is_due() {
                work.save_joined(signed, candidates)?;
                work.manifest.described = Some(store.save(context)?);
                work.checkpoint()?;
            }
            Ok(())
        },
    )?;
    store.blocks_done = marks.len();
    store.check_complete()?;
    Ok(store)
}

/// Describes these units once more: for another purpose, or for a run that did so before it was interrupted.
pub(crate) fn describe_again(
    context: &Context<'_>,
    units: Units<'_>,
    members: &Bits,
    keeping: &Keeping,
) -> Result<Store, Error> {
    let mut store = Store::new(context, members.clone())?;
    let marks = units.signed.blocks.read_all()?;
    let what = Reread {
        marks: &marks,
        blocks: 0..marks.len(),
        wanted: members,
        keeping,
    };
    reread(
        context,
        &what,
        |described| described,
        |described| store.add(&described),
    )?;
    store.check_complete()?;
    Ok(store)
}

/// Says which units to describe, given how many there are.
type Members<'m> = &'m dyn Fn(usize, &Candidates) -> Result<Bits, Error>;

/// What is kept of the wanted units of a block, one after the other.
pub(crate) struct Described {
    /// The number of the block.
    pub(crate) block: usize,
    units: Vec<u32>,
    lengths: Vec<u32>,
    pub(crate) kept: Vec<u64>,
}

impl Described {
    /// Nothing yet of a block.
    pub(crate) fn new(block: usize) -> Self {
        Described {
            block,
            units: Vec::new(),
            lengths: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Adds a unit and what `keep` keeps of it.
    pub(crate) fn add(&mut self, unit: UnitId, keep: impl FnOnce(&mut Vec<u64>)) {
        let before = self.kept.len();
        keep(&mut self.kept);
        self.units.push(unit.get());
        self.lengths.push((self.kept.len() - before) as u32);
    }

    /// Each unit with what is kept of it.
    pub(crate) fn units(&self) -> impl Iterator<Item = (UnitId, &Kept)> {
        let mut rest = self.kept.as_slice();
        self.units
            .iter()
            .zip(&self.lengths)
            .map(move |(&unit, &length)| {
                let (kept, after) = rest.split_at(length as usize);
                rest = after;
                (UnitId::from(unit), kept)
            })
    }
}

/// Which units to read again.
pub(crate) struct Reread<'r> {
    /// All blocks of the corpus.
    pub(crate) marks: &'r [BlockMark],
    /// The numbers of the blocks to look at.
    pub(crate) blocks: Range<usize>,
    pub(crate) wanted: &'r Bits,
    pub(crate) keeping: &'r Keeping,
}

/// What to keep of units that are read again.
pub(crate) enum Keeping {
    /// What the measure needs.
    Measured,
    /// What this makes of them.
    As(fn() -> Box<dyn Keep>),
}

/// Reads the blocks with any wanted unit again, describes these units, does `work` on what is kept of a block in any
/// thread and hands the results on in input order.
pub(crate) fn reread<R: Send>(
    context: &Context<'_>,
    what: &Reread<'_>,
    work: impl Fn(Described) -> R + Sync,
    mut each: impl FnMut(R) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let mut pass = context.corpus.pass();
    let mut next = what.blocks.start;
    let marks = &what.marks[..what.blocks.end];
    let bytes_read = AtomicU64::new(0);
    in_order(
        context.threads,
        || Describer::new(context, what.keeping),
        |describer: &mut Describer<'_>| {
            while marks
                .get(next)
                .is_some_and(|mark| !what.wanted.any(mark.first_unit, mark.units))
            {
                next += 1;
            }
            let Some(mark) = marks.get(next) else {
                return Ok(Pulled::Nothing);
            };
            pass.read_again(mark, &mut describer.block)?;
            bytes_read.store(pass.bytes_read(), Ordering::Relaxed);
            describer.block_number = next;
            describer.mark = Some(*mark);
            next += 1;
            Ok(if describer.block.bytes_held() > LARGE_BLOCK {
                Pulled::LargeItem
            } else {
                Pulled::Item
            })
        },
        |describer| Ok(work(describer.describe(what.wanted)?)),
        |result| {
            each(result)?;
            context.observer.done(bytes_read.load(Ordering::Relaxed));
            Ok(Flow::Continue)
        },
    )
}

/// The text of one unit.
pub(crate) fn text_of(
    context: &Context<'_>,
    marks: &[BlockMark],
    unit: u32,
) -> Result<String, Error> {
    let after = marks.partition_point(|mark| mark.first_unit <= unit);
    let Some(mark) = after.checked_sub(1).map(|last| marks[last]) else {
        return Err(Error::Internal(format!("unit {unit} is in no block")));
    };
    let mut block = Block::default();
    context.corpus.pass().read_again(&mark, &mut block)?;
    let mut wanted = Bits::new(unit as usize + 1);
    wanted.insert(unit);
    let (mut splitter, mut text) = (context.corpus.splitter(), String::new());
    for_each_unit(&block, &mark, &wanted, &mut splitter, &mut |unit| {
        text.push_str(unit.text);
    })?;
    Ok(text)
}

/// Hands on the wanted units of a block.
fn for_each_unit(
    block: &Block,
    mark: &BlockMark,
    wanted: &Bits,
    splitter: &mut Splitter<'_>,
    each: &mut dyn FnMut(Unit<'_>),
) -> Result<(), Error> {
    let mut next = mark.first_unit;
    // Where records are units, those that are not wanted need not be decoded.
    let is_whole = splitter.is_whole();
    let is_wanted =
        |slot: u32| slot < mark.records && (!is_whole || wanted.contains(mark.first_unit + slot));
    block.decode(&mut |slot| is_wanted(slot), &mut |slot, record| {
        if !is_wanted(slot) {
            return;
        }
        if is_whole {
            next = mark.first_unit + slot;
        }
        next += match record {
            Ok(record) => splitter.split(next, &record, &mut |unit| {
                if wanted.contains(unit.id.get()) {
                    each(unit);
                }
            }),
            Err(_) => splitter.of_rejected(),
        };
    })?;
    Ok(())
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
    let mut block = Block::default();
    pass.read_again(&mark, &mut block)?;
    let is_it = |slot: u32| mark.first + slot == record;
    block.decode(&mut |slot| is_it(slot), &mut |slot, decoded| {
        if let (true, Ok(decoded)) = (is_it(slot), decoded) {
            found(&decoded);
        }
    })?;
    Ok(mark)
}

struct Describer<'r> {
    block: Block,
    block_number: usize,
    mark: Option<BlockMark>,
    /// None where the measure describes units itself.
    describe: Option<Box<dyn Describe>>,
    keeper: Box<dyn Keep>,
    features: Features,
    splitter: Splitter<'r>,
}

impl<'r> Describer<'r> {
    fn new(context: &'r Context<'r>, keeping: &Keeping) -> Result<Self, Error> {
        let plan = context.plan;
        Ok(Describer {
            block: Block::default(),
            block_number: 0,
            mark: None,
            describe: match (keeping, &plan.features) {
                (Keeping::Measured, Some(features)) if !plan.measure.describes_units() => {
                    Some(features.describer(&plan.background)?)
                }
                _ => None,
            },
            keeper: match keeping {
                Keeping::Measured => plan.measure.keeper(&plan.background)?,
                Keeping::As(keeper) => keeper(),
            },
            features: Features::default(),
            splitter: context.corpus.splitter(),
        })
    }

    fn describe(&mut self, wanted: &Bits) -> Result<Described, Error> {
        let Describer {
            block,
            block_number,
            mark,
            describe,
            keeper,
            features,
            splitter,
            ..
        } = self;
        let mut out = Described::new(*block_number);
        let Some(mark) = mark else {
            return Ok(out);
        };
        for_each_unit(block, mark, wanted, splitter, &mut |unit| {
            if let Some(describe) = describe {
                describe.describe(&unit, features);
            }
            out.add(unit.id, |kept| {
                if describe.is_none() || !features.is_empty() {
                    keeper.keep(&unit, features, kept);
                }
            });
        })?;
        Ok(out)
    }
}
