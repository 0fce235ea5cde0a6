//! Pairs of documents that share neighbouring words near each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::builder::BinaryBuilder;
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use lookalike::kernel::Signer;
use lookalike::kernel::decide::{self, CommonWords, DocumentSample, WordCounts};
use lookalike::pair::join::{MOST_PLACES, SharedKey};
use lookalike::program::Failure;
use lookalike::sign::neighbours::{RunningWord, neighbours_of_page};
use lookalike::text::{Unit, UnitId};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::PyRecordBatchReader;

use super::columns::{binary, column, lists, more_columns, numbers, of_numbers};
use super::pages::sentences_of;
use super::{Stages, unit_number};
use crate::batch::{Batch, one_batch};
use crate::errors::calling;
use crate::kernels::text_at;

/// The words of a page, sentence by sentence, and how many each has.
fn running_words(signer: &mut Signer, text: &str) -> (Vec<RunningWord>, Vec<usize>) {
    let (mut words, mut sizes) = (Vec::new(), Vec::new());
    for range in sentences_of(text) {
        let sentence = &text[range.start as usize..range.end as usize];
        let before = words.len();
        signer.running_words(&Unit::whole(UnitId::from(0), sentence), &mut words);
        sizes.push(words.len() - before);
    }
    (words, sizes)
}

/// The different words of the documents, `record` and `text`, that are in a sample of so many documents with so many words in
/// all.
#[pyfunction]
pub(crate) fn sampled_words(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    documents: u64,
    words: u64,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let sample = DocumentSample::of(documents, words);
        let (records, texts) = (numbers(&batch, "record")?, column(&batch, "text")?);
        let mut signer = stages.kernel.signer()?;
        let mut found = BinaryBuilder::new();
        for row in 0..batch.num_rows() {
            if !sample.has(unit_number(records.value(row))?.into()) {
                continue;
            }
            let (mut words, sizes) = running_words(&mut signer, text_at(texts, row)?);
            if sizes.is_empty() {
                continue;
            }
            words.retain(|word| !word.is_stretch());
            words.sort_unstable();
            words.dedup();
            found.append_value(bytemuck::cast_slice::<_, u8>(&words));
        }
        let words: ArrayRef = Arc::new(found.finish());
        Ok(Batch {
            batch: RecordBatch::try_from_iter([("words", words)])?,
        })
    })
}

/// The words that say too little, by all that a sample has: 32 bits each.
#[pyfunction]
pub(crate) fn common_words<'py>(
    py: Python<'py>,
    batch: PyRecordBatchReader,
) -> PyResult<Bound<'py, PyBytes>> {
    let batch = one_batch(py, batch)?;
    let words = calling(py, || {
        let mut counts = WordCounts::default();
        for words in binary(&batch, "words")?.iter().flatten() {
            counts.add(&words_of(words)?);
        }
        let mut hashes = counts.common().hashes();
        hashes.sort_unstable();
        Ok(hashes)
    })?;
    Ok(PyBytes::new(py, bytemuck::cast_slice(&words)))
}

fn words_of<W: bytemuck::AnyBitPattern>(bytes: &[u8]) -> Result<Vec<W>, Failure> {
    let (words, rest) = bytes.as_chunks::<4>();
    anyhow::ensure!(rest.is_empty(), "words are of four bytes each");
    Ok(words
        .iter()
        .map(|word| bytemuck::pod_read_unaligned(word))
        .collect())
}

/// The keys of the neighbouring words of documents, `record`, `text` and `common`, the places of sentences that are boilerplate;
/// a row each with where it is.
#[pyfunction]
pub(crate) fn neighbour_keys(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
    common: &[u8],
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let common = CommonWords::of(&words_of::<u32>(common)?);
        let (records, texts) = (numbers(&batch, "record")?, column(&batch, "text")?);
        let boilerplate = lists(&batch, "common")?;
        let mut signer = stages.kernel.signer()?;
        let (mut keys, mut of, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut found: Vec<(u64, u32)> = Vec::new();
        for (row, boilerplate) in boilerplate.iter().enumerate() {
            let (words, sizes) = running_words(&mut signer, text_at(texts, row)?);
            let mut rest = words.as_slice();
            let sentences = sizes.iter().zip(0..).map(|(&size, place)| {
                let (words, after) = rest.split_at(size);
                rest = after;
                (words, boilerplate.contains(&place))
            });
            found.clear();
            neighbours_of_page(
                sentences,
                |word| common.has(word),
                |key, place| {
                    found.push((key, place));
                },
            );
            found.sort_unstable();
            for same in found.chunk_by(|a, b| a.0 == b.0) {
                for &(key, place) in same.iter().take(MOST_PLACES) {
                    keys.push(key as i64);
                    of.push(records.value(row));
                    places.push(place.into());
                }
            }
        }
        Ok(Batch {
            batch: of_numbers(vec![("key", keys), ("record", of), ("place", places)])?,
        })
    })
}

/// The keys of a part that documents share, all of each key: for each place of a document the places of later ones, four bytes for
/// each of both. Keys that too many have are left out.
#[pyfunction]
pub(crate) fn shared_keys(py: Python<'_>, batch: PyRecordBatchReader) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (keys, records) = (numbers(&batch, "key")?, numbers(&batch, "record")?);
        let places = numbers(&batch, "place")?;
        let mut held = Vec::with_capacity(batch.num_rows());
        for row in 0..batch.num_rows() {
            let record = unit_number(records.value(row))?;
            held.push((keys.value(row), record, places.value(row) as u32));
        }
        held.sort_unstable();
        let (mut documents, mut shared) = (Vec::new(), Vec::new());
        let (mut at, mut later) = (Vec::new(), BinaryBuilder::new());
        for same in held.chunk_by(|a, b| a.0 == b.0) {
            let count = same.chunk_by(|a, b| a.1 == b.1).count();
            if count < 2 || decide::is_common_key(count) {
                continue;
            }
            let all: Vec<u32> = same.iter().flat_map(|held| [held.1, held.2]).collect();
            for &(key, record, place) in same {
                let others = same.partition_point(|held| held.1 <= record);
                if others < same.len() {
                    documents.push(i64::from(record));
                    shared.push(key);
                    at.push(i64::from(place));
                    later.append_value(bytemuck::cast_slice::<_, u8>(&all[2 * others..]));
                }
            }
        }
        let names = ["a", "key", "place"].map(String::from);
        let placed = of_numbers(vec![("a", documents), ("key", shared), ("place", at)])?;
        let later: ArrayRef = Arc::new(later.finish());
        Ok(Batch {
            batch: more_columns(&placed, &names, vec![("later", later)])?,
        })
    })
}

/// The pairs of documents that share enough keys near each other, given all that each shares with later ones.
#[pyfunction]
pub(crate) fn near_pairs(
    stages: &Stages,
    py: Python<'_>,
    batch: PyRecordBatchReader,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let (mut a, mut b): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
        if let Some(rule) = stages.kernel.plan().near {
            let (documents, keys) = (numbers(&batch, "a")?, numbers(&batch, "key")?);
            let (places, later) = (numbers(&batch, "place")?, binary(&batch, "later")?);
            let least = usize::from(rule.least_keys);
            for rows in rows_by(documents) {
                // Keys are told apart by numbers of their own.
                let mut own: BTreeMap<i64, u32> = BTreeMap::new();
                let mut shared = Vec::new();
                for &row in &rows {
                    let next = own.len() as u32;
                    let key = *own.entry(keys.value(row)).or_insert(next);
                    let place = places.value(row) as u32;
                    let others = words_of::<u32>(later.value(row))?;
                    let (others, _) = others.as_chunks::<2>();
                    shared.extend(others.iter().map(|&[other, there]| SharedKey {
                        other,
                        places: [place, there],
                        key,
                    }));
                }
                shared.sort_unstable();
                for of_other in shared.chunk_by_mut(|one, two| one.other == two.other) {
                    let other = of_other[0].other;
                    if of_other.len() >= least && rule.holds(of_other) {
                        a.push(documents.value(rows[0]));
                        b.push(other.into());
                    }
                }
            }
        }
        Ok(Batch {
            batch: of_numbers(vec![("a", a), ("b", b)])?,
        })
    })
}

/// The rows with each number, by the numbers.
pub(super) fn rows_by(numbers: &Int64Array) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by_key(|&row| numbers.value(row));
    let groups = order.chunk_by(|&one, &two| numbers.value(one) == numbers.value(two));
    groups.map(<[usize]>::to_vec).collect()
}
