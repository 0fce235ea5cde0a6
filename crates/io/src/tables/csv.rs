//! A table as CSV: a row of names, then a row per line. What is nested is JSON; what is missing is an empty cell.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use lookalike_kernel::rows::{Column, ColumnKind, Table};
use serde_json::value::RawValue;

use super::{Columns, Fields, Ids, TableFormat, columns_named, damaged, for_each_line, unsaid};
use crate::error::Error;
use crate::read::csv::RowCells;

/// Writes the lines of a file as rows.
pub(super) fn write(table: &Columns, from: &Path, to: &Path) -> Result<(), Error> {
    let unwritten = |error: std::io::Error| Error::result("write", to)(error);
    let mut out = BufWriter::new(File::create(to).map_err(unwritten)?);
    let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    let mut row = names.join(",") + "\n";
    out.write_all(row.as_bytes()).map_err(unwritten)?;
    let mut failed = None;
    for_each_line(from, |line| {
        let fields: Fields<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        row.clear();
        for (number, column) in table.columns.iter().enumerate() {
            if number > 0 {
                row.push(',');
            }
            push_cell(&mut row, &cell(column, fields.get(column.name).copied())?);
        }
        row.push('\n');
        failed = failed.take().or(out.write_all(row.as_bytes()).err());
        Ok(())
    })?;
    let written = failed.map_or(Ok(()), Err).and_then(|()| out.flush());
    written
        .and_then(|()| out.get_ref().sync_data())
        .map_err(unwritten)
}

/// What a cell says, without quotes.
fn cell(column: &Column, value: Option<&RawValue>) -> Result<String, String> {
    let value = value.map(RawValue::get).filter(|json| *json != "null");
    let Some(json) = value else {
        return Ok(unsaid(column).map_or(String::new(), |value| value.to_string()));
    };
    match column.kind {
        ColumnKind::Id | ColumnKind::Text if json.starts_with('"') => {
            serde_json::from_str(json).map_err(|error| error.to_string())
        }
        _ => Ok(json.to_string()),
    }
}

fn push_cell(row: &mut String, cell: &str) {
    let is_plain = |cell: &str| !cell.contains([',', '"', '\n', '\r']) && cell.trim() == cell;
    if is_plain(cell) {
        row.push_str(cell);
    } else {
        row.push('"');
        row.push_str(&cell.replace('"', "\"\""));
        row.push('"');
    }
}

/// Writes the rows as lines of JSON again.
pub(super) fn restore(table: Table, ids: Ids, from: &Path, to: &Path) -> Result<(), Error> {
    let unread = |problem: String| damaged(from, TableFormat::Csv, problem);
    let file = File::open(from).map_err(Error::file("read", from))?;
    let mut rows = RowCells::new(BufReader::new(file));
    let mut next = || rows.next_row().map_err(Error::file("read", from));
    let header = next()?.ok_or_else(|| unread("it has no row of names".to_string()))?;
    let names: Vec<&str> = header.iter().map(String::as_str).collect();
    let columns = columns_named(table, &names)
        .ok_or_else(|| unread(format!("its columns are not those of {table}")))?;
    let mut out = BufWriter::new(File::create(to).map_err(Error::file("write", to))?);
    while let Some(row) = next()? {
        if row.len() != columns.len() {
            return Err(unread(format!("a row has {} cells", row.len())));
        }
        let fields = columns.iter().zip(&row);
        let fields = fields.filter_map(|(column, cell)| {
            Some(format!("\"{}\":{}", column.name, json(column, ids, cell)?))
        });
        let fields: Vec<String> = fields.collect();
        let line = writeln!(out, "{{{}}}", fields.join(","));
        line.map_err(Error::file("write", to))?;
    }
    out.flush().map_err(Error::file("write", to))
}

/// What a cell is in JSON; none where it is left out there.
fn json(column: &Column, ids: Ids, cell: &str) -> Option<String> {
    let quoted = || Some(serde_json::Value::from(cell).to_string());
    match column.kind {
        ColumnKind::Boolean
            if unsaid(column).map(|value| value.to_string()).as_deref() == Some(cell) =>
        {
            None
        }
        _ if cell.is_empty() && column.optional => match column.name {
            "copy_of" | "title" | "origin" => None,
            _ => Some("null".to_string()),
        },
        ColumnKind::Text => quoted(),
        ColumnKind::Id if ids == Ids::Texts => quoted(),
        _ if cell.is_empty() => None,
        _ => Some(cell.to_string()),
    }
}
