//! One block signed: decoded, described, hashed.

use lookalike_io::{Block, Place, Record, Rejection};
use lookalike_pair::join::Posting;
use lookalike_sign::{Describe, Features, Key};
use lookalike_text::hash::{hash64, hash128};
use lookalike_text::{Seed, Unit, UnitId};

use crate::Error;
use crate::corpus::Side;
use crate::plan::Route;
use crate::rank::{NO_VALUE, field_value};
use crate::spec::Keep;
use crate::stages::{Context, LARGE_BLOCK};

/// What a block comes to; numbers are relative to its first record.
pub(super) struct SignedBlock {
    pub(super) part: usize,
    pub(super) side: Side,
    pub(super) place: Place,
    pub(super) records: u32,
    pub(super) postings: Vec<Posting>,
    /// 32 bits of every distinct feature of every record, one after the other, where prefixes are to be chosen.
    pub(super) tape: Vec<u32>,
    /// How many distinct features each record has, where the join needs it.
    pub(super) sizes: Vec<u32>,
    pub(super) digests: Vec<(u128, u32)>,
    pub(super) id_hashes: Vec<Posting>,
    /// The ids as JSON, one after the other, and how long each is.
    pub(super) ids: Vec<u8>,
    pub(super) id_lengths: Vec<u32>,
    pub(super) rank_values: Vec<u64>,
    /// With the slot, where it is a record.
    pub(super) rejections: Vec<(Rejection, Option<u32>)>,
    /// The slots of records without content, and of those without a value to rank by.
    pub(super) empty: Vec<u32>,
    /// Those with content but without features.
    pub(super) featureless: Vec<u32>,
    pub(super) unranked: Vec<u32>,
}

impl SignedBlock {
    /// Drops all but the first records, for `--limit`.
    pub(super) fn keep_first(&mut self, room: u64) {
        if u64::from(self.records) <= room {
            return;
        }
        let room = room as u32;
        self.records = room;
        self.postings.retain(|posting| posting.unit().get() < room);
        self.sizes.truncate(room as usize);
        if !self.tape.is_empty() {
            let features: usize = self.sizes.iter().map(|&size| size as usize).sum();
            self.tape.truncate(features);
        }
        self.id_hashes.retain(|posting| posting.unit().get() < room);
        self.digests.retain(|&(_, unit)| unit < room);
        self.id_lengths.truncate(room as usize);
        self.rank_values.truncate(room as usize);
        self.rejections
            .retain(|(_, slot)| slot.is_some_and(|slot| slot < room));
        self.empty.retain(|&slot| slot < room);
        self.featureless.retain(|&slot| slot < room);
        self.unranked.retain(|&slot| slot < room);
    }
}

/// A worker with its block.
pub(super) struct Signer<'r> {
    pub(super) block: Block,
    pub(super) part: usize,
    /// The most postings that a block has had: the next one will need about as many.
    most_postings: usize,
    tools: Tools<'r>,
}

/// What a worker reuses from record to record.
struct Tools<'r> {
    context: &'r Context<'r>,
    describe: Box<dyn Describe>,
    features: Features,
    keys: Vec<Key>,
    distinct: Distinct,
    joined: String,
}

impl<'r> Signer<'r> {
    pub(super) fn new(context: &'r Context<'r>) -> Result<Self, Error> {
        let plan = context.plan;
        Ok(Signer {
            block: Block::default(),
            part: 0,
            most_postings: 0,
            tools: Tools {
                context,
                describe: plan.features.describer(&plan.background)?,
                features: Features::default(),
                keys: Vec::new(),
                distinct: Distinct::default(),
                joined: String::new(),
            },
        })
    }

    pub(super) fn sign(&mut self) -> Result<SignedBlock, Error> {
        let Signer {
            block,
            part,
            most_postings,
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
            postings: Vec::with_capacity(*most_postings),
            tape: Vec::new(),
            sizes: Vec::new(),
            digests: Vec::new(),
            id_hashes: Vec::new(),
            ids: Vec::new(),
            id_lengths: Vec::new(),
            rank_values: Vec::new(),
            rejections: cut.collect(),
            empty: Vec::new(),
            featureless: Vec::new(),
            unranked: Vec::new(),
        };
        let has_sizes = tools.has_sizes();
        out.records = block.decode(&mut |_| true, &mut |slot, record| {
            let ids_before = out.ids.len();
            if has_sizes {
                out.sizes.push(0);
            }
            let signed = record.and_then(|record| tools.record(&record, slot, &mut out));
            let (rank_value, id_length) = match signed {
                Ok(rank_value) => (rank_value, out.ids.len() - ids_before),
                Err(rejection) => {
                    out.ids.truncate(ids_before);
                    out.rejections.push((rejection, Some(slot)));
                    (NO_VALUE, 0)
                }
            };
            if corpus.has_ids() {
                out.id_lengths.push(id_length as u32);
            }
            if tools.ranks_by_value() {
                out.rank_values.push(rank_value);
            }
        })?;
        *most_postings = out.postings.len().max(*most_postings);
        out.rejections.sort_by_key(|(rejection, _)| rejection.line);
        if block.bytes_held() > LARGE_BLOCK {
            tools.features = Features::default();
            tools.joined = String::new();
        }
        Ok(out)
    }
}

impl Tools<'_> {
    fn has_sizes(&self) -> bool {
        let route = &self.context.plan.route;
        route.needs_prefixes() || matches!(route, Route::Terms { .. })
    }

    fn ranks_by_value(&self) -> bool {
        matches!(self.context.spec.keep, Keep::Longest | Keep::Field(_))
    }

    /// Signs one record and returns the value it is ranked by.
    fn record(
        &mut self,
        record: &Record<'_>,
        slot: u32,
        out: &mut SignedBlock,
    ) -> Result<u64, Rejection> {
        let Context {
            corpus, spec, plan, ..
        } = self.context;
        let id_begin = out.ids.len();
        let source = out.place.source;
        corpus
            .id(record, out.part, source, &mut out.ids)
            .map_err(|reason| Rejection {
                source: corpus.source_name(out.part, source).to_string(),
                line: Some(record.line),
                reason,
            })?;
        // Ids and identical texts are looked at within each side.
        let side_seed = Seed(plan.background.seed.0.wrapping_add(out.part as u64));
        let unit = UnitId::from(slot);
        let id = &out.ids[id_begin..];
        if !id.is_empty() {
            out.id_hashes
                .push(Posting::new(hash64(id, side_seed), unit));
        }
        let text = corpus.text(record, &mut self.joined);
        let rank_value = match &spec.keep {
            Keep::Longest => text.chars().count() as u64 + 1,
            Keep::Field(_) => field_value(corpus.keep_value(record)),
            Keep::First | Keep::Last => NO_VALUE,
        };
        if rank_value == NO_VALUE && matches!(spec.keep, Keep::Field(_)) {
            out.unranked.push(slot);
        }
        self.describe
            .describe(&Unit::whole(unit, text), &mut self.features);
        if self.features.is_empty() {
            if text.chars().all(char::is_whitespace) {
                out.empty.push(slot);
            } else {
                out.featureless.push(slot);
            }
            return Ok(rank_value);
        }
        // Of the text itself: texts with equal features are found by their keys, as any others.
        out.digests
            .push((hash128(text.as_bytes(), side_seed), slot));
        self.find_by(&plan.route, unit, out);
        Ok(rank_value)
    }

    /// Adds what the unit described is found by.
    fn find_by(&mut self, route: &Route, unit: UnitId, out: &mut SignedBlock) {
        if let Route::Buckets(keys) | Route::PrefixOr(keys) = route {
            self.keys.clear();
            keys.keys(&self.features, &mut self.keys);
            out.postings
                .extend(self.keys.iter().map(|&key| Posting::new(key, unit)));
        }
        let size = if route.needs_prefixes() {
            let before = out.tape.len();
            self.distinct.append(self.features.hashes(), &mut out.tape);
            out.tape.len() - before
        } else if let Route::Terms { .. } = route {
            let set = self.features.sort();
            let postings = set.hashes().iter();
            out.postings
                .extend(postings.map(|&feature| Posting::new(feature, unit)));
            set.len()
        } else {
            0
        };
        if let Some(last) = out.sizes.last_mut() {
            *last = size as u32;
        }
    }
}

/// Finds the distinct features of a unit, faster than by sorting them.
#[derive(Debug, Default)]
struct Distinct {
    /// An open table of the features seen, at most half full. 0 is an empty place.
    seen: Vec<u64>,
}

impl Distinct {
    /// Appends the upper half of every distinct feature.
    fn append(&mut self, features: &[u64], out: &mut Vec<u32>) {
        let places = (features.len() * 2).next_power_of_two();
        self.seen.clear();
        self.seen.resize(places, 0);
        let mut zero_seen = false;
        for &feature in features {
            let is_new = if feature == 0 {
                !std::mem::replace(&mut zero_seen, true)
            } else {
                self.insert(feature)
            };
            if is_new {
                out.push((feature >> 32) as u32);
            }
        }
    }

    fn insert(&mut self, feature: u64) -> bool {
        let mask = self.seen.len() - 1;
        // The lower half: the upper one decides on partitions.
        let mut place = feature as usize & mask;
        while self.seen[place] != 0 {
            if self.seen[place] == feature {
                return false;
            }
            place = (place + 1) & mask;
        }
        self.seen[place] = feature;
        true
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
