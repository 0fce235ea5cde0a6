//! `summary.json`: what was done, found, promised and spent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::shape::Table;
use crate::recall::Recall;
use crate::spec::Spec;

/// `summary.json`: what was done, found, promised and spent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The version of the program.
    pub lookalike: String,
    /// What was read, as named by the user.
    pub inputs: Vec<String>,
    /// The corpus of `--against`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub against: Vec<String>,
    /// What the inputs, and the corpus of `--against`, are known by: another one if a file changes.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub fingerprints: Vec<String>,
    /// When the run began, in milliseconds since 1970: what came into a folder later is no part of its input.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub begun: Option<u64>,
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
    /// How many of the listed pairs differ in what, where that is told.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub kinds: BTreeMap<String, u64>,
    /// How many of the listed pairs are how similar, in steps from the threshold on.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub similarities: Vec<SimilarityBin>,
    /// What is known of suggestions, where they are made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub suggestions: Option<SuggestionsSummary>,
    /// What is known of templates, where these are looked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub templates: Option<TemplatesSummary>,
    /// The largest clusters.
    pub largest_clusters: Vec<ClusterSummary>,
    /// The first rejection for each of the most common reasons.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub first_rejections: Vec<String>,
    /// Files that could not be read, or not to their end: the first ones, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unreadable: Vec<String>,
    /// How many records the cleaned corpus has, if there is one: those kept, and those that could not be compared but were
    /// read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cleaned_records: Option<u64>,
    /// What is known of removed threads whose answers say something that the kept ones do not; none where answers are neither
    /// compared nor counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lost_answers: Option<LostAnswers>,
    /// What each of several sources loses, those that lose most first, at most 100.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<SourceLoss>,
    /// Sources that lose nearly all their records, those that lose most first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lost_sources: Vec<SourceLoss>,
    /// What else the user should know: that a field was chosen, say.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// What `--audit` measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audit: Option<AuditResult>,
    /// Seconds per stage. A run that continued an interrupted one counts only its own.
    pub seconds: BTreeMap<String, f64>,
    /// Seconds in all.
    pub total_seconds: f64,
    /// The largest resident size in bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak_memory: Option<u64>,
    /// The largest resident size in bytes up to the end of each stage.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub stage_memory: BTreeMap<String, u64>,
    /// Threads used.
    pub threads: usize,
    /// The memory budget in bytes.
    pub memory: u64,
    /// The parameters, as `--config` takes them.
    pub parameters: Spec,
    /// What the tables are written as, where that is not JSON Lines.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tables: Option<TablesForm>,
    /// The other files.
    pub files: BTreeMap<String, Written>,
    /// The corpus without what was removed, if it was wanted and is one file, by its absolute path; and those of earlier runs
    /// whose results these replaced.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub deduplicated: BTreeMap<String, Written>,
    /// The annotated input, in the same way.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub annotated: BTreeMap<String, Written>,
}

impl Summary {
    /// The name of the file of a table.
    pub fn file_of(&self, table: Table) -> String {
        let format = self.tables.as_ref().map(|tables| tables.format.as_str());
        format!("{table}.{}", format.unwrap_or("jsonl"))
    }

    /// The share of records that was expected to be removed, where far more were.
    pub fn removes_too_much(&self) -> Option<f64> {
        /// What is expected is estimated from a sample of another corpus.
        const FAR_MORE: f64 = 2.0;
        const AT_LEAST: f64 = 0.02;
        let expected = self.parameters.expected_removal?;
        let most = FAR_MORE * expected + AT_LEAST;
        (self.counts.removed_share > most).then_some(expected)
    }
}

/// What the tables of a result are written as.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablesForm {
    /// The name of the format, which the files end in.
    pub format: String,
    /// Whether all ids are whole numbers; where some are not, all are text.
    pub number_ids: bool,
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
    /// Those of them that are records of the corpus of `--against`.
    #[serde(default)]
    pub against_rejected: u64,
    /// Those of them that are no record: files that cannot be read, what follows the place where one is damaged, lines that
    /// are too long.
    #[serde(default)]
    pub unreadable_parts: u64,
    /// Records whose id had occurred before, which have another name in the result.
    #[serde(default)]
    pub repeated_ids: u64,
    /// Records without content, which match nothing.
    pub empty: u64,
    /// Records with content in which the method finds no features, which match nothing.
    #[serde(default)]
    pub without_features: u64,
    /// Records identical to an earlier one, or to one of the corpus that the input is compared with.
    pub identical_copies: u64,
    /// Pairs compared exactly, each as often as a round compares it. Where pairs are found by their rarest features, the
    /// memory decides how well these are told from common ones and how many pairs are ruled out beforehand, and each
    /// thread takes some of it: so this number may be another with other memory or threads. The pairs found are the same.
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
    /// Records with a date in the `--keep` field.
    #[serde(default)]
    pub keep_dates: u64,
}

/// Pairs of about one similarity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SimilarityBin {
    /// The least similarity; at 1 there is nothing above.
    pub from: f64,
    /// How many pairs.
    pub pairs: u64,
}

impl SimilarityBin {
    /// The steps.
    pub const WIDTH: f64 = 1.0 / SimilarityBin::STEPS as f64;
    /// How many there are up to 1.
    pub const STEPS: usize = 20;

    /// The number of the bin of a similarity.
    pub fn number(similarity: f64) -> usize {
        // A similarity that should be 0.85 may be a bit less.
        let steps = (similarity.clamp(0.0, 1.0) + 1e-9) * Self::STEPS as f64;
        (steps as usize).min(Self::STEPS)
    }

    /// The bins of these counts, from the first with any.
    pub fn all(counts: &[u64]) -> Vec<Self> {
        let bins = counts
            .iter()
            .enumerate()
            .map(|(number, &pairs)| SimilarityBin {
                from: number as f64 / Self::STEPS as f64,
                pairs,
            });
        bins.skip_while(|bin| bin.pairs == 0).collect()
    }
}

/// Removed threads whose answers say something that those kept for them do not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LostAnswers {
    /// How many there are.
    pub threads: u64,
    /// The first [`LostAnswers::LISTED`] of them.
    pub first: Vec<LostAnswer>,
    /// Of records that carry answers beside the one that is read: those that were removed without being compared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_compared: Option<OtherAnswers>,
}

/// Answers that were not compared and are removed with their threads.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OtherAnswers {
    /// How many threads have such answers.
    pub threads: u64,
    /// How many such answers they have.
    pub answers: u64,
    /// The first [`LostAnswers::LISTED`] of the threads.
    pub first: Vec<LostAnswer>,
}

impl LostAnswers {
    /// More are not listed.
    pub const LISTED: usize = 1000;
}

/// One of these threads.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LostAnswer {
    /// The thread that is removed.
    pub id: serde_json::Value,
    /// The one kept for it.
    pub kept: serde_json::Value,
}

/// What a source loses: a file, or what the field of sources says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLoss {
    /// Its name.
    pub source: String,
    /// How many records it has,
    pub records: u64,
    /// and how many of these are removed.
    pub removed: u64,
}

impl SourceLoss {
    /// The share of its records that are removed.
    pub fn share(&self) -> f64 {
        self.removed as f64 / self.records.max(1) as f64
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

/// What is known of templates.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TemplatesSummary {
    /// Lines of `templates.jsonl`.
    pub templates: u64,
    /// How many records have one of them.
    pub records: u64,
    /// The largest.
    pub largest: Vec<TemplateSummary>,
}

/// One of the largest templates.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TemplateSummary {
    /// The beginning of its frame.
    pub template: String,
    /// How many members it has.
    pub size: u64,
    /// How many different values each of its slots has.
    pub values: Vec<u64>,
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

/// What is known of articles.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Articles {
    /// Lines of `articles.jsonl`.
    pub pairs: u64,
    /// The first of them.
    pub most_shared: Vec<ArticlePair>,
    /// Articles linked by large parts that two of them share, the longest chains first, of each the first 100 articles.
    pub chains: Vec<Vec<ArticleName>>,
    /// Different sentences with similar ones in so many articles that they were not counted.
    pub frames: u64,
}

/// A pair of articles.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArticlePair {
    /// The earlier article.
    pub a: ArticleName,
    /// The later one.
    pub b: ArticleName,
    /// Sentences of one with a similar one in the other, counted in the article that has fewer of them.
    pub shared_sentences: u32,
}

/// An article.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArticleName {
    /// Its id.
    pub id: serde_json::Value,
    /// Its title, where it has one.
    pub title: serde_json::Value,
}

/// What is known of passages. The numbers of the summary beside it count documents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PassagesSummary {
    /// How many sentences the documents have.
    pub sentences: u64,
    /// How many of these are boilerplate: they stand in more documents than the limit, or frame those of a small collection.
    pub boilerplate_sentences: u64,
    /// How many documents have any of these.
    #[serde(default)]
    pub boilerplate_documents: u64,
    /// Lines of `passages.jsonl`.
    pub passages: u64,
    /// How many pairs of documents there are of each relation.
    pub relations: BTreeMap<String, u64>,
    /// Documents that hold several others.
    pub collections: u64,
    /// Documents that several others make up.
    pub multi_page: u64,
    /// The longest passages.
    pub longest: Vec<PassageSummary>,
}

/// One of the longest passages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PassageSummary {
    /// The earlier document.
    pub a: serde_json::Value,
    /// The later one.
    pub b: serde_json::Value,
    /// The title of the earlier one, if it has any,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title_a: Option<String>,
    /// and of the later one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title_b: Option<String>,
    /// How many characters it has in the first.
    pub characters: u32,
    /// How similar its two sides are.
    pub similarity: f64,
    /// How it begins.
    pub text: String,
}

/// What is known of suggestions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SuggestionsSummary {
    /// Lines of `suggestions.jsonl`.
    pub records: u64,
    /// How many of these have a suggestion.
    pub with_suggestions: u64,
    /// How many sampled records were compared with every other,
    pub sampled: u64,
    /// and which share of the five most similar records, or of as many as are suggested, were among the suggestions.
    pub recall: f64,
}

/// A file with its size and hash, for the summary.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Written {
    /// The size.
    pub bytes: u64,
    /// XXH3 of 128 bits, as `xxhsum -H128` prints it.
    pub xxh3_128: String,
}
