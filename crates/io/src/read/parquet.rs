//! Parquet. In comes a range of rows, out come the cells of the wanted columns.
//!
//! A block holds only which rows are in it; they are read when it is decoded, the wanted ones alone, a few hundred at a
//! time. So cutting costs nothing, decompression runs on all threads, and no row group is ever held as a whole.

use std::any::Any;
use std::fs::File;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::PageIndexPolicy;

use super::compression::Stream;
use super::parquet_cell::{cell, unpack};
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
    let table = Arc::new(Table::open(opening.source, opening.options)?);
    let decoder = Rows {
        table: Arc::clone(&table),
        wanted: Arc::clone(opening.wanted),
        places: places(opening, &table.columns())?,
        max_record: opening.options.max_record,
    };
    Ok(Box::new(RowCutter {
        source: opening.number,
        file_bytes: opening.source.bytes(),
        block_bytes: opening.options.block_bytes as u64 * BLOCK_FACTOR,
        next: 0,
        table,
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

/// Calls the Parquet library, which can panic on files that were tampered with.
pub(crate) fn guard<T>(
    name: &str,
    call: impl FnOnce() -> Result<T, ParquetError>,
) -> Result<T, Error> {
    let no_message =
        |_: Box<dyn Any + Send>| ParquetError::General("its content makes no sense".to_owned());
    match catch_unwind(AssertUnwindSafe(call))
        .map_err(no_message)
        .flatten()
    {
        Ok(value) => Ok(value),
        Err(error) => Err(damaged(name, &error.to_string())),
    }
}

struct RowCutter {
    table: Arc<Table>,
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
        let row_bytes = u64::try_from(bytes).unwrap_or(0) / rows.max(1);
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
        for batch in self.table.read(block.rows.clone(), wanted, Some(columns))? {
            let batch = batch?;
            let mut arrays = Vec::new();
            for place in &self.places {
                let array =
                    place.and_then(|column| batch.column_by_name(schema.field(column).name()));
                let array = array.map(|array| unpack(array, &self.table.name));
                arrays.push(array.transpose()?);
            }
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
                let result = self.check(&values).map(|()| values.as_slice());
                self.tell(block, slot, result, each);
            }
        }
        Ok(())
    }

    fn check(&self, values: &[Value<'_>]) -> Result<(), String> {
        for (value, field) in values.iter().zip(&self.wanted.fields) {
            value.check(field)?;
        }
        let bytes: usize = values.iter().filter_map(Value::text).map(str::len).sum();
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
