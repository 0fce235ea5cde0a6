//! What finding pairs by prefixes would cost, judged by a sample of the features.
//!
//! The sample is of a size that every memory has room for, so that what is chosen by it depends on the corpus alone.

use std::iter::Sum;

use lookalike_pair::join::{Floors, PrefixRule};
use lookalike_pair::verify::Bounds;
use lookalike_text::hash::mix64;

use super::common::Common;
use super::tape::{Sampled, Tape};
use crate::Error;
use crate::stages::{Context, Units};

/// What prefixes come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PrefixCost {
    /// Features looked up.
    postings: u64,
    /// Pairs that share one of them, each counted once a feature.
    proposals: u64,
    /// About how many of them have enough in common to be compared.
    compared: u64,
}

/// So little is always worth an exact answer: it takes a fraction of a second.
const LITTLE: u64 = 2_000_000;
/// Beyond it, prefixes may come to these shares of the features, where there is another way. A feature looked up costs
/// about as much as reading one, a proposal less. With these limits exact runs took up to about twice as long as MinHash.
const MOST_POSTINGS: f64 = 0.125;
const MOST_PROPOSALS: f64 = 0.25;

impl PrefixCost {
    /// Both as one number, to compare floors by: looking a feature up costs as much as counting some that are found.
    pub(super) fn work(self) -> f64 {
        const LOOK_UP: f64 = 20.0;
        const COMPARE: f64 = 50.0;
        LOOK_UP * self.postings as f64 + self.proposals as f64 + COMPARE * self.compared as f64
    }

    /// Whether the pairs of a model are found more cheaply by keys: counting what a feature is shared by is cheap.
    pub(super) fn is_too_high_to_count(self, features: u64) -> bool {
        const MOST: f64 = 100.0;
        self.work() > LITTLE as f64 && self.work() / features.max(1) as f64 > MOST
    }

    pub(super) fn times(self, share: f64) -> PrefixCost {
        PrefixCost {
            postings: (self.postings as f64 * share) as u64,
            // Each of a pair.
            proposals: (self.proposals as f64 * share * share) as u64,
            compared: (self.compared as f64 * share * share) as u64,
        }
    }

    /// Whether pairs are found more cheaply by keys.
    pub(super) fn is_too_high(self, features: u64) -> bool {
        let share = |count: u64| count as f64 / features.max(1) as f64;
        self.postings + self.proposals > LITTLE
            && (share(self.postings) > MOST_POSTINGS || share(self.proposals) > MOST_PROPOSALS)
    }
}

impl Sum for PrefixCost {
    fn sum<I: Iterator<Item = PrefixCost>>(costs: I) -> Self {
        costs.fold(PrefixCost::default(), |sum, cost| PrefixCost {
            postings: sum.postings + cost.postings,
            proposals: sum.proposals + cost.proposals,
            compared: sum.compared + cost.compared,
        })
    }
}

impl Tape<'_> {
    /// About what prefixes for each of these floors, which ascend, would come to, judged by a sample.
    pub(super) fn estimate(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        (bounds, floors): (&dyn Bounds, &[f64]),
    ) -> Result<Vec<PrefixCost>, Error> {
        let sampled = Sampled::of(self.items.len());
        let frequencies = self.count(context.threads, units, (sampled, usize::MAX))?;
        let common = match context.plan().model {
            Some(_) => Common::count((self, context.threads), units, (&frequencies, sampled))?,
            None => Common::default(),
        };
        let at = |floor: &f64, size: usize| {
            let rule = PrefixRule {
                bounds,
                floors: Floors::new(&[], &[]),
                sizes: &[],
            };
            rule.prefix_at(*floor, size)
        };
        let (mut chosen, mut shared) = (Vec::new(), Vec::new());
        // Each feature with how many of the floors look it up: the first ones, which are the lowest.
        let mut looked_up: Vec<(u32, u32)> = Vec::new();
        for chunk in &self.chunks {
            self.for_each(chunk, units, &mut |unit, features| {
                let chosen = sampled.choose(features, &mut chosen);
                if chosen.is_empty() {
                    return;
                }
                // Rounded up as often as not rounding would come to: units may have but a feature or two in the sample.
                let chance = (mix64(unit.get().into()) >> 11) as f64 / (1u64 << 53) as f64;
                let share = chosen.len() as f64 / features.len() as f64;
                shared.clear();
                let counted = chosen
                    .iter()
                    .map(|&feature| (common.of(feature, frequencies.of(feature)), feature));
                shared.extend(counted);
                shared.sort_unstable();
                let mut floor = floors.len();
                for (place, &(count, feature)) in shared.iter().enumerate() {
                    let prefix = |floor: usize| {
                        let whole = at(&floors[floor], features.len());
                        (whole as f64 * share + chance) as usize
                    };
                    while floor > 0 && prefix(floor - 1) <= place {
                        floor -= 1;
                    }
                    if floor == 0 {
                        break;
                    }
                    if count > 1 {
                        looked_up.push((feature, floor as u32));
                    }
                }
            })?;
        }
        looked_up.sort_unstable();
        let mut costs = vec![PrefixCost::default(); floors.len()];
        for bucket in looked_up.chunk_by(|a, b| a.0 == b.0) {
            for (floor, cost) in costs.iter_mut().enumerate() {
                let below = bucket.partition_point(|&(_, floors)| floors as usize <= floor);
                let units = (bucket.len() - below) as u64;
                cost.postings += units;
                cost.proposals += units * units.saturating_sub(1) / 2;
            }
        }
        for (cost, floor) in costs.iter_mut().zip(floors) {
            cost.postings <<= sampled.bits;
            cost.proposals <<= sampled.bits;
            cost.compared = match self.common_needed(bounds, *floor) {
                0 | 1 => cost.proposals,
                2 => cost.proposals / 4,
                3 => cost.proposals / 16,
                _ => 0,
            };
        }
        Ok(costs)
    }

    /// How many common features of their prefixes two units of the usual size must have to be compared.
    fn common_needed(&self, bounds: &dyn Bounds, floor: f64) -> usize {
        let units = self.sizes.iter().filter(|&&size| size > 0).count().max(1);
        let size = (self.items.len() as usize).div_ceil(units);
        let after = bounds.least_with_any(size, floor.min(1.0)) - 1;
        bounds
            .least_common(size, size, floor.min(1.0))
            .saturating_sub(after)
    }
}
