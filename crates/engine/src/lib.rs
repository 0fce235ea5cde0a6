//! How does a whole corpus run? From a source of records through the stages to the rows of a result.
//!
//! A [`Kernel`](lookalike_kernel::Kernel) says what the job means, a [`Source`] gives the records, and [`run`] finds the
//! pairs, clusters them and gives the rows of the result to a [`Sink`]. The stages, one file each, are in the order in which they run: sign,
//! collapse, join, describe, verify, assemble.
//!
//! ```
//! use lookalike_engine::{
//!     Destination, MemorySink, MemorySource, Request, RunOptions, Unobserved, WorkOptions, Workspace, run,
//! };
//! use lookalike_kernel::rows::{Row, Table};
//! use lookalike_kernel::{Kernel, Spec};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let notes = ["The same note.", "the same note", "another one"].map(|note| vec![("text", note)]);
//! let source = MemorySource::new("notes", notes);
//! let request = Request::new(Kernel::new(&Spec::default())?, &source);
//! let workspace = Workspace::claim(&WorkOptions::new(folder.path().join("work")))?;
//! let mut sink = MemorySink::default();
//! let destination = Destination::new(workspace, &mut sink);
//! let summary = run(&request, destination, &RunOptions::default(), &Unobserved)?;
//! assert_eq!(summary.counts.removed, 1);
//! let [Row::RecordPair(pair)] = sink.rows(Table::Pairs) else { panic!("one pair") };
//! assert_eq!((pair.a.to_string().as_str(), pair.similarity), ("\"notes:1\"", Some(1.0)));
//! # Ok(())
//! # }
//! ```

mod audit;
mod bits;
mod budget;
mod column;
mod corpus;
mod error;
mod fields;
mod find_pairs;
mod find_passages;
mod ids;
mod lexicon;
mod listed;
mod lock;
mod lookup;
mod metrics;
mod number;
mod observe;
mod output;
mod paged;
mod places;
mod rank;
mod records;
mod resume;
mod run;
mod sink;
mod source;
mod stages;
mod whole;
mod workspace;

pub use error::Error;
pub use lexicon::{CountOptions, count_words};
pub use listed::PairList;
pub use lock::try_lock;
pub use lookup::{
    EachRecord, KeepValues, RecordName, RecordText, first_records, for_each_outcome,
    for_each_ranked_unit, for_each_record, for_each_unit, records_by_id, records_by_number,
};
pub use observe::{Observer, Stage, Unobserved};
pub use run::{Destination, Request, RunOptions, Tolerance, run};
pub use sink::{Chunk, Encoder, MemorySink, Sink, TableSink};
pub use source::{
    AnswerFields, Block, BlockContent, BlockPlace, CleanCorpus, Each, Failure, MemorySource,
    ReadBlocks, Source, Want, WriteClean,
};
pub use whole::{sync_folder, write_whole};
pub use workspace::{WorkOptions, Workspace};
