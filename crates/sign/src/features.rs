//! Features: a unit described as 64-bit hashes.
//!
//! One file per method, one line in [`METHODS`]. A method is written `name:unit:size`, as in `shingles:words:5`; words
//! or characters is always said, because an ambiguous n-gram size has cost users whole corpora.

mod shingles;

use std::fmt;
use std::str::FromStr;

use lookalike_text::{Seed, TextOptions, Unit};

use crate::Error;
pub use shingles::{Shingles, Tokens};

/// The registry: a new method is one new file and one line here.
const METHODS: &[Registered] = &[Registered {
    name: "shingles",
    form: shingles::FORM,
    parse: shingles::parse,
}];

struct Registered {
    name: &'static str,
    form: &'static str,
    parse: fn(&[&str]) -> Result<Method, String>,
}

/// A method of describing, with its parameters; what `--features` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Every run of `size` consecutive words or characters.
    Shingles(Shingles),
}

impl Method {
    /// The worker that describes units this way: one per thread, since it owns the buffers it reuses.
    pub fn describer(&self, options: TextOptions, seed: Seed) -> Box<dyn Describe> {
        match self {
            Method::Shingles(shingles) => Box::new(shingles.describer(options, seed)),
        }
    }

    /// What the method counts, for the text options whose default depends on it.
    pub fn tokens(&self) -> Tokens {
        match self {
            Method::Shingles(shingles) => shingles.tokens,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Shingles(shingles) => shingles.fmt(f),
        }
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(given: &str) -> Result<Self, Error> {
        let mut parts = given.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(method) = METHODS.iter().find(|method| method.name == name) else {
            let forms: Vec<_> = METHODS.iter().map(|method| method.form).collect();
            return Err(Error::UnknownMethod {
                what: "features",
                name: name.to_string(),
                known: forms.join(", "),
            });
        };
        let arguments: Vec<_> = parts.collect();
        (method.parse)(&arguments).map_err(|problem| Error::Malformed {
            what: "features",
            given: given.to_string(),
            form: method.form,
            problem,
        })
    }
}

/// Describes units. Dispatch is per unit, never per token.
pub trait Describe: Send {
    /// Replaces `out` by the features of `unit`, in the order of the text, repeats included. A unit without content
    /// has none.
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features);
}

/// The features of one unit, in a buffer meant to be reused.
#[derive(Debug, Default, Clone)]
pub struct Features {
    hashes: Vec<u64>,
}

impl Features {
    /// The hashes in the order of the text, repeats included; sorted and distinct after [`Features::sort`].
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Whether the unit has no features: it matches nothing.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Makes the sequence a set. Sorting costs as much as splitting the text, so only units to verify are sorted.
    pub fn sort(&mut self) -> FeatureSet<'_> {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        FeatureSet(&self.hashes)
    }
}

/// A set of features: sorted and distinct, which only this type promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureSet<'a>(&'a [u64]);

impl<'a> FeatureSet<'a> {
    /// A set from hashes that are sorted and distinct already (read back from a file, say).
    pub fn from_sorted(hashes: &'a [u64]) -> Self {
        debug_assert!(hashes.windows(2).all(|w| w[0] < w[1]), "not a sorted set");
        FeatureSet(hashes)
    }

    /// The hashes, ascending.
    pub fn hashes(self) -> &'a [u64] {
        self.0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}
