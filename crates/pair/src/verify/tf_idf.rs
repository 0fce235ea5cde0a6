//! Cosine of weighted features: with weights that grow with the frequency in the text and the rarity in the corpus,
//! the classic measure of information retrieval.

use lookalike_sign::features::Weighting;

use super::Kept;
use super::plain::Plain;
use super::weighted_jaccard::{keep, weights_of_both, without_weight};

pub(super) const MEASURE: Plain = Plain {
    keep,
    score,
    weighting: Some(Weighting::TfIdf),
};

fn score(a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
    let (mut product, mut a_square, mut b_square) = (0u128, 0u128, 0u128);
    for (x, y) in weights_of_both(a, b) {
        let (x, y) = (u128::from(x), u128::from(y));
        product += x * y;
        a_square += x * x;
        b_square += y * y;
    }
    if a.is_empty() || b.is_empty() {
        return None;
    }
    // The same vector is exactly 1, whatever the roots round to.
    let similarity = if a_square == 0 || b_square == 0 {
        without_weight(a, b)
    } else if product == a_square && product == b_square {
        1.0
    } else {
        (product as f64 / ((a_square as f64).sqrt() * (b_square as f64).sqrt())).min(1.0)
    };
    (similarity >= floor).then_some(similarity)
}
