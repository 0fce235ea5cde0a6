//! Groups of variants of one text, so large that all their pairs would be most of the work of an exact search.
//!
//! In: the tapes of all probes. Out: groups of units that reach the threshold with one of a few leaders. A group above the
//! limit is a hot bucket: it is compared with its first units, and what no kept unit takes gets another round. Only pairs
//! within such a group are left out; all others are found as ever.

use std::cmp::Reverse;

use lookalike_kernel::decide;
use lookalike_kernel::{Mean, Route};
use lookalike_pair::Pair;
use lookalike_pair::join::{BucketRule, Posting};
use lookalike_pair::spill::{Shuffle, Spool};
use lookalike_pair::verify::OfSets;
use lookalike_pair::workers::in_parallel;
use lookalike_text::UnitId;
use lookalike_text::hash::mix64;

use super::join::{Across, Batch, Candidates};
use super::select::{Sizes, common};
use super::sequence::for_each_group;
use super::{Context, Units};
use crate::Error;

/// Units that have the same least features under one of so many pairs of hash functions may be variants of one text.
const BANDS: usize = 6;
const ROWS: usize = 2;

/// Which units are variants of one text.
#[derive(Default)]
pub(crate) struct Variants {
    /// The number of the group of each unit, from 1 on; empty where there is no group.
    of_units: Vec<u32>,
}

impl Variants {
    /// Finds the groups and proposes their pairs with leaders; none where all pairs were asked for or cost little.
    pub(crate) fn find(
        context: &Context<'_>,
        units: Units<'_>,
        (sizes, candidates): (&Sizes, &mut Candidates),
    ) -> Result<Self, Error> {
        let rule = decide::bucket_rule(context.kernel, units.signed.counts.units);
        let is_exact = context.plan().route == Route::Prefix;
        let has_limit = context.spec().keys.bucket_limit.is_some();
        if is_exact || !(has_limit || decide::has_many_pairs(units.count())) {
            return Ok(Variants::default());
        }
        let Some(texts) = Texts::new(context, units, sizes) else {
            return Ok(Variants::default());
        };
        let mut groups = texts.groups(context, rule)?;
        let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
        let limit = decide::variants_limit(context.kernel, &sizes);
        groups.retain(|group| group.len() > limit);
        if groups.is_empty() {
            return Ok(Variants::default());
        }
        let mut of_units = vec![0; units.count()];
        for (number, group) in (1..).zip(&groups) {
            group
                .iter()
                .for_each(|unit| of_units[unit.index()] = number);
        }
        let across = Across::new(context, units);
        let mut batch = Batch::new(&candidates.pairs);
        groups
            .iter()
            .try_for_each(|group| candidates.hot.push(group))?;
        let left_out = candidates.hot.compare(rule, units.count(), &mut |pair| {
            if across.admits(pair) {
                batch.push(pair);
            }
        })?;
        batch.finish()?;
        candidates.searched.left_out = left_out;
        Ok(Variants { of_units })
    }

    /// Whether both units of a pair are of one group.
    pub(crate) fn are(&self, pair: Pair) -> bool {
        let group = |unit: UnitId| self.of_units.get(unit.index()).copied().unwrap_or(0);
        let of_first = group(pair.lo());
        of_first > 0 && of_first == group(pair.hi())
    }
}

/// All units by their tapes, where what they come to is a mean of measures of sets.
struct Texts<'r> {
    units: Units<'r>,
    mean: &'r Mean,
    probes: Vec<Probed<'r>>,
}

struct Probed<'r> {
    features: &'r Spool<u32>,
    begins: Vec<u64>,
    of_sets: &'r dyn OfSets,
}

impl Probed<'_> {
    /// The features of a unit, by way of `read` where they are on disk.
    fn of<'f>(&'f self, unit: UnitId, read: &'f mut Vec<u32>) -> Result<&'f [u32], Error> {
        let begin = self.begins[unit.index()];
        let size = (self.begins[unit.index() + 1] - begin) as usize;
        match self.features.in_memory(begin, size) {
            Some(features) => Ok(features),
            None => {
                read.resize(size, 0);
                self.features.read_at(read, begin)?;
                Ok(read)
            }
        }
    }
}

impl<'r> Texts<'r> {
    fn new(context: &'r Context<'_>, units: Units<'r>, sizes: &Sizes) -> Option<Self> {
        let mean = context.plan().mean.as_ref()?;
        let mut probes = Vec::new();
        for (number, probe) in context.plan().probes.iter().enumerate() {
            let mut end = 0;
            let begins = sizes.of_probes[number].iter().map(|&size| {
                end += u64::from(size);
                end
            });
            probes.push(Probed {
                begins: std::iter::once(0).chain(begins).collect(),
                features: &units.signed.columns.probed.0[number].items,
                of_sets: probe.measure.of_sets()?,
            });
        }
        Some(Texts {
            units,
            mean,
            probes,
        })
    }

    /// The groups above the limit, each in the order of rank. No unit is in two.
    fn groups(&self, context: &Context<'_>, rule: BucketRule) -> Result<Vec<Vec<UnitId>>, Error> {
        let postings = context.by_hash("variants", 10);
        self.sign(context, &postings)?;
        let mut led = Led::new(self.units.count());
        for_each_group(
            &postings,
            |posting| posting.key(),
            |bucket| {
                if bucket.len() <= rule.limit {
                    return Ok(());
                }
                context.go_on()?;
                self.lead(bucket, &mut led, context.spec().keys.bucket_rounds)
            },
        )?;
        postings.clear();
        let mut groups = led.groups();
        for group in &mut groups {
            group.sort_unstable_by_key(|&unit| self.units.rank(unit));
        }
        groups.retain(|group| group.len() > rule.limit);
        Ok(groups)
    }

    /// Puts the units of a bucket into the groups that are in it already, and makes new ones of others.
    fn lead(&self, bucket: &[Posting], led: &mut Led, rounds: u32) -> Result<(), Error> {
        let units = bucket.iter().map(|posting| posting.unit());
        let (known, mut rest): (Vec<UnitId>, Vec<UnitId>) =
            units.partition(|&unit| led.is_in(unit));
        rest.sort_unstable_by_key(|&unit| self.units.rank(unit));
        let known = led.leaders_of(&known, rounds as usize);
        for &leader in &known {
            let (alike, others) = self.split(led.leaders[leader as usize], &rest)?;
            alike.iter().for_each(|&unit| led.put(unit, leader));
            rest = others;
        }
        // What shares a bucket is of one text, though one variant may be far from another.
        let mut group = known.first().map(|&leader| led.group_of[leader as usize]);
        for _ in 0..rounds {
            let Some((&leader, others)) = rest.split_first() else {
                break;
            };
            let (alike, others) = self.split(leader, others)?;
            if alike.is_empty() && group.is_none() {
                // A word or two that many have in common: there is no text behind it.
                break;
            }
            if !alike.is_empty() {
                let number = led.add(leader, group);
                alike.iter().for_each(|&unit| led.put(unit, number));
                group = Some(led.group_of[number as usize]);
            }
            rest = others;
        }
        Ok(())
    }

    /// A posting a band for each unit that stands for its group.
    fn sign(&self, context: &Context<'_>, postings: &Shuffle<Posting>) -> Result<(), Error> {
        let all: Vec<u32> = (0..self.units.count() as u32).collect();
        let signed = in_parallel(&all, context.threads, |some| {
            let mut batch = Batch::new(postings);
            let mut read = Vec::new();
            for unit in some.iter().map(|&unit| UnitId::from(unit)) {
                if self.units.groups.is_first(unit) {
                    let least = self.least(unit, &mut read)?;
                    bands(&least, |key| batch.push(Posting::new(key, unit)));
                }
            }
            batch.finish()
        });
        signed.into_iter().collect()
    }

    /// The least hash of the features of a unit under each hash function.
    fn least(&self, unit: UnitId, read: &mut Vec<u32>) -> Result<[u64; BANDS * ROWS], Error> {
        let mut least = [u64::MAX; BANDS * ROWS];
        let multipliers: [u64; BANDS * ROWS] = std::array::from_fn(|row| mix64(row as u64) | 1);
        for (number, probe) in (1..).zip(&self.probes) {
            for &feature in probe.of(unit, read)? {
                let feature = mix64(number << 32 | u64::from(feature));
                for (least, multiplier) in least.iter_mut().zip(&multipliers) {
                    *least = (*least).min(feature.wrapping_mul(*multiplier) >> 32);
                }
            }
        }
        Ok(least)
    }

    /// The units that reach the threshold with a leader, and the others.
    fn split(&self, leader: UnitId, units: &[UnitId]) -> Result<(Vec<UnitId>, Vec<UnitId>), Error> {
        let mut read = Vec::new();
        let mut features = Vec::new();
        for probe in &self.probes {
            features.push(probe.of(leader, &mut read)?.to_vec());
        }
        let (mut alike, mut others) = (Vec::new(), Vec::new());
        for &unit in units {
            if self.reaches(&features, unit, &mut read)? {
                alike.push(unit);
            } else {
                others.push(unit);
            }
        }
        Ok((alike, others))
    }

    /// Whether a unit reaches the threshold with the one of these features, probe by probe.
    fn reaches(
        &self,
        leader: &[Vec<u32>],
        unit: UnitId,
        read: &mut Vec<u32>,
    ) -> Result<bool, Error> {
        let (mut sum, mut total) = (0.0, 0.0);
        let asked = self.mean.weights.iter().zip(&self.mean.least);
        for ((probe, (weight, least)), a) in self.probes.iter().zip(asked).zip(leader) {
            let b = probe.of(unit, read)?;
            if self.mean.absence.counts(!a.is_empty(), !b.is_empty()) {
                total += weight;
            }
            if !a.is_empty() && !b.is_empty() {
                let similarity = probe.of_sets.similarity(common(a, b), a.len(), b.len());
                if similarity < *least {
                    return Ok(false);
                }
                sum += weight * similarity;
            }
        }
        Ok(total > 0.0 && sum >= self.mean.threshold * total)
    }
}

/// Units by the leaders that they are similar to.
struct Led {
    /// The number of its leader for each unit.
    by: Vec<u32>,
    leaders: Vec<UnitId>,
    /// The group of each leader: that of the first leader in it.
    group_of: Vec<u32>,
}

impl Led {
    /// Led by nobody.
    const NONE: u32 = u32::MAX;

    fn new(units: usize) -> Self {
        Led {
            by: vec![Self::NONE; units],
            leaders: Vec::new(),
            group_of: Vec::new(),
        }
    }

    fn is_in(&self, unit: UnitId) -> bool {
        self.by[unit.index()] != Self::NONE
    }

    fn put(&mut self, unit: UnitId, leader: u32) {
        self.by[unit.index()] = leader;
    }

    /// Adds a leader, of a group that is there or of its own.
    fn add(&mut self, leader: UnitId, group: Option<u32>) -> u32 {
        let number = self.leaders.len() as u32;
        self.leaders.push(leader);
        self.group_of.push(group.unwrap_or(number));
        self.put(leader, number);
        number
    }

    /// The leaders of these units, those of most of them first, at most so many.
    fn leaders_of(&self, units: &[UnitId], most: usize) -> Vec<u32> {
        let mut leaders: Vec<u32> = units.iter().map(|unit| self.by[unit.index()]).collect();
        leaders.sort_unstable();
        let mut counted: Vec<(Reverse<usize>, u32)> = leaders
            .chunk_by(|a, b| a == b)
            .map(|same| (Reverse(same.len()), same[0]))
            .collect();
        counted.sort_unstable();
        counted.truncate(most);
        counted.into_iter().map(|(_, leader)| leader).collect()
    }

    /// The units of each group.
    fn groups(&self) -> Vec<Vec<UnitId>> {
        let mut groups = vec![Vec::new(); self.leaders.len()];
        for (unit, &leader) in (0..).zip(&self.by) {
            if leader != Self::NONE {
                groups[self.group_of[leader as usize] as usize].push(UnitId::from(unit));
            }
        }
        groups
    }
}

/// Tells a key for each band of least hashes, unless there are none.
fn bands(least: &[u64; BANDS * ROWS], mut each: impl FnMut(u64)) {
    if least[0] == u64::MAX {
        return;
    }
    for (band, rows) in (0u64..).zip(least.chunks_exact(ROWS)) {
        each(rows.iter().fold(band, |key, row| mix64(key ^ row)));
    }
}
