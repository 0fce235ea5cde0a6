//! Keys: two units that share one become a candidate pair.
//!
//! One file per method, one line in `METHODS`. A method is written `name` or `name:parameter`, as in `minhash:128`. A
//! key is 64 bits, since a verification always follows: a chance collision costs a comparison, never a wrong answer.

mod auto;
mod bigrams;
mod curve;
mod every;
mod imatch;
mod minhash;
mod prefix;
mod sieve;
mod signatures;
mod simfinder;
mod simhash;
mod sketch;
mod weighted;

use std::fmt;
use std::sync::Arc;

use lookalike_text::Seed;

use crate::{Error, Features};
pub use curve::Curve;
pub(crate) use imatch::DROPPED;
pub use imatch::{IMATCH_IDF, IMatch, IMatchRules, UNVERIFIED_IMATCH_IDF};
pub use minhash::MinHash;
pub use prefix::{Frequencies, Part};
pub use sieve::{Sieve, Sieving, Sketch, sketch_of_features};
pub use simhash::{SimHash, fingerprint};
pub use weighted::weighted_prefix;

/// The registry: a new method is one new file and one line here.
const METHODS: &[Method] = &[
    auto::METHOD,
    every::METHOD,
    prefix::METHOD,
    minhash::METHOD,
    signatures::METHOD,
    simhash::METHOD,
    simfinder::METHOD,
    bigrams::METHOD,
    imatch::METHOD,
];

/// A method: what it is called and what it can do.
#[derive(Debug)]
#[non_exhaustive]
pub struct Method {
    /// The name, without parameters.
    pub name: &'static str,
    /// How it is written, with its parameters.
    pub form: &'static str,
    /// Whether the features must have weights.
    pub needs_weights: bool,
    /// Whether its digests alone make two units duplicates.
    pub is_by_digest: bool,
    /// Whether its bands and rows can be wished for.
    pub has_bands: bool,
    build: fn(&Parameters<'_>, &Wish) -> Result<Search, Error>,
}

impl Method {
    const fn new(
        name: &'static str,
        form: &'static str,
        build: fn(&Parameters<'_>, &Wish) -> Result<Search, Error>,
    ) -> Self {
        Method {
            name,
            form,
            needs_weights: false,
            is_by_digest: false,
            has_bands: false,
            build,
        }
    }
}

/// How candidates are found.
#[derive(Debug, Clone)]
pub enum Search {
    /// By keys that each unit has by itself.
    Keys(Arc<dyn Keys>),
    /// By every feature: the inverted index.
    Every,
    /// By the rarest features of each unit, so many that no similar pair is missed.
    Prefix,
    /// By prefixes where that is cheap, else by these keys.
    PrefixOr(Arc<dyn Keys>),
}

/// What the keys are to achieve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wish {
    /// Pairs of at least this Jaccard similarity are to be found,
    pub threshold: f64,
    /// those at the threshold with this probability,
    pub recall: f64,
    /// unless the bands and the rows in a band are given.
    pub bands_and_rows: Option<(u32, u32)>,
    /// Whether pairs that share a key by chance may be told by a sketch, at the cost of some that do not.
    pub sieve: Sieving,
    /// What I-Match does with the terms of a text.
    pub imatch: IMatchRules,
    /// The seed of every hash.
    pub seed: Seed,
}

impl Default for Wish {
    fn default() -> Self {
        Wish {
            threshold: 0.8,
            recall: 0.95,
            bands_and_rows: None,
            sieve: Sieving::No,
            imatch: IMatchRules::default(),
            seed: Seed(1),
        }
    }
}

/// The method of a name such as `minhash:128`, whatever its parameters; what `--keys` names.
///
/// # Errors
/// If there is no method of this name.
pub fn method(given: &str) -> Result<&'static Method, Error> {
    let name = given.split(':').next().unwrap_or_default();
    let found = METHODS.iter().find(|method| method.name == name);
    found.ok_or_else(|| Error::UnknownMethod {
        what: "keys",
        name: name.to_string(),
        known: forms().join(", "),
    })
}

/// The search of a name such as `minhash:128`.
///
/// # Errors
/// If there is no method of this name, or it does not take these parameters or cannot fulfil the wish.
pub fn search(given: &str, wish: &Wish) -> Result<Search, Error> {
    let method = method(given)?;
    let form = method.form;
    (method.build)(&Parameters { given, form }, wish)
}

/// How each registered method is written.
pub fn forms() -> Vec<&'static str> {
    METHODS.iter().map(|method| method.form).collect()
}

/// What was given for a method, taken apart.
#[derive(Debug, Clone, Copy)]
struct Parameters<'g> {
    given: &'g str,
    form: &'static str,
}

impl<'g> Parameters<'g> {
    /// What follows the name.
    fn values(&self) -> Vec<&'g str> {
        self.given.split(':').skip(1).collect()
    }

    fn no_parameters(&self) -> Result<(), Error> {
        match self.values().as_slice() {
            [] => Ok(()),
            _ => Err(self.malformed("it takes no parameters".to_string())),
        }
    }

    fn malformed(&self, problem: String) -> Error {
        Error::Malformed {
            what: "keys",
            given: self.given.to_string(),
            form: self.form,
            problem,
        }
    }
}

/// A bucket of the join.
pub type Key = u64;

/// What is told of a unit beside its keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sketched {
    /// Its sketch.
    pub sketch: Sketch,
    /// At the most so many units share a feature with it that would be a key, were it not for their number.
    pub left_out: u64,
}

/// Turns features into keys.
pub trait Keys: Send + Sync + fmt::Debug {
    /// The name of the method, without parameters.
    fn name(&self) -> &'static str;

    /// Appends the keys of a unit with these features (in any order, repeats allowed). A unit without features has no
    /// key, so it matches nothing.
    fn keys(&self, features: &Features, out: &mut Vec<Key>);

    /// Appends the keys and returns the sketch, where the method has a sieve, and what the keys leave out.
    fn keys_and_sketch(&self, features: &Features, out: &mut Vec<Key>) -> Sketched {
        self.keys(features, out);
        Sketched::default()
    }

    /// What tells by sketches which pairs share a key by chance, where that are many.
    fn sieve(&self) -> Option<Sieve> {
        None
    }

    /// How many keys a unit has at the most, for planning.
    fn most_keys(&self) -> usize;

    /// Which pairs share a key.
    fn finds(&self) -> Finds;

    /// Whether the method states its own bands and rows, so that it can be had with any measure.
    fn is_by_hand(&self) -> bool {
        false
    }

    /// Appends the digests by which alone two units are duplicates, where the method has any: one a lexicon, none where
    /// the lexicon says too little about the unit.
    fn digests(&self, _: &Features, _: &mut Vec<Option<u128>>) {}
}

/// Which pairs share a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finds {
    /// A pair of a Jaccard similarity with a probability, or a higher one where keys overlap.
    Curve(Curve),
    /// All pairs of fingerprints within this Hamming distance.
    Distance(u32),
    /// Pairs with the same digest under one of so many lexicons.
    Digests(u32),
    /// Every pair that reaches the threshold.
    All,
    /// Pairs that have this, which is not all of them.
    SameFingerprint(&'static str),
}
