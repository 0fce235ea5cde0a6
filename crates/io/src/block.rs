//! A block: some whole records of one source, as cut from it and not yet decoded.

use std::ops::Range;
use std::sync::Arc;

pub use lookalike_engine::BlockPlace;

use crate::error::Error;
use crate::read::compression::Stream;
use crate::read::{Decode, Each, Want};
use lookalike_kernel::record::Rejection;
use xxhash_rust::xxh3::xxh3_64;

/// Whole records of one source. Made empty once and filled again and again: its buffers are reused.
#[derive(Default)]
pub struct Block {
    /// Where the block starts.
    pub place: BlockPlace,
    /// What was found unusable while cutting and has no slot: a record too large to hold, the rest of a damaged archive.
    pub rejections: Vec<Rejection>,
    /// The records, for formats that are streams of bytes.
    pub(crate) bytes: Buffer,
    /// Where in the bytes the records are, for formats in which the bytes do not say it.
    pub(crate) pieces: Vec<Piece>,
    /// The records, for formats that are read by number: rows of a table, files of a folder.
    pub(crate) rows: Range<u64>,
    /// About how many bytes these rows or files have.
    pub(crate) named_bytes: usize,
    pub(crate) decoder: Option<Arc<dyn Decode>>,
}

impl Block {
    /// Decodes the records whose slots are wanted, and says how many slots there are. `each` is called in order of
    /// slots, once for each wanted one.
    pub fn decode(&self, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        match &self.decoder {
            Some(decoder) => decoder.decode(self, want, each),
            None => Ok(0),
        }
    }

    /// Whether it stands for a file that is not read at all.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.decoder.is_none()
    }

    /// See [`Decode::fields`].
    pub(crate) fn fields(&self, records: &mut u32) -> Option<Vec<String>> {
        self.decoder.as_ref()?.fields(self, records)
    }

    /// Every slot with its bytes, and what has no slot; see [`Decode::raw`].
    pub(crate) fn raw(&self) -> impl Iterator<Item = (Option<u32>, &[u8])> {
        let pieces = self.decoder.iter().flat_map(|decoder| decoder.raw(self));
        let mut slots = 0..;
        pieces.map(move |(is_record, bytes)| {
            let slot = if is_record { slots.next() } else { None };
            (slot, bytes)
        })
    }

    /// About how many bytes decoding it takes: those it holds, or those of the files or rows it stands for.
    pub fn bytes_held(&self) -> usize {
        self.bytes.len().max(self.named_bytes)
    }

    /// The hash of the bytes it holds. Rows and files are read only when it is decoded: of them nothing is known here.
    pub fn fingerprint(&self) -> Option<u64> {
        self.rows.is_empty().then(|| xxh3_64(self.bytes.as_slice()))
    }

    /// Empties the block for new content.
    pub(crate) fn begin(&mut self, place: BlockPlace, decoder: Option<Arc<dyn Decode>>) {
        self.place = place;
        self.rejections.clear();
        self.bytes.clear();
        self.pieces.clear();
        self.rows = 0..0;
        self.named_bytes = 0;
        self.decoder = decoder;
    }
}

/// A record as it was cut.
pub(crate) struct Piece {
    /// Where in the bytes of the block.
    pub(crate) bytes: Range<usize>,
    /// Its number in the source, from 1.
    pub(crate) number: u64,
    /// Why it cannot be used; then it has no bytes.
    pub(crate) fault: Option<String>,
}

/// A byte buffer that is zeroed once and not again each time it is filled.
#[derive(Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    filled: usize,
}

impl Buffer {
    /// One huge record must not leave every block huge.
    const KEPT: usize = 8 << 20;

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    pub(crate) fn len(&self) -> usize {
        self.filled
    }

    pub(crate) fn clear(&mut self) {
        self.filled = 0;
        if self.bytes.len() > Self::KEPT {
            self.bytes = Vec::new();
        }
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.filled = self.filled.min(len);
    }

    pub(crate) fn extend(&mut self, more: &[u8]) {
        let end = self.filled + more.len();
        self.make_room(end);
        self.bytes[self.filled..end].copy_from_slice(more);
        self.filled = end;
    }

    /// Reads until the buffer holds `len` bytes. False if the stream ended before that.
    pub(crate) fn fill(&mut self, stream: &mut Stream, len: usize) -> Result<bool, Error> {
        self.make_room(len);
        while self.filled < len {
            match stream.read(&mut self.bytes[self.filled..len])? {
                0 => return Ok(false),
                count => self.filled += count,
            }
        }
        Ok(true)
    }

    fn make_room(&mut self, len: usize) {
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
    }
}
