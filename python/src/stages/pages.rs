//! Pages: split into sentences, those that are worth aligning, and what two of them share.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch};
use lookalike::engine::for_each_unit;
use lookalike::kernel::decide::{self, Dot, KnownDots, Worth};
use lookalike::kernel::{PreparedPage, Spec};
use lookalike::pair::assemble::alignment::{Aligner, Passage, Scratch, Shared, Span};
use lookalike::pair::assemble::{Joint, shift};
use lookalike::program::Failure;
use lookalike::sign::keys::Sketch;
use lookalike::text::{RecordId, SentenceOptions, Unit, UnitId, sentences};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use super::columns::{
    binary, bits, chosen_rows, column, lists, more_columns, numbers, of_numbers, sketch,
};
use super::{Stages, unit_number};
use crate::batch::{Batch, one_batch};
use crate::errors::calling;
use crate::kernels::{records, text_at};

/// A worker keeps the pages of about so much text for other pairs with them.
const KEPT_TEXT: usize = 4 << 20;

/// What a plan over frames has to know of passages.
pub(super) fn known(spec: &Spec) -> serde_json::Value {
    if !spec.job.locates_passages() {
        return serde_json::Value::Null;
    }
    serde_json::json!({
        "common_limit": spec.passages.common_limit(),
        "is_deep": spec.job.near(spec).is_some(),
        "text": spec.passages.text,
    })
}

/// The whole texts of records, null of those that cannot be used, with the columns to carry.
#[pyfunction]
pub(crate) fn page_texts(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    carried: Vec<String>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let mut texts: Vec<Option<String>> = vec![None; batch.num_rows()];
        let source = records(batch.clone());
        for_each_unit(&source, &stages.spec, true, &mut |number, unit| {
            texts[number as usize - 1] = Some(unit.text.to_string());
        })?;
        let mut column = StringBuilder::new();
        texts
            .iter()
            .for_each(|text| column.append_option(text.as_deref()));
        let more: Vec<(&str, ArrayRef)> = vec![("text", Arc::new(column.finish()))];
        Ok(Batch {
            batch: more_columns(&batch, &carried, more)?,
        })
    })
}

/// The sentences of a text.
pub(super) fn sentences_of(text: &str) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    sentences(text, &SentenceOptions::unlimited(), |sentence| {
        found.push(sentence.range.start as u32..sentence.range.end as u32);
    });
    found
}

fn part(text: &str, range: Range<u32>) -> &str {
    &text[range.start as usize..range.end as usize]
}

/// Splits pages into sentences: a row each with the columns to carry, its place in the page, what it says, about how many words
/// it has, and how many by which a deep search would look for it.
#[pyfunction]
pub(crate) fn split_pages(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    carried: Vec<String>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let pages = column(&batch, "text")?;
        let mut signer = stages.kernel.signer()?;
        let (mut rows, mut texts) = (Vec::new(), StringBuilder::new());
        let mut columns: [Vec<i64>; 3] = Default::default();
        let mut running = Vec::new();
        for row in (0..batch.num_rows()).filter(|&row| pages.is_valid(row)) {
            let page = text_at(pages, row)?;
            for (place, range) in (0..).zip(sentences_of(page)) {
                let text = part(page, range);
                running.clear();
                signer.running_words(&Unit::whole(UnitId::from(0), text), &mut running);
                rows.push(row as u64);
                texts.append_value(text);
                let length = decide::length_in_words(text);
                let values = [place, length.into(), running.len() as i64];
                (columns.iter_mut().zip(values)).for_each(|(column, value)| column.push(value));
            }
        }
        let zeros: ArrayRef = Arc::new(Int64Array::from(vec![0; rows.len()]));
        let [places, lengths, words] = columns.map(Int64Array::from);
        let carried_columns = more_columns(&batch, &carried, Vec::new())?;
        let more: Vec<(&str, ArrayRef)> = vec![
            ("place", Arc::new(places)),
            ("text", Arc::new(texts.finish())),
            ("length", Arc::new(lengths)),
            ("words", Arc::new(words)),
            ("__keep_value", Arc::clone(&zeros)),
            ("__keep_per", zeros),
        ];
        Ok(Batch {
            batch: more_columns(&chosen_rows(&carried_columns, rows)?, &carried, more)?,
        })
    })
}

/// What is known of dots, a row each.
#[derive(Default)]
struct Dots(BTreeMap<Dot, OfDot>);

#[derive(Clone, Copy)]
struct OfDot {
    is_identical: bool,
    is_all: bool,
    lengths: [Option<u16>; 2],
    sketches: [Sketch; 2],
}

impl KnownDots for Dots {
    fn is_identical(&self, dot: &Dot) -> bool {
        self.0[dot].is_identical
    }

    fn is_all(&self, dot: &Dot) -> bool {
        self.0[dot].is_all
    }

    fn lengths(&self, dot: &Dot) -> [Option<u16>; 2] {
        self.0[dot].lengths
    }

    fn sketches(&self, dot: &Dot) -> [Sketch; 2] {
        self.0[dot].sketches
    }
}

impl Dots {
    /// The dots of a part: `a` and `b`, of each side `of_…` with `…_length` and `…_sketch`, which are null where it is not known
    /// which sentence it is, and whether both are identical, and all there is.
    fn read(batch: &RecordBatch) -> Result<Self, Failure> {
        let (a, b) = (numbers(batch, "a")?, numbers(batch, "b")?);
        let of = [numbers(batch, "of_a")?, numbers(batch, "of_b")?];
        let lengths = [numbers(batch, "a_length")?, numbers(batch, "b_length")?];
        let sketches = [binary(batch, "a_sketch")?, binary(batch, "b_sketch")?];
        let (identical, all) = (bits(batch, "is_identical")?, bits(batch, "is_all")?);
        let mut dots = Dots::default();
        for row in 0..batch.num_rows() {
            let unit = |side: usize| match of[side].is_valid(row) {
                true => unit_number(of[side].value(row)).map(UnitId::from),
                false => Ok(UnitId::NONE),
            };
            let dot = Dot {
                a: RecordId::from(unit_number(a.value(row))?),
                b: RecordId::from(unit_number(b.value(row))?),
                of_a: unit(0)?,
                of_b: unit(1)?,
            };
            let length = |side: usize| {
                let is_there = of[side].is_valid(row) && lengths[side].is_valid(row);
                is_there.then(|| lengths[side].value(row).try_into().unwrap_or(u16::MAX))
            };
            let sketch_of = |side: usize| match sketches[side].is_valid(row) {
                true => sketch(sketches[side].value(row)),
                false => Sketch::default(),
            };
            let known = OfDot {
                is_identical: identical.value(row),
                is_all: all.value(row),
                lengths: [length(0), length(1)],
                sketches: [sketch_of(0), sketch_of(1)],
            };
            dots.0.insert(dot, known);
        }
        Ok(dots)
    }
}

/// The documents that are worth aligning, by all their dots.
#[pyfunction]
pub(crate) fn worth_aligning(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (worth, known) = (Worth::of(&stages.spec), Dots::read(&batch)?);
        let dots: Vec<Dot> = known.0.keys().copied().collect();
        let (mut a, mut b): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
        for dots in dots.chunk_by(|x, y| (x.a, x.b) == (y.a, y.b)) {
            if worth.is_worth_it(dots, &known) {
                a.push(dots[0].a.get().into());
                b.push(dots[0].b.get().into());
            }
        }
        Ok(Batch {
            batch: of_numbers(vec![("a", a), ("b", b)])?,
        })
    })
}

/// Pages that are ready, as long as they are not too long together.
struct Pages<'s> {
    aligner: &'s Aligner,
    scratch: Scratch,
    kept: BTreeMap<i64, Arc<PreparedPage>>,
    kept_text: usize,
}

impl Pages<'_> {
    fn get(&mut self, record: i64, text: &str, common: &[i64]) -> Arc<PreparedPage> {
        if let Some(page) = self.kept.get(&record) {
            return Arc::clone(page);
        }
        let sentences = sentences_of(text);
        let mut is_common = vec![false; sentences.len()];
        let places = common
            .iter()
            .filter_map(|&place| usize::try_from(place).ok());
        places.for_each(|place| {
            if let Some(is_common) = is_common.get_mut(place) {
                *is_common = true;
            }
        });
        let page = (self.aligner).page(text, &sentences, &is_common, &mut self.scratch);
        let page = Arc::new(PreparedPage::new(page, text.to_string()));
        self.kept_text += text.len();
        if self.kept_text > KEPT_TEXT {
            self.kept.clear();
            self.kept_text = text.len();
        }
        self.kept.insert(record, Arc::clone(&page));
        page
    }
}

/// What pairs of pages come to, a column each.
#[derive(Default)]
struct Aligned {
    relations: StringBuilder,
    joints: StringBuilder,
    goes_on: Vec<bool>,
    /// How far the second begins after the first, and how long both are.
    numbers: [Int64Builder; 3],
    /// What of each is in the other, and how similar that is.
    shares: [Float64Builder; 3],
    places: ListBuilder<Int64Builder>,
    similarities: ListBuilder<Float64Builder>,
    texts: [ListBuilder<StringBuilder>; 2],
}

impl Aligned {
    fn push(&mut self, pages: [&PreparedPage; 2], shared: Shared, passages: &[Passage]) {
        let [a, b] = pages;
        self.relations.append_value(shared.relation.name());
        let joint = Joint::of(shared.relation, shared.goes_on);
        self.joints.append_option(joint.map(Joint::name));
        self.goes_on.push(shared.goes_on);
        let place = |page: &PreparedPage, span: Span| {
            let at = |byte: u32| page.characters.at(byte);
            [
                at(span.begin),
                at(span.end),
                span.first_sentence,
                span.sentences,
            ]
        };
        let located: Vec<[[u32; 4]; 2]> = (passages.iter())
            .map(|passage| [place(a, passage.a), place(b, passage.b)])
            .collect();
        let shift = shift(located.iter().map(|[a, b]| (a[0], a[1], b[0])));
        let values = [
            shift.into(),
            a.own_characters.into(),
            b.own_characters.into(),
        ];
        (self.numbers.iter_mut().zip(values))
            .for_each(|(column, value)| column.append_value(value));
        let shares = [shared.covered_a, shared.covered_b, shared.similarity];
        (self.shares.iter_mut().zip(shares)).for_each(|(column, share)| column.append_value(share));
        for number in located.iter().flatten().flatten() {
            self.places.values().append_value((*number).into());
        }
        self.places.append(true);
        for passage in passages {
            self.similarities.values().append_value(passage.similarity);
        }
        self.similarities.append(true);
    }

    /// Adds what passages say, or that it is not wanted.
    fn say(&mut self, texts: Option<[&str; 2]>, passages: &[Passage]) {
        for (side, column) in self.texts.iter_mut().enumerate() {
            for passage in passages.iter().filter(|_| texts.is_some()) {
                let span = [passage.a, passage.b][side];
                let text = texts.map_or("", |texts| texts[side]);
                column.values().append_value(&text[span.bytes()]);
            }
            column.append(texts.is_some());
        }
    }

    fn columns(mut self) -> Vec<(&'static str, ArrayRef)> {
        let [shift, own_a, own_b] = self.numbers.map(|mut column| column.finish());
        let [covered_a, covered_b, similarity] = self.shares.map(|mut column| column.finish());
        let [a_texts, b_texts] = self.texts.map(|mut column| column.finish());
        vec![
            ("relation", Arc::new(self.relations.finish())),
            ("joint", Arc::new(self.joints.finish())),
            ("goes_on", Arc::new(BooleanArray::from(self.goes_on))),
            ("shift", Arc::new(shift)),
            ("own_a", Arc::new(own_a)),
            ("own_b", Arc::new(own_b)),
            ("covered_a", Arc::new(covered_a)),
            ("covered_b", Arc::new(covered_b)),
            ("similarity", Arc::new(similarity)),
            ("places", Arc::new(self.places.finish())),
            ("similarities", Arc::new(self.similarities.finish())),
            ("a_texts", Arc::new(a_texts)),
            ("b_texts", Arc::new(b_texts)),
        ]
    }
}

/// Aligns pairs of pages, `a` and `b` with `…_text` and `…_common`, the places of sentences that are boilerplate: those that share
/// anything, with what that is. Of each passage there are eight numbers in `places`, four a side: its first character and the one after
/// its last, its first sentence and how many it has.
#[pyfunction]
pub(crate) fn aligned(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let numbered = [numbers(&batch, "a")?, numbers(&batch, "b")?];
        let texts = [column(&batch, "a_text")?, column(&batch, "b_text")?];
        let common = [lists(&batch, "a_common")?, lists(&batch, "b_common")?];
        let aligner = stages.kernel.aligner()?;
        let mut pages = Pages {
            aligner: &aligner,
            scratch: aligner.scratch()?,
            kept: BTreeMap::new(),
            kept_text: 0,
        };
        let (mut rows, mut found, mut out) = (Vec::new(), Vec::new(), Aligned::default());
        for (row, common) in common[0].iter().zip(&common[1]).enumerate() {
            let said = [text_at(texts[0], row)?, text_at(texts[1], row)?];
            let a = pages.get(numbered[0].value(row), said[0], common.0);
            let b = pages.get(numbered[1].value(row), said[1], common.1);
            aligner.align(&a.page, &b.page, &mut pages.scratch, &mut found);
            let Some(shared) = Shared::of(&a.page, &b.page, &mut found) else {
                continue;
            };
            rows.push(row as u64);
            out.push([&a, &b], shared, &found);
            out.say(stages.spec.passages.text.then_some(said), &found);
        }
        let names = ["a", "b"].map(String::from);
        let pairs = more_columns(&batch, &names, Vec::new())?;
        Ok(Batch {
            batch: more_columns(&chosen_rows(&pairs, rows)?, &names, out.columns())?,
        })
    })
}
