//! Arrow record batches as a source of records: in place where they can be read again, else copied to a file first.
//!
//! A row is a record, a column a field, as in Parquet. Blocks are runs of rows of one batch, cut by the size of the batch alone.

mod spool;

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use lookalike_engine::{Block, BlockContent, BlockPlace, Each, Failure, ReadBlocks, Source, Want};
use lookalike_kernel::record::{Need, Value, Wanted, list, missing_field};
use xxhash_rust::xxh3::Xxh3;

use crate::error::Error;
use crate::read::arrow_cells::{Cells, ColumnPlace, field_names};
use crate::read::records::{outcome, too_large};
use spool::Spool;
pub use spool::{read_batch, write_batch};

/// About so many bytes of text are in a block, and at most so many rows.
const BLOCK_BYTES: usize = 1 << 20;
const MOST_BLOCK_ROWS: usize = 1 << 16;

/// The size of a row beside its texts, for estimates.
const ROW_BYTES: usize = 16;

/// Record batches as records.
#[derive(Clone)]
pub struct ArrowRecords {
    name: String,
    schema: SchemaRef,
    batches: Batches,
    blocks: Arc<Vec<Rows>>,
    rows: u64,
    bytes: u64,
    fingerprint: u64,
    max_record: u64,
}

/// Where the batches are.
#[derive(Clone)]
enum Batches {
    InPlace(Arc<Vec<RecordBatch>>),
    Spooled(Arc<Spool>),
}

/// Some rows of a batch.
#[derive(Clone, Debug, Default)]
struct Rows {
    batch: usize,
    rows: Range<usize>,
    /// How many rows are before them in all.
    before: u64,
    /// About how many bytes they have.
    bytes: usize,
}

impl fmt::Debug for ArrowRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = f.debug_struct("ArrowRecords");
        let mut shown = shown;
        shown.field("name", &self.name).field("rows", &self.rows);
        shown.finish_non_exhaustive()
    }
}

impl ArrowRecords {
    /// These batches, where they are. An interrupted run continues only with the same rows where their content is looked at
    /// for that, which reads all of it once.
    pub fn in_place(
        name: &str,
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
        looks_at_content: bool,
    ) -> Self {
        let mut print = Print::new(&schema);
        for batch in &batches {
            print.add(batch, looks_at_content);
        }
        let sizes = batches
            .iter()
            .map(|batch| (batch.num_rows(), bytes_of(batch)));
        let (blocks, rows, bytes) = cut(sizes);
        ArrowRecords {
            name: name.to_string(),
            schema,
            batches: Batches::InPlace(Arc::new(batches)),
            blocks: Arc::new(blocks),
            rows,
            bytes,
            fingerprint: print.value(),
            max_record: u64::MAX,
        }
    }

    /// The batches of a stream, which is read to its end into a file in a folder; the file goes with the records. One batch is
    /// in memory at a time.
    ///
    /// # Errors
    /// If the stream cannot be read, or the file not be written.
    pub fn spooled(
        name: &str,
        stream: impl RecordBatchReader,
        folder: &Path,
    ) -> Result<Self, Error> {
        let unread = |error: ArrowError| Error::Damaged {
            name: name.to_string(),
            format: "an Arrow stream",
            cause: error.to_string(),
        };
        let schema = stream.schema();
        let mut print = Print::new(&schema);
        let mut spool = Spool::create(folder)?;
        for batch in stream {
            let batch = batch.map_err(unread)?;
            let rows = batch.num_rows();
            let piece = block_rows(rows, all_bytes_of(&batch));
            for first in (0..rows).step_by(piece) {
                let piece = batch.slice(first, piece.min(rows - first));
                print.add(&piece, true);
                spool.append(&alone(&piece).map_err(unread)?, bytes_of(&piece))?;
            }
        }
        let spool = spool.finish()?;
        let (blocks, rows, bytes) = cut(spool.sizes());
        Ok(ArrowRecords {
            name: name.to_string(),
            schema,
            batches: Batches::Spooled(Arc::new(spool)),
            blocks: Arc::new(blocks),
            rows,
            bytes,
            fingerprint: print.value(),
            max_record: u64::MAX,
        })
    }

    /// The same, of which larger records are rejected.
    #[must_use]
    pub fn with_largest(mut self, max_record: u64) -> Self {
        self.max_record = max_record;
        self
    }

    /// The columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// How many records there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// All batches in order, as often as they are asked for.
    pub fn batches(&self) -> impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + use<> {
        let batches = self.batches.clone();
        (0..batches.len()).map(move |number| {
            let batch = batches.get(number);
            batch.map_err(|error| ArrowError::ExternalError(error.into()))
        })
    }
}

impl Batches {
    fn len(&self) -> usize {
        match self {
            Batches::InPlace(batches) => batches.len(),
            Batches::Spooled(spool) => spool.len(),
        }
    }

    fn get(&self, number: usize) -> Result<RecordBatch, Error> {
        match self {
            Batches::InPlace(batches) => Ok(batches[number].clone()),
            Batches::Spooled(spool) => spool.read(number),
        }
    }
}

/// How many rows of a batch make up a block.
fn block_rows(rows: usize, bytes: usize) -> usize {
    let row_bytes = (bytes / rows.max(1)).max(1);
    (BLOCK_BYTES / row_bytes).clamp(1, MOST_BLOCK_ROWS)
}

/// Cuts batches of so many rows and bytes into blocks; how many rows and bytes there are in all.
fn cut(sizes: impl Iterator<Item = (usize, usize)>) -> (Vec<Rows>, u64, u64) {
    let (mut blocks, mut before, mut all_bytes) = (Vec::new(), 0, 0);
    for (batch, (rows, bytes)) in sizes.enumerate() {
        let step = block_rows(rows, bytes);
        for first in (0..rows).step_by(step) {
            let rows_here = first..rows.min(first + step);
            blocks.push(Rows {
                batch,
                bytes: bytes / rows.max(1) * rows_here.len(),
                before,
                rows: rows_here.clone(),
            });
            before += rows_here.len() as u64;
        }
        all_bytes += bytes as u64;
    }
    (blocks, before, all_bytes)
}

/// About how many bytes the rows of a batch have, by their texts.
fn bytes_of(batch: &RecordBatch) -> usize {
    let texts: usize = batch.columns().iter().map(text_bytes).sum();
    texts + ROW_BYTES * batch.num_rows()
}

/// The same of all columns: vectors beside the texts may be much larger than these.
fn all_bytes_of(batch: &RecordBatch) -> usize {
    let sizes = batch.columns().iter().map(|column| {
        let size = column.to_data().get_slice_memory_size();
        size.unwrap_or(0).max(text_bytes(column))
    });
    sizes.sum::<usize>() + ROW_BYTES * batch.num_rows()
}

/// A piece of a batch without what views of the other pieces see.
fn alone(piece: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let columns = piece.columns().iter().map(|column| -> ArrayRef {
        match column.data_type() {
            DataType::Utf8View => Arc::new(column.as_string_view().gc()),
            DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
            _ => Arc::clone(column),
        }
    });
    let options = RecordBatchOptions::new().with_row_count(Some(piece.num_rows()));
    RecordBatch::try_new_with_options(piece.schema(), columns.collect(), &options)
}

fn text_bytes(array: &ArrayRef) -> usize {
    let span = |offsets: &[i32]| match offsets {
        [first, .., last] => usize::try_from(last - first).unwrap_or(0),
        _ => 0,
    };
    let large = |offsets: &[i64]| match offsets {
        [first, .., last] => usize::try_from(last - first).unwrap_or(0),
        _ => 0,
    };
    match array.data_type() {
        DataType::Utf8 => span(array.as_string::<i32>().value_offsets()),
        DataType::Binary => span(array.as_binary::<i32>().value_offsets()),
        DataType::LargeUtf8 => large(array.as_string::<i64>().value_offsets()),
        DataType::LargeBinary => large(array.as_binary::<i64>().value_offsets()),
        DataType::Utf8View => array
            .as_string_view()
            .lengths()
            .map(|len| len as usize)
            .sum(),
        DataType::BinaryView => array
            .as_binary_view()
            .lengths()
            .map(|len| len as usize)
            .sum(),
        DataType::Struct(_) => array.as_struct().columns().iter().map(text_bytes).sum(),
        _ => 0,
    }
}

/// What stands for the records: their columns, how many there are, and what they hold where that is looked at.
struct Print(Xxh3);

impl Print {
    fn new(schema: &SchemaRef) -> Self {
        let mut hash = Xxh3::new();
        for field in schema.fields() {
            hash.update(format!("{field:?}\n").as_bytes());
        }
        Print(hash)
    }

    fn add(&mut self, batch: &RecordBatch, looks_at_content: bool) {
        self.0.update(&(batch.num_rows() as u64).to_le_bytes());
        for column in batch.columns().iter().filter(|_| looks_at_content) {
            self.add_column(column);
        }
    }

    fn add_column(&mut self, column: &ArrayRef) {
        let mut printed = String::new();
        for row in 0..column.len() {
            printed.clear();
            let value = crate::read::arrow_cells::cell(column, row, &mut printed);
            match value {
                Value::Text(text) | Value::Number(text) => {
                    self.0.update(&(text.len() as u64).to_le_bytes());
                    self.0.update(text.as_bytes());
                }
                other => self.0.update(other.kind().as_bytes()),
            }
        }
    }

    fn value(&self) -> u64 {
        self.0.digest()
    }
}

impl Source for ArrowRecords {
    fn pass<'s>(&'s self, wanted: &Wanted) -> Box<dyn ReadBlocks + 's> {
        Box::new(Pass {
            records: self,
            decoder: Arc::new(Decoder::new(self, wanted)),
            next: 0,
        })
    }

    fn check(&self, wanted: &Wanted) -> Result<(), Failure> {
        let fields = field_names(self.schema.fields());
        let is_missing = |name: &str| !fields.iter().any(|field| field == name);
        let needed = |field: &&lookalike_kernel::record::Field| {
            field.need == Need::Text && is_missing(&field.name)
        };
        match wanted.fields.iter().find(needed) {
            None => Ok(()),
            Some(field) => Err(Error::MissingColumn {
                name: self.name.clone(),
                field: field.name.clone(),
                columns: list(&fields, 50),
            }
            .into()),
        }
    }

    fn fields(&self, _records: u32) -> Result<Option<Vec<String>>, Failure> {
        Ok(Some(field_names(self.schema.fields())))
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn part_name(&self, _: u32) -> &str {
        &self.name
    }
}

struct Pass<'s> {
    records: &'s ArrowRecords,
    decoder: Arc<Decoder>,
    next: usize,
}

impl ReadBlocks for Pass<'_> {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Failure> {
        let Some(rows) = self.records.blocks.get(self.next) else {
            return Ok(false);
        };
        block.place = BlockPlace {
            part: 0,
            offset: self.next as u64,
            line: rows.before + 1,
        };
        block.rejections.clear();
        *block.content_mut() = Content {
            decoder: Some(Arc::clone(&self.decoder)),
            rows: rows.clone(),
        };
        self.next += 1;
        Ok(true)
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Failure> {
        self.next = usize::try_from(place.offset)?;
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        let (passed, all) = (self.next as u64, self.records.blocks.len().max(1) as u64);
        (u128::from(self.records.bytes) * u128::from(passed) / u128::from(all)) as u64
    }
}

#[derive(Default)]
struct Content {
    decoder: Option<Arc<Decoder>>,
    rows: Rows,
}

/// What is wanted of the batches.
struct Decoder {
    name: String,
    batches: Batches,
    wanted: Wanted,
    places: Vec<Option<ColumnPlace>>,
    fields: Vec<String>,
    max_record: u64,
}

impl Decoder {
    fn new(records: &ArrowRecords, wanted: &Wanted) -> Self {
        let columns = records.schema.fields().iter();
        let columns: Vec<&str> = columns.map(|field| field.name().as_str()).collect();
        let places = wanted.fields.iter();
        let places = places.map(|field| ColumnPlace::named(&field.name, &columns));
        Decoder {
            name: records.name.clone(),
            batches: records.batches.clone(),
            wanted: wanted.clone(),
            places: places.collect(),
            fields: field_names(records.schema.fields()),
            max_record: records.max_record,
        }
    }

    fn check(&self, values: &[Value<'_>]) -> Result<(), String> {
        let mut bytes = 0;
        for (value, field) in values.iter().zip(&self.wanted.fields) {
            value.check(field)?;
            if field.need == Need::Text && *value == Value::Missing {
                return Err(missing_field(&field.name, &self.fields));
            }
            bytes += value.text().map_or(0, str::len) as u64;
        }
        match bytes > self.max_record {
            true => Err(too_large(self.max_record)),
            false => Ok(()),
        }
    }
}

impl BlockContent for Content {
    fn decode(&self, want: Want<'_>, each: Each<'_>) -> Result<u32, Failure> {
        let Some(decoder) = &self.decoder else {
            return Ok(0);
        };
        let batch = decoder.batches.get(self.rows.batch)?;
        let cells = |place: &Option<ColumnPlace>| {
            let place = place.as_ref()?;
            place.cells(batch.column(place.column))
        };
        let cells: Vec<Option<Cells>> = decoder.places.iter().map(cells).collect();
        let mut printed = vec![String::new(); cells.len()];
        for (slot, row) in (0..).zip(self.rows.rows.clone()) {
            if !want(slot) {
                continue;
            }
            let values = cells.iter().zip(&mut printed).map(|(cells, printed)| {
                printed.clear();
                cells
                    .as_ref()
                    .map_or(Value::Missing, |cells| sound(cells.value(row, printed)))
            });
            let values: Vec<Value<'_>> = values.collect();
            let line = self.rows.before + u64::from(slot) + 1;
            let checked = decoder.check(&values).map(|()| values.as_slice());
            each(slot, outcome(&decoder.name, line, checked));
        }
        Ok(self.rows.rows.len() as u32)
    }

    fn bytes_held(&self) -> usize {
        self.rows.bytes
    }
}

/// The value, unless whoever made the array put into it as text what is none.
fn sound(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Text(text) if simdutf8::basic::from_utf8(text.as_bytes()).is_err() => {
            Value::Other("invalid UTF-8")
        }
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{FixedSizeListArray, Float32Array, RecordBatchIterator, StringViewArray};
    use arrow_schema::Field;

    use super::*;

    #[test]
    fn a_copy_is_about_as_large_as_the_data_and_in_small_pieces() {
        let (rows, numbers) = (2000, 500);
        let texts: StringViewArray = (0..rows)
            .map(|row| Some(format!("{row} {}", "ein langer Text ".repeat(64))))
            .collect();
        let values = Float32Array::from_iter_values((0..rows * numbers).map(|n| n as f32));
        let item = Arc::new(Field::new("item", DataType::Float32, false));
        let vectors = FixedSizeListArray::new(item, numbers, Arc::new(values), None);
        let columns: [(&str, ArrayRef); 2] =
            [("text", Arc::new(texts)), ("vector", Arc::new(vectors))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let (schema, size) = (batch.schema(), all_bytes_of(&batch));
        let stream = RecordBatchIterator::new([Ok(batch)], schema);
        let folder = tempfile::tempdir().unwrap();
        let records = ArrowRecords::spooled("data", stream, folder.path()).unwrap();
        let Batches::Spooled(spool) = &records.batches else {
            panic!("it is copied");
        };
        assert!(spool.len() >= size / BLOCK_BYTES);
        assert!(spool.bytes_written() < size as u64 * 11 / 10);
        assert_eq!(records.rows(), rows as u64);
    }
}
