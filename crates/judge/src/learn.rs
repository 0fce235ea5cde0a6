//! Which weights and which threshold are best?
//!
//! [`Examples`] come in: for each labelled pair its similarities, one a column, none where neither text has anything to
//! compare. What is [`Learnt`] goes out: a [`Combination`], which scores such a row in a run, too, and a threshold. It is a
//! weighted mean found by hill climbing ([`climb`]), a logistic function by maximum entropy ([`logistic`]) or trees by
//! boosting ([`boost`]). [`cross_validate`] says how good it is on pairs it has not seen. The result depends on the rows
//! and the seed, not on the order of the rows.

mod bins;
mod boost;
mod climb;
mod examples;
mod generator;
mod grow;
mod logistic;
mod newton;
mod screen;
mod validate;

use lookalike_pair::verify::Combination;

pub(crate) use boost::Boost;
pub(crate) use climb::Climb;
pub(crate) use examples::{Example, Examples};
pub(crate) use logistic::{MOST_COLUMNS, MaximumEntropy};
pub use validate::Validation;
pub(crate) use validate::{Folds, cross_validate};

use crate::Error;

/// How to learn.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Learner {
    /// Weights that sum to 1, by hill climbing.
    Climb(Climb),
    /// Logistic regression.
    MaximumEntropy(MaximumEntropy),
    /// Boosted trees.
    Boost(Boost),
}

impl Learner {
    /// What these examples teach.
    pub(crate) fn learn(&self, examples: &Examples) -> Result<Learnt, Error> {
        match self {
            Learner::Climb(options) => climb::climb(examples, *options),
            Learner::MaximumEntropy(options) => logistic::maximum_entropy(examples, *options),
            Learner::Boost(options) => boost::boost(examples, *options),
        }
    }
}

/// What was learnt.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Learnt {
    /// How the similarities, one a column, make one.
    pub(crate) combination: Combination,
    /// The least score of near-duplicates.
    pub(crate) threshold: f64,
}
