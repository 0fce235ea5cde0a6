//! `lookalike index remove`, `merge`, `compact` and `stats`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lookalike::index::{Id, Index, Reader};

use super::{opening, time};
use crate::commands::Run;
use crate::options::SecretSeed;
use crate::screen::{self, line, thousands};
use crate::wording::Usage;

#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Folder of the index
    index: PathBuf,
    /// Ids of the texts to remove
    #[arg(required_unless_present = "label")]
    ids: Vec<String>,
    /// Remove all texts with this label
    #[arg(long, conflicts_with = "ids")]
    label: Option<String>,
    /// No summary
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    seed: SecretSeed,
}

impl Run for Remove {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut index = Index::open(&self.index, &opening(&self.seed)?)?;
        let removed = match &self.label {
            Some(label) => index.remove_label(label)?,
            None => {
                // 7 may be a number or a string of one digit.
                let both = |id: &String| {
                    let number = Id::from_json(id).filter(|id| matches!(id, Id::Number(_)));
                    [Some(Id::Text(id.clone())), number]
                };
                let ids: Vec<Id> = self.ids.iter().flat_map(both).flatten().collect();
                index.remove(&ids)?
            }
        };
        if !self.quiet {
            let left = thousands(index.view().len());
            screen::print(&format!("{} removed, {left} left\n", thousands(removed)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Folder of the index that takes the texts
    index: PathBuf,
    /// Folder of the index that they are in
    other: PathBuf,
    /// No summary
    #[arg(long, short)]
    quiet: bool,
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
        if !self.quiet {
            let all = thousands(index.view().len());
            let (added, replaced) = (thousands(added.added), thousands(added.replaced));
            screen::print(&format!(
                "{added} added, of which {replaced} replace one with the same id; {all} in the index\n"
            ))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(super) struct Compact {
    /// Folder of the index
    index: PathBuf,
    /// Remove what is expired at this time: now, seconds since 1970 or a date as in 2026-01-31
    #[arg(long, value_name = "TIME", default_value = "now", value_parser = time::moment)]
    now: u64,
    /// No summary
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    seed: SecretSeed,
}

impl Run for Compact {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut index = Index::open(&self.index, &opening(&self.seed)?)?;
        let before = index.view().stats(None)?.file_bytes;
        let compacted = index.compact(Some(self.now))?;
        if !self.quiet {
            let stats = index.view().stats(None)?;
            let mut page = String::new();
            line(&mut page, "texts", thousands(stats.documents));
            line(&mut page, "expired", thousands(compacted.expired));
            line(&mut page, "removed before", thousands(compacted.removed));
            line(
                &mut page,
                "bytes",
                format!("{} → {}", thousands(before), thousands(stats.file_bytes)),
            );
            screen::print(&page)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(super) struct Stats {
    /// Folder of the index
    index: PathBuf,
    /// Count what is expired at this time: now, seconds since 1970 or a date as in 2026-01-31
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
        line(&mut page, "job", &stats.job);
        line(&mut page, "found by", &stats.keys_method);
        line(&mut page, "texts", thousands(stats.documents));
        for (label, count) in &stats.labels {
            let label = match label.as_str() {
                "" => "without a label".to_string(),
                label => screen::safe(label),
            };
            line(&mut page, "", format!("{} {label}", thousands(*count)));
        }
        line(
            &mut page,
            "removed",
            format!("{}, until the next compact", thousands(stats.removed)),
        );
        if self.now.is_some() {
            line(&mut page, "expired", thousands(stats.expired));
        }
        if stats.least_characters > 0 {
            line(
                &mut page,
                "least length",
                format!("{} characters", stats.least_characters),
            );
        }
        line(&mut page, "keys", thousands(stats.keys));
        line(&mut page, "segments", stats.segments);
        line(&mut page, "bytes", thousands(stats.file_bytes));
        line(&mut page, "fingerprint", &stats.fingerprint);
        line(&mut page, "format", stats.format);
        screen::print(&page)?;
        Ok(ExitCode::SUCCESS)
    }
}
