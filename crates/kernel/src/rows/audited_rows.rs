//! Pairs of audited records that are not in the result.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::id::{Id, IdRef};
use super::pair_rows::owned;

/// A pair that an audit saw and the result does not have: it is just below the threshold, or was missed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditedRow<'r, I = Id> {
    /// The earlier record.
    pub a: I,
    /// The later one, or that of the other corpus.
    pub b: I,
    /// The exact similarity.
    pub similarity: f64,
    /// Whether it reaches the threshold and was not found.
    pub missed: bool,
    /// The numbers of the sentences, where these are compared,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sentence_a: Option<u32>,
    /// of both.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sentence_b: Option<u32>,
    /// What they say,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text_a: Option<Cow<'r, str>>,
    /// both.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text_b: Option<Cow<'r, str>>,
}

impl AuditedRow<'_, IdRef<'_>> {
    /// The same with ids and texts of its own.
    pub fn to_owned(&self) -> AuditedRow<'static> {
        AuditedRow {
            a: self.a.to_owned(),
            b: self.b.to_owned(),
            similarity: self.similarity,
            missed: self.missed,
            sentence_a: self.sentence_a,
            sentence_b: self.sentence_b,
            text_a: self.text_a.as_deref().map(owned),
            text_b: self.text_b.as_deref().map(owned),
        }
    }
}
