//! The records that pairs are made of, and those whose id had occurred before.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::id::{Id, IdRef};
use super::pair_rows::owned;

/// A record that is in a pair or a cluster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordRow<'r, I = Id> {
    /// Its id.
    pub id: I,
    /// Its number in the input, from 1, or in the corpus that the input is compared with.
    pub order: u64,
    /// What it is ranked by, where that is a value: the larger is kept.
    pub rank: Option<f64>,
    /// How many characters (code points) its text has.
    pub length: u64,
    /// How many bytes it has in UTF-8.
    #[serde(default)]
    pub bytes: u64,
    /// The file.
    pub source: Cow<'r, str>,
    /// The line or row in it, from 1; none where the file is the record.
    pub line: Option<u64>,
    /// Its title, where titles are kept.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub title: Option<Cow<'r, str>>,
    /// What it is from, where a field says it.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub origin: Option<Cow<'r, str>>,
    /// The first record with the very same text, where that is another.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub copy_of: Option<I>,
    /// Whether it is of the corpus that the input is compared with.
    #[serde(skip_serializing_if = "is_false", default)]
    pub against: bool,
}

/// A record whose id had occurred before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepeatedRow<'r, I = Id> {
    /// The id that it has in the input.
    pub id: I,
    /// What it is called instead.
    pub name: I,
    /// The file.
    pub source: Cow<'r, str>,
    /// The line or row in it, from 1; none where the file is the record.
    pub line: Option<u64>,
}

impl RecordRow<'_, IdRef<'_>> {
    /// The same with names of its own.
    pub fn to_owned(&self) -> RecordRow<'static> {
        RecordRow {
            id: self.id.to_owned(),
            order: self.order,
            rank: self.rank,
            length: self.length,
            bytes: self.bytes,
            source: owned(&self.source),
            line: self.line,
            title: self.title.as_deref().map(owned),
            origin: self.origin.as_deref().map(owned),
            copy_of: self.copy_of.as_ref().map(IdRef::to_owned),
            against: self.against,
        }
    }
}

impl RepeatedRow<'_, IdRef<'_>> {
    /// The same with names of its own.
    pub fn to_owned(&self) -> RepeatedRow<'static> {
        RepeatedRow {
            id: self.id.to_owned(),
            name: self.name.to_owned(),
            source: owned(&self.source),
            line: self.line,
        }
    }
}

fn none<I>() -> Option<I> {
    None
}

fn is_false(value: &bool) -> bool {
    !*value
}
