//! What is most similar to a record.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::id::{Id, IdRef};
use super::pair_rows::{FieldSimilarity, by_name, owned};

/// A record with those most similar to it, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SuggestionRow<'r, I = Id> {
    /// The record.
    pub id: I,
    /// The others.
    pub similar: Vec<Suggested<'r, I>>,
}

/// One of the most similar records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suggested<'r, I = Id> {
    /// The record; of identical ones the first.
    pub id: I,
    /// How similar it is in all.
    pub similarity: f64,
    /// How similar each field is, in the order in which the fields are named; in JSON an object.
    #[serde(with = "by_name")]
    pub fields: Cow<'r, [FieldSimilarity<'r>]>,
}

impl SuggestionRow<'_, IdRef<'_>> {
    /// The same with ids and names of its own.
    pub fn to_owned(&self) -> SuggestionRow<'static> {
        SuggestionRow {
            id: self.id.to_owned(),
            similar: self.similar.iter().map(Suggested::to_owned).collect(),
        }
    }
}

impl Suggested<'_, IdRef<'_>> {
    /// The same with an id and names of its own.
    pub fn to_owned(&self) -> Suggested<'static> {
        let fields = self.fields.iter();
        Suggested {
            id: self.id.to_owned(),
            similarity: self.similarity,
            fields: fields
                .map(|(name, similarity)| (owned(name), *similarity))
                .collect(),
        }
    }
}
