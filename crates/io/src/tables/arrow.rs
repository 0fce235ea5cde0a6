//! A table as Arrow columns, as its shape says: what is nested is nested, similarities by name are a map.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, MapArray, RecordBatch,
    RecordBatchReader, StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{
    ArrowError, DataType, Field, FieldRef, Fields as ArrowFields, Schema, SchemaRef,
};
use lookalike_kernel::rows::{Column, ColumnKind};
use serde_json::value::RawValue;

use super::{Columns, Fields, Ids, unsaid};
use crate::error::Error;

/// A batch has so many rows, or fewer if their lines have so many bytes.
pub(super) const BATCH_ROWS: usize = 4096;
pub(super) const BATCH_BYTES: usize = 4 << 20;

/// Lines of JSON, one by one.
type Lines = Box<dyn Iterator<Item = io::Result<String>> + Send>;

/// The rows of a table as batches of Arrow columns, made of its lines as they are asked for.
pub struct TableBatches {
    table: Columns,
    schema: SchemaRef,
    lines: Lines,
}

impl TableBatches {
    /// The rows of a file of JSON Lines.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(columns: &[Column], number_ids: bool, file: &Path) -> Result<Self, Error> {
        let lines = File::open(file).map_err(Error::file("read", file))?;
        Ok(Self::of(columns, number_ids, BufReader::new(lines).lines()))
    }

    /// The rows of these lines.
    pub fn of(
        columns: &[Column],
        number_ids: bool,
        lines: impl Iterator<Item = io::Result<String>> + Send + 'static,
    ) -> Self {
        let ids = if number_ids { Ids::Numbers } else { Ids::Texts };
        let table = Columns {
            columns: columns.to_vec(),
            ids,
        };
        TableBatches {
            schema: schema(&table),
            table,
            lines: Box::new(lines),
        }
    }
}

impl Iterator for TableBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut lines, mut bytes) = (Vec::new(), 0);
        while lines.len() < BATCH_ROWS && bytes < BATCH_BYTES {
            match self.lines.next() {
                None => break,
                Some(Ok(line)) => {
                    bytes += line.len();
                    lines.push(line);
                }
                Some(Err(error)) => return Some(Err(error.into())),
            }
        }
        if lines.is_empty() {
            return None;
        }
        Some(batch(&self.table, &self.schema, &lines).map_err(ArrowError::JsonError))
    }
}

impl RecordBatchReader for TableBatches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// The columns as Arrow has them.
pub(super) fn schema(table: &Columns) -> SchemaRef {
    let fields = table.columns.iter().map(|column| field(column, table.ids));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The columns of some rows.
pub(super) fn batch(
    table: &Columns,
    schema: &SchemaRef,
    lines: &[String],
) -> Result<RecordBatch, String> {
    let rows = lines.iter().map(|line| serde_json::from_str(line));
    let rows: Vec<Fields<'_>> = rows
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    let columns = table.columns.iter().map(|column| {
        let values = rows.iter().map(|row| there(row, column.name));
        let values: Vec<Option<&RawValue>> = values.collect();
        array(column, table.ids, &values)
    });
    let columns: Vec<ArrayRef> = columns.collect::<Result<_, _>>()?;
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| error.to_string())
}

/// A field of a row, unless it is null.
fn there<'l>(row: &Fields<'l>, name: &str) -> Option<&'l RawValue> {
    let value = row.get(name).copied();
    value.filter(|value| value.get() != "null")
}

fn field(column: &Column, ids: Ids) -> Field {
    Field::new(column.name, data_type(column.kind, ids), true)
}

fn data_type(kind: ColumnKind, ids: Ids) -> DataType {
    match kind {
        ColumnKind::Id if ids == Ids::Numbers => DataType::Int64,
        ColumnKind::Integer => DataType::Int64,
        ColumnKind::Real => DataType::Float64,
        ColumnKind::Boolean => DataType::Boolean,
        ColumnKind::List(kind) => DataType::List(item("item", *kind, ids)),
        ColumnKind::Nested(columns) => DataType::Struct(nested(columns, ids)),
        ColumnKind::ByName(kind) => {
            let entries = DataType::Struct(entries(*kind, ids));
            DataType::Map(Arc::new(Field::new("entries", entries, false)), false)
        }
        // What is known by no type of its own is JSON.
        _ => DataType::Utf8,
    }
}

fn item(name: &str, kind: ColumnKind, ids: Ids) -> FieldRef {
    Arc::new(Field::new(name, data_type(kind, ids), true))
}

fn nested(columns: &[Column], ids: Ids) -> ArrowFields {
    columns.iter().map(|column| field(column, ids)).collect()
}

fn entries(kind: ColumnKind, ids: Ids) -> ArrowFields {
    let key: FieldRef = Arc::new(Field::new("key", DataType::Utf8, false));
    [key, item("value", kind, ids)].into_iter().collect()
}

fn array(column: &Column, ids: Ids, values: &[Option<&RawValue>]) -> Result<ArrayRef, String> {
    if let Some(unsaid) = unsaid(column) {
        let values = values.iter().map(|value| {
            let said = value.map(|value| value.get() == "true");
            Some(said.unwrap_or(unsaid))
        });
        return Ok(Arc::new(values.collect::<BooleanArray>()));
    }
    array_of(column.kind, ids, values)
}

fn array_of(kind: ColumnKind, ids: Ids, values: &[Option<&RawValue>]) -> Result<ArrayRef, String> {
    let wrong = |error: ArrowError| error.to_string();
    let nulls = || NullBuffer::from_iter(values.iter().map(Option::is_some));
    Ok(match (kind, data_type(kind, ids)) {
        (_, DataType::Int64) => Arc::new(Int64Array::from(all::<i64>(values)?)),
        (_, DataType::Float64) => Arc::new(Float64Array::from(all::<f64>(values)?)),
        (_, DataType::Boolean) => Arc::new(BooleanArray::from(all::<bool>(values)?)),
        (ColumnKind::List(kind), _) => {
            let lists = all::<Vec<&RawValue>>(values)?;
            let lengths = lists.iter().map(|list| list.as_ref().map_or(0, Vec::len));
            let lengths = OffsetBuffer::from_lengths(lengths);
            let inner: Vec<_> = lists
                .iter()
                .flatten()
                .flatten()
                .map(|value| Some(*value))
                .collect();
            let inner = array_of(*kind, ids, &not_null(inner))?;
            let list = ListArray::try_new(item("item", *kind, ids), lengths, inner, Some(nulls()));
            Arc::new(list.map_err(wrong)?)
        }
        (ColumnKind::Nested(columns), _) => {
            let rows = all::<Fields<'_>>(values)?;
            let inner = columns.iter().map(|column| {
                let values = rows.iter().map(|row| there(row.as_ref()?, column.name));
                array(column, ids, &values.collect::<Vec<_>>())
            });
            let inner: Vec<ArrayRef> = inner.collect::<Result<_, _>>()?;
            let inner = StructArray::try_new(nested(columns, ids), inner, Some(nulls()));
            Arc::new(inner.map_err(wrong)?)
        }
        (ColumnKind::ByName(kind), _) => {
            let rows = all::<InOrder<'_>>(values)?;
            let lengths = rows
                .iter()
                .map(|row| row.as_ref().map_or(0, |row| row.0.len()));
            let lengths = OffsetBuffer::from_lengths(lengths);
            let inner = || rows.iter().flatten().flat_map(|row| &row.0);
            let names: StringArray = inner().map(|(name, _)| Some(name)).collect();
            let inner = inner().map(|(_, value)| Some(*value)).collect();
            let inner = array_of(*kind, ids, &not_null(inner))?;
            let fields = entries(*kind, ids);
            let inner = StructArray::try_new(fields.clone(), vec![Arc::new(names), inner], None);
            let entry = Arc::new(Field::new("entries", DataType::Struct(fields), false));
            let map =
                MapArray::try_new(entry, lengths, inner.map_err(wrong)?, Some(nulls()), false);
            Arc::new(map.map_err(wrong)?)
        }
        _ => {
            let texts = values
                .iter()
                .map(|value| value.map(|value| text(value.get())));
            Arc::new(StringArray::from(texts.collect::<Vec<_>>()))
        }
    })
}

fn not_null(values: Vec<Option<&RawValue>>) -> Vec<Option<&RawValue>> {
    let values = values.into_iter();
    values
        .map(|value| value.filter(|value| value.get() != "null"))
        .collect()
}

/// The values of a type.
fn all<'l, T: serde::Deserialize<'l>>(
    values: &[Option<&'l RawValue>],
) -> Result<Vec<Option<T>>, String> {
    let values = values.iter();
    let values = values.map(|value| {
        value
            .map(|value| serde_json::from_str(value.get()))
            .transpose()
    });
    values
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())
}

/// What a string says, and of anything else its JSON.
fn text(json: &str) -> String {
    serde_json::from_str(json).unwrap_or_else(|_| json.to_string())
}

/// The fields of an object in their order.
struct InOrder<'l>(Vec<(String, &'l RawValue)>);

impl<'l> serde::Deserialize<'l> for InOrder<'l> {
    fn deserialize<D: serde::Deserializer<'l>>(from: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'l> serde::de::Visitor<'l> for Entries {
            type Value = InOrder<'l>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'l>>(
                self,
                mut map: A,
            ) -> Result<InOrder<'l>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(InOrder(entries))
            }
        }
        from.deserialize_map(Entries)
    }
}
