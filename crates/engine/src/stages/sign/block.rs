//! One block signed: decoded, described, hashed.

use std::sync::atomic::{AtomicBool, Ordering};

use lookalike_kernel::decide::length_in_words;
use lookalike_kernel::record::{Record, Rejection};
use lookalike_kernel::{Keep, Route, Signer};
use lookalike_pair::join::{Posting, RecordPosting};
use lookalike_text::hash::mix64;
use lookalike_text::{Unit, UnitId};

use super::columns::{BlockColumns, Digest};
use crate::Error;
use crate::column::OfBlock;
use crate::corpus::{DecodedHash, Splitter, Tally};
use crate::rank::{NO_VALUE, field_value, is_date, value_of_more};
use crate::source::{Block, BlockPlace};
use crate::stages::repeated::{hash_of_id, is_numbered, side_seed};
use crate::stages::{Context, LARGE_BLOCK};

/// What a block comes to; numbers are relative to its first record or its first unit.
pub(super) struct SignedBlock {
    pub(super) part: usize,
    pub(super) place: BlockPlace,
    /// Of what was read.
    pub(super) fingerprint: u64,
    pub(super) count: Tally,
    pub(super) columns: BlockColumns,
    /// How many records have each of the fields that are compared one by one.
    pub(super) fields_there: Vec<u32>,
    /// With the slot, where it is a record.
    pub(super) rejections: Vec<(Rejection, Option<u32>)>,
    /// The slots of records without content, and of those without a value to rank by.
    pub(super) empty: Vec<u32>,
    pub(super) unranked: Vec<u32>,
    /// The slots of records that are ranked by a date.
    pub(super) dated: Vec<u32>,
    /// Units with content but without features.
    pub(super) featureless: Vec<UnitId>,
}

impl SignedBlock {
    /// Whether it is of the input itself, and not of `--against`.
    pub(super) fn is_of_input(&self) -> bool {
        self.part == 0
    }

    /// Drops all but the first records, for `--limit`.
    pub(super) fn keep_first(&mut self, room: u64) {
        if u64::from(self.count.records) <= room {
            return;
        }
        let records = room as u32;
        let unit_counts = self.columns.unit_counts.values.as_slice();
        self.count = Tally {
            records,
            units: match unit_counts {
                [] => records,
                counts => counts[..records as usize].iter().sum(),
            },
        };
        self.columns.cut(self.count);
        self.rejections
            .retain(|(_, slot)| slot.is_some_and(|slot| slot < records));
        self.empty.retain(|&slot| slot < records);
        self.unranked.retain(|&slot| slot < records);
        self.dated.retain(|&slot| slot < records);
        self.featureless.cut(self.count.units);
    }

    /// Makes room for a unit of which nothing is known yet.
    fn open_unit(&mut self) {
        self.count.units += 1;
        self.columns.open_unit();
    }
}

/// A worker with its block.
pub(super) struct BlockSigner<'r> {
    pub(super) block: Block,
    pub(super) part: usize,
    /// The most postings that a block has had: the next one will need about as many.
    most: Most,
    splitter: Splitter<'r>,
    tools: Tools<'r>,
}

/// What a worker reuses from unit to unit.
struct Tools<'r> {
    context: &'r Context<'r>,
    /// Whether what prefixes would be chosen from is not needed after all.
    only_keys: &'r AtomicBool,
    signer: Signer,
    /// Why a text cannot be described, which ends the run.
    refusal: Option<Error>,
}

impl<'r> BlockSigner<'r> {
    pub(super) fn new(context: &'r Context<'r>, only_keys: &'r AtomicBool) -> Result<Self, Error> {
        Ok(BlockSigner {
            block: Block::default(),
            part: 0,
            most: Most::default(),
            splitter: context.corpus.splitter(),
            tools: Tools {
                context,
                only_keys,
                signer: context.kernel.signer()?,
                refusal: None,
            },
        })
    }

    pub(super) fn sign(&mut self) -> Result<SignedBlock, Error> {
        let BlockSigner {
            block,
            part,
            most,
            splitter,
            tools,
        } = self;
        let corpus = tools.context.corpus;
        let (fingerprint, mut hash) = (block.fingerprint(), DecodedHash::default());
        let cut = block
            .rejections
            .drain(..)
            .map(|rejection| (rejection, None));
        let mut out = SignedBlock {
            part: *part,
            place: block.place,
            fingerprint: 0,
            count: Tally::default(),
            columns: BlockColumns::new(tools.context),
            fields_there: vec![0; corpus.compared_fields().count()],
            rejections: cut.collect(),
            empty: Vec::new(),
            featureless: Vec::new(),
            unranked: Vec::new(),
            dated: Vec::new(),
        };
        most.reserve(&mut out.columns);
        let records = block.decode(&mut |_| true, &mut |slot, record| {
            out.columns.open_record();
            if fingerprint.is_none() {
                hash.add(&record);
            }
            let signed = record.and_then(|record| {
                tools.record(&record, slot, &mut out)?;
                Ok(tools.units(&record, slot, splitter, &mut out))
            });
            let units = signed.unwrap_or_else(|rejection| {
                out.rejections.push((rejection, Some(slot)));
                let units = splitter.of_rejected();
                for _ in 0..units {
                    if tools.context.spec().top.is_some() {
                        out.columns.rejected.push(out.count.units.into());
                    }
                    out.open_unit();
                }
                units
            });
            out.columns.unit_counts.set(units);
        });
        if let Some(refusal) = tools.refusal.take() {
            return Err(refusal);
        }
        out.count.records = records?;
        out.fingerprint = fingerprint.unwrap_or(hash.finish());
        most.learn(&out.columns);
        out.rejections.sort_by_key(|(rejection, _)| rejection.line);
        if block.bytes_held() > LARGE_BLOCK {
            tools.signer.shrink();
            *splitter = corpus.splitter();
        }
        Ok(out)
    }
}

/// How much a block has had so far of what there is most of: growing step by step would copy it again and again.
#[derive(Default)]
struct Most {
    postings: usize,
    terms: usize,
    ids: usize,
    digests: usize,
}

impl Most {
    fn reserve(&self, columns: &mut BlockColumns) {
        columns.postings.reserve(self.postings);
        columns.terms.items.reserve(self.terms);
        columns.ids.items.reserve(self.ids);
        columns.digests.reserve(self.digests);
    }

    fn learn(&mut self, columns: &BlockColumns) {
        self.postings = self.postings.max(columns.postings.len());
        self.terms = self.terms.max(columns.terms.items.len());
        self.ids = self.ids.max(columns.ids.items.len());
        self.digests = self.digests.max(columns.digests.len());
    }
}

impl Tools<'_> {
    /// Takes note of a record: its id and its title.
    fn record(
        &mut self,
        record: &Record<'_>,
        slot: u32,
        out: &mut SignedBlock,
    ) -> Result<(), Rejection> {
        let (corpus, keep) = (self.context.corpus, &self.context.spec().keep);
        let (part, source) = (out.part, out.place.part);
        let reject = |reason: String| Rejection {
            source: match record.name {
                Some(file) => file.to_string(),
                None => corpus.source_name(part, source).to_string(),
            },
            line: record.name.is_none().then_some(record.line),
            reason,
        };
        let columns = &mut out.columns;
        // Of files that are a record each, the number in their run.
        let is_file = record.name.is_some();
        columns.lines.set(match is_file {
            true => out.place.line + u64::from(slot),
            false => record.line,
        });
        corpus.check_fields(record).map_err(reject)?;
        columns.sizes.set(corpus.text_sizes(record));
        columns.answers.set(corpus.answers(record));
        let id = |ids: &mut Vec<u8>| corpus.id(record, part, source, ids);
        columns.ids.fill(id).map_err(reject)?;
        columns.titles.fill(|titles| corpus.title(record, titles));
        columns.dates.fill(|dates| corpus.date(record, dates));
        columns
            .sources
            .fill(|sources| corpus.source(record, sources));
        for number in corpus.fields_there(record) {
            out.fields_there[number] += 1;
        }
        let id = columns.ids.last();
        if !id.is_empty() {
            let hash = hash_of_id(id, side_seed(self.context.plan(), corpus.id_side(part)));
            let posting = RecordPosting::new(hash, slot.into());
            columns.id_hashes.push(posting);
            if is_numbered(id) {
                columns.numbered_ids.push(posting);
            }
        }
        if matches!(keep, Keep::Field(_)) {
            let value = corpus.keep_value(record);
            if field_value(value) == NO_VALUE {
                out.unranked.push(slot);
            } else if is_date(value) {
                out.dated.push(slot);
            }
        }
        Ok(())
    }

    /// Signs the units of a record and returns how many there are.
    fn units(
        &mut self,
        record: &Record<'_>,
        slot: u32,
        splitter: &mut Splitter<'_>,
        out: &mut SignedBlock,
    ) -> u32 {
        let first = UnitId::from(out.count.units);
        let corpus = self.context.corpus;
        let source = corpus.source_name(out.part, out.place.part);
        let keep_per = corpus.keep_per(record, source);
        let units = splitter.split(first, record, &mut |unit| {
            out.open_unit();
            if let Err(refusal) = self.context.budget.check_text(unit.text.len()) {
                self.refusal.get_or_insert(refusal);
                return;
            }
            out.columns.keep_per.set(keep_per);
            if self.context.corpus.is_reference(unit.place.field) {
                out.columns.references.push(unit.id);
            }
            if !self.unit(&unit, keep_per, out) {
                out.empty.push(slot);
            }
            let rank_value = self.rank_value(record, &unit);
            out.columns.rank_values.set(rank_value);
        });
        if units == 0 {
            out.empty.push(slot);
        }
        units
    }

    /// Of a unit that was described just before.
    fn rank_value(&mut self, record: &Record<'_>, unit: &Unit<'_>) -> u64 {
        match &self.context.spec().keep {
            Keep::Longest => unit.text.chars().count() as u64 + 1,
            Keep::More => {
                let more = self.signer.more_of_described(unit);
                let answers = self.context.corpus.answers(record);
                more.map_or(NO_VALUE, |more| value_of_more(more, answers))
            }
            Keep::Field(_) => field_value(self.context.corpus.keep_value(record)),
            Keep::Auto | Keep::First | Keep::Last => NO_VALUE,
        }
    }

    /// Describes a unit, adds what it is found by and says whether it has content.
    fn unit(&mut self, unit: &Unit<'_>, keep_per: u64, out: &mut SignedBlock) -> bool {
        let plan = self.context.plan();
        let is_space = |c: char| c.is_whitespace() || c == '\0';
        let has_content = !unit.text.chars().all(is_space);
        let mut has_features = plan.probes.is_empty() && has_content;
        out.columns.lengths.set(length_in_words(unit.text));
        let words = &mut out.columns.words;
        words.fill(|words| self.signer.running_words(unit, words));
        for probe in 0..self.signer.probes() {
            if !self.signer.describe(probe, unit).is_empty() {
                has_features = true;
                self.find_by(probe, unit.id, out);
            }
            if let Some(sketch) = self.signer.sketch() {
                out.columns.sketches.set(sketch);
            }
        }
        if has_features {
            // Copies that may not take each other are not one.
            let digest = self.signer.digest(unit) ^ u128::from(keep_per);
            out.columns.digests.push(Digest::new(digest, unit.id));
        } else if has_content {
            out.featureless.push(unit.id);
        }
        has_features || has_content
    }

    /// Adds what a described unit is found by.
    fn find_by(&mut self, number: usize, unit: UnitId, out: &mut SignedBlock) {
        let (plan, signer) = (self.context.plan(), &mut self.signer);
        let columns = &mut out.columns;
        if plan.weighs {
            let words = signer.features().hashes();
            columns.terms.fill(|terms| terms.extend_from_slice(words));
            return;
        }
        if plan.route.signs_keys() && plan.probes[number].keys.is_some() {
            let (keys, sketched) = signer.keys(number);
            columns.sketches.set(sketched.sketch);
            let postings = keys.iter().map(|&key| Posting::new(key, unit));
            columns.postings.extend(postings);
        }
        let probed = &mut columns.probed.0[number];
        if plan.route.needs_prefixes() && !self.only_keys.load(Ordering::Relaxed) {
            probed.fill(|tape| signer.tape(tape));
        } else if let Route::Terms { .. } = plan.route {
            let set = signer.set();
            // The same feature in another field is another feature.
            let of_probe = |feature: u64| match number {
                0 => feature,
                number => mix64(feature.wrapping_add(number as u64)),
            };
            let postings = set
                .iter()
                .map(|&feature| Posting::new(of_probe(feature), unit));
            columns.postings.extend(postings);
            probed.count(set.len());
        }
    }
}
