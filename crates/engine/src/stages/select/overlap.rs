//! What two units have in common under all probes, by the tapes: nearly exact, and nothing has to be read again.
//!
//! A tape holds 32 bits of a feature, so that two features may be taken for one, but never one for two: what is counted is
//! never too little. Pairs that cannot reach the threshold by it need not be compared.

use std::borrow::Cow;

use lookalike_kernel::Mean;
use lookalike_pair::verify::OfSets;
use lookalike_text::UnitId;

use super::Sizes;
use crate::Error;
use crate::stages::{Context, Units};

/// What two units have in common under all probes, by the tapes: nearly exact, and nothing has to
/// be read again.
pub(crate) struct Overlaps<'r> {
    mean: &'r Mean,
    probes: Vec<ProbeTape<'r>>,
    /// The probes, the shortest tape first: it tells most for the least.
    order: Vec<usize>,
}

struct ProbeTape<'r> {
    /// Sorted within each unit; none where they are on disk.
    features: Option<Cow<'r, [u32]>>,
    begins: Vec<u64>,
    of_sets: &'r dyn OfSets,
}

impl ProbeTape<'_> {
    fn size(&self, unit: UnitId) -> usize {
        let place = unit.index();
        (self.begins[place + 1] - self.begins[place]) as usize
    }

    fn common(&self, (a, b): (UnitId, UnitId)) -> Option<usize> {
        let features = self.features.as_deref()?;
        let of = |unit: UnitId| {
            let place = unit.index();
            &features[self.begins[place] as usize..self.begins[place + 1] as usize]
        };
        Some(common(of(a), of(b)))
    }
}

/// How many numbers two sorted lists have in common.
pub(crate) fn common(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        // Without branches: which side is ahead cannot be predicted.
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}

impl<'r> Overlaps<'r> {
    /// None where the measure is not a mean of measures of sets.
    pub(crate) fn new(
        context: &'r Context<'_>,
        units: Units<'r>,
        sizes: &Sizes,
    ) -> Result<Option<Self>, Error> {
        let Some(mean) = context.plan().mean.as_ref() else {
            return Ok(None);
        };
        let room = context.budget.percent(40) / context.plan().probes.len();
        let mut probes = Vec::new();
        for (number, probe) in context.plan().probes.iter().enumerate() {
            let Some(of_sets) = probe.measure.of_sets() else {
                return Ok(None);
            };
            let (mut begins, mut begin) = (vec![0], 0);
            for &size in &sizes.of_probes[number] {
                begin += u64::from(size);
                begins.push(begin);
            }
            let tape = &units.signed.columns.probed.0[number].items;
            let features = match tape.in_memory(0, begin as usize) {
                Some(features) => Some(Cow::Borrowed(features)),
                // A checkpoint has put it on disk.
                None if begin as usize * size_of::<u32>() <= room => {
                    Some(Cow::Owned(tape.read_all()?))
                }
                None => None,
            };
            probes.push(ProbeTape {
                features,
                begins,
                of_sets,
            });
        }
        let mut order: Vec<usize> = (0..probes.len()).collect();
        order.sort_by_key(|&probe| probes[probe].begins.last().copied());
        Ok(Some(Overlaps {
            mean,
            probes,
            order,
        }))
    }

    /// Where nothing is known of what two units have in common.
    pub(crate) const NOTHING_KNOWN: (usize, usize) = (usize::MAX, usize::MAX);

    /// Whether two units can reach the threshold. They have `most_common` features in common at the most under one probe.
    pub(crate) fn admit(
        &self,
        pair: (UnitId, UnitId),
        (known, most_common): (usize, usize),
    ) -> bool {
        let (mut sum, mut total) = (0.0, 0.0);
        let size = |probe: usize| {
            let tape = &self.probes[probe];
            (tape.size(pair.0), tape.size(pair.1))
        };
        let short = self.mean.short_answer(size);
        let similarity = |probe: usize, common: usize| {
            let (a, b) = size(probe);
            let similarity = match a == 0 || b == 0 {
                true => 0.0,
                false => self.probes[probe].of_sets.similarity(common, a, b),
            };
            match short {
                Some((answer, counts)) if answer == probe => similarity.max(counts),
                _ => similarity,
            }
        };
        let most =
            |probe: usize, common: usize| self.mean.weights[probe] * similarity(probe, common);
        let bound = |probe: usize| {
            let (a, b) = size(probe);
            if probe == known {
                most_common
            } else {
                a.min(b)
            }
        };
        for &probe in &self.order {
            let (a, b) = size(probe);
            if self.mean.absence.counts(a > 0, b > 0) {
                total += self.mean.weights[probe];
                sum += most(probe, bound(probe));
            }
        }
        // Only what is clearly below is left out; the exact comparison decides.
        let needed = self.mean.threshold * total - 1e-9;
        for &probe in &self.order {
            if sum < needed {
                return false;
            }
            if let Some(common) = self.probes[probe].common(pair) {
                let (a, b) = size(probe);
                if a > 0 && b > 0 && similarity(probe, common) < self.mean.least[probe] {
                    return false;
                }
                sum += most(probe, common) - most(probe, bound(probe));
            }
        }
        sum >= needed
    }
}
