//! Sorted postings: which documents of a segment have a key.
//!
//! A posting is a key of 64 bits and the number of a document, 12 bytes. The first key of every chunk is in memory, so a
//! lookup reads one chunk; what was read stays in memory, as long as there is room.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use lookalike_kernel::sign::keys::Key;

use crate::Error;
use crate::store::{CHUNK, Kind, Section, SectionStream, Snapshot, Writing};

const POSTING: usize = 12;
const IN_CHUNK: usize = CHUNK / POSTING;

/// A key and a document that has it.
pub(crate) type Posting = (Key, u32);

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
    fn take(&self, bytes: usize) -> bool {
        let less = |left: usize| left.checked_sub(bytes);
        let updated = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        updated.is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// The postings of a segment.
pub(crate) struct Postings {
    section: Section,
    count: usize,
    /// The first key of each chunk.
    first: Vec<Key>,
    read: Vec<OnceLock<Box<Chunk>>>,
}

#[derive(Default)]
struct Chunk {
    keys: Vec<Key>,
    documents: Vec<u32>,
}

impl Chunk {
    const BYTES: usize = IN_CHUNK * POSTING;

    fn new(bytes: &[u8]) -> Self {
        let mut chunk = Chunk {
            keys: Vec::with_capacity(bytes.len() / POSTING),
            documents: Vec::with_capacity(bytes.len() / POSTING),
        };
        for posting in bytes.chunks_exact(POSTING) {
            let (key, document) = posting.split_at(8);
            chunk
                .keys
                .push(key.try_into().map_or(0, u64::from_le_bytes));
            let document = document.try_into().map_or(0, u32::from_le_bytes);
            chunk.documents.push(document);
        }
        chunk
    }
}

/// Writes postings, which come sorted.
pub(crate) struct PostingsWriter {
    postings: SectionStream,
    first: SectionStream,
    count: usize,
}

impl PostingsWriter {
    pub(crate) fn new((segment, kind, first_kind): (u32, Kind, Kind)) -> Self {
        PostingsWriter {
            postings: SectionStream::new(Section { segment, kind }),
            first: SectionStream::new(Section {
                segment,
                kind: first_kind,
            }),
            count: 0,
        }
    }

    pub(crate) fn push(
        &mut self,
        (key, document): Posting,
        writing: &mut Writing<'_>,
    ) -> Result<(), Error> {
        if self.count.is_multiple_of(IN_CHUNK) {
            self.first.push(&key.to_le_bytes(), writing)?;
        }
        self.count += 1;
        let mut bytes = [0; POSTING];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..].copy_from_slice(&document.to_le_bytes());
        self.postings.push(&bytes, writing)
    }

    /// How many there are.
    pub(crate) fn finish(self, writing: &mut Writing<'_>) -> Result<usize, Error> {
        self.postings.finish(writing)?;
        self.first.finish(writing)?;
        Ok(self.count)
    }
}

impl Postings {
    /// The postings of a segment, of which there are so many.
    pub(crate) fn open(
        (segment, kind, first_kind): (u32, Kind, Kind),
        count: usize,
        snapshot: &Snapshot,
    ) -> Result<Self, Error> {
        let chunks = count.div_ceil(IN_CHUNK);
        let mut bytes = Vec::new();
        let section = Section {
            segment,
            kind: first_kind,
        };
        snapshot.bytes(section, 0..8 * chunks, &mut bytes)?;
        let first = bytes.chunks_exact(8);
        let first = first.map(|key| key.try_into().map_or(0, u64::from_le_bytes));
        Ok(Postings {
            section: Section { segment, kind },
            count,
            first: first.collect(),
            read: (0..chunks).map(|_| OnceLock::new()).collect(),
        })
    }

    /// Tells the documents with a key, in their order, until `each` has enough.
    pub(crate) fn find(
        &self,
        key: Key,
        (snapshot, room): (&Snapshot, &Room),
        each: &mut dyn FnMut(u32) -> bool,
    ) -> Result<(), Error> {
        let from = self.first.partition_point(|first| *first < key);
        let chunks = self.first.iter().enumerate().skip(from.saturating_sub(1));
        for (number, _) in chunks.take_while(|(_, first)| **first <= key) {
            let go_on = self.with_chunk(number, snapshot, room, |chunk| {
                let begin = chunk.keys.partition_point(|other| *other < key);
                let same = chunk.keys[begin..].iter().zip(&chunk.documents[begin..]);
                same.take_while(|(other, _)| **other == key)
                    .all(|(_, document)| each(*document))
            })?;
            if !go_on {
                break;
            }
        }
        Ok(())
    }

    /// All postings in their order.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        Cursor {
            postings: self,
            chunk: Chunk::default(),
            next_chunk: 0,
            at: 0,
        }
    }

    /// Gives back the memory of what was read.
    pub(crate) fn forget(&self, room: &Room) {
        let read = self.read.iter().filter(|chunk| chunk.get().is_some());
        room.give_back(read.count() * Chunk::BYTES);
    }

    fn with_chunk<T>(
        &self,
        number: usize,
        snapshot: &Snapshot,
        room: &Room,
        look: impl FnOnce(&Chunk) -> T,
    ) -> Result<T, Error> {
        if let Some(chunk) = self.read[number].get() {
            return Ok(look(chunk));
        }
        let chunk = self.load(number, snapshot)?;
        let found = look(&chunk);
        if room.take(Chunk::BYTES) && self.read[number].set(Box::new(chunk)).is_err() {
            // Another thread was faster.
            room.give_back(Chunk::BYTES);
        }
        Ok(found)
    }

    fn load(&self, number: usize, snapshot: &Snapshot) -> Result<Chunk, Error> {
        let chunk = snapshot.chunk(self.section, number, Chunk::new)?;
        let wanted = (self.count - number * IN_CHUNK).min(IN_CHUNK);
        if chunk.keys.len() == wanted && chunk.keys.is_sorted() {
            return Ok(chunk);
        }
        let problem = format!(
            "segment {} has other keys than it says",
            self.section.segment
        );
        Err(Error::damaged(snapshot.folder(), problem))
    }
}

/// Goes through postings in their order.
pub(crate) struct Cursor<'p> {
    postings: &'p Postings,
    chunk: Chunk,
    next_chunk: usize,
    at: usize,
}

impl Cursor<'_> {
    /// The next one.
    pub(crate) fn next(&mut self, snapshot: &Snapshot) -> Result<Option<Posting>, Error> {
        if self.at == self.chunk.keys.len() {
            if self.next_chunk == self.postings.first.len() {
                return Ok(None);
            }
            self.chunk = self.postings.load(self.next_chunk, snapshot)?;
            self.next_chunk += 1;
            self.at = 0;
        }
        let posting = (self.chunk.keys[self.at], self.chunk.documents[self.at]);
        self.at += 1;
        Ok(Some(posting))
    }
}
