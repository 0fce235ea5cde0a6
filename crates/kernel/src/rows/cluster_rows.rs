//! Clusters: what belongs together, named by the member that is kept.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::id::{Id, IdRef};
use super::pair_rows::QuotedSentence;

/// Similar records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordCluster<'r, I: Clone = Id> {
    /// The record that is kept.
    pub cluster: I,
    /// How many members it has.
    pub size: u64,
    /// All of them, in input order.
    pub members: Cow<'r, [I]>,
}

/// Similar sentences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentenceCluster<'r, I: Clone = Id> {
    /// The article of the sentence that is kept,
    pub cluster: I,
    /// and its number there.
    pub sentence: u32,
    /// How many members it has.
    pub size: u64,
    /// All of them, in input order.
    pub members: Cow<'r, [QuotedSentence<'r, I>]>,
}

/// Documents that are much the same, or several that are parts of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentCluster<'r, I: Clone = Id> {
    /// The first of those that are the same, or the one that holds the others.
    pub cluster: I,
    /// How many members it has.
    pub size: u64,
    /// All of them, that one first, its parts in the order in which they stand in it.
    pub members: Cow<'r, [I]>,
    /// What they are to each other.
    pub relation: DocumentGroup,
}

/// What several documents are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentGroup {
    /// They are much the same.
    NearDuplicate,
    /// One holds the others.
    Collection,
    /// One is a story of which the others are the pages.
    MultiPage,
}

impl RecordCluster<'_, IdRef<'_>> {
    /// The same with ids of its own.
    pub fn to_owned(&self) -> RecordCluster<'static> {
        RecordCluster {
            cluster: self.cluster.to_owned(),
            size: self.size,
            members: self.members.iter().map(IdRef::to_owned).collect(),
        }
    }
}

impl SentenceCluster<'_, IdRef<'_>> {
    /// The same with ids and texts of its own.
    pub fn to_owned(&self) -> SentenceCluster<'static> {
        SentenceCluster {
            cluster: self.cluster.to_owned(),
            sentence: self.sentence,
            size: self.size,
            members: self.members.iter().map(QuotedSentence::to_owned).collect(),
        }
    }
}

impl DocumentCluster<'_, IdRef<'_>> {
    /// The same with ids of its own.
    pub fn to_owned(&self) -> DocumentCluster<'static> {
        DocumentCluster {
            cluster: self.cluster.to_owned(),
            size: self.size,
            members: self.members.iter().map(IdRef::to_owned).collect(),
            relation: self.relation,
        }
    }
}
