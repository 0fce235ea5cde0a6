//! What all jobs have in common on the command line: where results go, what to compare with, and how a run is shown.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use lookalike::{Request, RunOptions, Spec, Unobserved};

use crate::options::Resources;
use crate::progress::Bar;
use crate::screen;

/// What scripts rely on: finished, but records were rejected.
const SOME_REJECTED: u8 = 3;

#[derive(Debug, Args)]
pub(crate) struct JobArguments {
    /// Files, folders or quoted globs; - reads standard input
    #[arg(required_unless_present = "print_config")]
    inputs: Vec<String>,
    /// Folder of the results
    #[arg(long, default_value = "lookalike-out", value_name = "DIR")]
    out: PathBuf,
    /// Also write the corpus without what was removed, in the input's format (a folder, for several inputs)
    #[arg(long, value_name = "FILE")]
    deduplicated: Option<PathBuf>,
    /// Compare the input with this corpus, not with itself: what is new?
    #[arg(long, value_name = "CORPUS")]
    against: Vec<String>,
    /// Measure recall and precision on this many sampled records, exhaustively
    #[arg(long, value_name = "N")]
    audit: Option<u64>,
    /// End at the first record that would be rejected
    #[arg(long)]
    strict: bool,
    /// Discard an unfinished run in the output folder
    #[arg(long)]
    restart: bool,
    /// Print the settings as a configuration file and do nothing
    #[arg(long)]
    print_config: bool,
    /// No summary and no progress bar
    #[arg(long, short)]
    quiet: bool,
    /// No report.html (there is none yet, so this changes nothing)
    #[arg(long)]
    no_report: bool,
}

/// What never changes the result.
#[derive(Debug, Args)]
pub(crate) struct JobResources {
    #[command(flatten)]
    resources: Resources,
    /// Seconds of work that a crash may cost; 0 saves after every block
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    checkpoint_every: u64,
}

impl JobArguments {
    /// Runs a job with these settings, or prints them.
    pub(crate) fn run(&self, spec: Spec, resources: &JobResources) -> anyhow::Result<ExitCode> {
        self.run_listed(spec, None, resources)
    }

    /// The same, with only the pairs of a list where one is named.
    pub(crate) fn run_listed(
        &self,
        spec: Spec,
        pair_list: Option<PathBuf>,
        resources: &JobResources,
    ) -> anyhow::Result<ExitCode> {
        spec.plan()?;
        if self.print_config {
            write!(std::io::stdout(), "{}", toml::to_string(&spec.resolved()?)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let request = Request {
            spec,
            inputs: self.inputs.clone(),
            against: self.against.clone(),
            pair_list,
        };
        let options = self.run_options(resources);
        let watched = !self.quiet && std::io::stderr().is_terminal();
        let summary = if watched {
            let bar = Bar::new();
            let summary = lookalike::run(&request, &options, &bar);
            bar.clear();
            summary?
        } else {
            lookalike::run(&request, &options, &Unobserved)?
        };
        if !self.quiet {
            screen::show(&summary, &self.out, self.deduplicated.as_deref())?;
        }
        Ok(if summary.counts.rejected > 0 {
            ExitCode::from(SOME_REJECTED)
        } else {
            ExitCode::SUCCESS
        })
    }

    fn run_options(&self, resources: &JobResources) -> RunOptions {
        let JobResources {
            resources,
            checkpoint_every,
        } = resources;
        RunOptions {
            out: self.out.clone(),
            work_dir: resources.work_dir.clone(),
            threads: resources.threads.count(),
            memory: resources.memory,
            restart: self.restart,
            strict: self.strict,
            audit: self.audit,
            deduplicated: self.deduplicated.clone(),
            checkpoint_every: Duration::from_secs(*checkpoint_every),
        }
    }
}
