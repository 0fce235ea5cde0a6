//! What a summary says of what was read and listed.

use lookalike_kernel::rows::{Articles, ClusterSizes, ClusterSummary, Numbers, SentencesSummary};
use lookalike_text::UnitId;

use super::listed_clusters::ClusterCounts;
use super::listed_pairs::PairCounts;
use crate::Error;
use crate::stages::{Context, Counts, Signed, text_of};

/// What is known once everything is read.
pub(super) fn numbers_read(counts: &Counts) -> Numbers {
    Numbers {
        records: counts.input_records,
        against_records: counts.records - counts.input_records,
        rejected: counts.rejected + counts.rejected_parts + counts.unlisted,
        against_rejected: counts.rejected - counts.input_rejected,
        unreadable_parts: counts.rejected_parts,
        empty: counts.empty,
        without_features: counts.featureless,
        without_keep_value: counts.unranked,
        keep_dates: counts.dated,
        ..Numbers::default()
    }
}

/// What is known of sentences and the articles they stand in.
pub(super) fn sentences_summary(
    signed: &Signed,
    pairs: &PairCounts,
    clusters: &ClusterCounts,
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

/// The largest clusters with the beginning of their kept text.
pub(super) fn largest_clusters(
    context: &Context<'_>,
    signed: &Signed,
    largest: &[(UnitId, u64)],
) -> Result<Vec<ClusterSummary>, Error> {
    const SHOWN: usize = 100;
    let marks = signed.blocks.read_all()?;
    let (mut lookup, records) = (signed.ids(), &signed.records);
    let mut clusters = Vec::new();
    for &(kept, size) in largest {
        let text = text_of(context, &marks, kept)?;
        clusters.push(ClusterSummary {
            cluster: serde_json::from_str(lookup.id(records.of(kept))?).unwrap_or_default(),
            size,
            text: one_line(text.chars().take(20 * SHOWN), SHOWN),
        });
    }
    Ok(clusters)
}

/// The first so many characters of a text in one line that a terminal may be given: text can hold anything, control
/// sequences too.
pub(super) fn one_line(text: impl Iterator<Item = char>, most: usize) -> String {
    let printable: String = text.map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = printable.split_whitespace().collect();
    words.join(" ").chars().take(most).collect()
}
