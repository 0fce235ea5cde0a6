//! What identifies a text?
//!
//! In comes a [`Unit`](lookalike_text::Unit), a text with its place in a record. [`features`] describes it as
//! 64-bit hashes (shingles, say); [`keys`] turns the description into a few keys such that texts that are alike share
//! one. Keys only propose: two units that share a key are a candidate pair, and the `pair` crate verifies it.
//!
//! ```
//! use lookalike_sign::{features, keys, Features};
//! use lookalike_text::{Seed, Unit, UnitId};
//!
//! let method = features::method("shingles:words:3")?;
//! let mut describe = method.describer(&features::Background::default())?;
//! let mut features = Features::default();
//! let text = "one two three four";
//! describe.describe(&Unit::whole(UnitId::from(0), text), &mut features);
//! assert_eq!(features.hashes().len(), 2);
//!
//! let wish = keys::Wish { threshold: 0.8, recall: 0.95, ..keys::Wish::default() };
//! let keys::Search::Keys(keys) = keys::search("minhash", &wish)? else { unreachable!() };
//! let mut out = Vec::new();
//! keys.keys(&features, &mut out);
//! assert_eq!(out.len(), keys.most_keys());
//! # Ok::<(), lookalike_sign::Error>(())
//! ```

mod error;
pub mod features;
pub mod keys;
pub mod neighbours;
mod pages;
pub mod stats;
pub mod weights;

pub use error::Error;
pub use features::{Describe, FeatureSet, Features};
pub use keys::{Key, Keys};
pub use pages::Pages;
