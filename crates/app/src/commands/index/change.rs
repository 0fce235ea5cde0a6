//! `lookalike index remove`, `merge`, `compact` and `stats`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use lookalike::index::{Id, Index, Reader, View};
use lookalike::kernel::{nearest, record::list};
use serde_json::json;

use super::{check_label, opening, time};
use crate::commands::Run;
use crate::options::{SecretSeed, SummaryArguments};
use crate::screen::{self, line, thousands};
use crate::wording::Usage;

#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Folder of the index
    index: PathBuf,
    /// Ids of the texts to remove, as in 7 or '"7"', where a number and a string look the same; or use --label
    ids: Vec<String>,
    /// Remove all texts with this label
    #[arg(long, conflicts_with = "ids")]
    label: Option<String>,
    #[command(flatten)]
    summary: SummaryArguments,
    #[command(flatten)]
    seed: SecretSeed,
}

impl Run for Remove {
    fn run(&self) -> anyhow::Result<ExitCode> {
        if self.ids.is_empty() && self.label.is_none() {
            let problem =
                "name the ids of the texts to remove, or all texts with a label by --label";
            return Err(Usage(problem.to_string()).into());
        }
        let mut index = Index::open(&self.index, &opening(&self.seed)?)?;
        let (mut missing, mut twins) = (Vec::new(), Vec::new());
        let removed = match &self.label {
            Some(label) => {
                check_label(index.view(), label)?;
                index.remove_label(label)?
            }
            None => {
                let mut there = Vec::new();
                for id in &self.ids {
                    let mut found = Vec::new();
                    for id in meanings(id) {
                        if index.view().get(&id)?.is_some() {
                            found.push(id);
                        }
                    }
                    if let [Id::Number(_), string] = found.as_slice() {
                        twins.push(string.clone());
                    }
                    match found.into_iter().next() {
                        Some(id) => there.push(id),
                        None => missing.push(id.as_str()),
                    }
                }
                index.remove(&there)?
            }
        };
        let left = index.view().len();
        self.summary
            .print(&json!({ "removed": removed, "left": left }), || {
                format!("{} removed, {} left\n", thousands(removed), thousands(left))
            })?;
        for id in twins.iter().filter(|_| !self.summary.quiet) {
            let note =
                format!("the text with the id {id}, a string, is still there; '{id}' removes it");
            let _ = writeln!(anstream::stderr(), "{}", screen::safe_lines(&note));
        }
        match missing.as_slice() {
            [] => Ok(ExitCode::SUCCESS),
            [only] => {
                let meant = nearest_id(index.view(), only)?;
                bail!("no text in the index has the id {only}{meant}")
            }
            several => bail!("no texts in the index have the ids {}", list(several, 20)),
        }
    }
}

/// What an id may mean, the likeliest first: 7 is a number, or a string of one digit where there is no such number. A string
/// may have quotes, as in JSON.
fn meanings(id: &str) -> Vec<Id> {
    let as_written = Id::Text(id.to_string());
    match Id::from_json(id) {
        Some(number @ Id::Number(_)) => vec![number, as_written],
        Some(quoted) => vec![as_written, quoted],
        None => vec![as_written],
    }
}

/// The id that was probably meant, where looking at all of them does not take long.
fn nearest_id(view: &View, id: &str) -> anyhow::Result<String> {
    const MOST: u64 = 100_000;
    let mut ids = Vec::new();
    if view.len() <= MOST {
        view.for_each(|document, _| {
            let (Id::Text(id) | Id::Number(id)) = document.id;
            ids.push(id);
            Ok(())
        })?;
    }
    let meant = nearest(id, ids.iter().map(String::as_str));
    let meant = meant.map(|meant| format!(" (did you mean {meant}?)"));
    Ok(meant.unwrap_or_default())
}

#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Folder of the index to add the texts to
    index: PathBuf,
    /// Folder of the index to take the texts from
    other: PathBuf,
    #[command(flatten)]
    summary: SummaryArguments,
    #[command(flatten)]
    seed: SecretSeed,
}

impl Run for Merge {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let opening = opening(&self.seed)?;
        let place = |folder: &PathBuf| folder.canonicalize().ok();
        if place(&self.index).is_some() && place(&self.index) == place(&self.other) {
            let problem = "an index cannot be merged with itself; name another one";
            return Err(Usage(problem.to_string()).into());
        }
        let mut index = Index::open(&self.index, &opening)?;
        let other = Reader::open(&self.other, &opening)?;
        let added = index.merge(&*other.view()?)?;
        let all = index.view().len();
        self.summary.print(&added, || {
            let [added, replaced, all] = [added.added, added.replaced, all].map(thousands);
            format!(
                "{added} added, {replaced} of which replaced a text with the same id; {all} in the index\n"
            )
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(super) struct Compact {
    /// Folder of the index
    index: PathBuf,
    /// Remove texts that have expired by this time: now, seconds since 1970, or a date as in 2026-01-31
    #[arg(long, value_name = "TIME", default_value = "now", value_parser = time::moment)]
    now: u64,
    #[command(flatten)]
    summary: SummaryArguments,
    #[command(flatten)]
    seed: SecretSeed,
}

impl Run for Compact {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut index = Index::open(&self.index, &opening(&self.seed)?)?;
        let before = index.view().stats(None)?.file_bytes;
        let compacted = index.compact(Some(self.now))?;
        let stats = index.view().stats(None)?;
        let done = json!({
            "documents": stats.documents,
            "expired": compacted.expired,
            "removed": compacted.removed,
            "bytes_before": before,
            "bytes": stats.file_bytes,
        });
        self.summary.print(&done, || {
            let mut page = String::new();
            line(&mut page, "texts", thousands(stats.documents));
            line(&mut page, "expired", thousands(compacted.expired));
            line(&mut page, "removed before", thousands(compacted.removed));
            let [before, after] = [before, stats.file_bytes].map(thousands);
            line(&mut page, "bytes", format!("{before} → {after}"));
            page
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(super) struct Stats {
    /// Folder of the index
    index: PathBuf,
    /// Count texts that have expired by this time: now, seconds since 1970, or a date as in 2026-01-31
    #[arg(long, value_name = "TIME", value_parser = time::moment)]
    now: Option<u64>,
    /// Print the settings as a configuration file
    #[arg(long)]
    print_config: bool,
    /// Print one JSON object instead of a page
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    seed: SecretSeed,
}

impl Run for Stats {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let reader = Reader::open(&self.index, &opening(&self.seed)?)?;
        let view = reader.view()?;
        if self.print_config {
            screen::print(view.settings())?;
            return Ok(ExitCode::SUCCESS);
        }
        let stats = view.stats(self.now)?;
        if self.json {
            screen::print(&format!("{}\n", serde_json::to_string(&stats)?))?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut page = String::new();
        line(&mut page, "for", &stats.job);
        line(&mut page, "keys", &stats.keys_method);
        line(&mut page, "texts", thousands(stats.documents));
        for (label, count) in &stats.labels {
            let label = match label.as_str() {
                "" => "without a label".to_string(),
                label => screen::safe(label),
            };
            line(&mut page, "", format!("{} {label}", thousands(*count)));
        }
        if stats.removed > 0 {
            let removed = thousands(stats.removed);
            let note = format!("{removed}, which take up space until the next compact");
            line(&mut page, "removed", note);
        }
        if self.now.is_some() {
            line(&mut page, "expired", thousands(stats.expired));
        }
        if stats.least_characters > 0 {
            line(
                &mut page,
                "minimum length",
                format!("{} characters", stats.least_characters),
            );
        }
        line(&mut page, "stored keys", thousands(stats.keys));
        line(&mut page, "segments", stats.segments);
        line(&mut page, "bytes", thousands(stats.file_bytes));
        line(&mut page, "fingerprint", &stats.fingerprint);
        line(&mut page, "format", stats.format);
        screen::print(&page)?;
        Ok(ExitCode::SUCCESS)
    }
}
