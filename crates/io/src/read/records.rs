//! Streams of bytes cut into blocks of whole records, and what the formats of such streams share.
//!
//! A block depends on nothing but the bytes from its start on: it ends at the last record end within the block size,
//! or, where a record is longer, at that record's end.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memrchr};

use super::compression::Stream;
use super::web::binary_kind;
use super::{Cut, Decode, Opening, html};
use crate::block::{Block, BlockPlace, Buffer};
use crate::error::Error;
use lookalike_kernel::record::{Record, Rejection, Value};

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where records end, for one format.
pub(crate) trait RecordEnds: Send {
    /// Forgets what was seen: a record starts here.
    fn restart(&mut self);

    /// How many bytes of `bytes`, which go on where the last call stopped, belong to the record; none if it goes on
    /// after them.
    fn next_end(&mut self, bytes: &[u8]) -> Option<usize>;

    /// How many of the bytes before must be given to `next_end` again.
    fn looks_back(&self) -> usize {
        0
    }

    /// The end of the last whole record in `bytes`, which start with one, and before any that is given up. Where there
    /// is none, `next_end` can go on after them.
    fn last_end(&mut self, bytes: &[u8]) -> Option<usize> {
        self.restart();
        let mut last = None;
        while let Some(len) = self.next_end(&bytes[last.unwrap_or(0)..])
            && self.allows(len)
        {
            last = Some(last.unwrap_or(0) + len);
        }
        last
    }

    /// Whether a record may have so many bytes. One that may not is given up and not left to the decoder.
    fn allows(&self, _len: usize) -> bool {
        true
    }

    /// How many of the last `bytes` of a file are records; what follows them is given up.
    fn final_end(&mut self, bytes: &[u8]) -> usize {
        bytes.len()
    }

    /// How many of `bytes`, which begin within a record that is given up, are lost before the next one; the error is how
    /// many are lost at least, where it does not begin in them. They may be the last.
    fn skip(&mut self, bytes: &[u8], _at_end: bool) -> Result<usize, usize> {
        self.next_end(bytes).ok_or(bytes.len())
    }
}

/// A record a line.
pub(crate) struct Lines;

impl RecordEnds for Lines {
    fn restart(&mut self) {}

    fn next_end(&mut self, bytes: &[u8]) -> Option<usize> {
        memchr(b'\n', bytes).map(|at| at + 1)
    }

    fn last_end(&mut self, bytes: &[u8]) -> Option<usize> {
        memrchr(b'\n', bytes).map(|at| at + 1)
    }
}

/// Cuts a stream at record ends.
pub(crate) struct RecordCutter<E> {
    stream: Stream,
    pub(super) ends: E,
    name: String,
    source: u32,
    block_bytes: usize,
    max_record: u64,
    /// Bytes read from the stream that belong to the next blocks.
    ahead: Vec<u8>,
    /// Where the next block starts.
    offset: u64,
    line: u64,
    /// The damage at the end of the stream has been reported.
    damage_told: bool,
    decoder: Option<Arc<dyn Decode>>,
}

impl<E: RecordEnds> RecordCutter<E> {
    pub(crate) fn open(opening: &Opening<'_>, ends: E) -> Result<Self, Error> {
        Self::open_file(opening.source.path(), opening, ends)
    }

    /// Reads the records of a source from the file at `path`.
    pub(crate) fn open_file(path: &Path, opening: &Opening<'_>, ends: E) -> Result<Self, Error> {
        Ok(RecordCutter {
            stream: Stream::open_text(path, opening.options)?.on_threads(opening.options.threads),
            ends,
            name: opening.source.name.clone(),
            source: opening.number,
            block_bytes: opening.options.block_bytes.max(1),
            max_record: opening.options.max_record,
            ahead: Vec::new(),
            offset: 0,
            line: 1,
            damage_told: false,
            decoder: None,
        })
    }

    /// Takes records of any size.
    pub(crate) fn without_limit(mut self) -> Self {
        self.max_record = u64::MAX;
        self
    }

    /// Hands every block to come this decoder.
    pub(crate) fn decode_with(&mut self, decoder: Arc<dyn Decode>) {
        self.decoder = Some(decoder);
    }

    /// Reads the first record, or the next after that, with its line end; blocks start after it. None if there is no whole
    /// one, nor a last one without a line end.
    pub(crate) fn read_header(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let mut buffer = Buffer::default();
        if self.offset == 0 {
            self.skip_byte_order_mark(&mut buffer)?;
        }
        buffer.extend(&std::mem::take(&mut self.ahead));
        self.ends.restart();
        let mut searched = 0;
        loop {
            let ended = !buffer.fill(&mut self.stream, searched + self.block_bytes)?;
            let whole = match self.ends.next_end(&buffer.as_slice()[searched..]) {
                Some(len) => searched + len,
                None if ended && self.stream.damage().is_none() => buffer.len(),
                None if ended || buffer.len() as u64 > self.max_record => return Ok(None),
                None => {
                    searched = buffer.len();
                    continue;
                }
            };
            let header = buffer.as_slice()[..whole].to_vec();
            self.ahead.extend_from_slice(&buffer.as_slice()[whole..]);
            self.advance(&header);
            return Ok((!header.is_empty()).then_some(header));
        }
    }

    fn advance(&mut self, passed: &[u8]) {
        self.offset += passed.len() as u64;
        self.line += memchr_iter(b'\n', passed).count() as u64;
    }

    /// Reads until the block holds `len` bytes. False if the stream ended before that.
    fn fill(&mut self, block: &mut Block, len: usize) -> Result<bool, Error> {
        let missing = len.saturating_sub(block.bytes.len());
        let read = missing.min(self.ahead.len());
        block.bytes.extend(&self.ahead[..read]);
        self.ahead.drain(..read);
        block.bytes.fill(&mut self.stream, len)
    }

    /// Cuts the block after `len` bytes; what lies behind starts the next one.
    fn cut(&mut self, block: &mut Block, len: usize) {
        let further = std::mem::take(&mut self.ahead);
        self.ahead.extend_from_slice(&block.bytes.as_slice()[len..]);
        self.ahead.extend_from_slice(&further);
        block.bytes.truncate(len);
        self.advance(block.bytes.as_slice());
    }

    /// The stream has ended and the block holds the rest of it.
    fn last_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        let Some(damage) = self.stream.damage() else {
            let rest = block.bytes.len();
            let len = self.ends.final_end(block.bytes.as_slice());
            if len == 0 && rest > 0 {
                let reason = if rest as u64 > self.max_record {
                    too_large(self.max_record)
                } else {
                    "a quote is not closed up to the end of the file".to_owned()
                };
                self.skip_record(block, reason)?;
                return Ok(true);
            }
            self.cut(block, len);
            return Ok(len > 0);
        };
        // What the damage interrupts would be half a record.
        let whole = self.ends.last_end(block.bytes.as_slice()).unwrap_or(0);
        block.bytes.truncate(whole);
        self.advance(block.bytes.as_slice());
        if self.damage_told {
            return Ok(whole > 0);
        }
        self.damage_told = true;
        block.rejections.push(Rejection {
            source: self.name.clone(),
            line: Some(self.line),
            reason: damage,
        });
        Ok(true)
    }

    /// The block begins with a record that is given up: passes over it.
    fn skip_record(&mut self, block: &mut Block, reason: String) -> Result<(), Error> {
        block.rejections.push(Rejection {
            source: self.name.clone(),
            line: Some(self.line),
            reason,
        });
        self.ends.restart();
        let mut ended = false;
        loop {
            let skipped = self.ends.skip(block.bytes.as_slice(), ended);
            let lost = skipped.unwrap_or_else(|lost| if ended { block.bytes.len() } else { lost });
            self.cut(block, lost);
            block.bytes.clear();
            if skipped.is_ok() || ended {
                return Ok(());
            }
            ended = !self.fill(block, self.ahead.len() + self.block_bytes)?;
        }
    }

    fn skip_byte_order_mark(&mut self, buffer: &mut Buffer) -> Result<(), Error> {
        buffer.fill(&mut self.stream, BYTE_ORDER_MARK.len())?;
        if buffer.as_slice() == BYTE_ORDER_MARK {
            buffer.clear();
            self.offset += BYTE_ORDER_MARK.len() as u64;
        }
        Ok(())
    }
}

impl<E: RecordEnds> Cut for RecordCutter<E> {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        block.begin(BlockPlace::default(), self.decoder.clone());
        if self.offset == 0 && self.ahead.is_empty() {
            self.skip_byte_order_mark(&mut block.bytes)?;
        }
        block.place = BlockPlace {
            part: self.source,
            offset: self.offset,
            line: self.line,
        };
        let mut searched = 0;
        loop {
            if !self.fill(block, searched + self.block_bytes)? {
                return self.last_block(block);
            }
            // At first all records that fit; then the one that does not.
            let end = match searched {
                0 => self.ends.last_end(block.bytes.as_slice()),
                _ => {
                    let from = searched.saturating_sub(self.ends.looks_back());
                    let further = self.ends.next_end(&block.bytes.as_slice()[from..]);
                    let end = further.map(|len| from + len);
                    end.filter(|&len| self.ends.allows(len))
                }
            };
            if let Some(len) = end {
                self.cut(block, len);
                return Ok(true);
            }
            searched = block.bytes.len();
            if searched as u64 > self.max_record {
                self.skip_record(block, too_large(self.max_record))?;
                return Ok(true);
            }
        }
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Error> {
        self.damage_told = false;
        let ahead_end = self.offset + self.ahead.len() as u64;
        if (self.offset..=ahead_end).contains(&place.offset) && self.stream.position() == ahead_end
        {
            // A short way ahead, which has been read already.
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

/// Where the lines of a block are, without their LF.
pub(crate) fn line_ranges(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let unended = bytes.last().is_some_and(|&last| last != b'\n');
    let ends = memchr_iter(b'\n', bytes).chain(unended.then_some(bytes.len()));
    let mut start = 0;
    ends.map(move |end| std::mem::replace(&mut start, end + 1)..end)
}

/// The lines of a block with their ends.
pub(crate) fn whole_lines(block: &Block) -> impl Iterator<Item = &[u8]> {
    block
        .bytes
        .as_slice()
        .split_inclusive(|&byte| byte == b'\n')
}

/// The lines of a block, each with its line number and without its LF.
pub(crate) fn lines(block: &Block) -> impl Iterator<Item = (u64, &[u8])> {
    let bytes = block.bytes.as_slice();
    (block.place.line..).zip(line_ranges(bytes).map(|range| &bytes[range]))
}

/// The record that was read at a line of a source, or the rejection for the reason why none was.
pub(crate) fn outcome<'a>(
    source: &str,
    line: u64,
    read: Result<&'a [Value<'a>], String>,
) -> Result<Record<'a>, Rejection> {
    match read {
        Ok(values) => Ok(Record {
            line,
            values,
            name: None,
        }),
        Err(reason) => Err(Rejection {
            source: source.to_owned(),
            line: Some(line),
            reason,
        }),
    }
}

/// The reason for a record beyond the limit.
pub(crate) fn too_large(max_record: u64) -> String {
    format!(
        "the record is larger than {max_record} bytes, which is the limit; raise it with `max-record=`"
    )
}

/// What to do about text in another encoding, given some of it.
pub(crate) fn to_utf8(bytes: &[u8]) -> String {
    let guessed = html::guessed_encoding(bytes);
    // A few words do not tell the encodings of Latin letters apart.
    let is_latin = guessed.starts_with("ISO-8859-")
        || (guessed.starts_with("windows-125") && guessed != "windows-1251");
    let (name, condition) = match is_latin {
        true => ("WINDOWS-1252", "if it is from Windows"),
        false => (guessed, "as it seems to be"),
    };
    format!("convert the file to UTF-8 (`iconv -f {name} -t UTF-8`, {condition})")
}

/// The reason for bytes that are not text.
pub(crate) fn invalid_utf8(bytes: &[u8]) -> String {
    if let Some(kind) = binary_kind(bytes) {
        return format!("this is {kind}");
    }
    // Half the bytes of most texts in UTF-16 are null, and none of texts in other encodings.
    let first = &bytes[..bytes.len().min(1000)];
    if 4 * first.iter().filter(|byte| **byte == 0).count() > first.len() {
        return "this seems to be UTF-16 without a byte order mark; convert the file to UTF-8"
            .to_owned();
    }
    let at = std::str::from_utf8(bytes)
        .err()
        .map_or(0, |error| error.valid_up_to());
    let remedy = to_utf8(bytes);
    format!("invalid UTF-8 (byte {} of the record); {remedy}", at + 1)
}

/// Where records end if the bytes come in parts of this size.
#[cfg(test)]
pub(crate) fn ends_in_parts(mut ends: impl RecordEnds, bytes: &[u8], size: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for (number, part) in bytes.chunks(size).enumerate() {
        let mut at = 0;
        while let Some(length) = ends.next_end(&part[at..]) {
            at += length;
            found.push(number * size + at);
        }
    }
    found
}
