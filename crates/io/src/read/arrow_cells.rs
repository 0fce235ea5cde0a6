//! The cells of Arrow columns as values: which column a field is, and what a row has in it.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Decimal256Type};
use arrow_array::{
    Array, ArrayRef, downcast_dictionary_array, downcast_primitive_array, downcast_temporal_array,
};
use arrow_schema::{DataType, Fields};

use lookalike_kernel::record::Value;

/// Where a field is: a column, or within one.
#[derive(Clone, Debug)]
pub(crate) struct ColumnPlace {
    pub(crate) column: usize,
    /// The names of the fields on the way down.
    path: Vec<String>,
}

impl ColumnPlace {
    /// The place of a field of this name. A name with dots is also the path to a field within a column.
    pub(crate) fn named(name: &str, columns: &[&str]) -> Option<Self> {
        if let Some(column) = columns.iter().position(|column| *column == name) {
            let path = Vec::new();
            return Some(ColumnPlace { column, path });
        }
        let within = |column: &str| name.strip_prefix(column)?.strip_prefix('.');
        let mut found = columns.iter().enumerate();
        let (column, rest) = found.find_map(|(number, column)| Some((number, within(column)?)))?;
        let path = rest.split('.').map(str::to_owned).collect();
        Some(ColumnPlace { column, path })
    }

    /// What the place leads to, given its column.
    pub(crate) fn cells(&self, column: &ArrayRef) -> Option<Cells> {
        let mut cells = Cells {
            values: Arc::clone(column),
            above: Vec::new(),
        };
        for name in &self.path {
            let within = cells.values.as_struct_opt()?.column_by_name(name)?;
            let within = Arc::clone(within);
            cells
                .above
                .push(std::mem::replace(&mut cells.values, within));
        }
        Some(cells)
    }
}

/// The names of all fields: columns, and as paths what is within them.
pub(crate) fn field_names(fields: &Fields) -> Vec<String> {
    let mut names = Vec::new();
    add_names("", fields, &mut names);
    names
}

fn add_names(above: &str, fields: &Fields, names: &mut Vec<String>) {
    for field in fields {
        let name = format!("{above}{}", field.name());
        if let DataType::Struct(within) = field.data_type() {
            add_names(&format!("{name}."), within, names);
        }
        names.push(name);
    }
}

/// A column, or what a path leads to within it.
pub(crate) struct Cells {
    values: ArrayRef,
    /// What it is within; where one of these is null, it is.
    above: Vec<ArrayRef>,
}

impl Cells {
    /// The value of a row.
    pub(crate) fn value<'a>(&'a self, row: usize, printed: &'a mut String) -> Value<'a> {
        if self.above.iter().any(|array| array.is_null(row)) {
            return Value::Null;
        }
        cell(&self.values, row, printed)
    }
}

/// The value of a row. Numbers are written to `printed`, and so are dates and moments: as ISO 8601 has them, whatever the unit in
/// which a column counts, so that those of several files compare. Times of a day and durations are their number of ticks.
pub(crate) fn cell<'a>(array: &'a ArrayRef, row: usize, printed: &'a mut String) -> Value<'a> {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => Value::Text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Value::Text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Value::Text(array.as_string_view().value(row)),
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Null => Value::Null,
        DataType::Decimal128(..) => {
            *printed = array.as_primitive::<Decimal128Type>().value_as_string(row);
            Value::Number(printed)
        }
        DataType::Decimal256(..) => {
            *printed = array.as_primitive::<Decimal256Type>().value_as_string(row);
            Value::Number(printed)
        }
        DataType::Interval(_) => Value::Other("an interval"),
        DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 => {
            moment(array, row, printed);
            Value::Text(printed)
        }
        DataType::Binary => text(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => text(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => text(array.as_binary_view().value(row)),
        DataType::Dictionary(..) => known(array, row, printed),
        DataType::FixedSizeBinary(_) => Value::Other("binary"),
        DataType::Struct(_) | DataType::Map(..) => Value::Other("an object"),
        _ => primitive(array, row, printed),
    }
}

/// Bytes that some writers do not say to be text.
fn text(bytes: &[u8]) -> Value<'_> {
    simdutf8::basic::from_utf8(bytes).map_or(Value::Other("invalid UTF-8"), Value::Text)
}

/// A value of a dictionary.
fn known<'a>(array: &'a ArrayRef, row: usize, printed: &'a mut String) -> Value<'a> {
    let array = array.as_ref();
    downcast_dictionary_array! {
        array => match array.key(row) {
            Some(key) => cell(array.values(), key, printed),
            None => Value::Null,
        },
        _ => Value::Other("an array"),
    }
}

/// Writes a date or a moment in universal time; its number of ticks where it is beyond the calendar.
fn moment(array: &ArrayRef, row: usize, printed: &mut String) {
    let array = array.as_ref();
    downcast_temporal_array! {
        array => {
            // Writing to a string cannot fail.
            let _ = match (array.value_as_datetime(row), array.data_type()) {
                (Some(day), DataType::Date32 | DataType::Date64) => {
                    write!(printed, "{:?}", day.date())
                }
                (Some(moment), DataType::Timestamp(_, Some(_))) => write!(printed, "{moment:?}Z"),
                (Some(moment), _) => write!(printed, "{moment:?}"),
                (None, _) => write!(printed, "{}", array.value(row)),
            };
        }
        _ => {}
    }
}

fn primitive<'a>(array: &'a ArrayRef, row: usize, printed: &'a mut String) -> Value<'a> {
    let array = array.as_ref();
    downcast_primitive_array! {
        array => {
            // Writing to a string cannot fail. `Debug` of a float is the shortest text that reads back the same.
            let _ = write!(printed, "{:?}", array.value(row));
        }
        _ => return Value::Other("an array"),
    }
    // Infinities and what is not a number have no JSON text.
    let is_number = printed
        .bytes()
        .last()
        .is_some_and(|byte| byte.is_ascii_digit());
    if is_number {
        Value::Number(printed)
    } else {
        Value::Null
    }
}
