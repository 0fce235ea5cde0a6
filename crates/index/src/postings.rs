//! Sorted postings: which documents of a segment have a key.
//!
//! A posting is a key of 64 bits and the number of a document, 12 bytes. The first key of every chunk is in memory, so a
//! lookup reads one chunk. Keys are hashes, so where one stands can nearly be told by its value.

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
    chunks: Chunks,
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
        Ok(Postings {
            count,
            first: first.collect(),
            chunks,
        })
    }

    /// Tells the documents with a key, in their order, until `each` has enough.
    #[inline]
    pub(crate) fn find(
        &self,
        key: Key,
        reading: Reading<'_>,
        mut each: impl FnMut(u32) -> bool,
    ) -> Result<(), Error> {
        for number in self.first_chunk(key)..self.first.len() {
            if self.first[number] > key {
                break;
            }
            let go_on = self.chunks.with(number, reading, |chunk| {
                let count = chunk.len() / POSTING;
                let from = lower_bound(count, |at| key_at(chunk, at), self.span(number), key);
                (from..count).all(|at| key_at(chunk, at) == key && each(document_at(chunk, at)))
            })?;
            if !go_on {
                break;
            }
        }
        Ok(())
    }

    /// Looks at where a key would be. What is looked at is in the cache of the processor then: the keys of a text are
    /// fetched at once, not one after the other.
    #[inline]
    pub(crate) fn touch(&self, key: Key) -> Key {
        let number = self.first_chunk(key);
        match self.chunks.known(number) {
            Some(chunk) => key_at(chunk, guess(chunk.len() / POSTING, self.span(number), key)),
            None => 0,
        }
    }

    /// The first chunk that may have a key: the one before may end with it.
    #[inline]
    fn first_chunk(&self, key: Key) -> usize {
        let first = &self.first;
        lower_bound(first.len(), |at| first[at], (0, Key::MAX), key).saturating_sub(1)
    }

    /// The least key of a chunk, and one that is not less than its others.
    #[inline]
    fn span(&self, number: usize) -> (Key, Key) {
        let of = |number: usize| self.first.get(number).copied();
        (of(number).unwrap_or(0), of(number + 1).unwrap_or(Key::MAX))
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
        self.chunks.forget(room);
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

/// Where a key would stand if keys were spread evenly between the two of a span.
#[inline]
fn guess(count: usize, (least, most): (Key, Key), key: Key) -> usize {
    let share = key.saturating_sub(least) as f64 / most.saturating_sub(least).max(1) as f64;
    ((share * count as f64) as usize).min(count.saturating_sub(1))
}

/// Where the first of these sorted keys stands that is not less, looked for around where it would be if they were spread
/// evenly.
#[inline]
fn lower_bound(count: usize, key_of: impl Fn(usize) -> Key, span: (Key, Key), key: Key) -> usize {
    if count == 0 {
        return 0;
    }
    let guess = guess(count, span, key);
    // All before `low` are less, and none from `high` on is.
    let (mut low, mut high) = (0, count);
    let mut step = 2;
    if key_of(guess) < key {
        low = guess + 1;
        while low + step < high && key_of(low + step) < key {
            low += step + 1;
            step *= 2;
        }
        high = high.min(low + step);
    } else {
        high = guess;
        while high > step && key_of(high - step) >= key {
            high -= step;
            step *= 2;
        }
        low = low.max(high.saturating_sub(step));
    }
    while low < high {
        let middle = low + (high - low) / 2;
        match key_of(middle) < key {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
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
                let ends = keys.first().copied().zip(keys.last().copied());
                for span in [(0, u64::MAX), ends.unwrap_or_default(), (9, 9)] {
                    let found = lower_bound(keys.len(), |at| keys[at], span, asked);
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }
}
