//! A table as Parquet, with the columns that its shape says: what is nested is nested, similarities by name are a map.
//!
//! Rows are written in batches that depend on the rows alone, so that the same rows are the same bytes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;
use lookalike_kernel::record::Value;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::arrow::{BATCH_BYTES, BATCH_ROWS, batch, schema};
use super::{Columns, TableFormat, damaged, for_each_line};
use crate::error::Error;
use crate::read::arrow_cells::cell;
use crate::read::parquet_table::guard;

/// Writes the lines of a file as rows.
pub(super) fn write(table: &Columns, from: &Path, to: &Path) -> Result<(), Error> {
    let unwritten = |error: std::io::Error| Error::result("write", to)(error);
    let unfit = |error: String| Error::output(to, error);
    let schema = schema(table);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_bytes(Some(32 << 20))
        .build();
    let file = File::create(to).map_err(unwritten)?;
    let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties));
    let mut writer = writer.map_err(|error| unfit(error.to_string()))?;
    let (mut lines, mut bytes) = (Vec::new(), 0);
    let mut flush = |lines: &mut Vec<String>| -> Result<(), String> {
        let batch = batch(table, &schema, lines)?;
        lines.clear();
        writer.write(&batch).map_err(|error| error.to_string())
    };
    for_each_line(from, |line| {
        bytes += line.len();
        lines.push(line.to_string());
        if lines.len() == BATCH_ROWS || bytes >= BATCH_BYTES {
            bytes = 0;
            flush(&mut lines)?;
        }
        Ok(())
    })?;
    flush(&mut lines).map_err(unfit)?;
    writer.finish().map_err(|error| unfit(error.to_string()))?;
    writer.inner().sync_data().map_err(unwritten)
}

/// Writes the rows as lines of JSON again.
pub(super) fn restore(from: &Path, to: &Path) -> Result<(), Error> {
    let name = from.display().to_string();
    let unread = |error: String| damaged(from, TableFormat::Parquet, error);
    let file = File::open(from).map_err(Error::file("read", from))?;
    let mut rows = guard(&name, || {
        ParquetRecordBatchReaderBuilder::try_new(file)?.build()
    })?;
    let mut out = BufWriter::new(File::create(to).map_err(Error::file("write", to))?);
    let mut line = String::new();
    loop {
        let batch = guard(&name, || rows.next().transpose().map_err(Into::into))?;
        let Some(batch) = batch else { break };
        let all = StructArray::from(batch);
        for row in 0..all.len() {
            line.clear();
            push_object(&all, row, &mut line).map_err(unread)?;
            line.push('\n');
            let written = out.write_all(line.as_bytes());
            written.map_err(Error::file("write", to))?;
        }
    }
    out.flush().map_err(Error::file("write", to))
}

fn push_object(all: &StructArray, row: usize, line: &mut String) -> Result<(), String> {
    let fields = all.column_names().into_iter().zip(all.columns());
    let members = fields.map(|(name, array)| (name, array, row));
    push_members(members, line)
}

fn push_members<'a>(
    members: impl Iterator<Item = (&'a str, &'a ArrayRef, usize)>,
    line: &mut String,
) -> Result<(), String> {
    line.push('{');
    for (number, (name, array, row)) in members.enumerate() {
        if number > 0 {
            line.push(',');
        }
        line.push_str(&serde_json::Value::from(name).to_string());
        line.push(':');
        push_value(array, row, line)?;
    }
    line.push('}');
    Ok(())
}

fn push_value(array: &ArrayRef, row: usize, line: &mut String) -> Result<(), String> {
    match array.data_type() {
        _ if array.is_null(row) => line.push_str("null"),
        DataType::Struct(_) => push_object(array.as_struct(), row, line)?,
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(row);
            line.push('[');
            for place in 0..list.len() {
                if place > 0 {
                    line.push(',');
                }
                push_value(&list, place, line)?;
            }
            line.push(']');
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let names = entries.column(0).as_string_opt::<i32>();
            let names = names.ok_or("a map has keys that are no text")?;
            let members =
                (0..entries.len()).map(|place| (names.value(place), entries.column(1), place));
            push_members(members, line)?;
        }
        _ => match cell(array, row, &mut String::new()) {
            Value::Text(text) => line.push_str(&serde_json::Value::from(text).to_string()),
            Value::Number(number) => line.push_str(number),
            Value::Bool(value) => line.push_str(if value { "true" } else { "false" }),
            _ => line.push_str("null"),
        },
    }
    Ok(())
}
