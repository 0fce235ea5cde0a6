//! The kernel over record batches, for engines that bring texts together themselves: pure functions of their arguments.
//!
//! Statistics are rows that can be added up by any engine: how many documents have a word, under `kind` and `term`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

use arrow_array::builder::{
    Float64Builder, ListBuilder, StringBuilder, StructBuilder, UInt32Builder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, RecordBatchOptions, StringArray,
    StructArray, UInt32Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Fields, Schema};
use arrow_select::nullif::nullif;
use arrow_select::take::take;
use lookalike::engine::for_each_unit;
use lookalike::io::ArrowRecords;
use lookalike::kernel::{
    Error as KernelError, Kernel, Setting, Signer, Spec, Statistics, TwoPages,
};
use lookalike::program::{self, Failure};
use lookalike::sign::stats::{LexiconBuilder, TermCount};
use lookalike::sign::weights::{TermCounts, TermTable, TermWeights};
use lookalike::text::{TokenSink, Tokenizer, Unit};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use crate::batch::{Batch, one_batch};
use crate::errors::calling;

/// The rows that count documents, not words.
const DOCUMENTS: &str = "documents";
/// The rows that count words that are weighed.
const TERMS: &str = "terms";

/// How often what occurs: by kind and term, in how many documents, and how often in all.
#[derive(Default)]
struct Counted(BTreeMap<(String, String), (u64, u64)>);

impl Counted {
    fn add(&mut self, kind: &str, term: &str, documents: u64, occurrences: u64) {
        let entry = self.0.entry((kind.to_string(), term.to_string()));
        let (d, o) = entry.or_default();
        *d = d.saturating_add(documents);
        *o = o.saturating_add(occurrences);
    }

    fn read(batch: &RecordBatch) -> Result<Self, Failure> {
        let column = |name: &str| {
            let missing =
                || anyhow::anyhow!("statistics have no column \"{name}\"; are they statistics?");
            batch.column_by_name(name).cloned().ok_or_else(missing)
        };
        let [kinds, terms, documents, occurrences] = [
            column("kind")?,
            column("term")?,
            column("documents")?,
            column("occurrences")?,
        ];
        let mut counted = Counted::default();
        for row in 0..batch.num_rows() {
            let (kind, term) = (text_at(&kinds, row)?, text_at(&terms, row)?);
            let number = |array: &ArrayRef| {
                let number = array
                    .as_primitive_opt::<Int64Type>()
                    .map(|array| array.value(row));
                number.and_then(|number| u64::try_from(number).ok())
            };
            let wrong = || anyhow::anyhow!("the counts of statistics are 64-bit integers");
            let d = number(&documents).ok_or_else(wrong)?;
            let o = number(&occurrences).ok_or_else(wrong)?;
            counted.add(kind, term, d, o);
        }
        Ok(counted)
    }

    fn batch(&self) -> Result<RecordBatch, Failure> {
        let keys = || self.0.keys();
        let kinds: StringArray = keys().map(|(kind, _)| Some(kind)).collect();
        let terms: StringArray = keys().map(|(_, term)| Some(term)).collect();
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let documents: Int64Array = self.0.values().map(|(d, _)| Some(number(*d))).collect();
        let occurrences: Int64Array = self.0.values().map(|(_, o)| Some(number(*o))).collect();
        let schema = Schema::new(vec![
            Field::new("kind", DataType::Utf8, false),
            Field::new("term", DataType::Utf8, false),
            Field::new("documents", DataType::Int64, false),
            Field::new("occurrences", DataType::Int64, false),
        ]);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(kinds),
            Arc::new(terms),
            Arc::new(documents),
            Arc::new(occurrences),
        ];
        Ok(RecordBatch::try_new(Arc::new(schema), columns)?)
    }
}

pub(crate) fn text_at(array: &ArrayRef, row: usize) -> Result<&str, Failure> {
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row),
        DataType::Utf8View => array.as_string_view().value(row),
        other => anyhow::bail!("a text is a string, not {other}"),
    })
}

/// A spec as the options of the program say it.
pub(crate) fn spec_of(arguments: &[OsString]) -> Result<Spec, Failure> {
    Ok(program::job(arguments)?.0.spec)
}

pub(crate) fn records(batch: RecordBatch) -> ArrowRecords {
    ArrowRecords::in_place("batch", batch.schema(), vec![batch], false)
}

/// What must be known of a collection, of this batch of it.
#[pyfunction]
pub(crate) fn statistics(
    py: Python<'_>,
    batch: PyRecordBatchReader,
    arguments: Vec<OsString>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    calling(py, || {
        let spec = spec_of(&arguments)?;
        let kernel = Kernel::new(&spec)?;
        let (source, needs) = (records(batch), kernel.needs());
        let mut counted = Counted::default();
        for (number, text) in needs.lexicons.iter().enumerate() {
            let (mut tokenizer, kind) = (Tokenizer::new(*text), format!("words-{number}"));
            for_each_unit(&source, &spec, true, &mut |_, unit| {
                let mut words = Words::default();
                tokenizer.words(unit.text, &mut words);
                for (word, times) in words.0 {
                    counted.add(&kind, &word, 1, times);
                }
            })?;
        }
        if needs.term_weights {
            let mut signer = kernel.signer()?;
            for_each_unit(&source, &spec, false, &mut |_, unit| {
                let mut terms = signer.describe(0, &unit).hashes().to_vec();
                terms.sort_unstable();
                terms.dedup();
                for term in terms {
                    counted.add(TERMS, &format!("{term:016x}"), 1, 1);
                }
            })?;
        }
        let mut documents = 0;
        for_each_unit(&source, &spec, true, &mut |_, _| documents += 1)?;
        counted.add(DOCUMENTS, "", documents, documents);
        Ok(Batch {
            batch: counted.batch()?,
        })
    })
}

#[derive(Default)]
struct Words(BTreeMap<String, u64>);

impl TokenSink for Words {
    fn token(&mut self, token: &str, _: std::ops::Range<usize>) {
        *self.0.entry(token.to_string()).or_default() += 1;
    }
}

/// The statistics of two batches as those of both.
#[pyfunction]
pub(crate) fn merge(
    py: Python<'_>,
    a: PyRecordBatchReader,
    b: PyRecordBatchReader,
) -> PyResult<Batch> {
    let (a, b) = (one_batch(py, a)?, one_batch(py, b)?);
    calling(py, || {
        let mut counted = Counted::read(&a)?;
        for ((kind, term), (documents, occurrences)) in Counted::read(&b)?.0 {
            counted.add(&kind, &term, documents, occurrences);
        }
        Ok(Batch {
            batch: counted.batch()?,
        })
    })
}

/// A kernel that knows what is known.
pub(crate) fn kernel_of(spec: &Spec, statistics: Option<&RecordBatch>) -> Result<Kernel, Failure> {
    let kernel = Kernel::new(spec)?.with_saved_lexicon(|path| std::fs::read(path))?;
    let needs = kernel.needs();
    let Some(statistics) = statistics else {
        if needs.lexicons.is_empty() && !needs.term_weights {
            return Ok(kernel);
        }
        let problem = "how common words are must be known, and there are no statistics";
        let remedy = "make them with statistics() and merge()";
        return Err(KernelError::refused(Setting::Features, problem, remedy).into());
    };
    let counted = Counted::read(statistics)?;
    let documents =
        (counted.0.get(&(DOCUMENTS.to_string(), String::new()))).map_or(0, |count| count.0);
    let mut known = Statistics::default();
    let seed = kernel.plan().background.seed;
    for (number, text) in needs.lexicons.iter().enumerate() {
        let kind = format!("words-{number}");
        let mut words: Vec<(&str, u32, u64)> = (counted.0.iter())
            .filter(|((of, _), _)| *of == kind)
            .map(|((_, word), (d, o))| (word.as_str(), u32::try_from(*d).unwrap_or(u32::MAX), *o))
            .collect();
        // As a lexicon has them: the most common first, equally common ones in the order of their bytes.
        words.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut lexicon = LexiconBuilder::new(seed);
        for (term, documents, occurrences) in words {
            lexicon.add(TermCount {
                term,
                documents,
                occurrences,
            });
        }
        known
            .lexicons
            .push(Arc::new(lexicon.finish(documents, *text)?));
    }
    if needs.term_weights {
        let mut table = TermTable::default();
        for ((kind, term), (documents, _)) in &counted.0 {
            if kind == TERMS {
                let term = u64::from_str_radix(term, 16)?;
                table.add(term, u32::try_from(*documents).unwrap_or(u32::MAX));
            }
        }
        let rules = spec.weights.unwrap_or_default();
        let collection = kernel.plan().background.collection.clone();
        let weights = TermWeights::new(rules, TermCounts::new(vec![table]), collection);
        known.weights = Some(Arc::new(weights));
    }
    Ok(kernel.with(known)?)
}

/// Describes a unit, weighed where words are.
pub(crate) fn described(
    signer: &mut Signer,
    kernel: &Kernel,
    probe: usize,
    unit: &Unit<'_>,
) -> Result<bool, Failure> {
    let words = signer.describe(probe, unit);
    if !kernel.plan().weighs {
        return Ok(!words.is_empty());
    }
    let words = words.hashes().to_vec();
    Ok(!signer.weigh(&words)?.is_empty())
}

/// The keys of the units of a batch: units that share one are candidates.
#[pyfunction]
#[pyo3(signature = (batch, arguments, statistics=None))]
pub(crate) fn signatures(
    py: Python<'_>,
    batch: PyRecordBatchReader,
    arguments: Vec<OsString>,
    statistics: Option<PyRecordBatchReader>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    let statistics = statistics.map(|data| one_batch(py, data)).transpose()?;
    calling(py, || {
        let spec = spec_of(&arguments)?;
        let kernel = kernel_of(&spec, statistics.as_ref())?;
        if kernel
            .plan()
            .probes
            .iter()
            .all(|probe| probe.keys.is_none())
        {
            let choice = Setting::Keys.given(&spec.keys.method);
            let problem = "these keys follow from a whole corpus, not from one text";
            return Err(KernelError::refused(choice, problem, "use `keys=minhash`").into());
        }
        let mut signer = kernel.signer()?;
        let (mut rows, mut units, mut begins, mut keys) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (ids, mut failed) = (batch.column_by_name(&spec.input.id_field).cloned(), None);
        for_each_unit(&records(batch), &spec, false, &mut |number, unit| {
            for probe in 0..signer.probes() {
                match described(&mut signer, &kernel, probe, &unit) {
                    Ok(false) => continue,
                    Ok(true) => {}
                    Err(error) => {
                        failed.get_or_insert(error);
                        return;
                    }
                }
                let (found, _) = signer.keys(probe);
                for &key in found {
                    rows.push(number - 1);
                    units.push(unit.place.number);
                    begins.push(unit.place.begin);
                    keys.push(key);
                }
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let rows = UInt64Array::from(rows);
        let mut fields = vec![
            Field::new("row", DataType::UInt64, false),
            Field::new("unit", DataType::UInt32, false),
            Field::new("begin", DataType::UInt32, false),
            Field::new("key", DataType::UInt64, false),
        ];
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(rows.clone()),
            Arc::new(UInt32Array::from(units)),
            Arc::new(UInt32Array::from(begins)),
            Arc::new(UInt64Array::from(keys)),
        ];
        if let Some(ids) = ids {
            fields.insert(0, Field::new("id", ids.data_type().clone(), true));
            columns.insert(0, take(&ids, &rows, None)?);
        }
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
        Ok(Batch { batch })
    })
}

/// One side of a batch of pairs, as records: a column of texts, or of structs of fields.
fn side(pairs: &RecordBatch, name: &str, spec: &Spec) -> Result<RecordBatch, Failure> {
    let Some(column) = pairs.column_by_name(name) else {
        let problem = format!(
            "a batch of pairs has the columns a and b, each a text or a struct of fields; there is no {name}"
        );
        return Err(KernelError::refused(Setting::Input, problem, "name them so").into());
    };
    if let Some(structs) = column.as_struct_opt() {
        return fields_of(structs);
    }
    let field = spec.input.text_field.first().map_or("text", String::as_str);
    let schema = Schema::new(vec![Field::new(field, column.data_type().clone(), true)]);
    Ok(RecordBatch::try_new(
        Arc::new(schema),
        vec![Arc::clone(column)],
    )?)
}

/// The fields of structs; those of one that is null are.
fn fields_of(structs: &StructArray) -> Result<RecordBatch, Failure> {
    let (fields, columns, nulls) = structs.clone().into_parts();
    let columns = columns.into_iter().map(|column| match &nulls {
        None => Ok(column),
        Some(nulls) => nullif(&column, &BooleanArray::new(!nulls.inner(), None)),
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let fields: Fields = fields
        .iter()
        .map(|field| field.as_ref().clone().with_nullable(true))
        .collect();
    let options = RecordBatchOptions::new().with_row_count(Some(structs.len()));
    let schema = Arc::new(Schema::new(fields));
    Ok(RecordBatch::try_new_with_options(
        schema, columns, &options,
    )?)
}

/// How alike the two texts of each pair are; null where that is below the threshold.
#[pyfunction]
#[pyo3(signature = (batch, arguments, statistics=None))]
pub(crate) fn verify(
    py: Python<'_>,
    batch: PyRecordBatchReader,
    arguments: Vec<OsString>,
    statistics: Option<PyRecordBatchReader>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    let statistics = statistics.map(|data| one_batch(py, data)).transpose()?;
    calling(py, || {
        let spec = spec_of(&arguments)?;
        let kernel = kernel_of(&spec, statistics.as_ref())?;
        let (mut signer, mut scorer) = (kernel.signer()?, kernel.scorer()?);
        let mut kept = [
            vec![Vec::new(); batch.num_rows()],
            vec![Vec::new(); batch.num_rows()],
        ];
        for (name, kept) in ["a", "b"].into_iter().zip(&mut kept) {
            let (source, mut failed) = (records(side(&batch, name, &spec)?), None);
            for_each_unit(&source, &spec, true, &mut |number, unit| {
                let out = &mut kept[number as usize - 1];
                let done =
                    match kernel.plan().weighs {
                        true => described(&mut signer, &kernel, 0, &unit).and_then(|is_there| {
                            match is_there {
                                true => Ok(signer.keep_weighed(&unit, out)?),
                                false => Ok(()),
                            }
                        }),
                        false => signer.keep(&unit, out).map_err(Failure::from),
                    };
                if let Err(error) = done {
                    failed.get_or_insert(error);
                }
            })?;
            if let Some(error) = failed {
                return Err(error);
            }
        }
        let mut similarities = Float64Builder::with_capacity(batch.num_rows());
        for (a, b) in kept[0].iter().zip(&kept[1]) {
            // What has no features matches nothing.
            let score = match a.is_empty() || b.is_empty() {
                true => None,
                false => scorer.score(a, b)?,
            };
            similarities.append_option(score.map(|score| score.similarity));
        }
        with_column(
            &batch,
            Field::new("similarity", DataType::Float64, true),
            Arc::new(similarities.finish()),
        )
    })
}

/// A batch with a column more, in place of the texts.
fn with_column(pairs: &RecordBatch, field: Field, column: ArrayRef) -> Result<Batch, Failure> {
    let schema = pairs.schema();
    let others = schema.fields().iter().zip(pairs.columns());
    let others = others.filter(|(field, _)| !matches!(field.name().as_str(), "a" | "b"));
    let (mut fields, mut columns): (Vec<Arc<Field>>, Vec<ArrayRef>) = others
        .map(|(field, column)| (Arc::clone(field), Arc::clone(column)))
        .unzip();
    fields.push(Arc::new(field));
    columns.push(column);
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
    Ok(Batch { batch })
}

/// The passages that the two texts of each pair share.
#[pyfunction]
#[pyo3(signature = (batch, arguments, statistics=None))]
pub(crate) fn align(
    py: Python<'_>,
    batch: PyRecordBatchReader,
    arguments: Vec<OsString>,
    statistics: Option<PyRecordBatchReader>,
) -> PyResult<Batch> {
    let batch = one_batch(py, batch)?;
    let statistics = statistics.map(|data| one_batch(py, data)).transpose()?;
    calling(py, || {
        let spec = spec_of(&arguments)?;
        let kernel = kernel_of(&spec, statistics.as_ref())?;
        let mut texts = [
            vec![String::new(); batch.num_rows()],
            vec![String::new(); batch.num_rows()],
        ];
        for (name, texts) in ["a", "b"].into_iter().zip(&mut texts) {
            let source = records(side(&batch, name, &spec)?);
            for_each_unit(&source, &spec, true, &mut |number, unit| {
                texts[number as usize - 1] = unit.text.to_string();
            })?;
        }
        let number = |name: &str| Field::new(name, DataType::UInt32, false);
        let fields: Fields = vec![
            number("a_begin"),
            number("a_end"),
            number("b_begin"),
            number("b_end"),
            Field::new("similarity", DataType::Float64, false),
        ]
        .into();
        let item = Arc::new(Field::new("item", DataType::Struct(fields.clone()), true));
        let mut passages =
            ListBuilder::new(StructBuilder::from_fields(fields, 0)).with_field(Arc::clone(&item));
        let mut relations = StringBuilder::new();
        for (a, b) in texts[0].iter().zip(&texts[1]) {
            let compared = TwoPages::compare(&kernel, a, b)?;
            for passage in &compared.passages {
                let places = [&passage.a.characters, &passage.b.characters];
                let places = places.map(|place| [place.start, place.end]).concat();
                let row = passages.values();
                for (column, place) in places.into_iter().enumerate() {
                    if let Some(builder) = row.field_builder::<UInt32Builder>(column) {
                        builder.append_value(place);
                    }
                }
                if let Some(builder) = row.field_builder::<Float64Builder>(4) {
                    builder.append_value(passage.similarity);
                }
                row.append(true);
            }
            passages.append(true);
            relations.append_option(compared.shared.map(|shared| shared.relation.name()));
        }
        let relation = Field::new("relation", DataType::Utf8, true);
        let with_relation = with_column(&batch, relation, Arc::new(relations.finish()))?;
        let located = Field::new("passages", DataType::List(item), false);
        with_column(&with_relation.batch, located, Arc::new(passages.finish()))
    })
}
