//! From postings to candidate pairs, partition by partition.

use std::collections::BTreeSet;

use lookalike_pair::Pair;
use lookalike_pair::join::{self as by_bucket, Posting, PrefixPosting, Sift};
use lookalike_pair::spill::{Item, Partitions, Shuffle, Spill};
use lookalike_sign::keys::{Sieve, Sketch};
use lookalike_text::hash::{hash128, mix64};
use lookalike_text::{Seed, UnitId};

use super::hot::HotBuckets;
use super::select::{Prefixes, Sought};
use super::{Context, Units};
use crate::Error;
use crate::resume::Checkpointed;
use lookalike_kernel::{FoundBy, Kernel, NEVER, Recall, Searched, decide, recall};
use lookalike_pair::workers::{Flow, Pulled, in_order};

/// A worker that loaded more than this gives the room back before it waits its turn.
pub(crate) const LARGE_LOAD: usize = 1 << 22;

/// Pairs are handed on in batches of this many.
const BATCH: usize = 1 << 15;

/// What the join proposes.
pub(crate) struct Candidates {
    pub(crate) pairs: Shuffle<Pair>,
    pub(crate) hot: HotBuckets,
    pub(crate) searched: Searched,
}

impl Checkpointed for Candidates {
    type State = Searched;

    fn parts(&mut self) -> (Vec<&mut dyn Spill>, &mut Searched) {
        let mut spilled: Vec<&mut dyn Spill> = vec![&mut self.pairs];
        spilled.extend(self.hot.spilled());
        (spilled, &mut self.searched)
    }
}

impl Candidates {
    pub(crate) fn new(context: &Context<'_>, units: usize) -> Self {
        Candidates {
            pairs: pair_shuffle(context, units),
            hot: HotBuckets::new(context),
            searched: Searched {
                by: FoundBy::Keys,
                floors: Vec::new(),
                left_out: 0,
            },
        }
    }

    /// Those that prefixes are to find.
    pub(crate) fn of_prefixes(context: &Context<'_>, units: Units<'_>, sought: &Sought) -> Self {
        let lowest = |of_class: &Vec<f64>| {
            let lowest = of_class.iter().copied().fold(NEVER, f64::min);
            (lowest != NEVER).then_some(lowest)
        };
        let mut candidates = Candidates::new(context, units.count());
        candidates.searched.by = FoundBy::Prefixes;
        candidates.searched.floors = sought.floors.of_probes.iter().map(lowest).collect();
        candidates
    }

    /// What finding them promises.
    pub(crate) fn recall(&self, kernel: &Kernel) -> Recall {
        recall(kernel, &self.searched)
    }
}

/// An empty shuffle of pairs, which come out in input order.
pub(crate) fn pair_shuffle(context: &Context<'_>, units: usize) -> Shuffle<Pair> {
    let partitions = Partitions::of_units(context.budget.partitions, units);
    Shuffle::new(
        "pairs",
        context.folder,
        partitions,
        context.budget.percent(12),
    )
}

/// A slice of a partition: all of it, unless it is too large for the memory.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slice {
    pub(crate) partition: usize,
    index: u32,
    of: u32,
}

impl Slice {
    /// The next of the slices.
    pub(crate) fn pull(slices: &[Slice], next: &mut usize, mine: &mut Slice) -> Pulled {
        let Some(slice) = slices.get(*next) else {
            return Pulled::Nothing;
        };
        *mine = *slice;
        *next += 1;
        Pulled::Item
    }

    /// Whether a key belongs to this slice of its partition.
    pub(crate) fn has(self, key: u64) -> bool {
        (key as u32) % self.of == self.index
    }
}

/// Joins the postings of the units that stand for their group.
pub(crate) fn join(
    context: &Context<'_>,
    units: Units<'_>,
    all: &Shuffle<Posting>,
) -> Result<Candidates, Error> {
    let groups = units.groups;
    let mut candidates = Candidates::new(context, units.count());
    let slices = slices(context, all);
    let Candidates {
        pairs,
        hot,
        searched,
    } = &mut candidates;
    let pairs = &*pairs;
    let rule = decide::bucket_rule(context.kernel, units.signed.counts.units);
    let sifting = Sifting::new(context, units)?;
    let across = Across::new(context, units);
    let (mut next, mut known) = (0, KnownBuckets::default());
    in_order(
        context.threads,
        || Ok((Slice::default(), Vec::new(), Known::default())),
        |(mine, ..): &mut (Slice, Vec<Posting>, Known)| Ok(Slice::pull(&slices, &mut next, mine)),
        |(slice, postings, (recent, buckets))| -> Result<_, Error> {
            context.go_on()?;
            let wanted =
                |posting: &Posting| slice.has(posting.key()) && groups.is_first(posting.unit());
            all.load(slice.partition, wanted, postings)?;
            let mut batch = Batch::new(pairs);
            let mut hot: Vec<Vec<UnitId>> = Vec::new();
            let left_out = by_bucket::candidates(
                postings,
                (rule, &sifting),
                |unit| units.rank(unit),
                &mut |pair| {
                    if across.admits(pair) && recent.is_new(pair) {
                        batch.push(pair);
                    }
                },
                &mut |units: &[UnitId]| {
                    let is_new = buckets.is_new(units);
                    if is_new {
                        hot.push(units.to_vec());
                    }
                    is_new
                },
            );
            batch.finish()?;
            if postings.capacity() > LARGE_LOAD {
                *postings = Vec::new();
            }
            Ok((hot, left_out))
        },
        |(buckets, left_out)| {
            searched.left_out = searched.left_out.saturating_add(left_out);
            for units in buckets.iter().filter(|units| known.is_new(units)) {
                hot.push(units)?;
            }
            Ok(Flow::Continue)
        },
    )?;
    Ok(candidates)
}

/// Slices that fit in memory in every thread at once, with what looking at them needs.
pub(crate) fn slices<T: Item>(context: &Context<'_>, postings: &Shuffle<T>) -> Vec<Slice> {
    let sketch = context.plan().sieve.map_or(0, |_| size_of::<Sketch>());
    let room = context.budget.percent(25) / context.threads / (2 * size_of::<T>() + sketch);
    let mut slices = Vec::new();
    for partition in 0..postings.partitions() {
        let of = (postings.len(partition) as usize)
            .div_ceil(room.max(1))
            .max(1) as u32;
        slices.extend((0..of).map(|index| Slice {
            partition,
            index,
            of,
        }));
    }
    slices
}

/// Joins the prefixes of the units.
pub(crate) fn join_prefixes(
    context: &Context<'_>,
    units: Units<'_>,
    Prefixes { postings, sought }: &Prefixes,
) -> Result<Candidates, Error> {
    let candidates = Candidates::of_prefixes(context, units, sought);
    let slices = slices(context, postings);
    let rule = sought.rule(context, 0)?;
    let across = Across::new(context, units);
    let (pairs, mut next) = (&candidates.pairs, 0);
    in_order(
        context.threads,
        || Ok((Slice::default(), Vec::new())),
        |(mine, _): &mut (Slice, Vec<PrefixPosting>)| Ok(Slice::pull(&slices, &mut next, mine)),
        |(slice, loaded)| {
            context.go_on()?;
            let wanted = |posting: &PrefixPosting| slice.has(posting.feature().into());
            postings.load(slice.partition, wanted, loaded)?;
            let mut batch = Batch::new(pairs);
            rule.candidates(loaded, &mut |pair| {
                if across.admits(pair) {
                    batch.push(pair);
                }
            });
            if loaded.capacity() > LARGE_LOAD {
                *loaded = Vec::new();
            }
            batch.finish()
        },
        |()| Ok(Flow::Continue),
    )?;
    Ok(candidates)
}

/// What a worker knows already.
type Known = (Recent, KnownBuckets);

/// Pairs that a worker has handed on lately: variants of a template share most of their keys, so the same pairs come up
/// again and again. What it lets pass twice is dropped when pairs are sorted.
#[derive(Default)]
struct Recent {
    /// Each at a place that follows from it; 0 stands for none.
    pairs: Vec<u64>,
}

impl Recent {
    const PLACES: usize = 1 << 18;

    fn is_new(&mut self, pair: Pair) -> bool {
        if self.pairs.is_empty() {
            self.pairs.resize(Self::PLACES, 0);
        }
        let bits = u64::from(pair.lo().get()) << 32 | u64::from(pair.hi().get());
        let place = mix64(bits) as usize & (Self::PLACES - 1);
        // No pair is 0: its second unit is not.
        std::mem::replace(&mut self.pairs[place], bits) != bits
    }
}

/// Hot buckets by their digests: keys that all variants of a template have make the same one again and again.
#[derive(Default)]
struct KnownBuckets(BTreeSet<u128>);

impl KnownBuckets {
    fn is_new(&mut self, units: &[UnitId]) -> bool {
        let numbers: Vec<u32> = units.iter().map(|unit| unit.get()).collect();
        let digest = hash128(bytemuck::cast_slice(&numbers), Seed(0));
        self.0.insert(digest)
    }
}

/// Tells which pairs share a key by chance.
pub(crate) struct Sifting {
    sieve: Option<Sieve>,
    sketches: Vec<Sketch>,
}

impl Sifting {
    pub(crate) fn new(context: &Context<'_>, units: Units<'_>) -> Result<Self, Error> {
        let sieve = context.plan().sieve;
        Ok(Sifting {
            sieve,
            sketches: match sieve {
                Some(_) => units.signed.columns.sketches.read_all()?,
                None => Vec::new(),
            },
        })
    }

    /// Whether a pair with a common key is worth a comparison.
    pub(crate) fn admits_pair(&self, pair: Pair) -> bool {
        self.admits(self.sketch(pair.lo()), self.sketch(pair.hi()))
    }
}

impl Sift for Sifting {
    type Sketch = Sketch;

    fn sifts(&self) -> bool {
        self.sieve.is_some()
    }

    fn sketch(&self, unit: UnitId) -> Sketch {
        self.sketches.get(unit.index()).copied().unwrap_or_default()
    }

    #[inline]
    fn admits(&self, a: Sketch, b: Sketch) -> bool {
        self.sieve.is_none_or(|sieve| sieve.admits(a, b))
    }
}

/// Which pairs count: with `--against` those of the input with the corpus, and where units of one record are not compared
/// with each other those of two records.
#[derive(Clone, Copy)]
pub(crate) struct Across<'r> {
    against_from: Option<u32>,
    apart: Option<Units<'r>>,
    /// Where units that follow each other overlap, how many do.
    overlapping: Option<(Units<'r>, u32)>,
}

impl<'r> Across<'r> {
    pub(crate) fn new(context: &Context<'_>, units: Units<'r>) -> Self {
        let corpus = context.corpus;
        Across {
            // Passages meet by document: a sentence may stand for one of the other side.
            against_from: (corpus.is_against() && !context.spec().job.locates_passages())
                .then(|| units.signed.against_from()),
            apart: (!corpus.compares_within_records()).then_some(units),
            overlapping: (corpus.compares_within_records() && corpus.overlapping() > 1)
                .then_some((units, corpus.overlapping())),
        }
    }

    pub(crate) fn admits(self, pair: Pair) -> bool {
        let (lo, hi) = (pair.lo(), pair.hi());
        let across_sides = |from: u32| lo.get() < from && hi.get() >= from;
        if let Some(units) = self.apart
            && units.signed.records.same(lo.get(), hi.get())
            // A copy in another record may stand for either of them.
            && !units.groups.has_copies(lo)
            && !units.groups.has_copies(hi)
        {
            return false;
        }
        if let Some((units, run)) = self.overlapping
            && hi.get() - lo.get() < run
            && units.signed.records.same(lo.get(), hi.get())
        {
            return false;
        }
        self.against_from.is_none_or(across_sides)
    }
}

/// Pairs on their way into a shuffle; the first error is kept until the end.
pub(crate) struct Batch<'s, T> {
    pairs: Vec<T>,
    shuffle: &'s Shuffle<T>,
    failed: Option<Error>,
}

impl<'s, T: Item> Batch<'s, T> {
    pub(crate) fn new(shuffle: &'s Shuffle<T>) -> Self {
        Batch {
            pairs: Vec::new(),
            shuffle,
            failed: None,
        }
    }

    pub(crate) fn push(&mut self, pair: T) {
        self.pairs.push(pair);
        if self.pairs.len() == BATCH {
            self.flush();
        }
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.flush();
        self.failed.map_or(Ok(()), Err)
    }

    fn flush(&mut self) {
        if self.failed.is_some() {
            // A full disk, say: trying again would only take time.
            self.pairs.clear();
            return;
        }
        if let Err(error) = self.shuffle.extend(self.pairs.drain(..)) {
            self.failed.get_or_insert(error.into());
        }
    }
}
