//! Keys: two units that share one become a candidate pair.
//!
//! One file per method. A key is 64 bits, since a verification always follows: a chance collision costs a comparison,
//! never a wrong answer.

mod curve;
mod minhash;
mod sketch;

pub use curve::Curve;
pub use minhash::MinHash;

/// A bucket of the join.
pub type Key = u64;

/// Turns features into keys.
pub trait Keys: Send + Sync {
    /// Appends the keys of a unit with these features (in any order, repeats allowed). A unit without features has no
    /// key, so it matches nothing.
    fn keys(&self, features: &[u64], out: &mut Vec<Key>);

    /// An upper bound on how many keys a unit has, for planning.
    fn most_keys(&self) -> usize;

    /// The probability that two units of this similarity share a key.
    fn recall(&self, similarity: f64) -> f64;
}
