//! `lookalike index filter DIR [INPUT...]`.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use lookalike::index::{self, AddOptions, FilterOptions, Index, Reader};
use lookalike::{Request, Spec, Stream, StreamCounts};

use super::{exit_code, opening, tell_rejected, time, work_dir};
use crate::commands::Run;
use crate::options::{InputSettings, SecretSeed, Threads};
use crate::screen::thousands;

#[derive(Debug, Args)]
pub(super) struct Filter {
    /// Folder of the index
    index: PathBuf,
    /// Files, folders or quoted globs of any format; by default JSON Lines come from standard input, and are answered as
    /// they come
    inputs: Vec<String>,
    /// Write only records that are no duplicates
    #[arg(long, conflicts_with = "only_duplicates")]
    only_new: bool,
    /// Write only records that are duplicates
    #[arg(long)]
    only_duplicates: bool,
    /// Add what is new to the index, so that later records are checked against it, too
    #[arg(long)]
    learn: bool,
    /// With --learn: the label of what is added
    #[arg(long, requires = "learn")]
    label: Option<String>,
    /// With --learn: how long it matches, as in 30d
    #[arg(long, value_name = "SPAN", value_parser = time::span, requires = "learn")]
    expires: Option<u64>,
    /// With --learn: commit so often, in seconds; a crash loses what was learnt since
    #[arg(long, value_name = "SECONDS", default_value_t = 1, requires = "learn")]
    commit_after: u64,
    /// Also write the cluster that each record would join: the text it matches, or itself
    #[arg(long)]
    assign: bool,
    /// The time: what is expired then does not match, and what is learnt is added then [default: nothing is expired, and
    /// what is learnt is added now]
    #[arg(long, value_name = "TIME", value_parser = time::moment)]
    now: Option<u64>,
    /// No summary
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    input: InputSettings,
    #[command(flatten)]
    seed: SecretSeed,
    #[command(flatten)]
    threads: Threads,
}

impl Run for Filter {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let opening = opening(&self.seed)?;
        let options = FilterOptions::default().with(|options| {
            options.check.now = self.now;
            options.threads = self.threads.count();
            options.assign = self.assign;
        });
        let counts = if self.learn {
            let mut index = Index::open(&self.index, &opening)?;
            let now = self.now.unwrap_or_else(time::by_clock);
            let add = AddOptions::new(now).with(|add| {
                add.label.clone_from(&self.label);
                add.expires = self.expires.map(|span| now.saturating_add(span));
            });
            let spec = index.view().spec().clone();
            let every = Duration::from_secs(self.commit_after);
            let mut filter = index::Filter::learning(&mut index, &options, add, every)?;
            let counts = self.filter(spec, &mut filter);
            // Also what was learnt before an error, or before nobody wanted more.
            filter.finish()?;
            counts?
        } else {
            let reader = Reader::open(&self.index, &opening)?;
            let spec = reader.view()?.spec().clone();
            let mut filter = index::Filter::following(&reader, &options)?;
            self.filter(spec, &mut filter)?
        };
        if !self.quiet {
            let [records, duplicates, new] = [
                counts.records,
                counts.duplicates,
                counts.records - counts.duplicates,
            ]
            .map(thousands);
            let _ = writeln!(
                anstream::stderr(),
                "{records} records, {duplicates} duplicates, {new} new"
            );
        }
        tell_rejected(counts.rejected, counts.first_rejected.as_ref());
        Ok(exit_code(counts.rejected))
    }
}

impl Filter {
    fn filter(
        &self,
        mut spec: Spec,
        filter: &mut index::Filter<'_>,
    ) -> anyhow::Result<StreamCounts> {
        self.input.apply(&mut spec)?;
        let stream = match (self.only_new, self.only_duplicates) {
            (true, _) => Stream::New,
            (_, true) => Stream::Duplicates,
            _ => Stream::All,
        };
        let mut out = BufWriter::new(std::io::stdout().lock());
        let is_lines = spec
            .input
            .format
            .as_deref()
            .is_none_or(|format| format == "jsonl");
        if self.inputs.is_empty() && is_lines {
            return Ok(stream.lines(&spec, filter, std::io::stdin(), &mut out)?);
        }
        let inputs = match self.inputs.as_slice() {
            [] => vec!["-".to_string()],
            inputs => inputs.to_vec(),
        };
        let work = work_dir()?;
        let request = Request::new(spec, inputs);
        let counts = stream.files(&request, filter, work.path(), &mut out)?;
        out.flush()?;
        Ok(counts)
    }
}
