//! Sorted postings: which documents of a segment have a key.
//!
//! A posting is a key of 64 bits and the number of a document, 12 bytes. The first key of every chunk is in memory, so a
//! lookup reads one chunk. In memory a chunk has each key once, and a directory of their leading bits: keys are hashes, so a
//! few bits nearly tell where one stands.

use std::ops::Range;
use std::sync::OnceLock;

use lookalike_kernel::sign::keys::Key;

use crate::Error;
use crate::chunks::{Chunks, Pass, Reading, Room};
use crate::store::{CHUNK, Kind, Section, SectionStream, Snapshot, Writing};

const POSTING: usize = 12;
const IN_CHUNK: usize = CHUNK / POSTING;

/// A key and a document that has it.
pub(crate) type Posting = (Key, u32);

/// The postings of a segment.
pub(crate) struct Postings {
    count: usize,
    /// The first key of each chunk.
    first: Vec<Key>,
    directory: Directory,
    chunks: Chunks,
    /// The chunks that were read.
    pages: Vec<OnceLock<Page>>,
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
        let chunks = Chunks::new(Section { segment, kind }, count * POSTING);
        let mut bytes = Vec::new();
        let section = Section {
            segment,
            kind: first_kind,
        };
        snapshot.bytes(section, 0..8 * chunks.len(), &mut bytes)?;
        let first = bytes.chunks_exact(8);
        let first = first.map(|key| key.try_into().map_or(0, u64::from_le_bytes));
        let first: Vec<Key> = first.collect();
        Ok(Postings {
            count,
            directory: Directory::new(&first),
            first,
            pages: (0..chunks.len()).map(|_| OnceLock::new()).collect(),
            chunks,
        })
    }

    /// Tells the documents with a key, in their order, until `each` has enough.
    #[inline]
    pub(crate) fn find(
        &self,
        key: Key,
        reading: Reading<'_>,
        mut each: impl FnMut(&[u32]) -> bool,
    ) -> Result<(), Error> {
        for number in self.first_chunk(key)..self.first.len() {
            if self.first[number] > key {
                break;
            }
            let mut look = |page: &Page| each(page.documents_of(key));
            let go_on = match self.pages[number].get() {
                Some(page) => look(page),
                None => self.read(number, reading, look)?,
            };
            if !go_on {
                break;
            }
        }
        Ok(())
    }

    #[cold]
    fn read<T>(
        &self,
        number: usize,
        (snapshot, room): Reading<'_>,
        look: impl FnOnce(&Page) -> T,
    ) -> Result<T, Error> {
        let page = self.chunks.pass(number, snapshot, Page::new)?;
        let looked = look(&page);
        let bytes = page.bytes();
        if room.take(bytes) && self.pages[number].set(page).is_err() {
            // Another thread was faster.
            room.give_back(bytes);
        }
        Ok(looked)
    }

    /// Looks at where keys would be. What is looked at is in the cache of the processor then: all keys of a text are fetched
    /// at once, not one after the other.
    pub(crate) fn touch(&self, keys: impl Iterator<Item = Key> + Clone) {
        let page = |key| self.pages.get(self.first_chunk(key))?.get();
        for key in keys.clone() {
            std::hint::black_box(page(key).map(|page| page.directory.range(key)));
        }
        for key in keys {
            std::hint::black_box(page(key).and_then(|page| page.place(key)));
        }
    }

    /// The first chunk that may have a key: the one before may end with it.
    #[inline]
    fn first_chunk(&self, key: Key) -> usize {
        let before = self.directory.lower_bound(&self.first, key);
        before.saturating_sub(1)
    }

    /// All postings in their order.
    pub(crate) fn cursor<'p>(&'p self, snapshot: &'p Snapshot) -> Cursor<'p> {
        Cursor {
            count: self.count,
            pass: Pass::new(&self.chunks, snapshot),
            at: 0,
        }
    }

    /// Gives back the memory of what was read.
    pub(crate) fn forget(&self, room: &Room) {
        let read = self.pages.iter().filter_map(OnceLock::get);
        room.give_back(read.map(Page::bytes).sum());
    }
}

/// A chunk of postings in memory.
struct Page {
    /// Each key once.
    keys: Box<[Key]>,
    /// Where the documents of a key begin.
    begins: Box<[u16]>,
    documents: Box<[u32]>,
    directory: Directory,
}

impl Page {
    fn new(chunk: &[u8]) -> Self {
        let (mut keys, mut begins): (Vec<Key>, Vec<u16>) = (Vec::new(), Vec::new());
        let count = chunk.len() / POSTING;
        for at in 0..count {
            let key = key_at(chunk, at);
            if keys.last() != Some(&key) {
                keys.push(key);
                begins.push(at as u16);
            }
        }
        Page {
            directory: Directory::new(&keys),
            keys: keys.into(),
            begins: begins.into(),
            documents: (0..count).map(|at| document_at(chunk, at)).collect(),
        }
    }

    /// Where a key stands.
    #[inline]
    fn place(&self, key: Key) -> Option<usize> {
        let place = self.directory.lower_bound(&self.keys, key);
        (self.keys.get(place) == Some(&key)).then_some(place)
    }

    #[inline]
    fn documents_of(&self, key: Key) -> &[u32] {
        let Some(place) = self.place(key) else {
            return &[];
        };
        let begin = |place: usize| self.begins.get(place).map(|begin| usize::from(*begin));
        let end = begin(place + 1).unwrap_or(self.documents.len());
        let range = begin(place).unwrap_or(end)..end;
        self.documents.get(range).unwrap_or_default()
    }

    /// What it takes in memory.
    fn bytes(&self) -> usize {
        let (keys, documents) = (self.keys.len(), self.documents.len());
        size_of::<Page>() + 10 * keys + 4 * (documents + self.directory.begins.len())
    }
}

/// Where sorted keys with the same leading bits begin. There are at most as many such groups as keys, so where keys are
/// hashes a group has a few.
struct Directory {
    least: Key,
    /// Keys that are equal but for so many bits, after the least was taken off, are a group.
    shift: u32,
    /// Where each group begins, and the end of the last.
    begins: Box<[u32]>,
}

impl Directory {
    fn new(keys: &[Key]) -> Self {
        let (Some(&least), Some(&most)) = (keys.first(), keys.last()) else {
            let begins = Box::new([0]);
            return Directory {
                least: 0,
                shift: 0,
                begins,
            };
        };
        let bits = Key::BITS - most.saturating_sub(least).leading_zeros();
        let shift = bits.saturating_sub(keys.len().ilog2());
        let group = |key: Key| (key.saturating_sub(least) >> shift) as usize;
        let mut begins = vec![0; group(most) + 2];
        let mut next = 0;
        for (at, &key) in keys.iter().enumerate() {
            while next <= group(key) {
                begins[next] = at as u32;
                next += 1;
            }
        }
        begins[next..].fill(keys.len() as u32);
        Directory {
            least,
            shift,
            begins: begins.into(),
        }
    }

    /// Where the keys are that have the leading bits of this one: all before are less, all after are greater.
    #[inline]
    fn range(&self, key: Key) -> Range<usize> {
        let Some(above) = key.checked_sub(self.least) else {
            return 0..0;
        };
        let group = (above >> self.shift) as usize;
        let begin = |group: usize| self.begins.get(group).map(|begin| *begin as usize);
        match (begin(group), begin(group.saturating_add(1))) {
            (Some(begin), Some(end)) => begin..end,
            _ => self.len()..self.len(),
        }
    }

    fn len(&self) -> usize {
        self.begins.last().map_or(0, |end| *end as usize)
    }

    /// Where the first of these keys stands that is not less.
    #[inline]
    fn lower_bound(&self, keys: &[Key], key: Key) -> usize {
        let range = self.range(key);
        let begin = range.start;
        let group = keys.get(range).unwrap_or_default();
        begin + group.partition_point(|other| *other < key)
    }
}

#[inline]
fn key_at(chunk: &[u8], at: usize) -> Key {
    let begin = at * POSTING;
    let bytes = chunk.get(begin..begin + 8);
    bytes.map_or(0, |bytes| bytes.try_into().map_or(0, u64::from_le_bytes))
}

#[inline]
fn document_at(chunk: &[u8], at: usize) -> u32 {
    let begin = at * POSTING + 8;
    let bytes = chunk.get(begin..begin + 4);
    bytes.map_or(0, |bytes| bytes.try_into().map_or(0, u32::from_le_bytes))
}

/// Goes through postings in their order.
pub(crate) struct Cursor<'p> {
    count: usize,
    pass: Pass<'p>,
    at: usize,
}

impl Cursor<'_> {
    /// The next one.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<Posting>, Error> {
        if self.at == self.count {
            return Ok(None);
        }
        let chunk = self.pass.chunk(self.at / IN_CHUNK)?;
        let within = self.at % IN_CHUNK;
        self.at += 1;
        Ok(Some((key_at(chunk, within), document_at(chunk, within))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_kernel::text::hash::mix64;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_key_that_is_not_less_is_found_however_they_are_spread(
            mut keys in prop::collection::vec(prop_oneof![
                0u64..50, (0u64..500).prop_map(mix64), Just(u64::MAX), Just(7 << 60)
            ], 0..300),
            asked in prop_oneof![0u64..50, (0u64..500).prop_map(mix64), any::<u64>()],
        ) {
            keys.sort_unstable();
            for asked in [asked, asked.wrapping_add(1), u64::MAX, 0, 7 << 60] {
                let expected = keys.partition_point(|key| *key < asked);
                let directory = Directory::new(&keys);
                prop_assert_eq!(directory.lower_bound(&keys, asked), expected);
                prop_assert!(directory.begins.len() <= keys.len() + 1);
            }
        }
    }
}
