//! `[model]` in a spec: several measures combined with weights that `tune` has learnt.
//!
//! ```
//! let spec: lookalike::Spec = toml::from_str(
//!     r#"
//!     threshold = 0.55
//!     keys = { bands = 40, rows = 1 }
//!     [model]
//!     kind = "linear"
//!     [[model.part]]
//!     features = "shingles:words:1"
//!     measure = "containment"
//!     weight = 0.7
//!     [[model.part]]
//!     features = "shingles:chars:3"
//!     measure = "cosine"
//!     weight = 0.3
//!     "#,
//! )?;
//! assert!(spec.plan().is_ok());
//! # Ok::<(), toml::de::Error>(())
//! ```

use std::str::FromStr;

use lookalike_judge::learn;
use lookalike_pair::verify::{Absence, Absent, Combination};
use lookalike_sign::features::TermRules;
use lookalike_text::TextOptions;
use serde::{Deserialize, Serialize};

use super::Spec;
use crate::Error;

/// See the [module](self).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelSpec {
    /// How the similarities make one.
    pub kind: ModelKind,
    /// What a logistic model adds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bias: f64,
    /// The similarities.
    pub part: Vec<PartSpec>,
    /// Products of two similarities, in a logistic model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub product: Vec<ProductSpec>,
    /// What parts count as that a text lacks.
    #[serde(default, skip_serializing_if = "AbsenceSpec::is_default")]
    pub absent: AbsenceSpec,
    /// How alike two texts must be in one respect or another to be compared at all. A weighted mean of similarities that
    /// have bounds needs none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floor: Vec<FloorSpec>,
}

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
    fn is_default(&self) -> bool {
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

/// How the similarities make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// Their weighted mean.
    Linear,
    /// The logistic function of their weighted sum: a probability.
    Logistic,
}

/// One of the similarities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PartSpec {
    /// Only this field of the text; by default all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// As in `shingles:words:5`.
    pub features: String,
    /// The measure.
    pub measure: String,
    /// What it weighs.
    pub weight: f64,
    /// What a logistic model takes where neither text has anything to compare.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mean: f64,
    /// What counts as the same text, if other than in the rest of the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextOptions>,
    /// Which words are terms, if other than in the rest of the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<TermRules>,
}

/// The weight of two similarities multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductSpec {
    /// The place of one part, from 0.
    pub left: usize,
    /// The place of the other; for a square the same.
    pub right: usize,
    /// The weight.
    pub weight: f64,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// A similarity that a model may have: what it is of, and by which spec.
#[derive(Debug, Clone)]
pub struct Column {
    /// Only this field; by default the whole text.
    pub field: Option<String>,
    /// Features, measure, text options and rules for terms count.
    pub spec: Spec,
}

impl ModelSpec {
    /// A model learnt from these columns, as a part of `spec`. Parts without weight are left out where nothing else
    /// refers to them.
    pub fn learnt(model: &learn::Model, columns: &[Column], spec: &Spec) -> Result<Self, Error> {
        let part = |place: usize, weight: f64, mean: f64| -> Result<PartSpec, Error> {
            let Column { field, spec: own } = &columns[place];
            let own = own.resolved()?;
            let features = own.features.method.unwrap_or_default();
            let other_terms = features == "terms" && own.terms != spec.terms;
            Ok(PartSpec {
                field: field.clone(),
                features,
                measure: own.verify.measure.unwrap_or_default(),
                weight,
                mean,
                text: (own.text != spec.text).then_some(own.text),
                terms: other_terms.then_some(own.terms),
            })
        };
        match model {
            learn::Model::Linear(linear) => {
                let weighted = linear.weights.iter().enumerate();
                let used = weighted.filter(|(_, (_, weight))| *weight > 0.0);
                Ok(ModelSpec {
                    kind: ModelKind::Linear,
                    bias: 0.0,
                    part: used
                        .map(|(place, (_, weight))| part(place, *weight, 0.0))
                        .collect::<Result<_, _>>()?,
                    product: Vec::new(),
                    absent: AbsenceSpec::default(),
                    floor: Vec::new(),
                })
            }
            learn::Model::Logistic(logistic) => {
                let weights = logistic.weights.iter().zip(&logistic.means).enumerate();
                let products = logistic.products.iter();
                Ok(ModelSpec {
                    kind: ModelKind::Logistic,
                    bias: logistic.bias,
                    part: weights
                        .map(|(place, ((_, weight), mean))| part(place, *weight, *mean))
                        .collect::<Result<_, _>>()?,
                    product: products
                        .map(|product| ProductSpec {
                            left: product.left,
                            right: product.right,
                            weight: product.weight,
                        })
                        .collect(),
                    absent: AbsenceSpec::default(),
                    floor: Vec::new(),
                })
            }
        }
    }

    /// The formula.
    pub(crate) fn combination(&self) -> Combination {
        let weights = self.part.iter().map(|part| part.weight).collect();
        match self.kind {
            ModelKind::Linear => Combination::Linear { weights },
            ModelKind::Logistic => Combination::Logistic {
                weights,
                means: self.part.iter().map(|part| part.mean).collect(),
                products: self
                    .product
                    .iter()
                    .map(|product| (product.left, product.right, product.weight))
                    .collect(),
                bias: self.bias,
            },
        }
    }

    /// The parts as columns: each with the spec that scores it alone.
    pub(crate) fn columns(&self, spec: &Spec) -> Vec<Column> {
        let column = |part: &PartSpec| {
            let mut own = spec.clone();
            // A part is compared as a document is: by one measure.
            own.job = super::Job::Documents;
            own.model = None;
            own.more = None;
            own.features.method = Some(part.features.clone());
            own.verify.measure = Some(part.measure.clone());
            own.text = part.text.unwrap_or(spec.text);
            own.terms = part.terms.unwrap_or(spec.terms);
            own.compared_directly();
            Column {
                field: part.field.clone(),
                spec: own,
            }
        };
        self.part.iter().map(column).collect()
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        let refuse = |problem: String| Err(Error::Spec(format!("the model {problem}")));
        if self.part.is_empty() {
            return refuse("has no parts; `tune` writes one, [[model.part]] adds one".to_string());
        }
        let numbers = self.part.iter().flat_map(|part| [part.weight, part.mean]);
        let others = self.product.iter().map(|product| product.weight);
        if let Some(number) = numbers
            .chain(others)
            .chain([self.bias])
            .find(|n| !n.is_finite())
        {
            return refuse(format!(
                "has the weight {number}; a weight is a finite number"
            ));
        }
        let linear = self.kind == ModelKind::Linear;
        if linear && (self.bias != 0.0 || !self.product.is_empty()) {
            return refuse(
                "is linear and has a bias or products; remove them, or say kind = \"logistic\""
                    .to_string(),
            );
        }
        if linear && self.part.iter().any(|part| part.weight < 0.0) {
            return refuse(
                "is linear and has a weight below 0; a mean needs weights from 0".to_string(),
            );
        }
        if linear && self.part.iter().all(|part| part.weight == 0.0) {
            return refuse("has no weight above 0, so it would find nothing".to_string());
        }
        for floor in &self.floor {
            if !(floor.least > 0.0 && floor.least <= 1.0) {
                return refuse(format!(
                    "has a floor of {} in {}; a floor is above 0 and at most 1",
                    floor.least, floor.features
                ));
            }
        }
        let places = self
            .product
            .iter()
            .flat_map(|product| [product.left, product.right]);
        if let Some(place) = places.max().filter(|&place| place >= self.part.len()) {
            return refuse(format!(
                "has a product of part {place}, but its parts are 0 to {}",
                self.part.len() - 1
            ));
        }
        Ok(())
    }
}

impl Spec {
    /// Makes the spec one for pairs that are compared whatever their keys.
    pub(crate) fn compared_directly(&mut self) {
        if !lookalike_sign::keys::is_by_digest(&self.keys.method) {
            self.keys = super::KeysSpec {
                method: "every".to_string(),
                ..super::KeysSpec::default()
            };
        }
    }
}
