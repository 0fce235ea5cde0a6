//! The keys that documents share: of each document those that others have, too, but not too many others.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::NeighbourCounts;
use lookalike_kernel::decide::{self, CommonWords};
use lookalike_pair::join::{Holder, KeyIndex, MOST_PLACES, Meetings, PlacedKey};
use lookalike_pair::spill::{Item, Shuffle, Spool};
use lookalike_text::RecordId;

use super::documents::Documents;
use super::repeated::Repeated;
use crate::Error;
use crate::stages::Context;
use crate::stages::join::{Batch, Slices};

/// A key with a document that has it, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Held {
    key: [u32; 2],
    record: u32,
    place: u32,
}

impl Held {
    fn key(&self) -> u64 {
        u64::from(self.key[0]) << 32 | u64::from(self.key[1])
    }

    #[inline]
    fn order(&self) -> u128 {
        let within = u64::from(self.record) << 32 | u64::from(self.place);
        u128::from(self.key()) << 64 | u128::from(within)
    }
}

impl Ord for Held {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Item for Held {
    fn place(&self) -> u32 {
        self.key[0]
    }
}

/// A shared key with a document that has it, by document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Shared(pub(super) PlacedKey);

impl Item for Shared {
    fn place(&self) -> u32 {
        let Shared(key) = self;
        key.document
    }
}

/// The shared keys that a range of documents has, which fit in memory; and, by document, where other documents look for
/// them.
pub(super) struct Part {
    pub(super) range: Range<u32>,
    pub(super) holders: Spool<Holder>,
    pub(super) placed: Shuffle<Shared>,
}

/// The keys that documents share.
pub(super) struct SharedKeys {
    pub(super) parts: Vec<Part>,
    /// What they were chosen from.
    pub(super) counts: NeighbourCounts,
}

/// What is written of some keys for one part.
#[derive(Default)]
struct PartOfKeys {
    holders: Vec<Holder>,
    placed: Vec<Shared>,
}

impl SharedKeys {
    pub(super) fn new(documents: &Documents<'_>, common: &CommonWords) -> Result<Self, Error> {
        let context = documents.context;
        let mut counts = NeighbourCounts::default();
        let repeated = Repeated::new(context, documents.word_count());
        documents.for_each(
            |documents, keys: &mut Vec<u64>| {
                let (mut count, mut halves) = (0, 0);
                documents(&mut |document| {
                    keys.clear();
                    halves += document.halves();
                    document.keys(common, |key, _| keys.push(key));
                    count += keys.len() as u64;
                    repeated.insert(keys);
                });
                Ok((count, halves))
            },
            |(keys, halves): (u64, u64)| {
                counts.keys += keys;
                counts.halves += halves;
                Ok(())
            },
        )?;
        let held = context.by_hash("neighbours", 15);
        // How many each document has.
        let mut sizes = vec![0_u32; documents.count()];
        documents.for_each(
            |documents, keys: &mut Vec<(u64, u32)>| {
                let (mut batch, mut sizes) = (Batch::new(&held), Vec::new());
                documents(&mut |document| {
                    keys.clear();
                    document.keys(common, |key, place| keys.push((key, place)));
                    repeated.retain(keys);
                    sizes.push((document.record, keys.len() as u32));
                    for &(key, place) in keys.iter() {
                        batch.push(Held {
                            key: [(key >> 32) as u32, key as u32],
                            record: document.record.get(),
                            place,
                        });
                    }
                });
                batch.finish()?;
                Ok(sizes)
            },
            |part: Vec<(RecordId, u32)>| {
                let part = part.into_iter();
                part.for_each(|(record, size)| sizes[record.index()] = size);
                Ok(())
            },
        )?;
        drop(repeated);
        let parts = parts(documents, &sizes);
        let mut keys = SharedKeys { parts, counts };
        keys.share(documents, &held)?;
        held.clear();
        Ok(keys)
    }

    /// Puts the keys that are shared into the parts.
    fn share(&mut self, documents: &Documents<'_>, held: &Shuffle<Held>) -> Result<(), Error> {
        let (context, sides) = (documents.context, Sides::of(documents));
        let SharedKeys { parts, counts } = self;
        let ranges: Vec<_> = parts.iter().map(|part| part.range.clone()).collect();
        Slices::new(context, held, Held::key).for_each(
            context,
            |_| true,
            |held, holders: &mut Vec<Holder>| {
                held.sort_unstable_by_key(Held::order);
                let mut out = Vec::new();
                out.resize_with(ranges.len(), PartOfKeys::default);
                let mut common = 0;
                for same in held.chunk_by(|a, b| a.key == b.key) {
                    match sides.holders(same) {
                        Holders::Few => {}
                        Holders::One => continue,
                        Holders::Many => {
                            common += same.len() as u64;
                            continue;
                        }
                    }
                    holders.clear();
                    for of_record in same.chunk_by(|a, b| a.record == b.record) {
                        let places = of_record.iter().take(MOST_PLACES);
                        holders.extend(places.map(|held| Holder::new(held.record, held.place)));
                    }
                    for (range, out) in ranges.iter().zip(&mut out) {
                        KeyIndex::add(&mut out.holders, range, holders, |placed| {
                            if sides.looks(placed.document) {
                                out.placed.push(Shared(placed));
                            }
                        });
                    }
                }
                Ok((out, common))
            },
            |(out, common)| {
                counts.common += common;
                for (part, mut of_part) in parts.iter_mut().zip(out) {
                    let before = part.holders.len() as u32;
                    part.holders.append(&of_part.holders)?;
                    let placed = &mut of_part.placed;
                    placed
                        .iter_mut()
                        .for_each(|shared| shared.0.later += before);
                    part.placed.extend(of_part.placed)?;
                }
                Ok(())
            },
        )
    }
}

/// Cuts the documents that are looked for into ranges whose keys fit in memory.
fn parts(documents: &Documents<'_>, sizes: &[u32]) -> Vec<Part> {
    let context = documents.context;
    let room = context.budget.percent(40) as u64;
    let first = Sides::of(documents).first_held();
    let mut ranges: Vec<Range<u32>> = Vec::new();
    let (mut begin, mut holders) = (first, 0);
    for (&size, document) in sizes.iter().zip(0..).skip(first as usize) {
        let of_workers = context.threads as u64 * Meetings::bytes(u64::from(document + 1 - begin));
        let more = holders + u64::from(size);
        let is_too_much = KeyIndex::bytes(more) + of_workers > room || more > u32::MAX.into();
        if is_too_much && document > begin {
            ranges.push(begin..document);
            (begin, holders) = (document, 0);
        }
        holders += u64::from(size);
    }
    ranges.push(begin..sizes.len() as u32);
    let count = ranges.len();
    let part = |range| Part {
        range,
        holders: share_of(context, 4, count),
        placed: context.by_number_in(
            "shared-keys",
            sizes.len(),
            context.budget.percent(10) / count,
        ),
    };
    ranges.into_iter().map(part).collect()
}

fn share_of(context: &Context<'_>, percent: usize, count: usize) -> Spool<Holder> {
    let memory = context.budget.percent(percent) / count;
    Spool::new("holders", context.folder, memory)
}

/// Which documents are compared with which.
#[derive(Debug, Clone, Copy)]
struct Sides {
    /// With `--against`, the first record of the corpus.
    against_from: Option<RecordId>,
    /// Whether documents of the input are compared with each other.
    within_input: bool,
}

/// How many documents have a key.
enum Holders {
    /// A single one, or none that is compared with another.
    One,
    /// Some that are compared.
    Few,
    /// Too many.
    Many,
}

impl Sides {
    fn of(documents: &Documents<'_>) -> Self {
        let (context, units) = (documents.context, documents.units);
        let is_against = context.corpus.is_against();
        Sides {
            against_from: is_against.then(|| units.signed.first_record_against()),
            within_input: context.corpus.compares_input(),
        }
    }

    /// The first document that others are compared with.
    fn first_held(self) -> u32 {
        let corpus = self.against_from.filter(|_| !self.within_input);
        corpus.map_or(0, RecordId::get)
    }

    /// Whether a document is compared with later ones.
    fn looks(self, document: u32) -> bool {
        self.against_from.is_none_or(|from| document < from.get())
    }

    fn holders(self, held: &[Held]) -> Holders {
        let documents = |held: &[Held]| held.chunk_by(|a, b| a.record == b.record).count();
        let (most, are_compared) = match self.against_from {
            None => {
                let count = documents(held);
                (count, count > 1)
            }
            Some(from) => {
                let input = held.partition_point(|held| held.record < from.get());
                let corpus = documents(&held[input..]);
                match self.within_input {
                    true => {
                        let of_input = documents(&held[..input]);
                        (of_input.max(corpus), input > 0 && of_input + corpus > 1)
                    }
                    false => (corpus, input > 0 && corpus > 0),
                }
            }
        };
        match are_compared {
            _ if decide::is_common_key(most) => Holders::Many,
            true => Holders::Few,
            false => Holders::One,
        }
    }
}
