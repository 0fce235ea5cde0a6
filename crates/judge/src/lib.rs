//! How good is an answer, and which settings make it better?
//!
//! Labelled pairs or clusters come in through [`gold`]. A [`PairScorer`] scores labelled pairs of texts under any spec, a
//! [`sweep::Sweep`] answers every threshold of such scores, and [`tune`] finds the spec that tells them apart best. The
//! answer of a run, read by [`FinishedResult`] or given as rows, is compared with the gold by [`metrics`]: precision,
//! recall, F1, the adjusted Rand index, plagdet, and the list of mistakes.
//!
//! Work is done on the threads of the [`rayon`] pool it is called in; nothing depends on their number, the machine or the
//! order of the input.
//!
//! ```
//! use lookalike_judge::{PairScorer, TuneOptions, gold, metrics, tune};
//! use lookalike_kernel::Spec;
//!
//! // Which threshold is best, and for which method?
//! let lines = r#"{"a": "where is the ferry", "b": "where is the ferry now", "label": 1}
//! {"a": "渡轮在哪里", "b": "渡轮现在在哪里", "label": 1}
//! {"a": "where is the ferry", "b": "when is the next bus", "label": 0}
//! {"a": "渡轮在哪里", "b": "下一班车几点", "label": 0}"#;
//! let pairs = gold::read_text_pairs("pairs.jsonl", lines.as_bytes())?;
//! let mut scorer = PairScorer::new(&pairs);
//! let mut words = Spec::default();
//! words.features.method = Some("shingles:words:1".to_string());
//! let scores = scorer.score(&words)?;
//! assert_eq!(scorer.sweep(&scores)?.best().counts.f1(), 1.0);
//! let mut options = TuneOptions::new(Spec::default());
//! options.folds = 2;
//! let tuned = tune(&pairs, &options)?;
//! assert!(tuned.spec.plan().is_ok());
//!
//! // How good are the pairs that a run found?
//! let lines = r#"{"a": "旧", "b": "新", "label": 1}
//! {"a": "旧", "b": 3, "label": 0}"#;
//! let gold = gold::read_id_pairs("gold.jsonl", lines.as_bytes(), gold::Sides::Interchangeable)?;
//! let found = metrics::Found { a: "新".into(), b: "旧".into(), similarity: 0.9 };
//! let verdict = metrics::judge_pairs(&gold, [found], gold.counting());
//! assert_eq!(verdict.counts.f1(), 1.0);
//! # Ok::<(), lookalike_judge::Error>(())
//! ```

mod error;
pub mod gold;
mod learn;
mod methods;
pub mod metrics;
mod result;
mod scoring;
pub mod sweep;
mod tuning;

pub use error::Error;
pub use learn::Validation;
pub use methods::{NamedMethod, built_in_methods, read_methods};
pub use result::FinishedResult;
pub use scoring::{PairScorer, PairScores};
pub use tuning::{
    Candidate, Corpus, Expectation, Floors, Goal, ModelChoice, PrevalenceFrom, TuneOptions, Tuned,
    sample_strangers, tune,
};
