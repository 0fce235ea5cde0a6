//! lookalike finds near-duplicate texts and proves every one it reports.
//!
//! A [`Spec`] says what counts as a duplicate; [`run`] reads files, finds the pairs, clusters them and writes the result
//! into a folder. Whoever has records that are no files, or wants rows and no folder, uses the [`engine`] itself; whoever
//! has two texts, the [`kernel`].
//!
//! ```
//! use lookalike::{run, Request, RunOptions, Spec, Unobserved};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let input = folder.path().join("notes.jsonl");
//! std::fs::write(&input, "{\"id\": 1, \"text\": \"The same note.\"}\n{\"id\": 2, \"text\": \"the same note\"}\n")?;
//! let request = Request::new(Spec::default(), [input.to_string_lossy()]);
//! let options = RunOptions { out: folder.path().join("out"), ..RunOptions::default() };
//! let summary = run(&request, &options, &Unobserved)?;
//! assert_eq!(summary.counts.removed, 1);
//! # Ok(())
//! # }
//! ```

mod error;
mod files;

pub use error::Error;
pub use files::{
    CountOptions, Request, RunOptions, count_words, lengths_of_ids, read_lexicon, run, texts_of_ids,
};
pub use lookalike_engine::{Observer, Stage, Unobserved};
pub use lookalike_judge::{
    Candidate, FinishedResult, Floors, NamedMethod, PairScorer, PairScores, TuneOptions, Tuned,
    built_in_methods, read_methods, tune,
};
pub use lookalike_kernel::jobs;
pub use lookalike_kernel::rows::{
    ArticleName, ArticlePair, Articles, AuditResult, ClusterSizes, ClusterSummary, HotBuckets,
    Numbers, PassageSummary, PassagesSummary, SentencesSummary, Summary,
};
pub use lookalike_kernel::{
    Align, CodeBlocks, Column, CommonPassage, ComparedPage, Fallback, FeaturesSpec, FieldChoices,
    FloorSpec, IdSource, InputSpec, Job, Join, Keep, Kernel, KeysSpec, ModelKind, ModelSpec,
    MoreSpec, Pairs, PartSpec, PassageSide, PassagesSpec, Plan, Preset, Probe, ProductSpec, Recall,
    Route, SentencesSpec, Spec, TextChoices, TreeSpec, TwoPages, VerifySpec, parse_size, show_size,
};

pub use lookalike_engine as engine;
pub use lookalike_io as io;
pub use lookalike_judge as judge;
pub use lookalike_kernel as kernel;
pub use lookalike_kernel::{pair, sign, text};
