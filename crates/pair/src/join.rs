//! From keys to candidate pairs, or from features to scored ones.

mod by_bucket;
mod by_count;
mod by_neighbours;
mod by_prefix;
mod by_term;
mod by_unit;
mod marks;
mod posting;

pub use by_bucket::{
    BucketRule, Everything, Sift, bucket_digest, candidates, pairs_among, unit_digest, with_leaders,
};
pub use by_count::{CountRule, Counted, Counter, PrefixIndex};
pub use by_neighbours::{Holder, KeyIndex, MOST_PLACES, Meetings, NearRule, PlacedKey, SharedKey};
pub use by_prefix::{Floors, PrefixPosting, PrefixRule};
pub use by_term::{Common, LeftOut, Overlap, Overlaps, TermRule};
pub use by_unit::{UnitBlock, UnitRule};
pub use marks::Marked;
pub use posting::{Posting, RecordPosting};
