//! What is decided by looking at a whole corpus.
//!
//! Each decision is a pure function of a kernel and of small aggregates that can be merged: whoever comes to the same
//! aggregates, on one machine or on many, comes to the same decision.

mod boilerplate;
mod common_words;
mod frames;
mod near_identical;
mod prefixes;
mod shared_sentences;
mod text_field;
mod worth_aligning;

use lookalike_pair::join::BucketRule;

use crate::kernel::Kernel;
use crate::plan::{Fallback, Route};
pub use boilerplate::{
    LeastFramed, Standing, WITHIN_FRAME, are_near_identical, are_same_documents, is_boilerplate,
};
pub use common_words::{CommonWords, DocumentSample, WordCounts, is_common_key};
pub use frames::Framing;
pub use near_identical::{near_identical_bands, near_identical_in_band};
pub use prefixes::{
    AtAnyCost, ClassCounts, FeatureSample, PrefixCost, PrefixCosts, ProbedUnits, floors, grid,
};
pub use shared_sentences::{
    FRAME, LARGE_COUNT, LARGE_SHARE, MOST_ARTICLES, is_large_part, is_sentence_frame, likeness,
};
pub use text_field::{SeenField, is_no_name, is_running_text, is_wording, letters, text_field};
pub use worth_aligning::{Dot, KnownDots, Worth, length_in_words};

/// In a small corpus larger buckets of weighed words are compared in full, as long as all together have no more pairs than
/// this, and none more units than that.
const PAIRS_IN_ALL: u64 = 2_000_000;
const LARGEST: u64 = 512;

/// When a bucket is hot, in a corpus of so many units.
pub fn bucket_rule(kernel: &Kernel, units: u64) -> BucketRule {
    let rule = kernel.plan().buckets;
    if !kernel.plan().weighs || kernel.spec().keys.bucket_limit.is_some() {
        return rule;
    }
    let affordable = (PAIRS_IN_ALL / units.max(1)).min(LARGEST);
    BucketRule {
        limit: rule.limit.max(affordable as usize),
        ..rule
    }
}

/// Whether so many units have more pairs than are always compared.
pub fn has_many_pairs(units: usize) -> bool {
    pairs_among(units) > PAIRS_IN_ALL
}

fn pairs_among(units: usize) -> u64 {
    let units = units as u64;
    units.saturating_mul(units) / 2
}

/// Above how many units an exact search compares variants of one text with leaders only, given the sizes of all groups of
/// them: the largest groups, until those left have few pairs.
pub fn variants_limit(kernel: &Kernel, groups: &[usize]) -> usize {
    let limit = kernel.plan().buckets.limit;
    if limit == usize::MAX || kernel.spec().keys.bucket_limit.is_some() {
        return limit;
    }
    let mut sizes = groups.to_vec();
    sizes.sort_unstable();
    let mut pairs: u64 = sizes.iter().copied().map(pairs_among).sum();
    let mut limit_of_pairs = usize::MAX;
    while pairs > PAIRS_IN_ALL
        && let Some(largest) = sizes.pop()
    {
        pairs -= pairs_among(largest);
        limit_of_pairs = largest - 1;
    }
    limit_of_pairs.max(limit)
}

/// Whether there are more units than every pair is looked for of, so that only keys count.
pub fn only_keys(kernel: &Kernel, units: u64) -> bool {
    matches!(kernel.plan().route, Route::PrefixOr(Fallback::Ready))
        && units > kernel.spec().job.exact_units()
}
