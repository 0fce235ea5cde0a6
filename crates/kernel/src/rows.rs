//! The rows of a result: what each table holds, in one place.
//!
//! A result is up to ten tables ([`Table`]). What the rows of a table say depends on the job: its [`Shape`], which knows the
//! columns. A row is a struct of this module, and a [`Row`] is any of them. Who makes rows borrows what they name
//! ([`IdRef`], `Cow`); who keeps or reads them owns it ([`Id`]). In a file a row is a line of JSON: [`write_line`] writes it,
//! `serde_json` reads it back.
//!
//! ```
//! use lookalike_kernel::rows::{IdRef, RecordPair, write_line};
//!
//! let [a, b] = ["7", "\"七\""].map(|json| IdRef::from_json(json).unwrap());
//! let pair = RecordPair { a, b, similarity: Some(1.0), verified: true };
//! let mut line = Vec::new();
//! write_line(&pair, &mut line)?;
//! assert_eq!(line, "{\"a\":7,\"b\":\"七\",\"similarity\":1.0}\n".as_bytes());
//! let read: RecordPair = serde_json::from_slice(&line)?;
//! assert_eq!(read, pair.to_owned());
//! # Ok::<(), serde_json::Error>(())
//! ```

mod article_rows;
mod audited_rows;
mod cluster_rows;
mod id;
mod json_line;
mod pair_rows;
mod passage_rows;
mod record_rows;
mod removed_rows;
mod row;
mod shape;
mod suggestion_rows;
mod summary;
mod template_rows;
#[cfg(test)]
mod tests;

pub use crate::record::Rejection;
pub use article_rows::ArticleRow;
pub use audited_rows::AuditedRow;
pub use cluster_rows::{DocumentCluster, DocumentGroup, RecordCluster, SentenceCluster};
pub use id::{Id, IdRef};
pub use json_line::write_line;
pub use pair_rows::{
    DocumentPair, FieldSimilarity, MessagePair, QuotedSentence, RecordPair, SentencePair,
    ThreadPair,
};
pub use passage_rows::{PassagePlace, PassageRow};
pub use record_rows::{RecordRow, RepeatedRow};
pub use removed_rows::RemovedRow;
pub use row::Row;
pub use shape::{Column, ColumnKind, Shape, Table};
pub use suggestion_rows::{Suggested, SuggestionRow};
pub use summary::{
    ArticleName, ArticlePair, Articles, AuditResult, ClusterSizes, ClusterSummary, HotBuckets,
    LostAnswer, LostAnswers, Numbers, OtherAnswers, PassageSummary, PassagesSummary,
    SentencesSummary, SimilarityBin, SourceLoss, SuggestionsSummary, Summary, TablesForm,
    TemplateSummary, TemplatesSummary, Written,
};
pub use template_rows::TemplateRow;
