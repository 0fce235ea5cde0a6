//! Read every record, describe it and hash it: one fused pass.
//!
//! In: the corpus. Out: a posting a key, a digest a unit (for identical ones), the ids, and what was rejected. Blocks
//! are cut in turn, worked on by any thread and committed in input order. A checkpoint can follow every commit.

mod block;
mod columns;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytemuck::Zeroable;
use lookalike_kernel::Keep;
use lookalike_kernel::record::Rejection;
use lookalike_kernel::{Route, decide};
use lookalike_pair::join::Posting;
use lookalike_pair::spill::{Shuffle, Spill, Spool};
use lookalike_pair::workers::{Flow, Pulled, in_order};
use lookalike_text::{RecordId, UnitId};
use serde::{Deserialize, Serialize};

use super::{Context, Renamed, pulled};
use crate::Error;
use crate::bits::Bits;
use crate::budget::{Budget, count_units};
use crate::column::{Column, Marked};
use crate::corpus::{BlockMark, Pass, Tally};
use crate::error::place;
use crate::ids::Lookup;
use crate::records::Records;
use crate::resume::{Checkpointed, Work};
use crate::run::Tolerance;
use crate::source::Block;
use block::{BlockSigner, SignedBlock};
pub(crate) use columns::{Columns, Digest};

/// So many parts of the input that could not be read are told one by one.
const PARTS_TOLD: usize = 10;

/// How many there were of what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Records, rejected ones included.
    pub(crate) records: u64,
    /// What they are split into, and those of the input itself.
    pub(crate) units: u64,
    pub(crate) input_units: u64,
    /// Those of the input itself; the rest is from `--against`.
    pub(crate) input_records: u64,
    pub(crate) rejected: u64,
    /// Those of the input itself.
    pub(crate) input_rejected: u64,
    /// Rejections that are no record: a file that cannot be read, the tail of a damaged archive, an oversized line.
    pub(crate) rejected_parts: u64,
    /// Those of the input itself.
    #[serde(default)]
    input_rejected_parts: u64,
    /// Lines of a list of pairs that name none.
    #[serde(default)]
    pub(crate) unlisted: u64,
    /// The first of the rejected parts.
    #[serde(default)]
    pub(crate) first_parts: Vec<Rejection>,
    /// The first of all rejections, which a run that is continued may not allow.
    first_rejection: Option<Rejection>,
    /// The first of those of `--against`.
    #[serde(default)]
    first_rejection_against: Option<Rejection>,
    pub(crate) empty: u64,
    /// Units with content in which the method finds no features.
    pub(crate) featureless: u64,
    /// Records without a usable value of the `--keep` field.
    pub(crate) unranked: u64,
    /// Records that are ranked by a date.
    #[serde(default)]
    pub(crate) dated: u64,
    /// Pairs with a common feature that is no key, at the most.
    #[serde(skip)]
    pub(crate) not_looked_up: u64,
    /// Records of the input that have each of the fields compared one by one.
    pub(crate) fields_there: Vec<u64>,
    /// Whether these are all.
    pub(crate) complete: bool,
}

impl Counts {
    /// Counts a block, and says how many records and units there were before it.
    fn add(&mut self, block: &SignedBlock) -> Result<Tally, Error> {
        let before = Tally {
            records: self.records as u32,
            units: self.units as u32,
        };
        self.records += u64::from(block.count.records);
        self.units += u64::from(block.count.units);
        RecordId::from_index(self.records as usize)?;
        UnitId::from_index(self.units as usize)?;
        let of_records = block.rejections.iter().filter(|(_, slot)| slot.is_some());
        let rejected = of_records.count() as u64;
        self.rejected += rejected;
        let rejected_parts = block.rejections.len() as u64 - rejected;
        self.rejected_parts += rejected_parts;
        let parts = block.rejections.iter().filter(|(_, slot)| slot.is_none());
        let room = PARTS_TOLD.saturating_sub(self.first_parts.len());
        self.first_parts
            .extend(parts.take(room).map(|(part, _)| part.clone()));
        if let Some((first, _)) = block.rejections.first() {
            self.first_rejection.get_or_insert_with(|| first.clone());
            if !block.is_of_input() {
                let against = &mut self.first_rejection_against;
                against.get_or_insert_with(|| first.clone());
            }
        }
        self.empty += block.empty.len() as u64;
        self.featureless += block.featureless.len() as u64;
        self.unranked += block.unranked.len() as u64;
        self.dated += block.dated.len() as u64;
        if block.is_of_input() {
            self.input_records = self.records;
            self.input_units = self.units;
            self.input_rejected += rejected;
            self.input_rejected_parts += rejected_parts;
            self.fields_there.resize(block.fields_there.len(), 0);
            for (count, &more) in self.fields_there.iter_mut().zip(&block.fields_there) {
                *count += u64::from(more);
            }
        }
        Ok(before)
    }

    /// Ends with an error if more than half of the input, or of what it is compared with, was rejected: something else is
    /// wrong than these records.
    fn check_most_are_read(&self, context: &Context<'_>) -> Result<(), Error> {
        let (input, input_parts) = (self.input_rejected, self.input_rejected_parts);
        let against_parts = self.rejected_parts - input_parts;
        let against = self.records - self.input_records + against_parts;
        let of_input = (input + input_parts, self.input_records + input_parts);
        let of_against = (self.rejected - input + against_parts, against);
        let sides = [
            (of_input, &self.first_rejection),
            (of_against, &self.first_rejection_against),
        ];
        for ((rejected, records), first) in sides {
            if let Some(first) = first
                && 2 * rejected > records
                && context.tolerance != Tolerance::Lenient
            {
                return Err(Error::MostRejected {
                    rejected,
                    records,
                    first: format!("{}: {}", place(first), first.reason),
                });
            }
        }
        Ok(())
    }

    /// Ends with an error if no record can be ranked by the field that decides which ones stay.
    fn check_some_are_ranked(&self, context: &Context<'_>) -> Result<(), Error> {
        let usable = self.records - self.rejected;
        match &context.spec().keep {
            Keep::Field(name)
                if usable > 0
                    && self.unranked >= usable
                    && context.tolerance != Tolerance::Lenient =>
            {
                Err(Error::NothingToRankBy { name: name.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Ends with an error if no record may be rejected and one was, by whichever run.
    fn check_strict(&self, context: &Context<'_>) -> Result<(), Error> {
        match &self.first_rejection {
            Some(rejection) if context.tolerance == Tolerance::Strict => {
                Err(Error::Strict(rejection.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// Read every record, describe it and hash it: one fused pass.
pub(crate) struct Signed {
    pub(crate) columns: Columns,
    /// Which units are of which record, once all are read.
    pub(crate) records: Records,
    pub(crate) blocks: Spool<BlockMark>,
    /// The lines of `rejected.jsonl`.
    pub(crate) rejected: Spool<u8>,
    /// The ids with the names of those that are repeated, if any is, once all are read. Made anew by a run that is continued.
    pub(crate) renamed: Option<Renamed>,
    pub(crate) counts: Counts,
    /// What there is room for, which is less the more units there are.
    pub(crate) budget: Budget,
}

impl Checkpointed for Signed {
    type State = Counts;

    fn parts(&mut self) -> (Vec<&mut dyn Spill>, &mut Counts) {
        let beside: [&mut dyn Spill; 2] = [&mut self.blocks, &mut self.rejected];
        let spilled = self.columns.spilled().chain(beside);
        (spilled.collect(), &mut self.counts)
    }
}

impl Signed {
    fn new(context: &Context<'_>) -> Self {
        Signed {
            columns: Columns::new(context),
            records: Records::Whole,
            blocks: context.spool("blocks", 1),
            rejected: context.spool("rejected", 1),
            renamed: None,
            counts: Counts::default(),
            budget: context.budget,
        }
    }

    /// Holds less where there are more units than were expected: something of each of them stays resident.
    fn make_room(&mut self) -> Result<(), Error> {
        if let Some(share) = self.budget.make_room(self.counts.units)? {
            let (spilled, _) = self.parts();
            for spilled in spilled {
                spilled.shrink(share)?;
            }
        }
        Ok(())
    }

    /// A reader of the ids, each of which is that of one record of its side.
    pub(crate) fn ids(&self) -> Lookup<'_> {
        let renamed = self.renamed.as_ref().map(|renamed| &renamed.ids);
        let ids = renamed.unwrap_or(&self.columns.ids);
        ids.lookup(self.first_record_against())
    }

    /// A reader of the ids as the records have them.
    pub(crate) fn original_ids(&self) -> Lookup<'_> {
        self.columns.ids.lookup(self.first_record_against())
    }

    /// A reader of the titles, which are empty where there is none.
    pub(crate) fn titles(&self) -> Lookup<'_> {
        self.columns.titles.lookup(RecordId::NONE)
    }

    /// The same, where titles are kept.
    pub(crate) fn titles_if_kept(&self) -> Option<Lookup<'_>> {
        (!self.columns.titles.is_empty()).then(|| self.titles())
    }

    /// A reader of the dates, which are empty where there is none.
    pub(crate) fn dates(&self) -> Lookup<'_> {
        self.columns.dates.lookup(RecordId::NONE)
    }

    /// A reader of what records are from, as JSON, where a field says it.
    pub(crate) fn source_names(&self) -> Option<Lookup<'_>> {
        let sources = &self.columns.sources;
        (!sources.is_empty()).then(|| sources.lookup(RecordId::NONE))
    }

    /// The number of units.
    pub(crate) fn units(&self) -> usize {
        self.counts.units as usize
    }

    /// All records, rejected ones included.
    pub(crate) fn all_records(&self) -> impl Iterator<Item = RecordId> + use<> {
        (0..self.counts.records as u32).map(RecordId::from)
    }

    /// The units that are from lists of references.
    pub(crate) fn reference_units(&self) -> Result<Bits<UnitId>, Error> {
        self.marked(&self.columns.references)
    }

    /// The units of rejected records, where something is said of all others.
    pub(crate) fn rejected_units(&self) -> Result<Bits<UnitId>, Error> {
        self.marked(&self.columns.rejected)
    }

    fn marked(&self, column: &Marked) -> Result<Bits<UnitId>, Error> {
        let mut units = Bits::new(self.units());
        for unit in column.0.read_all()? {
            units.insert(unit);
        }
        Ok(units)
    }

    /// Whether there are more units than every pair is looked for of, so that only keys count.
    pub(crate) fn is_too_many(&self, context: &Context<'_>) -> bool {
        decide::only_keys(context.kernel, self.counts.units)
    }

    /// Which units are of which record.
    fn number_records(&mut self, context: &Context<'_>) -> Result<(), Error> {
        if !context.corpus.is_whole() {
            self.records = Records::of_counts(&self.columns.unit_counts)?;
        }
        Ok(())
    }

    /// Forgets what candidates are found by, once they are found; words that are weighed are needed to the end.
    pub(crate) fn forget_keys(&mut self) {
        self.columns.postings.clear();
        self.forget_tapes();
    }

    /// Forgets the words of documents, once those that share neighbouring ones are found.
    pub(crate) fn forget_words(&mut self) {
        Column::<UnitId>::forget(&mut self.columns.words);
    }

    fn forget_tapes(&mut self) {
        Column::<UnitId>::forget(&mut self.columns.probed);
    }

    /// The first unit of `--against`, or the one after the last.
    pub(crate) fn first_unit_against(&self) -> UnitId {
        UnitId::from(self.counts.input_units as u32)
    }

    /// The first record of `--against`, or the one after the last.
    pub(crate) fn first_record_against(&self) -> RecordId {
        RecordId::from(self.counts.input_records as u32)
    }

    /// Adds lines of a list of pairs that name none.
    pub(crate) fn reject_listed(&mut self, rejections: &[Rejection]) -> Result<(), Error> {
        self.counts.unlisted += rejections.len() as u64;
        rejections
            .iter()
            .try_for_each(|rejection| self.list_rejection(rejection))
    }

    fn list_rejection(&mut self, rejection: &Rejection) -> Result<(), Error> {
        let mut line = serde_json::to_vec(rejection).map_err(Error::internal)?;
        line.push(b'\n');
        self.rejected.append(&line)?;
        Ok(())
    }

    fn commit(&mut self, mut block: SignedBlock, context: &Context<'_>) -> Result<(), Error> {
        let limit = context.spec().limit.unwrap_or(u64::MAX);
        if block.is_of_input() {
            let room = limit.saturating_sub(self.counts.input_records);
            if room == 0 {
                return Ok(());
            }
            block.keep_first(room);
        }
        let before = self.counts.add(&block)?;
        self.counts.check_strict(context)?;
        let mark = BlockMark::new(
            block.part,
            (block.place, block.fingerprint),
            before,
            block.count,
        );
        self.blocks.append(&[mark])?;
        if self.is_too_many(context) {
            block.columns.probed.0.clear();
            self.forget_tapes();
        }
        self.columns.append(&block.columns, before)?;
        let mut rejections = block.rejections.iter();
        rejections.try_for_each(|(rejection, _)| self.list_rejection(rejection))?;
        self.make_room()
    }
}

/// Signs the corpus, continuing where the manifest of `work` ends.
pub(crate) fn sign(context: &Context<'_>, work: &mut Work<'_>) -> Result<Signed, Error> {
    let mut signed = Signed::new(context);
    let (mut pass, touched) = (context.corpus.pass(), context.corpus.touched());
    if let Some(saved) = work.manifest.signed.clone() {
        signed = signed.restore(saved)?;
        signed.counts.check_strict(context)?;
        context.observer.note(&format!(
            "continuing an interrupted run: {} records have been read already",
            signed.counts.records
        ));
        signed.make_room()?;
        if touched.is_none() || touched != work.manifest.touched {
            context
                .observer
                .note("files were touched since, and are compared with what was read");
            compare_read(context, &signed)?;
            work.manifest.touched = touched;
        }
        if signed.counts.complete {
            signed.number_records(context)?;
            return Ok(signed);
        }
        let last = signed.blocks.len().checked_sub(1);
        if let Some(last) = last {
            let mut mark = [BlockMark::zeroed()];
            signed.blocks.read_at(&mut mark, last)?;
            pass.read_again(&mark[0], &mut Block::default())?;
        }
    }
    work.manifest.touched = touched;
    let read = read_on(context, &mut signed, pass, &mut |signed| {
        if work.is_due() {
            work.manifest.signed = Some(signed.save()?);
            work.checkpoint()?;
        }
        Ok(())
    });
    if let Err(Error::Budget { .. }) = read {
        // It is to say what all of them need, not only those read so far.
        let units = count_units(context.corpus, context.spec())?;
        return Err(signed.budget.refusal(units));
    }
    read?;
    check_fields(context, &signed.counts)?;
    signed.counts.check_most_are_read(context)?;
    signed.counts.check_some_are_ranked(context)?;
    signed.counts.complete = true;
    signed.number_records(context)?;
    Ok(signed)
}

/// Reads again all that was read before a run was interrupted, and ends with an error if it is not what it was.
fn compare_read(context: &Context<'_>, signed: &Signed) -> Result<(), Error> {
    let marks = signed.blocks.read_all()?;
    let (mut pass, mut next) = (context.corpus.pass(), 0);
    in_order(
        context.threads,
        || Ok((0, Block::default())),
        |(number, block): &mut (usize, Block)| {
            if Pulled::number(&mut next, number, marks.len()) == Pulled::Nothing {
                return Ok(Pulled::Nothing);
            }
            pass.read_again(&marks[*number], block)?;
            Ok(pulled(block))
        },
        |(number, block)| context.corpus.check_decoded(&marks[*number], block),
        |()| context.go_on(),
    )
}

/// Reads the corpus once more for the keys of its units, which were not made the first time.
pub(crate) fn sign_keys(context: &Context<'_>) -> Result<Shuffle<Posting>, Error> {
    let kernel = context.kernel.by_route(Route::Buckets);
    let context = Context {
        kernel: &kernel,
        ..*context
    };
    let mut signed = Signed::new(&context);
    read_on(
        &context,
        &mut signed,
        context.corpus.pass(),
        &mut |_| Ok(()),
    )?;
    Ok(signed.columns.postings)
}

/// Signs what a pass has left; `committed` may save it after every block.
fn read_on(
    context: &Context<'_>,
    signed: &mut Signed,
    mut pass: Pass<'_>,
    committed: &mut (dyn FnMut(&mut Signed) -> Result<(), Error> + Send),
) -> Result<(), Error> {
    let limit = context.spec().limit.unwrap_or(u64::MAX);
    let bytes_read = AtomicU64::new(0);
    let input_done = AtomicBool::new(signed.counts.input_records >= limit);
    let only_keys = AtomicBool::new(signed.is_too_many(context));
    if !input_done.load(Ordering::Relaxed) || context.corpus.is_against() {
        in_order(
            context.threads,
            || BlockSigner::new(context, &only_keys),
            |signer: &mut BlockSigner<'_>| {
                if input_done.load(Ordering::Relaxed) {
                    pass.skip_input();
                }
                let Some(part) = pass.next_block(&mut signer.block)? else {
                    return Ok(Pulled::Nothing);
                };
                signer.part = part;
                bytes_read.store(pass.bytes_read(), Ordering::Relaxed);
                Ok(pulled(&signer.block))
            },
            BlockSigner::sign,
            |block| {
                signed.commit(block, context)?;
                let is_done = signed.counts.input_records >= limit;
                input_done.store(is_done, Ordering::Relaxed);
                only_keys.store(signed.is_too_many(context), Ordering::Relaxed);
                committed(signed)?;
                context.done(bytes_read.load(Ordering::Relaxed))?;
                Ok(if is_done && !context.corpus.is_against() {
                    Flow::Stop
                } else {
                    Flow::Continue
                })
            },
        )?;
    }
    Ok(())
}

/// Ends with an error if no record has one of the fields: its name is wrong.
fn check_fields(context: &Context<'_>, counts: &Counts) -> Result<(), Error> {
    let fields = context.corpus.compared_fields().zip(&counts.fields_there);
    let mut nowhere = fields
        .filter(|(_, count)| **count == 0)
        .map(|(name, _)| name);
    match nowhere.next() {
        Some(name) if counts.input_records > counts.input_rejected => Err(Error::EmptyField {
            name: name.to_string(),
        }),
        _ => Ok(()),
    }
}
