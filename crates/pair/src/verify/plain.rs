//! Measures that are nothing but a function that keeps something of a unit, and one that scores two of it.

use lookalike_sign::features::{Background, Weighting};
use lookalike_sign::{Error, Features};
use lookalike_text::Unit;

use super::{Keep, Kept, Score, Verify};

#[derive(Debug)]
pub(super) struct Plain {
    pub(super) keep: fn(&Unit<'_>, &mut Features, &mut Vec<u64>),
    pub(super) score: fn(&Kept, &Kept, f64) -> Option<f64>,
    /// Which weights the features must have, if any.
    pub(super) weighting: Option<Weighting>,
}

impl Verify for Plain {
    fn keeper(&self, _: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(self.keep))
    }

    fn scorer(&self, _: &Background) -> Result<Box<dyn Score>, Error> {
        Ok(Box::new(self.score))
    }

    fn weighting(&self) -> Option<Weighting> {
        self.weighting
    }
}
