//! What all jobs have in common on the command line: where results go, what to compare with, and how a run is shown.
//!
//! A job says what its own options come to ([`JobOptions`]); [`JobCommand`] is the command that has them all.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use lookalike::io::is_standard_output;
use lookalike::{Job, Observer, Preset, Request, RunOptions, Spec, Tolerance};

use super::Run;
use super::against_index;
use super::explore::{self, LOWEST};
use super::report::PageArguments;
use crate::options::{Resources, SummaryArguments};
use crate::progress::{self, Shown};
use crate::screen;
use crate::wording::with_options;

/// What scripts rely on: finished, but records were rejected.
const SOME_REJECTED: u8 = 3;

/// What tables can be written as.
pub(super) const TABLE_FORMATS: [&str; 3] = ["jsonl", "csv", "parquet"];

/// The options of one job: one file per job.
pub(crate) trait JobOptions: Args {
    /// The settings: the defaults of the job, overridden by the configuration file, overridden by what is given.
    fn spec(&self) -> anyhow::Result<Spec>;

    /// The same over other settings than the defaults, where the job can be compared with an index.
    fn spec_over(&self, _defaults: Spec) -> anyhow::Result<Option<Spec>> {
        Ok(None)
    }

    /// The files that the settings come from.
    fn files(&self) -> Vec<PathBuf>;

    /// What is shown instead of a run, if that is asked for.
    fn instead(&self, _request: &Request, _as_json: bool) -> anyhow::Result<Option<String>> {
        Ok(None)
    }

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
    /// Output folder
    #[arg(long, short, default_value = "lookalike-out", value_name = "DIR")]
    out: PathBuf,
    /// Also write the input without the removed records: to a file, to a folder if there are several inputs, or to -
    /// (standard output)
    #[arg(long, value_name = "FILE")]
    deduplicated: Option<PathBuf>,
    /// Also write the whole input as JSON Lines, adding each record's cluster, whether it is kept, and which record is kept
    /// instead if it is not
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    /// Format of the result tables: jsonl, csv (with nested values as JSON) or parquet
    #[arg(long, value_name = "FORMAT", value_parser = TABLE_FORMATS, default_value = "jsonl")]
    output_format: String,
    /// Store the texts in pairs, clusters and removed, so that they can be shown without the input
    #[arg(long)]
    with_text: bool,
    /// Search with threshold 0.5, and show what each threshold up to 0.95 would remove
    #[arg(long, conflicts_with_all = ["threshold", "deduplicated", "annotate"])]
    explore: bool,
    /// Compare the input with this corpus instead of with itself: what is new?
    #[arg(long, value_name = "CORPUS")]
    against: Vec<String>,
    /// With --against: also compare the input with itself. Records of the corpus whose ids occur in the input are renamed
    #[arg(long, requires = "against")]
    within: bool,
    /// Measure recall and precision by comparing N sampled records with all the others
    #[arg(long, value_name = "N")]
    audit: Option<u64>,
    /// Stop at the first record that would be rejected or that repeats an id
    #[arg(long)]
    strict: bool,
    /// Carry on even if no record has a field you named, or more than half of the records are rejected
    #[arg(long, conflicts_with = "strict")]
    lenient: bool,
    /// Replace files that were not written by an earlier run
    #[arg(long)]
    force: bool,
    /// Discard an unfinished run in the output folder
    #[arg(long)]
    restart: bool,
    /// Print the settings as a configuration file, and exit
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    summary: SummaryArguments,
    /// Add technical details to the summary: seconds per stage, memory, comparisons left out
    #[arg(long, short)]
    verbose: bool,
    /// Do not write report.html
    #[arg(long, conflicts_with = "open")]
    no_report: bool,
    #[command(flatten)]
    page: PageArguments,
}

/// What never changes the result.
#[derive(Debug, Args)]
struct JobResources {
    #[command(flatten)]
    resources: Resources,
    /// Save progress every N seconds, so that a crash loses no more than that; 0 saves after every block
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    checkpoint_every: u64,
}

impl<O: JobOptions> Run for JobCommand<O> {
    /// Runs the job, or prints its settings.
    fn run(&self) -> anyhow::Result<ExitCode> {
        let (request, options) = self.called()?;
        let given = &self.job;
        if given.print_config {
            let spec = request.spec.resolved()?;
            write!(std::io::stdout(), "{}", toml::to_string(&spec)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(page) = self.options.instead(&request, given.summary.json)? {
            screen::print(&page)?;
            return Ok(ExitCode::SUCCESS);
        }
        let run = |observer: &dyn Observer| lookalike::run(&request, &options, observer);
        let is_replaced = given.out.join("summary.json").exists();
        let json_on_stderr = given.summary.json
            && given
                .deduplicated
                .as_deref()
                .is_some_and(is_standard_output);
        // Then nothing else is to stand between it.
        let shown = match json_on_stderr {
            true => Shown::Quiet,
            false => given.summary.shown(),
        };
        let summary = progress::stoppable(shown, run)?;
        let page = screen::RunPage {
            summary: &summary,
            out: &given.out,
            deduplicated: given.deduplicated.as_deref(),
            annotated: given.annotate.as_deref(),
            is_replaced,
            is_verbose: given.verbose,
        };
        if given.explore {
            explore::print(&given.out, &summary, given.summary.json)?;
            page.print_expectation()?;
        } else if given.summary.json {
            page.print_json()?;
        } else if given.summary.quiet {
            page.print_expectation()?;
            page.print_data_warnings(&request.spec.input.text_field)?;
        } else {
            page.print()?;
        }
        given.page.open(&given.out.join("report.html"))?;
        Ok(if summary.counts.rejected > 0 {
            ExitCode::from(SOME_REJECTED)
        } else {
            ExitCode::SUCCESS
        })
    }
}

impl<O: JobOptions> JobCommand<O> {
    /// What all options come to.
    pub(super) fn called(&self) -> anyhow::Result<(Request, RunOptions)> {
        let given = &self.job;
        let mut spec = self.options.spec()?;
        let index = against_index::open(&given.against, &spec)?;
        if let Some(index) = &index {
            let over = self.options.spec_over(index.spec().clone())?;
            spec = against_index::settled(&given.against[0], index, over)?;
        }
        if given.explore {
            spec.threshold = Some(LOWEST);
        }
        spec.within |= given.within;
        spec.plan()?;
        let mut request = Request::new(spec, &given.inputs);
        request.against.clone_from(&given.against);
        request.vocabulary = index.and_then(|index| index.vocabulary().map(<[u8]>::to_vec));
        request.pair_list = self.options.pair_list().map(Path::to_path_buf);
        Ok((request, self.run_options()?))
    }

    fn run_options(&self) -> anyhow::Result<RunOptions> {
        let (job, resources) = (&self.job, &self.resources.resources);
        let mut options = RunOptions::new(&job.out);
        options.work_dir.clone_from(&resources.work_dir);
        options.threads = resources.threads.count();
        options.memory = resources.memory;
        options.restart = job.restart;
        options.tolerance = match (job.strict, job.lenient) {
            (true, _) => Tolerance::Strict,
            (_, true) => Tolerance::Lenient,
            _ => Tolerance::Usual,
        };
        options.force = job.force;
        options.also_read = self.options.files();
        options.audit = job.audit;
        options.deduplicated.clone_from(&job.deduplicated);
        options.annotate.clone_from(&job.annotate);
        options.report = (!job.no_report).then(|| job.page.options());
        options.format = job.output_format.parse()?;
        options.with_text = job.with_text;
        options.spell = with_options;
        options.checkpoint_every = Duration::from_secs(self.resources.checkpoint_every);
        Ok(options)
    }
}
