//! Which minima make each signature. In: what was asked for. Out: the functions of each signature, the same for all units.

use std::collections::HashSet;

use lookalike_text::Seed;
use lookalike_text::hash::mix64;

use super::Parameters;
use crate::Error;

const MOST_FUNCTIONS: usize = 4096;
const MOST_CHOSEN: usize = 1 << 16;
const BITS: u32 = 32;
const MOST_BITS: u32 = 64;

/// The scheme that was asked for, and how many bits a value has.
pub(super) fn parse(given: &Parameters<'_>) -> Result<(Scheme, u32), Error> {
    let number = |what: &str, value: &str| match value.parse::<u32>() {
        Ok(number) if number > 0 => Ok(number as usize),
        _ => Err(given.malformed(format!(
            "\"{value}\" is not a number of {what}; try signatures:10:10"
        ))),
    };
    let values = given.values();
    let (&[signatures, minima], further) = values.split_first_chunk().ok_or_else(|| {
        given.malformed(
            "it takes the signatures and the minima in each, as in signatures:10:10".to_string(),
        )
    })?;
    let signatures = number("signatures", signatures)?;
    let minima = number("minima", minima)?;
    let functions = match further.first() {
        Some(functions) => number("hash functions", functions)?,
        None => signatures.saturating_mul(minima),
    };
    let bits = match further.get(1) {
        Some(bits) => number("bits", bits)?,
        None => BITS as usize,
    };
    if further.len() > 2 {
        return Err(given.malformed("it takes at most four numbers".to_string()));
    }
    // A family that no deal exhausts is of no use.
    let functions = functions.min(signatures.saturating_mul(minima));
    let problem = if functions > MOST_FUNCTIONS {
        format!("{functions} hash functions are more than {MOST_FUNCTIONS}; take fewer signatures")
    } else if minima > functions {
        format!(
            "a signature of {minima} minima needs as many hash functions, and there are {functions}; take smaller \
             signatures or a larger family"
        )
    } else if signatures.saturating_mul(minima) > MOST_CHOSEN {
        format!(
            "{signatures} signatures of {minima} minima are more than {MOST_CHOSEN} minima; take fewer"
        )
    } else if choices(functions, minima, signatures) < signatures {
        format!(
            "{functions} hash functions have only {} choices of {minima}, too few for {signatures} signatures; take \
             fewer, or a larger family",
            choices(functions, minima, signatures)
        )
    } else if bits > MOST_BITS as usize {
        format!("a value has at most {MOST_BITS} bits, not {bits}")
    } else {
        let scheme = Scheme {
            signatures,
            minima,
            functions,
        };
        return Ok((scheme, bits as u32));
    };
    Err(given.malformed(problem))
}

/// In how many ways `chosen` functions can be chosen from `functions`, or `enough` if there are as many.
fn choices(functions: usize, chosen: usize, enough: usize) -> usize {
    let mut ways = 1;
    // Each product is a binomial coefficient itself, so the division leaves nothing over.
    for step in 1..=chosen.min(functions - chosen) {
        ways = ways * (functions - step + 1) / step;
        if ways >= enough {
            return enough;
        }
    }
    ways
}

/// How many signatures there are, of how many minima each, out of those of how many functions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scheme {
    pub(super) signatures: usize,
    pub(super) minima: usize,
    pub(super) functions: usize,
}

impl Scheme {
    /// Which functions each signature has: the family is shuffled and dealt out, and shuffled again when too few are left.
    /// So no signature has a function twice, and none shares one with another as long as the family lasts.
    pub(super) fn deal(self, seed: Seed) -> Vec<u32> {
        let mut chance = Chance::new(seed, DEALING);
        let mut family: Vec<u32> = (0..self.functions as u32).collect();
        let mut seen = HashSet::new();
        let mut dealt = Vec::with_capacity(self.signatures * self.minima);
        while seen.len() < self.signatures {
            chance.shuffle(&mut family);
            for hand in family.chunks_exact(self.minima) {
                let mut hand = hand.to_vec();
                hand.sort_unstable();
                if seen.len() < self.signatures && seen.insert(hand.clone()) {
                    dealt.append(&mut hand);
                }
            }
        }
        dealt
    }
}

/// Draws from the seed: SplitMix64, of which each purpose has its own stream.
pub(super) struct Chance(u64);

pub(super) const MULTIPLYING: u64 = 1;
pub(super) const ADDING: u64 = 2;
const DEALING: u64 = 3;

impl Chance {
    pub(super) fn new(seed: Seed, purpose: u64) -> Self {
        Chance(mix64(mix64(seed.0) ^ purpose))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix64(self.0)
    }

    fn shuffle(&mut self, items: &mut [u32]) {
        for last in (1..items.len()).rev() {
            let other = (u128::from(self.next()) * (last as u128 + 1)) >> 64;
            items.swap(last, other as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_dealt_out_once_is_partitioned() {
        let scheme = |signatures, minima, functions| Scheme {
            signatures,
            minima,
            functions,
        };
        let mut all = scheme(10, 8, 80).deal(Seed(1));
        assert_ne!(all[..8], [0, 1, 2, 3, 4, 5, 6, 7]);
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..80));
        // All six choices of two from four, each once.
        let pairs = scheme(6, 2, 4).deal(Seed(1));
        let distinct: HashSet<&[u32]> = pairs.chunks(2).collect();
        assert!(distinct.len() == 6 && distinct.iter().all(|pair| pair[0] < pair[1]));
    }
}
