//! What was removed, each with what is kept for it.

use serde::{Deserialize, Serialize};

use super::id::{Id, IdRef};
use super::pair_rows::{is_true, yes};

/// A removed record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RemovedRow<I = Id> {
    /// The record.
    pub id: I,
    /// The one kept for it.
    pub kept: I,
    /// Their exact similarity; none where nothing verified it.
    pub similarity: Option<f64>,
    /// Whether the similarity was computed; in JSON only where it was not.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub verified: bool,
}

impl RemovedRow<IdRef<'_>> {
    /// The same with ids of its own.
    pub fn to_owned(&self) -> RemovedRow {
        RemovedRow {
            id: self.id.to_owned(),
            kept: self.kept.to_owned(),
            similarity: self.similarity,
            verified: self.verified,
        }
    }
}
