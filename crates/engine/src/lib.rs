//! lookalike finds near-duplicate texts and proves every one it reports.
//!
//! A [`Spec`] says what counts as a duplicate; [`run`] reads an input, finds the pairs, clusters them and writes the
//! result into a folder. The stages, one file each, are in the order in which they run: sign, collapse, join,
//! describe, verify, assemble.
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

mod audit;
mod bits;
mod budget;
mod characters;
mod corpus;
mod error;
mod find;
mod ids;
mod jobs;
mod lexicon;
mod listed;
mod lookup;
mod methods;
mod metrics;
mod observe;
mod output;
mod passages;
mod plan;
mod rank;
mod recall;
mod records;
mod result;
mod resume;
mod run;
mod scoring;
mod size;
mod spec;
mod stages;
mod tuning;
mod two_pages;

pub use error::Error;
pub use jobs::{FieldChoices, Preset, TextChoices};
pub use lexicon::{CountOptions, count_words, read_lexicon};
pub use lookup::{lengths_of_ids, texts_of_ids};
pub use methods::{NamedMethod, built_in_methods, read_methods};
pub use observe::{Observer, Stage, Unobserved};
pub use output::{
    ArticleName, ArticlePair, Articles, AuditResult, ClusterSizes, ClusterSummary, HotBuckets,
    Numbers, PassageSummary, PassagesSummary, Recall, SentencesSummary, Summary,
};
pub use plan::{Fallback, Plan, Probe, Route};
pub use result::FinishedResult;
pub use run::{Request, RunOptions, run};
pub use scoring::{PairScorer, PairScores};
pub use size::{parse_size, show_size};
pub use spec::{
    AbsenceSpec, AbsentSpec, Align, Column, FeaturesSpec, FloorSpec, IdSource, InputSpec, Job,
    Join, Keep, KeysSpec, ModelKind, ModelSpec, MoreSpec, Pairs, PartSpec, PassagesSpec,
    ProductSpec, SentencesSpec, Spec, TreeSpec, VerifySpec,
};

pub use tuning::{Candidate, Floors, TuneOptions, Tuned, tune};
pub use two_pages::{CommonPassage, ComparedPage, PassageSide, TwoPages};

pub use lookalike_io as io;
pub use lookalike_judge as judge;
pub use lookalike_pair as pair;
pub use lookalike_sign as sign;
pub use lookalike_text as text;
