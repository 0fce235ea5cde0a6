//! The stages of a job over parts of a collection, for engines that bring the parts together themselves.
//!
//! What a whole run does between two shuffles is a method of [`Stages`]: rows of one part in, rows out, the same whichever part a
//! row is in. Units are numbered densely in the order of the collection; which of two is kept is told by ranks.

mod choice;
mod columns;
mod joins;
mod neighbours;
mod page_groups;
mod pages;
mod rarest;
mod sentences;

use std::ffi::OsString;
use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, Int32Array, Int64Array, RecordBatch};
use arrow_select::filter::filter_record_batch;
use lookalike::engine::{KeepValues, for_each_ranked_unit};
use lookalike::kernel::decide::{self, FeatureSample, letters};
use lookalike::kernel::jobs::Split;
use lookalike::kernel::{Error as KernelError, Keep, Kernel, Route, Signer, Spec};
use lookalike::pair::join::BucketRule;
use lookalike::pair::verify::More;
use lookalike::program::Failure;
use lookalike::sign::keys::Sketch;
use lookalike::text::Unit;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use crate::batch::{Batch, one_batch};
use crate::errors::calling;
use crate::kernels::{described, kernel_of, records, spec_of, text_at};
pub(crate) use choice::floors;
use columns::{append_changed, binary, kept_words, more_columns, signed, without};
pub(crate) use joins::{
    bucket_pairs, buckets_again, components, linking, sifted, stars, unit_digests,
};
pub(crate) use neighbours::{common_words, near_pairs, neighbour_keys, sampled_words, shared_keys};
pub(crate) use page_groups::{
    frames, least_framed, made_up, near_identical, page_bands, pages_in_line, parts_of, stories,
};
pub(crate) use pages::{aligned, page_texts, split_pages, worth_aligning};
pub(crate) use rarest::{FeatureCounts, add_counts, prefix_pairs, prefixes};
use sentences::for_each_sentence;
pub(crate) use sentences::{outlines, quoted, split};

/// What a job does with parts of a collection.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Stages {
    spec: Spec,
    kernel: Kernel,
}

/// What signing finds out about a record.
#[derive(Default)]
struct Signed {
    digest: Option<u128>,
    rank: u64,
    keep_per: u64,
    keys: Vec<u64>,
    sketch: Sketch,
    sizes: Vec<u32>,
    /// Of each probe, above 32 bits of a feature the number of the probe, and whether all features are told.
    sampled: Vec<u64>,
}

#[pymethods]
impl Stages {
    #[new]
    #[pyo3(signature = (arguments, statistics=None, running_text=None))]
    fn new(
        py: Python<'_>,
        arguments: Vec<OsString>,
        statistics: Option<PyRecordBatchReader>,
        running_text: Option<bool>,
    ) -> PyResult<Self> {
        let statistics = statistics.map(|data| one_batch(py, data)).transpose()?;
        calling(py, || {
            let mut spec = spec_of(&arguments)?;
            spec.input.running_text = spec.input.running_text.or(running_text);
            let kernel = kernel_of(&spec, statistics.as_ref())?;
            Ok(Stages { spec, kernel })
        })
    }

    /// What is known of the plan, as JSON.
    #[staticmethod]
    #[pyo3(signature = (arguments, running_text=None))]
    fn plan(
        py: Python<'_>,
        arguments: Vec<OsString>,
        running_text: Option<bool>,
    ) -> PyResult<String> {
        calling(py, || {
            let mut spec = spec_of(&arguments)?;
            spec.input.running_text = spec.input.running_text.or(running_text);
            let kernel = Kernel::new(&spec)?;
            let (plan, spec) = (kernel.plan(), kernel.spec());
            let needs = kernel.needs();
            let route = match plan.route {
                Route::Buckets => "buckets",
                Route::Prefix => "prefix",
                Route::PrefixOr(_) => "prefix-or-buckets",
                Route::Terms { posting_cap: None } => "terms",
                Route::Terms { .. } => "capped-terms",
                Route::Units => "units",
                Route::Listed => "listed",
            };
            let keep = match &spec.keep {
                Keep::Auto | Keep::First => "first",
                Keep::Last => "last",
                Keep::Longest | Keep::More | Keep::Field(_) => "value",
            };
            let compared = spec.compared_fields();
            let compares_fields = !compared.is_empty();
            let fields = match compares_fields {
                true => compared,
                false => spec.input.text_field.clone(),
            };
            let split = match spec.job.split(spec) {
                Split::Whole => None,
                Split::Sentences(_) => Some("sentences"),
                Split::Pages(_) => Some("pages"),
            };
            Ok(serde_json::json!({
                "job": spec.job.name(),
                "split": split,
                "sentences": sentences::known(spec),
                "passages": pages::known(spec),
                "route": route,
                "probes": plan.probes.len(),
                "has_bounds": plan.probes.iter().all(|probe| probe.bounds().is_ok()),
                "needs_statistics": !needs.lexicons.is_empty() || needs.term_weights,
                "verified": plan.verified,
                "tells_differences": spec.job.tells_differences(),
                "compares_fields": compares_fields,
                "holds": spec.holds_some(),
                "keep": keep,
                "fields": fields,
                "keep_field": match &spec.keep { Keep::Field(name) => Some(name), _ => None },
                "keep_per": spec.keep_per,
                "id_field": spec.input.id_field,
                "ids": spec.input.ids,
                "pairs": spec.pairs,
                "clusters": spec.clusters(),
                "rounds": spec.keys.bucket_rounds,
                "leaders": plan.buckets.leaders,
                "worth_looking": BucketRule::WORTH_LOOKING,
                "sieves": plan.sieve.is_some(),
                "transitive": spec.verify.transitive,
                "top": spec.top,
                "limit": spec.limit,
                "looks_at_field": spec.job.looks_at_field(spec),
            })
            .to_string())
        })
    }

    /// Above how many units a bucket is hot, in a collection of so many; none if no bucket is.
    fn bucket_limit(&self, units: u64) -> Option<u64> {
        let limit = decide::bucket_rule(&self.kernel, units).limit;
        (limit != usize::MAX).then_some(limit as u64)
    }

    /// How many bits tell the sampled features where there are so many.
    #[staticmethod]
    fn sample_bits(features: u64) -> u32 {
        let sample = FeatureSample::of(features);
        (0..31)
            .find(|bits| sample.share_of(1 << 40) == (1 << 40) >> bits)
            .unwrap_or(31)
    }

    /// Signs records: a row each, with the columns to carry. `sampled` has 32 bits of every feature of which so many bits say
    /// that it is chosen, where that is asked for, and all of some records.
    #[pyo3(signature = (batch, carried, keys, sample_bits=None))]
    fn sign(
        &self,
        py: Python<'_>,
        batch: PyRecordBatchReader,
        carried: Vec<String>,
        keys: bool,
        sample_bits: Option<u32>,
    ) -> PyResult<Batch> {
        let batch = one_batch(py, batch)?;
        calling(py, || {
            let mut rows: Vec<Signed> = Vec::new();
            rows.resize_with(batch.num_rows(), Signed::default);
            let mut signer = self.kernel.signer()?;
            self.for_each_unit(&batch, &mut |row, values, unit| {
                let row = &mut rows[row];
                (row.rank, row.keep_per) = (values.rank, values.per);
                self.sign_unit(&mut signer, &unit, (keys, sample_bits), row)
            })?;
            rows.iter_mut()
                .for_each(|row| row.sizes.resize(signer.probes(), 0));
            Ok(Batch {
                batch: self.signed_rows(&batch, &carried, &rows)?,
            })
        })
    }

    /// What the measure keeps of records, and their texts where differences are told, with the columns to carry.
    fn keep(
        &self,
        py: Python<'_>,
        batch: PyRecordBatchReader,
        carried: Vec<String>,
    ) -> PyResult<Batch> {
        let batch = one_batch(py, batch)?;
        calling(py, || {
            let rows = batch.num_rows();
            let mut kept: Vec<Vec<u64>> = vec![Vec::new(); rows];
            let mut texts: Vec<Vec<String>> = vec![Vec::new(); rows];
            let tells = self.spec.job.tells_differences();
            let mut signer = self.kernel.signer()?;
            self.for_each_unit(&batch, &mut |row, _, unit| {
                if tells {
                    texts[row] = fields_of(&unit);
                }
                self.keep_unit(&mut signer, &unit, &mut kept[row])
            })?;
            let mut words = BinaryBuilder::new();
            for kept in &kept {
                let bytes: Vec<u8> = kept.iter().flat_map(|word| word.to_le_bytes()).collect();
                words.append_value(&bytes);
            }
            let mut more: Vec<(&str, ArrayRef)> = vec![("kept", Arc::new(words.finish()))];
            if tells {
                let mut fields = ListBuilder::new(StringBuilder::new());
                for texts in &texts {
                    texts
                        .iter()
                        .for_each(|text| fields.values().append_value(text));
                    fields.append(true);
                }
                more.push(("texts", Arc::new(fields.finish())));
            }
            Ok(Batch {
                batch: more_columns(&batch, &carried, more)?,
            })
        })
    }

    /// Scores pairs of what was kept, `a_kept` and `b_kept`: those that reach the threshold, with their similarity, in what they
    /// differ, and whether that is why neither can stand for the other; of threads also how similar each field is, and which of
    /// the two has more.
    fn score(&self, py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
        let batch = one_batch(py, batch)?;
        calling(py, || {
            let (a, b) = (binary(&batch, "a_kept")?, binary(&batch, "b_kept")?);
            let mut scorer = self.kernel.scorer()?;
            let mut comparer = self.kernel.record_comparer();
            let tells = self.spec.job.tells_differences();
            let compares_fields = !self.spec.compared_fields().is_empty();
            let mut fields = match compares_fields {
                true => Some(self.kernel.field_comparer()?),
                false => None,
            };
            let texts = |name: &str, row: usize| -> Result<Vec<String>, Failure> {
                let list = batch.column_by_name(name);
                let list = list.and_then(|column| column.as_list_opt::<i32>());
                let Some(list) = list.filter(|list| list.is_valid(row)) else {
                    return Ok(Vec::new());
                };
                let strings = list.value(row);
                let string = |place| -> Result<String, Failure> {
                    Ok(text_at(&strings, place)?.to_string())
                };
                (0..strings.len()).map(string).collect()
            };
            let (mut similarities, mut held) = (Float64Builder::new(), Vec::new());
            let mut kinds = StringBuilder::new();
            let mut changes = ListBuilder::new(ListBuilder::new(StringBuilder::new()));
            let mut of_fields = ListBuilder::new(Float64Builder::new());
            let (mut more, mut reaches) = (StringBuilder::new(), Vec::new());
            for row in 0..batch.num_rows() {
                let (one, two) = (kept_words(a.value(row)), kept_words(b.value(row)));
                let score = match one.is_empty() || two.is_empty() {
                    true => None,
                    false => scorer.score(&one, &two)?,
                };
                reaches.push(score.is_some());
                let Some(score) = score else {
                    continue;
                };
                similarities
                    .append_option((!score.similarity.is_nan()).then_some(score.similarity));
                if tells {
                    let (one, two) = (texts("a_texts", row)?, texts("b_texts", row)?);
                    let one: Vec<&str> = one.iter().map(String::as_str).collect();
                    let two: Vec<&str> = two.iter().map(String::as_str).collect();
                    let change = comparer.compare(&one, &two);
                    held.push(!self.spec.removes(change.kind));
                    kinds.append_value(change.kind.to_string());
                    append_changed(&mut changes, &change.changed);
                } else {
                    held.push(false);
                    kinds.append_null();
                    changes.append(false);
                }
                if let Some(fields) = &mut fields {
                    of_fields.values().extend(fields.similarities(&one, &two));
                    more.append_option(fields.more(&one, &two).map(|more| match more {
                        More::A => "a",
                        More::B => "b",
                    }));
                } else {
                    more.append_null();
                }
                of_fields.append(compares_fields);
            }
            let names = without(&batch, &["a_kept", "b_kept", "a_texts", "b_texts"]);
            let others = more_columns(&batch, &names, Vec::new())?;
            let others = filter_record_batch(&others, &BooleanArray::from(reaches))?;
            let columns: Vec<(&str, ArrayRef)> = vec![
                ("similarity", Arc::new(similarities.finish())),
                ("held", Arc::new(BooleanArray::from(held))),
                ("kind", Arc::new(kinds.finish())),
                ("changed", Arc::new(changes.finish())),
                ("fields", Arc::new(of_fields.finish())),
                ("more", Arc::new(more.finish())),
            ];
            Ok(Batch {
                batch: more_columns(&others, &names, columns)?,
            })
        })
    }
}

impl Stages {
    /// Tells each unit of a batch with its row: records, or sentences that they were split into.
    fn for_each_unit(
        &self,
        batch: &RecordBatch,
        each: &mut dyn FnMut(usize, KeepValues, Unit<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !matches!(self.spec.job.split(&self.spec), Split::Whole) {
            return for_each_sentence(batch, each);
        }
        let (source, mut failed) = (records(batch.clone()), None);
        for_each_ranked_unit(&source, &self.spec, true, &mut |number, values, unit| {
            if failed.is_none() {
                failed = each(number as usize - 1, values, unit).err();
            }
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn sign_unit(
        &self,
        signer: &mut Signer,
        unit: &Unit<'_>,
        (keys, sample_bits): (bool, Option<u32>),
        row: &mut Signed,
    ) -> Result<(), Failure> {
        match &self.kernel.spec().keep {
            Keep::Longest => row.rank = unit.text.chars().count() as u64 + 1,
            Keep::More => row.rank = signer.more(unit).map_or(0, |more| more as u64 + 1),
            Keep::Auto | Keep::First | Keep::Last | Keep::Field(_) => {}
        }
        let plan = self.kernel.plan();
        let mut has_features = false;
        let (mut tape, mut chosen) = (Vec::new(), Vec::new());
        for probe in 0..signer.probes() {
            let is_there = !signer.describe(probe, unit).is_empty();
            has_features |= is_there;
            let sketch_of_features = signer.sketch();
            tape.clear();
            if is_there && !plan.weighs {
                signer.tape(&mut tape);
            }
            row.sizes.push(tape.len() as u32);
            if let Some(bits) = sample_bits {
                let sample = FeatureSample::of(1 << (20 + bits));
                let mut tell = |of_probe: u64, features: &[u32]| {
                    let features = features.iter().map(|&feature| u64::from(feature));
                    let features = features.map(|feature| of_probe << 32 | feature);
                    row.sampled.extend(features);
                };
                tell(probe as u64, sample.choose(&tape, &mut chosen));
                if sample.has_unit(&tape) {
                    tell(probe as u64 | choice::WHOLE, &tape);
                }
            }
            if keys && is_there && (!plan.weighs || described(signer, &self.kernel, probe, unit)?) {
                let (found, sketched) = signer.keys(probe);
                row.keys.extend_from_slice(found);
                row.sketch = sketched.sketch;
            }
            if let Some(sketch) = sketch_of_features {
                row.sketch = sketch;
            }
        }
        if has_features {
            row.digest = Some(signer.digest(unit) ^ u128::from(row.keep_per));
        }
        Ok(())
    }

    /// The class of a unit of so many features, probe by probe.
    fn class(&self, sizes: impl Iterator<Item = usize>) -> u8 {
        let mean = self.kernel.plan().mean.as_ref();
        let mean = mean.filter(|mean| mean.has_classes());
        mean.map_or(0, |mean| mean.class(sizes))
    }

    fn keep_unit(
        &self,
        signer: &mut Signer,
        unit: &Unit<'_>,
        out: &mut Vec<u64>,
    ) -> Result<(), Failure> {
        if !self.kernel.plan().weighs {
            return Ok(signer.keep(unit, out)?);
        }
        if described(signer, &self.kernel, 0, unit)? {
            signer.keep_weighed(unit, out)?;
        }
        Ok(())
    }

    fn signed_rows(
        &self,
        batch: &RecordBatch,
        carried: &[String],
        rows: &[Signed],
    ) -> Result<RecordBatch, Failure> {
        let column = |value: &dyn Fn(&Signed) -> Option<i64>| -> ArrayRef {
            Arc::new(rows.iter().map(value).collect::<Int64Array>())
        };
        let lists = |value: &dyn Fn(&Signed) -> Vec<i64>| -> ArrayRef {
            let mut lists = ListBuilder::new(Int64Builder::new());
            for row in rows {
                lists.values().append_slice(&value(row));
                lists.append(true);
            }
            Arc::new(lists.finish())
        };
        let class = |row: &Signed| {
            let sizes = row.sizes.iter().map(|&size| size as usize);
            i32::from(self.class(sizes))
        };
        let mut sketches = BinaryBuilder::new();
        rows.iter()
            .for_each(|row| sketches.append_value(row.sketch.to_le_bytes()));
        let as_signed =
            |values: &[u64]| -> Vec<i64> { values.iter().map(|&value| value as i64).collect() };
        let more: Vec<(&str, ArrayRef)> = vec![
            (
                "digest_1",
                column(&|row| row.digest.map(|d| (d >> 64) as i64)),
            ),
            ("digest_2", column(&|row| row.digest.map(|d| d as i64))),
            ("rank_value", column(&|row| Some(signed(row.rank)))),
            ("keep_per", column(&|row| Some(row.keep_per as i64))),
            ("keys", lists(&|row| as_signed(&row.keys))),
            ("sketch", Arc::new(sketches.finish())),
            (
                "sizes",
                lists(&|row| row.sizes.iter().map(|&size| i64::from(size)).collect()),
            ),
            (
                "class",
                Arc::new(
                    rows.iter()
                        .map(|row| Some(class(row)))
                        .collect::<Int32Array>(),
                ),
            ),
            ("sampled", lists(&|row| as_signed(&row.sampled))),
        ];
        more_columns(batch, carried, more)
    }
}

/// Whether texts of a field are running text, and no questions.
#[pyfunction]
pub(crate) fn is_running_text(texts: Vec<String>) -> bool {
    let total = texts.iter().map(|text| letters(text)).sum();
    decide::is_running_text(texts.len() as u64, total)
}

/// The texts of a unit, field by field.
fn fields_of(unit: &Unit<'_>) -> Vec<String> {
    if unit.fields.is_empty() {
        return vec![unit.text.to_string()];
    }
    let text = |field: &std::ops::Range<usize>| unit.text.get(field.clone()).unwrap_or_default();
    unit.fields
        .iter()
        .map(|field| text(field).to_string())
        .collect()
}

/// A unit as it is numbered, if that is possible.
fn unit_number(number: i64) -> Result<u32, Failure> {
    let number = u32::try_from(number)
        .ok()
        .filter(|number| *number < u32::MAX);
    let problem = "there are more units than can be numbered: at most 4,294,967,294";
    number.ok_or_else(|| Failure::from(KernelError::Internal(problem.to_string())))
}
