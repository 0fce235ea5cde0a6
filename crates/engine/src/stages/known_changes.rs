//! What is between the records of scored pairs, found once and listed later.
//!
//! Pairs come in the order of all scored pairs, some at a time; whoever lists them asks in about the same order.

use lookalike_pair::Pair;
use lookalike_pair::assemble::{Difference, RecordChange};
use lookalike_pair::spill::Spool;

use super::Context;
use crate::Error;

/// The changes of all scored pairs, on disk beyond a share of the memory.
pub(crate) struct KnownChanges {
    /// The first pair of each block, and where its bytes begin.
    blocks: Vec<(Pair, u64)>,
    bytes: Spool<u8>,
}

impl KnownChanges {
    pub(crate) fn new(context: &Context<'_>) -> Self {
        KnownChanges {
            blocks: Vec::new(),
            bytes: context.spool("changes", 10),
        }
    }

    /// Adds a block, which begins with this pair.
    pub(crate) fn add(&mut self, first: Pair, block: &Block) -> Result<(), Error> {
        self.blocks.push((first, self.bytes.len()));
        Ok(self.bytes.append(&block.0)?)
    }
}

/// The changes of some pairs in a row.
#[derive(Debug, Default)]
pub(crate) struct Block(Vec<u8>);

impl Block {
    /// A change: the pair, how many bytes follow, the kind, and the words, each after its length.
    pub(crate) fn push(&mut self, pair: Pair, change: &RecordChange) {
        let bytes = &mut self.0;
        bytes.extend_from_slice(&pair.lo().get().to_le_bytes());
        bytes.extend_from_slice(&pair.hi().get().to_le_bytes());
        let length_at = bytes.len();
        bytes.extend_from_slice(&[0; 4]);
        let kind = Difference::ALL.iter().position(|&kind| kind == change.kind);
        bytes.push(kind.unwrap_or_default() as u8);
        for (from, to) in &change.changed {
            for words in [from, to] {
                bytes.extend_from_slice(&(words.len() as u32).to_le_bytes());
                bytes.extend_from_slice(words.as_bytes());
            }
        }
        let length = (bytes.len() - length_at - 4) as u32;
        bytes[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    }
}

/// Looks changes up, most quickly in order: one a thread.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    /// The block that was read, if any, and the place of the next change in it.
    block: Option<usize>,
    bytes: Vec<u8>,
    at: usize,
}

impl Cursor {
    /// What is between the records of a pair, if it was added.
    pub(crate) fn find(
        &mut self,
        known: &KnownChanges,
        pair: Pair,
    ) -> Result<Option<RecordChange>, Error> {
        let after = known.blocks.partition_point(|&(first, _)| first <= pair);
        let Some(block) = after.checked_sub(1) else {
            return Ok(None);
        };
        if self.block != Some(block) {
            let begin = known.blocks[block].1;
            let end = known.blocks.get(after).map(|&(_, begin)| begin);
            let length = end.unwrap_or(known.bytes.len()) - begin;
            self.bytes.resize(length as usize, 0);
            known.bytes.read_at(&mut self.bytes, begin)?;
            (self.block, self.at) = (Some(block), 0);
        }
        let found = self.search(pair);
        // Pairs that copies add may come again.
        if found.is_none() && self.at > 0 {
            self.at = 0;
            return Ok(self.search(pair));
        }
        Ok(found)
    }

    /// Goes on to the pair, or to where it would be.
    fn search(&mut self, pair: Pair) -> Option<RecordChange> {
        loop {
            let rest = self.bytes.get(self.at..)?;
            let (head, rest) = rest.split_first_chunk::<12>()?;
            let number = |at: usize| {
                let bytes = head.get(at..at + 4)?;
                Some(u32::from_le_bytes(bytes.try_into().ok()?))
            };
            let (here, length) = ((number(0)?, number(4)?), number(8)? as usize);
            if here > (pair.lo().get(), pair.hi().get()) {
                return None;
            }
            let change = rest.get(..length)?;
            self.at += 12 + length;
            if here == (pair.lo().get(), pair.hi().get()) {
                return read(change);
            }
        }
    }
}

/// What [`Block::push`] wrote.
fn read(bytes: &[u8]) -> Option<RecordChange> {
    let (&kind, mut rest) = bytes.split_first()?;
    let mut words = || -> Option<String> {
        let (length, after) = rest.split_first_chunk()?;
        let (words, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = after;
        Some(str::from_utf8(words).ok()?.to_owned())
    };
    let mut changed = Vec::new();
    while let Some(from) = words() {
        changed.push((from, words()?));
    }
    Some(RecordChange {
        kind: *Difference::ALL.get(usize::from(kind))?,
        changed,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_pair::spill::Folder;
    use lookalike_text::UnitId;

    use super::*;

    fn pair(a: u32, b: u32) -> Pair {
        Pair::new(UnitId::from(a), UnitId::from(b)).unwrap()
    }

    fn change(number: u32) -> RecordChange {
        RecordChange {
            kind: Difference::ALL[number as usize % Difference::ALL.len()],
            changed: (0..number % 4)
                .map(|n| (format!("{number}年"), "x".repeat(n as usize)))
                .collect(),
        }
    }

    #[test]
    fn what_was_added_is_found_in_any_order_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path(), 0));
        for memory in [0, 1 << 20] {
            let mut known = KnownChanges {
                blocks: Vec::new(),
                bytes: Spool::new("changes", &folder, memory),
            };
            let all: Vec<u32> = (0..100).collect();
            for numbers in all.chunks(7) {
                let mut block = Block::default();
                for &number in numbers {
                    block.push(pair(number, number + 2), &change(number));
                }
                known.add(pair(numbers[0], numbers[0] + 2), &block).unwrap();
            }
            let mut cursor = Cursor::default();
            let mut find = |a, b| cursor.find(&known, pair(a, b)).unwrap();
            for number in (0..100).chain([5, 5, 99, 0, 3]) {
                assert_eq!(find(number, number + 2), Some(change(number)));
                assert_eq!(find(number, number + 1), None);
                assert_eq!(find(number, number + 3), None);
            }
        }
    }
}
