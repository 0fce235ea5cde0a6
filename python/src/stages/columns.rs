//! The columns of rows between stages: integers are signed, as engines of tables have them.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Int64Array, RecordBatch, UInt64Array,
};
use arrow_schema::{Field, Schema};
use arrow_select::take::take;
use lookalike::program::Failure;
use lookalike::sign::keys::Sketch;

/// A number as one that is signed and has the same place among others.
pub(super) fn signed(number: u64) -> i64 {
    (number ^ 1 << 63) as i64
}

/// A column of integers.
pub(super) fn numbers<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b Int64Array, Failure> {
    let column = batch.column_by_name(name);
    let numbers = column.and_then(|column| column.as_primitive_opt::<Int64Type>());
    numbers.ok_or_else(|| anyhow::anyhow!("there is no column \"{name}\" of 64-bit integers"))
}

/// A column of bytes.
pub(super) fn binary<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b BinaryArray, Failure> {
    let column = batch.column_by_name(name);
    let bytes = column.and_then(|column| column.as_binary_opt::<i32>());
    bytes.ok_or_else(|| anyhow::anyhow!("there is no column \"{name}\" of bytes"))
}

/// A column of any kind.
pub(super) fn column<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b ArrayRef, Failure> {
    let column = batch.column_by_name(name);
    column.ok_or_else(|| anyhow::anyhow!("there is no column \"{name}\""))
}

/// A column of truth values.
pub(super) fn bits<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b BooleanArray, Failure> {
    let bits = column(batch, name)?.as_boolean_opt();
    bits.ok_or_else(|| anyhow::anyhow!("the column \"{name}\" is not one of truth values"))
}

/// A column of lists of integers.
pub(super) fn lists(batch: &RecordBatch, name: &str) -> Result<Vec<Vec<i64>>, Failure> {
    let column = batch.column_by_name(name);
    let lists = column.and_then(|column| column.as_list_opt::<i32>());
    let lists = lists.ok_or_else(|| anyhow::anyhow!("there is no column \"{name}\" of lists"))?;
    let list = |list: Option<ArrayRef>| {
        let numbers = list
            .as_ref()
            .and_then(|l| l.as_primitive_opt::<Int64Type>());
        numbers.map_or(Vec::new(), |numbers| numbers.values().to_vec())
    };
    Ok(lists.iter().map(list).collect())
}

/// Adds a list of changes, each as what was there before and after it.
pub(super) fn append_changed(
    changes: &mut ListBuilder<ListBuilder<StringBuilder>>,
    changed: &[(String, String)],
) {
    for (from, to) in changed {
        let pair = changes.values();
        pair.values().append_value(from);
        pair.values().append_value(to);
        pair.append(true);
    }
    changes.append(true);
}

/// What was kept of a unit, of its bytes.
pub(super) fn kept_words(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

/// A sketch of its bytes.
pub(super) fn sketch(bytes: &[u8]) -> Sketch {
    bytes.try_into().map_or(0, u128::from_le_bytes)
}

/// The names of all columns but these.
pub(super) fn without(batch: &RecordBatch, names: &[&str]) -> Vec<String> {
    let schema = batch.schema();
    let all = schema.fields().iter().map(|field| field.name().clone());
    all.filter(|name| !names.contains(&name.as_str())).collect()
}

/// Some columns of a batch and more.
pub(super) fn more_columns(
    batch: &RecordBatch,
    carried: &[String],
    more: Vec<(&str, ArrayRef)>,
) -> Result<RecordBatch, Failure> {
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for name in carried {
        let column = batch.column_by_name(name);
        let column = column.ok_or_else(|| anyhow::anyhow!("there is no column \"{name}\""))?;
        fields.push(Field::new(name, column.data_type().clone(), true));
        columns.push(Arc::clone(column));
    }
    for (name, column) in more {
        fields.push(Field::new(name, column.data_type().clone(), true));
        columns.push(column);
    }
    Ok(RecordBatch::try_new(
        Arc::new(Schema::new(fields)),
        columns,
    )?)
}

/// These rows of a batch, in this order.
pub(super) fn chosen_rows(batch: &RecordBatch, rows: Vec<u64>) -> Result<RecordBatch, Failure> {
    let rows = UInt64Array::from(rows);
    let columns = batch.columns().iter();
    let columns = columns.map(|column| take(column, &rows, None));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    Ok(RecordBatch::try_new(batch.schema(), columns)?)
}

/// A batch of columns of integers.
pub(super) fn of_numbers(columns: Vec<(&str, Vec<i64>)>) -> Result<RecordBatch, Failure> {
    let array = |numbers: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(numbers)) };
    let columns: Vec<(&str, ArrayRef)> = columns
        .into_iter()
        .map(|(name, numbers)| (name, array(numbers)))
        .collect();
    let fields: Vec<Field> = (columns.iter())
        .map(|(name, column)| Field::new(*name, column.data_type().clone(), false))
        .collect();
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    Ok(RecordBatch::try_new(
        Arc::new(Schema::new(fields)),
        columns,
    )?)
}
