//! A row as a line of JSON, as it stands in the files of a result.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Appends a row as a line of JSON.
///
/// # Errors
/// If it has no form in JSON, which every row of a result has.
pub fn write_line(row: &impl Serialize, out: &mut Vec<u8>) -> serde_json::Result<()> {
    row.serialize(&mut Serializer::with_formatter(&mut *out, Reals))?;
    out.push(b'\n');
    Ok(())
}

/// As short as JSON can be, with real numbers as Rust shows them: the shortest form that reads back as the same number, and
/// the `.0` of a whole one, so that a column is real in every line.
struct Reals;

impl Formatter for Reals {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{value:?}")
    }
}
