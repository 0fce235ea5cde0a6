//! Whether something rare tells the two apart: 1 − the weight of the rarest feature that only one of them has. Both
//! have such features. Of the two rarest ones, `rarest` counts the commoner, so that a text and a part of it are not apart,
//! and `rarest-of-either` the rarer, so that they are if the other part has something rare.

use lookalike_sign::features::Weighting;

use super::Kept;
use super::plain::Plain;
use super::weighted_jaccard::{ONE, keep, weights_of_both};

pub(super) const MEASURE: Plain = Plain {
    keep,
    score: |a, b, floor| score(a, b, floor, u64::min),
    weighting: Some(Weighting::Idf),
};

pub(super) const OF_EITHER: Plain = Plain {
    keep,
    score: |a, b, floor| score(a, b, floor, u64::max),
    weighting: Some(Weighting::Idf),
};

fn score(a: &Kept, b: &Kept, floor: f64, which: fn(u64, u64) -> u64) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let (mut of_a, mut of_b) = (0, 0);
    for weights in weights_of_both(a, b) {
        match weights {
            (x, 0) => of_a = of_a.max(x),
            (0, y) => of_b = of_b.max(y),
            _ => {}
        }
    }
    let apart = which(of_a, of_b).min(ONE);
    let similarity = (ONE - apart) as f64 / ONE as f64;
    (similarity >= floor).then_some(similarity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commoner_of_the_two_rarest_features_counts() {
        let score = |a: &Kept, b: &Kept| (MEASURE.score)(a, b, 0.0);
        let half = ONE / 2;
        // Hashes, then weights.
        let (a, b) = ([1, 2, ONE, half], [1, 3, ONE, half / 2]);
        assert_eq!(score(&a, &b), Some(0.75));
        assert_eq!(score(&a, &[1, ONE]), Some(1.0), "a part of it");
        assert_eq!(score(&[1, ONE], &[2, ONE]), Some(0.0));
    }

    #[test]
    fn of_either_counts_the_rarer_one() {
        let score = |a: &Kept, b: &Kept| (OF_EITHER.score)(a, b, 0.0);
        let half = ONE / 2;
        let (a, b) = ([1, 2, ONE, half], [1, 3, ONE, half / 2]);
        assert_eq!(score(&a, &b), Some(0.5));
        assert_eq!(score(&a, &[1, ONE]), Some(0.5), "a part of it");
        assert_eq!(score(&a, &a), Some(1.0));
    }
}
