//! `lookalike completions SHELL`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use clap_complete::{Shell, generate};

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell to complete in
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, program: &mut clap::Command) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        generate(self.shell, program, "lookalike", &mut script);
        std::io::stdout().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
