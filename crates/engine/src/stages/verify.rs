//! Score every candidate exactly, and give what the leaders of a hot bucket did not take another round.

use lookalike_kernel::{Scorer, decide};
use lookalike_pair::spill::{Shuffle, Spill};
use lookalike_pair::verify::UNVERIFIED;
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_pair::{Pair, Scored};
use lookalike_text::UnitId;
use serde::{Deserialize, Serialize};

use super::assemble::{Links, for_each_taken};
use super::describe::in_pairs;
use super::differences::{Differences, RecordTexts};
use super::hot::HotBuckets;
use super::join::{Across, Batch, Candidates, Sifting, pair_shuffle};
use super::sequence::Sequence;
use super::store::{Store, Window};
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;
use crate::rank::Ranks;
use crate::resume::Checkpointed;

/// Pairs scored in one piece of work.
const CHUNK: usize = 4096;

/// The pairs that hold.
pub(crate) struct Verified {
    pub(crate) scored: Shuffle<Scored>,
    /// Those of them that take nothing, since they differ in something that matters.
    pub(crate) held: Shuffle<Pair>,
    pub(crate) counts: VerifiedCounts,
}

/// How many there were of what.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct VerifiedCounts {
    /// How many candidates were scored.
    pub(crate) candidates: u64,
    /// How many were not, since both are similar to one kept unit.
    pub(crate) assumed: u64,
    /// How many units were in a hot bucket, and how many of them a kept unit takes.
    pub(crate) hot_units: u64,
    pub(crate) hot_linked: u64,
    /// Whether it is known which pairs take nothing.
    pub(crate) held_known: bool,
}

impl Verified {
    pub(crate) fn new(context: &Context<'_>, units: usize) -> Self {
        Verified {
            scored: context.by_number("scored", units, 12),
            held: context.by_number("held", units, 4),
            counts: VerifiedCounts::default(),
        }
    }
}

impl Checkpointed for Verified {
    type State = VerifiedCounts;

    fn parts(&mut self) -> (Vec<&mut dyn Spill>, &mut VerifiedCounts) {
        (vec![&mut self.scored, &mut self.held], &mut self.counts)
    }
}

/// Verifies the candidates, round by round.
pub(crate) fn verify(
    context: &Context<'_>,
    units: Units<'_>,
    candidates: &Candidates,
    store: &Store<UnitId, u64>,
) -> Result<Verified, Error> {
    let mut verified = Verified::new(context, units.count());
    let across = Across::new(context, units);
    let texts = if context.spec().verify.transitive && context.spec().holds_some() {
        verified.counts.held_known = true;
        let wanted = in_pairs(units.count(), candidates)?;
        Some(RecordTexts::read(context, units, &wanted)?)
    } else {
        None
    };
    let mut scoring = Scoring {
        context,
        units,
        store,
        texts: texts.as_ref(),
        assumed: pair_shuffle(context, units.count()),
    };
    scoring.score(&candidates.pairs, &mut verified)?;
    let sifting = Sifting::new(context, units)?;
    let rule = decide::bucket_rule(context.kernel, units.signed.counts.units);
    let mut round: Option<HotBuckets> = None;
    for _ in 0..context.spec().keys.bucket_rounds {
        let hot = round.as_ref().unwrap_or(&candidates.hot);
        if hot.count() == 0 {
            break;
        }
        let taken = taken(context, units, &verified.scored)?;
        let remaining = hot.remaining(context, rule, &taken)?;
        let pairs = pair_shuffle(context, units.count());
        let mut batch = Batch::new(&pairs);
        remaining.compare(rule, units.count(), &mut |pair| {
            if sifting.admits_pair(pair) && across.admits(pair) {
                batch.push(pair);
            }
        })?;
        batch.finish()?;
        scoring.score(&pairs, &mut verified)?;
        pairs.clear();
        round = Some(remaining);
    }
    scoring.list_assumed(&mut verified)?;
    if candidates.hot.count() > 0 {
        let hot = candidates.hot.units(units.count())?;
        verified.counts.hot_units = hot.count();
        verified.counts.hot_linked = hot.common(&taken(context, units, &verified.scored)?);
    }
    Ok(verified)
}

/// The units that a kept one takes, by the pairs known so far, whatever they differ in: variants of a template, each with
/// a number of its own, are not compared again and again.
fn taken(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
) -> Result<Bits<UnitId>, Error> {
    let mut taken = Bits::new(units.count());
    for_each_taken(context, units, Links::all(scored), |second, _, _| {
        taken.insert(second);
        Ok(())
    })?;
    Ok(taken)
}

/// Scores pairs with what they need.
struct Scoring<'r> {
    context: &'r Context<'r>,
    units: Units<'r>,
    store: &'r Store<UnitId, u64>,
    /// Where it must be known at once which pairs take nothing.
    texts: Option<&'r RecordTexts>,
    /// What is assumed, until the last round is over.
    assumed: Shuffle<Pair>,
}

impl<'r> Scoring<'r> {
    fn score(&mut self, pairs: &Shuffle<Pair>, verified: &mut Verified) -> Result<(), Error> {
        if self.context.spec().verify.transitive {
            return self.score_by_rank(pairs, verified);
        }
        let mut chunks = Sequence::of(pairs);
        in_order(
            self.context.threads,
            || StoreScorer::new(self.context, self.store),
            |scorer: &mut StoreScorer<'_>| chunks.next_chunk(&mut scorer.pairs, CHUNK),
            StoreScorer::score,
            |(scored, candidates)| {
                verified.scored.extend(scored)?;
                verified.counts.candidates += candidates;
                self.context.done(verified.counts.candidates)
            },
        )
    }

    /// Scores pairs in the order of rank, as clusters are made, so that it is known which units are taken by which: two
    /// that one kept unit takes are assumed to be similar. What takes a unit is always scored.
    fn score_by_rank(
        &mut self,
        pairs: &Shuffle<Pair>,
        verified: &mut Verified,
    ) -> Result<(), Error> {
        let (context, units) = (self.context, self.units);
        let Units { groups, ranks, .. } = units;
        let by_rank = match ranks {
            Ranks::AsRead => None,
            Ranks::Ordered { .. } => Some(in_order_of_rank(context, units, pairs)?),
        };
        let unit = |rank: UnitId| match ranks {
            Ranks::AsRead => rank,
            Ranks::Ordered { .. } => groups.first_of(ranks.unit(rank.get())),
        };
        // By rank the rank of the kept unit that takes it, as far as is known.
        let mut takers = vec![UnitId::NONE; units.count()];
        let mut chunks = Sequence::of(by_rank.as_ref().unwrap_or(pairs));
        let mut scorer = StoreScorer::new(context, self.store)?;
        let mut holding = self.holding();
        let (mut chunk, mut scored) = (Vec::new(), Vec::new());
        while let Pulled::Item = chunks.next_chunk(&mut chunk, CHUNK)? {
            for pair in &chunk {
                let (first, second) = (pair.lo(), pair.hi());
                let Some(pair) = Pair::new(unit(first), unit(second)) else {
                    continue;
                };
                let taker = takers[first.index()];
                if taker != UnitId::NONE && taker == takers[second.index()] {
                    self.assumed.extend([pair])?;
                    continue;
                }
                verified.counts.candidates += 1;
                let Some(similarity) = scorer.similarity(pair)? else {
                    continue;
                };
                scored.push(pair.scored(similarity));
                let is_held = holding.hold(pair, verified)?;
                if !is_held && taker == UnitId::NONE && takers[second.index()] == UnitId::NONE {
                    takers[second.index()] = first;
                }
            }
            verified.scored.extend(scored.drain(..))?;
            context.done(verified.counts.candidates)?;
        }
        if let Some(by_rank) = by_rank {
            by_rank.clear();
        }
        self.settle(verified)
    }

    /// Scores what was assumed of two units that, by all that is known now, no one kept unit takes both of: an earlier
    /// round may have known another one. So the clusters are those of all pairs.
    fn settle(&mut self, verified: &mut Verified) -> Result<(), Error> {
        let (context, units) = (self.context, self.units);
        let mut scorer = StoreScorer::new(context, self.store)?;
        let mut holding = self.holding();
        loop {
            let mut takers = vec![UnitId::NONE; units.count()];
            for_each_taken(context, units, Links::of(verified), |second, first, _| {
                takers[second.index()] = first;
                Ok(())
            })?;
            let (mut compared, rest) = (0, pair_shuffle(context, units.count()));
            self.assumed.for_each(|pair| {
                let taker = takers[pair.lo().index()];
                if taker != UnitId::NONE && taker == takers[pair.hi().index()] {
                    return Ok(rest.extend([pair])?);
                }
                compared += 1;
                if let Some(similarity) = scorer.similarity(pair)? {
                    verified.scored.extend([pair.scored(similarity)])?;
                    holding.hold(pair, verified)?;
                }
                Ok::<_, Error>(())
            })?;
            self.assumed.clear();
            self.assumed = rest;
            verified.counts.candidates += compared;
            if compared == 0 {
                return Ok(());
            }
        }
    }

    fn holding(&self) -> Holding<'r> {
        Holding {
            context: self.context,
            differences: self.texts.map(|texts| texts.differences(self.context)),
        }
    }

    /// Lists what was assumed to the end, without a similarity.
    fn list_assumed(&self, verified: &mut Verified) -> Result<(), Error> {
        verified.counts.assumed = self.assumed.total();
        self.assumed.for_each(|pair| {
            verified.scored.extend([pair.scored(UNVERIFIED)])?;
            Ok::<_, Error>(())
        })?;
        self.assumed.clear();
        Ok(())
    }
}

/// Notes pairs that take nothing, where that must be known at once.
struct Holding<'r> {
    context: &'r Context<'r>,
    differences: Option<Differences<'r>>,
}

impl Holding<'_> {
    fn hold(&mut self, pair: Pair, verified: &Verified) -> Result<bool, Error> {
        let Some(differences) = &mut self.differences else {
            return Ok(false);
        };
        let is_held = !self.context.spec().removes(differences.kind(pair)?);
        verified.held.extend(is_held.then_some(pair))?;
        Ok(is_held)
    }
}

/// The pairs by the ranks of their units.
fn in_order_of_rank(
    context: &Context<'_>,
    units: Units<'_>,
    pairs: &Shuffle<Pair>,
) -> Result<Shuffle<Pair>, Error> {
    let by_rank = pair_shuffle(context, units.count());
    pairs.for_each(|pair| {
        let rank = |unit: UnitId| UnitId::from(units.rank(unit));
        by_rank.extend(Pair::new(rank(pair.lo()), rank(pair.hi())))?;
        Ok::<_, Error>(())
    })?;
    Ok(by_rank)
}

/// Scores stored units.
struct StoreScorer<'r> {
    store: &'r Store<UnitId, u64>,
    scorer: Scorer,
    pairs: Vec<Pair>,
    left: Window<u64>,
    right: Window<u64>,
}

impl<'r> StoreScorer<'r> {
    fn new(context: &Context<'_>, store: &'r Store<UnitId, u64>) -> Result<Self, Error> {
        Ok(StoreScorer {
            store,
            scorer: context.kernel.scorer()?,
            pairs: Vec::new(),
            left: Window::default(),
            right: Window::default(),
        })
    }

    /// The similarity of a pair, if it reaches the threshold.
    fn similarity(&mut self, pair: Pair) -> Result<Option<f64>, Error> {
        let left = self.store.get(pair.lo(), &mut self.left)?;
        let right = self.store.get(pair.hi(), &mut self.right)?;
        let score = self.scorer.score(left, right)?;
        Ok(score.map(|score| score.similarity))
    }

    fn score(&mut self) -> Result<(Vec<Scored>, u64), Error> {
        let mut scored = Vec::new();
        // Pairs are sorted, so a unit is fetched once for all its pairs.
        for of_one in self.pairs.chunk_by(|a, b| a.lo() == b.lo()) {
            let left = self.store.get(of_one[0].lo(), &mut self.left)?;
            for pair in of_one {
                let right = self.store.get(pair.hi(), &mut self.right)?;
                let score = self.scorer.score(left, right)?;
                scored.extend(score.map(|score| pair.scored(score.similarity)));
            }
        }
        Ok((scored, self.pairs.len() as u64))
    }
}
