//! What the measures of sequences have in common: the features are kept in the order of the text, repeats included.

use lookalike_sign::features::Background;
use lookalike_sign::{Error, Features};
use lookalike_text::Unit;

use super::{Keep, Kept, Score, Verify};

/// A measure of two sequences, neither of them empty.
#[derive(Debug)]
pub(super) struct OfSequences(pub(super) fn(&[u64], &[u64]) -> f64);

/// Keeps the features as they come.
fn keep(_: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>) {
    out.extend_from_slice(features.hashes());
}

impl Verify for OfSequences {
    fn keeper(&self, _: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(keep))
    }

    fn scorer(&self, _: &Background) -> Result<Box<dyn Score>, Error> {
        let of_both = self.0;
        Ok(Box::new(move |a: &Kept, b: &Kept, floor| {
            if a.is_empty() || b.is_empty() {
                return None;
            }
            let similarity = of_both(a, b);
            (similarity >= floor).then_some(similarity)
        }))
    }
}
