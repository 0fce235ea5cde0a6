//! What a run may take: threads, memory, room on a disk.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::Context;
use clap::Args;
use lookalike::kernel::parse_size;
use rayon::{ThreadPool, ThreadPoolBuilder};

#[derive(Debug, Args)]
#[command(next_help_heading = "Resources (these never change the result)")]
pub(crate) struct Resources {
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Memory to stay within, as in 256MB or 2GB
    #[arg(long, default_value = "2GB", value_parser = parse_size, value_name = "SIZE")]
    pub(crate) memory: u64,
    /// Folder for temporary files [default: in the output folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) work_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Resources (these never change the result)")]
// The command `threads` has a group of this name.
#[group(skip)]
pub(crate) struct Threads {
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        let all = || available_parallelism().map_or(1, NonZero::get);
        self.threads.map_or_else(all, usize::from)
    }

    /// So many threads, waiting for work.
    pub(crate) fn pool(&self) -> anyhow::Result<ThreadPool> {
        let threads = ThreadPoolBuilder::new().num_threads(self.count());
        threads.build().context("cannot start the worker threads")
    }
}
