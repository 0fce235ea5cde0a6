//! Pairs of what shares a key, and clusters of pairs.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use lookalike::kernel::decide;
use lookalike::pair::Pair;
use lookalike::pair::assemble::{Components, Directed, Stars};
use lookalike::pair::join::{Posting, Sift, bucket_digest, candidates, unit_digest};
use lookalike::program::Failure;
use lookalike::sign::keys::{Sieve, Sketch};
use lookalike::text::UnitId;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use super::columns::{
    binary, chosen_rows, more_columns, numbers, of_numbers, signed, sketch, without,
};
use super::{Stages, unit_number};
use crate::batch::{Batch, one_batch};
use crate::errors::calling;

/// What is known of the units of a part, in the order of their numbers.
struct Known {
    units: Vec<(u32, i64, Sketch)>,
    sieve: Option<Sieve>,
}

impl Known {
    fn read(batch: &RecordBatch, sieve: Option<Sieve>) -> Result<Self, Failure> {
        let (numbered, ranks) = (numbers(batch, "unit")?, numbers(batch, "rank")?);
        let sketches = sieve.map(|_| binary(batch, "sketch")).transpose()?;
        let mut units = Vec::with_capacity(batch.num_rows());
        for row in 0..batch.num_rows() {
            let sketch = sketches.map_or(0, |sketches| sketch(sketches.value(row)));
            let unit = unit_number(numbered.value(row))?;
            units.push((unit, ranks.value(row), sketch));
        }
        units.sort_unstable_by_key(|unit| unit.0);
        units.dedup_by_key(|unit| unit.0);
        Ok(Known { units, sieve })
    }

    fn place(&self, unit: UnitId) -> usize {
        self.units.partition_point(|other| other.0 < unit.get())
    }

    fn rank(&self, unit: UnitId) -> i64 {
        self.units[self.place(unit)].1
    }

    /// The places of all units in the order of rank.
    fn places_by_rank(&self) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        order.sort_unstable_by_key(|&place| self.units[place].1);
        let mut places = vec![0; order.len()];
        for (place, unit) in (0..).zip(order) {
            places[unit] = place;
        }
        places
    }
}

impl Sift for Known {
    type Sketch = Sketch;

    fn sifts(&self) -> bool {
        self.sieve.is_some()
    }

    fn sketch(&self, unit: UnitId) -> Sketch {
        match self.sieve {
            Some(_) => self.units[self.place(unit)].2,
            None => 0,
        }
    }

    fn admits(&self, a: Sketch, b: Sketch) -> bool {
        self.sieve.is_none_or(|sieve| sieve.admits(a, b))
    }
}

/// Pairs with the ranks of their units, and members of hot buckets.
#[derive(Default)]
struct Found {
    a: Vec<i64>,
    b: Vec<i64>,
    a_rank: Vec<i64>,
    b_rank: Vec<i64>,
}

impl Found {
    fn push(&mut self, pair: Pair, known: &Known) {
        self.a.push(pair.lo().get().into());
        self.b.push(pair.hi().get().into());
        self.a_rank.push(known.rank(pair.lo()));
        self.b_rank.push(known.rank(pair.hi()));
    }
}

/// A bucket as rows: what orders it among others, its size, and its units by rank.
#[derive(Default)]
struct Buckets {
    digest_1: Vec<i64>,
    digest_2: Vec<i64>,
    size: Vec<i64>,
    place: Vec<i64>,
    unit: Vec<i64>,
}

/// A digest as two numbers that are ordered as it is.
fn as_signed(digest: u128) -> (i64, i64) {
    (signed((digest >> 64) as u64), signed(digest as u64))
}

impl Buckets {
    /// Adds a bucket, of which so many rows are made at the most.
    fn push(&mut self, units: &[UnitId], most: usize) {
        let digest = as_signed(bucket_digest(units));
        for (place, unit) in (0..).zip(units.iter().take(most)) {
            self.digest_1.push(digest.0);
            self.digest_2.push(digest.1);
            self.size.push(units.len() as i64);
            self.place.push(place);
            self.unit.push(unit.get().into());
        }
    }
}

/// The pairs of a part of the postings, all of each key: rows of `key`, `unit`, `rank` and `sketch` in; pairs out, and the
/// buckets that are too large to compare in full, a row a member in the order of rank, or for so many members.
#[pyfunction]
#[pyo3(signature = (stages, batch, units, most_members=None))]
pub(crate) fn bucket_pairs(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    units: u64,
    most_members: Option<usize>,
) -> PyResult<(Batch, Batch)> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let rule = decide::bucket_rule(&stages.kernel, units);
        let known = Known::read(&batch, stages.kernel.plan().sieve)?;
        let (keys, of) = (numbers(&batch, "key")?, numbers(&batch, "unit")?);
        let mut postings = Vec::with_capacity(batch.num_rows());
        for row in 0..batch.num_rows() {
            let unit = UnitId::from(unit_number(of.value(row))?);
            postings.push(Posting::new(keys.value(row) as u64, unit));
        }
        let places = known.places_by_rank();
        let (mut found, mut hot) = (Found::default(), Buckets::default());
        candidates(
            &mut postings,
            (rule, &known),
            |unit| places[known.place(unit)],
            &mut |pair| found.push(pair, &known),
            &mut |bucket| hot.push(bucket, most_members.unwrap_or(usize::MAX)),
        );
        // They are in the order of their keys now.
        let mut names = HashMap::new();
        let buckets = postings.chunk_by(|a, b| a.key() == b.key());
        for bucket in buckets.filter(|bucket| bucket.len() > rule.limit) {
            let units: Vec<UnitId> = bucket.iter().map(|posting| posting.unit()).collect();
            names
                .entry(as_signed(bucket_digest(&units)))
                .or_insert(bucket[0].key());
        }
        Ok((found.batch()?, hot.batch(&names, &known)?))
    })
}

/// What is left of buckets, a row a member: `bucket_1` and `bucket_2`, by which they are told apart, `unit` and `rank` in;
/// the same with its size, its digest and the places of its units out.
#[pyfunction]
pub(crate) fn buckets_again(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (one, two) = (numbers(&batch, "bucket_1")?, numbers(&batch, "bucket_2")?);
        let (units, ranks) = (numbers(&batch, "unit")?, numbers(&batch, "rank")?);
        let mut members = Vec::with_capacity(batch.num_rows());
        for row in 0..batch.num_rows() {
            let unit = unit_number(units.value(row))?;
            members.push(((one.value(row), two.value(row)), ranks.value(row), unit));
        }
        members.sort_unstable();
        let (mut buckets, mut names) = (Buckets::default(), (Vec::new(), Vec::new()));
        for bucket in members.chunk_by(|a, b| a.0 == b.0).filter(|b| b.len() > 1) {
            let units: Vec<UnitId> = bucket.iter().map(|m| UnitId::from(m.2)).collect();
            buckets.push(&units, usize::MAX);
            names.0.extend(bucket.iter().map(|member| member.0.0));
            names.1.extend(bucket.iter().map(|member| member.0.1));
        }
        let mut columns = buckets.columns();
        columns.extend([("bucket_1", names.0), ("bucket_2", names.1)]);
        Ok(Batch {
            batch: of_numbers(columns)?,
        })
    })
}

/// Units with what each adds to the digests of its buckets, as two numbers: `digest_1` and `digest_2`.
#[pyfunction]
pub(crate) fn unit_digests(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (mut digest_1, mut digest_2) = (Vec::new(), Vec::new());
        for &unit in numbers(&batch, "unit")?.values() {
            let digest = unit_digest(UnitId::from(unit_number(unit)?));
            digest_1.push((digest >> 64) as i64);
            digest_2.push(digest as i64);
        }
        let array = |numbers: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(numbers)) };
        let more = vec![("digest_1", array(digest_1)), ("digest_2", array(digest_2))];
        Ok(Batch {
            batch: more_columns(&batch, &without(&batch, &[]), more)?,
        })
    })
}

/// Which pairs, by `a_sketch` and `b_sketch`, are worth a comparison: a bit each.
#[pyfunction]
pub(crate) fn sifted(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
) -> PyResult<Vec<bool>> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (a, b) = (binary(&batch, "a_sketch")?, binary(&batch, "b_sketch")?);
        let sieve = stages.kernel.plan().sieve;
        let admits = |row: usize| {
            sieve.is_none_or(|sieve| sieve.admits(sketch(a.value(row)), sketch(b.value(row))))
        };
        Ok((0..batch.num_rows()).map(admits).collect())
    })
}

impl Found {
    fn batch(self) -> Result<Batch, Failure> {
        let columns = vec![
            ("a", self.a),
            ("b", self.b),
            ("a_rank", self.a_rank),
            ("b_rank", self.b_rank),
        ];
        Ok(Batch {
            batch: of_numbers(columns)?,
        })
    }
}

impl Buckets {
    fn columns(self) -> Vec<(&'static str, Vec<i64>)> {
        vec![
            ("digest_1", self.digest_1),
            ("digest_2", self.digest_2),
            ("size", self.size),
            ("place", self.place),
            ("unit", self.unit),
        ]
    }

    /// The rows with a key that the units have in common, their ranks and sketches.
    fn batch(self, names: &HashMap<(i64, i64), u64>, known: &Known) -> Result<Batch, Failure> {
        let digests = self
            .digest_1
            .iter()
            .copied()
            .zip(self.digest_2.iter().copied());
        let keys = digests.map(|digest| names.get(&digest).map_or(0, |&key| key as i64));
        let keys: Vec<i64> = keys.collect();
        let members = self
            .unit
            .iter()
            .map(|&unit| known.units[known.place(UnitId::from(unit as u32))]);
        let (mut ranks, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
        for (_, rank, sketch) in members {
            ranks.push(rank);
            low.push(sketch as i64);
            high.push((sketch >> 64) as i64);
        }
        let mut columns = self.columns();
        columns.extend([("key", keys), ("rank", ranks)]);
        columns.extend([("sketch_low", low), ("sketch_high", high)]);
        Ok(Batch {
            batch: of_numbers(columns)?,
        })
    }
}

/// The pairs that a kept unit takes another by: rows of `first`, `second` (ranks) and `similarity`, all that have one of them in
/// common with another row; those that take out.
#[pyfunction]
pub(crate) fn stars(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (first, second) = (numbers(&batch, "first")?, numbers(&batch, "second")?);
        let similarity = batch.column_by_name("similarity");
        let similarity = similarity.and_then(|column| column.as_primitive_opt::<Float64Type>());
        let (ranks, mut pairs) = dense(first, second);
        pairs.sort_unstable();
        let mut stars = Stars::new(ranks.len());
        let mut rows = Vec::new();
        for (first, second, row) in pairs {
            let similarity = similarity.filter(|column| column.is_valid(row));
            let pair = Directed {
                first,
                second,
                similarity: similarity.map_or(f64::NAN, |column| column.value(row)),
            };
            if stars.take(pair).is_some() {
                rows.push(row as u64);
            }
        }
        Ok(Batch {
            batch: chosen_rows(&batch, rows)?,
        })
    })
}

/// What is linked by pairs, also over others: rows of `first` and `second` (ranks) in; each that is not the smallest of its
/// component as `second`, with the smallest as `first`, out.
#[pyfunction]
pub(crate) fn components(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (ranks, pairs) = dense(numbers(&batch, "first")?, numbers(&batch, "second")?);
        let mut components = Components::new(ranks.len());
        for (first, second, _) in pairs {
            components.link(first, second);
        }
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (place, &rank) in (0..).zip(&ranks) {
            let smallest = components.first_of(place);
            if smallest != place {
                first.push(ranks[smallest as usize]);
                second.push(rank);
            }
        }
        Ok(Batch {
            batch: of_numbers(vec![("first", first), ("second", second)])?,
        })
    })
}

/// Of the pairs of whole components, `a` and `b`, those that link what no earlier one has linked.
#[pyfunction]
pub(crate) fn linking(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (units, mut pairs) = dense(numbers(&batch, "a")?, numbers(&batch, "b")?);
        pairs.sort_unstable();
        let mut components = Components::new(units.len());
        pairs.retain(|&(a, b, _)| components.link(a, b));
        let rows = pairs.into_iter().map(|(_, _, row)| row as u64).collect();
        Ok(Batch {
            batch: chosen_rows(&batch, rows)?,
        })
    })
}

/// The different numbers of two columns in order, and of each row the places of both among them.
fn dense(first: &Int64Array, second: &Int64Array) -> (Vec<i64>, Vec<(u32, u32, usize)>) {
    let mut all: Vec<i64> = (first.values().iter().chain(second.values()))
        .copied()
        .collect();
    all.sort_unstable();
    all.dedup();
    let place = |number: i64| all.partition_point(|&other| other < number) as u32;
    let pairs = (0..first.len())
        .map(|row| (place(first.value(row)), place(second.value(row)), row))
        .collect();
    (all, pairs)
}
