//! A sieve for what shares a key by chance: two bits of each of 64 minima.
//!
//! Bands of few rows find what is little alike, and propose many pairs that are not alike at all. Two minima that differ
//! still agree in two bits one time in four, so of the 64 cells of a sketch two units of Jaccard similarity s have
//! about 64·(s + (1 − s)/4) in common. Pairs with clearly fewer than the threshold asks for are not compared.

/// Two bits of each of 64 minima.
pub type Sketch = u128;

/// How many cells a sketch has.
pub(super) const CELLS: usize = 64;

/// A pair at the threshold passes with at least this probability.
const PASSED: f64 = 0.9;

/// See the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sieve {
    /// The fewest cells in common.
    least: u32,
}

impl Sieve {
    /// The sieve that pairs of at least this Jaccard similarity pass.
    pub fn for_similarity(similarity: f64) -> Self {
        let passing = (0..=CELLS as u32)
            .rev()
            .find(|&least| Sieve { least }.passes(similarity) >= PASSED);
        Sieve {
            least: passing.unwrap_or(0),
        }
    }

    /// The probability that a pair of this similarity passes.
    pub fn passes(self, similarity: f64) -> f64 {
        let agree = similarity + (1.0 - similarity) / 4.0;
        if agree >= 1.0 {
            return 1.0;
        }
        // The binomial distribution, term by term: only products, so the same on every machine.
        let mut term = (0..CELLS).fold(1.0, |term, _| term * (1.0 - agree));
        let mut below = 0.0;
        for common in 0..self.least {
            below += term;
            let more = f64::from(CELLS as u32 - common) / f64::from(common + 1);
            term *= more * agree / (1.0 - agree);
        }
        1.0 - below
    }

    /// Whether two units are worth a comparison.
    #[inline]
    pub fn admits(self, a: Sketch, b: Sketch) -> bool {
        const LOWER: u128 = u128::MAX / 3;
        let differ = a ^ b;
        let cells = (differ | differ >> 1) & LOWER;
        CELLS as u32 - cells.count_ones() >= self.least
    }
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
    fn identical_units_pass_every_sieve() {
        let sketch = sketch_of(&(0..64).map(mix64).collect::<Vec<_>>());
        assert!(Sieve::for_similarity(1.0).admits(sketch, sketch));
        assert!(!Sieve::for_similarity(0.3).admits(sketch, !sketch));
    }
}
