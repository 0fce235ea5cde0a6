//! `[model]` in a spec: several measures combined with weights that `tune` has learnt.
//!
//! ```
//! let spec: lookalike_kernel::Spec = toml::from_str(
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

use lookalike_pair::verify::{Absence, Combination, Tree};
use lookalike_sign::features::TermRules;
use lookalike_text::TextOptions;
use serde::{Deserialize, Serialize};

use super::{FloorSpec, Spec, is_default};
use crate::Error;
use crate::jobs::DOCUMENTS;
use crate::setting::Setting;

/// `[model]` in a spec: several measures combined with weights that `tune` has learnt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelSpec {
    /// How the similarities make one.
    pub kind: ModelKind,
    /// What a logistic model or trees add.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bias: f64,
    /// The similarities.
    pub part: Vec<PartSpec>,
    /// What parts count as that a text lacks.
    #[serde(default, skip_serializing_if = "is_default")]
    pub absent: Absence,
    /// How alike two texts must be in one respect or another to be compared at all. A weighted mean of similarities that
    /// have bounds needs none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floor: Vec<FloorSpec>,
    /// Trees of similarities, in a model of trees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tree: Vec<Tree>,
}

/// How the similarities make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// Their weighted mean.
    Linear,
    /// The logistic function of their weighted sum: a probability.
    Logistic,
    /// The logistic function of what trees say, added up: a probability, too.
    Trees,
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
    /// What it weighs; nothing in a model of trees.
    #[serde(default, skip_serializing_if = "is_default")]
    pub weight: f64,
    /// How alike two texts that both have it must be in it, or they are no pair whatever the rest says.
    #[serde(default, skip_serializing_if = "is_default")]
    pub least: f64,
    /// The same where nothing else counts, since neither text has anything in the other parts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub least_alone: f64,
    /// What a logistic model or trees take where neither text has anything to compare.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mean: f64,
    /// What counts as the same text, if other than in the rest of the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextOptions>,
    /// Which words are terms, if other than in the rest of the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<TermRules>,
}

/// A similarity that a model may have: what it is of, and by which spec.
#[derive(Debug, Clone)]
pub struct Column {
    /// Only this field; by default the whole text.
    pub field: Option<String>,
    /// Features, measure, text options and rules for terms count.
    pub spec: Spec,
}

impl Column {
    /// What a spec says of a field, or of the whole text, whatever its keys.
    pub fn direct(field: Option<String>, spec: &Spec) -> Self {
        let mut spec = spec.clone();
        spec.compared_directly();
        Column { field, spec }
    }
}

impl ModelSpec {
    /// A model of these parts, without what only some kinds have.
    pub fn new(kind: ModelKind, part: Vec<PartSpec>) -> Self {
        ModelSpec {
            kind,
            bias: 0.0,
            part,
            tree: Vec::new(),
            absent: Absence::default(),
            floor: Vec::new(),
        }
    }

    /// The formula.
    pub fn combination(&self) -> Combination {
        let weights = self.part.iter().map(|part| part.weight).collect();
        match self.kind {
            ModelKind::Linear => Combination::Linear { weights },
            ModelKind::Logistic => Combination::Logistic {
                weights,
                means: self.part.iter().map(|part| part.mean).collect(),
                bias: self.bias,
            },
            ModelKind::Trees => Combination::Trees {
                means: self.part.iter().map(|part| part.mean).collect(),
                trees: self.tree.clone(),
                bias: self.bias,
            },
        }
    }

    /// The parts as columns: each with the spec that scores it alone.
    pub fn columns(&self, spec: &Spec) -> Vec<Column> {
        let column = |part: &PartSpec| {
            let mut own = spec.clone();
            // A part is compared as a document is: by one measure.
            own.job = DOCUMENTS;
            own.top = None;
            own.model = None;
            own.more = None;
            own.remove_kinds = None;
            own.exclusive = false;
            own.keep = super::Keep::First;
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

    /// Refuses a model that cannot be.
    ///
    /// # Errors
    /// With the remedy.
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |problem: &str, remedy: &str| {
            let problem = format!("the model {problem}");
            Err(Error::refused(Setting::Model, problem, remedy))
        };
        if self.part.is_empty() {
            return refuse("has no parts", "`tune` writes one, [[model.part]] adds one");
        }
        let numbers = self.part.iter().flat_map(|part| [part.weight, part.mean]);
        let of_trees = self.tree.iter().flat_map(numbers_of_tree);
        if let Some(number) = numbers
            .chain(of_trees)
            .chain([self.bias])
            .find(|n| !n.is_finite())
        {
            return refuse(
                &format!("has the weight {number}"),
                "a weight is a finite number",
            );
        }
        if (self.kind == ModelKind::Trees) == self.tree.is_empty() {
            return refuse(
                "has trees or is of kind \"trees\", but not both",
                "`tune` writes both",
            );
        }
        if let Some(tree) = self.tree.iter().find(|tree| !tree.is_whole()) {
            let (splits, leaves) = (tree.splits.len(), tree.leaves.len());
            return refuse(
                &format!("has a tree with {splits} splits and {leaves} leaves"),
                "each split doubles the leaves, from 1",
            );
        }
        if !self.tree.iter().all(Tree::is_monotone) {
            return refuse(
                "has a tree in which a pair more alike is less of a duplicate",
                "let no leaf be below one with fewer answers of yes; `tune` writes such trees",
            );
        }
        let linear = self.kind == ModelKind::Linear;
        if linear && self.bias != 0.0 {
            return refuse(
                "is linear and has a bias",
                "remove it, or say kind = \"logistic\"",
            );
        }
        if let Some(part) = self.part.iter().find(|part| part.weight < 0.0) {
            return refuse(
                &format!(
                    "has the weight {}, with which a pair more alike is less of a duplicate",
                    part.weight
                ),
                "weights are at least 0",
            );
        }
        if linear && self.part.iter().all(|part| part.weight == 0.0) {
            return refuse("has no weight above 0, so it would find nothing", "");
        }
        let mut asked = (self.part.iter()).flat_map(|part| [part.least, part.least_alone]);
        if let Some(least) = asked.find(|least| !(0.0..=1.0).contains(least)) {
            return refuse(
                &format!("asks for a similarity of at least {least} in a part"),
                "similarities are from 0 to 1",
            );
        }
        for floor in &self.floor {
            if !(floor.least > 0.0 && floor.least <= 1.0) {
                return refuse(
                    &format!("has a floor of {} in {}", floor.least, floor.features),
                    "a floor is above 0 and at most 1",
                );
            }
        }
        let splits = self.tree.iter().flat_map(|tree| &tree.splits);
        let places = splits.map(|&(part, _)| part);
        if let Some(place) = places.max().filter(|&place| place >= self.part.len()) {
            return refuse(
                &format!(
                    "refers to part {place}, but its parts are 0 to {}",
                    self.part.len() - 1
                ),
                "",
            );
        }
        Ok(())
    }
}

fn numbers_of_tree(tree: &Tree) -> impl Iterator<Item = f64> {
    let splits = tree.splits.iter().map(|&(_, least)| least);
    splits.chain(tree.leaves.iter().copied())
}

impl Spec {
    /// Makes the spec one for pairs that are compared whatever their keys.
    pub fn compared_directly(&mut self) {
        if !self.keys.is_by_digest() {
            self.keys = super::KeysSpec {
                method: "every".to_string(),
                ..super::KeysSpec::default()
            };
        }
    }
}

#[cfg(test)]
mod tests;
