//! The join by bucket: units that share a key are compared.
//!
//! In: the postings of a partition. Out: candidate pairs, and the *hot* buckets, those above the limit. A hot bucket
//! (a million variants of one template, say) is compared with its leaders only, the units of smallest rank in it, so
//! the work stays linear. What no leader is similar to can be compared again among itself, see [`compare_bucket`].
//!
//! ```
//! use lookalike_pair::join::{candidates, BucketRule, Posting};
//! use lookalike_text::UnitId;
//!
//! let mut postings = vec![Posting::new(7, UnitId::from(0)), Posting::new(9, UnitId::from(1)), Posting::new(7, UnitId::from(2))];
//! let mut pairs = Vec::new();
//! candidates(&mut postings, BucketRule::default(), |unit| unit.get(), &mut |pair| pairs.push(pair), &mut |_hot| {});
//! assert_eq!(pairs.len(), 1);
//! ```

use bytemuck::{Pod, Zeroable};
use lookalike_text::UnitId;

use crate::Pair;
use crate::spill::Item;

/// A key and a unit that has it, in 12 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Posting {
    key: [u32; 2],
    unit: u32,
}

impl Posting {
    /// The posting of a unit under a key.
    pub fn new(key: u64, unit: UnitId) -> Self {
        Posting {
            key: [(key >> 32) as u32, key as u32],
            unit: unit.get(),
        }
    }

    /// The key.
    pub fn key(self) -> u64 {
        u64::from(self.key[0]) << 32 | u64::from(self.key[1])
    }

    /// The unit.
    pub fn unit(self) -> UnitId {
        UnitId::from(self.unit)
    }
}

impl Item for Posting {
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.key[0]
    }
}

/// When a bucket is hot and what happens then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketRule {
    /// Above this many units a bucket is hot.
    pub limit: usize,
    /// How many of its units the others are compared with.
    pub leaders: usize,
}

impl BucketRule {
    /// Every bucket is compared in full: quadratic, for those who ask for literally all pairs.
    pub const UNLIMITED: BucketRule = BucketRule {
        limit: usize::MAX,
        leaders: usize::MAX,
    };
}

impl Default for BucketRule {
    fn default() -> Self {
        BucketRule {
            limit: 128,
            leaders: 2,
        }
    }
}

/// Emits the candidate pairs of a partition's postings (in any order; sorted here) and the units of each hot bucket in
/// the order of their rank. Returns how many pairs of hot buckets were left out.
pub fn candidates(
    postings: &mut Vec<Posting>,
    rule: BucketRule,
    rank: impl Fn(UnitId) -> u32,
    emit: &mut impl FnMut(Pair),
    hot: &mut impl FnMut(&[UnitId]),
) -> u64 {
    drop_lone_keys(postings);
    postings.sort_unstable();
    postings.dedup();
    let mut units: Vec<UnitId> = Vec::new();
    let mut left_out = 0;
    for bucket in postings.chunk_by(|a, b| a.key == b.key) {
        if bucket.len() < 2 {
            continue;
        }
        units.clear();
        units.extend(bucket.iter().map(|posting| posting.unit()));
        if units.len() > rule.limit {
            units.sort_unstable_by_key(|&unit| rank(unit));
            hot(&units);
        }
        left_out = compare_bucket(&units, rule, emit).saturating_add(left_out);
    }
    left_out
}

/// Emits the pairs of one bucket: all of them, or above the limit those with its leaders. `units` must be in the order
/// of rank where they are above the limit. Returns how many pairs were left out.
pub fn compare_bucket(units: &[UnitId], rule: BucketRule, emit: &mut impl FnMut(Pair)) -> u64 {
    let leaders = if units.len() > rule.limit {
        rule.leaders.min(units.len())
    } else {
        units.len()
    };
    for (position, &leader) in units[..leaders].iter().enumerate() {
        for &unit in &units[position + 1..] {
            if let Some(pair) = Pair::new(leader, unit) {
                emit(pair);
            }
        }
    }
    let others = (units.len() - leaders) as u64;
    others * others.saturating_sub(1) / 2
}

/// Most keys occur once. A small table of counters finds that out in one pass, so that the sort sees only the rest.
pub(super) fn drop_lone_keys(postings: &mut Vec<Posting>) {
    const SEEN_ONCE: u8 = 1;
    let slots = (postings.len() * 4).next_power_of_two().max(64);
    let slot = |posting: &Posting| (posting.key[1] as usize) & (slots - 1);
    let mut seen = vec![0u8; slots];
    for posting in postings.iter() {
        let count = &mut seen[slot(posting)];
        *count = count.saturating_add(1);
    }
    postings.retain(|posting| seen[slot(posting)] > SEEN_ONCE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn postings(keys: &[(u64, u32)]) -> Vec<Posting> {
        keys.iter()
            .map(|&(key, unit)| Posting::new(key, UnitId::from(unit)))
            .collect()
    }

    proptest! {
        #[test]
        fn exactly_the_units_that_share_a_key_become_pairs(
            keys in prop::collection::vec((0u64..40, 0u32..30), 0..200),
        ) {
            let mut expected = BTreeSet::new();
            for &(a_key, a) in &keys {
                for &(b_key, b) in &keys {
                    if a_key == b_key {
                        expected.extend(Pair::new(UnitId::from(a), UnitId::from(b)));
                    }
                }
            }
            let mut found = BTreeSet::new();
            candidates(&mut postings(&keys), BucketRule::UNLIMITED, lookalike_text::UnitId::get,
                &mut |pair| { found.insert(pair); }, &mut |_| {});
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_hot_bucket_is_compared_with_its_leaders_only() {
        let keys: Vec<_> = (0..1000).map(|unit| (5, unit)).collect();
        let (mut pairs, mut hot_units) = (Vec::new(), 0);
        let rule = BucketRule {
            limit: 100,
            leaders: 3,
        };
        // The largest number has the smallest rank.
        candidates(
            &mut postings(&keys),
            rule,
            |unit| 1000 - unit.get(),
            &mut |pair| pairs.push(pair),
            &mut |units| {
                hot_units = units.len();
                assert_eq!(units[0], UnitId::from(999));
            },
        );
        assert_eq!(hot_units, 1000);
        assert_eq!(pairs.len(), 999 + 998 + 997);
        assert!(pairs.iter().all(|pair| pair.hi().get() >= 997));
    }

    #[test]
    fn what_a_hot_bucket_leaves_out_is_counted() {
        let units: Vec<_> = (0..10).map(UnitId::from).collect();
        let rule = BucketRule {
            limit: 5,
            leaders: 2,
        };
        let mut pairs = 0;
        let left_out = compare_bucket(&units, rule, &mut |_| pairs += 1);
        assert_eq!(pairs + left_out, 45);
        assert_eq!(compare_bucket(&units[..5], rule, &mut |_| ()), 0);
    }
}
