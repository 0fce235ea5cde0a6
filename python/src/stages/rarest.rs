//! The rarest features of each unit, by which every similar pair is found.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder, ListBuilder};
use arrow_array::{ArrayRef, Int64Array};
use lookalike::kernel::Mean;
use lookalike::pair::join::{Floors, Marked, PrefixPosting, PrefixRule};
use lookalike::pair::verify::Bounds;
use lookalike::program::Failure;
use lookalike::text::UnitId;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::PyRecordBatchReader;

use super::columns::{binary, kept_words, more_columns, numbers, of_numbers};
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

/// So many bytes of marks go with all postings of a unit together, about, or so many bits a probe with each of them.
const MARKS: usize = 1024;
const LEAST_MARKS: usize = 64;

/// What the postings of a unit carry of its features under all probes, in at most so many bits a probe.
fn marks(of_probes: &[Vec<u32>], most_bits: usize) -> Vec<u8> {
    let mut words = Vec::new();
    for features in of_probes {
        Marked::new(features, most_bits).append_to(&mut words);
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The marks of a unit, probe by probe.
fn marked(bytes: &[u8], probes: usize) -> Result<Vec<Marked>, Failure> {
    let words = kept_words(bytes);
    let mut left = words.as_slice();
    let marked: Option<Vec<Marked>> = (0..probes).map(|_| Marked::read(&mut left)).collect();
    marked.ok_or_else(|| anyhow::anyhow!("the marks of a unit end too early"))
}

/// The prefixes of records, for the floors of the classes of each probe: a row a probe, with the features that another record may
/// have, too, their places in the order of all features, and marks of what the record has under all probes.
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
        let told = stages.tells_by_marks();
        let numbered = numbers(&batch, "__row")?.clone();
        let (mut signer, mut tape) = (stages.kernel.signer()?, Vec::new());
        let (mut rows, mut probes) = (Vec::new(), Vec::new());
        let mut features = ListBuilder::new(Int64Builder::new());
        let mut places = ListBuilder::new(Int64Builder::new());
        let mut all_marks = BinaryBuilder::new();
        stages.for_each_unit(&batch, &mut |row, _, unit| {
            let mut of_probes: Vec<Vec<u32>> = Vec::new();
            for probe in 0..signer.probes() {
                tape.clear();
                if !signer.describe(probe, &unit).is_empty() {
                    signer.tape(&mut tape);
                }
                of_probes.push(tape.clone());
            }
            let class = stages.class(of_probes.iter().map(Vec::len));
            let mut postings = 0;
            let before = probes.len();
            for (probe, own) in of_probes.iter().enumerate() {
                let of_class = &floors[probe];
                let floor = of_class.get(usize::from(class)).or(of_class.first());
                let rule = PrefixRule {
                    bounds: plan.probes[probe].bounds()?,
                    floors: Floors::new(&[], &[]),
                    sizes: &[],
                };
                let floor = floor.copied().unwrap_or(f64::INFINITY);
                let prefix = rule.prefix_at(floor, own.len()).min(own.len());
                let mut order: Vec<(u8, u32)> = (own.iter())
                    .map(|&feature| (counts.get(probe, feature), feature))
                    .collect();
                order.sort_unstable();
                let shared = order[..prefix].iter().enumerate();
                let shared: Vec<_> = shared.filter(|(_, (count, _))| *count > 1).collect();
                if shared.is_empty() {
                    continue;
                }
                postings += shared.len();
                rows.push(numbered.value(row));
                probes.push(probe as i64);
                for (place, &(_, feature)) in shared {
                    features.values().append_value(feature.into());
                    places.values().append_value(place as i64);
                }
                features.append(true);
                places.append(true);
            }
            if postings > 0 {
                let room = (8 * MARKS / (postings * of_probes.len())).max(LEAST_MARKS);
                let marks = marks(&of_probes, if told { room } else { 0 });
                (before..probes.len()).for_each(|_| all_marks.append_value(&marks));
            }
            Ok(())
        })?;
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("__row", Arc::new(Int64Array::from(rows))),
            ("probe", Arc::new(Int64Array::from(probes))),
            ("marks", Arc::new(all_marks.finish())),
            ("features", Arc::new(features.finish())),
            ("places", Arc::new(places.finish())),
        ];
        Ok(Batch {
            batch: more_columns(&batch, &[], columns)?,
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
        let (places, marks) = (column("place")?, binary(&batch, "marks")?);
        let mut out: [Vec<i64>; 4] = Default::default();
        for (probe, of_class) in floors.iter().enumerate() {
            // Units are numbered anew within the part: what is known of them is looked up by number.
            let mut dense: BTreeMap<u32, u32> = BTreeMap::new();
            let (mut names, mut marks_of) = (Vec::new(), Vec::new());
            let (mut sizes, mut classes) = (Vec::new(), Vec::new());
            let mut postings = Vec::new();
            for row in (0..batch.num_rows()).filter(|&row| probes.value(row) == probe as i64) {
                let unit = unit_number(units.value(row))?;
                let next = dense.len() as u32;
                let own = *dense.entry(unit).or_insert(next);
                if own == next {
                    let marked = marked(marks.value(row), floors.len())?;
                    names.push((i64::from(unit), ranks.value(row)));
                    sizes.push(marked[probe].size() as u32);
                    classes.push(stages.class(marked.iter().map(Marked::size)));
                    marks_of.push(marked);
                }
                postings.push(PrefixPosting::new(
                    features.value(row) as u32,
                    UnitId::from(own),
                    places.value(row) as usize,
                ));
            }
            let classes: &[u8] = match of_class.len() {
                1 => &[],
                _ => &classes,
            };
            let rule = PrefixRule {
                bounds: stages.kernel.plan().probes[probe].bounds()?,
                floors: Floors::new(of_class, classes),
                sizes: &sizes,
            };
            let reach = Reach::new(stages, probe)?;
            rule.candidates(&mut postings, &mut |pair| {
                let (lo, hi) = (pair.lo().index(), pair.hi().index());
                if !reach.admits(&marks_of[lo], &marks_of[hi]) {
                    return ControlFlow::Continue(());
                }
                let mut two = [names[lo], names[hi]];
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

impl Stages {
    /// Whether what two units have in common tells which pairs are needed: not where a pair may count that reaches no floor.
    fn tells_by_marks(&self) -> bool {
        let plan = self.kernel.plan();
        let is_told = plan.mean.is_some() || plan.model.is_none();
        is_told && !self.spec.job.locates_passages()
    }
}

/// Which pairs that share a feature can reach the threshold.
struct Reach<'s> {
    bounds: Vec<&'s dyn Bounds>,
    mean: Option<&'s Mean>,
    /// Under which probe they share it.
    probe: usize,
    /// What is to be reached under it, where the measure is no mean; none if nothing is told.
    floor: Option<f64>,
}

impl<'s> Reach<'s> {
    fn new(stages: &'s Stages, probe: usize) -> Result<Self, Failure> {
        let plan = stages.kernel.plan();
        let bounds = plan.probes.iter().map(|probe| Ok(probe.bounds()?));
        Ok(Reach {
            bounds: bounds.collect::<Result<_, Failure>>()?,
            mean: plan.mean.as_ref(),
            probe,
            floor: (stages.tells_by_marks()).then(|| plan.probes[probe].floor),
        })
    }

    /// Whether two units can reach the threshold, by the most that they can have in common. What is sure to be below is left out, as
    /// the exact comparison would.
    fn admits(&self, a: &[Marked], b: &[Marked]) -> bool {
        let Some(floor) = self.floor else {
            return true;
        };
        let Some(mean) = self.mean else {
            let (a, b) = (&a[self.probe], &b[self.probe]);
            let least = self.bounds[self.probe].least_common(a.size(), b.size(), floor);
            return a.most_common(b) >= least;
        };
        let size = |probe: usize| (a[probe].size(), b[probe].size());
        let short = mean.short_answer(size);
        let most = |probe: usize, (of_a, of_b): (usize, usize)| {
            let common = a[probe].most_common(&b[probe]);
            let similarity = self.bounds[probe].similarity(common, of_a, of_b);
            match short {
                Some((answer, counts)) if answer == probe => similarity.max(counts),
                _ => similarity,
            }
        };
        let reaches_least = |probe: usize| {
            let (of_a, of_b) = size(probe);
            of_a == 0 || of_b == 0 || most(probe, (of_a, of_b)) >= mean.least[probe]
        };
        // What they share a feature under tells the most.
        reaches_least(self.probe)
            && (0..self.bounds.len()).all(reaches_least)
            && mean.can_reach(size, most)
    }
}
