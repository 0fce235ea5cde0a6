//! `lookalike index add DIR INPUT...`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lookalike::index::{AddOptions, Index};
use lookalike::{Request, add_files};

use super::{exit_code, opening, tell_rejected, time, work_dir};
use crate::commands::Run;
use crate::options::{InputSettings, SecretSeed, Threads};
use crate::screen::{self, thousands};

#[derive(Debug, Args)]
pub(super) struct Add {
    /// Folder of the index
    index: PathBuf,
    /// Files, folders or quoted globs; - reads standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Label of these texts, as in spam
    #[arg(long)]
    label: Option<String>,
    /// How long they match, as in 30d or 12h; see compact [default: for ever]
    #[arg(long, value_name = "SPAN", value_parser = time::span)]
    expires: Option<u64>,
    /// When they are added: now, seconds since 1970 or a date as in 2026-01-31
    #[arg(long, value_name = "TIME", default_value = "now", value_parser = time::moment)]
    now: u64,
    /// Commit after so many texts: what is committed survives a crash, what is not is not in the index
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    commit_every: usize,
    /// No summary
    #[arg(long, short)]
    quiet: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
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
        let files = add_files(&mut index, &request, &options, work.path(), &mut |_| {})?;
        let added = files.added;
        if self.json {
            screen::print(&format!("{}\n", serde_json::to_string(&files)?))?;
        } else if !self.quiet {
            let mut page = String::new();
            screen::line(&mut page, "added", thousands(added.added));
            if added.replaced > 0 {
                screen::line(
                    &mut page,
                    "replaced",
                    format!("{} of them", thousands(added.replaced)),
                );
            }
            if added.too_short > 0 {
                screen::line(&mut page, "too short", thousands(added.too_short));
            }
            if added.without_keys > 0 {
                let keyless = thousands(added.without_keys);
                screen::line(
                    &mut page,
                    "not found",
                    format!("{keyless} have too few words to be found by"),
                );
            }
            screen::line(&mut page, "in the index", thousands(index.view().len()));
            screen::print(&page)?;
        }
        tell_rejected(files.rejected, files.first_rejected.as_ref());
        Ok(exit_code(files.rejected))
    }
}
