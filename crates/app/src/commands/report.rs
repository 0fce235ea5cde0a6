//! `lookalike report [DIR]`: the page that shows a result, made again.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::Args;
use lookalike::finished::Finished;
use lookalike::io::{OutputFile, Replaceable, replace_page, result_files, stands_for};
use lookalike::{ReportOptions, has_texts};
use serde_json::json;

use super::Run;
use crate::screen::safe;
use crate::wording::with_options;

/// What a page begins with.
const GENERATOR: &str = "<meta name=\"generator\" content=\"lookalike\">";

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Folder of a finished result
    #[arg(default_value = "lookalike-out", value_name = "DIR")]
    result: PathBuf,
    /// Show what changed from this other result to the one in DIR
    #[arg(long, value_name = "OTHER")]
    with: Option<PathBuf>,
    /// Write the page to this file [default: report.html in DIR]
    #[arg(long = "out", alias = "output", short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object with the path of the page
    #[arg(long)]
    json: bool,
    /// Replace a file that was not written by an earlier run, or a page with texts by one without them
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    page: PageArguments,
}

/// What is in a page, for every command that makes one.
#[derive(Debug, Clone, Args)]
pub(crate) struct PageArguments {
    /// Put at most N clusters, and about as many pairs, into the report
    #[arg(long, default_value_t = 2000, value_name = "N")]
    report_limit: usize,
    /// Replace ids, titles and sources in the report with made-up names
    #[arg(long)]
    anonymous: bool,
    /// Open the report in a browser
    #[arg(long)]
    open: bool,
}

impl PageArguments {
    pub(crate) fn options(&self) -> ReportOptions {
        ReportOptions {
            limit: self.report_limit,
            anonymous: self.anonymous,
        }
    }

    /// Opens the page, if that is wanted.
    pub(crate) fn open(&self, page: &Path) -> anyhow::Result<()> {
        if self.open {
            open(page).with_context(|| {
                format!("cannot open a browser; open {} in one", page.display())
            })?;
        }
        Ok(())
    }
}

impl Run for Report {
    fn run(&self) -> anyhow::Result<ExitCode> {
        // What is wrong with it is known before the work.
        let file = self.output.as_deref().map(|path| self.output_file(path));
        let file = file.transpose()?;
        let page = lookalike::report(&self.result, self.with.as_deref(), &self.page.options())?;
        let in_result = || self.result.join("report.html");
        let place = self.output.clone().unwrap_or_else(in_result);
        if let Some(why) = page.without_texts.as_ref().filter(|_| !self.force) {
            check_texts_stay(&place, why)?;
        }
        let path = match file {
            Some(file) => {
                file.write(|out| out.write_all(page.html.as_bytes()))?;
                file.path().to_path_buf()
            }
            None => {
                let journal = self.result.join(".lookalike").join("replaceable.json");
                let mut replaceable = Replaceable::new(&self.result, journal);
                if self.force {
                    replaceable = replaceable.with_anything();
                }
                replace_page(&self.result, &page.html, &replaceable)?;
                place
            }
        };
        self.page.open(&path)?;
        if !lookalike::io::is_standard_output(&path) {
            let path = path.display().to_string();
            let line = match self.json {
                true => json!({ "report": path, "without_texts": page.without_texts }).to_string(),
                false => format!("report            {}", safe(path)),
            };
            writeln!(anstream::stdout(), "{line}")?;
        }
        if let Some(why) = page.without_texts.filter(|_| !self.json) {
            let why = safe(with_options(&why));
            writeln!(
                anstream::stderr(),
                "warning: the report has no texts: {why}"
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Report {
    /// The file for the page: none that the page is made of.
    fn output_file(&self, path: &Path) -> anyhow::Result<OutputFile> {
        let results = [Some(&self.result), self.with.as_ref()];
        let mut read = Vec::new();
        for result in results.into_iter().flatten() {
            let files = result_files().filter(|name| name != "report.html");
            read.extend(files.map(|name| result.join(name)));
            let summary = Finished::open(result)?.summary;
            let inputs = summary.inputs.iter().chain(&summary.against);
            let mut inputs = inputs.filter(|name| stands_for(name, path));
            read.extend(inputs.next().map(|_| path.to_path_buf()));
        }
        let is_ours = |beginning: &str| self.force || beginning.contains(GENERATOR);
        let read = read.iter().map(PathBuf::as_path);
        Ok(OutputFile::new(path, read, is_ours)?)
    }
}

/// Ends with an error if there is a page with texts where one without them would be written.
fn check_texts_stay(place: &Path, why: &str) -> anyhow::Result<()> {
    if std::fs::read_to_string(place).is_ok_and(|before| has_texts(&before)) {
        bail!(
            "{} has texts, and a new one would have none: {why}; write the new one elsewhere with --out FILE, or replace the \
             old one with --force",
            place.display()
        );
    }
    Ok(())
}

/// Opens a page in the browser that `BROWSER` names, or in that of the system.
fn open(page: &Path) -> std::io::Result<()> {
    let browser = std::env::var_os("BROWSER").filter(|name| !name.is_empty());
    let mut command = match browser {
        Some(browser) => Command::new(browser),
        None if cfg!(target_os = "macos") => Command::new("open"),
        None if cfg!(windows) => Command::new("explorer"),
        None => Command::new("xdg-open"),
    };
    let page = page.canonicalize()?;
    command
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().map(|_| ())
}
