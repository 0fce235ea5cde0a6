//! One block signed: decoded, described, hashed.

use lookalike_io::{Block, Place, Record, Rejection};
use lookalike_pair::join::Posting;
use lookalike_sign::{Describe, Features, Key};
use lookalike_text::hash::{hash64, hash128};
use lookalike_text::{Seed, Unit, UnitId};

use crate::Error;
use crate::corpus::Side;
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
        self.id_hashes.retain(|posting| posting.unit().get() < room);
        self.digests.retain(|&(_, unit)| unit < room);
        self.id_lengths.truncate(room as usize);
        self.rank_values.truncate(room as usize);
        self.rejections
            .retain(|(_, slot)| slot.is_some_and(|slot| slot < room));
        self.empty.retain(|&slot| slot < room);
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
    joined: String,
}

impl<'r> Signer<'r> {
    pub(super) fn new(context: &'r Context<'r>) -> Self {
        let plan = context.plan;
        Signer {
            block: Block::default(),
            part: 0,
            most_postings: 0,
            tools: Tools {
                context,
                describe: plan.method.describer(context.spec.text, plan.seed),
                features: Features::default(),
                keys: Vec::new(),
                joined: String::new(),
            },
        }
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
            digests: Vec::new(),
            id_hashes: Vec::new(),
            ids: Vec::new(),
            id_lengths: Vec::new(),
            rank_values: Vec::new(),
            rejections: cut.collect(),
            empty: Vec::new(),
            unranked: Vec::new(),
        };
        out.records = block.decode(&mut |_| true, &mut |slot, record| {
            let ids_before = out.ids.len();
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
        let side_seed = Seed(plan.seed.0.wrapping_add(out.part as u64));
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
            out.empty.push(slot);
            return Ok(rank_value);
        }
        self.keys.clear();
        plan.keys.keys(self.features.hashes(), &mut self.keys);
        out.postings
            .extend(self.keys.iter().map(|&key| Posting::new(key, unit)));
        // Of the text itself: texts with equal features are found by their keys, as any others.
        out.digests
            .push((hash128(text.as_bytes(), side_seed), slot));
        Ok(rank_value)
    }
}
