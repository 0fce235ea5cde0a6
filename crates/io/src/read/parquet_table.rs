//! A Parquet file: what its footer says, and its rows.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, PageIndexPolicy};
use parquet::file::page_index::offset_index::OffsetIndexMetaData;
use parquet::file::reader::{ChunkReader, Length};

use super::arrow_cells::field_names;
use super::compression::Stream;
use super::parquet::FORMAT;
use crate::error::Error;
use crate::input::{InputOptions, Source};

/// Rows decoded at a time.
const BATCH_ROWS: usize = 256;
const WRONG_ROWS: &str = "a row group has not as many rows as it says";

/// A Parquet file whose footer has been read.
pub(crate) struct Table {
    pub(super) name: String,
    path: PathBuf,
    pub(crate) metadata: ArrowReaderMetadata,
    /// The first row of each row group, and at the end the number of rows.
    pub(super) starts: Vec<u64>,
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
            let rows = group.num_rows();
            let end = u64::try_from(rows).ok();
            let end = end.and_then(|rows| start.checked_add(rows));
            // Rows that no column has would be rejected one by one, a number that is damaged being a large one.
            let mut values = group.columns().iter().map(ColumnChunkMetaData::num_values);
            match end.filter(|_| rows == 0 || values.any(|values| values >= rows)) {
                Some(end) => starts.push(end),
                None => return Err(damaged(&source.name, WRONG_ROWS)),
            }
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
    pub(super) fn with_views(mut self) -> Table {
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
    pub(super) fn text_bytes(&self, columns: impl Iterator<Item = usize>) -> Vec<u64> {
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

    /// About how many bytes rows of a group have by the sizes of their pages, where the file says these: a few rows may
    /// have most of them.
    pub(super) fn page_bytes(&self, group: usize, rows: &Range<u64>) -> u64 {
        let index = self.metadata.metadata().offset_index();
        let columns = index.and_then(|index| index.get(group)).into_iter();
        let (begin, end) = (self.starts[group], self.starts[group + 1]);
        let of_column = |column: &OffsetIndexMetaData| -> u64 {
            let pages = column.page_locations();
            let starts = pages
                .iter()
                .map(|page| begin.saturating_add(page.first_row_index.max(0).cast_unsigned()));
            let ends = starts.clone().skip(1).chain([end]);
            let shares = pages
                .iter()
                .zip(starts.zip(ends))
                .map(|(page, (from, to))| {
                    let shared = to.min(rows.end).saturating_sub(from.max(rows.start));
                    let bytes = u64::from(page.compressed_page_size.max(0).cast_unsigned());
                    bytes * shared / to.saturating_sub(from).max(1)
                });
            shares.sum()
        };
        columns.flatten().map(of_column).sum()
    }

    /// The names of the columns.
    pub(super) fn columns(&self) -> Vec<&str> {
        self.metadata
            .schema()
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect()
    }

    /// The names of all fields: columns, and as paths what is within them.
    pub(super) fn fields(&self) -> Vec<String> {
        field_names(self.metadata.schema().fields())
    }

    /// The row group of a row.
    pub(super) fn group_of(&self, row: u64) -> usize {
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
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(
                Ending(file),
                self.metadata.clone(),
            );
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
            Ok(_) => Some(Err(damaged(name, WRONG_ROWS))),
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
pub(crate) fn guard<T>(
    name: &str,
    call: impl FnOnce() -> Result<T, ParquetError>,
) -> Result<T, Error> {
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

/// A file that may not be read beyond its end: the library would go on for as long as a damaged length says.
struct Ending(File);

impl Length for Ending {
    fn len(&self) -> u64 {
        Length::len(&self.0)
    }
}

impl ChunkReader for Ending {
    type T = BufReader<Ending>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        let mut file = self.0.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        Ok(BufReader::new(Ending(file)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        self.0.get_bytes(start, length)
    }
}

impl Read for Ending {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }
}
