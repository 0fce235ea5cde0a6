//! Jaccard similarity: common features over all features of both.

use super::sets::SetMeasure;
use super::{Bounds, OfSets, at_least};

#[derive(Debug, Clone, Copy)]
pub(super) struct Jaccard;

impl SetMeasure for Jaccard {
    fn known_from_sizes(&self) -> Option<&dyn Bounds> {
        Some(self)
    }
}

impl OfSets for Jaccard {
    fn similarity(&self, common: usize, a: usize, b: usize) -> f64 {
        common as f64 / (a + b - common) as f64
    }

    fn least_common(&self, a: usize, b: usize, floor: f64) -> usize {
        at_least(floor / (1.0 + floor) * (a + b) as f64)
    }
}

impl Bounds for Jaccard {
    fn least_with_any(&self, size: usize, floor: f64) -> usize {
        // The union is at least as large as either set.
        at_least(floor * size as f64).max(1)
    }

    fn least_with_larger(&self, size: usize, floor: f64) -> usize {
        self.least_common(size, size, floor).max(1)
    }

    fn least_jaccard(&self, floor: f64) -> f64 {
        floor
    }
}
