//! Documents that share keys near each other.
//!
//! In: the keys of every document with their places, such as those of neighbouring words, each of which few documents have.
//! Out: for each document the later ones with which it shares enough of them within one stretch of both texts. Common keys are
//! counted document by document, in an array; only where there are enough of them, their places are looked at.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

/// When documents that share keys are worth a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearRule {
    /// So many different keys,
    pub least_keys: u8,
    /// each at least this far from the one before it, in both documents: a phrase that both have is no passage,
    pub apart: u32,
    /// are not further than this from the first of them, in both documents.
    pub reach: u32,
}

/// A place of a document with a key that later documents have, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct PlacedKey {
    /// The document.
    pub document: u32,
    /// The place.
    pub place: u32,
    /// Where the later ones begin among the holders of an index. No other key of the document has the same.
    pub later: u32,
}

/// A document with a key, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Holder {
    /// The document.
    pub document: u32,
    /// The place, and the upper bit: whether it is the last one with this key.
    place: u32,
}

impl Holder {
    const LAST: u32 = 1 << 31;

    /// A document that has a key at a place. Places are told apart up to 2³¹.
    #[must_use]
    pub fn new(document: u32, place: u32) -> Self {
        Holder {
            document,
            place: place.min(Self::LAST - 1),
        }
    }

    /// The place.
    #[must_use]
    pub fn place(self) -> u32 {
        self.place & !Self::LAST
    }

    fn is_last(self) -> bool {
        self.place & Self::LAST != 0
    }
}

/// The documents of a range that have a key, key by key.
#[derive(Debug, Default)]
pub struct KeyIndex {
    range: Range<u32>,
    holders: Vec<Holder>,
}

impl KeyIndex {
    /// What an index of so many holders takes, in bytes.
    #[must_use]
    pub fn bytes(holders: u64) -> u64 {
        holders * size_of::<Holder>() as u64
    }

    /// An index of a range of documents with the holders that [`KeyIndex::add`] made.
    #[must_use]
    pub fn new(range: Range<u32>, holders: Vec<Holder>) -> Self {
        KeyIndex { range, holders }
    }

    /// Adds those of a range of documents that have a key to the holders of all keys. `held` has all documents with the key,
    /// ascending; `each` is told every place from which there are later documents.
    pub fn add(
        holders: &mut Vec<Holder>,
        range: &Range<u32>,
        held: &[Holder],
        mut each: impl FnMut(PlacedKey),
    ) {
        let begin = held.partition_point(|holder| holder.document < range.start);
        let end = held.partition_point(|holder| holder.document < range.end);
        let Some(last) = held[begin..end].last() else {
            return;
        };
        let base = holders.len();
        holders.extend(&held[begin..end]);
        if let Some(last) = holders.last_mut() {
            last.place |= Holder::LAST;
        }
        let mut later = begin;
        for holder in held.iter().take_while(|one| one.document < last.document) {
            while held[later].document <= holder.document {
                later += 1;
            }
            each(PlacedKey {
                document: holder.document,
                place: holder.place(),
                later: (base + later - begin) as u32,
            });
        }
    }

    /// Looks at the first of the later documents with each of these keys. They are all over the memory, which has to be
    /// waited for: this way for several at once.
    fn fetch(&self, keys: &[PlacedKey]) {
        let documents = keys
            .iter()
            .map(|key| self.holders[key.later as usize].document);
        std::hint::black_box(documents.fold(0, |all, document| all ^ document));
    }

    /// Tells the documents from this one of the holders on that have the same key, ascending.
    #[inline]
    fn for_each_later(&self, later: u32, mut each: impl FnMut(Holder)) {
        for &holder in &self.holders[later as usize..] {
            each(holder);
            if holder.is_last() {
                break;
            }
        }
    }
}

/// A document that repeats a key has it at the first so many places.
pub const MOST_PLACES: usize = 4;

/// A key that two documents share, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedKey {
    /// The other document.
    pub other: u32,
    /// The places in both, the other one second.
    pub places: [u32; 2],
    /// What tells it from the other keys of both.
    pub key: u32,
}

/// Finds the documents that share keys with one; room that is used again, one a thread.
#[derive(Debug, Default)]
pub struct Meetings {
    /// What is known of each document of the range, and those of which anything is.
    known: Vec<Met>,
    met: Vec<u32>,
    shared: Vec<SharedKey>,
}

/// How many keys a document shares that are apart from each other and not far from each other, seen from the document that is
/// looked up. Keys that are apart are in different cells of the length that they are apart, and those within reach of
/// each other in two blocks of cells at most. Counted are those of the last block, at most 15, and of the one before it.
///
/// From the upper bit: whether they were enough anywhere, both counts, and the last cell.
#[derive(Debug, Clone, Copy, Default)]
struct Met(u32);

/// Where a key is: its cell, and how many cells make a block, as a power of two.
#[derive(Debug, Clone, Copy)]
struct Cell {
    number: u32,
    block: u32,
}

impl Met {
    const ENOUGH: u32 = 1 << 31;
    const CELL: u32 = (1 << 23) - 1;

    fn is_new(self) -> bool {
        self.0 == 0
    }

    fn is_enough(self) -> bool {
        self.0 & Self::ENOUGH != 0
    }

    #[inline]
    fn add(&mut self, cell: Cell, least: u32) {
        let Met(known) = *self;
        let (last, number) = (known & Self::CELL, cell.number & Self::CELL);
        let (before, here) = (known >> 27 & 15, known >> 23 & 15);
        if here > 0 && last == number {
            return;
        }
        let (before, here) = match (number >> cell.block).wrapping_sub(last >> cell.block) {
            0 => (before, (here + 1).min(15)),
            1 => (here, 1),
            _ => (0, 1),
        };
        let is_enough = u32::from(before + here >= least) << 31;
        self.0 = known & Self::ENOUGH | is_enough | before << 27 | here << 23 | number;
    }
}

impl Meetings {
    /// What one takes for a range of so many documents, in bytes, but for what documents share.
    pub fn bytes(documents: u64) -> u64 {
        8 * documents
    }

    /// Tells the documents of the index that are worth a look beside one with these keys, which are in the order of their
    /// places: ascending.
    pub fn find(
        &mut self,
        (index, rule): (&KeyIndex, NearRule),
        keys: &[PlacedKey],
        mut each: impl FnMut(u32),
    ) {
        let begin = index.range.start;
        self.known.resize(index.range.len(), Met::default());
        let (apart, least) = (rule.apart.max(1), rule.least_keys.into());
        let block = rule
            .reach
            .div_ceil(apart)
            .max(1)
            .next_power_of_two()
            .ilog2();
        for keys in keys.chunks(AHEAD) {
            index.fetch(keys);
            for PlacedKey { place, later, .. } in keys {
                let number = place / apart;
                index.for_each_later(*later, |holder| {
                    let met = &mut self.known[(holder.document - begin) as usize];
                    if met.is_new() {
                        self.met.push(holder.document);
                    }
                    met.add(Cell { number, block }, least);
                });
            }
        }
        let known = &self.known;
        let is_enough = |document: u32| known[(document - begin) as usize].is_enough();
        if self.met.iter().any(|&document| is_enough(document)) {
            for PlacedKey { place, later, .. } in keys {
                index.for_each_later(*later, |holder| {
                    if is_enough(holder.document) {
                        self.shared.push(SharedKey {
                            other: holder.document,
                            places: [*place, holder.place()],
                            key: *later,
                        });
                    }
                });
            }
            self.shared.sort_unstable();
            for shared in self.shared.chunk_by_mut(|a, b| a.other == b.other) {
                if rule.holds(shared) {
                    each(shared[0].other);
                }
            }
            self.shared.clear();
        }
        for document in self.met.drain(..) {
            self.known[(document - begin) as usize] = Met::default();
        }
    }
}

impl NearRule {
    /// Whether enough of the keys that two documents share, sorted, are near each other and apart. It does not matter which
    /// of the documents is the first.
    pub fn holds(self, shared: &mut [SharedKey]) -> bool {
        self.holds_along(shared, 0) && {
            shared.sort_unstable_by_key(|shared| (shared.places[1], shared.places[0], shared.key));
            self.holds_along(shared, 1)
        }
    }

    /// The same with keys counted along one of the documents, by whose places they are sorted.
    fn holds_along(self, shared: &[SharedKey], side: usize) -> bool {
        let other = 1 - side;
        shared.iter().enumerate().any(|(at, first)| {
            let mut last = first.places[side];
            let mut keys = [first.key; MOST_KEYS];
            let mut count = 1;
            for next in &shared[at + 1..] {
                if count >= usize::from(self.least_keys)
                    || next.places[side] - first.places[side] > self.reach
                {
                    break;
                }
                let is_near = next.places[other].abs_diff(first.places[other]) <= self.reach;
                let is_apart = next.places[side] - last >= self.apart;
                if is_near && is_apart && !keys[..count].contains(&next.key) {
                    last = next.places[side];
                    keys[count] = next.key;
                    count += 1;
                }
            }
            count >= usize::from(self.least_keys)
        })
    }
}

/// So many keys are looked for at once.
const AHEAD: usize = 32;

/// No rule asks for more keys.
const MOST_KEYS: usize = 15;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    const RULE: NearRule = NearRule {
        least_keys: 3,
        apart: 2,
        reach: 10,
    };

    /// The keys of a document with their places, ascending by place.
    type Keys = Vec<(u32, u32)>;

    /// The pairs that an index of at most so many documents at a time finds.
    fn found(documents: &[Keys], at_once: usize) -> BTreeSet<(u32, u32)> {
        let mut by_key: BTreeMap<u32, Vec<Holder>> = BTreeMap::new();
        for (number, keys) in (0..).zip(documents) {
            for &(place, key) in keys {
                let held = by_key.entry(key).or_default();
                held.push(Holder::new(number, place));
            }
        }
        let (mut pairs, mut meetings) = (BTreeSet::new(), Meetings::default());
        for begin in (0..documents.len()).step_by(at_once) {
            let range = begin as u32..documents.len().min(begin + at_once) as u32;
            let (mut holders, mut placed) = (Vec::new(), Vec::new());
            for held in by_key.values() {
                KeyIndex::add(&mut holders, &range, held, |key| placed.push(key));
            }
            placed.sort_unstable();
            let index = KeyIndex::new(range, holders);
            for keys in placed.chunk_by(|a, b| a.document == b.document) {
                let mut last = None;
                meetings.find((&index, RULE), keys, |other| {
                    assert!(last < Some(other));
                    last = Some(other);
                    pairs.insert((keys[0].document, other));
                });
            }
        }
        pairs
    }

    /// The same by looking at every pair of documents and every first key.
    fn by_all_pairs(documents: &[Keys]) -> BTreeSet<(u32, u32)> {
        let mut pairs = BTreeSet::new();
        for (b, of_b) in (0..).zip(documents) {
            for (a, of_a) in (0..b).zip(documents) {
                let mut shared = Vec::new();
                for &(place, key) in of_a {
                    let same = of_b.iter().filter(|two| two.1 == key);
                    shared.extend(same.map(|two| (place, two.0, key)));
                }
                let turned = shared.iter().map(|&(a, b, key)| (b, a, key)).collect();
                if has_enough(shared) && has_enough(turned) {
                    pairs.insert((a, b));
                }
            }
        }
        pairs
    }

    fn has_enough(mut shared: Vec<(u32, u32, u32)>) -> bool {
        shared.sort_unstable();
        (0..shared.len()).any(|first| {
            let mut taken = vec![shared[first]];
            for &(a, b, key) in &shared[first + 1..] {
                let is_near = a - taken[0].0 <= RULE.reach && taken[0].1.abs_diff(b) <= RULE.reach;
                let is_apart = a - taken[taken.len() - 1].0 >= RULE.apart;
                if is_near && is_apart && taken.iter().all(|other| other.2 != key) {
                    taken.push((a, b, key));
                }
            }
            taken.len() >= usize::from(RULE.least_keys)
        })
    }

    proptest! {
        #[test]
        fn an_index_finds_what_comparing_all_documents_finds(
            documents in prop::collection::vec(prop::collection::btree_map(0u32..60, 0u32..90, 0..25), 2..12),
            at_once in 1usize..13,
        ) {
            // A place has one key.
            let documents: Vec<Keys> = documents.into_iter().map(|keys| keys.into_iter().collect()).collect();
            prop_assert_eq!(found(&documents, at_once), by_all_pairs(&documents));
        }
    }

    fn document(keys: &[(u32, u32)]) -> Keys {
        let mut keys: Keys = keys.iter().map(|&(key, place)| (place, key)).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn keys_count_where_they_are_different_apart_and_near_each_other() {
        let one = document(&[(1, 0), (2, 4), (3, 8), (4, 9)]);
        let is_found = |other: &[(u32, u32)]| !found(&[one.clone(), document(other)], 9).is_empty();
        assert!(is_found(&[(1, 20), (2, 24), (3, 28)]));
        // The order does not matter.
        assert!(is_found(&[(3, 20), (1, 24), (2, 28)]));
        assert!(!is_found(&[(1, 20), (2, 24), (5, 28)]));
        assert!(!is_found(&[(1, 20), (2, 24), (3, 31)]));
        // A phrase in either of them.
        assert!(!is_found(&[(1, 20), (3, 24), (4, 28)]));
        assert!(!is_found(&[(1, 20), (2, 21), (3, 22)]));
        assert!(!is_found(&[(1, 20), (1, 22), (1, 24), (2, 26)]));
    }
}
