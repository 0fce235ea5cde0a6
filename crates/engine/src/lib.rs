//! How does a whole corpus run? From a source of records through the stages to the rows of a result.
//!
//! A [`Kernel`](lookalike_kernel::Kernel) says what the job means, a [`Source`] gives the records, and [`run`] finds the
//! pairs, clusters them and writes the result. The stages, one file each, are in the order in which they run: sign,
//! collapse, join, describe, verify, assemble.
//!
//! ```
//! use lookalike_engine::{MemorySource, Request, RunOptions, Unobserved, WorkOptions, Workspace, run};
//! use lookalike_kernel::{Kernel, Spec};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let out = folder.path().join("out");
//! let notes = ["The same note.", "the same note", "another one"].map(|note| vec![("text", note)]);
//! let source = MemorySource::new("notes", notes);
//! let request = Request::new(Kernel::new(&Spec::default())?, &source);
//! let workspace = Workspace::claim(&WorkOptions { out: out.clone(), ..WorkOptions::default() })?;
//! let options = RunOptions { out, ..RunOptions::default() };
//! let summary = run(&request, workspace, &options, &Unobserved)?;
//! assert_eq!(summary.counts.removed, 1);
//! # Ok(())
//! # }
//! ```

mod audit;
mod bits;
mod budget;
mod column;
mod corpus;
mod error;
mod find;
mod ids;
mod lexicon;
mod listed;
mod lookup;
mod metrics;
mod observe;
mod output;
mod passages;
mod rank;
mod records;
mod resume;
mod run;
mod source;
mod stages;
mod whole;
mod workers;

pub use error::Error;
pub use lexicon::{CountOptions, count_words};
pub use listed::PairList;
pub use lookup::{RecordText, records_by_id};
pub use observe::{Observer, Stage, Unobserved};
pub use output::{RESULT_FILES, check_replaceable};
pub use resume::{WorkOptions, Workspace};
pub use run::{Request, RunOptions, run};
pub use source::{
    Block, BlockContent, BlockPlace, CleanCorpus, Each, Failure, MemorySource, ReadBlocks, Source,
    Want, WriteClean,
};
pub use whole::write_whole;
