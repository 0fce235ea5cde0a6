//! `summary.json`: what was done, found, promised and spent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::articles::Articles;
use super::file::Written;
use super::passages::PassagesSummary;
use super::{Clusters, PairCounts};
use crate::spec::Spec;
use crate::stages::{Counts, Signed};

/// See the [module](self).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The version of the program.
    pub lookalike: String,
    /// What was read, as named by the user.
    pub inputs: Vec<String>,
    /// The corpus of `--against`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub against: Vec<String>,
    /// How many there were of what.
    pub counts: Numbers,
    /// What the parameters promise.
    pub recall: Recall,
    /// Buckets compared with their leaders only.
    pub hot_buckets: HotBuckets,
    /// What is known of sentences and articles, where these are compared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sentences: Option<SentencesSummary>,
    /// What is known of passages, where these are located.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub passages: Option<PassagesSummary>,
    /// The largest clusters.
    pub largest_clusters: Vec<ClusterSummary>,
    /// The first rejections.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub first_rejections: Vec<String>,
    /// What `--audit` measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audit: Option<AuditResult>,
    /// Seconds a stage. A run that continued an interrupted one counts only its own.
    pub seconds: BTreeMap<String, f64>,
    /// Seconds in all.
    pub total_seconds: f64,
    /// The largest resident size in bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak_memory: Option<u64>,
    /// Threads used.
    pub threads: usize,
    /// The memory budget in bytes.
    pub memory: u64,
    /// The parameters, as `--config` takes them.
    pub parameters: Spec,
    /// The other files.
    pub files: BTreeMap<String, Written>,
}

/// How many there were of what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Records of the input, rejected ones included.
    pub records: u64,
    /// Records of the corpus of `--against`.
    pub against_records: u64,
    /// Lines of `rejected.jsonl`.
    pub rejected: u64,
    /// Records without content, which match nothing.
    pub empty: u64,
    /// Records with content in which the method finds no features, which match nothing.
    #[serde(default)]
    pub without_features: u64,
    /// Records identical to an earlier one.
    pub identical_copies: u64,
    /// Pairs compared exactly.
    pub candidate_pairs: u64,
    /// Pairs that were not compared, since both are similar to one kept record: `--transitive`.
    #[serde(default)]
    pub assumed_pairs: u64,
    /// Pairs in `pairs.jsonl`.
    pub pairs: u64,
    /// Clusters of at least two records.
    pub clusters: u64,
    /// Records removed, each with a kept one it is verified similar to.
    pub removed: u64,
    /// Records left: neither removed nor rejected.
    pub kept: u64,
    /// The share of the input removed.
    pub removed_share: f64,
    /// Records without a usable value of the `--keep` field, which rank last.
    pub without_keep_value: u64,
}

impl Numbers {
    /// What is known once everything is read.
    pub(crate) fn read(counts: &Counts) -> Self {
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
}

/// What is known of sentences and the articles they stand in. The numbers of the summary beside it count sentences, but
/// for the records, which are articles.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SentencesSummary {
    /// How many sentences were compared.
    pub sentences: u64,
    /// How many of the pairs that `--pairs` asks for there are of each kind, also of kinds that are not listed.
    pub kinds: BTreeMap<String, u64>,
    /// How many clusters have how many members, in steps of two.
    pub cluster_sizes: Vec<ClusterSizes>,
    /// Which articles have sentences in common.
    pub articles: Articles,
}

/// Clusters of similar size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterSizes {
    /// The fewest members,
    pub from: u64,
    /// the most,
    pub to: u64,
    /// and how many clusters have so many.
    pub clusters: u64,
}

impl SentencesSummary {
    pub(crate) fn new(
        signed: &Signed,
        pairs: &PairCounts,
        clusters: &Clusters,
        articles: Articles,
    ) -> Self {
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
}

/// What the parameters promise: the probability that a pair of a similarity is found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    /// How candidates were found: `prefix`, `every`, `minhash`, …
    pub keys: String,
    /// Whether every pair at or above the threshold is found.
    pub exact: bool,
    /// At the threshold; none where nothing can be stated.
    pub at_threshold: Option<f64>,
    /// At the threshold + 0.1, or 1.
    pub above_threshold: Option<f64>,
    /// Bands of MinHash keys.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bands: Option<u32>,
    /// Rows in a band.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows: Option<u32>,
    /// What this rests on, in a sentence.
    pub because: String,
}

/// Buckets compared with their leaders only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotBuckets {
    /// How many buckets of different records.
    pub buckets: u64,
    /// How many distinct records were in one.
    pub records: u64,
    /// At most so many of their pairs were not compared: a pair counts once for each bucket it is in, and what later
    /// rounds compared counts too. The stated recall is that of all other pairs.
    pub pairs_not_compared: u64,
    /// How many of these were linked to an earlier one. Not all pairs among them are listed.
    pub linked: u64,
}

/// One of the largest clusters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClusterSummary {
    /// The id of the kept record.
    pub cluster: serde_json::Value,
    /// How many records it has.
    pub size: u64,
    /// The beginning of the kept text.
    pub text: String,
}

/// Recall and precision measured on sampled records, exhaustively.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditResult {
    /// How many records were compared with every other.
    pub sampled: u64,
    /// Pairs of a sampled record that reach the threshold.
    pub true_pairs: u64,
    /// How many of these were found.
    pub found_pairs: u64,
    /// Their share; 1 where there are none.
    pub recall: f64,
    /// Reported pairs of a sampled record.
    pub reported_pairs: u64,
    /// How many of these are right, with the right similarity.
    pub right_pairs: u64,
    /// Their share; 1 where there are none.
    pub precision: f64,
}
