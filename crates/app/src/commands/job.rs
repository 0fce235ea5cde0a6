//! What all jobs have in common on the command line: where results go, what to compare with, and how a run is shown.
//!
//! A job says what its own options come to ([`JobOptions`]); [`JobCommand`] is the command that has them all.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use lookalike::{Job, Observer, Preset, Request, RunOptions, Spec};

use super::Run;
use crate::options::Resources;
use crate::{progress, screen};

/// What scripts rely on: finished, but records were rejected.
const SOME_REJECTED: u8 = 3;

/// The options of one job: one file a job.
pub(crate) trait JobOptions: Args {
    /// The settings: the defaults of the job, overridden by the configuration file, overridden by what is given.
    fn spec(&self) -> anyhow::Result<Spec>;

    /// The list of the only pairs that are compared.
    fn pair_list(&self) -> Option<&Path> {
        None
    }
}

/// What is set before options are: a preset, or else the defaults.
pub(crate) fn defaults(job: &'static dyn Job, preset: Option<&str>) -> anyhow::Result<Spec> {
    Ok(match preset {
        Some(name) => Preset::named(job, name)?.spec(&[])?,
        None => Spec::of_job(job),
    })
}

/// A job as a command.
#[derive(Debug, Args)]
pub(crate) struct JobCommand<O: JobOptions> {
    #[command(flatten)]
    job: JobArguments,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    options: O,
    #[command(flatten)]
    resources: JobResources,
}

#[derive(Debug, Args)]
struct JobArguments {
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
struct JobResources {
    #[command(flatten)]
    resources: Resources,
    /// Seconds of work that a crash may cost; 0 saves after every block
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    checkpoint_every: u64,
}

impl<O: JobOptions> Run for JobCommand<O> {
    /// Runs the job, or prints its settings.
    fn run(&self) -> anyhow::Result<ExitCode> {
        let spec = self.options.spec()?;
        spec.plan()?;
        let given = &self.job;
        if given.print_config {
            write!(std::io::stdout(), "{}", toml::to_string(&spec.resolved()?)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut request = Request::new(spec, &given.inputs);
        request.against.clone_from(&given.against);
        request.pair_list = self.options.pair_list().map(Path::to_path_buf);
        let options = self.run_options();
        let run = |observer: &dyn Observer| lookalike::run(&request, &options, observer);
        let summary = progress::watched(given.quiet, run)?;
        if !given.quiet {
            screen::show(&summary, &given.out, given.deduplicated.as_deref())?;
        }
        Ok(if summary.counts.rejected > 0 {
            ExitCode::from(SOME_REJECTED)
        } else {
            ExitCode::SUCCESS
        })
    }
}

impl<O: JobOptions> JobCommand<O> {
    fn run_options(&self) -> RunOptions {
        let (job, resources) = (&self.job, &self.resources.resources);
        let mut options = RunOptions::new(&job.out);
        options.work_dir.clone_from(&resources.work_dir);
        options.threads = resources.threads.count();
        options.memory = resources.memory;
        options.restart = job.restart;
        options.strict = job.strict;
        options.audit = job.audit;
        options.deduplicated.clone_from(&job.deduplicated);
        options.checkpoint_every = Duration::from_secs(self.resources.checkpoint_every);
        options
    }
}
