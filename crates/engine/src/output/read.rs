//! What a summary says of what was read and listed.

use lookalike_kernel::rows::{Articles, ClusterSizes, Numbers, SentencesSummary};

use super::{Clusters, PairCounts};
use crate::stages::{Counts, Signed};

/// What is known once everything is read.
pub(crate) fn numbers_read(counts: &Counts) -> Numbers {
    Numbers {
        records: counts.input_records,
        against_records: counts.records - counts.input_records,
        rejected: counts.rejected + counts.rejected_parts,
        empty: counts.empty,
        without_features: counts.featureless,
        without_keep_value: counts.unranked,
        ..Numbers::default()
    }
}

/// What is known of sentences and the articles they stand in.
pub(crate) fn sentences_summary(
    signed: &Signed,
    pairs: &PairCounts,
    clusters: &Clusters,
    articles: Articles,
) -> SentencesSummary {
    let kinds = pairs.kinds.iter();
    let sizes = clusters.sizes.iter();
    SentencesSummary {
        sentences: signed.units() as u64,
        kinds: kinds
            .map(|(kind, &count)| (kind.name().to_string(), count))
            .collect(),
        cluster_sizes: sizes
            .map(|(&power, &clusters)| ClusterSizes {
                from: 1 << power,
                to: (2 << power) - 1,
                clusters,
            })
            .collect(),
        articles,
    }
}
