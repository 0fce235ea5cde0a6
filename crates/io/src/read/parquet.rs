//! Parquet. In comes a range of rows, out come the cells of the wanted columns.
//!
//! A block holds only which rows are in it; they are read when it is decoded, the wanted ones alone, a few hundred at a
//! time. So cutting costs nothing, decompression runs on all threads, and no row group is ever held as a whole.

use std::cell::Cell;
use std::fs::File;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::PageIndexPolicy;

use super::compression::Stream;
use super::parquet_cell::cell;
use super::records::{outcome, too_large};
use super::{Cut, Decode, Each, Opening, Want, places};
use crate::block::{Block, BlockPlace};
use crate::error::Error;
use crate::format::Entry;
use crate::input::{InputOptions, Source};
use crate::write;
use lookalike_kernel::record::{Value, Wanted};

/// Rows decoded at a time.
const BATCH_ROWS: usize = 256;
/// A block is larger than in other formats, as each has to read its row group's dictionaries again.
const BLOCK_FACTOR: u64 = 4;
const MOST_BLOCK_ROWS: u64 = 1 << 16;

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["parquet", "pq"],
    magic: b"PAR1",
    compresses_within: true,
    ..Entry::new("parquet", open, write::parquet::start)
};

/// Opens a Parquet file.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let (source, options) = (opening.source, opening.options);
    let table = Arc::new(Table::open(source, options)?.with_views());
    let places = places(opening, &table.columns())?;
    let text_bytes = table.text_bytes(places.iter().flatten().copied());
    let most_bytes = options.most_expanded(source.bytes());
    let decoder = Rows {
        table: Arc::clone(&table),
        wanted: Arc::clone(opening.wanted),
        places,
        max_record: options.max_record,
        max_expansion: options.max_expansion,
        most_bytes,
    };
    decoder.check_expansion(
        text_bytes
            .iter()
            .fold(0, |sum, bytes| bytes.saturating_add(sum)),
    )?;
    Ok(Box::new(RowCutter {
        source: opening.number,
        file_bytes: source.bytes(),
        block_bytes: options.block_bytes as u64 * BLOCK_FACTOR,
        next: 0,
        table,
        text_bytes,
        decoder: Arc::new(decoder),
    }))
}

/// A Parquet file whose footer has been read.
pub(crate) struct Table {
    name: String,
    path: PathBuf,
    pub(crate) metadata: ArrowReaderMetadata,
    /// The first row of each row group, and at the end the number of rows.
    starts: Vec<u64>,
}

impl Table {
    pub(crate) fn open(source: &Source, options: &InputOptions) -> Result<Table, Error> {
        let path = source.path().to_owned();
        if let Some(codec) = Stream::open(&path, options)?.codec() {
            let cause = format!(
                "it is {} compressed as a whole; decompress it first",
                codec.name()
            );
            return Err(Error::Damaged {
                name: source.name.clone(),
                format: FORMAT.name,
                cause,
            });
        }
        let file = File::open(&path).map_err(Error::file("open", &path))?;
        // With the offsets of pages, where a file has them, rows are skipped without a look at their pages.
        let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
        let metadata = guard(&source.name, || ArrowReaderMetadata::load(&file, options))?;
        let mut starts = vec![0_u64];
        for group in metadata.metadata().row_groups() {
            let start = starts.last().copied().unwrap_or(0);
            let end = u64::try_from(group.num_rows())
                .ok()
                .and_then(|rows| start.checked_add(rows));
            starts
                .push(end.ok_or_else(|| damaged(&source.name, "a row group has a negative size"))?);
        }
        Ok(Table {
            name: source.name.clone(),
            path,
            metadata,
            starts,
        })
    }

    /// Lets texts be views of the pages and dictionaries that they stand in, and not copies: one value of a dictionary
    /// may be that of a million rows.
    fn with_views(mut self) -> Table {
        let fields = self.metadata.schema().fields().iter();
        let fields = fields.map(|field| {
            let kind = viewed(field.data_type());
            Field::clone(field).with_data_type(kind)
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let metadata = Arc::clone(self.metadata.metadata());
        let options = ArrowReaderOptions::new().with_schema(schema);
        let viewed = guard(&self.name, || {
            ArrowReaderMetadata::try_new(metadata, options)
        });
        self.metadata = viewed.unwrap_or(self.metadata);
        self
    }

    /// The size of the texts in these columns, by row group, where the file says it: with a dictionary it can be far more
    /// than that of the pages.
    fn text_bytes(&self, columns: impl Iterator<Item = usize>) -> Vec<u64> {
        let metadata = self.metadata.metadata();
        let mask = ProjectionMask::roots(metadata.file_metadata().schema_descr(), columns);
        let groups = metadata.row_groups().iter();
        groups
            .map(|group| {
                let columns = group.columns().iter().enumerate();
                columns
                    .filter(|(leaf, _)| mask.leaf_included(*leaf))
                    .filter_map(|(_, column)| column.unencoded_byte_array_data_bytes())
                    .fold(0, |sum, bytes| {
                        bytes.max(0).cast_unsigned().saturating_add(sum)
                    })
            })
            .collect()
    }

    /// The names of the columns.
    fn columns(&self) -> Vec<&str> {
        self.metadata
            .schema()
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect()
    }

    /// The row group of a row.
    fn group_of(&self, row: u64) -> usize {
        self.starts
            .partition_point(|&start| start <= row)
            .saturating_sub(1)
    }

    /// Reads those of `rows`, all of one row group, that are `kept`, with all columns or those given.
    pub(crate) fn read(
        &self,
        rows: Range<u64>,
        kept: &[bool],
        columns: Option<&[usize]>,
    ) -> Result<Batches<'_>, Error> {
        let group = self.group_of(rows.start);
        let (start, end) = (self.starts[group], self.starts[group + 1]);
        let selection = selection((rows.start - start) as usize, kept, (end - start) as usize);
        let file = File::open(&self.path).map_err(Error::file("open", &self.path))?;
        let reader = guard(&self.name, || {
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
            let mask = match columns {
                None => ProjectionMask::all(),
                Some(columns) => {
                    ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied())
                }
            };
            builder
                .with_row_groups(vec![group])
                .with_projection(mask)
                .with_row_selection(selection)
                .with_batch_size(BATCH_ROWS)
                .build()
        })?;
        let missing = kept.iter().filter(|kept| **kept).count();
        Ok(Batches {
            table: self,
            reader,
            missing,
        })
    }
}

/// `kept` as runs of rows of a row group, the first of them being row `first`.
fn selection(first: usize, kept: &[bool], group_rows: usize) -> RowSelection {
    let mut at = first;
    let runs = kept.chunk_by(|a, b| a == b).filter_map(move |run| {
        let range = at..at + run.len();
        at = range.end;
        run[0].then_some(range)
    });
    RowSelection::from_consecutive_ranges(runs, group_rows)
}

/// The rows asked for, some at a time.
pub(crate) struct Batches<'t> {
    table: &'t Table,
    reader: ParquetRecordBatchReader,
    /// Rows still to come.
    missing: usize,
}

impl Iterator for Batches<'_> {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let name = &self.table.name;
        let reader = &mut self.reader;
        match guard(name, || {
            reader.next().transpose().map_err(ParquetError::from)
        }) {
            Ok(Some(batch)) if batch.num_rows() <= self.missing => {
                self.missing -= batch.num_rows();
                Some(Ok(batch))
            }
            Ok(None) if self.missing == 0 => None,
            Ok(_) => Some(Err(damaged(
                name,
                "a row group has not as many rows as it says",
            ))),
            Err(error) => Some(Err(error)),
        }
    }
}

fn damaged(name: &str, cause: &str) -> Error {
    let cause = format!("{cause}; is the file complete?");
    Error::Damaged {
        name: name.to_owned(),
        format: FORMAT.name,
        cause,
    }
}

thread_local! {
    /// Whether a panic of this thread is caught and told as a damage.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Calls the Parquet library, which can panic on files that were tampered with.
fn guard<T>(name: &str, call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Error> {
    IS_GUARDED.set(true);
    let called = catch_unwind(AssertUnwindSafe(call));
    IS_GUARDED.set(false);
    match called {
        Ok(result) => result.map_err(|error| damaged(name, &error.to_string())),
        Err(_) => Err(damaged(name, "its content makes no sense")),
    }
}

/// Keeps panics that are caught and told as damages of a file from being printed, too. All others are printed as
/// before. For programs, once.
pub fn silence_caught_panics() {
    let usual = take_hook();
    set_hook(Box::new(move |panic| {
        if !IS_GUARDED.get() {
            usual(panic);
        }
    }));
}

/// The type to read a column as: what is text as views, and no dictionaries.
fn viewed(kind: &DataType) -> DataType {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        DataType::Dictionary(_, values) => viewed(values),
        other => other.clone(),
    }
}

struct RowCutter {
    table: Arc<Table>,
    /// See [`Table::text_bytes`].
    text_bytes: Vec<u64>,
    source: u32,
    file_bytes: u64,
    block_bytes: u64,
    /// The next row.
    next: u64,
    decoder: Arc<dyn Decode>,
}

impl Cut for RowCutter {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        let place = BlockPlace {
            part: self.source,
            offset: self.next,
            line: self.next + 1,
        };
        block.begin(place, Some(Arc::clone(&self.decoder)));
        let group = self.table.group_of(self.next);
        let Some(&end) = self.table.starts.get(group + 1) else {
            return Ok(false);
        };
        let rows = end - self.table.starts[group];
        let bytes = self
            .table
            .metadata
            .metadata()
            .row_group(group)
            .total_byte_size();
        let bytes = u64::try_from(bytes).unwrap_or(0);
        let row_bytes = bytes.max(self.text_bytes[group]) / rows.max(1);
        let block_rows = (self.block_bytes / row_bytes.max(1)).clamp(1, MOST_BLOCK_ROWS);
        block.rows = self.next..end.min(self.next + block_rows);
        block.named_bytes =
            usize::try_from(row_bytes * (block.rows.end - block.rows.start)).unwrap_or(usize::MAX);
        self.next = block.rows.end;
        Ok(true)
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Error> {
        self.next = place.offset;
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        let rows = self.table.starts.last().copied().unwrap_or(0).max(1);
        (u128::from(self.file_bytes) * u128::from(self.next) / u128::from(rows)) as u64
    }
}

struct Rows {
    table: Arc<Table>,
    wanted: Arc<Wanted>,
    /// The column of each wanted field.
    places: Vec<Option<usize>>,
    max_record: u64,
    max_expansion: u64,
    /// How large all texts may be.
    most_bytes: u64,
}

impl Decode for Rows {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let slots = (block.rows.end - block.rows.start) as u32;
        let wanted: Vec<bool> = (0..slots).map(want).collect();
        let mut wanted_slots = (0..slots).filter(|&slot| wanted[slot as usize]);
        let columns: Vec<usize> = self.places.iter().flatten().copied().collect();
        if columns.is_empty() {
            let values = vec![Value::Missing; self.places.len()];
            wanted_slots.for_each(|slot| self.tell(block, slot, Ok(&values), each));
            return Ok(slots);
        }
        if !wanted.contains(&true) {
            return Ok(slots);
        }
        let read = self.read(block, &wanted, &columns, &mut wanted_slots, each);
        // What follows a damage within the block is lost.
        if let Err(error) = read {
            let Error::Damaged { .. } = error else {
                return Err(error);
            };
            let reason = error.reason()?;
            wanted_slots.for_each(|slot| self.tell(block, slot, Err(reason.clone()), each));
        }
        Ok(slots)
    }
}

impl Rows {
    /// Tells the rows of the slots that are wanted, up to a damage.
    fn read(
        &self,
        block: &Block,
        wanted: &[bool],
        columns: &[usize],
        slots: &mut impl Iterator<Item = u32>,
        each: Each<'_>,
    ) -> Result<(), Error> {
        let schema = self.table.metadata.schema();
        let mut told = 0;
        for batch in self.table.read(block.rows.clone(), wanted, Some(columns))? {
            let batch = batch?;
            let column = |place: &Option<usize>| {
                place.and_then(|column| batch.column_by_name(schema.field(column).name()))
            };
            let arrays: Vec<Option<&ArrayRef>> = self.places.iter().map(column).collect();
            for (row, slot) in (0..batch.num_rows()).zip(&mut *slots) {
                let mut printed = vec![String::new(); arrays.len()];
                let values: Vec<Value<'_>> = arrays
                    .iter()
                    .zip(&mut printed)
                    .map(|(array, printed)| match array {
                        Some(array) => cell(array, row, printed),
                        None => Value::Missing,
                    })
                    .collect();
                let bytes: usize = values.iter().filter_map(Value::text).map(str::len).sum();
                told += bytes as u64;
                self.check_expansion(told)?;
                let result = self.check(&values, bytes).map(|()| values.as_slice());
                self.tell(block, slot, result, each);
            }
        }
        Ok(())
    }

    /// As for archives: a few values may be those of all rows.
    fn check_expansion(&self, bytes: u64) -> Result<(), Error> {
        if bytes <= self.most_bytes {
            return Ok(());
        }
        Err(Error::Expansion {
            name: self.table.name.clone(),
            limit: self.max_expansion,
        })
    }

    fn check(&self, values: &[Value<'_>], bytes: usize) -> Result<(), String> {
        for (value, field) in values.iter().zip(&self.wanted.fields) {
            value.check(field)?;
        }
        if bytes as u64 > self.max_record {
            Err(too_large(self.max_record))
        } else {
            Ok(())
        }
    }

    fn tell(&self, block: &Block, slot: u32, values: Result<&[Value<'_>], String>, each: Each<'_>) {
        let line = block.rows.start + u64::from(slot) + 1;
        each(slot, outcome(&self.table.name, line, values));
    }
}
