//! One block signed: decoded, described, hashed.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::source::{Block, BlockPlace};
use lookalike_kernel::record::{Record, Rejection};
use lookalike_pair::join::{Posting, RecordPosting};
use lookalike_sign::keys::Sketch;
use lookalike_text::hash::hash64;
use lookalike_text::{Unit, UnitId};

use crate::Error;
use crate::corpus::{Side, Splitter};
use crate::rank::{NO_VALUE, field_value};
use crate::stages::{Context, LARGE_BLOCK};
use lookalike_kernel::jobs::Outcome;
use lookalike_kernel::{Keep, Route, Signer};

/// What a block comes to; numbers are relative to its first record or its first unit.
pub(super) struct SignedBlock {
    pub(super) part: usize,
    pub(super) side: Side,
    pub(super) place: BlockPlace,
    pub(super) records: u32,
    pub(super) units: u32,
    /// How many units each record is split into, where that is not simply one.
    pub(super) unit_counts: Vec<u32>,
    pub(super) postings: Vec<Posting>,
    /// For each probe what it is to find the units by.
    pub(super) probed: Vec<Probed>,
    /// The words of every unit, where they are weighed later; and how many each has.
    pub(super) terms: Vec<u64>,
    pub(super) term_counts: Vec<u32>,
    /// How many records have each of the fields that are compared one by one.
    pub(super) fields_there: Vec<u32>,
    /// The units that are from lists of references.
    pub(super) references: Vec<u32>,
    /// One a unit, where the plan has a sieve.
    pub(super) sketches: Vec<Sketch>,
    pub(super) digests: Vec<(u128, u32)>,
    pub(super) id_hashes: Vec<RecordPosting>,
    /// The ids as JSON, one after the other, and how long each is.
    pub(super) ids: Vec<u8>,
    pub(super) id_lengths: Vec<u32>,
    /// The titles in the same way, where they are kept.
    pub(super) titles: Vec<u8>,
    pub(super) title_lengths: Vec<u32>,
    /// One a unit.
    pub(super) rank_values: Vec<u64>,
    /// With the slot, where it is a record.
    pub(super) rejections: Vec<(Rejection, Option<u32>)>,
    /// The slots of records without content, and of those without a value to rank by.
    pub(super) empty: Vec<u32>,
    pub(super) unranked: Vec<u32>,
    /// Units with content but without features.
    pub(super) featureless: Vec<u32>,
}

/// What is known of the units of a block under one probe.
#[derive(Debug, Clone, Default)]
pub(super) struct Probed {
    /// 32 bits of every distinct feature of every unit, one after the other, where prefixes are to be chosen.
    pub(super) tape: Vec<u32>,
    /// How many distinct features each unit has, where the join needs it.
    pub(super) sizes: Vec<u32>,
}

impl SignedBlock {
    /// Drops all but the first records, for `--limit`.
    pub(super) fn keep_first(&mut self, room: u64) {
        if u64::from(self.records) <= room {
            return;
        }
        let room = room as u32;
        self.records = room;
        self.units = if self.unit_counts.is_empty() {
            room
        } else {
            self.unit_counts.truncate(room as usize);
            self.unit_counts.iter().sum()
        };
        let units = self.units;
        self.postings.retain(|posting| posting.unit().get() < units);
        for probed in &mut self.probed {
            probed.sizes.truncate(units as usize);
            if !probed.tape.is_empty() {
                let features: usize = probed.sizes.iter().map(|&size| size as usize).sum();
                probed.tape.truncate(features);
            }
        }
        self.term_counts.truncate(units as usize);
        let terms: usize = self.term_counts.iter().map(|&count| count as usize).sum();
        self.terms.truncate(terms);
        self.id_hashes
            .retain(|posting| posting.record().get() < room);
        self.references.retain(|&unit| unit < units);
        self.sketches.truncate(units as usize);
        self.digests.retain(|&(_, unit)| unit < units);
        self.id_lengths.truncate(room as usize);
        self.title_lengths.truncate(room as usize);
        self.rank_values.truncate(units as usize);
        self.rejections
            .retain(|(_, slot)| slot.is_some_and(|slot| slot < room));
        self.empty.retain(|&slot| slot < room);
        self.featureless.retain(|&unit| unit < units);
        self.unranked.retain(|&slot| slot < room);
    }
}

/// A worker with its block.
pub(super) struct BlockSigner<'r> {
    pub(super) block: Block,
    pub(super) part: usize,
    /// The most postings that a block has had: the next one will need about as many.
    most_postings: usize,
    splitter: Splitter<'r>,
    tools: Tools<'r>,
}

/// What a worker reuses from unit to unit.
struct Tools<'r> {
    context: &'r Context<'r>,
    /// Whether what prefixes would be chosen from is not needed after all.
    only_keys: &'r AtomicBool,
    signer: Signer,
}

impl<'r> BlockSigner<'r> {
    pub(super) fn new(context: &'r Context<'r>, only_keys: &'r AtomicBool) -> Result<Self, Error> {
        Ok(BlockSigner {
            block: Block::default(),
            part: 0,
            most_postings: 0,
            splitter: context.corpus.splitter(),
            tools: Tools {
                context,
                only_keys,
                signer: context.kernel.signer()?,
            },
        })
    }

    pub(super) fn sign(&mut self) -> Result<SignedBlock, Error> {
        let BlockSigner {
            block,
            part,
            most_postings,
            splitter,
            tools,
        } = self;
        let corpus = tools.context.corpus;
        let cut = block
            .rejections
            .drain(..)
            .map(|rejection| (rejection, None));
        let mut out = SignedBlock {
            part: *part,
            side: corpus.side(*part),
            place: block.place,
            records: 0,
            units: 0,
            unit_counts: Vec::new(),
            postings: Vec::with_capacity(*most_postings),
            probed: vec![Probed::default(); tools.signer.probes()],
            terms: Vec::new(),
            term_counts: Vec::new(),
            fields_there: vec![0; corpus.compared_fields().count()],
            references: Vec::new(),
            sketches: Vec::new(),
            digests: Vec::new(),
            id_hashes: Vec::new(),
            ids: Vec::new(),
            id_lengths: Vec::new(),
            titles: Vec::new(),
            title_lengths: Vec::new(),
            rank_values: Vec::new(),
            rejections: cut.collect(),
            empty: Vec::new(),
            featureless: Vec::new(),
            unranked: Vec::new(),
        };
        let records = block.decode(&mut |_| true, &mut |slot, record| {
            let (ids_before, titles_before) = (out.ids.len(), out.titles.len());
            let signed = record.and_then(|record| {
                tools.record(&record, slot, &mut out)?;
                Ok(tools.units(&record, splitter, &mut out))
            });
            let units = signed.unwrap_or_else(|rejection| {
                out.ids.truncate(ids_before);
                out.rejections.push((rejection, Some(slot)));
                let units = splitter.of_rejected();
                (0..units).for_each(|_| tools.no_unit(&mut out));
                units
            });
            if !corpus.is_whole() {
                out.unit_counts.push(units);
            }
            if corpus.has_ids() {
                out.id_lengths.push((out.ids.len() - ids_before) as u32);
            }
            if corpus.has_titles() {
                let length = out.titles.len() - titles_before;
                out.title_lengths.push(length as u32);
            }
        });
        out.records = records?;
        *most_postings = out.postings.len().max(*most_postings);
        out.rejections.sort_by_key(|(rejection, _)| rejection.line);
        if block.bytes_held() > LARGE_BLOCK {
            tools.signer.shrink();
            *splitter = corpus.splitter();
        }
        Ok(out)
    }
}

impl Tools<'_> {
    fn has_sizes(&self) -> bool {
        let route = self.context.plan().route;
        route.needs_prefixes() || matches!(route, Route::Terms { .. })
    }

    fn ranks_by_value(&self) -> bool {
        matches!(
            self.context.spec().keep,
            Keep::Longest | Keep::More | Keep::Field(_)
        )
    }

    /// Takes note of a record: its id and its title.
    fn record(
        &mut self,
        record: &Record<'_>,
        slot: u32,
        out: &mut SignedBlock,
    ) -> Result<(), Rejection> {
        let (corpus, keep) = (self.context.corpus, &self.context.spec().keep);
        let id_begin = out.ids.len();
        let source = out.place.part;
        let reject = |reason: String| Rejection {
            source: corpus.source_name(out.part, source).to_string(),
            line: Some(record.line),
            reason,
        };
        corpus.check_fields(record).map_err(reject)?;
        corpus
            .id(record, out.part, source, &mut out.ids)
            .map_err(reject)?;
        corpus.title(record, &mut out.titles);
        for number in corpus.fields_there(record) {
            out.fields_there[number] += 1;
        }
        let id = &out.ids[id_begin..];
        if !id.is_empty() {
            let hash = hash64(id, self.signer.side_seed(out.part as u64));
            out.id_hashes.push(RecordPosting::new(hash, slot.into()));
        }
        if matches!(keep, Keep::Field(_)) && field_value(corpus.keep_value(record)) == NO_VALUE {
            out.unranked.push(slot);
        }
        Ok(())
    }

    /// Signs the units of a record and returns how many there are.
    fn units(
        &mut self,
        record: &Record<'_>,
        splitter: &mut Splitter<'_>,
        out: &mut SignedBlock,
    ) -> u32 {
        let slot = out.unit_counts.len() as u32;
        let units = splitter.split(out.units, record, &mut |unit| {
            self.no_unit(out);
            if let Some(rank_value) = out.rank_values.last_mut() {
                *rank_value = self.rank_value(record, &unit);
            }
            if self.context.corpus.is_reference(unit.place.field) {
                out.references.push(unit.id.get());
            }
            self.unit(&unit, out);
        });
        if units == 0 {
            out.empty.push(slot);
        }
        units
    }

    /// Makes room for a unit of which nothing is known yet.
    fn no_unit(&self, out: &mut SignedBlock) {
        out.units += 1;
        if self.has_sizes() {
            for probed in &mut out.probed {
                probed.sizes.push(0);
            }
        }
        if self.context.plan().weighs {
            out.term_counts.push(0);
        }
        if self.context.plan().sieve.is_some() && !self.context.plan().weighs {
            out.sketches.push(0);
        }
        if self.ranks_by_value() {
            out.rank_values.push(NO_VALUE);
        }
    }

    fn rank_value(&mut self, record: &Record<'_>, unit: &Unit<'_>) -> u64 {
        match &self.context.spec().keep {
            Keep::Longest => unit.text.chars().count() as u64 + 1,
            Keep::More => {
                let more = self.signer.more(unit);
                more.map_or(NO_VALUE, |more| more as u64 + 1)
            }
            Keep::Field(_) => field_value(self.context.corpus.keep_value(record)),
            Keep::First | Keep::Last => NO_VALUE,
        }
    }

    /// Describes a unit and adds what it is found by.
    fn unit(&mut self, unit: &Unit<'_>, out: &mut SignedBlock) {
        let plan = self.context.plan();
        let mut has_features = plan.probes.is_empty() && !is_blank(unit.text);
        for probe in 0..self.signer.probes() {
            if !self.signer.describe(probe, unit).is_empty() {
                has_features = true;
                self.find_by(probe, unit.id, out);
            }
            if let (Some(sketch), Some(last)) = (self.signer.sketch(unit), out.sketches.last_mut())
            {
                *last = sketch;
            }
        }
        if has_features {
            // A sentence that is to be boilerplate is as common as it is on both sides together.
            let side = match self.context.spec().job.outcome() {
                Outcome::Passages => 0,
                Outcome::Pairs(_) => out.part as u64,
            };
            let digest = self.signer.digest(unit, side);
            out.digests.push((digest, unit.id.get()));
        } else if is_blank(unit.text) {
            out.empty.push(unit.id.get());
        } else {
            out.featureless.push(unit.id.get());
        }
    }

    /// Adds what a described unit is found by.
    fn find_by(&mut self, number: usize, unit: UnitId, out: &mut SignedBlock) {
        let (plan, signer) = (self.context.plan(), &mut self.signer);
        if plan.weighs {
            let terms = signer.features().hashes();
            out.terms.extend_from_slice(terms);
            if let Some(last) = out.term_counts.last_mut() {
                *last = terms.len() as u32;
            }
            return;
        }
        if plan.route.signs_keys() && plan.probes[number].keys.is_some() {
            let (keys, sketch) = signer.keys(number);
            if let Some(last) = out.sketches.last_mut() {
                *last = sketch;
            }
            let postings = keys.iter().map(|&key| Posting::new(key, unit));
            out.postings.extend(postings);
        }
        let probed = &mut out.probed[number];
        let size = if plan.route.needs_prefixes() && !self.only_keys.load(Ordering::Relaxed) {
            signer.tape(&mut probed.tape)
        } else if let Route::Terms { .. } = plan.route {
            let set = signer.set();
            let postings = set.iter().map(|&feature| Posting::new(feature, unit));
            out.postings.extend(postings);
            set.len()
        } else {
            0
        };
        if let Some(last) = probed.sizes.last_mut() {
            *last = size as u32;
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}
