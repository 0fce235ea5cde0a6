//! Parquet: the rows that stay, with all columns, the file's metadata and its compression.

use std::fs::File;
use std::path::PathBuf;

use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowWriter};
use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::WriterProperties;

use super::encoder::create_file;
use super::{Clean, Cleaning, Keep};
use crate::block::Block;
use crate::error::Error;
use crate::read::parquet_table::Table;

/// The writer holds a row group in memory until it is full.
const ROW_GROUP_BYTES: usize = 32 << 20;

/// Begins the copy of a table.
pub(crate) fn start<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    let table = Table::open(cleaning.source, cleaning.options)?;
    let path = cleaning.path();
    let properties = WriterProperties::builder()
        .set_compression(compression(&table))
        .set_max_row_group_bytes(Some(ROW_GROUP_BYTES))
        .set_key_value_metadata(key_value_metadata(&table))
        .build();
    let schema = table.metadata.schema().clone();
    let writer = ArrowWriter::try_new(create_file(&path)?, schema, Some(properties));
    let writer = writer.map_err(|error| Error::output(&path, error.to_string()))?;
    Ok(Box::new(Rows {
        table,
        path,
        writer,
    }))
}

struct Rows {
    table: Table,
    path: PathBuf,
    writer: ArrowWriter<File>,
}

impl Clean for Rows {
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error> {
        let slots = (block.rows.end - block.rows.start) as u32;
        let kept: Vec<bool> = (0..slots).map(keep).collect();
        if !kept.contains(&true) {
            return Ok(());
        }
        for batch in self.table.read(block.rows.clone(), &kept, None)? {
            self.writer
                .write(&batch?)
                .map_err(|error| Error::output(&self.path, error.to_string()))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.writer
            .finish()
            .map_err(|error| Error::output(&self.path, error.to_string()))?;
        self.writer
            .inner()
            .sync_all()
            .map_err(Error::file("write", &self.path))
    }
}

/// The compression of the file's first column.
fn compression(table: &Table) -> Compression {
    let groups = table.metadata.metadata().row_groups();
    let first = groups.first().and_then(|group| group.columns().first());
    match first.map(ColumnChunkMetaData::compression) {
        // Not compiled in for writing.
        Some(Compression::BROTLI(_) | Compression::LZO) | None => Compression::SNAPPY,
        Some(compression) => compression,
    }
}

/// What the file says about itself, but for what the writer says anew.
fn key_value_metadata(table: &Table) -> Option<Vec<KeyValue>> {
    let pairs = table
        .metadata
        .metadata()
        .file_metadata()
        .key_value_metadata()?;
    Some(
        pairs
            .iter()
            .filter(|pair| pair.key != ARROW_SCHEMA_META_KEY)
            .cloned()
            .collect(),
    )
}
