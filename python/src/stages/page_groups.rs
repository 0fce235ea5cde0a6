//! What several documents are to each other: near-identical ones, what frames them, and those that are parts of one.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray};
use arrow_select::filter::filter_record_batch;
use lookalike::kernel::decide::{
    Framing, LeastFramed, near_identical_bands, near_identical_in_band,
};
use lookalike::pair::assemble::{
    Link, Part, PartsOf, are_nearly_all, in_line, is_one_story, told_by,
};
use lookalike::program::Failure;
use lookalike::text::{RecordId, UnitId};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use super::columns::{chosen_rows, column, lists, more_columns, numbers, of_numbers};
use super::neighbours::rows_by;
use super::{Stages, unit_number};
use crate::batch::{Batch, one_batch};
use crate::errors::calling;
use crate::kernels::text_at;

/// The sentences of a document and their words, as lists have them.
struct Sentences {
    units: Vec<UnitId>,
    words: BTreeMap<UnitId, u32>,
}

impl Sentences {
    fn of(firsts: &[i64], words: &[i64]) -> Result<Self, Failure> {
        let units = firsts
            .iter()
            .map(|&first| unit_number(first).map(UnitId::from));
        let units = units.collect::<Result<Vec<_>, _>>()?;
        let words = words.iter().map(|&words| 1 + words as u32);
        Ok(Sentences {
            words: units.iter().copied().zip(words).collect(),
            units,
        })
    }
}

/// The bands by which near-identical documents are found: `record` in, with `firsts`, its sentences in order, each once, and
/// `lengths`, their words; rows of `band` and `record` out.
#[pyfunction]
pub(crate) fn page_bands(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let records = numbers(&batch, "record")?;
        let (firsts, lengths) = (lists(&batch, "firsts")?, lists(&batch, "lengths")?);
        let (mut bands, mut of) = (Vec::new(), Vec::new());
        for row in 0..batch.num_rows() {
            let mut set = Sentences::of(&firsts[row], &lengths[row])?;
            let words = set.words;
            let length = |unit: UnitId| words.get(&unit).copied().unwrap_or(1);
            for band in near_identical_bands(&mut set.units, length) {
                bands.push(band as i64);
                of.push(records.value(row));
            }
        }
        Ok(Batch {
            batch: of_numbers(vec![("band", bands), ("record", of)])?,
        })
    })
}

/// Near-identical documents of the bands of a part, all of each band: rows of `band` and what [`page_bands`] is told in; a document as
/// `second` and the earlier one that it is near-identical to as `first` out.
#[pyfunction]
pub(crate) fn near_identical(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let records = numbers(&batch, "record")?;
        let (firsts, lengths) = (lists(&batch, "firsts")?, lists(&batch, "lengths")?);
        let (mut first, mut second): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
        for rows in rows_by(numbers(&batch, "band")?) {
            let mut of_band: BTreeMap<RecordId, Vec<UnitId>> = BTreeMap::new();
            let mut words: BTreeMap<UnitId, u32> = BTreeMap::new();
            for row in rows {
                let sentences = Sentences::of(&firsts[row], &lengths[row])?;
                let record = RecordId::from(unit_number(records.value(row))?);
                words.extend(sentences.words);
                of_band.insert(record, sentences.units);
            }
            let get = |record: RecordId, set: &mut Vec<UnitId>| set.clone_from(&of_band[&record]);
            let length = |unit: UnitId| words.get(&unit).copied().unwrap_or(1);
            for (record, earlier) in near_identical_in_band(of_band.keys().copied(), get, length) {
                first.push(earlier.get().into());
                second.push(record.get().into());
            }
        }
        Ok(Batch {
            batch: of_numbers(vec![("first", first), ("second", second)])?,
        })
    })
}

/// In how many of so many documents what is at both their edges stands at least to be a frame; none if only a limit tells.
#[pyfunction]
pub(crate) fn least_framed(stages: &Stages, documents: usize) -> Option<usize> {
    LeastFramed::of(&stages.spec, documents).map(|least| least.at_both)
}

/// The sentences that are of a frame, in a collection of so many documents: rows of sentences in, with `record`, the `leader` that stands
/// for it, `unit`, the `first` of those identical to it, its `length` and in how many documents it stands, `wide`, where these are
/// several; the `first` of frames out.
#[pyfunction]
pub(crate) fn frames(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    documents: usize,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (records, leaders) = (numbers(&batch, "record")?, numbers(&batch, "leader")?);
        let (units, firsts) = (numbers(&batch, "unit")?, numbers(&batch, "first")?);
        let (lengths, documents_of) = (numbers(&batch, "length")?, numbers(&batch, "wide")?);
        let mut wide: BTreeMap<UnitId, usize> = BTreeMap::new();
        for row in (0..batch.num_rows()).filter(|&row| documents_of.is_valid(row)) {
            let first = UnitId::from(unit_number(firsts.value(row))?);
            wide.insert(first, documents_of.value(row) as usize);
        }
        let mut found = Vec::new();
        if let Some(least) = LeastFramed::of(&stages.spec, documents) {
            let mut framing = Framing::new(least, wide);
            for mut rows in rows_by(records) {
                rows.sort_by_key(|&row| units.value(row));
                let leader = RecordId::from(unit_number(leaders.value(rows[0]))?);
                let sentence = |&row: &usize| -> Result<(UnitId, u16), Failure> {
                    let first = UnitId::from(unit_number(firsts.value(row))?);
                    Ok((first, lengths.value(row).try_into().unwrap_or(u16::MAX)))
                };
                let sentences = rows.iter().map(sentence).collect::<Result<Vec<_>, _>>()?;
                framing.add(leader, &sentences);
            }
            found.extend(framing.frames().iter().map(|first| i64::from(first.get())));
        }
        Ok(Batch {
            batch: of_numbers(vec![("first", found)])?,
        })
    })
}

/// Documents with others in them: `whole` with its `text`, and `begins`, `ends` and `parts`, the places of these in order. Those that
/// have several apart from each other out, with `parts` and whether these are the pages of one story.
#[pyfunction]
pub(crate) fn parts_of(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (wholes, texts) = (numbers(&batch, "whole")?, column(&batch, "text")?);
        let (begins, ends) = (lists(&batch, "begins")?, lists(&batch, "ends")?);
        let parts = lists(&batch, "parts")?;
        let (mut rows, mut stories) = (Vec::new(), Vec::new());
        let mut apart = ListBuilder::new(Int64Builder::new());
        for row in 0..batch.num_rows() {
            let whole = RecordId::from(unit_number(wholes.value(row))?);
            let mut places = Vec::new();
            for ((&begin, &end), &part) in begins[row].iter().zip(&ends[row]).zip(&parts[row]) {
                places.push(Part {
                    whole,
                    begin: begin as u32,
                    end: end as u32,
                    part: RecordId::from(unit_number(part)?),
                });
            }
            places.sort_unstable();
            let Some(held) = PartsOf::new(&places) else {
                continue;
            };
            rows.push(row as u64);
            stories.push(held.are_pages_of(text_at(texts, row)?));
            for part in held.parts() {
                apart.values().append_value(part.get().into());
            }
            apart.append(true);
        }
        let names = ["whole"].map(String::from);
        let wholes = chosen_rows(&more_columns(&batch, &names, Vec::new())?, rows)?;
        let more: Vec<(&str, ArrayRef)> = vec![
            ("parts", Arc::new(apart.finish())),
            ("is_story", Arc::new(BooleanArray::from(stories))),
        ];
        Ok(Batch {
            batch: more_columns(&wholes, &names, more)?,
        })
    })
}

/// The pages that others make up: `page` with its `length`, and `begins` and `ends`, the stretches that others have, too.
#[pyfunction]
pub(crate) fn made_up(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (pages, lengths) = (numbers(&batch, "page")?, numbers(&batch, "length")?);
        let (begins, ends) = (lists(&batch, "begins")?, lists(&batch, "ends")?);
        let mut made_up = Vec::new();
        for row in 0..batch.num_rows() {
            let stretches = begins[row].iter().zip(&ends[row]);
            let stretches = stretches.map(|(&begin, &end)| (begin as u32, end as u32));
            if are_nearly_all(stretches, lengths.value(row) as u32) {
                made_up.push(pages.value(row));
            }
        }
        Ok(Batch {
            batch: of_numbers(vec![("page", made_up)])?,
        })
    })
}

/// The pages of articles in the order in which they are read, all links of each in: `article`, `a`, `b`, `length_a`, `length_b` and
/// `shift`. None of articles that pairs say different things of. `is_told` of those that are read one after the other.
#[pyfunction]
pub(crate) fn pages_in_line(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let column = |name: &str| numbers(&batch, name);
        let (articles, a, b) = (column("article")?, column("a")?, column("b")?);
        let (length_a, length_b) = (column("length_a")?, column("length_b")?);
        let shifts = column("shift")?;
        let mut out: [Vec<i64>; 4] = Default::default();
        for rows in rows_by(articles) {
            let link = |&row: &usize| -> Result<Link, Failure> {
                let record = |number: i64| unit_number(number).map(RecordId::from);
                Ok(Link {
                    article: record(articles.value(row))?,
                    a: record(a.value(row))?,
                    b: record(b.value(row))?,
                    length_a: length_a.value(row) as u32,
                    length_b: length_b.value(row) as u32,
                    shift: shifts.value(row) as i32,
                })
            };
            let mut links = rows.iter().map(link).collect::<Result<Vec<_>, _>>()?;
            links.sort_unstable();
            let Some(pages) = in_line(&links) else {
                continue;
            };
            let told = told_by(&pages);
            for (place, page) in (0..).zip(&pages) {
                let is_told = i64::from(told.contains(&page.record));
                let values = [
                    articles.value(rows[0]),
                    page.record.get().into(),
                    place,
                    is_told,
                ];
                (out.iter_mut().zip(values)).for_each(|(column, value)| column.push(value));
            }
        }
        let [article, page, place, is_told] = out;
        Ok(Batch {
            batch: of_numbers(vec![
                ("article", article),
                ("page", page),
                ("place", place),
                ("is_told", is_told),
            ])?,
        })
    })
}

/// Those of the rows whose `texts`, read one after the other, tell one story.
#[pyfunction]
pub(crate) fn stories(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let texts = column(&batch, "texts")?;
        let texts = texts.as_list_opt::<i32>();
        let texts =
            texts.ok_or_else(|| anyhow::anyhow!("there is no column \"texts\" of lists"))?;
        let mut are_stories = Vec::new();
        for row in 0..batch.num_rows() {
            let own = texts.value(row);
            let own = (0..own.len()).map(|place| text_at(&own, place).map(str::to_string));
            let own = own.collect::<Result<Vec<_>, _>>()?;
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            are_stories.push(is_one_story(&own));
        }
        let names = ["article"].map(String::from);
        let articles = more_columns(&batch, &names, Vec::new())?;
        Ok(Batch {
            batch: filter_record_batch(&articles, &BooleanArray::from(are_stories))?,
        })
    })
}
