//! From postings to candidate pairs, partition by partition.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use lookalike_kernel::{FoundBy, Kernel, NEVER, Recall, Searched, decide, recall};
use lookalike_pair::join::{self as by_bucket, Posting, Sift, bucket_digest};
use lookalike_pair::spill::{Item, Shuffle, Spill};
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_pair::{Pair, RecordPair};
use lookalike_sign::keys::{Sieve, Sketch};
use lookalike_text::UnitId;
use lookalike_text::hash::mix64;

use super::hot::HotBuckets;
use super::select::{Overlaps, Prefixes, Sizes, Sought};
use super::{Context, Units};
use crate::Error;
use crate::resume::Checkpointed;

/// A worker that loaded more than this gives the room back before it waits its turn.
const LARGE_LOAD: usize = 1 << 22;

/// Pairs are handed on in batches of this many.
const BATCH: usize = 1 << 15;

/// What the join proposes.
pub(crate) struct Candidates {
    pub(crate) pairs: Shuffle<Pair>,
    /// Pairs of documents that neighbouring words propose.
    pub(crate) documents: Shuffle<RecordPair>,
    pub(crate) hot: HotBuckets,
    pub(crate) searched: Searched,
}

impl Checkpointed for Candidates {
    type State = Searched;

    fn parts(&mut self) -> (Vec<&mut dyn Spill>, &mut Searched) {
        let mut spilled: Vec<&mut dyn Spill> = vec![&mut self.pairs, &mut self.documents];
        spilled.extend(self.hot.spilled());
        (spilled, &mut self.searched)
    }
}

impl Candidates {
    pub(crate) fn new(context: &Context<'_>, units: usize) -> Self {
        Candidates {
            pairs: pair_shuffle(context, units),
            documents: context.by_number("documents", units, 6),
            hot: HotBuckets::new(context),
            searched: Searched {
                by: FoundBy::Keys,
                floors: Vec::new(),
                left_out: 0,
                neighbours: None,
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
    context.by_number("pairs", units, 12)
}

/// Looks at postings slice by slice: a key is in one slice with all its postings.
pub(crate) struct Slices<'s, T, K> {
    postings: &'s Shuffle<T>,
    key: K,
    slices: Vec<Slice>,
}

/// A slice of a partition: all of it, unless it is too large for the memory.
#[derive(Debug, Clone, Copy)]
struct Slice {
    partition: usize,
    index: u32,
    of: u32,
}

impl<'s, T: Item, K: Fn(&T) -> u64 + Sync> Slices<'s, T, K> {
    /// Slices that fit in memory in every thread at once, with what looking at them needs.
    pub(crate) fn new(context: &Context<'_>, postings: &'s Shuffle<T>, key: K) -> Self {
        let sketch = context.plan().sieve.map_or(0, |_| size_of::<Sketch>());
        let room = context.budget.percent(25) / context.threads / (2 * size_of::<T>() + sketch);
        let slices = (0..postings.partitions()).flat_map(|partition| {
            let of = (postings.len(partition) as usize).div_ceil(room.max(1));
            let of = of.max(1) as u32;
            (0..of).map(move |index| Slice {
                partition,
                index,
                of,
            })
        });
        Slices {
            postings,
            key,
            slices: slices.collect(),
        }
    }

    /// Works on the wanted postings of each slice, in any thread and with what it has of its own, and commits the results
    /// in order.
    pub(crate) fn for_each<W: Default, R: Send>(
        &self,
        context: &Context<'_>,
        wanted: impl Fn(&T) -> bool + Sync,
        work: impl Fn(&mut Vec<T>, &mut W) -> Result<R, Error> + Sync,
        commit: impl FnMut(R) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        let mut next = 0;
        in_order(
            context.threads,
            || Ok((0, Vec::new(), W::default())),
            |(mine, ..): &mut (usize, Vec<T>, W)| {
                Ok(Pulled::number(&mut next, mine, self.slices.len()))
            },
            |(mine, loaded, own)| {
                context.go_on()?;
                let slice = self.slices[*mine];
                let is_own = |posting: &T| (self.key)(posting) as u32 % slice.of == slice.index;
                let wanted = |posting: &T| is_own(posting) && wanted(posting);
                self.postings.load(slice.partition, wanted, loaded)?;
                let result = work(loaded, own)?;
                if loaded.capacity() > LARGE_LOAD {
                    *loaded = Vec::new();
                }
                Ok(result)
            },
            commit,
        )
    }
}

/// Joins the postings of the units that stand for their group.
pub(crate) fn join(
    context: &Context<'_>,
    units: Units<'_>,
    all: &Shuffle<Posting>,
) -> Result<Candidates, Error> {
    let mut candidates = Candidates::new(context, units.count());
    let Candidates {
        pairs,
        hot,
        searched,
        ..
    } = &mut candidates;
    let pairs = &*pairs;
    let rule = decide::bucket_rule(context.kernel, units.signed.counts.units);
    let sifting = Sifting::new(context, units)?;
    let across = Across::new(context, units);
    let overlaps = overlaps(context, units)?;
    let can_reach = |pair: Pair| {
        let units = (pair.lo(), pair.hi());
        (overlaps.as_ref()).is_none_or(|overlaps| overlaps.admit(units, Overlaps::NOTHING_KNOWN))
    };
    let mut known = KnownBuckets::default();
    Slices::new(context, all, |posting| posting.key()).for_each(
        context,
        |posting| units.groups.is_first(posting.unit()),
        |postings, (recent, buckets): &mut Known| {
            let mut batch = Batch::stoppable(context, pairs);
            let mut hot: Vec<Vec<UnitId>> = Vec::new();
            by_bucket::candidates(
                postings,
                (rule, &sifting),
                |unit| units.rank(unit),
                &mut |pair| {
                    if across.admits(pair) && recent.is_new(pair) && can_reach(pair) {
                        batch.push(pair);
                    }
                },
                &mut |units: &[UnitId]| {
                    if buckets.is_new(units) {
                        hot.push(units.to_vec());
                    }
                },
            );
            batch.finish()?;
            Ok(hot)
        },
        |buckets| {
            let mut new = buckets.iter().filter(|units| known.is_new(units));
            new.try_for_each(|units| hot.push(units))
        },
    )?;
    let mut batch = Batch::stoppable(context, pairs);
    let in_buckets = hot.compare(rule, units.count(), &mut |pair| {
        if sifting.admits_pair(pair) && across.admits(pair) && can_reach(pair) {
            batch.push(pair);
        }
    })?;
    batch.finish()?;
    searched.left_out = in_buckets.saturating_add(units.signed.counts.not_looked_up);
    Ok(candidates)
}

/// What the fields of two units have in common, where an exact search was thought of and the tapes for it are there.
fn overlaps<'r>(context: &'r Context<'_>, units: Units<'r>) -> Result<Option<Overlaps<'r>>, Error> {
    let plan = context.plan();
    let has_tapes = plan.route.needs_prefixes() && !units.signed.is_too_many(context);
    if plan.mean.is_none() || !has_tapes {
        return Ok(None);
    }
    Overlaps::new(context, units, &Sizes::read(context, units)?)
}

/// Joins the prefixes of the units.
pub(crate) fn join_prefixes(
    context: &Context<'_>,
    units: Units<'_>,
    Prefixes { postings, sought }: &Prefixes,
) -> Result<Candidates, Error> {
    let candidates = Candidates::of_prefixes(context, units, sought);
    let rule = sought.rule(context, 0)?;
    let across = Across::new(context, units);
    Slices::new(context, postings, |posting| posting.feature().into()).for_each(
        context,
        |_| true,
        |loaded, (): &mut ()| {
            let mut batch = Batch::stoppable(context, &candidates.pairs);
            rule.candidates(loaded, &mut |pair| {
                if across.admits(pair) {
                    batch.push(pair);
                }
                batch.flow()
            });
            batch.finish()
        },
        |()| Ok(()),
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
        self.0.insert(bucket_digest(units))
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

/// Which pairs count: with `--against` those of the input with the corpus, with `--within` also those of the input, and where units of one record are not compared
/// with each other those of two records.
#[derive(Clone, Copy)]
pub(crate) struct Across<'r> {
    units: Units<'r>,
    against_from: Option<UnitId>,
    /// Whether units of the input are compared with each other.
    within_input: bool,
    /// Whether units of one record are compared with each other.
    within_records: bool,
    /// How many units that follow each other overlap, if any.
    overlapping: u32,
}

impl<'r> Across<'r> {
    pub(crate) fn new(context: &Context<'_>, units: Units<'r>) -> Self {
        let corpus = context.corpus;
        Across {
            // Passages meet by document: a sentence may stand for one of the other side.
            against_from: (corpus.is_against() && !context.spec().job.locates_passages())
                .then(|| units.signed.first_unit_against()),
            within_input: corpus.compares_input(),
            within_records: corpus.compares_within_records(),
            overlapping: corpus.overlapping(),
            units,
        }
    }

    pub(crate) fn admits(self, pair: Pair) -> bool {
        let (lo, hi) = (pair.lo(), pair.hi());
        let is_same_record = || self.units.signed.records.same(lo, hi);
        let has_copies = |unit| self.units.groups.has_copies(unit);
        let is_left_out = if self.within_records {
            hi.get() - lo.get() < self.overlapping && is_same_record()
        } else {
            // A copy in another record may stand for either of them.
            is_same_record() && !has_copies(lo) && !has_copies(hi)
        };
        let is_across = |from: UnitId| lo < from && (self.within_input || hi >= from);
        !is_left_out && self.against_from.is_none_or(is_across)
    }
}

/// Pairs on their way into a shuffle; the first error is kept until the end.
pub(crate) struct Batch<'s, T> {
    pairs: Vec<T>,
    /// Of a run that may end while there are more.
    context: Option<&'s Context<'s>>,
    shuffle: &'s Shuffle<T>,
    failed: Option<Error>,
}

impl<'s, T: Item> Batch<'s, T> {
    pub(crate) fn new(shuffle: &'s Shuffle<T>) -> Self {
        Batch {
            pairs: Vec::new(),
            context: None,
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

    /// The same where there may be so many that a run has to be able to end before the last.
    pub(crate) fn stoppable(context: &'s Context<'s>, shuffle: &'s Shuffle<T>) -> Self {
        Batch {
            context: Some(context),
            ..Batch::new(shuffle)
        }
    }

    /// Whether more pairs make sense: not once there is an error, or the run is to end.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        match self.failed {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
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
        let extended = self.shuffle.extend(self.pairs.drain(..));
        let go_on = || self.context.map_or(Ok(()), Context::go_on);
        if let Err(error) = extended.map_err(Error::from).and_then(|()| go_on()) {
            self.failed.get_or_insert(error);
        }
    }
}
