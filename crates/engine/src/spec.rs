//! The spec: every choice that decides the result, as a TOML file and as command-line options.
//!
//! Nothing in here is about threads, memory or folders; those are [`RunOptions`](crate::RunOptions). Two runs with one
//! spec and one input have the same result.
//!
//! ```
//! let spec: lookalike::Spec = toml::from_str("threshold = 0.7\n[keys]\nbands = 20\nrows = 5")?;
//! assert_eq!(spec.features.method, "shingles:words:5");
//! assert_eq!(spec.plan().unwrap().keys.curve().bands, 20);
//! # Ok::<(), toml::de::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use lookalike_pair::join::BucketRule;
use lookalike_pair::verify::Measure;
use lookalike_sign::features::Method;
use lookalike_sign::keys::{self, Keys, Wish};
use lookalike_text::{Seed, TextOptions};
use serde::{Deserialize, Serialize};

use crate::Error;

/// See the [module](self).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Spec {
    /// The job: which parts are plugged into the pipeline.
    pub job: Job,
    /// Pairs at least this similar are duplicates.
    pub threshold: f64,
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
    /// How candidates are found.
    pub keys: KeysSpec,
    /// How a candidate is scored.
    pub verify: VerifySpec,
}

impl Default for Spec {
    fn default() -> Self {
        Spec {
            job: Job::Documents,
            threshold: 0.8,
            seed: 1,
            keep: Keep::First,
            pairs: Pairs::Auto,
            limit: None,
            input: InputSpec::default(),
            text: TextOptions::default(),
            features: FeaturesSpec::default(),
            keys: KeysSpec::default(),
            verify: VerifySpec::default(),
        }
    }
}

/// The jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Job {
    /// Near-duplicate whole records.
    Documents,
}

/// Which fields of a record are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct InputSpec {
    /// The fields with the text; several are joined.
    pub text_field: Vec<String>,
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
}

impl Default for InputSpec {
    fn default() -> Self {
        let limits = lookalike_io::InputOptions::default();
        InputSpec {
            text_field: vec!["text".to_string()],
            id_field: "id".to_string(),
            ids: IdSource::Field,
            format: None,
            max_record: limits.max_record,
            max_expansion: limits.max_expansion,
        }
    }
}

/// Where ids come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdSource {
    /// The id field, else `file:line`.
    Field,
    /// The position in the input, from 1.
    Number,
}

/// How a text is described.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FeaturesSpec {
    /// As in `shingles:words:5`.
    pub method: String,
}

impl Default for FeaturesSpec {
    fn default() -> Self {
        FeaturesSpec {
            method: "shingles:words:5".to_string(),
        }
    }
}

/// How candidates are found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct KeysSpec {
    /// `minhash`, or `minhash:N` for at most N hashes.
    pub method: String,
    /// The recall wanted at the threshold, from which bands and rows follow.
    pub recall: f64,
    /// The bands, given together with the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bands: Option<u32>,
    /// The rows in a band.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// Above this many units a bucket is compared with its leaders only.
    pub bucket_limit: usize,
    /// How many leaders a hot bucket has.
    pub bucket_leaders: usize,
    /// How often what no leader is similar to is compared again among itself.
    pub bucket_rounds: u32,
}

impl Default for KeysSpec {
    fn default() -> Self {
        let rule = BucketRule::default();
        KeysSpec {
            method: "minhash".to_string(),
            recall: 0.95,
            bands: None,
            rows: None,
            bucket_limit: rule.limit,
            bucket_leaders: rule.leaders,
            bucket_rounds: 6,
        }
    }
}

/// How a candidate is scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct VerifySpec {
    /// The measure.
    pub measure: String,
}

impl Default for VerifySpec {
    fn default() -> Self {
        VerifySpec {
            measure: Measure::Jaccard.to_string(),
        }
    }
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
    /// The one with the largest number or latest date in this field.
    Field(String),
}

impl From<String> for Keep {
    fn from(name: String) -> Self {
        match name.as_str() {
            "first" => Keep::First,
            "last" => Keep::Last,
            "longest" => Keep::Longest,
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
            Keep::Field(name) => name,
        }
    }
}

/// Which pairs are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairs {
    /// Every pair at or above the threshold, but identical copies as a star around the first and hot buckets by
    /// their leaders.
    Auto,
    /// Literally all of them.
    All,
    /// Each removed record with the one kept for it.
    Links,
    /// None.
    None,
}

impl FromStr for Pairs {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "auto" => Ok(Pairs::Auto),
            "all" => Ok(Pairs::All),
            "links" => Ok(Pairs::Links),
            "none" => Ok(Pairs::None),
            _ => Err(format!(
                "pairs \"{name}\" is not known; use auto, all, links or none"
            )),
        }
    }
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pairs::Auto => "auto",
            Pairs::All => "all",
            Pairs::Links => "links",
            Pairs::None => "none",
        })
    }
}

/// A spec with everything resolved and checked: what the stages work with.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The describing method.
    pub method: Method,
    /// The keys.
    pub keys: Arc<dyn Keys>,
    /// The measure.
    pub measure: Measure,
    /// When a bucket is hot.
    pub buckets: BucketRule,
    /// The seed.
    pub seed: Seed,
}

impl Spec {
    /// Checks the choices and resolves them.
    pub fn plan(&self) -> Result<Plan, Error> {
        let spec = |error: &dyn fmt::Display| Error::Spec(error.to_string());
        if !(self.threshold > 0.0 && self.threshold <= 1.0) {
            return Err(Error::Spec(format!(
                "threshold {} is not above 0 and at most 1; 0.8 is a good start",
                self.threshold
            )));
        }
        if self.input.text_field.is_empty() || self.input.text_field.iter().any(String::is_empty) {
            return Err(Error::Spec(
                "text-field is empty; name the field with the text".to_string(),
            ));
        }
        let measure: Measure = self.verify.measure.parse().map_err(|error| spec(&error))?;
        if measure != Measure::Jaccard {
            return Err(Error::Spec(format!(
                "measure {measure} does not go with minhash keys, which find pairs by their Jaccard similarity; \
                 use --measure jaccard"
            )));
        }
        if self.keys.bucket_limit < 2 || self.keys.bucket_leaders < 1 {
            return Err(Error::Spec(format!(
                "bucket-limit {} and bucket-leaders {}: a bucket needs a limit of at least 2 and at least 1 leader",
                self.keys.bucket_limit, self.keys.bucket_leaders
            )));
        }
        let buckets = match self.pairs {
            Pairs::All => BucketRule::UNLIMITED,
            _ => BucketRule {
                limit: self.keys.bucket_limit,
                leaders: self.keys.bucket_leaders,
            },
        };
        Ok(Plan {
            method: self.features.method.parse().map_err(|error| spec(&error))?,
            keys: self.keys()?,
            measure,
            buckets,
            seed: Seed(self.seed),
        })
    }

    fn keys(&self) -> Result<Arc<dyn Keys>, Error> {
        let bands_and_rows = match (self.keys.bands, self.keys.rows) {
            (Some(bands), Some(rows)) => Some((bands, rows)),
            (None, None) => None,
            _ => {
                return Err(Error::Spec(
                    "bands and rows go together: give both, or neither and a recall".to_string(),
                ));
            }
        };
        let wish = Wish {
            threshold: self.threshold,
            recall: self.keys.recall,
            bands_and_rows,
        };
        let method = self.keys.method.parse::<keys::Method>();
        method
            .and_then(|method| method.keys(&wish, Seed(self.seed)))
            .map_err(|error| Error::Spec(error.to_string()))
    }
}

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

    #[test]
    fn wrong_choices_are_refused_with_the_remedy() {
        let refused = |change: fn(&mut Spec)| {
            let mut spec = Spec::default();
            change(&mut spec);
            spec.plan().unwrap_err().to_string()
        };
        assert!(refused(|spec| spec.threshold = 1.5).contains("at most 1"));
        assert!(refused(|spec| spec.threshold = f64::NAN).contains("above 0"));
        assert!(refused(|spec| spec.keys.bands = Some(4)).contains("go together"));
        assert!(
            refused(|spec| spec.verify.measure = "edit".to_string())
                .contains("use --measure jaccard")
        );
        assert!(
            refused(|spec| spec.keys.method = "simhsh".to_string()).contains("there are: minhash")
        );
        assert!(refused(|spec| spec.keys.bucket_limit = 0).contains("at least 2"));
        assert!(refused(|spec| spec.input.text_field.clear()).contains("name the field"));
    }
}
