//! One block signed: decoded, described, hashed.

use std::sync::atomic::{AtomicBool, Ordering};

use lookalike_io::{Block, BlockPlace, Record, Rejection};
use lookalike_pair::join::{Posting, RecordPosting};
use lookalike_pair::verify::Part;
use lookalike_sign::keys::{Sieve, Sketch, sketch_of_features};
use lookalike_sign::{Describe, Features, Key};
use lookalike_text::hash::{Table, hash64, hash128, mix64};
use lookalike_text::{Seed, Unit, UnitId};

use crate::Error;
use crate::corpus::{Side, Splitter};
use crate::plan::{Plan, Probe, Route};
use crate::rank::{NO_VALUE, field_value};
use crate::spec::{Job, Keep};
use crate::stages::{Context, LARGE_BLOCK};

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
pub(super) struct Signer<'r> {
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
    /// One a probe.
    describers: Vec<Box<dyn Describe>>,
    /// Describes what tells who has more, where that is kept.
    more: Option<DescribeMore>,
    features: Features,
    keys: Vec<Key>,
    distinct: Distinct,
}

impl<'r> Signer<'r> {
    pub(super) fn new(context: &'r Context<'r>, only_keys: &'r AtomicBool) -> Result<Self, Error> {
        let plan = context.plan;
        let describer = |probe: &Probe| probe.features.describer(&probe.background);
        Ok(Signer {
            block: Block::default(),
            part: 0,
            most_postings: 0,
            splitter: context.corpus.splitter(),
            tools: Tools {
                context,
                only_keys,
                describers: plan
                    .probes
                    .iter()
                    .map(describer)
                    .collect::<Result<_, _>>()?,
                more: more(context)?,
                features: Features::default(),
                keys: Vec::new(),
                distinct: Distinct::default(),
            },
        })
    }

    pub(super) fn sign(&mut self) -> Result<SignedBlock, Error> {
        let Signer {
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
            probed: vec![Probed::default(); tools.describers.len()],
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
        out.records = block.decode(&mut |_| true, &mut |slot, record| {
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
        })?;
        *most_postings = out.postings.len().max(*most_postings);
        out.rejections.sort_by_key(|(rejection, _)| rejection.line);
        if block.bytes_held() > LARGE_BLOCK {
            tools.features = Features::default();
            *splitter = corpus.splitter();
        }
        Ok(out)
    }
}

impl Tools<'_> {
    fn has_sizes(&self) -> bool {
        let route = self.context.plan.route;
        route.needs_prefixes() || matches!(route, Route::Terms { .. })
    }

    fn ranks_by_value(&self) -> bool {
        matches!(
            self.context.spec.keep,
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
        let Context {
            corpus, spec, plan, ..
        } = self.context;
        let id_begin = out.ids.len();
        let source = out.place.source;
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
            let hash = hash64(id, side_seed(plan, out.part));
            out.id_hashes.push(RecordPosting::new(hash, slot.into()));
        }
        if matches!(spec.keep, Keep::Field(_)) && field_value(corpus.keep_value(record)) == NO_VALUE
        {
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
        if self.context.plan.weighs {
            out.term_counts.push(0);
        }
        if self.context.plan.sieve.is_some() && !self.context.plan.weighs {
            out.sketches.push(0);
        }
        if self.ranks_by_value() {
            out.rank_values.push(NO_VALUE);
        }
    }

    fn rank_value(&mut self, record: &Record<'_>, unit: &Unit<'_>) -> u64 {
        match &self.context.spec.keep {
            Keep::Longest => unit.text.chars().count() as u64 + 1,
            Keep::More => match &mut self.more {
                Some((field, describe)) => {
                    describe.describe(&unit.field(*field), &mut self.features);
                    self.features.sort().len() as u64 + 1
                }
                None => NO_VALUE,
            },
            Keep::Field(_) => field_value(self.context.corpus.keep_value(record)),
            Keep::First | Keep::Last => NO_VALUE,
        }
    }

    /// Describes a unit and adds what it is found by.
    fn unit(&mut self, unit: &Unit<'_>, out: &mut SignedBlock) {
        let plan = self.context.plan;
        let mut finder = Finder {
            plan,
            needs_tape: plan.route.needs_prefixes() && !self.only_keys.load(Ordering::Relaxed),
            features: &mut self.features,
            keys: &mut self.keys,
            distinct: &mut self.distinct,
        };
        let mut has_features = plan.probes.is_empty() && !is_blank(unit.text);
        for (number, describe) in self.describers.iter_mut().enumerate() {
            let probe = &plan.probes[number];
            describe.describe(&unit.field(probe.field), finder.features);
            if !finder.features.is_empty() {
                has_features = true;
                finder.find_by(number, unit.id, out);
            }
            if let (Some(Sieve::Features { .. }), Some(last)) =
                (plan.sieve, out.sketches.last_mut())
            {
                *last = sketch_of_features(finder.features.hashes(), unit.text.len());
            }
        }
        if has_features {
            // Of the text itself: texts with equal features are found by their keys, as any others.
            let seed = match self.context.spec.job {
                // A sentence is as common as it is on both sides together.
                Job::Passages => plan.background.seed,
                _ => side_seed(plan, out.part),
            };
            let digest = digest(unit, seed);
            out.digests.push((digest, unit.id.get()));
        } else if is_blank(unit.text) {
            out.empty.push(unit.id.get());
        } else {
            out.featureless.push(unit.id.get());
        }
    }
}

/// Ids and identical texts are looked at within each side.
fn side_seed(plan: &Plan, part: usize) -> Seed {
    Seed(plan.background.seed.0.wrapping_add(part as u64))
}

/// The worker that describes what tells who has more, if threads are kept by it.
type DescribeMore = (Option<u16>, Box<dyn Describe>);

fn more(context: &Context<'_>) -> Result<Option<DescribeMore>, Error> {
    let plan = context.plan;
    let part = match &plan.model {
        Some(model) if context.spec.keep == Keep::More => model.more_part(),
        _ => None,
    };
    let describe = |part: &Part| {
        Ok((
            part.field,
            part.features
                .describer(&part.background(&plan.background))?,
        ))
    };
    part.map(describe).transpose()
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// The digest of a text, or of its fields in their order.
fn digest(unit: &Unit<'_>, seed: Seed) -> u128 {
    let whole = hash128(unit.text.as_bytes(), seed);
    if unit.fields.len() < 2 {
        return whole;
    }
    // With where the fields end: a line break may stand between two fields or in one.
    let mut words = vec![whole as u64, (whole >> 64) as u64];
    words.extend(unit.fields.iter().map(|field| field.end as u64));
    hash128(bytemuck::cast_slice(&words), seed)
}

/// Adds what a described unit is found by.
struct Finder<'t> {
    plan: &'t Plan,
    needs_tape: bool,
    features: &'t mut Features,
    keys: &'t mut Vec<Key>,
    distinct: &'t mut Distinct,
}

impl Finder<'_> {
    fn find_by(&mut self, number: usize, unit: UnitId, out: &mut SignedBlock) {
        let (route, probe) = (self.plan.route, &self.plan.probes[number]);
        if self.plan.weighs {
            let terms = self.features.hashes();
            out.terms.extend_from_slice(terms);
            if let Some(last) = out.term_counts.last_mut() {
                *last = terms.len() as u32;
            }
            return;
        }
        if let (true, Some(keys)) = (route.signs_keys(), &probe.keys) {
            self.keys.clear();
            let sketch = keys.keys_and_sketch(self.features, self.keys);
            if let Some(last) = out.sketches.last_mut() {
                *last = sketch;
            }
            out.postings.extend(
                self.keys
                    .iter()
                    .map(|&key| Posting::new(of_probe(key, number), unit)),
            );
        }
        let probed = &mut out.probed[number];
        let size = if self.needs_tape {
            let before = probed.tape.len();
            self.distinct
                .append(self.features.hashes(), &mut probed.tape);
            if self.plan.mean.is_some() {
                probed.tape[before..].sort_unstable();
            }
            probed.tape.len() - before
        } else if let Route::Terms { .. } = route {
            let set = self.features.sort();
            let postings = set.hashes().iter();
            out.postings
                .extend(postings.map(|&feature| Posting::new(feature, unit)));
            set.len()
        } else {
            0
        };
        if let Some(last) = probed.sizes.last_mut() {
            *last = size as u32;
        }
    }
}

/// The same key under different probes is a different key.
fn of_probe(key: Key, number: usize) -> Key {
    match number {
        0 => key,
        _ => mix64(key.wrapping_add(number as u64)),
    }
}

/// Finds the distinct features of a unit, faster than by sorting them.
#[derive(Debug, Default)]
struct Distinct {
    /// The features seen, but for 0.
    seen: Table<u64>,
}

impl Distinct {
    /// Appends the upper half of every distinct feature.
    fn append(&mut self, features: &[u64], out: &mut Vec<u32>) {
        self.seen.reset(features.len());
        let mut zero_seen = false;
        for &feature in features {
            let is_new = if feature == 0 {
                !std::mem::replace(&mut zero_seen, true)
            } else {
                // The lower half: the upper one decides on partitions.
                let is_it = |&other: &u64| other == feature;
                self.seen.get_or_put(feature, is_it, feature).1
            };
            if is_new {
                out.push((feature >> 32) as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_distinct_feature_is_appended_once() {
        let features: Vec<u64> = (0..500u64).map(|i| (i % 90) << 32 | (i % 7)).collect();
        let (mut distinct, mut out) = (Distinct::default(), Vec::new());
        distinct.append(&features, &mut out);
        distinct.append(&[], &mut out);
        let mut expected: Vec<u32> = BTreeSet::from_iter(features)
            .into_iter()
            .map(|feature| (feature >> 32) as u32)
            .collect();
        out.sort_unstable();
        expected.sort_unstable();
        assert_eq!(out, expected);
    }
}
