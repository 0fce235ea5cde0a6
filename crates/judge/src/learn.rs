//! Which weights and which threshold are best?
//!
//! [`Examples`] come in: for each labelled pair its similarities, one for each named column, none where a field is
//! empty on both sides. A [`Model`] goes out, which scores such a row: [`Linear`] by hill climbing ([`climb`]),
//! [`Logistic`] by maximum entropy ([`MaximumEntropy`]) or [`Trees`] by boosting ([`boost`]). [`cross_validate`] says how good it is on pairs it has not
//! seen. The result depends on the rows and the seed, not on the order of the rows.
//!
//! ```
//! use lookalike_judge::learn::{Climb, Example, Examples, Learner};
//! let row = |title, body, same| Example { similarities: vec![Some(title), body], same };
//! let rows = [
//!     row(0.9, Some(0.1), true),
//!     row(0.8, None, true),
//!     row(0.3, Some(0.9), false),
//!     row(0.2, Some(0.8), false),
//! ];
//! let names = ["title", "body"].map(String::from);
//! let examples = Examples::new(names, rows)?;
//! let model = Learner::Climb(Climb::default()).learn(&examples)?;
//! assert_eq!(examples.judge(&model).f1(), 1.0);
//! assert!(model.is_same(&[Some(0.7), None]));
//! # Ok::<(), lookalike_judge::Error>(())
//! ```

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

use serde::{Deserialize, Serialize};

pub use boost::{Boost, Split, Tree, Trees, boost};
pub use climb::{Climb, Linear, climb};
pub use examples::{Example, Examples};
pub use logistic::{Logistic, MaximumEntropy, Product, maximum_entropy};
pub use validate::{Folds, Validation, cross_validate, cross_validate_on};

use crate::Error;

/// How to learn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    /// Weights that sum to 1, by hill climbing.
    Climb(Climb),
    /// Logistic regression.
    MaximumEntropy(MaximumEntropy),
    /// Boosted trees.
    Boost(Boost),
}

impl Learner {
    /// The model for these examples.
    ///
    /// # Errors
    /// As [`climb`], [`maximum_entropy`] and [`boost`].
    pub fn learn(&self, examples: &Examples) -> Result<Model, Error> {
        match self {
            Learner::Climb(options) => climb(examples, *options).map(Model::Linear),
            Learner::MaximumEntropy(options) => {
                maximum_entropy(examples, *options).map(Model::Logistic)
            }
            Learner::Boost(options) => boost(examples, *options).map(Model::Trees),
        }
    }
}

/// What was learnt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "snake_case")]
pub enum Model {
    /// A weighted mean of similarities.
    Linear(Linear),
    /// A probability.
    Logistic(Logistic),
    /// A probability, too.
    Trees(Trees),
}

impl Model {
    /// How alike the two are: the similarities in the order of the columns, none (or not a number) where one is
    /// missing.
    pub fn score(&self, similarities: &[Option<f64>]) -> f64 {
        match self {
            Model::Linear(model) => model.score(similarities),
            Model::Logistic(model) => model.score(similarities),
            Model::Trees(model) => model.score(similarities),
        }
    }

    /// The least score of near-duplicates.
    pub fn threshold(&self) -> f64 {
        match self {
            Model::Linear(model) => model.threshold,
            Model::Logistic(model) => model.threshold,
            Model::Trees(model) => model.threshold,
        }
    }

    /// Whether the two are near-duplicates.
    pub fn is_same(&self, similarities: &[Option<f64>]) -> bool {
        self.score(similarities) >= self.threshold()
    }
}

/// A similarity that can be computed with.
fn present(similarity: Option<f64>) -> Option<f64> {
    similarity.filter(|value| !value.is_nan())
}
