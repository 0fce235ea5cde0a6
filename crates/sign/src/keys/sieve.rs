//! Sieves for what shares a key by chance. Bands of few rows find what is little alike, and propose many pairs that are not
//! alike at all; a sketch of each unit rules most of these out without a comparison.
//!
//! Of *minima*: two bits of each of 64. Two minima that differ still agree in two bits one time in four, so of the 64 cells
//! of a sketch two units of Jaccard similarity s have about 64·(s + (1 − s)/4) in common. Pairs with clearly fewer than the
//! threshold asks for are not compared.
//!
//! Of *features*: a bit for each, at a place that follows from its hash, and how many there are. Every bit that only one of
//! two sketches has is of a feature that only one of the units has, so this sieve lets every similar pair pass. It is the
//! better one for few features, and costs next to nothing.
//!
//! Of *weights*: a bit for each so much of the weight of a term, at places that follow from its hash, and what all terms
//! weigh. Every bit that only one of two sketches has is so much weight that only one of the units has: this one lets
//! every similar pair pass, too.

/// What a sieve looks at.
pub type Sketch = u128;

/// How many cells a sketch of minima has.
pub(super) const CELLS: usize = 64;

/// How many bits a sketch of features has; above them is the number of features, if they are not more than that.
const FEATURE_BITS: u32 = 96;
const MOST_FEATURES: usize = u16::MAX as usize;

/// A pair at the threshold passes a sieve of minima with at least this probability.
const PASSED: f64 = 0.9;

/// Which sieve is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sieving {
    /// None.
    No,
    /// By minima.
    Minima,
    /// By features.
    Features,
}

/// Sieves for what shares a key by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sieve {
    /// By minima.
    Minima {
        /// The fewest cells in common.
        least: u32,
    },
    /// By features.
    Features {
        /// The least Jaccard similarity.
        threshold: f64,
    },
    /// By weights.
    Weights {
        /// The least weighted Jaccard similarity.
        threshold: f64,
        /// The weight of a bit.
        bit: u32,
    },
}

impl Sieve {
    /// The sieve of minima that pairs of at least this Jaccard similarity pass.
    pub fn for_similarity(similarity: f64) -> Self {
        let passing = (0..=CELLS as u32)
            .rev()
            .find(|&least| Sieve::Minima { least }.passes(similarity) >= PASSED);
        Sieve::Minima {
            least: passing.unwrap_or(0),
        }
    }

    /// The probability that a pair of this similarity passes.
    pub fn passes(self, similarity: f64) -> f64 {
        let least = match self {
            Sieve::Minima { least } => least,
            Sieve::Features { threshold } | Sieve::Weights { threshold, .. } => {
                // Whatever passes: nothing is promised below the threshold.
                return f64::from(u8::from(similarity >= threshold));
            }
        };
        let agree = similarity + (1.0 - similarity) / 4.0;
        if agree >= 1.0 {
            return 1.0;
        }
        // The binomial distribution, term by term: only products, so the same on every machine.
        let mut term = (0..CELLS).fold(1.0, |term, _| term * (1.0 - agree));
        let mut below = 0.0;
        for common in 0..least {
            below += term;
            let more = f64::from(CELLS as u32 - common) / f64::from(common + 1);
            term *= more * agree / (1.0 - agree);
        }
        1.0 - below
    }

    /// The same for pairs of at least this similarity, too: what is less similar need not pass.
    #[must_use]
    pub fn at_least(self, similarity: f64) -> Self {
        match self {
            Sieve::Minima { .. } => self,
            Sieve::Features { threshold } => Sieve::Features {
                threshold: threshold.max(similarity),
            },
            Sieve::Weights { threshold, bit } => Sieve::Weights {
                threshold: threshold.max(similarity),
                bit,
            },
        }
    }

    /// Whether two units are worth a comparison.
    #[inline]
    pub fn admits(self, a: Sketch, b: Sketch) -> bool {
        match self {
            Sieve::Minima { least } => {
                const LOWER: u128 = u128::MAX / 3;
                let differ = a ^ b;
                let cells = (differ | differ >> 1) & LOWER;
                CELLS as u32 - cells.count_ones() >= least
            }
            Sieve::Features { threshold } => {
                const SLACK: f64 = 1e-9;
                let count = |sketch: Sketch| (sketch >> FEATURE_BITS) as u32;
                let all = f64::from(count(a) + count(b));
                let differ = f64::from(((a ^ b) << (128 - FEATURE_BITS)).count_ones());
                // The similarity is at most (all − differ) / (all + differ).
                all - differ >= threshold * (all + differ) - SLACK
            }
            Sieve::Weights { threshold, bit } => {
                let weight = |sketch: Sketch| (sketch >> FEATURE_BITS) as u32;
                let bit = i64::from(bit >> WEIGHT_SHIFT);
                let all = f64::from(weight(a)) + f64::from(weight(b));
                // The similarity is at most (all − differ) / (all + differ). Most pairs are told by this alone.
                let most = all * ((1.0 - threshold) / (1.0 + threshold)) + 2.0;
                let differ = ((a ^ b) << (128 - FEATURE_BITS)).count_ones();
                if (i64::from(differ) * bit) as f64 > most {
                    return weight(a).max(weight(b)) == u32::MAX;
                }
                let only = |a: Sketch, b: Sketch| {
                    i64::from(((a & !b) << (128 - FEATURE_BITS)).count_ones()) * bit
                };
                let (only_a, only_b) = (only(a, b), only(b, a));
                let (a_weight, b_weight) = (weight(a), weight(b));
                // What only A has weighs by this more than what only B has, rounded.
                let more = i64::from(a_weight) - i64::from(b_weight);
                let differ = (2 * only_b + more).max(2 * only_a - more) - 1;
                differ as f64 <= most || a_weight.max(b_weight) == u32::MAX
            }
        }
    }
}

/// Weights are kept without these lower bits, rounded up.
const WEIGHT_SHIFT: u32 = 8;

/// The sketch of distinct terms with their weights, where a bit stands for so much.
pub(super) fn sketch_of_weights(terms: impl Iterator<Item = (u64, u32)>, bit: u32) -> Sketch {
    let (mut bits, mut all): (Sketch, u64) = (0, 0);
    for (term, weight) in terms {
        all += u64::from(weight);
        let mut hash = term;
        for _ in 0..(weight / bit).min(FEATURE_BITS) {
            hash = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            bits |= 1 << (((hash >> 32) * u64::from(FEATURE_BITS)) >> 32);
        }
    }
    let all = all.div_ceil(1 << WEIGHT_SHIFT).min(u64::from(u32::MAX));
    bits | u128::from(all) << FEATURE_BITS
}

/// The sketch of these features. Repeats only make it let more pass.
pub fn sketch_of_features(features: &[u64]) -> Sketch {
    let place = |&feature: &u64| ((feature >> 32) * u64::from(FEATURE_BITS)) >> 32;
    let bits = features
        .iter()
        .fold(0, |bits, feature| bits | 1 << place(feature));
    bits | (features.len().min(MOST_FEATURES) as Sketch) << FEATURE_BITS
}

/// The sketch of these minima, of which the first 64 count.
pub(super) fn sketch_of(minima: &[u64]) -> Sketch {
    let cells = minima.iter().take(CELLS);
    cells.fold(0, |sketch, &minimum| sketch << 2 | u128::from(minimum & 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_text::hash::mix64;

    #[test]
    fn pairs_pass_as_often_as_the_binomial_distribution_says() {
        let sieve = Sieve::for_similarity(0.4);
        for similarity in [0.05, 0.2, 0.4, 0.6] {
            let trials = 20_000u64;
            let passed = (0..trials).filter(|&trial| {
                let minimum = |side: u64, cell: u64| {
                    let draw = mix64(trial << 20 | cell << 2);
                    let same = (draw >> 11) as f64 / (1u64 << 53) as f64;
                    mix64(draw.wrapping_add(if same < similarity { 1 } else { side + 2 }))
                };
                let of =
                    |side| sketch_of(&(0..64).map(|cell| minimum(side, cell)).collect::<Vec<_>>());
                sieve.admits(of(0), of(1))
            });
            let measured = passed.count() as f64 / trials as f64;
            let expected = sieve.passes(similarity);
            assert!(
                (measured - expected).abs() < 0.01,
                "{similarity}: {measured} {expected}"
            );
        }
        assert!(sieve.passes(0.4) >= PASSED && sieve.passes(0.05) < 0.05);
    }

    #[test]
    fn every_similar_pair_passes_a_sieve_of_features_and_few_others() {
        let sieve = Sieve::Features { threshold: 0.5 };
        let mut passed = [0, 0];
        for trial in 0..4000u64 {
            let (size, shared) = (3 + trial % 40, trial % 43);
            let shared = shared.min(size);
            let set = |from: u64| {
                (from..from + size)
                    .map(|i| mix64(trial << 32 | i))
                    .collect()
            };
            let (a, b): (Vec<u64>, Vec<u64>) = (set(0), set(size - shared));
            let similar = 3 * shared >= 2 * size;
            let admits = sieve.admits(sketch_of_features(&a), sketch_of_features(&b));
            assert!(admits || !similar, "{size} {shared}");
            if 4 * shared < size {
                passed[usize::from(admits)] += 1;
            }
        }
        assert!(passed[1] * 20 < passed[0], "{passed:?}");
    }

    #[test]
    fn identical_units_pass_every_sieve() {
        let sketch = sketch_of(&(0..64).map(mix64).collect::<Vec<_>>());
        assert!(Sieve::for_similarity(1.0).admits(sketch, sketch));
        assert!(!Sieve::for_similarity(0.3).admits(sketch, !sketch));
    }
}
