//! One cell of an Arrow column as a value.

use std::fmt::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Decimal256Type};
use arrow_array::{Array, ArrayRef, downcast_primitive_array};
use arrow_schema::DataType;

use lookalike_kernel::record::Value;

/// The value of a row. Numbers are written to `printed`; dates and times as their number of ticks, which sorts.
pub(super) fn cell<'a>(array: &'a ArrayRef, row: usize, printed: &'a mut String) -> Value<'a> {
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
        DataType::Binary => text(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => text(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => text(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => Value::Other("binary"),
        DataType::Struct(_) | DataType::Map(..) => Value::Other("an object"),
        _ => primitive(array, row, printed),
    }
}

/// Bytes that some writers do not say to be text.
fn text(bytes: &[u8]) -> Value<'_> {
    simdutf8::basic::from_utf8(bytes).map_or(Value::Other("invalid UTF-8"), Value::Text)
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
