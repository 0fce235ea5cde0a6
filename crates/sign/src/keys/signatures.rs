//! Signatures (Ayhan, Bradley, Weissman 2013): each is a choice of K minima out of those of a family of hash functions.
//!
//! In: the features of a unit. Every function of the family is evaluated on every feature, and the least value of each
//! is kept. Out: a key a signature, of the K minima it chooses; the choices are the same for all units. By default the
//! family has N·K functions and no two signatures share one, so they are independent. A smaller family is cheaper:
//! signatures then share functions, agree together more often, and find somewhat less.
//!
//! Unlike [`MinHash`](super::MinHash) with its sketch this costs a multiplication a feature and function. It is the
//! method to repeat the paper's figures with, and for units of few features it costs little: about 0.3 ns a feature and
//! function (1 ns with values of more than 32 bits), so 100 functions on the 100 features of a sentence take 3 µs.

mod scheme;

use std::fmt::Debug;
use std::sync::Arc;

use lookalike_text::Seed;
use lookalike_text::hash::hash64;

use super::{Curve, Finds, Key, Keys, Method, Parameters, Search, Wish};
use crate::{Error, Features};
use scheme::{Chance, Scheme};

pub(super) const METHOD: Method = Method::new(
    "signatures",
    "signatures:N:K, signatures:N:K:F or signatures:N:K:F:BITS",
    build,
);

fn build(given: &Parameters<'_>, wish: &Wish) -> Result<Search, Error> {
    let (scheme, bits) = scheme::parse(given)?;
    if wish.bands_and_rows.is_some() {
        return Err(given.malformed(
            "its signatures are its bands and their minima the rows; leave `bands=` and `rows=` out"
                .to_string(),
        ));
    }
    Ok(Search::Keys(if bits <= i32::BITS {
        Arc::new(Signatures::<i32>::new(scheme, bits, wish.seed))
    } else {
        Arc::new(Signatures::<i64>::new(scheme, bits, wish.seed))
    }))
}

/// What a hash function of the family works with. The order of signed numbers is as good as another to take minima by, and
/// the one that every processor compares many of at once.
trait Lane: Copy + Ord + Debug + Send + Sync + 'static {
    /// Above every other, or as large.
    const LARGEST: Self;
    /// The high bits of 64.
    fn of(hash: u64) -> Self;
    /// The same with its lowest bit set: only odd multipliers lose nothing.
    fn odd(self) -> Self;
    /// Multiply-shift, of which the shift is done once a minimum: it does not change the order.
    fn hash(self, multiply: Self, add: Self) -> Self;
    /// The shift: so many of the highest bits.
    fn high_bits(self, bits: u32) -> u64;
}

macro_rules! lane {
    ($lane:ty) => {
        impl Lane for $lane {
            const LARGEST: Self = <$lane>::MAX;
            fn of(hash: u64) -> Self {
                (hash >> (64 - <$lane>::BITS)) as $lane
            }
            fn odd(self) -> Self {
                self | 1
            }
            #[inline(always)]
            fn hash(self, multiply: Self, add: Self) -> Self {
                self.wrapping_mul(multiply).wrapping_add(add)
            }
            fn high_bits(self, bits: u32) -> u64 {
                (self >> (<$lane>::BITS - bits)) as u64
            }
        }
    };
}

lane!(i32);
lane!(i64);

/// Keys of signatures.
#[derive(Debug)]
struct Signatures<L> {
    scheme: Scheme,
    multiply: Vec<L>,
    add: Vec<L>,
    /// The functions of all signatures, one signature after the other.
    chosen: Vec<u32>,
    bits: u32,
    seed: Seed,
}

impl<L: Lane> Signatures<L> {
    fn new(scheme: Scheme, bits: u32, seed: Seed) -> Self {
        let mut multiply = Chance::new(seed, scheme::MULTIPLYING);
        let mut add = Chance::new(seed, scheme::ADDING);
        let functions = 0..scheme.functions;
        Signatures {
            scheme,
            multiply: functions
                .clone()
                .map(|_| L::of(multiply.next()).odd())
                .collect(),
            add: functions.map(|_| L::of(add.next())).collect(),
            chosen: scheme.deal(seed),
            bits,
            seed,
        }
    }

    /// The least value of each function.
    fn minima(&self, features: &[u64]) -> Vec<L> {
        let mut minima = vec![L::LARGEST; self.scheme.functions];
        for &feature in features {
            let feature = L::of(feature);
            for ((least, &multiply), &add) in minima.iter_mut().zip(&self.multiply).zip(&self.add) {
                *least = (*least).min(feature.hash(multiply, add));
            }
        }
        minima
    }
}

impl<L: Lane> Keys for Signatures<L> {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn keys(&self, features: &Features, out: &mut Vec<Key>) {
        let features = features.hashes();
        if features.is_empty() {
            return;
        }
        let minima = self.minima(features);
        let minimum = |&function: &u32| minima[function as usize].high_bits(self.bits);
        for (chosen, number) in self.chosen.chunks_exact(self.scheme.minima).zip(0u64..) {
            // The minima stand where the key comes: nothing is allocated a signature.
            let begin = out.len();
            out.extend(chosen.iter().map(minimum));
            // The signature's number in the seed: equal minima in different signatures are different keys.
            let seed = Seed(self.seed.0.wrapping_add(number));
            out[begin] = hash64(bytemuck::cast_slice(&out[begin..]), seed);
            out.truncate(begin + 1);
        }
    }

    fn most_keys(&self) -> usize {
        self.scheme.signatures
    }

    fn is_by_hand(&self) -> bool {
        true
    }

    /// The probability of the signatures that share no function, those of the first deal: the others can only add to it.
    fn finds(&self) -> Finds {
        let Scheme {
            signatures,
            minima,
            functions,
        } = self.scheme;
        Finds::Curve(Curve {
            bands: signatures.min(functions / minima) as u32,
            rows: minima as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use lookalike_text::hash::mix64;

    use super::super::search;
    use super::*;

    fn signatures(given: &str, seed: u64) -> Result<Arc<dyn Keys>, Error> {
        let wish = Wish {
            seed: Seed(seed),
            ..Wish::default()
        };
        match search(given, &wish)? {
            Search::Keys(keys) => Ok(keys),
            other => panic!("{other:?}"),
        }
    }

    fn keys(signatures: &dyn Keys, features: &[u64]) -> Vec<Key> {
        let (mut unit, mut out) = (Features::default(), Vec::new());
        features.iter().for_each(|&feature| unit.push(feature));
        signatures.keys(&unit, &mut out);
        out
    }

    /// The share of pairs of sets, of `size` features each and so many shared, that have a key in common.
    fn share_found(signatures: &dyn Keys, size: u64, shared: u64, trials: u64) -> f64 {
        let found = (0..trials).filter(|trial| {
            let feature = |i: u64| mix64(trial << 32 | i);
            let a: Vec<u64> = (0..size).map(feature).collect();
            let b: Vec<u64> = (size - shared..2 * size - shared).map(feature).collect();
            let (a, b) = (keys(signatures, &a), keys(signatures, &b));
            a.iter().zip(&b).any(|(x, y)| x == y)
        });
        found.count() as f64 / trials as f64
    }

    fn similarity(size: u64, shared: u64) -> f64 {
        shared as f64 / (2 * size - shared) as f64
    }

    #[test]
    fn collisions_follow_the_s_curve_for_small_and_large_sets() {
        for (given, bands, rows) in [
            ("signatures:10:10", 10, 10),
            ("signatures:10:8", 10, 8),
            ("signatures:16:4", 16, 4),
            ("signatures:20:2:40:64", 20, 2),
        ] {
            let curve = Curve::new(bands, rows).unwrap();
            let signatures = signatures(given, 11).unwrap();
            assert_eq!(signatures.finds(), Finds::Curve(curve));
            for (size, shared, trials) in [
                (8, 6, 4000),
                (20, 12, 4000),
                (20, 17, 4000),
                (120, 80, 3000),
                (120, 110, 3000),
                (1500, 1200, 400),
            ] {
                let measured = share_found(&*signatures, size, shared, trials);
                let expected = curve.recall(similarity(size, shared));
                let sigma = (expected * (1.0 - expected) / trials as f64).sqrt();
                assert!(
                    (measured - expected).abs() < 4.0 * sigma + 0.003,
                    "{given}, {shared} of {size} features: {measured} against {expected}, sigma {sigma}"
                );
            }
        }
    }

    #[test]
    fn signatures_that_share_functions_find_at_least_what_is_stated_and_less_than_independent_ones()
    {
        let signatures = signatures("signatures:20:8:40", 5).unwrap();
        let stated = Curve::new(5, 8).unwrap();
        assert_eq!(signatures.finds(), Finds::Curve(stated));
        assert_eq!(signatures.most_keys(), 20);
        let measured = share_found(&*signatures, 100, 85, 3000);
        let independent = Curve::new(20, 8).unwrap();
        let at = similarity(100, 85);
        assert!(measured > stated.recall(at), "{measured}");
        assert!(measured < independent.recall(at), "{measured}");
    }

    #[test]
    fn values_of_few_bits_collide_by_chance() {
        let found = |bits: u32| {
            let signatures = signatures(&format!("signatures:4:4:16:{bits}"), 3).unwrap();
            share_found(&*signatures, 20, 0, 1000)
        };
        assert_eq!((found(64), found(32), found(16)), (0.0, 0.0, 0.0));
        // The least of 20 values of 4 bits is the smallest with probability 1 − (15/16)^20 = 0.72. Two such minima agree
        // with probability 0.57, four of them with 0.11, one signature of four with 0.36.
        let of_four = found(4);
        assert!((of_four - 0.36).abs() < 0.06, "{of_four}");
        assert!(found(1) > 0.999);
    }

    #[test]
    fn order_and_repeats_do_not_matter() {
        let signatures = signatures("signatures:8:4", 1).unwrap();
        let features: Vec<u64> = (0..50).map(mix64).collect();
        let mut shuffled: Vec<u64> = features.iter().rev().copied().collect();
        shuffled.extend_from_slice(&features[..20]);
        assert_eq!(keys(&*signatures, &features), keys(&*signatures, &shuffled));
    }

    #[test]
    fn one_feature_has_all_keys_and_none_has_no_key() {
        let signatures = signatures("signatures:8:4", 1).unwrap();
        let one = keys(&*signatures, &[mix64(42)]);
        assert_eq!(one.iter().collect::<HashSet<_>>().len(), 8);
        assert!(keys(&*signatures, &[]).is_empty());
        let other = keys(&*signatures, &[mix64(43)]);
        assert!(one.iter().all(|key| !other.contains(key)));
    }

    #[test]
    fn another_seed_gives_other_keys() {
        let features: Vec<u64> = (0..50).map(mix64).collect();
        let of_seed = |seed| keys(&*signatures("signatures:8:4", seed).unwrap(), &features);
        let (one, two) = (of_seed(1), of_seed(2));
        assert!(one.iter().all(|key| !two.contains(key)));
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_remedy() {
        for (given, remedy) in [
            ("signatures", "as in signatures:10:10"),
            ("signatures:10", "as in signatures:10:10"),
            ("signatures:0:4", "\"0\" is not a number of signatures"),
            ("signatures:4:0", "\"0\" is not a number of minima"),
            ("signatures:4:x", "\"x\" is not a number of minima"),
            ("signatures:4:-1", "\"-1\" is not a number of minima"),
            (
                "signatures:10:10:0",
                "\"0\" is not a number of hash functions",
            ),
            ("signatures:10:10:5", "a larger family"),
            ("signatures:10:10:10", "only 1 choices"),
            ("signatures:1000:10", "more than 4096; take fewer"),
            ("signatures:4000000000:4000000000", "more than 4096"),
            ("signatures:1000:100:4000", "take fewer"),
            ("signatures:10:10:100:0", "\"0\" is not a number of bits"),
            ("signatures:10:10:100:65", "at most 64 bits"),
            ("signatures:10:10:100:32:1", "at most four numbers"),
        ] {
            let message = signatures(given, 1).unwrap_err().to_string();
            assert!(message.contains(remedy), "{given}: {message}");
        }
        let wish = Wish {
            bands_and_rows: Some((4, 4)),
            ..Wish::default()
        };
        let message = search("signatures:4:4", &wish).unwrap_err().to_string();
        assert!(message.contains("leave `bands=`"), "{message}");
    }

    #[test]
    fn a_signature_is_what_it_has_always_been() {
        let features: Vec<u64> = (1..=40).map(mix64).collect();
        let of = |given| keys(&*signatures(given, 1).unwrap(), &features);
        assert_eq!(
            of("signatures:3:2"),
            [
                11927264504777349938,
                9747410954752724527,
                6280624691667502069
            ]
        );
        assert_eq!(
            of("signatures:3:2:4:8"),
            [
                15322462761752875911,
                13642881109221684601,
                1867439096332033320
            ]
        );
        assert_eq!(
            of("signatures:3:2:6:64"),
            [
                4949065512207749337,
                1433640737130445209,
                17824076637144648153
            ]
        );
    }

    /// `cargo test --release -p lookalike-sign -- --ignored --nocapture signatures`
    #[test]
    #[ignore = "a measurement"]
    #[allow(clippy::print_stdout)]
    fn nanoseconds_a_feature_and_function() {
        for given in ["signatures:10:10", "signatures:10:10:100:64"] {
            let signatures = signatures(given, 1).unwrap();
            for size in [30, 100, 1000] {
                let features: Vec<u64> = (0..size).map(mix64).collect();
                let rounds = (0..2_000_000 / size).map(|_| {
                    let start = std::time::Instant::now();
                    std::hint::black_box(keys(&*signatures, std::hint::black_box(&features)));
                    start.elapsed().as_nanos()
                });
                let each = rounds.min().unwrap() as f64 / (100 * size) as f64;
                println!("{given}, {size} features: {each:.2} ns");
            }
        }
    }
}
