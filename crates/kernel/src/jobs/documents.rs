//! `documents`: which records are near-duplicates of each other, as a whole.

use super::Job;

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Documents;

impl Job for Documents {
    fn name(&self) -> &'static str {
        "documents"
    }

    fn threshold(&self) -> f64 {
        0.8
    }

    fn features(&self) -> &'static str {
        "shingles:words:5"
    }

    fn what_it_does(&self) -> &'static str {
        "compares whole texts"
    }

    fn may_assume_pairs(&self) -> bool {
        true
    }
}
