//! `lookalike completions SHELL`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use clap_complete::{Shell, generate};

use super::Run;

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Shell to print the script for
    shell: Shell,
}

impl Run for Completions {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        generate(self.shell, &mut super::program(), "lookalike", &mut script);
        std::io::stdout().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
