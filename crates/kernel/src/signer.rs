//! From one text to what it is found by, and to what is kept of it.
//!
//! A unit is described under each probe of the plan; what it was described as last is what its keys, its tape and its
//! sketch are made of. Where words are weighed later, a unit is described as words without weights, and
//! [`Signer::weigh`] takes these up again once their weights are known.

use std::sync::Arc;

use lookalike_pair::verify::{Keep as KeepUnit, Part};
use lookalike_sign::keys::{Sieve, Sketch, Sketched, sketch_of_features};
use lookalike_sign::neighbours::{RunningWord, RunningWords};
use lookalike_sign::{Describe, Features, Key};
use lookalike_text::Unit;
use lookalike_text::hash::{Table, hash128, mix64};

use crate::Error;
use crate::plan::{Plan, Probe};
use crate::spec::{Keep, Spec};

/// From one text to what it is found by, and to what is kept of it. It owns the buffers that it
/// reuses, so there is one a thread.
pub struct Signer {
    plan: Arc<Plan>,
    /// One a probe.
    describers: Vec<Box<dyn Describe>>,
    /// Describes what tells who has more, where units are ranked by it.
    more: Option<More>,
    /// Made when it is first needed: keeping may need to know what signing does not.
    keeper: Option<Keeper>,
    features: Features,
    keys: Vec<Key>,
    distinct: Distinct,
    /// Reads the words whose neighbours are looked for.
    running: Option<RunningWords>,
}

/// What tells how much a unit has.
struct More {
    field: Option<u16>,
    describe: Box<dyn Describe>,
    /// A probe that reads the same words.
    probe: Option<usize>,
}

/// What keeps a unit for the measure.
struct Keeper {
    /// None where the measure describes units itself.
    describe: Option<Box<dyn Describe>>,
    keep: Box<dyn KeepUnit>,
}

impl Signer {
    pub(crate) fn new(spec: &Spec, plan: &Arc<Plan>) -> Result<Self, Error> {
        let describer = |probe: &Probe| probe.features.describer(&probe.background);
        let describers = plan.probes.iter().map(describer);
        let more = match &plan.model {
            Some(model) if spec.keep == Keep::More => model.more_part(),
            _ => None,
        };
        let describe_more = |part: &Part| {
            let background = part.background(&plan.background);
            let reads_the_same = |probe: &Probe| {
                let own = &probe.background;
                let is_same_text = own.text == background.text && own.seed == background.seed;
                probe.field == part.field && is_same_text
            };
            Ok::<_, Error>(More {
                field: part.field,
                describe: part.features.describer(&background)?,
                probe: plan.probes.iter().position(reads_the_same),
            })
        };
        Ok(Signer {
            describers: describers.collect::<Result<_, _>>()?,
            more: more.map(describe_more).transpose()?,
            keeper: None,
            features: Features::default(),
            keys: Vec::new(),
            distinct: Distinct::default(),
            running: plan.near.map(|_| RunningWords::new(plan.background.text)),
            plan: Arc::clone(plan),
        })
    }

    /// How many respects there are in which units are described.
    pub fn probes(&self) -> usize {
        self.describers.len()
    }

    /// Describes a unit in one of these respects.
    #[inline]
    pub fn describe(&mut self, probe: usize, unit: &Unit<'_>) -> &Features {
        let unit = unit.field(self.plan.probes[probe].field);
        self.describers[probe].describe(&unit, &mut self.features);
        &self.features
    }

    /// What was described.
    #[inline]
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Takes up the words that a unit was described as, now that it is known what they weigh.
    ///
    /// # Errors
    /// If it is not.
    pub fn weigh(&mut self, words: &[u64]) -> Result<&Features, Error> {
        let Some(weights) = &self.plan.background.weights else {
            return Err(Error::Internal("words were not weighed".to_string()));
        };
        weights.features(words, &mut self.features);
        Ok(&self.features)
    }

    /// The keys of what was described, the sketch by which pairs that share one by chance are told, and what they leave out.
    /// There are none where the plan finds pairs without keys.
    #[inline]
    pub fn keys(&mut self, probe: usize) -> (&[Key], Sketched) {
        self.keys.clear();
        let Some(keys) = &self.plan.probes[probe].keys else {
            return (&[], Sketched::default());
        };
        let sketched = keys.keys_and_sketch(&self.features, &mut self.keys);
        // The same key in another respect is another key.
        if probe > 0 {
            for key in &mut self.keys {
                *key = mix64(key.wrapping_add(probe as u64));
            }
        }
        (&self.keys, sketched)
    }

    /// The sketch of what was described, where the plan sifts by features.
    #[inline]
    pub fn sketch(&self) -> Option<Sketch> {
        match self.plan.sieve {
            Some(Sieve::Features { .. }) => Some(sketch_of_features(self.features.hashes())),
            _ => None,
        }
    }

    /// Appends 32 bits of every distinct feature of what was described, from which the rarest are chosen.
    #[inline]
    pub fn tape(&mut self, out: &mut Vec<u32>) {
        let before = out.len();
        self.distinct.append(self.features.hashes(), out);
        if self.plan.mean.is_some() {
            out[before..].sort_unstable();
        }
    }

    /// Appends the words of a unit whose neighbours are looked for, if they are.
    #[inline]
    pub fn running_words(&mut self, unit: &Unit<'_>, out: &mut Vec<RunningWord>) {
        if let Some(running) = &mut self.running {
            running.append(unit.text, out);
        }
    }

    /// Every distinct feature of what was described.
    pub fn set(&mut self) -> &[u64] {
        self.features.sort().hashes()
    }

    /// How much a unit has of what tells who has more; none where units are not ranked by it.
    pub fn more(&mut self, unit: &Unit<'_>) -> Option<usize> {
        let more = self.more.as_mut()?;
        more.describe
            .describe(&unit.field(more.field), &mut self.features);
        Some(self.features.sort().len())
    }

    /// The same of a unit that was described in all respects just before, the words of which are therefore known.
    pub fn more_of_described(&mut self, unit: &Unit<'_>) -> Option<usize> {
        let more = self.more.as_mut()?;
        let words = more
            .probe
            .and_then(|probe| self.describers.get(probe)?.words());
        match words {
            Some(words) if more.describe.describe_words(words, &mut self.features) => {
                Some(self.features.sort().len())
            }
            _ => self.more(unit),
        }
    }

    /// What identical texts have in common, and others have not. Units are looked at as they stand: texts with equal
    /// features are found by their keys, as any others.
    pub fn digest(&self, unit: &Unit<'_>) -> u128 {
        let seed = self.plan.background.seed;
        let whole = hash128(unit.text.as_bytes(), seed);
        if unit.fields.len() < 2 {
            return whole;
        }
        // With where the fields end: a line break may stand between two fields or in one.
        let mut words = vec![whole as u64, (whole >> 64) as u64];
        words.extend(unit.fields.iter().map(|field| field.end as u64));
        hash128(bytemuck::cast_slice(&words), seed)
    }

    /// Appends what the measure keeps of a unit: nothing if there is nothing to compare.
    ///
    /// # Errors
    /// If something must be known first, see [`Kernel::needs`](crate::Kernel::needs).
    pub fn keep(&mut self, unit: &Unit<'_>, out: &mut Vec<u64>) -> Result<(), Error> {
        let keeper = keeper(&mut self.keeper, &self.plan)?;
        if let Some(describe) = &mut keeper.describe {
            describe.describe(unit, &mut self.features);
            if self.features.is_empty() {
                return Ok(());
            }
        }
        keeper.keep.keep(unit, &mut self.features, out);
        Ok(())
    }

    /// Whether the measure keeps what the only probe describes, so that a unit need not be described twice.
    pub fn keeps_what_is_described(&self) -> bool {
        let plan = &self.plan;
        let is_whole = |probe: &Probe| probe.field.is_none();
        plan.features.is_some()
            && !plan.measure.describes_units()
            && plan.probes.len() == 1
            && plan.probes.iter().all(is_whole)
    }

    /// Appends what the measure keeps of what was described last, see [`Signer::keeps_what_is_described`], or of what
    /// [`Signer::weigh`] took up.
    ///
    /// # Errors
    /// As [`Signer::keep`].
    pub fn keep_weighed(&mut self, unit: &Unit<'_>, out: &mut Vec<u64>) -> Result<(), Error> {
        let keeper = keeper(&mut self.keeper, &self.plan)?;
        keeper.keep.keep(unit, &mut self.features, out);
        Ok(())
    }

    /// Gives back the room that a very large unit took.
    pub fn shrink(&mut self) {
        self.features = Features::default();
    }
}

fn keeper<'k>(keeper: &'k mut Option<Keeper>, plan: &Plan) -> Result<&'k mut Keeper, Error> {
    match keeper {
        Some(keeper) => Ok(keeper),
        None => {
            let features = plan.features.as_ref();
            let features = features.filter(|_| !plan.measure.describes_units());
            let describe = features.map(|features| features.describer(&plan.background));
            Ok(keeper.insert(Keeper {
                describe: describe.transpose()?,
                keep: plan.measure.keeper(&plan.background)?,
            }))
        }
    }
}

/// Finds the distinct features of a unit, faster than by sorting them.
#[derive(Debug, Default)]
struct Distinct {
    /// The features seen, but for 0.
    seen: Table<u64>,
}

impl Distinct {
    /// Appends the upper half of every distinct feature.
    fn append(&mut self, features: &[u64], out: &mut Vec<u32>) {
        self.seen.reset(features.len());
        let mut zero_seen = false;
        for &feature in features {
            let is_new = if feature == 0 {
                !std::mem::replace(&mut zero_seen, true)
            } else {
                // The lower half: the upper one decides on partitions.
                let is_it = |&other: &u64| other == feature;
                self.seen.get_or_put(feature, is_it, feature).1
            };
            if is_new {
                out.push((feature >> 32) as u32);
            }
        }
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
