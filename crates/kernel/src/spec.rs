//! The spec: every choice that decides the result, as a TOML file and as command-line options.
//!
//! Nothing in here is about threads, memory or folders. Two runs with one spec and one input have the same result.
//!
//! ```
//! let spec: lookalike_kernel::Spec = toml::from_str("threshold = 0.7\n[keys]\nmethod = \"minhash\"")?;
//! assert_eq!(spec.resolved().unwrap().features.method.unwrap(), "shingles:words:5");
//! # Ok::<(), toml::de::Error>(())
//! ```

mod fields;
mod model;
mod passages;
mod seed;
mod sentences;

use std::ops::Not;
use std::path::PathBuf;

use lookalike_pair::assemble::Difference;
use lookalike_pair::join::BucketRule;
use lookalike_sign::features::{Antecedents, TermRules};
use lookalike_sign::keys::IMatchRules;
use lookalike_sign::weights::WeightRules;
use lookalike_text::{TextOptions, policy};
use serde::{Deserialize, Deserializer, Serialize};

use crate::jobs::{DOCUMENTS, Job};

pub use fields::{FloorSpec, MoreSpec};
pub use model::{Column, ModelKind, ModelSpec, PartSpec};
pub use passages::{Align, PassageSearch, PassagesSpec};
pub use seed::SeedSpec;
pub use sentences::SentencesSpec;

/// Every choice that decides the result, as a TOML file and as command-line options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Spec {
    /// The job: which parts are plugged into the pipeline.
    #[serde(with = "crate::jobs::by_name")]
    pub job: &'static dyn Job,
    /// Pairs at least this similar are duplicates. By default what the job says, and with `SimHash` what its
    /// distance comes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// Whether pairs just at the threshold are none.
    #[serde(skip_serializing_if = "Not::not")]
    pub exclusive: bool,
    /// The seed of every hash.
    pub seed: SeedSpec,
    /// Which record of a cluster is kept.
    pub keep: Keep,
    /// Only records with an equal value in this field take each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_per: Option<String>,
    /// Where the input is compared with another corpus, it is compared with itself, too.
    #[serde(skip_serializing_if = "Not::not")]
    pub within: bool,
    /// Which pairs are listed.
    pub pairs: Pairs,
    /// Which units make up a cluster; by default as the job has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<Clusters>,
    /// By what two records may differ of which one is removed, where the job tells in what pairs differ; by default
    /// [`Difference::REMOVED`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remove_kinds: Option<Vec<Difference>>,
    /// The share of records that `tune` expects a run to remove. It decides nothing: a run that removes far more says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_removal: Option<f64>,
    /// Only the first so many records of the input are read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Of each record, so many of the most similar ones are suggested, whatever the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
    /// What is read.
    pub input: InputSpec,
    /// What counts as the same text.
    pub text: TextOptions,
    /// How a text is described.
    pub features: FeaturesSpec,
    /// Which words are terms, for `terms`.
    pub terms: TermRules,
    /// How candidates are found.
    pub keys: KeysSpec,
    /// What I-Match does with the terms of a text.
    pub imatch: IMatchRules,
    /// How a candidate is scored.
    pub verify: VerifySpec,
    /// Several measures combined, instead of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSpec>,
    /// Which field tells whose thread has more information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<MoreSpec>,
    /// What a sentence is, and which pairs of them are wanted.
    #[serde(skip_serializing_if = "is_default")]
    pub sentences: SentencesSpec,
    /// What a passage is.
    #[serde(skip_serializing_if = "is_default")]
    pub passages: PassagesSpec,
    /// What words weigh, for `weighted-terms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<WeightRules>,
}

impl Default for Spec {
    fn default() -> Self {
        Spec {
            job: DOCUMENTS,
            threshold: None,
            exclusive: false,
            seed: SeedSpec::default(),
            keep: Keep::Auto,
            keep_per: None,
            within: false,
            pairs: Pairs::Auto,
            clusters: None,
            remove_kinds: None,
            expected_removal: None,
            limit: None,
            top: None,
            input: InputSpec::default(),
            text: TextOptions::default(),
            features: FeaturesSpec::default(),
            terms: TermRules::default(),
            keys: KeysSpec::default(),
            imatch: IMatchRules::default(),
            verify: VerifySpec::default(),
            model: None,
            more: None,
            sentences: SentencesSpec::default(),
            passages: PassagesSpec::default(),
            weights: None,
        }
    }
}

impl Spec {
    /// What a job does if nothing else is said.
    pub fn of_job(job: &'static dyn Job) -> Self {
        Spec {
            job,
            ..Spec::default()
        }
    }

    /// Which record of a cluster is kept, where nothing is said what the job does.
    pub fn kept(&self) -> Keep {
        match &self.keep {
            Keep::Auto => self.job.keep(self),
            given => given.clone(),
        }
    }

    /// Which units make up a cluster.
    pub fn clusters(&self) -> Clusters {
        self.clusters.unwrap_or_else(|| self.job.clusters())
    }

    /// Whether a record is removed for another that differs from it in this.
    pub fn removes(&self, difference: Difference) -> bool {
        match &self.remove_kinds {
            Some(removed) => removed.contains(&difference),
            None => Difference::REMOVED.contains(&difference),
        }
    }

    /// Whether there are pairs of which none takes the other, since they differ in something that matters.
    pub fn holds_some(&self) -> bool {
        self.job.tells_differences() && !Difference::ALL.iter().all(|&kind| self.removes(kind))
    }
}

/// Which fields of a record are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct InputSpec {
    /// The fields with the text; several are joined.
    #[serde(deserialize_with = "one_or_more")]
    pub text_field: Vec<String>,
    /// The fields of a thread, which are compared one by one. None stands for those that the job names by default.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    pub fields: Vec<String>,
    /// Whether the only field that is compared is running text and no question; by default the first records tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running_text: Option<bool>,
    /// The field with the id. A record without one is named `file:line`.
    pub id_field: String,
    /// The field that says where a record is from; by default its file does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_field: Option<String>,
    /// Whether records are named by that field or numbered.
    pub ids: IdSource,
    /// The format, where names do not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Larger records are rejected.
    pub max_record: u64,
    /// Archives may expand to this many times their size.
    pub max_expansion: u64,
    /// Blocks of code in texts that are HTML.
    #[serde(skip_serializing_if = "is_default")]
    pub code: CodeBlocks,
    /// Of pages of the web, the article alone, or all of the page; by default as the job has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main_content: Option<bool>,
    /// The namespaces of a wiki whose pages are read; all of them if none is named. By default articles only.
    #[serde(deserialize_with = "one_or_more")]
    pub namespaces: Vec<i32>,
}

/// A list, or its only member.
pub(crate) fn one_or_more<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore<T> {
        One(T),
        More(Vec<T>),
    }

    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(only) => vec![only],
        OneOrMore::More(list) => list,
    })
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for InputSpec {
    fn default() -> Self {
        InputSpec {
            text_field: vec!["text".to_string()],
            fields: Vec::new(),
            running_text: None,
            id_field: "id".to_string(),
            source_field: None,
            ids: IdSource::Field,
            format: None,
            max_record: 64_000_000,
            max_expansion: 1000,
            code: CodeBlocks::default(),
            main_content: None,
            namespaces: vec![0],
        }
    }
}

policy!(
    /// What becomes of blocks of code in HTML, `<pre><code>`. Code within a line always stays.
    #[derive(Default)]
    CodeBlocks, "code", "keep or drop",
    /// They are text.
    #[default]
    Keep = "keep",
    /// They are left out.
    Drop = "drop",
);

policy!(
    /// Where ids come from.
    IdSource, "ids", "field or number",
    /// The id field, else `file:line`.
    Field = "field",
    /// The position in the input, from 1.
    Number = "number",
);

/// How a text is described.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct FeaturesSpec {
    /// As in `shingles:words:5`, which is the default but for I-Match, which needs `terms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Where the antecedents of spot signatures come from.
    pub antecedents: Antecedents,
    /// A saved lexicon to take frequencies from; by default those of the corpus are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexicon: Option<PathBuf>,
}

/// How candidates are found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct KeysSpec {
    /// `auto`, `every`, `prefix`, `minhash`, `signatures:N:K`, `simhash:64:K`, `imatch:K:P`, `simfinder:N` or `bigrams`.
    pub method: String,
    /// How units with common keys are brought together.
    pub join: Join,
    /// With `every`: features of more units are left out, and the result is approximate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub posting_cap: Option<usize>,
    /// The recall wanted at the threshold, from which bands and rows follow; by default 0.95, or what the job's own bands
    /// and rows come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    /// The bands, given together with the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bands: Option<u32>,
    /// The rows in a band.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// Above this many units a bucket is compared with its leaders only; by default 128, and in small corpora of messages
    /// more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bucket_limit: Option<usize>,
    /// How many leaders a hot bucket has.
    pub bucket_leaders: usize,
    /// How often what no leader is similar to is compared again among itself.
    pub bucket_rounds: u32,
}

impl KeysSpec {
    /// Whether the keys are digests, which can make two units duplicates by themselves.
    pub fn is_by_digest(&self) -> bool {
        lookalike_sign::keys::method(&self.method).is_ok_and(|method| method.is_by_digest)
    }

    /// The recall wanted at the threshold.
    pub fn least_recall(&self) -> f64 {
        self.recall.unwrap_or(0.95)
    }
}

impl Default for KeysSpec {
    fn default() -> Self {
        let rule = BucketRule::default();
        KeysSpec {
            method: "auto".to_string(),
            join: Join::Auto,
            posting_cap: None,
            recall: None,
            bands: None,
            rows: None,
            bucket_limit: None,
            bucket_leaders: rule.leaders,
            bucket_rounds: 6,
        }
    }
}

policy!(
    /// How units with common keys are brought together.
    Join, "join", "auto, term, unit or bucket",
    /// As the keys need it.
    Auto = "auto",
    /// A partition holds some features with all their units.
    Term = "term",
    /// A partition holds some units with all their features.
    Unit = "unit",
    /// Units with a common key are compared.
    Bucket = "bucket",
);

/// How a candidate is scored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct VerifySpec {
    /// The measure: `jaccard` by default, `weighted-jaccard` for messages, `cosine` with I-Match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// Whether units that a kept one takes are assumed to be similar to each other, and not compared.
    #[serde(skip_serializing_if = "is_default")]
    pub transitive: bool,
    /// Whether a common digest alone makes two units duplicates, as I-Match was published. There is no similarity then.
    #[serde(skip_serializing_if = "is_default")]
    pub unverified: bool,
}

/// Which record of a cluster is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Keep {
    /// As the job does: the first, and of threads the one with the most information where answers are compared.
    Auto,
    /// The first in the input.
    First,
    /// The last in the input.
    Last,
    /// The one with the longest text.
    Longest,
    /// The one with the most information in the field that `more` names.
    More,
    /// The one with the largest number or latest date in this field.
    Field(String),
}

impl From<String> for Keep {
    fn from(name: String) -> Self {
        match name.as_str() {
            "auto" => Keep::Auto,
            "first" => Keep::First,
            "last" => Keep::Last,
            "longest" => Keep::Longest,
            "more" => Keep::More,
            _ => Keep::Field(name),
        }
    }
}

impl From<Keep> for String {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::Auto => "auto".to_string(),
            Keep::First => "first".to_string(),
            Keep::Last => "last".to_string(),
            Keep::Longest => "longest".to_string(),
            Keep::More => "more".to_string(),
            Keep::Field(name) => name,
        }
    }
}

policy!(
    /// Which pairs are listed.
    Pairs, "pairs", "auto, all, links or none",
    /// Every pair at or above the threshold, but identical copies as a star around the first and hot buckets by
    /// their leaders.
    Auto = "auto",
    /// Literally all of them.
    All = "all",
    /// Each removed record with the one kept for it.
    Links = "links",
    /// None.
    None = "none",
);

policy!(
    /// Which units make up a cluster.
    Clusters, "clusters", "stars or components",
    /// One that is kept, and what is similar to it.
    Stars = "stars",
    /// All that are linked by similar pairs, also over others: A and C, if both are similar to B.
    Components = "components",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_printed_and_read_back_is_the_same() {
        let mut spec = Spec {
            keep: Keep::Field("date".to_string()),
            limit: Some(10),
            ..Spec::default()
        };
        spec.keys.bands = Some(9);
        spec.keys.rows = Some(3);
        let printed = toml::to_string(&spec).unwrap();
        assert_eq!(toml::from_str::<Spec>(&printed).unwrap(), spec);
    }

    #[test]
    fn a_list_of_one_may_be_written_without_brackets() {
        let spec: Spec =
            toml::from_str("input.text-field = \"正文\"\ninput.namespaces = 0").unwrap();
        assert_eq!(spec.input.text_field, ["正文"]);
        assert_eq!(spec.input.namespaces, [0]);
        let spec: Spec = toml::from_str("input.fields = [\"a\", \"b\"]").unwrap();
        assert_eq!(spec.input.fields, ["a", "b"]);
    }

    #[test]
    fn an_unknown_name_in_a_config_is_an_error() {
        let error = toml::from_str::<Spec>("treshold = 0.8")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("treshold") && error.contains("threshold"),
            "{error}"
        );
    }
}
