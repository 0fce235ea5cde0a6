//! Keys: two units that share one become a candidate pair.
//!
//! One file per method, one line in [`METHODS`]. A method is written `name` or `name:parameter`, as in `minhash:128`. A
//! key is 64 bits, since a verification always follows: a chance collision costs a comparison, never a wrong answer.

mod curve;
mod minhash;
mod sketch;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use lookalike_text::Seed;

use crate::Error;
pub use curve::Curve;
pub use minhash::MinHash;

/// The registry: a new method is one new file and one line here.
const METHODS: &[Registered] = &[Registered {
    name: "minhash",
    form: minhash::FORM,
    build: minhash::build,
}];

struct Registered {
    name: &'static str,
    form: &'static str,
    build: Build,
}

/// Makes keys of the parameters after the name, or says what is wrong with them.
type Build = fn(&[&str], &Wish, Seed) -> Result<Arc<dyn Keys>, Error>;

/// A method of making keys, by name; what `--keys` names.
#[derive(Clone)]
pub struct Method {
    given: String,
    registered: &'static Registered,
}

/// What the keys are to achieve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wish {
    /// Pairs at least this similar are to be found,
    pub threshold: f64,
    /// those at the threshold with this probability,
    pub recall: f64,
    /// unless the bands and the rows in a band are given.
    pub bands_and_rows: Option<(u32, u32)>,
}

impl Method {
    /// The keys that fulfil a wish.
    pub fn keys(&self, wish: &Wish, seed: Seed) -> Result<Arc<dyn Keys>, Error> {
        let parameters: Vec<_> = self.given.split(':').skip(1).collect();
        (self.registered.build)(&parameters, wish, seed)
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(given: &str) -> Result<Self, Error> {
        let name = given.split(':').next().unwrap_or_default();
        match METHODS.iter().find(|method| method.name == name) {
            Some(registered) => Ok(Method {
                given: given.to_string(),
                registered,
            }),
            None => Err(Error::UnknownMethod {
                what: "keys",
                name: name.to_string(),
                known: METHODS
                    .iter()
                    .map(|method| method.form)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.given)
    }
}

/// A bucket of the join.
pub type Key = u64;

/// Turns features into keys.
pub trait Keys: Send + Sync + fmt::Debug {
    /// Appends the keys of a unit with these features (in any order, repeats allowed). A unit without features has no
    /// key, so it matches nothing.
    fn keys(&self, features: &[u64], out: &mut Vec<Key>);

    /// How many keys a unit has at the most, for planning.
    fn most_keys(&self) -> usize;

    /// With which probability a pair of which similarity shares a key.
    fn curve(&self) -> Curve;
}
