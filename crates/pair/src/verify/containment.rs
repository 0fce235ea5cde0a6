//! Containment: common features over those of the smaller set; 1 where one text is part of the other.
//!
//! A short text may be contained in one of any length, so that only the smaller of two sets bounds what they have in
//! common, and no Jaccard similarity is too small.

use super::sets::SetMeasure;
use super::{Bounds, OfSets, at_least};

#[derive(Debug, Clone, Copy)]
pub(super) struct Containment;

impl SetMeasure for Containment {
    fn known_from_sizes(&self) -> Option<&dyn Bounds> {
        Some(self)
    }
}

impl OfSets for Containment {
    fn similarity(&self, common: usize, a: usize, b: usize) -> f64 {
        common as f64 / a.min(b) as f64
    }

    fn least_common(&self, a: usize, b: usize, floor: f64) -> usize {
        at_least(floor * a.min(b) as f64)
    }
}

impl Bounds for Containment {
    fn least_with_any(&self, _: usize, _: f64) -> usize {
        // The other set may have a single feature.
        1
    }

    fn least_with_larger(&self, size: usize, floor: f64) -> usize {
        at_least(floor * size as f64).max(1)
    }

    fn least_jaccard(&self, _: f64) -> f64 {
        0.0
    }
}
