//! Containment: common features over those of the smaller set; 1 where one text is part of the other.
//!
//! It has no bounds: a short text may be contained in one of any length.

use super::sets::SetMeasure;
use super::{OfSets, at_least};

#[derive(Debug)]
pub(super) struct Containment;

impl SetMeasure for Containment {}

impl OfSets for Containment {
    fn similarity(&self, common: usize, a: usize, b: usize) -> f64 {
        common as f64 / a.min(b) as f64
    }

    fn least_common(&self, a: usize, b: usize, floor: f64) -> usize {
        at_least(floor * a.min(b) as f64)
    }
}
