//! Any row of a result.

use std::borrow::Cow;

use serde::Serialize;

use super::{
    ArticleRow, AuditedRow, DocumentCluster, DocumentPair, Id, IdRef, MessagePair, PassageRow,
    RecordCluster, RecordPair, RecordRow, Rejection, RemovedRow, RepeatedRow, SentenceCluster,
    SentencePair, Shape, SuggestionRow, TemplateRow, ThreadPair,
};

/// See the [module](super). In JSON the row itself, without the name of its shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Row<'r, I: Clone = Id> {
    /// Of [`Shape::RecordPairs`].
    RecordPair(RecordPair<I>),
    /// Of [`Shape::ThreadPairs`].
    ThreadPair(ThreadPair<'r, I>),
    /// Of [`Shape::MessagePairs`].
    MessagePair(MessagePair<'r, I>),
    /// Of [`Shape::SentencePairs`].
    SentencePair(SentencePair<'r, I>),
    /// Of [`Shape::DocumentPairs`].
    DocumentPair(DocumentPair<I>),
    /// Of [`Shape::RecordClusters`].
    RecordCluster(RecordCluster<'r, I>),
    /// Of [`Shape::SentenceClusters`].
    SentenceCluster(SentenceCluster<'r, I>),
    /// Of [`Shape::DocumentClusters`].
    DocumentCluster(DocumentCluster<'r, I>),
    /// Of [`Shape::Removed`].
    Removed(RemovedRow<I>),
    /// Of [`Shape::Templates`].
    Template(TemplateRow<'r, I>),
    /// Of [`Shape::Suggestions`].
    Suggestion(SuggestionRow<'r, I>),
    /// Of [`Shape::Passages`].
    Passage(PassageRow<'r, I>),
    /// Of [`Shape::Articles`].
    Article(ArticleRow<'r, I>),
    /// Of [`Shape::Audited`].
    Audited(AuditedRow<'r, I>),
    /// Of [`Shape::Records`].
    Record(RecordRow<'r, I>),
    /// Of [`Shape::Repeated`].
    Repeated(RepeatedRow<'r, I>),
    /// Of [`Shape::Rejected`].
    Rejected(Cow<'r, Rejection>),
}

impl<I: Clone> Row<'_, I> {
    /// What kind of row it is.
    pub fn shape(&self) -> Shape {
        match self {
            Row::RecordPair(_) => Shape::RecordPairs,
            Row::ThreadPair(_) => Shape::ThreadPairs,
            Row::MessagePair(_) => Shape::MessagePairs,
            Row::SentencePair(_) => Shape::SentencePairs,
            Row::DocumentPair(_) => Shape::DocumentPairs,
            Row::RecordCluster(_) => Shape::RecordClusters,
            Row::SentenceCluster(_) => Shape::SentenceClusters,
            Row::DocumentCluster(_) => Shape::DocumentClusters,
            Row::Removed(_) => Shape::Removed,
            Row::Template(_) => Shape::Templates,
            Row::Suggestion(_) => Shape::Suggestions,
            Row::Passage(_) => Shape::Passages,
            Row::Article(_) => Shape::Articles,
            Row::Audited(_) => Shape::Audited,
            Row::Record(_) => Shape::Records,
            Row::Repeated(_) => Shape::Repeated,
            Row::Rejected(_) => Shape::Rejected,
        }
    }
}

impl Row<'_, IdRef<'_>> {
    /// The same with all it names of its own.
    pub fn to_owned(&self) -> Row<'static> {
        match self {
            Row::RecordPair(row) => Row::RecordPair(row.to_owned()),
            Row::ThreadPair(row) => Row::ThreadPair(row.to_owned()),
            Row::MessagePair(row) => Row::MessagePair(row.to_owned()),
            Row::SentencePair(row) => Row::SentencePair(row.to_owned()),
            Row::DocumentPair(row) => Row::DocumentPair(row.to_owned()),
            Row::RecordCluster(row) => Row::RecordCluster(row.to_owned()),
            Row::SentenceCluster(row) => Row::SentenceCluster(row.to_owned()),
            Row::DocumentCluster(row) => Row::DocumentCluster(row.to_owned()),
            Row::Removed(row) => Row::Removed(row.to_owned()),
            Row::Template(row) => Row::Template(row.to_owned()),
            Row::Suggestion(row) => Row::Suggestion(row.to_owned()),
            Row::Passage(row) => Row::Passage(row.to_owned()),
            Row::Article(row) => Row::Article(row.to_owned()),
            Row::Audited(row) => Row::Audited(row.to_owned()),
            Row::Record(row) => Row::Record(row.to_owned()),
            Row::Repeated(row) => Row::Repeated(row.to_owned()),
            Row::Rejected(row) => Row::Rejected(Cow::Owned(Rejection::clone(row))),
        }
    }
}
