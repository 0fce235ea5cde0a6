//! Score every candidate exactly, and give what the leaders of a hot bucket did not take another round.

use lookalike_pair::spill::{Partitions, SavedShuffle, Shuffle, Spool};
use lookalike_pair::verify::{Subject, Verify};
use lookalike_pair::{Pair, Scored};

use serde::{Deserialize, Serialize};

use super::describe::Store;
use super::join::{Across, Batch, Candidates, next_round, pair_shuffle};
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;
use crate::workers::{Flow, Pulled, in_order};

/// Pairs scored in one piece of work.
const CHUNK: usize = 4096;

/// The pairs that hold.
pub(crate) struct Verified {
    pub(crate) scored: Shuffle<Scored>,
    /// How many candidates were scored.
    pub(crate) candidates: u64,
    /// How many units were in a hot bucket, and how many of them were linked to an earlier unit.
    pub(crate) hot_units: u64,
    pub(crate) hot_linked: u64,
}

impl Verified {
    pub(crate) fn new(context: &Context<'_>, units: usize) -> Self {
        let partitions = Partitions::of_units(context.budget.partitions, units);
        Verified {
            scored: Shuffle::new(
                "scored",
                context.folder,
                partitions,
                context.budget.percent(12),
            ),
            candidates: 0,
            hot_units: 0,
            hot_linked: 0,
        }
    }

    pub(crate) fn restore(self, saved: SavedVerified) -> Result<Self, Error> {
        Ok(Verified {
            scored: self.scored.restore(saved.scored)?,
            candidates: saved.candidates,
            hot_units: saved.hot_units,
            hot_linked: saved.hot_linked,
        })
    }

    pub(crate) fn save(&mut self) -> Result<SavedVerified, Error> {
        Ok(SavedVerified {
            scored: self.scored.save()?,
            candidates: self.candidates,
            hot_units: self.hot_units,
            hot_linked: self.hot_linked,
        })
    }
}

/// The files of a checkpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SavedVerified {
    scored: SavedShuffle,
    candidates: u64,
    hot_units: u64,
    hot_linked: u64,
}

impl SavedVerified {
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.scored.files()
    }
}

/// Verifies the candidates, round by round.
pub(crate) fn verify(
    context: &Context<'_>,
    units: Units<'_>,
    candidates: &Candidates,
    store: &Store,
) -> Result<Verified, Error> {
    let mut verified = Verified::new(context, units.count());
    let across = Across::new(context, units.signed);
    let scoring = Scoring {
        context,
        units,
        store,
    };
    let mut linked = Bits::new(units.count());
    scoring.score(&candidates.pairs, &mut verified, &mut linked)?;
    let (mut hot_units, mut previous) = (Bits::new(units.count()), None);
    count_hot(&candidates.hot, &mut hot_units)?;
    for _ in 0..context.spec.keys.bucket_rounds {
        let hot = previous.as_ref().unwrap_or(&candidates.hot);
        if hot.is_empty() {
            break;
        }
        let pairs = pair_shuffle(context, units.count());
        let mut still_hot = Spool::new("hot", context.folder, context.budget.percent(4));
        let mut batch = Batch::new(&pairs);
        let mut emit = |pair| {
            if across.admits(pair) {
                batch.push(pair);
            }
        };
        next_round(
            hot,
            context.plan.buckets,
            |unit| linked.contains(unit.get()),
            &mut emit,
            &mut still_hot,
        )?;
        batch.finish()?;
        scoring.score(&pairs, &mut verified, &mut linked)?;
        pairs.clear();
        previous = Some(still_hot);
    }
    verified.hot_units = hot_units.count();
    verified.hot_linked = hot_units
        .words()
        .iter()
        .zip(linked.words())
        .map(|(a, b)| u64::from((a & b).count_ones()))
        .sum();
    Ok(verified)
}

fn count_hot(hot: &Spool<u32>, units: &mut Bits) -> Result<(), Error> {
    let mut at = 0;
    let mut bucket: Vec<u32> = Vec::new();
    while at < hot.len() {
        let mut length = [0];
        hot.read_at(&mut length, at)?;
        bucket.resize(length[0] as usize, 0);
        hot.read_at(&mut bucket, at + 1)?;
        bucket.iter().for_each(|&unit| units.insert(unit));
        at += 1 + bucket.len() as u64;
    }
    Ok(())
}

/// Hands out the pairs of a shuffle in order, a chunk at a time.
struct Chunks<'s> {
    pairs: &'s Shuffle<Pair>,
    partition: usize,
    loaded: Vec<Pair>,
    at: usize,
}

impl Chunks<'_> {
    fn next(&mut self, chunk: &mut Vec<Pair>) -> Result<Pulled, Error> {
        while self.at == self.loaded.len() {
            if self.partition == self.pairs.partitions() {
                return Ok(Pulled::Nothing);
            }
            self.pairs.load_sorted(self.partition, &mut self.loaded)?;
            self.partition += 1;
            self.at = 0;
        }
        let end = (self.at + CHUNK).min(self.loaded.len());
        chunk.clear();
        chunk.extend_from_slice(&self.loaded[self.at..end]);
        self.at = end;
        Ok(Pulled::Item)
    }
}

/// Scores pairs with what they need.
struct Scoring<'r> {
    context: &'r Context<'r>,
    units: Units<'r>,
    store: &'r Store,
}

impl Scoring<'_> {
    fn score(
        &self,
        pairs: &Shuffle<Pair>,
        verified: &mut Verified,
        linked: &mut Bits,
    ) -> Result<(), Error> {
        let mut chunks = Chunks {
            pairs,
            partition: 0,
            loaded: Vec::new(),
            at: 0,
        };
        in_order(
            self.context.threads,
            || Scorer::new(self.context, self.store),
            |scorer: &mut Scorer<'_>| chunks.next(&mut scorer.pairs),
            Scorer::score,
            |(scored, candidates)| {
                for pair in &scored {
                    let earlier = self.units.rank(pair.lo()) < self.units.rank(pair.hi());
                    let later = if earlier { pair.hi() } else { pair.lo() };
                    linked.insert(later.get());
                }
                verified.scored.extend(scored)?;
                verified.candidates += candidates;
                self.context.observer.done(verified.candidates);
                Ok(Flow::Continue)
            },
        )
    }
}

struct Scorer<'r> {
    store: &'r Store,
    verify: Box<dyn Verify>,
    threshold: f64,
    pairs: Vec<Pair>,
    left: Vec<u64>,
    right: Vec<u64>,
}

impl<'r> Scorer<'r> {
    fn new(context: &Context<'_>, store: &'r Store) -> Self {
        Scorer {
            store,
            verify: context.plan.measure.verifier(),
            threshold: context.spec.threshold,
            pairs: Vec::new(),
            left: Vec::new(),
            right: Vec::new(),
        }
    }

    fn score(&mut self) -> Result<(Vec<Scored>, u64), Error> {
        let mut scored = Vec::new();
        // Pairs are sorted, so a unit is fetched once for all its pairs.
        for of_one in self.pairs.chunk_by(|a, b| a.lo() == b.lo()) {
            let left = self.store.get(of_one[0].lo(), &mut self.left)?;
            let left = Subject {
                text: "",
                features: left,
            };
            for pair in of_one {
                let right = self.store.get(pair.hi(), &mut self.right)?;
                let right = Subject {
                    text: "",
                    features: right,
                };
                let similarity = self.verify.score(left, right, self.threshold);
                scored.extend(similarity.map(|similarity| pair.scored(similarity)));
            }
        }
        Ok((scored, self.pairs.len() as u64))
    }
}
