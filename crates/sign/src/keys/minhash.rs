//! MinHash keys: the sketch cut into bands, a key a band.

use std::sync::Arc;

use lookalike_text::Seed;
use lookalike_text::hash::hash64;

use super::sieve::{CELLS, Sieve, Sieving, sketch_of};
use super::sketch::sketch;
use super::{Curve, Finds, Key, Keys, Method, Parameters, Search, Sketched, Wish};
use crate::{Error, Features};

pub(super) const METHOD: Method = Method {
    has_bands: true,
    ..Method::new("minhash", "minhash or minhash:N", build)
};

/// How many hashes a unit may cost when bands and rows are to be chosen and the user does not say.
pub(super) const HASHES: u32 = 128;

fn build(given: &Parameters<'_>, wish: &Wish) -> Result<Search, Error> {
    let hashes = match given.values().as_slice() {
        [] => HASHES,
        [hashes] => hashes.parse().map_err(|_| {
            given.malformed(format!(
                "\"{hashes}\" is not a number of hashes; try minhash:128"
            ))
        })?,
        _ => {
            return Err(
                given.malformed("it takes one number, the hashes, as in minhash:128".to_string())
            );
        }
    };
    keys(hashes, wish).map(Search::Keys)
}

/// The keys that fulfil a wish with at most so many hashes.
pub(super) fn keys(hashes: u32, wish: &Wish) -> Result<Arc<dyn Keys>, Error> {
    let curve = match wish.bands_and_rows {
        Some((bands, rows)) => Curve::new(bands, rows),
        None => Curve::choose(wish.threshold, wish.recall, hashes),
    };
    let mut keys = MinHash::new(curve?, wish.seed);
    let curve = keys.curve;
    keys.sieve = match wish.sieve {
        // With more rows, hardly any pair is proposed needlessly.
        Sieving::Minima if curve.rows <= 3 && curve.hashes() as usize >= CELLS => {
            Some(Sieve::for_similarity(wish.threshold))
        }
        Sieving::Features => Some(Sieve::Features {
            threshold: wish.threshold,
        }),
        Sieving::No | Sieving::Minima => None,
    };
    Ok(Arc::new(keys))
}

/// Keys of a banded MinHash sketch.
#[derive(Debug, Clone, Copy)]
pub struct MinHash {
    curve: Curve,
    seed: Seed,
    sieve: Option<Sieve>,
}

impl MinHash {
    /// Keys along this S-curve.
    pub fn new(curve: Curve, seed: Seed) -> Self {
        MinHash {
            curve,
            seed,
            sieve: None,
        }
    }
}

impl Keys for MinHash {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn keys(&self, features: &Features, out: &mut Vec<Key>) {
        self.keys_and_sketch(features, out);
    }

    fn keys_and_sketch(&self, features: &Features, out: &mut Vec<Key>) -> Sketched {
        let features = features.hashes();
        if features.is_empty() {
            return Sketched::default();
        }
        let Curve { bands, rows } = self.curve;
        let (begin, end) = (out.len(), out.len() + bands as usize);
        // The bins stand behind the keys as long as they are needed: nothing is allocated a unit.
        out.resize(end + self.curve.hashes() as usize, 0);
        let (keys, bins) = out[begin..].split_at_mut(bands as usize);
        sketch(features, self.seed, bins);
        let of_bands = bins.chunks_exact(rows as usize).zip(0u64..);
        for (key, (band, number)) in keys.iter_mut().zip(of_bands) {
            // The band's number in the seed: equal minima in different bands are different keys.
            let seed = Seed(self.seed.0.wrapping_add(number));
            *key = hash64(bytemuck::cast_slice(band), seed);
        }
        let sketch = match self.sieve {
            Some(Sieve::Minima { .. }) => sketch_of(bins),
            // Whoever knows the unit makes it.
            Some(Sieve::Features { .. } | Sieve::Weights { .. }) | None => 0,
        };
        out.truncate(end);
        Sketched {
            sketch,
            left_out: 0,
        }
    }

    fn sieve(&self) -> Option<Sieve> {
        self.sieve
    }

    fn most_keys(&self) -> usize {
        self.curve.bands as usize
    }

    fn finds(&self) -> Finds {
        Finds::Curve(self.curve)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_text::hash::mix64;

    /// Two sets of `size` features each whose Jaccard similarity is `shared / (2 size − shared)`.
    fn pair(trial: u64, size: u64, shared: u64) -> (Vec<u64>, Vec<u64>) {
        let feature = |i: u64| mix64(trial << 32 | i);
        let a = (0..size).map(feature).collect();
        let b = (size - shared..2 * size - shared).map(feature).collect();
        (a, b)
    }

    fn keys(minhash: &MinHash, features: &[u64]) -> Vec<Key> {
        let (mut unit, mut out) = (Features::default(), Vec::new());
        features.iter().for_each(|&feature| unit.push(feature));
        minhash.keys(&unit, &mut out);
        out
    }

    #[test]
    fn collisions_follow_the_s_curve_for_small_and_large_sets() {
        const TRIALS: u64 = 3000;
        for (bands, rows) in [(13, 7), (17, 5), (16, 8), (32, 2)] {
            let curve = Curve::new(bands, rows).unwrap();
            let minhash = MinHash::new(curve, Seed(11));
            for (size, shared) in [
                (20, 12),
                (20, 17),
                (300, 200),
                (300, 250),
                (300, 280),
                (2000, 1600),
            ] {
                let trials = if size > 1000 { TRIALS / 5 } else { TRIALS };
                let found = (0..trials)
                    .filter(|&trial| {
                        let (a, b) = pair(trial, size, shared);
                        keys(&minhash, &a)
                            .iter()
                            .zip(keys(&minhash, &b))
                            .any(|(&x, y)| x == y)
                    })
                    .count() as f64;
                let similarity = shared as f64 / (2 * size - shared) as f64;
                let expected = curve.recall(similarity);
                let sigma = (expected * (1.0 - expected) / trials as f64).sqrt();
                let measured = found / trials as f64;
                // Bins are drawn without replacement, so small sets deviate a little from independence.
                assert!(
                    (measured - expected).abs() < 4.0 * sigma + 0.02,
                    "{bands}x{rows}, {size} features, similarity {similarity}: {measured} against {expected}"
                );
            }
        }
    }

    #[test]
    fn a_bin_agrees_with_the_probability_of_the_similarity() {
        let mut agree = 0u32;
        let (mut left, mut right) = ([0; 64], [0; 64]);
        for trial in 0..1000 {
            let (a, b) = pair(trial, 40, 30);
            sketch(&a, Seed(3), &mut left);
            sketch(&b, Seed(3), &mut right);
            agree += left.iter().zip(&right).filter(|(x, y)| x == y).count() as u32;
        }
        let measured = f64::from(agree) / 64_000.0;
        assert!((measured - 0.6).abs() < 0.01, "{measured}");
    }

    #[test]
    fn order_and_repeats_do_not_matter() {
        let minhash = MinHash::new(Curve::new(8, 4).unwrap(), Seed(1));
        let features: Vec<u64> = (0..50).map(mix64).collect();
        let mut shuffled: Vec<u64> = features.iter().rev().copied().collect();
        shuffled.extend_from_slice(&features[..20]);
        assert_eq!(keys(&minhash, &features), keys(&minhash, &shuffled));
    }

    #[test]
    fn one_feature_fills_every_bin_and_none_has_no_key() {
        let minhash = MinHash::new(Curve::new(8, 4).unwrap(), Seed(1));
        assert_eq!(keys(&minhash, &[42]).len(), 8);
        assert!(keys(&minhash, &[]).is_empty());
        assert!(
            keys(&minhash, &[42])
                .iter()
                .all(|key| !keys(&minhash, &[43]).contains(key))
        );
    }

    #[test]
    fn another_seed_gives_other_keys() {
        let curve = Curve::new(8, 4).unwrap();
        let features: Vec<u64> = (0..50).map(mix64).collect();
        let one = keys(&MinHash::new(curve, Seed(1)), &features);
        let two = keys(&MinHash::new(curve, Seed(2)), &features);
        assert!(one.iter().all(|key| !two.contains(key)));
    }

    #[test]
    fn a_signature_is_what_it_has_always_been() {
        let minhash = MinHash::new(Curve::new(3, 2).unwrap(), Seed(1));
        let features: Vec<u64> = (1..=40).map(mix64).collect();
        assert_eq!(
            keys(&minhash, &features),
            [
                13499740080490800932,
                5864103864452089611,
                4901316903575053132
            ]
        );
        assert_eq!(
            keys(&minhash, &features[..2]),
            [
                13375456644814752993,
                13696953000142723690,
                17313849171372787398
            ]
        );
    }
}
