//! The rows of a result: what each table holds, in one place.
//!
//! A result is up to six tables ([`Table`]). What the rows of a table say depends on the job: its [`Shape`], which knows the
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
mod cluster_rows;
mod id;
mod json_line;
mod pair_rows;
mod passage_rows;
mod removed_rows;
mod row;
mod shape;
mod summary;
#[cfg(test)]
mod tests;

pub use crate::record::Rejection;
pub use article_rows::ArticleRow;
pub use cluster_rows::{DocumentCluster, DocumentGroup, RecordCluster, SentenceCluster};
pub use id::{Id, IdRef};
pub use json_line::write_line;
pub use pair_rows::{
    DocumentPair, FieldSimilarity, QuotedSentence, RecordPair, SentencePair, ThreadPair,
};
pub use passage_rows::{PassagePlace, PassageRow};
pub use removed_rows::RemovedRow;
pub use row::Row;
pub use shape::{Column, ColumnKind, Shape, Table};
pub use summary::{
    ArticleName, ArticlePair, Articles, AuditResult, ClusterSizes, ClusterSummary, HotBuckets,
    Numbers, PassageSummary, PassagesSummary, SentencesSummary, Summary, Written,
};
