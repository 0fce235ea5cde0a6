//! Fast similarity sketching (after Dahlgaard, Knudsen, Thorup 2017): all minima of MinHash from about one hash a
//! feature.
//!
//! In: the features of a unit. Out: one minimum a bin; the chance that two units agree in a bin is their Jaccard
//! similarity. Plain MinHash evaluates every feature once a bin. Here a feature is thrown into one random bin a
//! round; bins still empty after a round are filled in the next, so a long text is done after a round or two. Short
//! texts (where one-permutation hashing is poor) take more rounds; what is empty after the last round is filled bin by
//! bin.

use lookalike_text::Seed;
use lookalike_text::hash::mix64;

/// No feature fell into the bin yet. Above every value, since rounds stay below 2^16.
const EMPTY: u64 = u64::MAX;
/// A value is the round, then 48 bits of hash: an earlier round always wins.
const ROUND_SHIFT: u32 = 48;
/// Rounds of throwing. The paper throws as often as there are bins. A round costs a hash per feature and a bin filled by
/// itself does too, so for the shortest texts (7 to 30 features) 10 to 20 rounds are cheapest; long ones never get there.
const ROUNDS: usize = 16;

/// Replaces `bins` by the sketch of `features`, which must not be empty.
pub(super) fn sketch(features: &[u64], seed: Seed, bins: &mut [u64]) {
    debug_assert!(!features.is_empty() && bins.len() < 1 << 15);
    bins.fill(EMPTY);
    let mut empty = bins.len();
    for round in 0..ROUNDS {
        empty -= throw(features, Round::new(seed, round), bins);
        if empty == 0 {
            return;
        }
    }
    for (number, bin) in bins
        .iter_mut()
        .enumerate()
        .filter(|(_, bin)| **bin == EMPTY)
    {
        let round = Round::new(seed, ROUNDS + number);
        let least = features.iter().map(|&feature| round.hash(feature)).min();
        *bin = round.value(least.unwrap_or(0));
    }
}

/// Throws every feature into a bin and returns how many bins are no longer empty.
fn throw(features: &[u64], round: Round, bins: &mut [u64]) -> usize {
    let count = bins.len() as u128;
    let mut filled = 0;
    for &feature in features {
        // The high half of the product is a uniform bin, the low half a uniform value within it.
        let product = u128::from(round.hash(feature)) * count;
        let bin = &mut bins[(product >> 64) as usize];
        filled += usize::from(*bin == EMPTY);
        *bin = (*bin).min(round.value(product as u64));
    }
    filled
}

/// The hash function of a round. Features are hashes already, so an odd multiplier is enough to rearrange them.
#[derive(Clone, Copy)]
struct Round {
    number: usize,
    add: u64,
    multiply: u64,
}

impl Round {
    fn new(seed: Seed, number: usize) -> Self {
        let add = mix64(seed.0.wrapping_add(2 * number as u64 + 1));
        let multiply = mix64(seed.0.wrapping_add(2 * number as u64 + 2)) | 1;
        Round {
            number,
            add,
            multiply,
        }
    }

    fn hash(self, feature: u64) -> u64 {
        let product = feature.wrapping_add(self.add).wrapping_mul(self.multiply);
        product ^ (product >> 32)
    }

    fn value(self, hash: u64) -> u64 {
        (self.number as u64) << ROUND_SHIFT | hash >> (64 - ROUND_SHIFT)
    }
}
