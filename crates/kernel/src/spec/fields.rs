//! What a spec says about fields: what counts where one is empty, by what candidates are found, and whose text has more.

use std::str::FromStr;

use lookalike_pair::verify::{Absence, Absent};
use lookalike_text::TextOptions;
use serde::{Deserialize, Serialize};

/// What parts count as that a text lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AbsenceSpec {
    /// Where neither text has anything to compare.
    pub in_both: AbsentSpec,
    /// Where one of them has not.
    pub in_one: AbsentSpec,
}

impl Default for AbsenceSpec {
    fn default() -> Self {
        AbsenceSpec {
            in_both: AbsentSpec::LeftOut,
            in_one: AbsentSpec::Different,
        }
    }
}

impl AbsenceSpec {
    pub(super) fn is_default(&self) -> bool {
        *self == AbsenceSpec::default()
    }

    pub(crate) fn rule(self) -> Absence {
        let of = |absent| match absent {
            AbsentSpec::LeftOut => Absent::LeftOut,
            AbsentSpec::Different => Absent::Different,
        };
        Absence {
            in_both: of(self.in_both),
            in_one: of(self.in_one),
        }
    }
}

/// What a part counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AbsentSpec {
    /// It does not count, and the weights of the others are rescaled.
    LeftOut,
    /// It counts as a similarity of 0.
    Different,
}

impl FromStr for AbsentSpec {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "left-out" => Ok(AbsentSpec::LeftOut),
            "different" => Ok(AbsentSpec::Different),
            _ => Err("use left-out or different".to_string()),
        }
    }
}

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
