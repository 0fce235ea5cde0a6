//! Two units with a common digest are duplicates by definition, as in I-Match: there is no similarity.
//!
//! Kept: the digests, two words each, in the order of the lexicons; zeros where a lexicon gives none.

use std::sync::Arc;

use lookalike_sign::features::Background;
use lookalike_sign::{Error, Features, Keys};
use lookalike_text::Unit;

use super::{Keep, Kept, Score, Verify};

/// The similarity of a pair that is one by definition: not a number.
pub const UNVERIFIED: f64 = f64::NAN;

/// Calls two units with a common digest duplicates, as I-Match does: there is no similarity.
#[derive(Debug)]
pub struct SameDigest {
    keys: Arc<dyn Keys>,
}

impl SameDigest {
    /// By the digests of these keys.
    pub fn new(keys: Arc<dyn Keys>) -> Self {
        SameDigest { keys }
    }
}

struct KeepDigests {
    keys: Arc<dyn Keys>,
    digests: Vec<Option<u128>>,
}

impl Keep for KeepDigests {
    fn keep(&mut self, _: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>) {
        self.digests.clear();
        self.keys.digests(features, &mut self.digests);
        for digest in &self.digests {
            let digest = digest.unwrap_or(0);
            out.extend([(digest >> 64) as u64, digest as u64]);
        }
    }
}

/// [`UNVERIFIED`] if they share a digest.
fn score(a: &Kept, b: &Kept, _: f64) -> Option<f64> {
    let digests = a.chunks_exact(2).zip(b.chunks_exact(2));
    let mut agreeing = digests.filter(|(x, y)| x == y && x.iter().any(|&word| word != 0));
    agreeing.next().map(|_| UNVERIFIED)
}

impl Verify for SameDigest {
    fn keeper(&self, _: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(KeepDigests {
            keys: Arc::clone(&self.keys),
            digests: Vec::new(),
        }))
    }

    fn scorer(&self, _: &Background) -> Result<Box<dyn Score>, Error> {
        Ok(Box::new(score))
    }
}
