//! How alike two kept texts are.

use lookalike_pair::verify::{Kept, Score as ScorePairs};

use crate::Error;
use crate::plan::Plan;

/// Scores pairs of what [`Signer::keep`](crate::Signer::keep) keeps.
pub struct Scorer {
    measure: Box<dyn ScorePairs>,
    threshold: f64,
}

/// How alike a pair is that reaches the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Exact; not a number where two texts are duplicates by definition, as those with a common digest of I-Match.
    pub similarity: f64,
}

impl Scorer {
    pub(crate) fn new(plan: &Plan) -> Result<Self, Error> {
        Ok(Scorer {
            measure: plan.measure.scorer(&plan.background)?,
            threshold: plan.threshold,
        })
    }

    /// The score of a pair; none if it is proved to be below the threshold.
    ///
    /// # Errors
    /// If what was kept is not of this kernel.
    #[inline]
    pub fn score(&mut self, a: &Kept, b: &Kept) -> Result<Option<Score>, Error> {
        self.score_from(a, b, self.threshold)
    }

    /// The score of a pair; none if it is proved to be below a floor, which is not below the threshold.
    ///
    /// # Errors
    /// As [`Scorer::score`].
    #[inline]
    pub fn score_from(&mut self, a: &Kept, b: &Kept, floor: f64) -> Result<Option<Score>, Error> {
        let similarity = self.measure.score(a, b, floor.max(self.threshold));
        Ok(similarity.map(|similarity| Score { similarity }))
    }
}
