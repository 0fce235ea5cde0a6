//! The tables of a result: which rows there are, what they say and in which order.
//!
//! In: what the stages found. Out: rows, which go into a [`Sink`](crate::Sink), and the summary of them. A run that finds pairs
//! has the tables of `pair_tables`, one that locates passages those of `passage_tables`.

mod audited_pairs;
mod clean_corpus;
mod differing_pairs;
mod document_groups;
mod listed_clusters;
mod listed_pairs;
mod listed_records;
mod listed_templates;
mod located_passages;
mod lost_sources;
mod named_units;
mod pair_tables;
mod passage_tables;
mod rejections;
mod sentence_frames;
mod sentence_history;
mod sentence_quotes;
mod shared_articles;
mod split_articles;
mod suggested;
mod summary_numbers;
mod thread_details;

pub(crate) use located_passages::for_each_shared;
pub(crate) use pair_tables::{PairTables, write_pair_tables};
pub(crate) use passage_tables::{PassageTables, write_passage_tables};
pub(crate) use suggested::write_suggestions;
