//! The wanted fields of one JSON object, found without building anything.
//!
//! In goes a line, out come the wanted values. The whole line is checked to be valid JSON, as a truncated record must
//! not pass for a short one, but only strings that are wanted are unescaped, in the pass that finds their end. Strings
//! are looked through 32 bytes at a time, which pays where escapes are frequent (`benches/jsonl.rs`).

mod cursor;
mod string;

use super::records::BYTE_ORDER_MARK;
pub(crate) use cursor::Fault;
use cursor::{Cursor, Raw};
use lookalike_kernel::record::{Field, Value};
use string::{Quoted, Unescaped};

/// The wanted values of a line.
pub(crate) struct Found<'a> {
    pub(crate) values: Vec<Value<'a>>,
    /// Whether a string that was unescaped has a NUL character; others cannot have one.
    pub(crate) has_nul: bool,
}

/// Buffers for reading objects, reused from line to line.
#[derive(Default)]
pub(crate) struct Scratch {
    found: Vec<Raw>,
    strings: Unescaped,
    /// The brackets that are open, for nested values.
    open: Vec<u8>,
}

impl Scratch {
    /// Finds the wanted fields of the object in `line`. Of fields with one name the last counts.
    pub(crate) fn read<'a>(
        &'a mut self,
        line: &'a str,
        fields: &[Field],
    ) -> Result<Found<'a>, Fault> {
        self.found.clear();
        self.found.resize(fields.len(), Raw::Missing);
        self.strings.restart(line);
        let mut cursor = Cursor {
            bytes: line.as_bytes(),
            at: 0,
            open: &mut self.open,
        };
        let (found, strings) = (&mut self.found, &mut self.strings);
        cursor.object(strings, |key, cursor, strings| {
            match fields
                .iter()
                .position(|field| field.name.as_bytes() == key.bytes(line, strings))
            {
                Some(wanted) => found[wanted] = cursor.wanted_value(strings)?,
                None => cursor.skip_value()?,
            }
            Ok(())
        })?;
        let Scratch { found, strings, .. } = self;
        let values = found
            .iter()
            .map(|raw| raw.value(line, strings))
            .collect::<Result<_, _>>()?;
        let has_nul = strings.has_nul;
        Ok(Found { values, has_nul })
    }
}

/// Whether this is how JSON Lines begin, or an array of objects.
pub(crate) fn begins_object(first: &[u8]) -> bool {
    let first = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first);
    let first = first.trim_ascii_start();
    let object = first.strip_prefix(b"[").unwrap_or(first);
    let inside = object.trim_ascii_start().strip_prefix(b"{");
    inside.is_some_and(|inside| matches!(inside.trim_ascii_start(), [b'"' | b'}', ..]))
}

/// The names of an object's fields, for messages.
pub(crate) fn field_names(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut open, mut strings) = (Vec::new(), Unescaped::default());
    strings.restart(line);
    let mut cursor = Cursor {
        bytes: line.as_bytes(),
        at: 0,
        open: &mut open,
    };
    // A fault would have been found before anyone asks for the names.
    let _ = cursor.object(&mut strings, |key, cursor, strings| {
        names.push(String::from_utf8_lossy(key.bytes(line, strings)).into_owned());
        cursor.skip_value()
    });
    names
}

impl Raw {
    fn value<'a>(self, line: &'a str, strings: &'a Unescaped) -> Result<Value<'a>, Fault> {
        Ok(match self {
            Raw::Missing => Value::Missing,
            Raw::Null => Value::Null,
            Raw::Bool(value) => Value::Bool(value),
            Raw::Array => Value::Other("an array"),
            Raw::Object => Value::Other("an object"),
            Raw::Number(start, end) => Value::Number(&line[start..end]),
            Raw::Text(Quoted::InLine(start, end)) => Value::Text(&line[start..end]),
            Raw::Text(Quoted::InBuffer(start, end)) => {
                let text = simdutf8::basic::from_utf8(&strings.bytes[start..end]);
                Value::Text(text.map_err(|_| Fault {
                    what: "a string that is not UTF-8",
                    at: 0,
                })?)
            }
        })
    }
}

#[cfg(test)]
mod tests;
