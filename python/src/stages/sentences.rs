//! Sentences: records split into them, and what is said of two that are similar.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use lookalike::engine::{KeepValues, for_each_ranked_unit};
use lookalike::kernel::jobs::Split;
use lookalike::kernel::{Spec, decide};
use lookalike::pair::assemble::{Comparer, Kind, Seen, Statement};
use lookalike::pair::verify::{Keep, Score, measure};
use lookalike::program::Failure;
use lookalike::sign::Features;
use lookalike::text::{Unit, UnitId};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use super::Stages;
use super::columns::{append_changed, bits, chosen_rows, column, more_columns, numbers, without};
use crate::batch::{Batch, one_batch};
use crate::errors::calling;
use crate::kernels::{records, text_at};

/// What a plan over frames has to know of sentences.
pub(super) fn known(spec: &Spec) -> serde_json::Value {
    let Split::Sentences(sentences) = spec.job.split(spec) else {
        return serde_json::Value::Null;
    };
    serde_json::json!({
        "title_field": sentences.title_field,
        "date_field": sentences.date_field,
        "reference_field": sentences.reference_field,
        "within_article": sentences.within_article,
        "window": sentences.window,
        "frame": decide::FRAME,
        "most_articles": decide::MOST_ARTICLES,
        "large_share": decide::LARGE_SHARE,
        "large_count": decide::LARGE_COUNT,
    })
}

/// Splits records into sentences: a row each with the columns to carry, its place among those of the record, its number in the
/// article, whether it is a reference, what it says, and what decides which one is kept.
#[pyfunction]
pub(crate) fn split(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    carried: Vec<String>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let spec = &stages.spec;
        let fields = &spec.input.text_field;
        // Where references are part of the text, they are text.
        let references =
            (!fields.contains(&spec.sentences.reference_field)).then_some(fields.len());
        let (mut rows, mut places) = (Vec::new(), Int64Builder::new());
        let (mut sentences, mut texts) = (Int64Builder::new(), StringBuilder::new());
        let mut in_references = BooleanBuilder::new();
        let (mut ranks, mut per) = (Int64Builder::new(), Int64Builder::new());
        let mut place = 0;
        let source = records(batch.clone());
        for_each_ranked_unit(&source, spec, false, &mut |number, values, unit| {
            let row = number - 1;
            place = match rows.last() {
                Some(&last) if last == row => place + 1,
                _ => 0,
            };
            rows.push(row);
            places.append_value(place);
            sentences.append_value(unit.place.number.into());
            in_references.append_value(references == Some(unit.place.field.into()));
            texts.append_value(unit.text);
            ranks.append_value(values.rank as i64);
            per.append_value(values.per as i64);
        })?;
        let carried_columns = more_columns(&batch, &carried, Vec::new())?;
        let more: Vec<(&str, ArrayRef)> = vec![
            ("place", Arc::new(places.finish())),
            ("sentence", Arc::new(sentences.finish())),
            ("in_references", Arc::new(in_references.finish())),
            ("text", Arc::new(texts.finish())),
            ("__keep_value", Arc::new(ranks.finish())),
            ("__keep_per", Arc::new(per.finish())),
        ];
        Ok(Batch {
            batch: more_columns(&chosen_rows(&carried_columns, rows)?, &carried, more)?,
        })
    })
}

/// Tells each sentence of what [`split`] made.
pub(super) fn for_each_sentence(
    batch: &RecordBatch,
    each: &mut dyn FnMut(usize, KeepValues, Unit<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let texts = column(batch, "text")?;
    let (ranks, per) = (
        numbers(batch, "__keep_value")?,
        numbers(batch, "__keep_per")?,
    );
    for row in 0..batch.num_rows() {
        let values = KeepValues {
            rank: ranks.value(row) as u64,
            per: per.value(row) as u64,
        };
        let unit = Unit::whole(UnitId::from(0), text_at(texts, row)?);
        each(row, values, unit)?;
    }
    Ok(())
}

/// The sentences of one side of pairs: `…_text`, `…_title` and `…_in_references`.
struct Statements<'b> {
    texts: &'b ArrayRef,
    titles: &'b ArrayRef,
    in_references: &'b BooleanArray,
}

impl<'b> Statements<'b> {
    fn of(batch: &'b RecordBatch, side: &str) -> Result<Self, Failure> {
        Ok(Statements {
            texts: column(batch, &format!("{side}_text"))?,
            titles: column(batch, &format!("{side}_title"))?,
            in_references: bits(batch, &format!("{side}_in_references"))?,
        })
    }

    fn get(&self, row: usize) -> Result<Statement<'b>, Failure> {
        let has_title = self.titles.is_valid(row);
        Ok(Statement {
            text: text_at(self.texts, row)?,
            title: has_title.then(|| text_at(self.titles, row)).transpose()?,
            in_references: self.in_references.value(row),
        })
    }
}

/// What similar sentences say of others: of the pairs that state different facts in articles about different subjects the columns
/// that are no texts, for each side numbers for the title and the facts of the other one, and whether they name their subjects.
#[pyfunction]
pub(crate) fn outlines(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (a, b) = (Statements::of(&batch, "a")?, Statements::of(&batch, "b")?);
        let mut comparer = Comparer::new();
        let mut rows = Vec::new();
        let mut marks: [Int64Builder; 4] = Default::default();
        let mut has_subjects = BooleanBuilder::new();
        for row in 0..batch.num_rows() {
            let (one, two) = (a.get(row)?, b.get(row)?);
            let outline = comparer.outline(one, two);
            let Some(outline) = outline.filter(|outline| outline.is_elsewhere) else {
                continue;
            };
            rows.push(row as u64);
            has_subjects.append_value(outline.has_subjects);
            let of_a = decide::likeness(&outline, 1, two.title);
            let of_b = decide::likeness(&outline, 0, one.title);
            let values = [of_a.0, of_a.1, of_b.0, of_b.1];
            (marks.iter_mut().zip(values))
                .for_each(|(mark, value)| mark.append_value(value.into()));
        }
        let [a_titles, a_facts, b_titles, b_facts] = marks.map(|mut mark| mark.finish());
        let more: Vec<(&str, ArrayRef)> = vec![
            ("a_like_title", Arc::new(a_titles)),
            ("a_like_facts", Arc::new(a_facts)),
            ("b_like_title", Arc::new(b_titles)),
            ("b_like_facts", Arc::new(b_facts)),
            ("has_subjects", Arc::new(has_subjects.finish())),
        ];
        let names = without_statements(&batch, &[]);
        Ok(Batch {
            batch: more_columns(&chosen_rows(&batch, rows)?, &names, more)?,
        })
    })
}

fn without_statements(batch: &RecordBatch, also: &[&str]) -> Vec<String> {
    let sides = ["a", "b"].into_iter();
    let names: Vec<String> = sides
        .flat_map(|side| ["text", "title", "in_references"].map(|name| format!("{side}_{name}")))
        .collect();
    let names: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .chain(also.iter().copied())
        .collect();
    without(batch, &names)
}

/// The pairs of sentences of the kinds that are wanted, with their edit similarity, their kind, how certain it is and what changed;
/// `is_frame` and `are_siblings` are what the others say of them.
#[pyfunction]
pub(crate) fn quoted(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (a, b) = (Statements::of(&batch, "a")?, Statements::of(&batch, "b")?);
        let frames = bits(&batch, "is_frame")?;
        let siblings = bits(&batch, "are_siblings")?;
        let wanted: &[Kind] = &stages.spec.sentences.kinds;
        let (mut comparer, mut edit) = (Comparer::new(), Edit::new(stages)?);
        let mut rows = Vec::new();
        let (mut edits, mut confidences) = (Float64Builder::new(), Float64Builder::new());
        let mut kinds = StringBuilder::new();
        let mut changes = ListBuilder::new(ListBuilder::new(StringBuilder::new()));
        for row in 0..batch.num_rows() {
            let (one, two) = (a.get(row)?, b.get(row)?);
            let seen = Seen::Among {
                is_frame: frames.value(row),
                are_siblings: siblings.value(row),
            };
            let change = comparer.compare_seen(one, two, seen);
            if !(wanted.is_empty() || wanted.contains(&change.kind)) {
                continue;
            }
            rows.push(row as u64);
            edits.append_value(edit.similarity(one.text, two.text));
            confidences.append_value(change.confidence);
            kinds.append_value(change.kind.to_string());
            append_changed(&mut changes, &change.changed);
        }
        let more: Vec<(&str, ArrayRef)> = vec![
            ("edit_similarity", Arc::new(edits.finish())),
            ("kind", Arc::new(kinds.finish())),
            ("confidence", Arc::new(confidences.finish())),
            ("changed", Arc::new(changes.finish())),
        ];
        let names = without(
            &batch,
            &[
                "is_frame",
                "are_siblings",
                "a_in_references",
                "b_in_references",
            ],
        );
        Ok(Batch {
            batch: more_columns(&chosen_rows(&batch, rows)?, &names, more)?,
        })
    })
}

/// Which share of letters stays.
struct Edit {
    keeper: Box<dyn Keep>,
    scorer: Box<dyn Score>,
    no_features: Features,
    characters: [Vec<u64>; 2],
}

impl Edit {
    fn new(stages: &Stages) -> Result<Self, Failure> {
        let (edit, background) = (measure("edit")?, &stages.kernel.plan().background);
        Ok(Edit {
            keeper: edit.keeper(background)?,
            scorer: edit.scorer(background)?,
            no_features: Features::default(),
            characters: Default::default(),
        })
    }

    fn similarity(&mut self, a: &str, b: &str) -> f64 {
        if a == b {
            return 1.0;
        }
        for (characters, text) in self.characters.iter_mut().zip([a, b]) {
            characters.clear();
            let unit = Unit::whole(UnitId::from(0), text);
            self.keeper.keep(&unit, &mut self.no_features, characters);
        }
        let [a, b] = &self.characters;
        self.scorer.score(a, b, 0.0).unwrap_or(0.0)
    }
}
