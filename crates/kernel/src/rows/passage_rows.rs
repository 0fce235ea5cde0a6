//! Passages: where two documents have a part in common.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::id::{Id, IdRef};

/// A part that two documents have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PassageRow<'r, I = Id> {
    /// Where it is in the earlier document.
    pub a: PassagePlace<'r, I>,
    /// Where it is in the later one.
    pub b: PassagePlace<'r, I>,
    /// How many sentences it has, on the side where it has more.
    pub sentences: u32,
    /// How similar its two sides are.
    pub similarity: f64,
}

/// One side of a passage. Places count the characters (code points) of the text as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassagePlace<'r, I = Id> {
    /// The document.
    pub id: I,
    /// The first character,
    pub begin: u32,
    /// and the one after the last.
    pub end: u32,
    /// The number of the sentence in which it begins.
    #[serde(default)]
    pub first_sentence: u32,
    /// How many sentences it has a part of.
    #[serde(default)]
    pub sentences: u32,
    /// The characters themselves; in JSON only where they are asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'r, str>>,
}

impl PassageRow<'_, IdRef<'_>> {
    /// The same with ids and texts of its own.
    pub fn to_owned(&self) -> PassageRow<'static> {
        PassageRow {
            a: self.a.to_owned(),
            b: self.b.to_owned(),
            sentences: self.sentences,
            similarity: self.similarity,
        }
    }
}

impl PassagePlace<'_, IdRef<'_>> {
    fn to_owned(&self) -> PassagePlace<'static> {
        PassagePlace {
            id: self.id.to_owned(),
            begin: self.begin,
            end: self.end,
            first_sentence: self.first_sentence,
            sentences: self.sentences,
            text: self.text.as_ref().map(|text| Cow::Owned(text.to_string())),
        }
    }
}
