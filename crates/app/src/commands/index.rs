//! `lookalike index`: texts on disk, found again by what is similar to them.

mod add;
mod change;
mod check;
mod create;
mod filter;
mod time;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use lookalike::index::{OpenOptions, View};
use lookalike::io::Rejection;
use lookalike::kernel::{nearest, record::list};
use lookalike::{SeedSpec, Spec};

use super::Run;
use crate::options::SecretSeed;
use crate::screen::{self, counted};

#[derive(Debug, Args)]
pub(crate) struct Index {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Create an index and fix its settings
    Create(Box<create::Create>),
    /// Add texts; a record whose id is already in the index replaces the old text
    Add(Box<add::Add>),
    /// Show the stored texts that are similar to a text
    Check(Box<check::Check>),
    /// Copy a stream, marking each record that is similar to one in the index
    Filter(Box<filter::Filter>),
    /// Remove texts by id or by label
    Remove(change::Remove),
    /// Add all texts of another index with the same settings
    Merge(change::Merge),
    /// Rewrite the index without removed and expired texts, to free the space they take up
    Compact(change::Compact),
    /// Show what is in an index
    Stats(change::Stats),
}

impl Run for Index {
    fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.action {
            Action::Create(create) => create.run(),
            Action::Add(add) => add.run(),
            Action::Check(check) => check.run(),
            Action::Filter(filter) => filter.run(),
            Action::Remove(remove) => remove.run(),
            Action::Merge(merge) => merge.run(),
            Action::Compact(compact) => compact.run(),
            Action::Stats(stats) => stats.run(),
        }
    }
}

/// How an index with a secret seed is opened.
fn opening(seed: &SecretSeed) -> anyhow::Result<OpenOptions> {
    let mut spec = Spec::default();
    seed.apply(&mut spec)?;
    let secret = match spec.seed {
        secret @ SeedSpec::Secret(_) => Some(secret),
        _ => None,
    };
    Ok(OpenOptions::default().with(|options| options.seed = secret))
}

/// Ends with an error where no text was ever added under a label: then it is misspelt.
fn check_label(view: &View, label: &str) -> anyhow::Result<()> {
    const LISTED: usize = 20;
    let labels = view.labels();
    if labels.iter().any(|known| known == label) {
        return Ok(());
    }
    if labels.is_empty() {
        bail!("no text has the label \"{label}\": the index has no labels");
    }
    let meant = nearest(label, labels.iter().map(String::as_str));
    let meant = meant.map(|meant| format!(" (did you mean \"{meant}\"?)"));
    let (meant, labels) = (meant.unwrap_or_default(), list(labels, LISTED));
    bail!("no text has the label \"{label}\"{meant}; the labels in the index are: {labels}")
}

/// A folder for what must be copied or converted before it can be read.
fn work_dir() -> anyhow::Result<tempfile::TempDir> {
    tempfile::tempdir().context("cannot create a folder for temporary files")
}

/// What scripts rely on: finished, but records were rejected.
fn exit_code(rejected: u64) -> ExitCode {
    match rejected {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(3),
    }
}

/// Tells which field was taken for the texts, where none was named.
fn tell_note(note: Option<&String>) {
    if let Some(note) = note {
        let note = screen::safe_lines(&crate::wording::with_options(note));
        let _ = writeln!(anstream::stderr(), "warning: {note}");
    }
}

/// How many records could not be used, and why the first could not.
fn tell_rejected(rejected: u64, first: Option<&Rejection>) {
    let Some(first) = first else {
        return;
    };
    let place = match first.line {
        Some(line) => format!("{}:{line}", first.source),
        None => first.source.clone(),
    };
    let reason = crate::wording::with_options(&first.reason);
    let records = counted(rejected, "record");
    let message = format!("{records} could not be used; the first is {place}: {reason}");
    let message = screen::safe_lines(&message);
    let _ = writeln!(anstream::stderr(), "warning: {message}");
}
