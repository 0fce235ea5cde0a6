//! Cosine of two sets: common features over the geometric mean of both sizes.

use super::sets::SetMeasure;
use super::{Bounds, OfSets, at_least};

#[derive(Debug, Clone, Copy)]
pub(super) struct Cosine;

impl SetMeasure for Cosine {
    fn known_from_sizes(&self) -> Option<&dyn Bounds> {
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
