//! `lookalike index filter DIR [INPUT...]`.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use lookalike::index::{self, AddOptions, FilterOptions, Index, Reader};
use lookalike::{Request, Spec, Stoppable, Stream, StreamCounts};

use super::time::{self, Time};
use super::{exit_code, opening, tell_note, tell_rejected, work_dir};
use crate::commands::Run;
use crate::kind_options::KindArguments;
use crate::options::{InputSettings, SecretSeed, Threads};
use crate::progress::stop_flag;
use crate::screen::thousands;

#[derive(Debug, Args)]
pub(super) struct Filter {
    /// Folder of the index
    index: PathBuf,
    /// Files, folders or quoted globs of any format; without them, JSON Lines are read from standard input, and each line is
    /// answered as it arrives. Lines of JSON keep all their fields, and so do rows of CSV and Parquet, mails and web pages; of
    /// plain text, the id and the text are written
    inputs: Vec<String>,
    /// Write only records that are not duplicates
    #[arg(long, conflicts_with = "only_duplicates")]
    only_new: bool,
    /// Write only records that are duplicates
    #[arg(long)]
    only_duplicates: bool,
    /// Add new records to the index, so that later records are checked against them as well
    #[arg(long)]
    learn: bool,
    /// With --learn: label for the records added
    #[arg(long, requires = "learn")]
    label: Option<String>,
    /// With --learn: how long the records added should match, as in 30d
    #[arg(long, value_name = "SPAN", value_parser = time::span, requires = "learn")]
    expires: Option<u64>,
    /// With --learn: seconds between commits; a crash loses what was learnt since the last one
    #[arg(long, value_name = "SECONDS", default_value_t = 1, requires = "learn")]
    commit_after: u64,
    /// Also write the cluster that each record joins: that of the text it matches, or a new one
    #[arg(long)]
    assign: bool,
    /// Ignore texts that have expired by this time, and record it as the time of adding: now, which is the time when a record
    /// arrives, seconds since 1970, or a date as in 2026-01-31 [default: nothing expires, and records are added now]
    #[arg(long, value_name = "TIME", value_parser = time::time)]
    now: Option<Time>,
    /// Do not show the summary
    #[arg(long, short)]
    quiet: bool,
    /// Print the summary as JSON, to standard error: standard output is for the records
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    kinds: KindArguments,
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
            options.check.now = self.now.map(Time::seconds);
            options.clock = match self.now {
                Some(Time::Fixed(_)) => None,
                Some(Time::Clock) | None => Some(time::by_clock),
            };
            options.threads = self.threads.count();
            options.assign = self.assign;
            options.remove_kinds = self.kinds.chosen();
        });
        let counts = if self.learn {
            let mut index = Index::open(&self.index, &opening)?;
            let now = self.now.unwrap_or(Time::Clock).seconds();
            let add = AddOptions::new(now).with(|add| {
                add.label.clone_from(&self.label);
                add.expires = self.expires.map(|span| now.saturating_add(span));
            });
            let spec = index.view().spec().clone();
            let every = Duration::from_secs(self.commit_after);
            let mut filter = index::Filter::learning(&mut index, &options, add, every)?;
            let counts = self.filter(spec, &mut filter);
            // Also what was learnt before an error, or before nobody wanted more.
            filter.commit()?;
            counts?
        } else {
            let reader = Reader::open(&self.index, &opening)?;
            let spec = reader.view()?.spec().clone();
            let mut filter = index::Filter::following(&reader, &options)?;
            self.filter(spec, &mut filter)?
        };
        let rejected = exit_code(counts.rejected);
        if self.json {
            // All of it is one object: no line of another kind may come before or after it.
            let counts = serde_json::to_string(&counts)?;
            let _ = writeln!(anstream::stderr(), "{counts}");
            return Ok(rejected);
        }
        tell_note(counts.note.as_ref());
        if !self.quiet {
            tell_counts(&counts, self.learn);
        }
        tell_rejected(counts.rejected, counts.first_rejected.as_ref());
        Ok(rejected)
    }
}

/// Prints what became of the stream.
fn tell_counts(counts: &StreamCounts, learns: bool) {
    let new = counts.records - counts.duplicates;
    let [records, duplicates, new] = [counts.records, counts.duplicates, new].map(thousands);
    let mut told = format!("{records} records: {duplicates} duplicates, {new} new");
    if counts.replaced > 0 {
        let replaced = thousands(counts.replaced);
        told.push_str(&format!(
            ", {replaced} of them in place of a text with the same id"
        ));
    }
    if counts.stopped {
        told.push_str(match learns {
            true => "; stopped, and everything answered so far is in the index",
            false => "; stopped",
        });
    }
    let _ = writeln!(anstream::stderr(), "{told}");
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
            let stop = stop_flag();
            let is_stopped = &|| stop.load(Ordering::Relaxed);
            let filter = Stoppable { filter, is_stopped };
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
