//! What a spec says about fields: by what candidates are found, and whose text has more.

use lookalike_text::TextOptions;
use serde::{Deserialize, Serialize};

/// Pairs at least this alike are compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FloorSpec {
    /// Only this field; by default the whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// As in `shingles:words:1`.
    pub features: String,
    /// A measure with bounds: jaccard, cosine or containment.
    #[serde(default = "FloorSpec::measure")]
    pub measure: String,
    /// The least similarity.
    pub least: f64,
    /// What counts as the same text, if other than in the rest of the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextOptions>,
}

impl FloorSpec {
    fn measure() -> String {
        "jaccard".to_string()
    }
}

/// Which field tells whose thread has more information: the one whose text contains the other's and adds to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MoreSpec {
    /// The field, such as the answer.
    pub field: String,
    /// What is contained: `shingles:words:1` by default.
    #[serde(default = "MoreSpec::features")]
    pub features: String,
    /// A text contains another if it has this share of its features.
    #[serde(default = "MoreSpec::contains")]
    pub contains: f64,
}

impl MoreSpec {
    /// By the words of a field.
    pub fn of_field(field: &str) -> Self {
        MoreSpec {
            field: field.to_string(),
            features: MoreSpec::features(),
            contains: MoreSpec::contains(),
        }
    }

    fn features() -> String {
        "shingles:words:1".to_string()
    }

    fn contains() -> f64 {
        0.9
    }
}
