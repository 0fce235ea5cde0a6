//! Similarity of `SimHash` fingerprints: 1 − Hamming distance / 64. Kept: the fingerprint.

use lookalike_sign::features::Background;
use lookalike_sign::keys::fingerprint;
use lookalike_sign::{Error, Features};
use lookalike_text::Unit;

use super::{Keep, Kept, Score, Verify};

#[derive(Debug)]
pub(super) struct Hamming;

fn keep(_: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>) {
    out.extend(fingerprint(features));
}

fn score(a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
    let (&[a], &[b]) = (a, b) else {
        return None;
    };
    let similarity = f64::from(64 - (a ^ b).count_ones()) / 64.0;
    (similarity >= floor).then_some(similarity)
}

impl Verify for Hamming {
    fn keeper(&self, _: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(keep))
    }

    fn scorer(&self, _: &Background) -> Result<Box<dyn Score>, Error> {
        Ok(Box::new(score))
    }
}
