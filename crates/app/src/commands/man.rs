//! `lookalike man DIR`: a manual page for the program and for each of its commands.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap_mangen::Man;
use lookalike::io::OutputFile;

use super::Run;

#[derive(Debug, Args)]
pub(crate) struct ManPages {
    /// Folder for the pages, as in ~/.local/share/man/man1
    folder: PathBuf,
}

/// A page that is written, and where.
type Page = (OutputFile, Vec<u8>);

impl Run for ManPages {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut pages = Vec::new();
        self.make("lookalike", super::program(), &mut pages)?;
        let folder = self.folder.display();
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot create {folder}"))?;
        for (file, page) in pages {
            file.write(|out| out.write_all(&page))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl ManPages {
    /// Makes the page of a command, called as in `lookalike lexicon build`, and those of the commands below it.
    fn make(
        &self,
        called: &str,
        command: clap::Command,
        pages: &mut Vec<Page>,
    ) -> anyhow::Result<()> {
        for below in command.get_subcommands() {
            let called = format!("{called} {}", below.get_name());
            self.make(&called, below.clone(), pages)?;
        }
        let name = called.replace(' ', "-");
        let mut page = Vec::new();
        // A page has everything, also what is on no short page of help.
        let command = command
            .display_name(&name)
            .bin_name(called)
            .mut_args(|arg| arg.hide_short_help(false));
        Man::new(command).render(&mut page)?;
        let title = format!(".TH {name} ");
        let path = self.folder.join(format!("{name}.1"));
        let file = OutputFile::new(&path, [], |beginning| beginning.contains(&title))?;
        pages.push((file, page));
        Ok(())
    }
}
