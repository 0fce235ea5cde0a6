//! How alike are two units, exactly?
//!
//! One file per measure, one line in [`MEASURES`]. A measure never says "about": it returns the exact similarity, or
//! that the pair is proved to be below the threshold.

mod edit;
mod overlap;

use std::fmt;
use std::str::FromStr;

use lookalike_sign::FeatureSet;

pub use overlap::{Bounds, common};

/// A unit as a measure sees it.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The normalised text; empty where only features are at hand.
    pub text: &'a str,
    /// The features.
    pub features: FeatureSet<'a>,
}

/// Scores pairs of units.
pub trait Verify: Send + Sync {
    /// The exact similarity, or none if it is proved to be below `floor`. Units without content are similar to
    /// nothing.
    fn score(&self, a: Subject<'_>, b: Subject<'_>, floor: f64) -> Option<f64>;

    /// What the measure knows about a pair before its features are compared; none if nothing.
    fn bounds(&self) -> Option<Bounds>;
}

/// A registered measure; what `--measure` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Common features over all features of both.
    Jaccard,
    /// Common features over those of the smaller one: 1 where one text is part of the other.
    Containment,
    /// Common features over the geometric mean of both sizes.
    Cosine,
    /// 1 − edit distance / longer length, in characters of the normalised text.
    Edit,
}

/// The registry: a new measure is one new file and one line here.
pub const MEASURES: &[(&str, Measure)] = &[
    ("jaccard", Measure::Jaccard),
    ("containment", Measure::Containment),
    ("cosine", Measure::Cosine),
    ("edit", Measure::Edit),
];

impl Measure {
    /// The worker.
    pub fn verifier(self) -> Box<dyn Verify> {
        match self {
            Measure::Jaccard => Box::new(overlap::Jaccard),
            Measure::Containment => Box::new(overlap::Containment),
            Measure::Cosine => Box::new(overlap::Cosine),
            Measure::Edit => Box::new(edit::Edit),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = MEASURES.iter().find(|(_, measure)| measure == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

/// No measure of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown measure \"{given}\"; there are: {known}")]
pub struct UnknownMeasure {
    given: String,
    known: String,
}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(given: &str) -> Result<Self, UnknownMeasure> {
        match MEASURES.iter().find(|(name, _)| *name == given) {
            Some((_, measure)) => Ok(*measure),
            None => Err(UnknownMeasure {
                given: given.to_string(),
                known: MEASURES
                    .iter()
                    .map(|(name, _)| *name)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }
}
