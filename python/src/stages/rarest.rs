//! The rarest features of each unit, by which every similar pair is found.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use lookalike::pair::join::{Floors, PrefixPosting, PrefixRule};
use lookalike::text::UnitId;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::PyRecordBatchReader;

use super::columns::{numbers, of_numbers};
use super::{Stages, unit_number};
use crate::batch::{Batch, one_batch};
use crate::errors::calling;

/// About how often each feature occurs, never too few times: a byte a slot.
#[pyclass(module = "lookalike._lookalike")]
pub(crate) struct FeatureCounts {
    counts: Vec<u8>,
    shift: u32,
}

impl FeatureCounts {
    fn of(counts: Vec<u8>) -> Self {
        let slots = counts.len().next_power_of_two().max(1);
        FeatureCounts {
            shift: 32 - slots.ilog2().min(32),
            counts,
        }
    }

    /// The same feature under another probe is another feature.
    fn slot(&self, probe: usize, feature: u32) -> usize {
        let feature = feature.wrapping_add((probe as u32).wrapping_mul(0x9E37_79B1));
        (u64::from(feature) >> self.shift) as usize
    }

    fn get(&self, probe: usize, feature: u32) -> u8 {
        let slot = self.slot(probe, feature);
        self.counts.get(slot).copied().unwrap_or(u8::MAX)
    }
}

#[pymethods]
impl FeatureCounts {
    /// Of nothing yet, with so many slots, a power of two.
    #[new]
    fn new(slots: u32) -> Self {
        FeatureCounts::of(vec![0; slots.max(1).next_power_of_two() as usize])
    }

    /// The same again, of its bytes.
    #[staticmethod]
    fn of_bytes(bytes: &[u8]) -> Self {
        FeatureCounts::of(bytes.to_vec())
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.counts)
    }

    /// Counts the features of a batch of records.
    fn count(
        &mut self,
        py: Python<'_>,
        stages: &Stages,
        batch: PyRecordBatchReader,
    ) -> PyResult<()> {
        let batch = one_batch(py, batch)?;
        calling(py, || {
            let (mut signer, mut tape) = (stages.kernel.signer()?, Vec::new());
            stages.for_each_unit(&batch, &mut |_, _, unit| {
                for probe in 0..signer.probes() {
                    tape.clear();
                    if !signer.describe(probe, &unit).is_empty() {
                        signer.tape(&mut tape);
                    }
                    for &feature in &tape {
                        let slot = self.slot(probe, feature);
                        if let Some(count) = self.counts.get_mut(slot) {
                            *count = count.saturating_add(1);
                        }
                    }
                }
                Ok(())
            })
        })
    }
}

/// Two counts, or the same parts of two, as one.
#[pyfunction]
pub(crate) fn add_counts<'py>(py: Python<'py>, a: &[u8], b: &[u8]) -> Bound<'py, PyBytes> {
    let sum: Vec<u8> = a.iter().zip(b).map(|(a, b)| a.saturating_add(*b)).collect();
    PyBytes::new(py, &sum)
}

/// The prefixes of records, for the floors of the classes of each probe: a row a feature that another record may have, too.
#[pyfunction]
pub(crate) fn prefixes(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    counts: &FeatureCounts,
    floors: Vec<Vec<f64>>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let plan = stages.kernel.plan();
        let rows = numbers(&batch, "__row")?.clone();
        let (mut signer, mut tape) = (stages.kernel.signer()?, Vec::new());
        let mut out: [Vec<i64>; 6] = Default::default();
        stages.for_each_unit(&batch, &mut |row, _, unit| {
            let mut of_probes: Vec<Vec<u32>> = Vec::new();
            for probe in 0..signer.probes() {
                tape.clear();
                if !signer.describe(probe, &unit).is_empty() {
                    signer.tape(&mut tape);
                }
                of_probes.push(tape.clone());
            }
            let mean = plan.mean.as_ref().filter(|mean| mean.has_classes());
            let class = mean.map_or(0, |mean| mean.class(of_probes.iter().map(Vec::len)));
            for (probe, features) in of_probes.iter().enumerate() {
                let of_class = &floors[probe];
                let floor = of_class.get(usize::from(class)).or(of_class.first());
                let rule = PrefixRule {
                    bounds: plan.probes[probe].bounds()?,
                    floors: Floors::new(&[], &[]),
                    sizes: &[],
                };
                let floor = floor.copied().unwrap_or(f64::INFINITY);
                let prefix = rule.prefix_at(floor, features.len()).min(features.len());
                let mut order: Vec<(u8, u32)> = (features.iter())
                    .map(|&feature| (counts.get(probe, feature), feature))
                    .collect();
                order.sort_unstable();
                for (place, &(count, feature)) in order[..prefix].iter().enumerate() {
                    if count > 1 {
                        out[0].push(rows.value(row));
                        out[1].push(probe as i64);
                        out[2].push(feature.into());
                        out[3].push(place as i64);
                        out[4].push(features.len() as i64);
                        out[5].push(class.into());
                    }
                }
            }
            Ok(())
        })?;
        let [row, probe, feature, place, size, class] = out;
        Ok(Batch {
            batch: of_numbers(vec![
                ("__row", row),
                ("probe", probe),
                ("feature", feature),
                ("place", place),
                ("size", size),
                ("class", class),
            ])?,
        })
    })
}

/// The pairs of a part of the prefixes, all of each probe and feature: among them all that reach a floor.
#[pyfunction]
pub(crate) fn prefix_pairs(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    floors: Vec<Vec<f64>>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let column = |name: &str| numbers(&batch, name);
        let (units, ranks) = (column("unit")?, column("rank")?);
        let (probes, features) = (column("probe")?, column("feature")?);
        let (places, sizes) = (column("place")?, column("size")?);
        let classes = column("class")?;
        let mut out: [Vec<i64>; 4] = Default::default();
        for (probe, of_class) in floors.iter().enumerate() {
            // Units are numbered anew within the part: what is known of them is looked up by number.
            let mut dense: BTreeMap<u32, u32> = BTreeMap::new();
            let (mut names, mut sizes_of, mut classes_of) = (Vec::new(), Vec::new(), Vec::new());
            let mut postings = Vec::new();
            for row in (0..batch.num_rows()).filter(|&row| probes.value(row) == probe as i64) {
                let unit = unit_number(units.value(row))?;
                let own = *dense.entry(unit).or_insert_with(|| {
                    names.push((i64::from(unit), ranks.value(row)));
                    sizes_of.push(sizes.value(row) as u32);
                    classes_of.push(classes.value(row) as u8);
                    names.len() as u32 - 1
                });
                postings.push(PrefixPosting::new(
                    features.value(row) as u32,
                    UnitId::from(own),
                    places.value(row) as usize,
                ));
            }
            let classes: &[u8] = match of_class.len() {
                1 => &[],
                _ => &classes_of,
            };
            let rule = PrefixRule {
                bounds: stages.kernel.plan().probes[probe].bounds()?,
                floors: Floors::new(of_class, classes),
                sizes: &sizes_of,
            };
            rule.candidates(&mut postings, &mut |pair| {
                let mut two = [names[pair.lo().index()], names[pair.hi().index()]];
                two.sort_unstable();
                let [(a, a_rank), (b, b_rank)] = two;
                for (column, value) in out.iter_mut().zip([a, b, a_rank, b_rank]) {
                    column.push(value);
                }
                ControlFlow::Continue(())
            });
        }
        let [a, b, a_rank, b_rank] = out;
        Ok(Batch {
            batch: of_numbers(vec![
                ("a", a),
                ("b", b),
                ("a_rank", a_rank),
                ("b_rank", b_rank),
            ])?,
        })
    })
}
