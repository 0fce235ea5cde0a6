//! The join by term: a partition holds some features with all units that have them.
//!
//! In: a posting for every feature of every unit. Out: for each pair of units how many features they share. A join that
//! saw all of them knows the exact number; one that left out the most frequent features has a hint, at least so many.
//! The two are different types, so that a hint cannot be reported as exact.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use lookalike_text::UnitId;

use super::Posting;
use crate::Pair;
use crate::spill::{Error, Item, Shuffle, Sorted};

/// Two units and how many features they have in common in one partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Overlap {
    lo: u32,
    hi: u32,
    common: u32,
}

impl Overlap {
    /// The pair.
    pub fn pair(self) -> Option<Pair> {
        Pair::new(UnitId::from(self.lo), UnitId::from(self.hi))
    }

    fn same_pair(&self, other: &Self) -> bool {
        (self.lo, self.hi) == (other.lo, other.hi)
    }
}

impl Ord for Overlap {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.lo, self.hi, self.common).cmp(&(other.lo, other.hi, other.common))
    }
}

impl PartialOrd for Overlap {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Item for Overlap {
    fn place(&self) -> u32 {
        self.lo
    }
}

/// How many features a pair has in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Common {
    /// Exactly so many: every feature was looked at.
    Exactly(u32),
    /// At least so many: frequent features were left out.
    AtLeast(u32),
}

/// What the join looks at.
#[derive(Clone, Copy)]
pub struct TermRule<'r> {
    /// Whether a pair is wanted at all, by its units: the length bound, before anything is emitted.
    pub admits: &'r (dyn Fn(UnitId, UnitId) -> bool + Sync),
    /// A feature that more units have is left out.
    pub posting_cap: Option<usize>,
}

/// What was left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Features with more units than the cap.
    pub features: u64,
}

impl TermRule<'_> {
    /// Counts the common features of the pairs in a partition's postings (in any order; sorted here) and hands the sums
    /// on, a batch at a time. Returns what was left out.
    pub fn count(
        &self,
        postings: &mut Vec<Posting>,
        mut hand_on: impl FnMut(&[Overlap]) -> Result<(), Error>,
    ) -> Result<LeftOut, Error> {
        /// Overlaps summed before they are handed on.
        const BATCH: usize = 1 << 18;
        super::by_bucket::drop_lone_keys(postings);
        postings.sort_unstable();
        postings.dedup();
        let mut left_out = LeftOut::default();
        let mut batch: Vec<Overlap> = Vec::new();
        for units in postings.chunk_by(|a, b| a.key() == b.key()) {
            if self.posting_cap.is_some_and(|cap| units.len() > cap) {
                left_out.features += 1;
                continue;
            }
            for (place, first) in units.iter().enumerate() {
                for second in &units[place + 1..] {
                    if (self.admits)(first.unit(), second.unit()) {
                        batch.push(Overlap {
                            lo: first.unit().get(),
                            hi: second.unit().get(),
                            common: 1,
                        });
                    }
                }
                if batch.len() >= BATCH {
                    sum(&mut batch);
                    hand_on(&batch)?;
                    batch.clear();
                }
            }
        }
        sum(&mut batch);
        hand_on(&batch)?;
        Ok(left_out)
    }
}

/// Adds up what belongs to one pair.
fn sum(overlaps: &mut Vec<Overlap>) {
    overlaps.sort_unstable();
    overlaps.dedup_by(|next, kept| {
        let same = next.same_pair(kept);
        if same {
            kept.common += next.common;
        }
        same
    });
}

/// The overlaps of a shuffle in the order of their pairs, added up over its partitions.
pub struct Overlaps<'s> {
    shuffle: &'s Shuffle<Overlap>,
    partition: usize,
    sorted: Sorted<Overlap>,
    ahead: Option<Overlap>,
    all_features_seen: bool,
}

impl<'s> Overlaps<'s> {
    /// `left_out` says whether the counts are exact.
    pub fn new(shuffle: &'s Shuffle<Overlap>, left_out: LeftOut) -> Self {
        Overlaps {
            shuffle,
            partition: 0,
            sorted: shuffle.sorted(0),
            ahead: None,
            all_features_seen: left_out.features == 0,
        }
    }

    /// The next pair.
    #[expect(clippy::should_implement_trait, reason = "reading can fail")]
    pub fn next(&mut self) -> Result<Option<(Pair, Common)>, Error> {
        let Some(mut overlap) = (match self.ahead.take() {
            Some(ahead) => Some(ahead),
            None => self.read()?,
        }) else {
            return Ok(None);
        };
        while let Some(next) = self.read()? {
            if !next.same_pair(&overlap) {
                self.ahead = Some(next);
                break;
            }
            overlap.common += next.common;
        }
        let common = if self.all_features_seen {
            Common::Exactly(overlap.common)
        } else {
            Common::AtLeast(overlap.common)
        };
        Ok(overlap.pair().map(|pair| (pair, common)))
    }

    fn read(&mut self) -> Result<Option<Overlap>, Error> {
        loop {
            if let Some(overlap) = self.sorted.next()? {
                return Ok(Some(overlap));
            }
            if self.partition + 1 == self.shuffle.partitions() {
                return Ok(None);
            }
            self.partition += 1;
            self.sorted = self.shuffle.sorted(self.partition);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::{Folder, Partitions};
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn counted(
        postings: &[(u64, u32)],
        partitions: u64,
        posting_cap: Option<usize>,
    ) -> BTreeMap<(u32, u32), Common> {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path().join("work"), 0));
        let shuffle = Shuffle::new("overlaps", &folder, Partitions::of_units(3, 40), 64);
        let rule = TermRule {
            admits: &|_, _| true,
            posting_cap,
        };
        let mut left_out = LeftOut::default();
        for partition in 0..partitions {
            let mine = postings
                .iter()
                .filter(|(key, _)| key % partitions == partition);
            let mut mine: Vec<Posting> = mine
                .map(|&(key, unit)| Posting::new(key, UnitId::from(unit)))
                .collect();
            let more = rule
                .count(&mut mine, |batch| shuffle.extend(batch.iter().copied()))
                .unwrap();
            left_out.features += more.features;
        }
        let mut overlaps = Overlaps::new(&shuffle, left_out);
        let mut found = BTreeMap::new();
        while let Some((pair, common)) = overlaps.next().unwrap() {
            let before = found.insert((pair.lo().get(), pair.hi().get()), common);
            assert_eq!(before, None);
        }
        found
    }

    proptest! {
        #[test]
        fn the_counts_are_those_of_brute_force_at_every_partition_count(
            postings in prop::collection::btree_set((0u64..30, 0u32..40), 0..200),
            partitions in 1u64..8,
        ) {
            let mut expected: BTreeMap<(u32, u32), u32> = BTreeMap::new();
            for &(key, a) in &postings {
                for &(_, b) in postings.iter().filter(|(other, b)| *other == key && *b > a) {
                    *expected.entry((a, b)).or_default() += 1;
                }
            }
            let postings: Vec<_> = postings.into_iter().collect();
            let found = counted(&postings, partitions, None);
            let expected = expected.into_iter().map(|(pair, count)| (pair, Common::Exactly(count)));
            prop_assert_eq!(found, expected.collect());
        }
    }

    #[test]
    fn what_a_cap_leaves_out_makes_every_count_a_hint() {
        let mut postings: Vec<(u64, u32)> = (0..10).map(|unit| (7, unit)).collect();
        postings.extend([(8, 0), (8, 1)]);
        let found = counted(&postings, 2, Some(5));
        assert_eq!(found, BTreeMap::from([((0, 1), Common::AtLeast(1))]));
    }
}
