//! From keys to candidate pairs.

mod by_bucket;

pub use by_bucket::{BucketRule, Posting, candidates, compare_bucket};
