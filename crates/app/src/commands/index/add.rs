//! `lookalike index add DIR INPUT...`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lookalike::index::{AddOptions, Added, Index};
use lookalike::{Request, Stage, add_files};

use super::{exit_code, opening, tell_note, tell_rejected, time, work_dir};
use crate::commands::Run;
use crate::options::{InputSettings, SecretSeed, SummaryArguments, Threads};
use crate::progress;
use crate::screen::{self, thousands};

#[derive(Debug, Args)]
pub(super) struct Add {
    /// Folder of the index
    index: PathBuf,
    /// Files, folders or quoted globs; - reads standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Label for these texts, such as spam
    #[arg(long)]
    label: Option<String>,
    /// How long these texts should match, as in 30d or 12h; see compact [default: for ever]
    #[arg(long, value_name = "SPAN", value_parser = time::span)]
    expires: Option<u64>,
    /// Record this as the time of adding: now, seconds since 1970, or a date as in 2026-01-31
    #[arg(long, value_name = "TIME", default_value = "now", value_parser = time::moment)]
    now: u64,
    /// Commit after every N texts; a crash loses only what came after the last commit
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    commit_every: usize,
    #[command(flatten)]
    summary: SummaryArguments,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    input: InputSettings,
    #[command(flatten)]
    seed: SecretSeed,
    #[command(flatten)]
    threads: Threads,
}

impl Run for Add {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut index = Index::open(&self.index, &opening(&self.seed)?)?;
        let mut spec = index.view().spec().clone();
        self.input.apply(&mut spec)?;
        let options = AddOptions::new(self.now).with(|options| {
            options.label.clone_from(&self.label);
            options.expires = self.expires.map(|span| self.now.saturating_add(span));
            options.threads = self.threads.count();
            options.commit_every = self.commit_every.max(1);
        });
        let work = work_dir()?;
        let request = Request::new(spec, &self.inputs);
        let files = progress::watched(self.summary.shown(), |observer| {
            // How much there is to add is not known before it is read.
            observer.begin(Stage::Sign, 0);
            let mut committed = |texts| observer.done(texts);
            add_files(&mut index, &request, &options, work.path(), &mut committed)
        })?;
        tell_note(files.note.as_ref());
        self.summary
            .print(&files, || page(files.added, index.view().len()))?;
        tell_rejected(files.rejected, files.first_rejected.as_ref());
        Ok(exit_code(files.rejected))
    }
}

fn page(added: Added, in_all: u64) -> String {
    let mut page = String::new();
    screen::line(&mut page, "added", thousands(added.added));
    if added.replaced > 0 {
        let replaced = thousands(added.replaced);
        let what = format!("{replaced} of these replaced a text with the same id");
        screen::line(&mut page, "", what);
    }
    if added.already_there > 0 {
        let known = format!("{}, not added again", thousands(added.already_there));
        screen::line(&mut page, "already there", known);
    }
    if added.too_short > 0 {
        let short = format!("{}, not added", thousands(added.too_short));
        screen::line(&mut page, "too short", short);
    }
    if added.without_keys > 0 {
        let keyless = thousands(added.without_keys);
        let what = format!("{keyless}, which contain too few words to be found");
        screen::line(&mut page, "never matching", what);
    }
    screen::line(&mut page, "in the index", thousands(in_all));
    page
}
