//! What a command says when it is done, and while it works.

use clap::Args;
use serde::Serialize;

use crate::progress::Shown;
use crate::screen;

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct SummaryArguments {
    /// Show neither the summary nor progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Show the summary but no progress
    #[arg(long)]
    no_progress: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl SummaryArguments {
    /// What is shown while the command works.
    pub(crate) fn shown(&self) -> Shown {
        match (self.quiet, self.no_progress) {
            (true, _) => Shown::Quiet,
            (_, true) => Shown::Notes,
            _ => Shown::Progress,
        }
    }

    /// Prints what was done, for a program or for a person, unless nobody wants to know.
    pub(crate) fn print(
        &self,
        done: &impl Serialize,
        page: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        if self.json {
            screen::print(&format!("{}\n", serde_json::to_string(done)?))?;
        } else if !self.quiet {
            screen::print(&page())?;
        }
        Ok(())
    }
}
