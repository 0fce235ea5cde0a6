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

mod error;
mod files;

pub use error::Error;
pub use files::{
    CountOptions, Request, RunOptions, count_words, lengths_of_ids, read_lexicon, run, texts_of_ids,
};
pub use lookalike_engine::{Observer, Stage, Unobserved};
pub use lookalike_kernel::rows::Summary;
pub use lookalike_kernel::{FieldChoices, Job, Join, Keep, Kernel, Pairs, Preset, Spec, jobs};

pub use lookalike_engine as engine;
pub use lookalike_io as io;
pub use lookalike_judge as judge;
pub use lookalike_kernel as kernel;
pub use lookalike_kernel::{pair, sign, text};
