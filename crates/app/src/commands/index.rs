//! `lookalike index`: texts on disk, found again by what is similar to them.

mod add;
mod change;
mod check;
mod create;
mod filter;
mod time;

use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use lookalike::index::OpenOptions;
use lookalike::io::Rejection;
use lookalike::{SeedSpec, Spec};

use super::Run;
use crate::options::SecretSeed;

#[derive(Debug, Args)]
pub(crate) struct Index {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make an index and fix its settings
    Create(Box<create::Create>),
    /// Add texts; one whose id is known replaces what is there
    Add(Box<add::Add>),
    /// Look up what is similar to a text
    Check(Box<check::Check>),
    /// Write a stream on, each record with what the index has that is similar to it
    Filter(Box<filter::Filter>),
    /// Remove texts by their ids or by a label
    Remove(change::Remove),
    /// Add all texts of another index that has the same settings
    Merge(change::Merge),
    /// Write the index anew without what was removed, and give the room back
    Compact(change::Compact),
    /// Show what an index holds
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

/// A folder for what must be copied or converted before it can be read.
fn work_dir() -> anyhow::Result<tempfile::TempDir> {
    tempfile::tempdir().context("cannot make a folder for temporary files")
}

/// What scripts rely on: finished, but records were rejected.
fn exit_code(rejected: u64) -> ExitCode {
    match rejected {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(3),
    }
}

/// How many records could not be used, and why the first could not.
fn tell_rejected(rejected: u64, first: Option<&Rejection>) {
    use std::io::Write;
    let Some(first) = first else {
        return;
    };
    let place = match first.line {
        Some(line) => format!("{}:{line}", first.source),
        None => first.source.clone(),
    };
    let reason = crate::wording::with_options(&first.reason);
    let message = format!("{rejected} records could not be used; the first, {place}: {reason}");
    let message = crate::screen::safe_lines(&message);
    let _ = writeln!(anstream::stderr(), "warning: {message}");
}
