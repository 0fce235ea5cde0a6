//! What the measures of plain sets have in common: the set is kept, and common features are counted.

use std::fmt;

use lookalike_sign::features::Background;
use lookalike_sign::{Error, Features};
use lookalike_text::Unit;

use super::{Bounds, Keep, Kept, OfSets, Score, Verify};

/// A measure of plain sets: all of it but the formula is the same.
pub(super) trait SetMeasure: OfSets + fmt::Debug + Copy + 'static {
    /// What the measure knows of two sets from their sizes.
    fn known_from_sizes(&self) -> Option<&dyn Bounds> {
        None
    }
}

impl<M: SetMeasure> Verify for M {
    fn keeper(&self, _: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(keep))
    }

    fn scorer(&self, _: &Background) -> Result<Box<dyn Score>, Error> {
        let measure = *self;
        Ok(Box::new(move |a: &Kept, b: &Kept, floor| {
            score(&measure, a, b, floor)
        }))
    }

    fn bounds(&self) -> Option<&dyn Bounds> {
        self.known_from_sizes()
    }

    fn of_sets(&self) -> Option<&dyn OfSets> {
        Some(self)
    }
}

/// Keeps the features, sorted and distinct.
fn keep(_: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>) {
    out.extend_from_slice(features.sort().hashes());
}

/// The similarity of two kept sets, or none below `floor`.
fn score(measure: &impl OfSets, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
    if a.is_empty() || b.is_empty() || !measure.admits(a.len(), b.len(), floor) {
        return None;
    }
    let common = common(a, b, measure.least_common(a.len(), b.len(), floor))?;
    let similarity = measure.similarity(common, a.len(), b.len());
    (similarity >= floor).then_some(similarity)
}

/// How many features two sets (sorted, distinct) have in common, or none if that is fewer than `least`.
///
/// It stops as soon as what is left of either set cannot make up for what one of them has alone: the tighter of the
/// bounds on Jaccard, (|A|−|C|)/(|B|+|C|) for a set C of features of A that B lacks.
pub fn common(a: &[u64], b: &[u64], least: usize) -> Option<usize> {
    /// Between two looks at the bound: often enough to stop early, seldom enough not to slow the merge.
    const STRIDE: usize = 32;
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        if common + (a.len() - i).min(b.len() - j) < least {
            return None;
        }
        for _ in 0..STRIDE {
            let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) else {
                break;
            };
            // Without branches: which side is ahead cannot be predicted.
            common += usize::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
    }
    (common >= least).then_some(common)
}
