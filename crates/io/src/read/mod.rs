//! One file per format: how a source is cut into blocks, and how a block is decoded.
//!
//! A format gives a function [`Open`] that makes a [`Cut`] for one source. The cutter hands every block the
//! [`Decode`] that can read it. Formats that are streams of bytes stand on [`compression`] and
//! [`records`].

pub(crate) mod arrow_cells;
pub(crate) mod compression;
mod converted;
pub(crate) mod csv;
pub(crate) mod eml;
mod files;
mod html;
pub(crate) mod json;
pub(crate) mod jsonl;
pub(crate) mod lines;
mod mail;
pub(crate) mod mbox;
pub(crate) mod mediawiki;
pub(crate) mod parquet;
pub(crate) mod parquet_table;
pub(crate) mod records;
pub(crate) mod refused;
pub(crate) mod stackexchange;
pub(crate) mod text;
pub(crate) mod warc;
pub(crate) mod web;
pub(crate) mod xml;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::block::{Block, BlockPlace};
use crate::error::Error;
use crate::input::{InputOptions, Source};
use lookalike_kernel::record::{Field, Need, Record, Rejection, Wanted, missing_field};

/// Asked for every slot: is its record wanted?
pub(crate) type Want<'a> = &'a mut dyn FnMut(u32) -> bool;

/// Told the record of every wanted slot.
pub(crate) type Each<'a> = &'a mut dyn FnMut(u32, Result<Record<'_>, Rejection>);

/// Opens a source for one pass.
pub(crate) type Open = fn(&Opening<'_>) -> Result<Box<dyn Cut>, Error>;

/// Makes of a source a file that its records can be read from, and says where that is.
pub(crate) type Prepare = fn(&Preparing<'_>) -> Result<PathBuf, Error>;

/// What a format needs to know to prepare a source.
pub(crate) struct Preparing<'a> {
    pub(crate) source: &'a Source,
    pub(crate) options: &'a InputOptions,
    /// The folder for the file.
    pub(crate) spool: &'a Path,
}

/// What a format needs to know to open a source.
pub(crate) struct Opening<'a> {
    pub(crate) source: &'a Source,
    /// The source's number, for the places of its blocks.
    pub(crate) number: u32,
    pub(crate) options: &'a InputOptions,
    pub(crate) wanted: &'a Arc<Wanted>,
}

/// Opens a source for its pieces alone, no fields wanted.
pub(crate) fn open_pieces<T>(
    source: &Source,
    options: &InputOptions,
    open: impl FnOnce(&Opening<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    open(&Opening {
        source,
        number: 0,
        options,
        wanted: &Arc::new(Wanted::default()),
    })
}

/// Of each wanted field, its place among those that there are. Records are rejected where one that is needed is not.
fn places(opening: &Opening<'_>, fields: &[impl AsRef<str>]) -> Vec<Option<usize>> {
    let place = |name: &str| fields.iter().position(|field| field.as_ref() == name);
    let wanted = opening.wanted.fields.iter();
    wanted.map(|wanted| place(&wanted.name)).collect()
}

/// Says that a field which must be there has no place, if so.
fn check_places(
    wanted: &Wanted,
    places: &[Option<usize>],
    fields: &[impl AsRef<str>],
) -> Result<(), String> {
    let is_missing =
        |(field, place): &(&Field, &Option<usize>)| field.need == Need::Text && place.is_none();
    match wanted.fields.iter().zip(places).find(is_missing) {
        Some((field, _)) => Err(missing_field(&field.name, fields)),
        None => Ok(()),
    }
}

/// One pass over one source, in blocks.
pub(crate) trait Cut: Send {
    /// Fills `block` with the next records; false at the end.
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Error>;

    /// Goes to where a block of this source starts.
    fn seek(&mut self, place: BlockPlace) -> Result<(), Error>;

    /// How much of the source's bytes on disk has been passed, for progress.
    fn bytes_read(&self) -> u64;
}

/// Decodes the blocks of one source. Depends on nothing but the block.
pub(crate) trait Decode: Send + Sync {
    /// As [`Block::decode`].
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error>;

    /// The fields of the records, for formats in which these have names: all that there can be, or those of the first
    /// records of the block, of which so many are looked at.
    fn fields(&self, _block: &Block, _records: &mut u32) -> Option<Vec<String>> {
        None
    }

    /// All bytes in pieces, each the record of a slot with its line end or, as it says, none; for formats whose records
    /// are written back as they are. Nothing for others.
    fn raw<'b>(&self, _block: &'b Block) -> Box<dyn Iterator<Item = (bool, &'b [u8])> + 'b> {
        Box::new(std::iter::empty())
    }
}
