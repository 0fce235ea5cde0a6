//! A stream that can be looked ahead in. Bytes stay where they are until they are taken.

use crate::error::Error;
use crate::read::compression::Stream;

/// The bytes of a stream from a place on.
pub(super) struct Window {
    stream: Stream,
    /// What was read; taken up to `begin`.
    read: Vec<u8>,
    begin: usize,
    /// Bytes of the stream before `begin`.
    offset: u64,
}

const READ_BYTES: usize = 64 << 10;

impl Window {
    pub(super) fn new(stream: Stream) -> Self {
        Window {
            stream,
            read: Vec::new(),
            begin: 0,
            offset: 0,
        }
    }

    /// What was read and not taken.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.read[self.begin..]
    }

    /// Bytes taken.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads until there are `len` bytes. False if the stream ends before that.
    pub(super) fn fill(&mut self, len: usize) -> Result<bool, Error> {
        while self.bytes().len() < len {
            // What was taken goes only when it is most of it, so that every byte moves a few times at most.
            if self.begin > self.read.len() / 2 {
                self.read.drain(..self.begin);
                self.begin = 0;
            }
            let filled = self.read.len();
            self.read.resize(filled + READ_BYTES, 0);
            let count = self.stream.read(&mut self.read[filled..]);
            self.read.truncate(filled + *count.as_ref().unwrap_or(&0));
            if count? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes so many bytes, or all that there are.
    pub(super) fn consume(&mut self, len: usize) {
        let len = len.min(self.bytes().len());
        self.begin += len;
        self.offset += len as u64;
    }

    pub(super) fn seek(&mut self, offset: u64) -> Result<(), Error> {
        let ahead = offset.checked_sub(self.offset);
        if let Some(ahead) = ahead.filter(|&ahead| ahead <= self.bytes().len() as u64) {
            self.consume(ahead as usize);
            return Ok(());
        }
        self.read.clear();
        self.begin = 0;
        self.offset = offset;
        self.stream.seek(offset)
    }

    /// The first place within the first `len` bytes that something is missing at, though what it was part of begins
    /// before; and why.
    pub(super) fn broken_within(&self, len: usize) -> Option<(usize, String)> {
        let within = self.offset + 1..=self.offset + len as u64;
        let found = self
            .stream
            .breaks()
            .iter()
            .find(|found| found.member < found.position && within.contains(&found.position))?;
        Some(((found.position - self.offset) as usize, found.cause.clone()))
    }

    /// Why something is missing at that place, of which nothing is there.
    pub(super) fn broken_at(&self, offset: u64) -> Option<String> {
        let mut breaks = self.stream.breaks().iter();
        let found = breaks.find(|found| {
            found.position == offset && (found.member == found.position || offset == 0)
        })?;
        Some(found.cause.clone())
    }

    /// Why the stream ended before its end.
    pub(super) fn damage(&self) -> Option<String> {
        self.stream.damage()
    }

    pub(super) fn raw_bytes(&self) -> u64 {
        self.stream.raw_bytes()
    }
}
