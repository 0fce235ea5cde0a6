//! lookalike finds near-duplicate texts and proves every one it reports.
//!
//! In: a [`Request`], which is a [`Spec`] (what counts as a duplicate) and the names of files. Out: a folder of results and
//! the [`Summary`] of them. [`RunOptions`] say where, with how many threads and within how much memory; they never change
//! what is found.
//!
//! This is the face for files. Whoever has records that are no files, or wants rows and no folder, uses the [`engine`]
//! itself; whoever has two texts, the [`kernel`]; whoever has labelled pairs, the [`judge`].
//!
//! ```
//! use lookalike::{run, Request, RunOptions, Spec, Unobserved};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let input = folder.path().join("notes.jsonl");
//! std::fs::write(&input, "{\"id\": 1, \"text\": \"The same note.\"}\n{\"id\": 2, \"text\": \"the same note\"}\n")?;
//! let request = Request::new(Spec::default(), [input.to_string_lossy()]);
//! let options = RunOptions::new(folder.path().join("out"));
//! let summary = run(&request, &options, &Unobserved)?;
//! assert_eq!(summary.counts.removed, 1);
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "cli")]
// The program is written on the library as any other is.
extern crate self as lookalike;

mod annotate;
#[cfg(feature = "cli")]
mod commands;
mod corpus_texts;
mod error;
mod explain;
mod files;
pub mod finished;
mod indexed_files;
mod indexed_stream;
#[cfg(feature = "cli")]
mod kind_options;
#[cfg(all(feature = "cli", unix))]
mod limits;
#[cfg(feature = "cli")]
mod options;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(feature = "cli")]
mod progress;
mod recluster;
mod report;
#[cfg(feature = "cli")]
mod screen;
mod single_text;
mod texts_again;
#[cfg(feature = "cli")]
mod wording;

pub use annotate::{Annotation, Annotations};
pub use corpus_texts::{
    CountOptions, count_words, lengths_of_ids, read_lexicon, texts_of_corpus, texts_of_ids,
};
pub use error::Error;
pub use explain::explain;
pub use files::{Request, RunOptions, Sources, Tolerance, open_files, run, run_sources};
pub use finished::ReadableResult;
pub use indexed_files::{AddedFiles, add_files, add_source, is_index};
pub use indexed_stream::{Stoppable, Stream, StreamCounts};
pub use lookalike_engine::{Observer, Stage, Unobserved};
pub use lookalike_io::TableFormat;
pub use lookalike_kernel::rows::Summary;
pub use lookalike_kernel::{
    Clusters, FieldChoices, Job, Join, Keep, Kernel, Pairs, Preset, SeedSpec, Spec, jobs,
};
pub use recluster::{ExamplePair, Outlook, ReclusterOptions, left_open, outlook, recluster};
pub use report::{MOST_BYTES as MOST_REPORT_BYTES, ReportOptions, ReportPage, has_texts, report};
pub use single_text::{read_record, read_text};
pub use texts_again::texts_of_result;

pub use lookalike_engine as engine;
pub use lookalike_index as index;
pub use lookalike_io as io;
pub use lookalike_judge as judge;
pub use lookalike_kernel as kernel;
pub use lookalike_kernel::{pair, sign, text};
