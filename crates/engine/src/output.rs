//! The tables of a result: which rows there are, what they say and in which order.
//!
//! In: what the stages found. Out: rows, which go into a [`Sink`](crate::Sink), and the summary of them. A run that finds pairs
//! has the tables of `pair_tables`, one that locates passages those of `passage_tables`.

mod clean_corpus;
mod document_groups;
mod listed_clusters;
mod listed_pairs;
mod located_passages;
mod named_units;
mod pair_tables;
mod passage_tables;
mod rejections;
mod sentence_quotes;
mod shared_articles;
mod summary_numbers;
mod thread_details;

pub(crate) use located_passages::for_each_shared;
pub(crate) use pair_tables::{PairTables, write_pair_tables};
pub(crate) use passage_tables::{PassageTables, write_passage_tables};
