//! Fast similarity sketching (Dahlgaard, Knudsen, Thorup 2017): all minima of MinHash from about one hash a feature.
//!
//! In: the features of a unit. Out: one minimum a bin; the chance that two units agree in a bin is their Jaccard
//! similarity. Plain MinHash evaluates every feature once a bin. Here a feature is thrown into one random bin a
//! round; bins still empty after a round are filled in the next, so a long text is done after a round or two, and a
//! short one (where one-permutation hashing is poor) simply takes more rounds. After as many rounds as bins the
//! remaining ones are filled one by one, so it always ends.

use lookalike_text::Seed;
use lookalike_text::hash::mix64;

/// No feature fell into the bin yet. Above every value, since rounds stay below 2^16.
const EMPTY: u64 = u64::MAX;
/// A value is the round, then 48 bits of hash: an earlier round always wins.
const ROUND_SHIFT: u32 = 48;

/// Replaces `bins` by the sketch of `features`, which must not be empty.
pub(super) fn sketch(features: &[u64], seed: Seed, bins: &mut [u64]) {
    debug_assert!(!features.is_empty() && bins.len() < 1 << 15);
    bins.fill(EMPTY);
    let random_rounds = bins.len();
    for round in 0..random_rounds {
        throw(features, round_key(seed, round), round, bins);
        if !bins.contains(&EMPTY) {
            return;
        }
    }
    for bin in 0..bins.len() {
        if bins[bin] == EMPTY {
            let round = random_rounds + bin;
            let key = round_key(seed, round);
            let least = features.iter().map(|&feature| mix64(feature ^ key)).min();
            bins[bin] = value(round, least.unwrap_or(0));
        }
    }
}

fn throw(features: &[u64], key: u64, round: usize, bins: &mut [u64]) {
    let count = bins.len() as u128;
    for &feature in features {
        // The high half of the product is a uniform bin, the low half a uniform value within it.
        let product = u128::from(mix64(feature ^ key)) * count;
        let bin = &mut bins[(product >> 64) as usize];
        *bin = (*bin).min(value(round, product as u64));
    }
}

fn value(round: usize, hash: u64) -> u64 {
    (round as u64) << ROUND_SHIFT | hash >> (64 - ROUND_SHIFT)
}

fn round_key(seed: Seed, round: usize) -> u64 {
    mix64(seed.0.wrapping_add(round as u64 + 1))
}
