//! `--audit N`: what share of the true pairs was found, measured by comparing N sampled records with every record.
//!
//! Every record of the corpus is read once more and compared with each sampled record; where the measure is one of sets,
//! by an index of the sample's features and the number of common ones. That is exact: no key and no bound is involved.
//! Pairs that were missed, and those just below the threshold, are kept for whoever looks at the result.

mod aligned;

use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::hash::BuildHasherDefault;
use std::ops::Range;

use lookalike_kernel::Plan;
use lookalike_kernel::rows::AuditResult;
use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_pair::verify::OfSets;
use lookalike_text::UnitId;
use lookalike_text::hash::mix64;

use crate::Error;
use crate::bits::Bits;
use crate::number::Number;
use crate::stages::{Context, Described, Reread, Spread, Units, measured};
pub(crate) use aligned::audit_passages;

/// Pairs are looked at from so much below the threshold on.
const BELOW: f64 = 0.1;

/// The least similarity of pairs that are looked at.
fn floor(threshold: f64) -> f64 {
    (threshold - BELOW).max(threshold / 2.0)
}

/// A sampled unit and another, with their similarity.
type Similar = (UnitId, UnitId, f64);

/// The features of the sampled records, inverted.
#[derive(Default)]
struct Sample {
    units: Vec<UnitId>,
    /// What the measure keeps of each, and where.
    kept: Vec<u64>,
    places: Vec<Range<usize>>,
    /// The sampled records with a feature, feature by feature.
    holders: Vec<u32>,
    /// Where the holders of a feature are; only looked up, never iterated.
    of_feature: HashMap<u64, Range<u32>, BuildHasherDefault<Spread>>,
}

impl Sample {
    fn read(what: &Reread<'_, UnitId>) -> Result<Self, Error> {
        let (mut sample, context) = (Sample::default(), what.context);
        let mut features: Vec<(u64, u32)> = Vec::new();
        what.read(
            || measured(context),
            Ok,
            |described| {
                for (unit, kept) in described.iter().filter(|(_, kept)| !kept.is_empty()) {
                    let (number, begin) = (sample.units.len() as u32, sample.kept.len());
                    sample.units.push(unit);
                    sample.kept.extend_from_slice(kept);
                    sample.places.push(begin..sample.kept.len());
                    if context.plan().measure.of_sets().is_some() {
                        features.extend(kept.iter().map(|&feature| (feature, number)));
                    }
                }
                Ok(())
            },
        )?;
        features.sort_unstable();
        for same in features.chunk_by(|a, b| a.0 == b.0) {
            let begin = sample.holders.len() as u32;
            sample
                .holders
                .extend(same.iter().map(|&(_, number)| number));
            sample
                .of_feature
                .insert(same[0].0, begin..sample.holders.len() as u32);
        }
        Ok(sample)
    }

    /// The sampled records similar to the units of a block, with their similarity.
    fn similar(
        &self,
        described: &Described<UnitId, u64>,
        plan: &Plan,
    ) -> Result<Vec<Similar>, Error> {
        match plan.measure.of_sets() {
            Some(measure) => Ok(self.similar_sets(described, measure, floor(plan.threshold))),
            None => self.similar_units(described, plan),
        }
    }

    /// By comparing each with each.
    fn similar_units(
        &self,
        described: &Described<UnitId, u64>,
        plan: &Plan,
    ) -> Result<Vec<Similar>, Error> {
        let mut scorer = plan.measure.scorer(&plan.background)?;
        let mut found = Vec::new();
        for (unit, kept) in described.iter() {
            for (&sampled, place) in self.units.iter().zip(&self.places) {
                let similarity =
                    scorer.score(&self.kept[place.clone()], kept, floor(plan.threshold));
                found.extend(similarity.map(|similarity| (sampled, unit, similarity)));
            }
        }
        Ok(found)
    }

    /// By counting common features.
    fn similar_sets(
        &self,
        described: &Described<UnitId, u64>,
        measure: &dyn OfSets,
        floor: f64,
    ) -> Vec<Similar> {
        let mut found = Vec::new();
        let mut common: BTreeMap<u32, usize> = BTreeMap::new();
        for (unit, set) in described.iter() {
            for range in set
                .iter()
                .filter_map(|feature| self.of_feature.get(feature))
            {
                for &number in &self.holders[range.start as usize..range.end as usize] {
                    *common.entry(number).or_default() += 1;
                }
            }
            for (number, shared) in std::mem::take(&mut common) {
                let size = self.places[number as usize].len();
                let similarity = measure.similarity(shared, size, set.len());
                if similarity >= floor {
                    found.push((self.units[number as usize], unit, similarity));
                }
            }
        }
        found
    }
}

/// A reported pair of a sampled record, by the units that stand for both.
#[derive(Debug, Clone, Copy)]
struct Reported {
    similarity: f64,
    confirmed: bool,
}

/// A sampled record is taken to need this much memory: some hundred features and their index.
const SAMPLED_BYTES: usize = 20_000;

/// What an audit measured, and pairs it saw that the result does not have.
pub(crate) struct Audited {
    pub(crate) result: AuditResult,
    pub(crate) pairs: Vec<AuditedPair>,
}

/// A pair that is not in the result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AuditedPair {
    pub(crate) a: UnitId,
    pub(crate) b: UnitId,
    pub(crate) similarity: f64,
    /// It reaches the threshold and was not found.
    pub(crate) is_missed: bool,
}

/// Keeps pairs that are not in the result: of those that were missed, and of those below the threshold, the most similar.
#[derive(Default)]
struct Unlisted {
    /// By what they lack to 1, as bits, and by their units.
    kept: [BTreeMap<(u64, UnitId, UnitId), f64>; 2],
}

impl Unlisted {
    /// So many of each.
    const MOST: usize = 500;

    fn offer(&mut self, (a, b): (UnitId, UnitId), similarity: f64, is_missed: bool) {
        let kept = &mut self.kept[usize::from(is_missed)];
        kept.insert(((1.0 - similarity).max(0.0).to_bits(), a, b), similarity);
        if kept.len() > Self::MOST {
            kept.pop_last();
        }
    }

    /// In input order.
    fn finish(self) -> Vec<AuditedPair> {
        let kept = self.kept.into_iter().zip([false, true]);
        let mut pairs: Vec<AuditedPair> = kept
            .flat_map(|(kept, is_missed)| {
                let pairs = kept.into_iter();
                pairs.map(move |((_, a, b), similarity)| AuditedPair {
                    a,
                    b,
                    similarity,
                    is_missed,
                })
            })
            .collect();
        pairs.sort_by_key(|pair| (pair.a, pair.b));
        pairs
    }
}

/// The pair that stands for two units and all that are identical to these: none if they are.
fn standing(
    context: &Context<'_>,
    units: Units<'_>,
    (a, b): (UnitId, UnitId),
) -> Option<(UnitId, UnitId)> {
    if context.corpus.is_against() {
        return Some((a, b));
    }
    let (a, b) = (units.groups.first_of(a), units.groups.first_of(b));
    (a != b).then(|| (a.min(b), a.max(b)))
}

/// Measures on `count` sampled records.
pub(crate) fn audit(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    count: u64,
) -> Result<Audited, Error> {
    let threshold = context.plan().threshold;
    let mut unlisted = Unlisted::default();
    let chosen: Vec<UnitId> = choose(context, units.signed.counts.input_units as u32, count);
    let everything = Bits::of(units.count(), |_| true);
    let everything = Reread::of(context, units.signed, &everything)?;
    let mut result = AuditResult::default();
    // In as many passes as the memory asks for.
    for part in chosen.chunks((context.budget.percent(30) / SAMPLED_BYTES).max(1)) {
        let mut wanted = Bits::new(units.count());
        part.iter().for_each(|&unit| wanted.insert(unit));
        let sample = Sample::read(&Reread::of(context, units.signed, &wanted)?)?;
        let mut reported = reported_pairs(units, &wanted, scored)?;
        result.sampled += sample.units.len() as u64;
        result.reported_pairs += reported.len() as u64;
        let similar =
            |described: Described<UnitId, u64>| sample.similar(&described, context.plan());
        everything.read(
            || measured(context),
            similar,
            |found| {
                for (a, b, similarity) in found {
                    if !counts(context, units, (a, b)) {
                        continue;
                    }
                    let is_true = similarity >= threshold;
                    if is_true {
                        result.true_pairs += 1;
                        if confirm(units, (a, b), similarity, &mut reported) {
                            result.found_pairs += 1;
                            continue;
                        }
                    }
                    if let Some(pair) = standing(context, units, (a, b)) {
                        unlisted.offer(pair, similarity, is_true);
                    }
                }
                Ok(())
            },
        )?;
        result.right_pairs += reported.values().filter(|pair| pair.confirmed).count() as u64;
    }
    result.recall = share(result.found_pairs, result.true_pairs);
    result.precision = share(result.right_pairs, result.reported_pairs);
    Ok(Audited {
        result,
        pairs: unlisted.finish(),
    })
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 1.0;
    }
    part as f64 / whole as f64
}

/// Of the first so many units or records, those with the smallest hashes, in order.
pub(crate) fn choose<I: Number>(context: &Context<'_>, of: u32, count: u64) -> Vec<I> {
    let seed = context.plan().background.seed.0;
    let mut smallest: BinaryHeap<(u64, u32)> = BinaryHeap::new();
    for number in 0..of {
        let hash = mix64(seed.wrapping_add(u64::from(number) + 1));
        smallest.push((hash, number));
        if smallest.len() as u64 > count {
            smallest.pop();
        }
    }
    let mut chosen: Vec<u32> = smallest.into_iter().map(|(_, number)| number).collect();
    chosen.sort_unstable();
    chosen.into_iter().map(I::from).collect()
}

/// Whether a pair is one the run looks for: different units, across the sides with `--against`, and of different records
/// where those of one are not compared.
fn counts(context: &Context<'_>, units: Units<'_>, (a, b): (UnitId, UnitId)) -> bool {
    let is_same_record = || units.signed.records.same(a.min(b), a.max(b));
    a != b
        && (context.corpus.compares_input() || b >= units.signed.first_unit_against())
        && (context.corpus.compares_within_records() || !is_same_record())
}

fn reported_pairs(
    units: Units<'_>,
    sampled: &Bits<UnitId>,
    scored: &Shuffle<Scored>,
) -> Result<BTreeMap<(UnitId, UnitId), Reported>, Error> {
    let mut standing = Bits::new(units.count());
    for unit in sampled.iter() {
        standing.insert(units.groups.first_of(unit));
    }
    let mut reported = BTreeMap::new();
    scored.for_each(|pair| {
        if standing.contains(pair.lo()) || standing.contains(pair.hi()) {
            let claim = Reported {
                similarity: pair.similarity,
                confirmed: false,
            };
            reported.insert((pair.lo(), pair.hi()), claim);
        }
        Ok::<_, Error>(())
    })?;
    Ok(reported)
}

/// Whether a true pair was found: its units are identical, or the pair of those that stand for them was reported.
fn confirm(
    units: Units<'_>,
    (a, b): (UnitId, UnitId),
    similarity: f64,
    reported: &mut BTreeMap<(UnitId, UnitId), Reported>,
) -> bool {
    let (a, b) = (units.groups.first_of(a), units.groups.first_of(b));
    if a == b {
        return true;
    }
    match reported.get_mut(&(a.min(b), a.max(b))) {
        None => false,
        Some(claim) => {
            // One that was assumed says no similarity.
            claim.confirmed |= claim.similarity == similarity || claim.similarity.is_nan();
            true
        }
    }
}
