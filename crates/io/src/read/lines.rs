//! Streams of bytes with a record a line, cut into blocks of whole lines.
//!
//! A block depends on nothing but the bytes from its start on: it ends at the last line end within the block size, or,
//! where a line is longer, at the first line end after it.

use std::sync::Arc;

use memchr::{memchr, memchr_iter, memrchr};

use super::compression::Stream;
use super::{Cut, Decode, Opening};
use crate::block::{Block, Place};
use crate::error::Error;
use crate::record::Rejection;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Cuts a stream at line ends.
pub(crate) struct LineCutter {
    stream: Stream,
    name: String,
    source: u32,
    decoder: Arc<dyn Decode>,
    block_bytes: usize,
    max_record: u64,
    /// Bytes read from the stream that belong to the next block.
    ahead: Vec<u8>,
    /// Where the next block starts.
    offset: u64,
    line: u64,
    /// The damage at the end of the stream has been reported.
    damage_told: bool,
}

impl LineCutter {
    pub(crate) fn open(
        opening: &Opening<'_>,
        decoder: Arc<dyn Decode>,
    ) -> Result<LineCutter, Error> {
        Ok(LineCutter {
            stream: Stream::open(opening.source.path(), opening.options)?,
            name: opening.source.name.clone(),
            source: opening.number,
            decoder,
            block_bytes: opening.options.block_bytes.max(1),
            max_record: opening.options.max_record,
            ahead: Vec::new(),
            offset: 0,
            line: 1,
            damage_told: false,
        })
    }

    /// Cuts the block after `len` bytes; what lies behind starts the next one.
    fn cut(&mut self, block: &mut Block, len: usize) {
        self.ahead.extend_from_slice(&block.bytes.as_slice()[len..]);
        block.bytes.truncate(len);
        self.offset += len as u64;
        self.line += memchr_iter(b'\n', block.bytes.as_slice()).count() as u64;
    }

    /// The stream has ended and the block holds the rest of it.
    fn last_block(&mut self, block: &mut Block) -> bool {
        let Some(damage) = self.stream.damage() else {
            let len = block.bytes.len();
            self.cut(block, len);
            return len > 0;
        };
        if self.damage_told {
            block.bytes.clear();
            return false;
        }
        self.damage_told = true;
        // The line that the damage interrupts would be half a record.
        let whole = memrchr(b'\n', block.bytes.as_slice()).map_or(0, |at| at + 1);
        block.bytes.truncate(whole);
        self.cut(block, whole);
        block.rejections.push(Rejection {
            source: self.name.clone(),
            line: Some(self.line),
            reason: damage,
        });
        true
    }

    /// The block holds only the beginning of a line that is too large: passes over the rest of it.
    fn skip_line(&mut self, block: &mut Block) -> Result<(), Error> {
        block.rejections.push(Rejection {
            source: self.name.clone(),
            line: Some(self.line),
            reason: too_large(self.max_record),
        });
        loop {
            if let Some(at) = memchr(b'\n', block.bytes.as_slice()) {
                self.ahead
                    .extend_from_slice(&block.bytes.as_slice()[at + 1..]);
                self.offset += at as u64 + 1;
                self.line += 1;
                break;
            }
            self.offset += block.bytes.len() as u64;
            block.bytes.clear();
            block.bytes.fill(&mut self.stream, self.block_bytes)?;
            if block.bytes.len() == 0 {
                break;
            }
        }
        block.bytes.clear();
        Ok(())
    }

    fn skip_byte_order_mark(&mut self, block: &mut Block) -> Result<(), Error> {
        block.bytes.fill(&mut self.stream, BYTE_ORDER_MARK.len())?;
        if block.bytes.as_slice() == BYTE_ORDER_MARK {
            block.bytes.clear();
            self.offset += BYTE_ORDER_MARK.len() as u64;
            block.place.offset = self.offset;
        }
        Ok(())
    }
}

impl Cut for LineCutter {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        let place = Place {
            source: self.source,
            offset: self.offset,
            line: self.line,
        };
        block.begin(place, Arc::clone(&self.decoder));
        block.bytes.extend(&self.ahead);
        self.ahead.clear();
        if self.offset == 0 {
            self.skip_byte_order_mark(block)?;
        }
        let mut wanted = self.block_bytes;
        loop {
            let searched = block.bytes.len().min(wanted - self.block_bytes);
            let ended = !block.bytes.fill(&mut self.stream, wanted)?;
            let line_end = memrchr(b'\n', &block.bytes.as_slice()[searched..]);
            if ended {
                return Ok(self.last_block(block));
            }
            if let Some(at) = line_end {
                // In a first round all lines that fit; in later rounds the one that did not.
                let end = match searched {
                    0 => at,
                    _ => memchr(b'\n', &block.bytes.as_slice()[searched..]).unwrap_or(at),
                };
                self.cut(block, searched + end + 1);
                return Ok(true);
            }
            if block.bytes.len() as u64 > self.max_record {
                self.skip_line(block)?;
                return Ok(true);
            }
            wanted += self.block_bytes;
        }
    }

    fn seek(&mut self, place: Place) -> Result<(), Error> {
        self.damage_told = false;
        // A short way ahead may have been read already.
        let ahead_end = self.offset + self.ahead.len() as u64;
        if (self.offset..=ahead_end).contains(&place.offset) && self.stream.position() == ahead_end
        {
            self.ahead.drain(..(place.offset - self.offset) as usize);
        } else {
            self.ahead.clear();
            self.stream.seek(place.offset)?;
        }
        self.offset = place.offset;
        self.line = place.line;
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        self.stream.raw_bytes()
    }
}

/// The reason for a record beyond the limit.
pub(crate) fn too_large(max_record: u64) -> String {
    format!(
        "the record is larger than {max_record} bytes, which is the limit; raise it with --max-record"
    )
}

/// The lines of a block that are not blank, each with its line number and without its line end.
pub(crate) fn lines(block: &Block) -> impl Iterator<Item = (u64, &[u8])> {
    let bytes = block.bytes.as_slice();
    let ends =
        memchr_iter(b'\n', bytes).chain((bytes.last() != Some(&b'\n')).then_some(bytes.len()));
    let mut start = 0;
    ends.zip(block.place.line..)
        .filter_map(move |(end, number)| {
            let line = &bytes[start..end];
            start = end + 1;
            let blank = line.iter().all(u8::is_ascii_whitespace);
            (!blank).then_some((number, line))
        })
}
