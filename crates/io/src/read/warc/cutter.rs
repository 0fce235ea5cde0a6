//! A WARC file cut into its records.
//!
//! In comes a stream of bytes, out come blocks of whole records. A record is as long as its header states, if an empty line
//! or another record follows; if not, it ends where the next line begins that starts a record, and is damaged. So is one
//! in which the compressed data is. A record beyond the limit is passed over without being held, and so is what is no record.
//!
//! All is decided by the bytes from where a block starts, so blocks are the same in every pass.

use std::sync::Arc;

use super::MAGIC;
use super::header::{self, Header};
use super::record;
use super::window::Window;
use crate::block::{Block, BlockPlace, Piece};
use crate::error::Error;
use crate::read::compression::Stream;
use crate::read::records::too_large;
use crate::read::{Cut, Decode, Opening};
use lookalike_kernel::record::Rejection;

/// The longest header, and as much of a content as is looked at to tell what it is.
const HEADER_BYTES: usize = 64 << 10;
/// The longest line that starts a record: `WARC/1.0`.
const VERSION_BYTES: usize = 16;
/// How many line ends after a record are part of it.
const LINE_ENDS: usize = 64;

/// Opens a WARC file.
pub(super) fn open(opening: &Opening<'_>, decoder: Arc<dyn Decode>) -> Result<Box<dyn Cut>, Error> {
    let options = opening.options;
    let stream = Stream::open(opening.source.path(), options)?.on_threads(options.threads);
    Ok(Box::new(WarcCutter {
        window: Window::new(stream.resuming()),
        name: opening.source.name.clone(),
        source: opening.number,
        block_bytes: options.block_bytes.max(1),
        max_record: usize::try_from(options.max_record).unwrap_or(usize::MAX),
        number: 1,
        told: None,
        decoder,
    }))
}

struct WarcCutter {
    window: Window,
    name: String,
    source: u32,
    block_bytes: usize,
    max_record: usize,
    /// Of the next record.
    number: u64,
    /// Where a damage between records was reported.
    told: Option<u64>,
    decoder: Arc<dyn Decode>,
}

/// What is next.
enum Next {
    /// A record, with the line ends before and after it.
    Record {
        before: usize,
        len: usize,
    },
    /// A record that cannot be used, up to the next one.
    Damaged {
        len: usize,
        fault: String,
    },
    /// A record beyond the limit, that is passed over or reported.
    TooLarge {
        len: u64,
        has_page: bool,
    },
    /// Bytes that are no record, up to the next one.
    Nothing,
    /// Something is missing here.
    Missing {
        cause: String,
    },
    End,
}

impl Cut for WarcCutter {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        let place = BlockPlace {
            part: self.source,
            offset: self.window.offset(),
            line: self.number,
        };
        block.begin(place, Some(Arc::clone(&self.decoder)));
        loop {
            let next = self.look()?;
            let is_first = block.pieces.is_empty();
            match next {
                Next::End => return Ok(!is_first || !block.rejections.is_empty()),
                Next::Record { before, len } => {
                    if !is_first && block.bytes.len() + len > self.block_bytes {
                        return Ok(true);
                    }
                    self.take(block, before, len);
                }
                // What is odd starts a block, so that no block has to look back.
                _ if !is_first => return Ok(true),
                Next::Damaged { len, fault } => {
                    self.window.consume(len);
                    // With the last record, the damage at the end is told.
                    self.told = Some(self.window.offset());
                    self.damaged(block, fault);
                }
                Next::TooLarge { len, has_page } => {
                    self.skip(len)?;
                    if has_page {
                        self.damaged(block, too_large(self.max_record as u64));
                    } else {
                        self.number += 1;
                    }
                }
                Next::Nothing => {
                    let before = self.window.offset();
                    let starts = self.skip_to_start(0)?;
                    let bytes = self.window.offset() - before;
                    let damage = self.window.damage().filter(|_| !starts);
                    self.told = Some(self.window.offset());
                    let nothing = format!("{bytes} bytes are not a WARC record");
                    self.report(block, damage.unwrap_or(nothing));
                }
                Next::Missing { cause } => {
                    self.told = Some(self.window.offset());
                    self.report(block, cause);
                }
            }
            if block.bytes.len() >= self.block_bytes {
                return Ok(true);
            }
        }
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Error> {
        self.told = None;
        self.number = place.line;
        self.window.seek(place.offset)
    }

    fn bytes_read(&self) -> u64 {
        self.window.raw_bytes()
    }
}

impl WarcCutter {
    fn take(&mut self, block: &mut Block, before: usize, len: usize) {
        let begin = block.bytes.len();
        block.bytes.extend(&self.window.bytes()[before..len]);
        self.window.consume(len);
        block.pieces.push(Piece {
            bytes: begin..block.bytes.len(),
            number: self.number,
            fault: None,
        });
        self.number += 1;
    }

    fn damaged(&mut self, block: &mut Block, fault: String) {
        let end = block.bytes.len();
        block.pieces.push(Piece {
            bytes: end..end,
            number: self.number,
            fault: Some(fault),
        });
        self.number += 1;
    }

    fn report(&self, block: &mut Block, reason: String) {
        block.rejections.push(Rejection {
            source: self.name.clone(),
            line: Some(self.number),
            reason,
        });
    }

    /// Looks at what is next, and takes nothing but empty lines.
    fn look(&mut self) -> Result<Next, Error> {
        let mut more = self.window.fill(LINE_ENDS + VERSION_BYTES)?;
        if let Some(cause) = self.missing() {
            return Ok(Next::Missing { cause });
        }
        let mut before = line_ends(self.window.bytes());
        while before == self.window.bytes().len() {
            if !more {
                let untold = self.told != Some(self.window.offset());
                let damage = self.window.damage().filter(|_| untold);
                return Ok(damage.map_or(Next::End, |cause| Next::Missing { cause }));
            }
            self.window.consume(before);
            more = self.window.fill(LINE_ENDS + VERSION_BYTES)?;
            before = line_ends(self.window.bytes());
        }
        if !starts_record(&self.window.bytes()[before..]) {
            return Ok(Next::Nothing);
        }
        match self.header(before)? {
            Err(fault) => self.up_to_next(before, fault),
            Ok((header, content)) => self.whole(before, header, content),
        }
    }

    /// Where the header ends, and how long the content is.
    fn header(&mut self, before: usize) -> Result<Result<(usize, u64), String>, Error> {
        // Most headers are short.
        let mut found = None;
        for bytes in [1 << 10, 8 << 10, HEADER_BYTES] {
            let more = self.window.fill(before + bytes)?;
            found = header::length(&self.window.bytes()[before..]);
            if found.is_some() || !more {
                break;
            }
        }
        let Some(length) = found else {
            return Ok(Err(self.cut_short("the header of the record has no end")));
        };
        let end = before + length;
        if find_start(&self.window.bytes()[..end], before + 1).is_some() {
            return Ok(Err("the header of the record has no end".to_owned()));
        }
        let header = Header::new(&self.window.bytes()[before..end]);
        Ok(match header.get("Content-Length").map(str::parse::<u64>) {
            Some(Ok(length)) => Ok((end, length)),
            Some(Err(_)) => Err("the record's Content-Length is not a number".to_owned()),
            None => Err("the record has no Content-Length".to_owned()),
        })
    }

    /// The record whose header ends at `header`, if it is as long as that says.
    fn whole(&mut self, before: usize, header: usize, content: u64) -> Result<Next, Error> {
        let Some(end) = usize::try_from(content)
            .ok()
            .and_then(|content| header.checked_add(content))
            .filter(|&end| end - before <= self.max_record)
        else {
            self.window.fill(header + HEADER_BYTES)?;
            return Ok(Next::TooLarge {
                len: (header as u64).saturating_add(content),
                has_page: record::page(&self.window.bytes()[before..]).is_some(),
            });
        };
        self.window.fill(end + LINE_ENDS + VERSION_BYTES)?;
        if self.window.bytes().len() < end {
            let fault = self.cut_short("the file ends within the record");
            return self.up_to_next(before, fault);
        }
        let after = &self.window.bytes()[end..];
        let gap = line_ends(&after[..after.len().min(LINE_ENDS)]);
        let lines = after[..gap].iter().filter(|&&byte| byte == b'\n').count();
        if lines < 2 && gap < after.len() && !starts_record(&after[gap..]) {
            let fault = format!("no record ends after the {content} bytes that its header states");
            return self.up_to_next(before, fault);
        }
        let len = end + gap;
        match self.window.broken_within(len) {
            Some((at, cause)) => Ok(Next::Damaged {
                len: at,
                fault: damage(&cause),
            }),
            None => Ok(Next::Record { before, len }),
        }
    }

    /// A record that is not as long as it says: it ends where the next one starts.
    fn up_to_next(&mut self, before: usize, fault: String) -> Result<Next, Error> {
        let mut from = before + MAGIC.len();
        loop {
            // It cannot go on where something is missing.
            if let Some((at, cause)) = self.window.broken_within(self.window.bytes().len())
                && find_start(&self.window.bytes()[..at], from).is_none()
            {
                return Ok(Next::Damaged {
                    len: at,
                    fault: damage(&cause),
                });
            }
            let bytes = self.window.bytes();
            if let Some(len) = find_start(bytes, from) {
                return Ok(Next::Damaged { len, fault });
            }
            let len = bytes.len();
            if len > self.max_record {
                return Ok(Next::Damaged { len, fault });
            }
            from = len.saturating_sub(VERSION_BYTES).max(from);
            if !self.window.fill(len + HEADER_BYTES)? && self.window.bytes().len() == len {
                return Ok(Next::Damaged { len, fault });
            }
        }
    }

    /// Passes over a record of that length, or up to where the next one starts.
    fn skip(&mut self, len: u64) -> Result<(), Error> {
        let end = self.window.offset().saturating_add(len);
        self.window.consume(MAGIC.len());
        while self.window.offset() < end {
            let left = usize::try_from(end - self.window.offset()).unwrap_or(usize::MAX);
            if self.skip_to_start(left)? {
                return Ok(());
            }
            if self.window.bytes().is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Passes over bytes up to where a record starts, or the end, or so many of them if that is not 0. Says whether a
    /// record starts there.
    fn skip_to_start(&mut self, most: usize) -> Result<bool, Error> {
        let mut passed = 0;
        loop {
            self.window.fill(HEADER_BYTES)?;
            let bytes = self.window.bytes();
            // The first byte is known to start none.
            if let Some(at) = find_start(bytes, usize::from(passed == 0)) {
                self.window.consume(at);
                return Ok(true);
            }
            let ended = bytes.len() < HEADER_BYTES;
            let kept = if ended { 0 } else { VERSION_BYTES };
            let mut len = bytes.len() - kept;
            if most > 0 {
                len = len.min(most - passed);
            }
            self.window.consume(len);
            passed += len;
            if ended || most > 0 && passed == most {
                return Ok(false);
            }
        }
    }

    /// What is missing where the next record starts, if that was not reported.
    fn missing(&self) -> Option<String> {
        let offset = self.window.offset();
        let here = self.window.broken_at(offset)?;
        (self.told != Some(offset)).then(|| damage(&here))
    }

    /// The damage at the end of the file, or else `otherwise`.
    fn cut_short(&self, otherwise: &str) -> String {
        self.window.damage().unwrap_or_else(|| otherwise.to_owned())
    }
}

fn damage(cause: &str) -> String {
    format!("the gzip data is damaged ({cause}); reading goes on after it")
}

/// How many of the first bytes are line ends.
fn line_ends(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count()
}

/// Whether a record starts with these bytes.
fn starts_record(bytes: &[u8]) -> bool {
    let Some(version) = bytes.strip_prefix(MAGIC) else {
        return false;
    };
    let len = version
        .iter()
        .take(VERSION_BYTES - MAGIC.len())
        .take_while(|byte| byte.is_ascii_digit() || **byte == b'.')
        .count();
    len > 2 && matches!(version.get(len), Some(b'\r' | b'\n' | b' '))
}

/// The first line from `from` on that starts a record.
fn find_start(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memmem::find_iter(bytes.get(from..)?, MAGIC)
        .map(|at| from + at)
        .find(|&at| (at == 0 || bytes[at - 1] == b'\n') && starts_record(&bytes[at..]))
}

#[cfg(test)]
mod tests;
