//! The tables of a result, and which columns they have.

use std::fmt;

use ColumnKind::{Boolean, ByName, Id, Integer, List, Nested, Real, Text};

/// A table of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Table {
    /// Which two are alike, in input order.
    Pairs,
    /// What belongs together.
    Clusters,
    /// What is removed, with what is kept for it.
    Removed,
    /// What the members of a cluster have in common, and in what they differ.
    Templates,
    /// What is most similar to each.
    Suggestions,
    /// Where two documents have parts in common.
    Passages,
    /// Which articles have sentences in common.
    Articles,
    /// Which pairs an audit saw that are not listed: just below the threshold, or missed.
    Audited,
    /// The records in pairs: where they stand, and what they are ranked by.
    Records,
    /// Records whose id had occurred before.
    Repeated,
    /// What could not be used.
    Rejected,
}

impl Table {
    /// All of them.
    pub const ALL: [Table; 11] = [
        Table::Pairs,
        Table::Clusters,
        Table::Removed,
        Table::Templates,
        Table::Suggestions,
        Table::Passages,
        Table::Articles,
        Table::Audited,
        Table::Records,
        Table::Repeated,
        Table::Rejected,
    ];

    /// The name, of which a file has its own.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Pairs => "pairs",
            Table::Clusters => "clusters",
            Table::Removed => "removed",
            Table::Templates => "templates",
            Table::Suggestions => "suggestions",
            Table::Passages => "passages",
            Table::Articles => "articles",
            Table::Audited => "audited",
            Table::Records => "records",
            Table::Repeated => "repeated",
            Table::Rejected => "rejected",
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the rows of a table say; all rows of one table have one shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// [`RecordPair`](super::RecordPair).
    RecordPairs,
    /// [`ThreadPair`](super::ThreadPair).
    ThreadPairs,
    /// [`MessagePair`](super::MessagePair).
    MessagePairs,
    /// [`SentencePair`](super::SentencePair).
    SentencePairs,
    /// [`DocumentPair`](super::DocumentPair).
    DocumentPairs,
    /// [`RecordCluster`](super::RecordCluster).
    RecordClusters,
    /// [`SentenceCluster`](super::SentenceCluster).
    SentenceClusters,
    /// [`DocumentCluster`](super::DocumentCluster).
    DocumentClusters,
    /// [`RemovedRow`](super::RemovedRow).
    Removed,
    /// [`TemplateRow`](super::TemplateRow).
    Templates,
    /// [`SuggestionRow`](super::SuggestionRow).
    Suggestions,
    /// [`PassageRow`](super::PassageRow).
    Passages,
    /// [`ArticleRow`](super::ArticleRow).
    Articles,
    /// [`AuditedRow`](super::AuditedRow).
    Audited,
    /// [`RecordRow`](super::RecordRow).
    Records,
    /// [`RepeatedRow`](super::RepeatedRow).
    Repeated,
    /// [`Rejection`](super::Rejection).
    Rejected,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// Whether it can be empty.
    pub optional: bool,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// The id of a record: a string or a number, as in the input.
    Id,
    /// A string.
    Text,
    /// A whole number that is not negative.
    Integer,
    /// A real number.
    Real,
    /// True or false.
    Boolean,
    /// Any number of these, in order.
    List(&'static ColumnKind),
    /// Columns within the column.
    Nested(&'static [Column]),
    /// One of these a name, each perhaps empty; the names are the same in all rows of a table.
    ByName(&'static ColumnKind),
}

const fn column(name: &'static str, kind: ColumnKind) -> Column {
    Column {
        name,
        kind,
        optional: false,
    }
}

const fn optional(name: &'static str, kind: ColumnKind) -> Column {
    Column {
        name,
        kind,
        optional: true,
    }
}

/// What words from and to what others.
const CHANGED: ColumnKind = List(&List(&Text));

const SENTENCE: ColumnKind = Nested(&[
    column("id", Id),
    optional("title", Text),
    column("sentence", Integer),
    column("text", Text),
    optional("date", Text),
]);

const PLACE: ColumnKind = Nested(&[
    column("id", Id),
    column("begin", Integer),
    column("end", Integer),
    column("first_sentence", Integer),
    column("sentences", Integer),
    optional("text", Text),
]);

const RECORD_PAIRS: &[Column] = &[
    column("a", Id),
    column("b", Id),
    optional("similarity", Real),
    column("verified", Boolean),
];

const THREAD_PAIRS: &[Column] = &[
    column("a", Id),
    column("b", Id),
    optional("similarity", Real),
    column("verified", Boolean),
    column("fields", ByName(&Real)),
    optional("more", Text),
    column("kind", Text),
    column("changed", CHANGED),
];

const MESSAGE_PAIRS: &[Column] = &[
    column("a", Id),
    column("b", Id),
    optional("similarity", Real),
    column("verified", Boolean),
    column("kind", Text),
    column("changed", CHANGED),
];

const SENTENCE_PAIRS: &[Column] = &[
    column("a", SENTENCE),
    column("b", SENTENCE),
    optional("similarity", Real),
    column("verified", Boolean),
    column("edit_similarity", Real),
    column("kind", Text),
    column("confidence", Real),
    column("changed", CHANGED),
    optional("since_a", Text),
    optional("since_b", Text),
    optional("parted", Text),
];

const DOCUMENT_PAIRS: &[Column] = &[
    column("a", Id),
    column("b", Id),
    column("similarity", Real),
    column("covered_a", Real),
    column("covered_b", Real),
    column("relation", Text),
    column("passages", Integer),
    optional("group", Text),
];

const RECORD_CLUSTERS: &[Column] = &[
    column("cluster", Id),
    column("size", Integer),
    column("members", List(&Id)),
];

const SENTENCE_CLUSTERS: &[Column] = &[
    column("cluster", Id),
    column("sentence", Integer),
    column("size", Integer),
    column("members", List(&SENTENCE)),
];

const DOCUMENT_CLUSTERS: &[Column] = &[
    column("cluster", Id),
    column("size", Integer),
    column("members", List(&Id)),
    column("relation", Text),
];

const REMOVED: &[Column] = &[
    column("id", Id),
    column("kept", Id),
    optional("similarity", Real),
    column("verified", Boolean),
];

const TEMPLATES: &[Column] = &[
    column("template", Text),
    column("slots", List(&List(&Text))),
    column("counts", List(&List(&Integer))),
    column("size", Integer),
    column("members", List(&Id)),
];

const SUGGESTIONS: &[Column] = &[
    column("id", Id),
    column(
        "similar",
        List(&Nested(&[
            column("id", Id),
            column("similarity", Real),
            column("fields", ByName(&Real)),
        ])),
    ),
];

const PASSAGES: &[Column] = &[
    column("a", PLACE),
    column("b", PLACE),
    column("sentences", Integer),
    column("similarity", Real),
];

const ARTICLES: &[Column] = &[
    column("a", Id),
    column("b", Id),
    optional("title_a", Text),
    optional("title_b", Text),
    column("shared_sentences", Integer),
    optional("chain", Integer),
];

const AUDITED: &[Column] = &[
    column("a", Id),
    column("b", Id),
    column("similarity", Real),
    column("missed", Boolean),
    optional("sentence_a", Integer),
    optional("sentence_b", Integer),
    optional("text_a", Text),
    optional("text_b", Text),
];

const RECORDS: &[Column] = &[
    column("id", Id),
    column("order", Integer),
    optional("rank", Real),
    column("length", Integer),
    column("bytes", Integer),
    column("source", Text),
    optional("line", Integer),
    optional("title", Text),
    optional("origin", Text),
    optional("copy_of", Id),
    column("against", Boolean),
];

const REPEATED: &[Column] = &[
    column("id", Id),
    column("name", Id),
    column("source", Text),
    optional("line", Integer),
];

const REJECTED: &[Column] = &[
    column("source", Text),
    optional("line", Integer),
    column("reason", Text),
];

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 17] = [
        Shape::RecordPairs,
        Shape::ThreadPairs,
        Shape::MessagePairs,
        Shape::SentencePairs,
        Shape::DocumentPairs,
        Shape::RecordClusters,
        Shape::SentenceClusters,
        Shape::DocumentClusters,
        Shape::Removed,
        Shape::Templates,
        Shape::Suggestions,
        Shape::Passages,
        Shape::Articles,
        Shape::Audited,
        Shape::Records,
        Shape::Repeated,
        Shape::Rejected,
    ];

    /// The table that has such rows.
    pub const fn table(self) -> Table {
        match self {
            Shape::RecordPairs
            | Shape::ThreadPairs
            | Shape::MessagePairs
            | Shape::SentencePairs
            | Shape::DocumentPairs => Table::Pairs,
            Shape::RecordClusters | Shape::SentenceClusters | Shape::DocumentClusters => {
                Table::Clusters
            }
            Shape::Removed => Table::Removed,
            Shape::Templates => Table::Templates,
            Shape::Suggestions => Table::Suggestions,
            Shape::Passages => Table::Passages,
            Shape::Articles => Table::Articles,
            Shape::Audited => Table::Audited,
            Shape::Records => Table::Records,
            Shape::Repeated => Table::Repeated,
            Shape::Rejected => Table::Rejected,
        }
    }

    /// The shape of the rows of a table that have fields of these names: of those that have them all, the one with the fewest.
    pub fn recognise(table: Table, names: &[&str]) -> Option<Shape> {
        let has_all = |shape: &Shape| {
            let known = |name: &&str| shape.columns().iter().any(|column| column.name == *name);
            names.iter().all(known)
        };
        let of_table = Shape::ALL
            .into_iter()
            .filter(|shape| shape.table() == table);
        let fitting = of_table.filter(has_all);
        fitting.min_by_key(|shape| shape.columns().len())
    }

    /// The columns, in the order of the fields of a row.
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Shape::RecordPairs => RECORD_PAIRS,
            Shape::ThreadPairs => THREAD_PAIRS,
            Shape::MessagePairs => MESSAGE_PAIRS,
            Shape::SentencePairs => SENTENCE_PAIRS,
            Shape::DocumentPairs => DOCUMENT_PAIRS,
            Shape::RecordClusters => RECORD_CLUSTERS,
            Shape::SentenceClusters => SENTENCE_CLUSTERS,
            Shape::DocumentClusters => DOCUMENT_CLUSTERS,
            Shape::Removed => REMOVED,
            Shape::Templates => TEMPLATES,
            Shape::Suggestions => SUGGESTIONS,
            Shape::Passages => PASSAGES,
            Shape::Articles => ARTICLES,
            Shape::Audited => AUDITED,
            Shape::Records => RECORDS,
            Shape::Repeated => REPEATED,
            Shape::Rejected => REJECTED,
        }
    }
}
