//! A section that is read chunk by chunk. What was read stays in memory, as long as there is room.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Error;
use crate::store::{CHUNK, Section, Snapshot};

/// How much memory the chunks of all segments that were read may take.
#[derive(Debug)]
pub(crate) struct Room {
    left: AtomicUsize,
}

impl Room {
    pub(crate) fn new(bytes: usize) -> Self {
        Room {
            left: AtomicUsize::new(bytes),
        }
    }

    /// Takes some, if there is enough.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let less = |left: usize| left.checked_sub(bytes);
        let updated = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        updated.is_ok()
    }

    pub(crate) fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// What chunks are read from, and what memory they may take.
pub(crate) type Reading<'r> = (&'r Snapshot, &'r Room);

/// A section that is read chunk by chunk.
pub(crate) struct Chunks {
    section: Section,
    /// In bytes.
    length: usize,
    read: Vec<OnceLock<Box<[u8]>>>,
}

impl Chunks {
    /// A section of so many bytes.
    pub(crate) fn new(section: Section, length: usize) -> Self {
        let chunks = length.div_ceil(CHUNK);
        Chunks {
            section,
            length,
            read: (0..chunks).map(|_| OnceLock::new()).collect(),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.read.len()
    }

    /// A chunk that was read.
    #[inline]
    pub(crate) fn known(&self, number: usize) -> Option<&[u8]> {
        Some(self.read.get(number)?.get()?)
    }

    /// Looks at a chunk.
    #[inline]
    pub(crate) fn with<T>(
        &self,
        number: usize,
        reading: Reading<'_>,
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Error> {
        match self.known(number) {
            Some(chunk) => Ok(look(chunk)),
            None => self.read(number, reading, look),
        }
    }

    #[cold]
    fn read<T>(
        &self,
        number: usize,
        (snapshot, room): Reading<'_>,
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Error> {
        self.pass(number, snapshot, |bytes| {
            if room.take(CHUNK) && self.read[number].set(bytes.into()).is_err() {
                // Another thread was faster.
                room.give_back(CHUNK);
            }
            look(bytes)
        })
    }

    /// Looks at a chunk once, and does not keep it.
    pub(crate) fn pass<T>(
        &self,
        number: usize,
        snapshot: &Snapshot,
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Error> {
        let begin = number * CHUNK;
        let wanted = self.length.saturating_sub(begin).min(CHUNK);
        let looked = snapshot.chunk(self.section, number, |bytes| {
            (bytes.len() == wanted && wanted > 0).then(|| look(bytes))
        })?;
        looked.ok_or_else(|| {
            let segment = self.section.segment;
            let problem = format!("segment {segment} is shorter or longer than it says");
            Error::damaged(snapshot.folder(), problem)
        })
    }

    /// Gives back the memory of what was read.
    pub(crate) fn forget(&self, room: &Room) {
        let read = self.read.iter().filter(|chunk| chunk.get().is_some());
        room.give_back(read.count() * CHUNK);
    }
}

/// Goes through all bytes of a section, each chunk once.
pub(crate) struct Pass<'c> {
    chunks: &'c Chunks,
    snapshot: &'c Snapshot,
    chunk: Vec<u8>,
    /// Which one it is.
    number: Option<usize>,
}

impl<'c> Pass<'c> {
    pub(crate) fn new(chunks: &'c Chunks, snapshot: &'c Snapshot) -> Self {
        Pass {
            chunks,
            snapshot,
            chunk: Vec::new(),
            number: None,
        }
    }

    /// The bytes of a chunk; those of the one asked for last are there already.
    pub(crate) fn chunk(&mut self, number: usize) -> Result<&[u8], Error> {
        if self.number != Some(number) {
            let chunk = &mut self.chunk;
            self.chunks.pass(number, self.snapshot, |bytes| {
                chunk.clear();
                chunk.extend_from_slice(bytes);
            })?;
            self.number = Some(number);
        }
        Ok(&self.chunk)
    }

    /// Tells the bytes of a range, in pieces.
    pub(crate) fn range(
        &mut self,
        range: std::ops::Range<usize>,
        mut each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut at = range.start;
        while at < range.end {
            let (number, within) = (at / CHUNK, at % CHUNK);
            let chunk = self.chunk(number)?;
            let end = (within + range.end - at).min(chunk.len());
            let piece = chunk.get(within..end).filter(|piece| !piece.is_empty());
            let Some(piece) = piece else {
                let segment = self.chunks.section.segment;
                let problem = format!("segment {segment} ends early");
                return Err(Error::damaged(self.snapshot.folder(), problem));
            };
            each(piece)?;
            at += end - within;
        }
        Ok(())
    }
}
