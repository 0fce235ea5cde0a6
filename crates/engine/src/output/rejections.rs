//! What could not be used.

use std::borrow::Cow;

use lookalike_kernel::record::Rejection;
use lookalike_kernel::rows::{Row, Shape};

use crate::Error;
use crate::error::place;
use crate::sink::{Sink, TableWriter};
use crate::stages::Signed;

/// Writes the rejections, which are kept as lines of JSON, and returns the first few as text.
pub(super) fn write_rejected(sink: &mut dyn Sink, signed: &Signed) -> Result<Vec<String>, Error> {
    const SHOWN: usize = 3;
    const PIECE: u64 = 1 << 16;
    let mut table = TableWriter::begin(sink, Shape::Rejected)?;
    let mut first = Vec::new();
    let mut each = |line: &[u8]| {
        let rejection: Rejection = serde_json::from_slice(line).map_err(Error::internal)?;
        if first.len() < SHOWN {
            first.push(format!("{}: {}", place(&rejection), rejection.reason));
        }
        table.write(&Row::Rejected(Cow::Owned(rejection)))
    };
    // A line that a piece does not end goes before the next piece.
    let mut text = Vec::new();
    let (mut at, end) = (0, signed.rejected.len());
    while at < end {
        let (length, piece) = (text.len(), PIECE.min(end - at));
        text.resize(length + piece as usize, 0);
        signed.rejected.read_at(&mut text[length..], at)?;
        at += piece;
        let whole = text.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |last| last + 1);
        let mut lines = text[..whole].split_inclusive(|&byte| byte == b'\n');
        lines.try_for_each(&mut each)?;
        text.drain(..whole);
    }
    table.finish()?;
    Ok(first)
}
