//! What finding pairs by prefixes would cost, judged by a sample of the features.

use lookalike_kernel::decide::{FeatureSample, PrefixCosts, ProbedUnits};
use lookalike_pair::verify::Bounds;

use super::common::Common;
use super::rarest::Counting;
use crate::Error;
use crate::stages::tape::Tape;
use crate::stages::{Context, Units};

impl Tape<'_, u32> {
    /// About what prefixes for each of these floors, which ascend, would come to.
    pub(super) fn estimate(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        (bounds, floors): (&dyn Bounds, &[f64]),
    ) -> Result<ProbedUnits, Error> {
        let features = self.items.len();
        let sample = FeatureSample::of(features);
        let counting = Counting {
            sample,
            memory: usize::MAX,
            slots_a_feature: 1,
        };
        let (frequencies, common) = match context.plan().model {
            Some(_) => self.count_common(context.threads, units, counting)?,
            None => {
                let frequencies = self.count(context.threads, units, counting)?;
                (frequencies, Common::default())
            }
        };
        let mut costs = PrefixCosts::new(bounds, floors, sample);
        let (mut chosen, mut sampled) = (Vec::new(), Vec::new());
        let mut looked_up: Vec<(u32, u32)> = Vec::new();
        let mut whole: Vec<Vec<u32>> = Vec::new();
        // Where pairs are found by a model, variants of one text are led.
        let is_model = context.plan().model.is_some();
        for chunk in &self.chunks {
            self.for_each_standing(chunk, units, &mut |unit, features| {
                if !is_model && sample.has_unit(features) {
                    whole.push(features.to_vec());
                }
                let chosen = sample.choose(features, &mut chosen);
                sampled.clear();
                let counted = chosen.iter();
                sampled.extend(
                    counted.map(|&feature| (common.of(feature, frequencies.of(feature)), feature)),
                );
                sampled.sort_unstable();
                costs.looked_up((unit, features.len()), &sampled, |feature, floors| {
                    looked_up.push((feature, floors));
                });
            })?;
        }
        looked_up.sort_unstable();
        costs.add(&looked_up);
        costs.add_units(&whole);
        let described = self.sizes.iter().filter(|&&size| size > 0).count();
        Ok(ProbedUnits {
            features,
            costs: costs.finish(described, features),
        })
    }
}
