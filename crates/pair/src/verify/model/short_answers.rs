//! Answers that are too short for their features: "1979" within "in 1979, in Taipei".
//!
//! An answer of a few words makes one feature of all of them, which a longer answer has not even if it says all that the
//! shorter one says. Its words tell that it does. A word or two are in many answers by chance, so this counts for less than
//! a common stretch of words, and only where the questions are alike.

use super::{Model, common, parts};
use crate::verify::Kept;

/// What answers count as that are too short for their features, if the other says all that they say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShortAnswers {
    /// The part that compares answers.
    pub answer: usize,
    /// The part that compares questions, in which two texts must be alike for anything to count.
    pub question: usize,
}

impl ShortAnswers {
    /// What they count as: more than nothing, and so little that the questions decide.
    pub const COUNT: f64 = 0.3;

    /// Whether an answer of so many features is short.
    pub fn is_short(features: usize) -> bool {
        features == 1
    }
}

impl Model {
    /// The part of the answers and what they count as at least, if one of them is short and within the other.
    pub(super) fn short_answer(&self, a: &Kept, b: &Kept) -> Option<(usize, f64)> {
        let (short, least) = (self.short?, self.more_contains?);
        let of = |place: usize| Some((parts(a).nth(place)?, parts(b).nth(place)?));
        let has_both = |(a, b): (&Kept, &Kept)| !a.is_empty() && !b.is_empty();
        let answers = of(short.answer).filter(|&both| has_both(both))?;
        let sizes = [answers.0.len(), answers.1.len()];
        if !sizes.map(ShortAnswers::is_short).contains(&true) || !has_both(of(short.question)?) {
            return None;
        }
        let (of_a, of_b) = of(self.parts.len() - 1)?;
        let shared = common(of_a, of_b, 0).unwrap_or_default();
        let is_within = |words: &Kept, size: usize| {
            ShortAnswers::is_short(size)
                && !words.is_empty()
                && shared as f64 >= least * words.len() as f64
        };
        let within = is_within(of_a, sizes[0]) || is_within(of_b, sizes[1]);
        within.then_some((short.answer, ShortAnswers::COUNT))
    }
}
