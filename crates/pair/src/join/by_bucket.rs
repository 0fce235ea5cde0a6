//! The join by bucket: units that share a key are compared.
//!
//! In: the postings of a partition. Out: candidate pairs, and the *hot* buckets, those above the limit. A hot bucket
//! (a million variants of one template, say) is compared with its leaders only, the units of smallest rank in it, so
//! the work stays linear. What no leader is similar to can be compared again among itself, see [`with_leaders`].
//!
//! ```
//! use lookalike_pair::join::{candidates, BucketRule, Everything, Posting};
//! use lookalike_text::UnitId;
//!
//! let mut postings = vec![Posting::new(7, UnitId::from(0)), Posting::new(9, UnitId::from(1)), Posting::new(7, UnitId::from(2))];
//! let mut pairs = Vec::new();
//! candidates(&mut postings, (BucketRule::default(), &Everything), |unit| unit.get(), &mut |pair| pairs.push(pair), &mut |_hot| ());
//! assert_eq!(pairs.len(), 1);
//! ```

use bytemuck::Zeroable;
use lookalike_text::hash::hash128;
use lookalike_text::{Seed, UnitId};

use super::Posting;
use crate::Pair;

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

    /// A bucket of more units than so many times the limit is hot whatever is known of them.
    pub const WORTH_LOOKING: usize = 16;

    /// Whether a bucket above the limit has, by what is known of its units, no more pairs worth a comparison than one at
    /// the limit would have a unit. Looking costs next to nothing, up to a point.
    fn has_few_pairs<S: Sift>(&self, sketches: &[S::Sketch], sift: &S) -> bool {
        if !sift.sifts() || sketches.len() > self.limit.saturating_mul(Self::WORTH_LOOKING) {
            return false;
        }
        let most = sketches.len() * self.limit / 2;
        let mut pairs = 0;
        for (place, &one) in sketches.iter().enumerate() {
            let others = sketches[place + 1..].iter();
            pairs += others.filter(|&&other| sift.admits(one, other)).count();
            if pairs > most {
                return false;
            }
        }
        true
    }
}

/// What a unit adds to the digests of its buckets.
pub fn unit_digest(unit: UnitId) -> u128 {
    hash128(&unit.get().to_le_bytes(), Seed(0))
}

/// Tells a bucket from others, in whichever order its units are. That of two parts of a bucket is the exclusive or of theirs.
pub fn bucket_digest(units: &[UnitId]) -> u128 {
    let digests = units.iter().copied().map(unit_digest);
    digests.fold(0, |all, one| all ^ one)
}

impl Default for BucketRule {
    fn default() -> Self {
        BucketRule {
            limit: 128,
            leaders: 2,
        }
    }
}

/// Tells which pairs of a bucket are worth a comparison, by something small that is known of each unit.
pub trait Sift {
    /// What is known of a unit.
    type Sketch: Copy;
    /// Whether it tells any pairs apart.
    fn sifts(&self) -> bool;
    /// What is known of a unit.
    fn sketch(&self, unit: UnitId) -> Self::Sketch;
    /// Whether two units are worth a comparison.
    fn admits(&self, a: Self::Sketch, b: Self::Sketch) -> bool;
}

/// All pairs are worth a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub struct Everything;

impl Sift for Everything {
    type Sketch = ();

    fn sifts(&self) -> bool {
        false
    }

    fn sketch(&self, _: UnitId) {}

    fn admits(&self, (): (), (): ()) -> bool {
        true
    }
}

/// Emits the candidate pairs of a partition's postings (in any order; sorted here), and tells the units of each hot bucket
/// in the order of their rank.
pub fn candidates<S: Sift>(
    postings: &mut Vec<Posting>,
    (rule, sift): (BucketRule, &S),
    rank: impl Fn(UnitId) -> u32,
    emit: &mut impl FnMut(Pair),
    hot: &mut impl FnMut(&[UnitId]),
) {
    drop_lone_keys(postings);
    group(postings);
    postings.dedup();
    // All at once: they are scattered in memory, and this way one does not wait for the other.
    let sketches: Vec<S::Sketch> = postings
        .iter()
        .map(|posting| sift.sketch(posting.unit()))
        .collect();
    let mut rest = &sketches[..];
    for bucket in postings.chunk_by(|a, b| a.key() == b.key()) {
        let (sketches, after) = rest.split_at(bucket.len());
        rest = after;
        if bucket.len() < 2 {
            continue;
        }
        if bucket.len() <= rule.limit || rule.has_few_pairs(sketches, sift) {
            let mut others = bucket;
            for (place, &one) in sketches.iter().enumerate() {
                let Some((first, after)) = others.split_first() else {
                    break;
                };
                others = after;
                let admitted = others.iter().zip(&sketches[place + 1..]);
                let admitted = admitted.filter(|(_, other)| sift.admits(one, **other));
                for (other, _) in admitted {
                    if let Some(pair) = Pair::new(first.unit(), other.unit()) {
                        emit(pair);
                    }
                }
            }
            continue;
        }
        let mut units: Vec<UnitId> = bucket.iter().map(|posting| posting.unit()).collect();
        units.sort_unstable_by_key(|&unit| rank(unit));
        hot(&units);
    }
}

/// Sorts postings such that those of one key are together, in the order of their units. Keys are hashes, so that some
/// bits of them tell nearly all apart: most of the work is one pass.
fn group(postings: &mut Vec<Posting>) {
    /// So many postings or fewer are sorted at once.
    const FEW: usize = 8;
    let bits = (postings.len() / FEW).checked_ilog2().unwrap_or(0).min(20);
    if bits == 0 {
        return postings.sort_unstable();
    }
    // The lower half: the upper one decided on partitions.
    let part = |posting: &Posting| (posting.key() as u32 >> (32 - bits)) as usize;
    let mut ends = vec![0u32; 1 << bits];
    postings.iter().for_each(|posting| ends[part(posting)] += 1);
    let mut end = 0;
    for count in &mut ends {
        end += *count;
        *count = end;
    }
    let mut grouped = vec![Posting::zeroed(); postings.len()];
    // From behind, so that what was before stays before.
    for posting in postings.iter().rev() {
        let end = &mut ends[part(posting)];
        *end -= 1;
        grouped[*end as usize] = *posting;
    }
    // Now they are the begins.
    let begins = ends.iter().map(|&begin| begin as usize);
    let ends = begins.clone().skip(1).chain([grouped.len()]);
    for (begin, end) in begins.zip(ends) {
        grouped[begin..end].sort_unstable();
    }
    *postings = grouped;
}

/// How many pairs so many units have.
pub fn pairs_among(units: usize) -> u64 {
    let units = units as u64;
    units * units.saturating_sub(1) / 2
}

/// Emits the pairs of the first units of a bucket, its leaders, with all later ones that take part; returns how many.
pub fn with_leaders(
    bucket: &[UnitId],
    leaders: usize,
    takes_part: &[bool],
    emit: &mut impl FnMut(Pair),
) -> u64 {
    let mut pairs = 0;
    for (position, &leader) in bucket.iter().enumerate().take(leaders) {
        let others = bucket.iter().zip(takes_part).skip(position + 1);
        for (&unit, _) in others.filter(|(_, takes_part)| **takes_part) {
            if let Some(pair) = Pair::new(leader, unit) {
                pairs += 1;
                emit(pair);
            }
        }
    }
    pairs
}

/// Most keys occur once. A small table of counters finds that out in one pass, so that the sort sees only the rest.
pub(super) fn drop_lone_keys(postings: &mut Vec<Posting>) {
    const SEEN_ONCE: u8 = 1;
    let slots = (postings.len() * 4).next_power_of_two().max(64);
    let slot = |posting: &Posting| posting.key() as u32 as usize & (slots - 1);
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
            candidates(&mut postings(&keys), (BucketRule::UNLIMITED, &Everything), lookalike_text::UnitId::get,
                &mut |pair| { found.insert(pair); }, &mut |_| ());
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn grouping_brings_keys_together_in_the_order_of_their_units() {
        let keys: Vec<(u64, u32)> = (0..5000u32)
            .map(|i| {
                (
                    lookalike_text::hash::mix64(u64::from(i % 700)),
                    i * 7919 % 5000,
                )
            })
            .collect();
        let (mut grouped, mut sorted) = (postings(&keys), postings(&keys));
        group(&mut grouped);
        let mut seen = BTreeSet::new();
        for bucket in grouped.chunk_by(|a, b| a.key() == b.key()) {
            assert!(seen.insert(bucket[0].key()));
            assert!(bucket.is_sorted());
        }
        grouped.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(grouped, sorted);
    }

    #[test]
    fn a_hot_bucket_is_told_and_compared_with_its_leaders_only() {
        let keys: Vec<_> = (0..1000).map(|unit| (5, unit)).collect();
        let (mut pairs, mut hot) = (Vec::new(), Vec::new());
        let rule = BucketRule {
            limit: 100,
            leaders: 3,
        };
        // The largest number has the smallest rank.
        candidates(
            &mut postings(&keys),
            (rule, &Everything),
            |unit| 1000 - unit.get(),
            &mut |pair| pairs.push(pair),
            &mut |units| hot.extend_from_slice(units),
        );
        assert!(pairs.is_empty());
        assert_eq!((hot.len(), hot[0]), (1000, UnitId::from(999)));
        let told = with_leaders(&hot, rule.leaders, &[true; 1000], &mut |pair| {
            pairs.push(pair);
        });
        assert_eq!(told, pairs.len() as u64);
        assert_eq!(pairs.len(), 999 + 998 + 997);
        assert!(pairs.iter().all(|pair| pair.hi().get() >= 997));
    }
}
