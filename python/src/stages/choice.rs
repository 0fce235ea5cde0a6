//! Whether every pair is looked for, by its rarest features, and from which similarity on: decided as a whole run does, by a
//! sample of the features of all units.

use std::collections::BTreeMap;

use lookalike::kernel::Route;
use lookalike::kernel::decide::{self, AtAnyCost, FeatureSample, PrefixCosts, ProbedUnits};
use lookalike::program::Failure;
use lookalike::sign::keys::Frequencies;
use lookalike::text::UnitId;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use super::columns::{lists, numbers};
use super::{Stages, unit_number};
use crate::batch::one_batch;
use crate::errors::calling;

/// The sampled features of a unit, after its number and how many features it has; and all of them, where these are known.
type SampledUnit = (UnitId, usize, Vec<u32>, Vec<u32>);

/// Beside the number of a probe: that all features of a unit are told.
pub(super) const WHOLE: u64 = 1 << 24;

/// The floors by which pairs are found, class by class of each probe, or none if keys are to find them.
///
/// Of the units that stand for themselves and have a sampled feature `unit`, `sizes` and `sampled`; of all units how many
/// features they have and how many have any, probe by probe, and how many there are of each class.
#[pyfunction]
pub(crate) fn floors(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    features: Vec<u64>,
    described: Vec<u64>,
    classes: Vec<(u8, u64)>,
) -> PyResult<Option<Vec<Vec<f64>>>> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let plan = stages.kernel.plan();
        let at_any_cost = match plan.route {
            Route::PrefixOr(_) => AtAnyCost::No,
            _ => AtAnyCost::Yes,
        };
        let units: u64 = classes.iter().map(|(_, count)| count).sum();
        if decide::only_keys(&stages.kernel, units) {
            return Ok(None);
        }
        let mut counts: decide::ClassCounts = [0; 256];
        for (class, count) in classes {
            counts[usize::from(class)] += count;
        }
        let (of, sizes) = (numbers(&batch, "unit")?, lists(&batch, "sizes")?);
        let sampled = lists(&batch, "sampled")?;
        let mut by_probe: Vec<Vec<SampledUnit>> = vec![Vec::new(); plan.probes.len()];
        for row in 0..batch.num_rows() {
            let unit = UnitId::from(unit_number(of.value(row))?);
            for (probe, units) in by_probe.iter_mut().enumerate() {
                let told = |probe: u64| -> Vec<u32> {
                    let own = sampled[row].iter().filter(|&&f| f as u64 >> 32 == probe);
                    own.map(|&feature| feature as u32).collect()
                };
                let (own, whole) = (told(probe as u64), told(probe as u64 | WHOLE));
                let size = sizes[row].get(probe).copied().unwrap_or(0) as usize;
                if !own.is_empty() || !whole.is_empty() {
                    units.push((unit, size, own, whole));
                }
            }
        }
        let known = |(probe, floors): (usize, &Vec<f64>)| -> Result<ProbedUnits, Failure> {
            let all = (features[probe], described[probe]);
            let costs = PrefixCosts::new(
                plan.probes[probe].bounds()?,
                floors,
                FeatureSample::of(all.0),
            );
            Ok(estimate(costs, &by_probe[probe], all, plan.model.is_some()))
        };
        let floors = decide::floors(plan, at_any_cost, &counts, known)?;
        Ok(floors.map(|floors| floors.of_probes))
    })
}

/// About what prefixes would come to, as a run estimates it.
fn estimate(
    mut costs: PrefixCosts<'_>,
    units: &[SampledUnit],
    (features, described): (u64, u64),
    is_model: bool,
) -> ProbedUnits {
    let sample = FeatureSample::of(features);
    let mut chosen = Vec::new();
    let whole = (units.iter()).map(|(_, _, _, whole)| whole);
    let whole: Vec<Vec<u32>> = whole
        .filter(|whole| !is_model && sample.has_unit(whole))
        .cloned()
        .collect();
    let units: Vec<(UnitId, usize, Vec<u32>)> = (units.iter())
        .map(|(unit, size, own, _)| (*unit, *size, sample.choose(own, &mut chosen).to_vec()))
        .collect();
    let mut frequencies = Frequencies::new(sample.share_of(features), usize::MAX);
    for mut part in frequencies.parts(1) {
        units.iter().for_each(|(_, _, own)| part.count(own));
    }
    // Where what is common matters, beyond what a byte can count.
    let mut common: BTreeMap<u32, u32> = BTreeMap::new();
    if is_model {
        let all = units.iter().flat_map(|(_, _, own)| own);
        for &feature in all.filter(|&&feature| frequencies.of(feature) == u8::MAX) {
            *common.entry(feature).or_default() += 1;
        }
    }
    let mut sampled: Vec<(u32, u32)> = Vec::new();
    let mut looked_up: Vec<(u32, u32)> = Vec::new();
    for (unit, size, own) in &units {
        sampled.clear();
        sampled.extend(own.iter().map(|&feature| {
            let byte = u32::from(frequencies.of(feature));
            let count = common.get(&feature).map_or(byte, |&count| count.max(byte));
            (count, feature)
        }));
        sampled.sort_unstable();
        costs.looked_up((*unit, *size), &sampled, |feature, floors| {
            looked_up.push((feature, floors));
        });
    }
    looked_up.sort_unstable();
    costs.add(&looked_up);
    costs.add_units(&whole);
    ProbedUnits {
        features,
        costs: costs.finish(described as usize, features),
    }
}
