//! The one hash of the product. Bytes, or token hashes, come in; 64 or 128 bits go out.
//!
//! # Frozen
//! Keys and indexes are stored, and results must be the same on every machine and in every later
//! version, so none of these functions may ever change what it returns:
//! - [`hash64`] and [`hash128`] are XXH3 (64 and 128 bits) with a seed, as its specification has them;
//! - [`mix64`] is the finaliser of SplitMix64 (Stafford's variant 13);
//! - [`hash_sequence`] is the sum written in its documentation.
//!
//! The known-answer tests below hold them.
//!
//! ```
//! use lookalike_text::hash::{Seed, hash_sequence, hash64};
//!
//! let seed = Seed::default();
//! let words = [hash64(b"near", seed), hash64(b"duplicate", seed)];
//! let swapped = [words[1], words[0]];
//! assert_ne!(hash_sequence(&words, seed), hash_sequence(&swapped, seed));
//! ```

mod table;

use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

pub use table::{Slot, Table};

/// Chooses one function of the family; the same seed gives the same hashes everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seed(pub u64);

/// XXH3, 64 bits: for keys whose candidates are verified.
#[inline]
#[must_use]
pub fn hash64(bytes: &[u8], seed: Seed) -> u64 {
    xxh3_64_with_seed(bytes, seed.0)
}

/// XXH3, 128 bits: for identities that nothing verifies afterwards.
#[inline]
#[must_use]
pub fn hash128(bytes: &[u8], seed: Seed) -> u128 {
    xxh3_128_with_seed(bytes, seed.0)
}

/// Spreads 64 bits over 64 bits: a bijection in which every input bit changes about half of the
/// output bits. `mix64(0)` is 0.
#[inline]
#[must_use]
pub const fn mix64(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The step of SplitMix64, 2⁶⁴ divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// How many tokens are summed before the sum is mixed.
const GROUP: usize = 16;

/// One odd multiplier for each place in a group.
const MULTIPLIERS: [u64; GROUP] = {
    let mut table = [0; GROUP];
    let mut place = 0;
    while place < GROUP {
        table[place] = mix64(GOLDEN.wrapping_mul(place as u64 + 1)) | 1;
        place += 1;
    }
    table
};

/// Hashes consecutive token hashes, such as the words of a shingle. Depends on their order and on
/// how many there are.
///
/// `h = seed + mix64(n)`; then for each group of up to 16 tokens
/// `h = mix64(h + Σ rotl(tᵢ, 11·i mod 64) · mᵢ)`, where i counts from 0 within the group and
/// `mᵢ = mix64((i + 1) · 0x9E3779B97F4A7C15) | 1`. The rotation keeps two exchanged tokens from
/// cancelling: without it the difference of two odd multipliers, which is even, would lose bits.
///
/// The tokens must be hashes already ([`hash64`] or [`mix64`] of something). On shingles of five
/// words this takes three quarters of the time of XXH3 over the 40 bytes (`cargo bench`).
#[inline]
#[must_use]
pub fn hash_sequence(tokens: &[u64], seed: Seed) -> u64 {
    let mut hash = seed.0.wrapping_add(mix64(tokens.len() as u64));
    for group in tokens.chunks(GROUP) {
        hash = mix64(hash.wrapping_add(sum_group(group)));
    }
    hash
}

#[inline(always)]
fn sum_group(group: &[u64]) -> u64 {
    let mut sum = 0u64;
    for (place, (token, multiplier)) in group.iter().zip(MULTIPLIERS).enumerate() {
        let turned = token.rotate_left(11 * place as u32 % 64);
        sum = sum.wrapping_add(turned.wrapping_mul(multiplier));
    }
    sum
}

/// Gives [`hash_sequence`] of every `n` consecutive tokens to `take`: nothing if there are fewer.
///
/// # Panics
/// If `n` is 0.
#[inline]
pub fn for_each_shingle(tokens: &[u64], n: usize, seed: Seed, take: impl FnMut(u64)) {
    match n {
        1 => shingles_of::<1>(tokens, seed, take),
        2 => shingles_of::<2>(tokens, seed, take),
        3 => shingles_of::<3>(tokens, seed, take),
        4 => shingles_of::<4>(tokens, seed, take),
        5 => shingles_of::<5>(tokens, seed, take),
        6 => shingles_of::<6>(tokens, seed, take),
        7 => shingles_of::<7>(tokens, seed, take),
        8 => shingles_of::<8>(tokens, seed, take),
        _ => {
            let shingles = tokens.windows(n);
            shingles
                .map(|shingle| hash_sequence(shingle, seed))
                .for_each(take);
        }
    }
}

/// With the number of tokens known to the compiler the sum is a few instructions.
fn shingles_of<const N: usize>(tokens: &[u64], seed: Seed, mut take: impl FnMut(u64)) {
    let start = seed.0.wrapping_add(mix64(N as u64));
    let shingles = tokens.windows(N).filter_map(<[u64]>::first_chunk::<N>);
    for shingle in shingles {
        take(mix64(start.wrapping_add(sum_group(shingle))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash64_is_xxh3_with_a_seed() {
        assert_eq!(hash64(b"", Seed(0)), 0x2D06_8005_38D3_94C2);
        assert_eq!(hash64(b"a", Seed(0)), 0xE6C6_32B6_1E96_4E1F);
        assert_eq!(hash64(b"abc", Seed(0)), 0x78AF_5F94_892F_3950);
        assert_eq!(
            hash64("近似重复".as_bytes(), Seed(42)),
            0x36DD_9E4C_EEA3_AB5F
        );
        let long = b"near-duplicate text, longer than sixteen bytes";
        assert_eq!(hash64(long, Seed(42)), 0xB93F_6104_06A2_FDF9);
    }

    #[test]
    fn hash128_is_xxh3_with_a_seed() {
        let expected = 0x99AA_06D3_0147_98D8_6001_C324_468D_497F;
        assert_eq!(hash128(b"", Seed(0)), expected);
        let expected = 0x06B0_5AB6_733A_6185_78AF_5F94_892F_3950;
        assert_eq!(hash128(b"abc", Seed(0)), expected);
        let expected = 0xB509_B4F1_9273_3A51_0462_3994_E17E_D38D;
        assert_eq!(hash128("近似重复".as_bytes(), Seed(42)), expected);
    }

    #[test]
    fn mix64_is_the_finaliser_of_splitmix64() {
        assert_eq!(mix64(0), 0);
        assert_eq!(mix64(GOLDEN), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix64(GOLDEN.wrapping_mul(2)), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn hash_sequence_is_the_documented_sum() {
        let forty: Vec<u64> = (1..=40).collect();
        assert_eq!(hash_sequence(&[1], Seed(0)), 0x9D04_F601_B5DC_885A);
        assert_eq!(hash_sequence(&forty[..5], Seed(0)), 0xC388_25EB_2CDC_DD75);
        assert_eq!(hash_sequence(&forty[..5], Seed(42)), 0x263E_10F7_9255_5C76);
        assert_eq!(hash_sequence(&forty, Seed(42)), 0xF144_6666_35A8_6BD6);
    }

    #[test]
    fn hash_sequence_depends_on_order_and_on_how_many_there_are() {
        let seed = Seed(1);
        let tokens: Vec<u64> = (0..40).map(mix64).collect();
        let mut hashes: Vec<u64> = (0..40).map(|n| hash_sequence(&tokens[..n], seed)).collect();
        for left in 0..40 {
            for right in left + 1..40 {
                let mut swapped = tokens.clone();
                swapped.swap(left, right);
                hashes.push(hash_sequence(&swapped, seed));
            }
        }
        let before = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), before);
    }

    #[test]
    fn shingles_are_the_hashes_of_all_sequences_of_their_size() {
        let tokens: Vec<u64> = (1..=30).map(mix64).collect();
        for n in 1..=20 {
            let mut found = Vec::new();
            for_each_shingle(&tokens, n, Seed(3), |hash| found.push(hash));
            let windows = tokens.windows(n);
            let expected: Vec<u64> = windows.map(|words| hash_sequence(words, Seed(3))).collect();
            assert_eq!(found, expected);
        }
        for_each_shingle(&tokens[..4], 5, Seed(3), |_| {
            panic!("four words make no shingle of five")
        });
    }
}
