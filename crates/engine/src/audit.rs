//! `--audit N`: what share of the true pairs was found, measured by comparing N sampled records with every record.
//!
//! The sample's features are indexed; every record of the corpus is read once more and its common features with each
//! sampled record counted. That is exact: no key and no bound is involved.

use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_text::UnitId;
use lookalike_text::hash::mix64;

use crate::Error;
use crate::bits::Bits;
use crate::output::AuditResult;
use crate::stages::{Context, Described, Units, reread};

/// Features are hashes already.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The features of the sampled records, inverted.
#[derive(Default)]
struct Sample {
    units: Vec<UnitId>,
    sizes: Vec<usize>,
    /// The sampled records with a feature; only looked up, never iterated.
    holders: HashMap<u64, Vec<u32>, BuildHasherDefault<AsIs>>,
}

impl Sample {
    fn add(&mut self, described: &Described) {
        let mut rest = described.features.as_slice();
        for (&unit, &length) in described.units.iter().zip(&described.lengths) {
            let (features, after) = rest.split_at(length as usize);
            rest = after;
            if features.is_empty() {
                continue;
            }
            let number = self.units.len() as u32;
            self.units.push(UnitId::from(unit));
            self.sizes.push(features.len());
            for &feature in features {
                self.holders.entry(feature).or_default().push(number);
            }
        }
    }
}

/// A reported pair of a sampled record, by the units that stand for both.
#[derive(Debug, Clone, Copy)]
struct Reported {
    similarity: f64,
    confirmed: bool,
}

/// Measures on `count` sampled records.
pub(crate) fn audit(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    count: u64,
) -> Result<AuditResult, Error> {
    let marks = units.signed.blocks.read_all()?;
    let wanted = choose(context, units, count);
    let mut sample = Sample::default();
    reread(context, 0..marks.len(), &marks, &wanted, |described| {
        sample.add(&described);
        Ok(())
    })?;
    let mut reported = reported_pairs(units, &wanted, scored)?;
    let mut result = AuditResult {
        sampled: sample.units.len() as u64,
        reported_pairs: reported.len() as u64,
        ..AuditResult::default()
    };

    let everything = all(units.count());
    let mut common = vec![0u32; sample.units.len()];
    let mut touched: Vec<u32> = Vec::new();
    reread(context, 0..marks.len(), &marks, &everything, |described| {
        let mut rest = described.features.as_slice();
        for (&unit, &length) in described.units.iter().zip(&described.lengths) {
            let (features, after) = rest.split_at(length as usize);
            rest = after;
            for holders in features
                .iter()
                .filter_map(|feature| sample.holders.get(feature))
            {
                for &number in holders {
                    if common[number as usize] == 0 {
                        touched.push(number);
                    }
                    common[number as usize] += 1;
                }
            }
            for number in touched.drain(..) {
                let shared = std::mem::take(&mut common[number as usize]) as usize;
                let all = features.len() + sample.sizes[number as usize] - shared;
                let similarity = shared as f64 / all as f64;
                let pair = (sample.units[number as usize], UnitId::from(unit));
                if similarity >= context.spec.threshold && counts(context, units, pair) {
                    result.true_pairs += 1;
                    result.found_pairs +=
                        u64::from(confirm(units, pair, similarity, &mut reported));
                }
            }
        }
        Ok(())
    })?;
    result.right_pairs = reported.values().filter(|pair| pair.confirmed).count() as u64;
    let share = |part: u64, whole: u64| {
        if whole == 0 {
            1.0
        } else {
            part as f64 / whole as f64
        }
    };
    result.recall = share(result.found_pairs, result.true_pairs);
    result.precision = share(result.right_pairs, result.reported_pairs);
    Ok(result)
}

/// The records of the input with the smallest hashes of their number.
fn choose(context: &Context<'_>, units: Units<'_>, count: u64) -> Bits {
    let mut smallest: BinaryHeap<(u64, u32)> = BinaryHeap::new();
    for unit in 0..units.signed.counts.input_records as u32 {
        smallest.push((
            mix64(context.plan.seed.0.wrapping_add(u64::from(unit) + 1)),
            unit,
        ));
        if smallest.len() as u64 > count {
            smallest.pop();
        }
    }
    let mut chosen = Bits::new(units.count());
    smallest.iter().for_each(|&(_, unit)| chosen.insert(unit));
    chosen
}

fn all(count: usize) -> Bits {
    let mut everything = Bits::new(count);
    (0..count as u32).for_each(|unit| everything.insert(unit));
    everything
}

/// Whether a pair is one the run looks for: different records, and across the sides with `--against`.
fn counts(context: &Context<'_>, units: Units<'_>, (a, b): (UnitId, UnitId)) -> bool {
    a != b && (!context.corpus.is_against() || b.get() >= units.signed.against_from())
}

fn reported_pairs(
    units: Units<'_>,
    sampled: &Bits,
    scored: &Shuffle<Scored>,
) -> Result<BTreeMap<(UnitId, UnitId), Reported>, Error> {
    let mut standing = Bits::new(units.count());
    for unit in (0..units.count() as u32).filter(|&unit| sampled.contains(unit)) {
        standing.insert(units.groups.first_of(UnitId::from(unit)).get());
    }
    let mut reported = BTreeMap::new();
    let mut loaded = Vec::new();
    for partition in 0..scored.partitions() {
        scored.load_sorted(partition, &mut loaded)?;
        for pair in &loaded {
            if standing.contains(pair.lo().get()) || standing.contains(pair.hi().get()) {
                let claim = Reported {
                    similarity: pair.similarity,
                    confirmed: false,
                };
                reported.insert((pair.lo(), pair.hi()), claim);
            }
        }
    }
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
            claim.confirmed |= claim.similarity == similarity;
            true
        }
    }
}
