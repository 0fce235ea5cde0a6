//! Templates: what the variants of a message have in common, and in what they differ.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::id::{Id, IdRef};
use super::pair_rows::owned;

/// A frame with slots, and the messages that are this frame with a value in each slot, or nothing there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TemplateRow<'r, I: Clone = Id> {
    /// The frame, with `{1}`, `{2}` … where the slots are; braces of the texts are doubled.
    pub template: Cow<'r, str>,
    /// The different values of each slot, the most frequent first; `""` where there is nothing.
    pub slots: Vec<Vec<Cow<'r, str>>>,
    /// How many members have each of these values.
    pub counts: Vec<Vec<u64>>,
    /// How many members there are.
    pub size: u64,
    /// All of them, in input order.
    pub members: Cow<'r, [I]>,
}

impl TemplateRow<'_, IdRef<'_>> {
    /// The same with ids and texts of its own.
    pub fn to_owned(&self) -> TemplateRow<'static> {
        let slots = self.slots.iter();
        TemplateRow {
            template: owned(&self.template),
            slots: slots
                .map(|values| values.iter().map(|value| owned(value)).collect())
                .collect(),
            counts: self.counts.clone(),
            size: self.size,
            members: self.members.iter().map(IdRef::to_owned).collect(),
        }
    }
}
