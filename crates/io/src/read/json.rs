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

/// Buffers for reading objects, reused from line to line.
#[derive(Default)]
pub(crate) struct Scratch {
    found: Vec<Raw>,
    strings: Unescaped,
    /// The brackets that are open, for nested values.
    open: Vec<u8>,
}

impl Scratch {
    /// Finds the wanted fields of the object in `line`. Of fields with one name the last counts. A name with dots is also
    /// the path to a field within others: `doc.text` is the `text` of `doc`.
    pub(crate) fn read<'a>(
        &'a mut self,
        line: &'a str,
        fields: &[Field],
    ) -> Result<Vec<Value<'a>>, Fault> {
        self.found.clear();
        self.found.resize(fields.len(), Raw::Missing);
        self.strings.restart(line);
        let mut cursor = Cursor {
            bytes: line.as_bytes(),
            at: 0,
            open: &mut self.open,
        };
        let found = &mut self.found;
        cursor.object(&mut self.strings, &mut |key, cursor, strings| {
            let key = key.bytes(line, strings);
            let names = fields.iter().map(|field| field.name.as_bytes());
            match names.clone().position(|name| name == key) {
                Some(wanted) => found[wanted] = cursor.wanted_value(strings)?,
                None => match below(names, key, cursor) {
                    Some(names) => within(line, &names, found, (cursor, strings))?,
                    None => cursor.skip_value()?,
                },
            }
            Ok(())
        })?;
        let Scratch { found, strings, .. } = self;
        let values = found.iter().map(|raw| raw.value(line, strings));
        values.collect()
    }
}

/// What is left of names that are paths into the object that begins here, which has this key; of others nothing is left.
fn below<'n>(
    names: impl Iterator<Item = &'n [u8]> + Clone,
    key: &[u8],
    cursor: &Cursor<'_>,
) -> Option<Vec<&'n [u8]>> {
    let rest = |name: &'n [u8]| name.strip_prefix(key)?.strip_prefix(b".");
    let is_path = cursor.peek() == Some(b'{') && names.clone().any(|name| rest(name).is_some());
    is_path.then(|| names.map(|name| rest(name).unwrap_or_default()).collect())
}

/// Finds fields in the object that begins here by what is left of their names: as deep as the longest path.
fn within(
    line: &str,
    names: &[&[u8]],
    found: &mut [Raw],
    (cursor, strings): (&mut Cursor<'_>, &mut Unescaped),
) -> Result<(), Fault> {
    cursor.members(strings, &mut |key, cursor, strings| {
        let key = key.bytes(line, strings);
        let is_it = |name: &&[u8]| !name.is_empty() && *name == key;
        match names.iter().position(is_it) {
            Some(wanted) => found[wanted] = cursor.wanted_value(strings)?,
            None => match below(names.iter().copied(), key, cursor) {
                Some(names) => within(line, &names, found, (cursor, strings))?,
                None => cursor.skip_value()?,
            },
        }
        Ok(())
    })
}

/// Whether this is how JSON Lines begin, or an array of objects.
pub(crate) fn begins_object(first: &[u8]) -> bool {
    let first = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first);
    let first = first.trim_ascii_start();
    let object = first.strip_prefix(b"[").unwrap_or(first);
    let inside = object.trim_ascii_start().strip_prefix(b"{");
    inside.is_some_and(|inside| matches!(inside.trim_ascii_start(), [b'"' | b'}', ..]))
}

/// Whether this is how a whole array begins: one of objects, or one that goes on after its first line.
pub(crate) fn begins_array(first: &[u8]) -> bool {
    let first = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first);
    let Some(inside) = first.trim_ascii_start().strip_prefix(b"[") else {
        return false;
    };
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    matches!(
        inside.iter().find(|byte| !is_space(byte)),
        None | Some(b'{' | b'\n')
    )
}

/// The names of an object's fields, for messages: those within others as paths.
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
    let _ = cursor.object(&mut strings, &mut |key, cursor, strings| {
        add_names(line, "", &mut names, (key, cursor, strings))
    });
    names
}

/// So deep paths are told.
const DEPTH: usize = 4;

fn add_names(
    line: &str,
    above: &str,
    names: &mut Vec<String>,
    (key, cursor, strings): (Quoted, &mut Cursor<'_>, &mut Unescaped),
) -> Result<(), Fault> {
    let key = String::from_utf8_lossy(key.bytes(line, strings)).into_owned();
    let path = format!("{above}{key}");
    if cursor.peek() != Some(b'{') || above.split('.').count() > DEPTH {
        names.push(path);
        return cursor.skip_value();
    }
    let above = format!("{path}.");
    cursor.members(strings, &mut |key, cursor, strings| {
        add_names(line, &above, names, (key, cursor, strings))
    })
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
