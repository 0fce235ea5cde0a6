//! The rows of a result: what each table holds, in one place.

mod id;
mod summary;

pub use id::Id;
pub use summary::{
    ArticleName, ArticlePair, Articles, AuditResult, ClusterSizes, ClusterSummary, HotBuckets,
    Numbers, PassageSummary, PassagesSummary, SentencesSummary, Summary, Written,
};
