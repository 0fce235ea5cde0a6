//! The tables of a result as something else than JSON Lines, and back.
//!
//! A run writes JSON Lines. A [`TableFormat`] turns a finished table into a file of its own, column by column as its shape
//! says, and [`restore_table`] makes lines of it again, so that what reads results reads all of them alike. Where all ids of a
//! result are whole numbers, they are numbers in its tables; else they are text.

mod arrow;
mod csv;
mod parquet;
pub(crate) mod texts;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::str::FromStr;

use lookalike_kernel::rows::{Column, ColumnKind, Id, Shape, Table, TablesForm};
use serde_json::value::RawValue;

pub use arrow::TableBatches;

use crate::error::Error;

/// What the tables of a result are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TableFormat {
    /// A JSON object a line.
    #[default]
    JsonLines,
    /// Comma-separated values; what is nested is JSON in its cell.
    Csv,
    /// Parquet, compressed with Snappy.
    Parquet,
}

impl TableFormat {
    /// All of them.
    pub const ALL: [TableFormat; 3] = [
        TableFormat::JsonLines,
        TableFormat::Csv,
        TableFormat::Parquet,
    ];

    /// The name, which files end in.
    pub const fn name(self) -> &'static str {
        match self {
            TableFormat::JsonLines => "jsonl",
            TableFormat::Csv => "csv",
            TableFormat::Parquet => "parquet",
        }
    }
}

impl FromStr for TableFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let mut formats = TableFormat::ALL.into_iter();
        let found = formats.find(|format| format.name() == name);
        found.ok_or_else(|| Error::NoSuchFormat {
            name: name.to_string(),
            formats: TableFormat::ALL.map(TableFormat::name).join(", "),
        })
    }
}

/// What ids are in the columns of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ids {
    /// Whole numbers of 64 bits.
    Numbers,
    /// Texts; numbers among them, too.
    Texts,
}

/// A table to be turned into another format.
pub(crate) struct Columns {
    pub(crate) columns: Vec<Column>,
    pub(crate) ids: Ids,
}

/// Turns a file of JSON Lines into one of another format.
pub(crate) fn convert(
    format: TableFormat,
    columns: &Columns,
    from: &Path,
    to: &Path,
) -> Result<(), Error> {
    match format {
        TableFormat::JsonLines => Ok(()),
        TableFormat::Csv => csv::write(columns, from, to),
        TableFormat::Parquet => parquet::write(columns, from, to),
    }
}

/// Writes a table of a result as JSON Lines again.
///
/// # Errors
/// If it cannot be read or written.
pub fn restore_table(table: Table, form: &TablesForm, from: &Path, to: &Path) -> Result<(), Error> {
    let ids = match form.number_ids {
        true => Ids::Numbers,
        false => Ids::Texts,
    };
    match form.format.parse()? {
        TableFormat::JsonLines => {
            let copied = std::fs::copy(from, to);
            copied.map(drop).map_err(Error::file("read", from))
        }
        TableFormat::Csv => csv::restore(table, ids, from, to),
        TableFormat::Parquet => parquet::restore(from, to),
    }
}

/// The columns of a table that lies in a file of JSON Lines, with those of texts if it has them; none where it has no rows.
///
/// # Errors
/// If it cannot be read.
pub fn columns_of_file(table: Table, file: &Path) -> Result<Option<Vec<Column>>, Error> {
    let mut names: Option<Vec<String>> = None;
    let lines = File::open(file).map_err(Error::file("read", file))?;
    if let Some(line) = BufReader::new(lines).lines().next() {
        let line = line.map_err(Error::file("read", file))?;
        let fields: Result<Fields<'_>, _> = serde_json::from_str(&line);
        let fields =
            fields.map_err(|error| damaged(file, TableFormat::JsonLines, error.to_string()))?;
        names = Some(fields.into_keys().map(Cow::into_owned).collect());
    }
    let Some(names) = names else {
        return Ok(None);
    };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let texts = texts::columns(table);
    let is_text = |name: &str| texts.iter().any(|column| column.name == name);
    let own: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !is_text(name))
        .collect();
    let shape = Shape::recognise(table, &own);
    Ok(shape.map(|shape| {
        let with_texts = texts.iter().filter(|column| names.contains(&column.name));
        shape.columns().iter().chain(with_texts).copied().collect()
    }))
}

/// The columns of a table whose rows have fields of these names, those of its shape and those of texts.
fn columns_named(table: Table, names: &[&str]) -> Option<Vec<Column>> {
    let texts = texts::columns(table);
    let is_text = |name: &str| texts.iter().find(|column| column.name == name);
    let own: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| is_text(name).is_none())
        .collect();
    let shape = Shape::recognise(table, &own)?.columns();
    let column = |name: &&str| {
        let found = shape.iter().find(|column| column.name == *name);
        found.or_else(|| is_text(name)).copied()
    };
    names.iter().map(column).collect()
}

/// The fields of an object that is a row, or nested in one.
type Fields<'l> = BTreeMap<Cow<'l, str>, &'l RawValue>;

/// Whether all ids in the lines of a table are whole numbers of 64 bits.
///
/// # Errors
/// If it cannot be read.
pub fn has_number_ids(columns: &[Column], from: &Path) -> Result<bool, Error> {
    let mut all = true;
    for_each_line(from, |line| {
        let fields: Fields<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        for column in columns {
            if let Some(value) = fields.get(column.name) {
                all = all && are_numbers(column.kind, value)?;
            }
        }
        Ok(())
    })?;
    Ok(all)
}

/// A number that is an id in the table of records, where the same digits as a string are another one of the same side: both
/// would be the same text.
pub(crate) fn ambiguous_id(records: &Path) -> Result<Option<String>, Error> {
    #[derive(serde::Deserialize)]
    struct Named {
        id: Id,
        #[serde(default)]
        against: bool,
    }
    let for_each_id = |each: &mut dyn FnMut(Named)| {
        for_each_line(records, |line| {
            each(serde_json::from_str(line).map_err(|error| error.to_string())?);
            Ok(())
        })
    };
    let mut has_numbers = false;
    for_each_id(&mut |named| has_numbers |= matches!(named.id, Id::Number(_)))?;
    if !has_numbers {
        return Ok(None);
    }
    let mut texts = BTreeSet::new();
    for_each_id(&mut |named| match named.id {
        Id::Text(text) if matches!(Id::from_json(&text), Some(Id::Number(_))) => {
            texts.insert((named.against, text));
        }
        _ => {}
    })?;
    let mut ambiguous = None;
    for_each_id(&mut |named| match named.id {
        Id::Number(number) if texts.contains(&(named.against, number.clone())) => {
            ambiguous = Some(number);
        }
        _ => {}
    })?;
    Ok(ambiguous)
}

fn are_numbers(kind: ColumnKind, value: &RawValue) -> Result<bool, String> {
    let parse = |error: serde_json::Error| error.to_string();
    let json = value.get();
    if json == "null" {
        return Ok(true);
    }
    Ok(match kind {
        ColumnKind::Id => json
            .parse::<i64>()
            .is_ok_and(|number| number.to_string() == json),
        ColumnKind::List(kind) if holds_ids(*kind) => {
            let values: Vec<&RawValue> = serde_json::from_str(json).map_err(parse)?;
            let numbers = values.iter().map(|value| are_numbers(*kind, value));
            numbers
                .collect::<Result<Vec<bool>, String>>()?
                .into_iter()
                .all(|are| are)
        }
        ColumnKind::Nested(columns) if holds_ids(kind) => {
            let fields: Fields<'_> = serde_json::from_str(json).map_err(parse)?;
            let mut all = true;
            for column in columns {
                if let Some(value) = fields.get(column.name) {
                    all &= are_numbers(column.kind, value)?;
                }
            }
            all
        }
        _ => true,
    })
}

fn holds_ids(kind: ColumnKind) -> bool {
    match kind {
        ColumnKind::Id => true,
        ColumnKind::List(kind) | ColumnKind::ByName(kind) => holds_ids(*kind),
        ColumnKind::Nested(columns) => columns.iter().any(|column| holds_ids(column.kind)),
        _ => false,
    }
}

/// What a boolean is where a row does not say it.
fn unsaid(column: &Column) -> Option<bool> {
    match (column.kind, column.name) {
        (ColumnKind::Boolean, "verified") => Some(true),
        (ColumnKind::Boolean, _) => Some(false),
        _ => None,
    }
}

/// Tells the lines of a file.
fn for_each_line(
    from: &Path,
    mut each: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), Error> {
    let file = File::open(from).map_err(Error::file("read", from))?;
    for line in BufReader::new(file).lines() {
        let line = line.map_err(Error::file("read", from))?;
        each(&line).map_err(|problem| damaged(from, TableFormat::JsonLines, problem))?;
    }
    Ok(())
}

fn damaged(path: &Path, format: TableFormat, cause: impl Into<String>) -> Error {
    Error::Damaged {
        name: path.display().to_string(),
        format: format.name(),
        cause: cause.into(),
    }
}

#[cfg(test)]
mod tests;
