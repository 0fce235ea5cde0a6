//! A look at two long texts before they are compared: how much must weigh on one side only, by a few words of bits each.
//!
//! A feature has a bit for each so much of its weight, at places that follow from its hash. Every bit that only one of two
//! sketches has is so much weight that the other lacks, so nothing similar is turned away. Most long texts that share a word
//! are not similar, and a comparison takes twenty times as long as this.

/// So few features are compared in no time.
pub(super) const SHORT: usize = 48;

/// About how many bits a feature of average weight has.
const BITS: u64 = 2;

/// Above this many bits features are few enough for the weight of each to be told.
const MOST_BITS: u64 = 1 << 24;

/// The bits of the exponent in the word that a sketch ends with.
const EXPONENT_BITS: u32 = 6;

/// Appends a sketch of these features with their weights, and what says how large it is: 0 for none.
pub(super) fn append(hashes: &[u64], weights: &[u64], out: &mut Vec<u64>) {
    let total: u64 = weights.iter().sum();
    let average = total / (hashes.len() as u64).max(1);
    // A bit stands for a power of two, so that it is the same for nearly all texts of a corpus.
    let Some(exponent) = (average / BITS).checked_ilog2() else {
        return append_none(out);
    };
    let bits = total >> exponent;
    if hashes.len() <= SHORT || bits > MOST_BITS {
        return append_none(out);
    }
    // Half of it stays empty, or nearly.
    let words = (2 * bits / 64).next_power_of_two();
    let begin = out.len();
    out.resize(begin + words as usize, 0);
    let sketch = &mut out[begin..];
    for (&hash, &weight) in hashes.iter().zip(weights) {
        let mut place = hash;
        for _ in 0..weight >> exponent {
            place = place.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31);
            let bit = place & (64 * words - 1);
            sketch[(bit / 64) as usize] |= 1 << (bit % 64);
        }
    }
    out.push(words << EXPONENT_BITS | u64::from(exponent));
}

/// Appends what says that there is no sketch.
pub(super) fn append_none(out: &mut Vec<u64>) {
    out.push(0);
}

/// A sketch and what follows from it.
#[derive(Clone, Copy)]
pub(super) struct Sketch<'k> {
    words: &'k [u64],
    exponent: u32,
}

impl<'k> Sketch<'k> {
    /// What is kept of a text, without the sketch that was appended to it, and that sketch.
    pub(super) fn split(kept: &'k [u64]) -> (&'k [u64], Sketch<'k>) {
        let (&shape, before) = kept.split_last().unwrap_or((&0, &[]));
        let (features, words) = before.split_at(before.len() - (shape >> EXPONENT_BITS) as usize);
        let exponent = shape as u32 & ((1 << EXPONENT_BITS) - 1);
        (features, Sketch { words, exponent })
    }

    /// A weight that is on one side only, at the least; 0 where the sketches say nothing.
    pub(super) fn apart(self, other: Sketch<'_>) -> u64 {
        let (a, b) = (self.words, other.words);
        if a.len() != b.len() || self.exponent != other.exponent {
            return 0;
        }
        let bits: u32 = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum();
        u64::from(bits) << self.exponent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_text::hash::mix64;

    /// Features from `from` on, as many as asked for, each with a weight that follows from it.
    fn kept(from: u64, count: u64) -> Vec<u64> {
        let hashes: Vec<u64> = (from..from + count).map(mix64).collect();
        let weights: Vec<u64> = hashes.iter().map(|hash| 10_000 + hash % 90_000).collect();
        let mut out = Vec::new();
        append(&hashes, &weights, &mut out);
        out
    }

    #[test]
    fn a_sketch_never_says_more_than_there_is_and_tells_most_of_it() {
        let weight = |numbers: std::ops::Range<u64>| -> u64 {
            numbers.map(|n| 10_000 + mix64(n) % 90_000).sum()
        };
        for count in [60, 200, 900] {
            for moved in [0, 1, count / 10, count / 2, count] {
                let (a, b) = (kept(0, count), kept(moved, count));
                let told = Sketch::split(&a).1.apart(Sketch::split(&b).1);
                let is_there = weight(0..moved) + weight(count..count + moved);
                assert!(told <= is_there, "{count} {moved}");
                if moved >= count / 10 {
                    assert!(told * 3 >= is_there, "{count} {moved}: {told} {is_there}");
                }
            }
        }
        let (a, b) = (kept(0, 200), kept(100, 200));
        assert!(Sketch::split(&a).1.apart(Sketch::split(&b).1) > 0);
    }

    #[test]
    fn short_texts_and_light_features_have_none() {
        let mut out = vec![1, 2];
        append(&[1; 10], &[1 << 16; 10], &mut out);
        append(&[1; 100], &[0; 100], &mut out);
        assert_eq!(out, [1, 2, 0, 0]);
        assert_eq!(Sketch::split(&out[..3]).0, [1, 2]);
    }
}
