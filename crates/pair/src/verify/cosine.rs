//! Cosine of two sets: common features over the geometric mean of both sizes.

use lookalike_sign::Error;
use lookalike_sign::features::Background;

use super::sets::{self, KeepSet};
use super::{Bounds, Keep, Kept, OfSets, Verify, at_least};

#[derive(Debug)]
pub(super) struct Cosine;

impl Verify for Cosine {
    fn keeper(&self, _: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(KeepSet))
    }

    fn score(&self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        sets::score(self, a, b, floor)
    }

    fn bounds(&self) -> Option<&dyn Bounds> {
        Some(self)
    }

    fn of_sets(&self) -> Option<&dyn OfSets> {
        Some(self)
    }
}

impl OfSets for Cosine {
    fn similarity(&self, common: usize, a: usize, b: usize) -> f64 {
        common as f64 / (a as f64 * b as f64).sqrt()
    }

    fn least_common(&self, a: usize, b: usize, floor: f64) -> usize {
        at_least(floor * (a as f64 * b as f64).sqrt())
    }
}

impl Bounds for Cosine {
    fn least_with_any(&self, size: usize, floor: f64) -> usize {
        // Common features c ≤ |B|, so c ≥ t√(|A||B|) ≥ t√(|A|c).
        at_least(floor * floor * size as f64).max(1)
    }

    fn least_with_larger(&self, size: usize, floor: f64) -> usize {
        at_least(floor * size as f64).max(1)
    }

    fn least_jaccard(&self, floor: f64) -> f64 {
        // Least where one set contains the other: then Jaccard is the square of the cosine.
        floor * floor
    }
}
