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
mod sentences;

use std::path::PathBuf;

use lookalike_pair::join::BucketRule;
use lookalike_sign::features::{Antecedents, TermRules};
use lookalike_sign::keys::IMatchRules;
use lookalike_sign::weights::WeightRules;
use lookalike_text::{TextOptions, policy};
use serde::{Deserialize, Serialize};

use crate::jobs::{DOCUMENTS, Job};

pub use fields::{FloorSpec, MoreSpec};
pub use model::{Column, ModelKind, ModelSpec, PartSpec, ProductSpec, TreeSpec};
pub use passages::{Align, PassagesSpec};
pub use sentences::SentencesSpec;

/// See the [module](self).
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
    /// The seed of every hash.
    pub seed: u64,
    /// Which record of a cluster is kept.
    pub keep: Keep,
    /// Which pairs are listed.
    pub pairs: Pairs,
    /// Only the first so many records of the input are read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
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
            seed: 1,
            keep: Keep::First,
            pairs: Pairs::Auto,
            limit: None,
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
}

/// Which fields of a record are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct InputSpec {
    /// The fields with the text; several are joined.
    pub text_field: Vec<String>,
    /// The fields of a thread, which are compared one by one. None stands for those that the job names by default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The field with the id. A record without one is named `file:line`.
    pub id_field: String,
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
    /// Of pages of the web, the article alone.
    #[serde(skip_serializing_if = "is_default")]
    pub main_content: bool,
    /// The namespaces of a wiki whose pages are read; all of them if none is named. By default articles only.
    pub namespaces: Vec<i32>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for InputSpec {
    fn default() -> Self {
        InputSpec {
            text_field: vec!["text".to_string()],
            fields: Vec::new(),
            id_field: "id".to_string(),
            ids: IdSource::Field,
            format: None,
            max_record: 64_000_000,
            max_expansion: 1000,
            code: CodeBlocks::default(),
            main_content: false,
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
    /// Whether digests alone make two units duplicates.
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
    /// The measure: `jaccard` by default, `weighted-jaccard` for messages; with I-Match none, and duplicates are what has
    /// a common digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// Whether units that a kept one takes are assumed to be similar to each other, and not compared.
    #[serde(skip_serializing_if = "is_default")]
    pub transitive: bool,
}

/// Which record of a cluster is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Keep {
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
