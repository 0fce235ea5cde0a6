//! How good is an answer, and which settings make it better?
//!
//! Labelled pairs or clusters come in through [`gold`]. [`metrics`] compares an answer with them: precision, recall,
//! F1, the adjusted Rand index, and the list of mistakes. [`PairScorer`] scores labelled pairs under any spec, [`sweep`]
//! finds the threshold with the best F1, [`learn`] the weights of several similarities, and [`tune`] the best of all of
//! these. Nothing here depends on the order of the input, the machine or the number of threads.
//!
//! ```
//! use lookalike_judge::gold::{self, Sides};
//! use lookalike_judge::metrics::{Found, judge_pairs};
//!
//! let lines = r#"{"a": "旧", "b": "新", "label": 1}
//! {"a": "旧", "b": 3, "label": 0}"#;
//! let gold = gold::read_id_pairs("gold.jsonl", lines.as_bytes(), Sides::Interchangeable)?;
//! let found = Found { a: "新".into(), b: "旧".into(), similarity: 0.9 };
//! let verdict = judge_pairs(&gold, [found], gold.counting());
//! assert_eq!(verdict.counts.f1(), 1.0);
//! # Ok::<(), lookalike_judge::Error>(())
//! ```

mod error;
pub mod gold;
pub mod learn;
mod methods;
pub mod metrics;
mod result;
mod scoring;
pub mod sweep;
mod tuning;

pub use error::Error;
pub use methods::{NamedMethod, built_in_methods, read_methods};
pub use result::FinishedResult;
pub use scoring::{PairScorer, PairScores};
pub use tuning::{Candidate, Floors, TuneOptions, Tuned, tune};
