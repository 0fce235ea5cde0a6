//! What is decided by looking at a whole corpus.
//!
//! Each decision is a pure function of a kernel and of small aggregates that can be merged: whoever comes to the same
//! aggregates, on one machine or on many, comes to the same decision.

mod boilerplate;
mod prefixes;

use lookalike_pair::join::BucketRule;

use crate::kernel::Kernel;
use crate::plan::{Fallback, Route};
pub use boilerplate::{are_near_identical, is_boilerplate};
pub use prefixes::{
    AtAnyCost, ClassCounts, FeatureSample, PrefixCost, PrefixCosts, ProbedUnits, floors, grid,
};

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

/// Whether there are more units than every pair is looked for of, so that only keys count.
pub fn only_keys(kernel: &Kernel, units: u64) -> bool {
    matches!(kernel.plan().route, Route::PrefixOr(Fallback::Ready))
        && units > kernel.spec().job.exact_units()
}
