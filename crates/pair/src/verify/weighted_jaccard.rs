//! Weighted Jaccard: the weight of the common features over that of all features of both. Where a feature weighs
//! differently on the two sides, the smaller weight is common.
//!
//! Kept: the hashes in order, then their weights, then a sketch of both. All sums are whole numbers, so that the result is the same everywhere.

use lookalike_sign::features::{Background, Weighting};
use lookalike_sign::{Error, Features};
use lookalike_text::Unit;

use super::weighted_sketch::{self, Sketch};
use super::{Keep, Kept, Score, Verify};

#[derive(Debug)]
pub(super) struct WeightedJaccard;

/// What a feature weighs where the method gives it no weight: 1 in units of 2⁻¹⁶.
pub(super) const ONE: u64 = 1 << 16;

/// Keeps features with their weights.
pub(super) fn keep(_: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>) {
    let count = features.sort().len();
    out.extend_from_slice(features.hashes());
    let weights = features.weights().iter().map(|&weight| u64::from(weight));
    out.extend(weights.chain(std::iter::repeat(ONE)).take(count));
}

/// The same with a sketch of them.
fn keep_sketched(unit: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>) {
    let begin = out.len();
    keep(unit, features, out);
    let count = (out.len() - begin) / 2;
    if count > weighted_sketch::SHORT {
        let kept = out[begin..].to_vec();
        let (hashes, weights) = kept.split_at(count);
        weighted_sketch::append(hashes, weights, out);
    } else if count > 0 {
        weighted_sketch::append_none(out);
    }
}

/// The weights that each feature of either side has on both, 0 where a side lacks it.
pub(super) fn weights_of_both<'k>(
    a: &'k Kept,
    b: &'k Kept,
) -> impl Iterator<Item = (u64, u64)> + 'k {
    let (a_hashes, a_weights) = a.split_at(a.len() / 2);
    let (b_hashes, b_weights) = b.split_at(b.len() / 2);
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        let (of_a, of_b) = match (a_hashes.get(i), b_hashes.get(j)) {
            (Some(x), Some(y)) => (x <= y, y <= x),
            (None, None) => return None,
            (x, y) => (x.is_some(), y.is_some()),
        };
        let weights = (
            if of_a { a_weights[i] } else { 0 },
            if of_b { b_weights[j] } else { 0 },
        );
        i += usize::from(of_a);
        j += usize::from(of_b);
        Some(weights)
    })
}

/// Features that every record of the corpus has weigh nothing. Of such features only, units are the same or not at all.
pub(super) fn without_weight(a: &Kept, b: &Kept) -> f64 {
    f64::from(u8::from(a == b))
}

fn score(a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let ((a, a_sketch), (b, b_sketch)) = (Sketch::split(a), Sketch::split(b));
    let weight = |kept: &Kept| kept[kept.len() / 2..].iter().sum::<u64>();
    let total = weight(a) + weight(b);
    // With so much of it on one side only the similarity is (total − apart) / (total + apart): most pairs are told by
    // a few features. A little more: the exact comparison decides.
    let most = (total as f64 * (1.0 - floor) / (1.0 + floor) * (1.0 + 1e-9)) as u64 + 1;
    if a_sketch.apart(b_sketch) > most {
        return None;
    }
    let (mut common, mut apart) = (0, 0);
    for (x, y) in weights_of_both(a, b) {
        common += x.min(y);
        apart += x.abs_diff(y);
        if apart > most {
            return None;
        }
    }
    let all = common + apart;
    let similarity = if all == 0 {
        without_weight(a, b)
    } else {
        common as f64 / all as f64
    };
    (similarity >= floor).then_some(similarity)
}

impl Verify for WeightedJaccard {
    fn keeper(&self, _: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(keep_sketched))
    }

    fn scorer(&self, _: &Background) -> Result<Box<dyn Score>, Error> {
        Ok(Box::new(score))
    }

    fn least_share(&self, floor: f64) -> Option<f64> {
        // What both have together weighs at least as much as either.
        Some(floor)
    }

    fn weighting(&self) -> Option<Weighting> {
        Some(Weighting::Idf)
    }
}
