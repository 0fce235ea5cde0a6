//! Records of a file that was converted before it is read: a line each, in cells with tabs between.
//!
//! The first cell is the line in the source. A rejection is a line, too: `!`, its line, the reason.

use memchr::memchr_iter;

use super::{Each, Want};
use crate::block::Block;
use crate::error::Error;
use crate::record::{Record, Rejection, Value};

/// How a line that is a rejection starts.
pub(super) const REJECTION: &str = "!\t";

/// Says what a record has: gives the values of its cells to the function that takes them.
pub(super) type Values<'v, const CELLS: usize> =
    &'v mut dyn FnMut(&[&str; CELLS], &mut dyn FnMut(&[Value<'_>]));

/// A converted file, for messages.
pub(super) struct Converted<'c> {
    /// The source it was made of.
    pub(super) name: &'c str,
    /// What it holds: "threads".
    pub(super) what: &'static str,
    /// How the reason of a rejection is read.
    pub(super) reason: fn(&str) -> String,
}

impl Converted<'_> {
    /// Decodes the wanted records of a block.
    pub(super) fn decode<const CELLS: usize>(
        &self,
        block: &Block,
        (want, each): (Want<'_>, Each<'_>),
        values: Values<'_, CELLS>,
    ) -> Result<u32, Error> {
        let mut slots = 0;
        for (slot, line) in (0..).zip(lines(block)) {
            slots = slot + 1;
            if !want(slot) {
                continue;
            }
            let line = simdutf8::basic::from_utf8(line).map_err(|_| self.damaged())?;
            if let Some(rejection) = line.strip_prefix(REJECTION) {
                let (number, reason) = rejection.split_once('\t').ok_or_else(|| self.damaged())?;
                each(
                    slot,
                    Err(Rejection {
                        source: self.name.to_string(),
                        line: number.parse().ok(),
                        reason: (self.reason)(reason),
                    }),
                );
                continue;
            }
            let cells = cells::<CELLS>(line).ok_or_else(|| self.damaged())?;
            let number = cells[0].parse().map_err(|_| self.damaged())?;
            values(&cells, &mut |values| {
                each(
                    slot,
                    Ok(Record {
                        line: number,
                        values,
                        name: None,
                    }),
                );
            });
        }
        Ok(slots)
    }

    fn damaged(&self) -> Error {
        Error::Internal(format!(
            "the {} made of {} are damaged",
            self.what, self.name
        ))
    }
}

/// Gives each line of a block with its slot.
pub(super) fn raw(block: &Block, each: &mut dyn FnMut(u32, &[u8])) {
    (0..)
        .zip(lines(block))
        .for_each(|(slot, line)| each(slot, line));
}

/// The lines of a block, each without its line end. Every one is a slot.
fn lines(block: &Block) -> impl Iterator<Item = &[u8]> {
    let bytes = block.bytes.as_slice();
    let mut begin = 0;
    memchr_iter(b'\n', bytes).map(move |end| {
        let line = &bytes[begin..end];
        begin = end + 1;
        line
    })
}

fn cells<const CELLS: usize>(line: &str) -> Option<[&str; CELLS]> {
    let mut cells = [""; CELLS];
    let mut count = 0;
    for cell in line.split('\t') {
        *cells.get_mut(count)? = cell;
        count += 1;
    }
    (count == CELLS).then_some(cells)
}
