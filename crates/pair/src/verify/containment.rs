//! Containment: common features over those of the smaller set; 1 where one text is part of the other.
//!
//! It has no bounds: a short text may be contained in one of any length.

use lookalike_sign::Error;
use lookalike_sign::features::Background;

use super::sets::{self, KeepSet};
use super::{Keep, Kept, OfSets, Verify, at_least};

#[derive(Debug)]
pub(super) struct Containment;

impl Verify for Containment {
    fn keeper(&self, _: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(KeepSet))
    }

    fn score(&self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        sets::score(self, a, b, floor)
    }

    fn of_sets(&self) -> Option<&dyn OfSets> {
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
