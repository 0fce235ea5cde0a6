//! `lookalike recluster DIR`: a new result from the pairs of a finished one.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lookalike::{Keep, ReclusterOptions};

use super::Run;
use super::report::PageArguments;
use crate::kind_options::KindArguments;
use crate::options::SummaryArguments;
use crate::screen::RunPage;

#[derive(Debug, Args)]
pub(crate) struct Recluster {
    /// Folder of a finished result of documents, threads or messages
    #[arg(value_name = "DIR")]
    result: PathBuf,
    /// Output folder for the new result
    #[arg(
        long,
        short,
        default_value = "lookalike-reclustered",
        value_name = "DIR"
    )]
    out: PathBuf,
    /// Pairs at least this similar are duplicates; not below the threshold of the finished result [default: the same]
    #[arg(long, short, value_name = "0..1", value_parser = crate::options::fraction)]
    threshold: Option<f64>,
    /// Which record of a cluster to keep: first, last, longest, or the rule of the finished result [default: that rule]
    #[arg(long, value_name = "RULE")]
    keep: Option<String>,
    /// Format of the result tables [default: the same]
    #[arg(long, value_name = "FORMAT", value_parser = super::job::TABLE_FORMATS)]
    output_format: Option<String>,
    #[command(flatten)]
    kinds: KindArguments,
    /// Replace files that were not written by an earlier run
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    said: SummaryArguments,
    /// Do not write report.html
    #[arg(long, conflicts_with = "open")]
    no_report: bool,
    #[command(flatten)]
    page: PageArguments,
}

impl Run for Recluster {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut options = ReclusterOptions::new(&self.out);
        options.threshold = self.threshold;
        options.keep = self.keep.clone().map(Keep::from);
        options.format = self.output_format.as_deref().map(str::parse).transpose()?;
        options.remove_kinds = self.kinds.chosen();
        options.force = self.force;
        options.report = (!self.no_report).then(|| self.page.options());
        let is_replaced = self.out.join("summary.json").exists();
        let mut summary = lookalike::recluster(&self.result, &options)?;
        let (job, threshold) = (summary.parameters.job, summary.parameters.threshold);
        summary.notes.push(format!(
            "the cleaned corpus takes a new run: lookalike {} … -t {} --deduplicated FILE",
            job.name(),
            threshold.unwrap_or_default()
        ));
        let page = RunPage {
            summary: &summary,
            out: &self.out,
            deduplicated: None,
            annotated: None,
            is_replaced,
            is_verbose: false,
        };
        if self.said.json {
            page.print_json()?;
        } else if !self.said.quiet {
            page.print()?;
        }
        self.page.open(&self.out.join("report.html"))?;
        Ok(ExitCode::SUCCESS)
    }
}
