//! Files that are converted before they are read, once: a line each record, in cells with tabs between.
//!
//! The first cell is the line in the source. A rejection is a line, too: `!`, its line, the reason. The file has its name only
//! once it is whole, so a run that was killed finds it again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memchr_iter;
use xxhash_rust::xxh3::Xxh3;

use super::records::{Lines, RecordCutter};
use super::{Cut, Decode, Each, Opening, Preparing, Want};
use crate::block::Block;
use crate::error::Error;
use lookalike_kernel::record::{Need, Record, Rejection, Value};

/// How a line that is a rejection starts.
pub(super) const REJECTION: &str = "!\t";

/// The file that a source is converted to, made by `convert` unless it is there already. Its name tells what the result
/// depends on: the source, the limits, and `also`.
pub(super) fn prepare(
    preparing: &Preparing<'_>,
    (extension, also): (&str, &[u8]),
    convert: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    let (source, options) = (preparing.source, preparing.options);
    let mut hash = Xxh3::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    let limits = [
        options.max_record,
        options.max_expansion,
        options.expansion_floor,
        options.block_bytes as u64,
    ];
    for number in source.files.iter().map(|file| file.identity).chain(limits) {
        hash.update(&number.to_le_bytes());
    }
    hash.update(also);
    let name = format!("{:016x}.{extension}", hash.digest());
    let path = preparing.spool.join(name);
    if !path.is_file() {
        convert(&path)?;
    }
    Ok(path)
}

/// Of each wanted field, its place among those that there are; an error where one that is needed is not.
pub(super) fn places(opening: &Opening<'_>, fields: &[&str]) -> Result<Vec<Option<usize>>, Error> {
    let wanted = opening.wanted.fields.iter();
    wanted
        .map(|wanted| {
            let place = fields.iter().position(|field| *field == wanted.name);
            if wanted.need == Need::Text && place.is_none() {
                return Err(Error::MissingColumn {
                    name: opening.source.name.clone(),
                    field: wanted.name.clone(),
                    columns: fields.join(", "),
                });
            }
            Ok(place)
        })
        .collect()
}

/// Opens the converted file. What is too large was rejected when it was converted, so there is no limit here.
pub(super) fn open(
    opening: &Opening<'_>,
    decoder: impl Decode + 'static,
) -> Result<Box<dyn Cut>, Error> {
    let Some(converted) = &opening.source.prepared else {
        let name = &opening.source.name;
        return Err(Error::Internal(format!("{name} was not converted")));
    };
    let mut cutter = RecordCutter::open_file(&converted.path, opening, Lines)?.without_limit();
    cutter.decode_with(Arc::new(decoder));
    Ok(Box::new(cutter))
}

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
