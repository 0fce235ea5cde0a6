//! Read every record, describe it and hash it: one fused pass.
//!
//! In: the corpus. Out: a posting a key, a digest a unit (for identical ones), the ids, and what was rejected. Blocks
//! are cut in turn, worked on by any thread and committed in input order. A checkpoint can follow every commit.

mod signer;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytemuck::{Pod, Zeroable};
use lookalike_io::{Block, Rejection};
use lookalike_pair::join::{Posting, RecordPosting};
use lookalike_pair::spill::{Item, Partitions, SavedShuffle, SavedSpool, Shuffle, Spool};
use lookalike_sign::keys::Sketch;
use lookalike_text::{RecordId, UnitId};
use serde::{Deserialize, Serialize};

use super::{Context, LARGE_BLOCK};
use crate::Error;
use crate::bits::Bits;
use crate::corpus::{BlockMark, Pass, Side};
use crate::ids::{Ids, Lookup, SavedIds};
use crate::jobs;
use crate::plan::{Fallback, Plan, Route};
use crate::records::Records;
use crate::resume::Work;
use lookalike_pair::workers::{Flow, Pulled, in_order};
use signer::{SignedBlock, Signer};

/// The digest of a unit's features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Digest {
    digest: [u32; 4],
    unit: u32,
}

impl Digest {
    fn new(digest: u128, unit: u32) -> Self {
        let part = |shift: u32| (digest >> shift) as u32;
        Digest {
            digest: [part(96), part(64), part(32), part(0)],
            unit,
        }
    }

    pub(crate) fn same_text(&self, other: &Self) -> bool {
        self.digest == other.digest
    }

    pub(crate) fn unit(self) -> UnitId {
        UnitId::from(self.unit)
    }
}

impl Item for Digest {
    fn place(&self) -> u32 {
        self.digest[0]
    }
}

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
    /// Rejections that are no record: the tail of a damaged archive, an oversized line.
    pub(crate) rejected_parts: u64,
    pub(crate) empty: u64,
    /// Units with content in which the method finds no features.
    pub(crate) featureless: u64,
    /// Records without a usable value of the `--keep` field.
    pub(crate) unranked: u64,
    /// Records of the input that have each of the fields compared one by one.
    pub(crate) fields_there: Vec<u64>,
}

impl Counts {
    fn count_fields(&mut self, more: &[u32]) {
        self.fields_there.resize(more.len(), 0);
        for (count, &more) in self.fields_there.iter_mut().zip(more) {
            *count += u64::from(more);
        }
    }
}

/// What is known of all units under one probe.
pub(crate) struct Probed {
    /// 32 bits of every distinct feature, unit after unit, where prefixes are to be chosen.
    pub(crate) tape: Spool<u32>,
    /// How many distinct features each unit has, where the join needs it.
    pub(crate) sizes: Spool<u32>,
}

impl Probed {
    fn restore(self, (tape, sizes): (SavedSpool, SavedSpool)) -> Result<Self, Error> {
        Ok(Probed {
            tape: self.tape.restore(tape)?,
            sizes: self.sizes.restore(sizes)?,
        })
    }

    fn save(&mut self) -> Result<(SavedSpool, SavedSpool), Error> {
        Ok((self.tape.save()?, self.sizes.save()?))
    }
}

/// See the [module](self).
pub(crate) struct Signed {
    pub(crate) postings: Shuffle<Posting>,
    /// One a probe.
    pub(crate) probed: Vec<Probed>,
    /// The words of every unit, in order, where they are weighed later; and how many each has.
    pub(crate) terms: Spool<u64>,
    pub(crate) term_counts: Spool<u32>,
    /// The units that are from lists of references.
    references: Spool<u32>,
    /// One a unit, where the plan has a sieve.
    pub(crate) sketches: Spool<Sketch>,
    pub(crate) digests: Shuffle<Digest>,
    pub(crate) id_hashes: Shuffle<RecordPosting>,
    ids: Ids,
    titles: Ids,
    /// How many units each record is split into, where that is not simply one.
    unit_counts: Spool<u32>,
    /// Which units are of which record, once all are read.
    pub(crate) records: Records,
    /// The values by which units are ranked, where the keep rule needs them.
    pub(crate) rank_values: Spool<u64>,
    pub(crate) blocks: Spool<BlockMark>,
    /// The lines of `rejected.jsonl`.
    pub(crate) rejected: Spool<u8>,
    pub(crate) counts: Counts,
    /// Whether all blocks are in.
    pub(crate) complete: bool,
}

/// The files of a checkpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SavedSigned {
    postings: SavedShuffle,
    probed: Vec<(SavedSpool, SavedSpool)>,
    terms: SavedSpool,
    term_counts: SavedSpool,
    references: SavedSpool,
    sketches: SavedSpool,
    digests: SavedShuffle,
    id_hashes: SavedShuffle,
    ids: SavedIds,
    titles: SavedIds,
    unit_counts: SavedSpool,
    rank_values: SavedSpool,
    blocks: SavedSpool,
    rejected: SavedSpool,
    counts: Counts,
    complete: bool,
}

impl SavedSigned {
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let shuffles = [&self.postings, &self.digests, &self.id_hashes];
        let probed = self.probed.iter().flat_map(|(tape, sizes)| [tape, sizes]);
        let spools = probed.chain([
            &self.terms,
            &self.term_counts,
            &self.references,
            &self.sketches,
            &self.unit_counts,
            &self.rank_values,
            &self.blocks,
            &self.rejected,
        ]);
        let shuffled = shuffles
            .into_iter()
            .flat_map(lookalike_pair::spill::SavedShuffle::files);
        shuffled
            .chain(spools.flat_map(lookalike_pair::spill::SavedSpool::files))
            .chain(self.ids.files())
            .chain(self.titles.files())
    }
}

impl Signed {
    fn new(context: &Context<'_>) -> Self {
        let (budget, folder) = (context.budget, context.folder);
        let hashed = Partitions::of_hashes(budget.partitions);
        let small = budget.percent(1);
        let probes = context.plan.probes.len().max(1);
        let (tapes, postings) = if context.plan.weighs {
            // The words themselves are the tape.
            (0, 35)
        } else if context.plan.model.is_some() {
            // There are no postings beside them, and they are looked at once more when pairs are joined.
            (40, 20)
        } else if jobs::exact_units(context.spec) < u64::MAX {
            // They are given up before they are many.
            (5, 40)
        } else {
            (25, 20)
        };
        let probed = || Probed {
            tape: Spool::new("tape", folder, budget.percent(tapes) / probes),
            sizes: Spool::new("sizes", folder, small / probes),
        };
        Signed {
            postings: Shuffle::new("postings", folder, hashed, budget.percent(postings)),
            probed: context.plan.probes.iter().map(|_| probed()).collect(),
            terms: Spool::new("terms", folder, budget.percent(28)),
            term_counts: Spool::new("term-counts", folder, small),
            references: Spool::new("references", folder, small),
            sketches: Spool::new("sketches", folder, small),
            digests: Shuffle::new("digests", folder, hashed, budget.percent(6)),
            id_hashes: Shuffle::new("id-hashes", folder, hashed, budget.percent(4)),
            ids: if context.corpus.has_ids() {
                Ids::new("ids", folder, budget.percent(6))
            } else {
                Ids::numbers()
            },
            titles: Ids::new("titles", folder, budget.percent(2)),
            unit_counts: Spool::new("unit-counts", folder, small),
            records: Records::Whole,
            rank_values: Spool::new("rank-values", folder, small),
            blocks: Spool::new("blocks", folder, small),
            rejected: Spool::new("rejected", folder, small),
            counts: Counts::default(),
            complete: false,
        }
    }

    fn restore(self, saved: SavedSigned) -> Result<Self, Error> {
        Ok(Signed {
            postings: self.postings.restore(saved.postings)?,
            probed: self
                .probed
                .into_iter()
                .zip(saved.probed)
                .map(|(probed, saved)| probed.restore(saved))
                .collect::<Result<_, _>>()?,
            terms: self.terms.restore(saved.terms)?,
            term_counts: self.term_counts.restore(saved.term_counts)?,
            references: self.references.restore(saved.references)?,
            sketches: self.sketches.restore(saved.sketches)?,
            digests: self.digests.restore(saved.digests)?,
            id_hashes: self.id_hashes.restore(saved.id_hashes)?,
            ids: self.ids.restore(saved.ids)?,
            titles: self.titles.restore(saved.titles)?,
            unit_counts: self.unit_counts.restore(saved.unit_counts)?,
            records: self.records,
            rank_values: self.rank_values.restore(saved.rank_values)?,
            blocks: self.blocks.restore(saved.blocks)?,
            rejected: self.rejected.restore(saved.rejected)?,
            counts: saved.counts,
            complete: saved.complete,
        })
    }

    pub(crate) fn save(&mut self) -> Result<SavedSigned, Error> {
        Ok(SavedSigned {
            postings: self.postings.save()?,
            probed: self
                .probed
                .iter_mut()
                .map(Probed::save)
                .collect::<Result<_, _>>()?,
            terms: self.terms.save()?,
            term_counts: self.term_counts.save()?,
            references: self.references.save()?,
            sketches: self.sketches.save()?,
            digests: self.digests.save()?,
            id_hashes: self.id_hashes.save()?,
            ids: self.ids.save()?,
            titles: self.titles.save()?,
            unit_counts: self.unit_counts.save()?,
            rank_values: self.rank_values.save()?,
            blocks: self.blocks.save()?,
            rejected: self.rejected.save()?,
            counts: self.counts.clone(),
            complete: self.complete,
        })
    }

    /// A reader of the ids.
    pub(crate) fn ids(&self) -> Lookup<'_> {
        self.ids.lookup(self.counts.input_records as u32)
    }

    /// A reader of the titles, which are empty where there is none.
    pub(crate) fn titles(&self) -> Lookup<'_> {
        self.titles.lookup(u32::MAX)
    }

    /// The number of units.
    pub(crate) fn units(&self) -> usize {
        self.counts.units as usize
    }

    /// The units that are from lists of references.
    pub(crate) fn reference_units(&self) -> Result<Bits, Error> {
        let mut units = Bits::new(self.units());
        for unit in self.references.read_all()? {
            units.insert(unit);
        }
        Ok(units)
    }

    /// Whether there are more units than every pair is looked for of, so that only keys count.
    pub(crate) fn is_too_many(&self, context: &Context<'_>) -> bool {
        matches!(context.plan.route, Route::PrefixOr(Fallback::Ready))
            && self.counts.units > jobs::exact_units(context.spec)
    }

    /// Which units are of which record.
    fn number_records(&mut self, context: &Context<'_>) -> Result<(), Error> {
        if !context.corpus.is_whole() {
            self.records = Records::of_counts(&self.unit_counts)?;
        }
        Ok(())
    }

    /// Forgets what candidates are found by, once they are found; words that are weighed are needed to the end.
    pub(crate) fn forget_keys(&mut self) {
        self.postings.clear();
        for probed in &mut self.probed {
            probed.tape.clear();
            probed.sizes.clear();
        }
    }

    /// The first unit of `--against`, or the number of units.
    pub(crate) fn against_from(&self) -> u32 {
        self.counts.input_units as u32
    }

    /// Adds rejections that are no record.
    pub(crate) fn reject(&mut self, rejections: &[Rejection]) -> Result<(), Error> {
        self.counts.rejected_parts += rejections.len() as u64;
        rejections
            .iter()
            .try_for_each(|rejection| self.list_rejection(rejection))
    }

    fn list_rejection(&mut self, rejection: &Rejection) -> Result<(), Error> {
        let mut line =
            serde_json::to_vec(rejection).map_err(|error| Error::Internal(error.to_string()))?;
        line.push(b'\n');
        self.rejected.append(&line)?;
        Ok(())
    }

    fn commit(&mut self, mut block: SignedBlock, context: &Context<'_>) -> Result<(), Error> {
        let limit = context.spec.limit.unwrap_or(u64::MAX);
        if block.side == Side::Input {
            let room = limit.saturating_sub(self.counts.input_records);
            if room == 0 {
                return Ok(());
            }
            block.keep_first(room);
        }
        if let (true, Some((rejection, _))) = (context.strict, block.rejections.first()) {
            return Err(Error::Strict(rejection.clone()));
        }
        let first = self.counts.records as u32;
        let first_unit = self.counts.units as u32;
        self.counts.records += u64::from(block.records);
        self.counts.units += u64::from(block.units);
        RecordId::from_index(self.counts.records as usize)?;
        UnitId::from_index(self.counts.units as usize)?;
        if block.side == Side::Input {
            self.counts.input_records = self.counts.records;
            self.counts.input_units = self.counts.units;
        }
        self.blocks.append(&[BlockMark::new(
            block.part,
            block.place,
            (first, block.records),
            (first_unit, block.units),
        )])?;
        self.unit_counts.append(&block.unit_counts)?;
        self.postings.extend(block.postings.iter().map(|posting| {
            let unit = UnitId::from(posting.unit().get() + first_unit);
            Posting::new(posting.key(), unit)
        }))?;
        let is_too_many = self.is_too_many(context);
        for (probed, block) in self.probed.iter_mut().zip(&block.probed) {
            if is_too_many {
                probed.tape.clear();
                probed.sizes.clear();
                continue;
            }
            probed.tape.append(&block.tape)?;
            probed.sizes.append(&block.sizes)?;
        }
        self.terms.append(&block.terms)?;
        self.term_counts.append(&block.term_counts)?;
        let references = block.references.iter().map(|unit| unit + first_unit);
        self.references.append(&references.collect::<Vec<_>>())?;
        self.sketches.append(&block.sketches)?;
        if block.side == Side::Input {
            self.counts.count_fields(&block.fields_there);
        }
        self.id_hashes
            .extend(block.id_hashes.iter().map(|posting| {
                let record = RecordId::from(posting.record().get() + first);
                RecordPosting::new(posting.key(), record)
            }))?;
        self.digests.extend(
            block
                .digests
                .iter()
                .map(|&(digest, unit)| Digest::new(digest, unit + first_unit)),
        )?;
        self.ids.extend(&block.ids, &block.id_lengths)?;
        self.titles.extend(&block.titles, &block.title_lengths)?;
        self.rank_values.append(&block.rank_values)?;
        for (rejection, _) in &block.rejections {
            self.list_rejection(rejection)?;
        }
        let records = block
            .rejections
            .iter()
            .filter(|(_, slot)| slot.is_some())
            .count() as u64;
        self.counts.rejected += records;
        if block.side == Side::Input {
            self.counts.input_rejected += records;
        }
        self.counts.rejected_parts += block.rejections.len() as u64 - records;
        self.counts.empty += block.empty.len() as u64;
        self.counts.featureless += block.featureless.len() as u64;
        self.counts.unranked += block.unranked.len() as u64;
        Ok(())
    }
}

/// Signs the corpus, continuing where the manifest of `work` ends.
pub(crate) fn sign(context: &Context<'_>, work: &mut Work) -> Result<Signed, Error> {
    let mut signed = Signed::new(context);
    let mut pass = context.corpus.pass();
    if let Some(saved) = work.manifest.signed.clone() {
        signed = signed.restore(saved)?;
        context.observer.note(&format!(
            "continuing an interrupted run: {} records were read already",
            signed.counts.records
        ));
        if signed.complete {
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
    read_on(context, &mut signed, pass, &mut |signed| {
        if work.is_due() {
            work.manifest.signed = Some(signed.save()?);
            work.checkpoint()?;
        }
        Ok(())
    })?;
    check_fields(context, &signed.counts)?;
    signed.complete = true;
    signed.number_records(context)?;
    Ok(signed)
}

/// Reads the corpus once more for the keys of its units, which were not made the first time.
pub(crate) fn sign_keys(context: &Context<'_>) -> Result<Shuffle<Posting>, Error> {
    let plan = Plan {
        route: Route::Buckets,
        ..context.plan.clone()
    };
    let context = Context {
        plan: &plan,
        ..*context
    };
    let mut signed = Signed::new(&context);
    read_on(
        &context,
        &mut signed,
        context.corpus.pass(),
        &mut |_| Ok(()),
    )?;
    Ok(signed.postings)
}

/// Signs what a pass has left; `committed` may save it after every block.
fn read_on(
    context: &Context<'_>,
    signed: &mut Signed,
    mut pass: Pass<'_>,
    committed: &mut (dyn FnMut(&mut Signed) -> Result<(), Error> + Send),
) -> Result<(), Error> {
    let limit = context.spec.limit.unwrap_or(u64::MAX);
    let bytes_read = AtomicU64::new(0);
    let input_done = AtomicBool::new(signed.counts.input_records >= limit);
    let only_keys = AtomicBool::new(signed.is_too_many(context));
    if !input_done.load(Ordering::Relaxed) || context.corpus.is_against() {
        in_order(
            context.threads,
            || Signer::new(context, &only_keys),
            |signer: &mut Signer<'_>| {
                if input_done.load(Ordering::Relaxed) {
                    pass.skip_input();
                }
                let Some(part) = pass.next_block(&mut signer.block)? else {
                    return Ok(Pulled::Nothing);
                };
                signer.part = part;
                bytes_read.store(pass.bytes_read(), Ordering::Relaxed);
                let large = signer.block.bytes_held() > LARGE_BLOCK;
                Ok(if large {
                    Pulled::LargeItem
                } else {
                    Pulled::Item
                })
            },
            Signer::sign,
            |block| {
                signed.commit(block, context)?;
                let is_done = signed.counts.input_records >= limit;
                input_done.store(is_done, Ordering::Relaxed);
                only_keys.store(signed.is_too_many(context), Ordering::Relaxed);
                context.observer.done(bytes_read.load(Ordering::Relaxed));
                committed(signed)?;
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
        Some(name) if counts.input_records > counts.input_rejected => Err(Error::NoSuchField {
            name: name.to_string(),
        }),
        _ => Ok(()),
    }
}
