//! Pairs of documents that share neighbouring words near each other.
//!
//! In: the tape of words. Out: more pairs of documents worth aligning, such as those whose sentences were all changed. Words that
//! too many documents have are left out, and so are neighbours in too many documents ([`lookalike_kernel::decide`]); of
//! near-identical documents only the first is looked up, and boilerplate not at all.

mod documents;
mod keys;
mod meet;
mod repeated;

use lookalike_kernel::{NeighbourCounts, Pairs};
use lookalike_pair::RecordPair;
use lookalike_pair::spill::Shuffle;

use super::gather::Gathered;
use super::{Context, Units};
use crate::Error;
use documents::Documents;
use keys::SharedKeys;

/// Adds the pairs of documents that share neighbouring words, and says what these were found among.
pub(crate) fn search(
    context: &Context<'_>,
    units: Units<'_>,
    gathered: &Gathered,
    pairs: &Shuffle<RecordPair>,
) -> Result<NeighbourCounts, Error> {
    let Some(rule) = context.plan().near else {
        return Ok(NeighbourCounts::default());
    };
    let all = context.spec().pairs == Pairs::All;
    let documents = Documents::new(context, units, &gathered.common, |record| {
        all || gathered.classes.leader(record) == record
    })?;
    let common = documents.common_words()?;
    let keys = SharedKeys::new(&documents, &common)?;
    let counts = keys.counts;
    meet::meet(context, keys, rule, pairs)?;
    Ok(counts)
}
