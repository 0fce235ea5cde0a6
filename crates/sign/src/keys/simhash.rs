//! SimHash keys: all pairs of fingerprints within a Hamming distance share one.
//!
//! A fingerprint has a bit set where more than half of the features have it set. It is cut into blocks; two fingerprints
//! that differ in at most k bits differ in at most k blocks, so they agree in some choice of the other blocks. There is
//! a key for every choice of blocks to agree in (the permuted tables of Manku, Jain and Das Sarma, 2007).

use std::sync::Arc;

use lookalike_text::Seed;
use lookalike_text::hash::hash64;

use super::{Finds, Key, Keys, Method, Parameters, Search, Wish};
use crate::{Error, Features};

pub(super) const METHOD: Method = Method::new("simhash", "simhash:64:K", build);

/// Beyond this the keys are too many or too short to be of use.
const MOST_DISTANCE: u32 = 7;

/// A key of fewer bits would put unrelated texts into one bucket by the hundred.
const LEAST_KEY_BITS: u32 = 24;
/// More keys a unit cost more than longer ones save.
const MOST_KEYS: usize = 84;

fn build(given: &Parameters<'_>, wish: &Wish) -> Result<Search, Error> {
    let values = given.values();
    let [bits, distance] = values.as_slice() else {
        return Err(given
            .malformed("say the bits and the Hamming distance, as in simhash:64:3".to_string()));
    };
    if *bits != "64" {
        return Err(given.malformed(format!("fingerprints have 64 bits, not \"{bits}\"")));
    }
    match distance.parse() {
        Ok(distance) if distance <= MOST_DISTANCE => {
            Ok(Search::Keys(Arc::new(SimHash::new(distance, wish.seed))))
        }
        _ => Err(given.malformed(format!(
            "the distance \"{distance}\" is not a number from 0 to {MOST_DISTANCE}"
        ))),
    }
}

/// SimHash keys: all pairs of fingerprints within a Hamming distance share one.
#[derive(Debug, Clone)]
pub struct SimHash {
    distance: u32,
    seed: Seed,
    /// The bits of each choice of blocks.
    masks: Vec<u64>,
}

impl SimHash {
    /// Keys that pairs within this distance share.
    pub fn new(distance: u32, seed: Seed) -> Self {
        let blocks = (distance + 1..=64)
            .find(|&blocks| {
                let agreeing = blocks - distance;
                agreeing * (64 / blocks) >= LEAST_KEY_BITS
                    || choices(blocks + 1, agreeing + 1) > MOST_KEYS
            })
            .unwrap_or(64);
        SimHash {
            distance,
            seed,
            masks: masks(blocks, blocks - distance),
        }
    }
}

/// How many ways there are to choose `chosen` of `blocks`.
fn choices(blocks: u32, chosen: u32) -> usize {
    (0..chosen).fold(1, |ways, i| ways * (blocks - i) as usize / (i + 1) as usize)
}

/// The bits of every choice of `chosen` of `blocks` blocks.
fn masks(blocks: u32, chosen: u32) -> Vec<u64> {
    let block = |number: u32| {
        let (begin, end) = (number * 64 / blocks, (number + 1) * 64 / blocks);
        (u64::MAX >> (64 - (end - begin))) << begin
    };
    let sets = (0u64..1 << blocks).filter(|set| set.count_ones() == chosen);
    sets.map(|set| {
        (0..blocks)
            .filter(|number| set >> number & 1 == 1)
            .fold(0, |mask, number| mask | block(number))
    })
    .collect()
}

impl Keys for SimHash {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn keys(&self, features: &Features, out: &mut Vec<Key>) {
        let Some(fingerprint) = fingerprint(features) else {
            return;
        };
        out.extend(self.masks.iter().zip(0u64..).map(|(mask, number)| {
            let agreeing = fingerprint & mask;
            hash64(
                &agreeing.to_le_bytes(),
                Seed(self.seed.0.wrapping_add(number)),
            )
        }));
    }

    fn most_keys(&self) -> usize {
        self.masks.len()
    }

    fn finds(&self) -> Finds {
        Finds::Distance(self.distance)
    }
}

/// The bytes of a word spread over eight counters, for every byte.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The fingerprint of features, each counted as often as it occurs, or as heavy as it is. Without features there is none.
pub fn fingerprint(features: &Features) -> Option<u64> {
    if features.is_empty() {
        return None;
    }
    let (mut set, mut total) = ([0u64; 64], 0u64);
    if features.weights().is_empty() {
        // Eight counters of a byte each in a word: they overflow after 255 features.
        for some in features.hashes().chunks(255) {
            let mut counters = [0u64; 8];
            for hash in some {
                for (counter, byte) in counters.iter_mut().zip(hash.to_le_bytes()) {
                    *counter += SPREAD[usize::from(byte)];
                }
            }
            for (sum, count) in set
                .iter_mut()
                .zip(counters.iter().flat_map(|counter| counter.to_le_bytes()))
            {
                *sum += u64::from(count);
            }
            total += some.len() as u64;
        }
    } else {
        for (&hash, &weight) in features.hashes().iter().zip(features.weights()) {
            for (bit, sum) in set.iter_mut().enumerate() {
                *sum += (hash >> bit & 1) * u64::from(weight);
            }
            total += u64::from(weight);
        }
    }
    let bit = |(position, &sum): (usize, &u64)| u64::from(2 * sum > total) << position;
    Some(set.iter().enumerate().map(bit).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_text::hash::mix64;
    use proptest::prelude::*;

    fn features(hashes: impl IntoIterator<Item = u64>) -> Features {
        let mut features = Features::default();
        hashes.into_iter().for_each(|hash| features.push(hash));
        features
    }

    fn keys_of(simhash: &SimHash, fingerprint: u64) -> Vec<Key> {
        let mut out = Vec::new();
        // A single feature is its own fingerprint.
        simhash.keys(&features([fingerprint]), &mut out);
        out
    }

    proptest! {
        #[test]
        fn all_pairs_within_the_distance_share_a_key(
            fingerprint in any::<u64>(),
            flips in prop::collection::btree_set(0u32..64, 0..=7),
        ) {
            let other = flips.iter().fold(fingerprint, |word, bit| word ^ 1 << bit);
            let simhash = SimHash::new(flips.len() as u32, Seed(1));
            let (a, b) = (keys_of(&simhash, fingerprint), keys_of(&simhash, other));
            prop_assert!(a.iter().zip(&b).any(|(x, y)| x == y));
        }

        #[test]
        fn the_fingerprint_is_the_majority_of_each_bit(hashes in prop::collection::vec(any::<u64>(), 1..600)) {
            let found = fingerprint(&features(hashes.clone())).unwrap();
            for bit in 0..64 {
                let set = hashes.iter().filter(|&hash| hash >> bit & 1 == 1).count();
                prop_assert_eq!(found >> bit & 1 == 1, 2 * set > hashes.len());
            }
        }
    }

    #[test]
    fn unrelated_fingerprints_seldom_share_a_key() {
        let simhash = SimHash::new(3, Seed(1));
        assert!(simhash.most_keys() <= 20);
        let shared = (0..2000u64)
            .filter(|&i| {
                let (a, b) = (
                    keys_of(&simhash, mix64(2 * i)),
                    keys_of(&simhash, mix64(2 * i + 1)),
                );
                a.iter().zip(&b).any(|(x, y)| x == y)
            })
            .count();
        assert!(shared < 5, "{shared}");
    }

    #[test]
    fn similar_sets_have_near_fingerprints() {
        let set = |range: std::ops::Range<u64>| features(range.map(mix64));
        let near = fingerprint(&set(0..1000)).unwrap() ^ fingerprint(&set(10..1010)).unwrap();
        let far = fingerprint(&set(0..1000)).unwrap() ^ fingerprint(&set(5000..6000)).unwrap();
        assert!(near.count_ones() < 12 && far.count_ones() > 16);
    }

    #[test]
    fn no_features_have_no_fingerprint_and_no_key() {
        assert_eq!(fingerprint(&Features::default()), None);
        let mut out = Vec::new();
        SimHash::new(3, Seed(1)).keys(&Features::default(), &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn every_distance_has_a_bounded_number_of_keys() {
        for distance in 0..=MOST_DISTANCE {
            let keys = SimHash::new(distance, Seed(1)).most_keys();
            assert!((1..=MOST_KEYS).contains(&keys), "{distance}: {keys}");
        }
    }
}
