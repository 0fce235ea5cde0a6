//! What could not be used.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use lookalike_kernel::record::Rejection;
use lookalike_kernel::rows::{Row, Shape};

use crate::Error;
use crate::error::place;
use crate::sink::{Sink, TableWriter};
use crate::stages::{Context, Signed};

/// Files that could not be read, or not to their end: the first ones, each with the reason.
pub(super) fn unreadable(context: &Context<'_>, signed: &Signed) -> Vec<String> {
    let parts = signed.counts.first_parts.iter();
    parts
        .map(|part| format!("{}: {}", place(part), (context.spell)(&part.reason)))
        .collect()
}

/// Rejections for about the same reason.
struct Alike {
    first: String,
    /// How many other reasons there were before.
    place: usize,
    count: u64,
}

/// A reason without what is of one record: quoted text and numbers.
fn outline(reason: &str) -> String {
    let outside = reason.split('"').step_by(2);
    outside
        .flat_map(str::chars)
        .filter(|c| !c.is_ascii_digit())
        .collect()
}

/// Writes the rejections, which are kept as lines of JSON, and returns the first for each of the most common reasons, in input
/// order.
pub(super) fn write_rejected(
    context: &Context<'_>,
    signed: &Signed,
    sink: &mut dyn Sink,
) -> Result<Vec<String>, Error> {
    const SHOWN: usize = 3;
    const REASONS: usize = 1000;
    const PIECE: u64 = 1 << 16;
    let mut table = TableWriter::begin(sink, Shape::Rejected)?;
    let mut reasons: BTreeMap<String, Alike> = BTreeMap::new();
    let mut each = |line: &[u8]| {
        let mut rejection: Rejection = serde_json::from_slice(line).map_err(Error::internal)?;
        rejection.reason = (context.spell)(&rejection.reason);
        let outline = outline(&rejection.reason);
        if reasons.len() < REASONS || reasons.contains_key(&outline) {
            let others = reasons.len();
            let alike = reasons.entry(outline).or_insert_with(|| Alike {
                first: format!("{}: {}", place(&rejection), rejection.reason),
                place: others,
                count: 0,
            });
            alike.count += 1;
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
    let mut reasons: Vec<Alike> = reasons.into_values().collect();
    reasons.sort_by_key(|alike| Reverse(alike.count));
    reasons.truncate(SHOWN);
    reasons.sort_by_key(|alike| alike.place);
    Ok((reasons.into_iter())
        .map(|alike| match alike.count {
            1 => alike.first,
            count => format!("{} ({} more like it)", alike.first, count - 1),
        })
        .collect())
}
