//! `lookalike man DIR`: a manual page for the program and for each of its commands.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap_mangen::Man;

use super::Run;

#[derive(Debug, Args)]
pub(crate) struct ManPages {
    /// Folder for the pages, as in ~/.local/share/man/man1
    folder: PathBuf,
}

impl Run for ManPages {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let folder = self.folder.display();
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot create {folder}"))?;
        self.write("lookalike", super::program())?;
        Ok(ExitCode::SUCCESS)
    }
}

impl ManPages {
    /// Writes the page of a command, called as in `lookalike lexicon build`, and those of the commands below it.
    fn write(&self, called: &str, command: clap::Command) -> anyhow::Result<()> {
        for below in command.get_subcommands() {
            self.write(&format!("{called} {}", below.get_name()), below.clone())?;
        }
        let name = called.replace(' ', "-");
        let mut page = Vec::new();
        // A page has everything, also what is on no short page of help.
        let command = command
            .display_name(&name)
            .bin_name(called)
            .mut_args(|arg| arg.hide_short_help(false));
        Man::new(command).render(&mut page)?;
        let path = self.folder.join(format!("{name}.1"));
        fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))
    }
}
