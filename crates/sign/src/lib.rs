//! What identifies a text?
//!
//! In comes a [`Unit`](lookalike_text::Unit), a text with its place in a record. [`features`] describes it as
//! 64-bit hashes (shingles, say); [`keys`] turns the description into a few keys such that texts that are alike share
//! one. Keys only propose: two units that share a key are a candidate pair, and the `pair` crate verifies it.
//!
//! ```
//! use lookalike_sign::{features, keys, Features};
//! use lookalike_text::{Seed, TextOptions, Unit, UnitId};
//!
//! let method: features::Method = "shingles:words:3".parse()?;
//! let mut describe = method.describer(TextOptions::default(), Seed(1));
//! let mut features = Features::default();
//! let text = "one two three four";
//! describe.describe(&Unit::whole(UnitId::from(0), text), &mut features);
//! assert_eq!(features.hashes().len(), 2);
//!
//! let method: keys::Method = "minhash".parse()?;
//! let wish = keys::Wish { threshold: 0.8, recall: 0.95, bands_and_rows: None };
//! let keys = method.keys(&wish, Seed(1))?;
//! let mut out = Vec::new();
//! keys.keys(features.hashes(), &mut out);
//! assert_eq!(out.len(), keys.curve().bands as usize);
//! # Ok::<(), lookalike_sign::Error>(())
//! ```

mod error;
pub mod features;
pub mod keys;

pub use error::Error;
pub use features::{Describe, FeatureSet, Features};
pub use keys::{Key, Keys};
