//! Prefixes: the rarest features of each unit, so many that two similar units always share one.
//!
//! If all features are ordered in one way, the same for all units, and two units have c features in common, then the
//! first |A|−c+1 of A and the first |B|−c+1 of B have one in common. With the rarest first, these prefixes hold few
//! features that many units share; and what occurs in one unit only can never be shared, so it takes its place in the
//! prefix but is never looked up.
//!
//! Any order will do, so about how often a feature occurs is enough: a table counts features by part of their hash.
//! Features that fall into one slot count together, so a count is never too small, and 1 is always true.

use super::{Method, Search};
use crate::Pages;

pub(super) const METHOD: Method = Method::new("prefix", "prefix", |given, _| {
    given.no_parameters().map(|()| Search::Prefix)
});

/// About how often each feature occurs. Features are 32 bits of their hash here: two that are taken for one only make a
/// needless candidate.
#[derive(Debug)]
pub struct Frequencies {
    /// A byte a slot.
    counts: Pages<u8>,
    shift: u32,
}

impl Frequencies {
    /// A table for about so many features, or a smaller one where memory ends: then more features count together.
    pub fn new(features: u64, most_bytes: usize) -> Self {
        let wanted = features.max(1 << 10).next_power_of_two();
        let most = 1 << most_bytes.max(1 << 10).ilog2();
        let slots = wanted.min(most).min(1 << 32);
        Frequencies {
            counts: Pages::zeroed(slots as usize),
            shift: 32 - slots.ilog2(),
        }
    }

    /// Cuts the table into parts that threads can count side by side.
    pub fn parts(&mut self, count: usize) -> Vec<Part<'_>> {
        let (shift, counts) = (self.shift, self.counts.get_mut());
        let size = counts.len().div_ceil(count.max(1));
        let parts = counts.chunks_mut(size).enumerate();
        parts
            .map(|(number, counts)| Part {
                first: number * size,
                counts,
                shift,
                elsewhere: 0,
            })
            .collect()
    }

    /// How often a feature occurs at the most; at 255 or more, 255.
    #[inline]
    pub fn of(&self, feature: u32) -> u8 {
        self.counts.get()[slot(feature, self.shift)]
    }

    /// How many features occur nowhere else; counting ends at `enough`.
    pub fn lone(&self, features: &[u32], enough: usize) -> usize {
        let (counts, shift) = (self.counts.get(), self.shift);
        let is_lone = |&feature: &u32| usize::from(counts[slot(feature, shift)] == 1);
        let mut lone = 0;
        for some in features.chunks(64) {
            lone += some.iter().map(is_lone).sum::<usize>();
            if lone >= enough {
                break;
            }
        }
        lone
    }
}

#[inline]
fn slot(feature: u32, shift: u32) -> usize {
    // A shift by all 32 bits is not defined for 32 bits.
    (u64::from(feature) >> shift) as usize
}

/// A part of the table, for one thread.
#[derive(Debug)]
pub struct Part<'t> {
    first: usize,
    counts: &'t mut [u8],
    shift: u32,
    elsewhere: u8,
}

impl Part<'_> {
    /// Counts those of the features that belong to this part.
    pub fn count(&mut self, features: &[u32]) {
        self.count_beyond(features, |_| {});
    }

    /// The same; `beyond` is told each feature that a byte can no longer count.
    pub fn count_beyond(&mut self, features: &[u32], mut beyond: impl FnMut(u32)) {
        for &feature in features {
            let place = slot(feature, self.shift).wrapping_sub(self.first);
            // Half of the features belong to another part: a wasted count is cheaper than a mispredicted branch.
            self.elsewhere = 0;
            let count = self.counts.get_mut(place).unwrap_or(&mut self.elsewhere);
            if *count == u8::MAX {
                beyond(feature);
            } else {
                *count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn counted(features: &[u32], threads: usize, most_bytes: usize) -> Frequencies {
        let mut frequencies = Frequencies::new(features.len() as u64, most_bytes);
        for mut part in frequencies.parts(threads) {
            part.count(features);
        }
        frequencies
    }

    fn sort(frequencies: &Frequencies, features: &mut [u32]) {
        features.sort_unstable_by_key(|&feature| (frequencies.of(feature), feature));
    }

    proptest! {
        #[test]
        fn a_count_is_never_too_small_and_threads_change_nothing(
            features in prop::collection::vec(prop_oneof![0u32..50, any::<u32>()], 0..600),
            threads in 1usize..6,
            most_bytes in 0usize..5000,
        ) {
            let frequencies = counted(&features, threads, most_bytes);
            let whole = counted(&features, 1, most_bytes);
            let mut exact: BTreeMap<u32, usize> = BTreeMap::new();
            features.iter().for_each(|&feature| *exact.entry(feature).or_default() += 1);
            for (&feature, &count) in &exact {
                prop_assert!(usize::from(frequencies.of(feature)) >= count.min(255));
                prop_assert_eq!(frequencies.of(feature), whole.of(feature));
            }
            let distinct: Vec<u32> = exact.keys().copied().collect();
            let lone = distinct.iter().filter(|&&feature| frequencies.of(feature) == 1).count();
            prop_assert_eq!(frequencies.lone(&distinct, usize::MAX), lone);
            prop_assert!(frequencies.lone(&distinct, 3) >= lone.min(3));
        }

        #[test]
        fn two_sets_share_a_feature_of_their_prefixes_if_they_share_enough(
            a in prop::collection::btree_set(0u32..60, 1..40),
            b in prop::collection::btree_set(0u32..60, 1..40),
        ) {
            let (mut x, mut y): (Vec<u32>, Vec<u32>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let frequencies = counted(&[x.clone(), y.clone()].concat(), 2, 1 << 20);
            sort(&frequencies, &mut x);
            sort(&frequencies, &mut y);
            let common = a.intersection(&b).count();
            if common > 0 {
                let (x, y) = (&x[..x.len() - common + 1], &y[..y.len() - common + 1]);
                prop_assert!(x.iter().any(|feature| y.contains(feature)));
            }
        }
    }

    #[test]
    fn most_of_what_occurs_once_is_known_to() {
        use lookalike_text::hash::mix64;
        let features: Vec<u32> = (0..100_000).map(|i| (mix64(i) >> 32) as u32).collect();
        let lone = counted(&features, 2, 1 << 30).lone(&features, usize::MAX);
        assert!(lone > 40_000, "{lone}");
    }
}
