//! How alike are two units, exactly?
//!
//! One file per measure, one line in `MEASURES`. Of each unit a measure keeps what scoring needs, as words of 64 bits;
//! then pairs are scored from what is kept. A measure never says "about": it returns the exact similarity, or that the
//! pair is proved to be below the threshold.
//!
//! ```
//! use lookalike_pair::verify::{measure, Kept};
//! use lookalike_sign::{features, Features};
//! use lookalike_text::{Unit, UnitId};
//!
//! let background = features::Background::default();
//! let jaccard = measure("jaccard")?;
//! let mut keeper = jaccard.keeper(&background)?;
//! let mut describe = features::method("shingles:words:1")?.describer(&background)?;
//! let mut kept = |text| {
//!     let (unit, mut features, mut out) = (Unit::whole(UnitId::from(0), text), Features::default(), Vec::new());
//!     describe.describe(&unit, &mut features);
//!     keeper.keep(&unit, &mut features, &mut out);
//!     out
//! };
//! let (a, b) = (kept("red green blue"), kept("red green grey"));
//! let mut scorer = jaccard.scorer(&background)?;
//! assert_eq!(scorer.score(&a, &b, 0.0), Some(0.5));
//! assert_eq!(scorer.score(&a, &b, 0.6), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod containment;
mod cosine;
mod digest;
mod edit;
mod ends;
mod filtered;
mod hamming;
mod jaccard;
mod model;
mod plain;
mod rarest;
mod run;
mod sequences;
mod sets;
mod tail;
mod tf_idf;
mod weighted_jaccard;
mod weighted_sketch;

use std::fmt;
use std::sync::Arc;

use lookalike_sign::features::{Background, Weighting};
use lookalike_sign::{Error, Features};
use lookalike_text::Unit;

pub use digest::{SameDigest, UNVERIFIED};
pub use filtered::{EditFiltered, EditFloor};
pub use model::{
    Absence, Absent, Combination, Model, ModelScorer, More, MoreRule, Part, ShortAnswers, Tree,
    filled,
};
pub use sets::common;

use sequences::OfSequences;

/// What a measure keeps of a unit; empty where the unit has no content.
pub type Kept = [u64];

/// A measure: keeps what it needs of units, and scores pairs of them.
pub trait Verify: fmt::Debug + Send + Sync {
    /// A worker that keeps what scoring needs: one per thread, since it owns the buffers it reuses.
    ///
    /// # Errors
    /// If the background lacks what the measure needs of it.
    fn keeper(&self, background: &Background) -> Result<Box<dyn Keep>, Error>;

    /// A worker that scores pairs of what is kept: one per thread, too.
    ///
    /// # Errors
    /// As [`Verify::keeper`].
    fn scorer(&self, background: &Background) -> Result<Box<dyn Score>, Error>;

    /// What the measure knows of two feature sets from their sizes; none if nothing. Exact joins need it.
    fn bounds(&self) -> Option<&dyn Bounds> {
        None
    }

    /// The measure as a function of the sizes of two sets and of what they have in common, if it is one.
    fn of_sets(&self) -> Option<&dyn OfSets> {
        None
    }

    /// Whether units are described by the measure itself, so that it needs no features to keep something of them.
    fn describes_units(&self) -> bool {
        false
    }

    /// The least share of the weight of either unit that two units have in common if they reach `floor`; none if that
    /// says nothing.
    fn least_share(&self, _floor: f64) -> Option<f64> {
        None
    }

    /// Which weights the features must have, if any.
    fn weighting(&self) -> Option<Weighting> {
        None
    }

    /// Whether the background must have a lexicon, whatever the features.
    fn needs_statistics(&self) -> bool {
        false
    }
}

/// Keeps what scoring needs of a unit. A function does, where no buffers are reused.
pub trait Keep: Send {
    /// Appends it to `out`: nothing for a unit without content. May sort the features.
    fn keep(&mut self, unit: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>);
}

impl<F: FnMut(&Unit<'_>, &mut Features, &mut Vec<u64>) + Send> Keep for F {
    fn keep(&mut self, unit: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>) {
        self(unit, features, out);
    }
}

/// Scores pairs. A function of two units and a floor does, where nothing has to be kept between pairs.
pub trait Score: Send {
    /// The exact similarity, or none if it is proved to be below `floor`. Units without content are similar to
    /// nothing.
    fn score(&mut self, a: &Kept, b: &Kept, floor: f64) -> Option<f64>;
}

impl<F: FnMut(&Kept, &Kept, f64) -> Option<f64> + Send> Score for F {
    fn score(&mut self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        self(a, b, floor)
    }
}

/// A similarity that follows from the number of common features.
pub trait OfSets: Send + Sync {
    /// The similarity of sets of these sizes, neither of them empty, with so many features in common.
    fn similarity(&self, common: usize, a: usize, b: usize) -> f64;

    /// A number of common features below which sets of these sizes cannot reach `floor`.
    fn least_common(&self, a: usize, b: usize, floor: f64) -> usize;

    /// Whether sets of these sizes can reach `floor` at all.
    fn admits(&self, a: usize, b: usize, floor: f64) -> bool {
        self.least_common(a, b, floor) <= a.min(b)
    }
}

/// What the size of one set says about every set that is similar to it.
pub trait Bounds: OfSets {
    /// The fewest features that a set of this size has in common with any set it reaches `floor` with.
    fn least_with_any(&self, size: usize, floor: f64) -> usize;

    /// The same, with any that is at least as large.
    fn least_with_larger(&self, size: usize, floor: f64) -> usize;

    /// The least Jaccard similarity that a pair can have that reaches `floor`.
    fn least_jaccard(&self, floor: f64) -> f64;
}

/// The registry: a new measure is one new file and one line here.
const MEASURES: &[(&str, Make)] = &[
    ("jaccard", || Arc::new(jaccard::Jaccard)),
    ("weighted-jaccard", || {
        Arc::new(weighted_jaccard::WeightedJaccard)
    }),
    ("containment", || Arc::new(containment::Containment)),
    ("cosine", || Arc::new(cosine::Cosine)),
    ("tf-idf", || Arc::new(tf_idf::MEASURE)),
    ("edit", || Arc::new(edit::Edit)),
    ("hamming", || Arc::new(hamming::Hamming)),
    ("rarest", || Arc::new(rarest::MEASURE)),
    ("rarest-of-either", || Arc::new(rarest::OF_EITHER)),
    ("run", || Arc::new(OfSequences(run::similarity))),
    ("ends", || Arc::new(OfSequences(ends::similarity))),
    ("tail", || Arc::new(OfSequences(tail::similarity))),
];

type Make = fn() -> Arc<dyn Verify>;

/// No measure of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown measure \"{given}\"; there are: {known}")]
#[non_exhaustive]
pub struct UnknownMeasure {
    given: String,
    known: String,
}

/// The measure of a name; what `--measure` names.
pub fn measure(name: &str) -> Result<Arc<dyn Verify>, UnknownMeasure> {
    match MEASURES.iter().find(|(known, _)| *known == name) {
        Some((_, make)) => Ok(make()),
        None => Err(UnknownMeasure {
            given: name.to_string(),
            known: names().collect::<Vec<_>>().join(", "),
        }),
    }
}

/// The names of all measures.
pub fn names() -> impl Iterator<Item = &'static str> {
    MEASURES.iter().map(|(name, _)| *name)
}

/// A whole number at or a little below `least`: it only stops early, the exact comparison decides.
#[inline]
fn at_least(least: f64) -> usize {
    let least = least * (1.0 - 1e-9);
    // Rounded up by hand: this is asked for millions of pairs, and `ceil` is a call.
    let whole = least as usize;
    // A floor out of reach asks for more than there can be.
    whole.saturating_add(usize::from((whole as f64) < least))
}

#[cfg(test)]
mod tests;
