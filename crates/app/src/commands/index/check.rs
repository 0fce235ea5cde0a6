//! `lookalike index check DIR TEXT`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use lookalike::index::{
    CheckOptions, Checked, Id, Match, Reader, SharedTexts, Suggestion, Text, View,
};
use lookalike::{Spec, read_record, read_text};
use serde_json::json;

use super::{check_label, opening, time};
use crate::commands::Run;
use crate::options::{InputSettings, SecretSeed};
use crate::screen::{self, safe};
use crate::wording::Usage;

#[derive(Debug, Args)]
pub(super) struct Check {
    /// Folder of the index
    index: PathBuf,
    /// File with the text, a record in a file (as in pages.jsonl#7), or - for standard input
    #[arg(required_unless_present = "text", conflicts_with = "text")]
    file: Option<String>,
    /// The text itself; for threads, the question
    #[arg(long)]
    text: Option<String>,
    /// Show at most K matches [default: 10]; of threads, the K most similar ones even if they are below the threshold
    #[arg(long, value_name = "K")]
    top: Option<usize>,
    /// Compare every candidate and show every match
    #[arg(long, conflicts_with = "top")]
    all: bool,
    /// Show how each match was found, and its text
    #[arg(long)]
    explain: bool,
    /// Look only at texts with this label
    #[arg(long)]
    label: Option<String>,
    /// Ignore texts that have expired by this time: now, seconds since 1970, or a date as in 2026-01-31
    #[arg(long, value_name = "TIME", value_parser = time::moment)]
    now: Option<u64>,
    /// Print one JSON object instead of a page
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputSettings,
    #[command(flatten)]
    seed: SecretSeed,
}

impl Run for Check {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let reader = Reader::open(&self.index, &opening(&self.seed)?)?;
        let view = reader.view()?;
        let mut spec = view.spec().clone();
        self.input.apply(&mut spec)?;
        let text = self.given_text(&spec)?;
        if let Some(label) = &self.label {
            check_label(&view, label)?;
        }
        let options = self.options(&view);
        let mut checker = view.checker()?;
        let page = if spec.job.suggests() && self.top.is_some() {
            if self.explain {
                let problem = "--explain shows the keys by which matches were found, but --top finds threads by their words, whatever their keys; leave one of the two out";
                return Err(Usage(problem.to_string()).into());
            }
            let found = checker.suggest(&view, &text, &options)?;
            self.shown(&json!({ "suggestions": found }), || suggestions(&found))
        } else if spec.job.locates_passages() {
            if self.explain {
                let problem = "--explain shows keys, but an index of passages is not searched by its keys alone; leave it out: the passages found are shown anyway";
                return Err(Usage(problem.to_string()).into());
            }
            let found = checker.passages(&view, &text, &options)?;
            self.shown(&serde_json::to_value(&found)?, || {
                passages(&found, &self.index)
            })
        } else {
            let found = checker.check(&view, &text, &options)?;
            let may_suggest = spec.job.suggests();
            self.shown(&serde_json::to_value(&found)?, || {
                matches(&found, may_suggest)
            })
        };
        screen::print(&page)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Check {
    fn given_text(&self, spec: &Spec) -> anyhow::Result<Text> {
        let has_fields = !spec.compared_fields().is_empty();
        Ok(match (&self.text, &self.file) {
            (Some(text), _) if has_fields => Text::of_fields(&[text]),
            (Some(text), _) => Text::whole(text.clone()),
            (None, Some(file)) if has_fields => read_record(spec, file)?,
            (None, file) => Text::whole(read_text(spec, file.as_deref().unwrap_or("-"))?),
        })
    }

    fn options(&self, view: &View) -> CheckOptions {
        let mut options = match self.all {
            true => CheckOptions::all(),
            false => CheckOptions::default(),
        };
        options = options.with(|options| {
            options.top = self.top.unwrap_or(options.top);
            options.now = self.now;
            options.explain = self.explain;
        });
        match &self.label {
            Some(label) => options.with_label(view, label),
            None => options,
        }
    }

    fn shown(&self, object: &serde_json::Value, page: impl FnOnce() -> String) -> String {
        match self.json {
            true => format!("{object}\n"),
            false => page(),
        }
    }
}

fn matches(found: &Checked, may_suggest: bool) -> String {
    let mut page = String::new();
    if found.matches.is_empty() {
        page += match may_suggest {
            true => "nothing reaches the threshold; --top 5 shows the five most similar threads\n",
            false => "nothing similar\n",
        };
    }
    for found in &found.matches {
        page += &one_match(found);
    }
    page + cut(found.cut)
}

fn one_match(found: &Match) -> String {
    let similarity = match found.similarity {
        Some(similarity) => format!("{similarity:.3}"),
        None => "same digest, not compared".to_string(),
    };
    let id = called(&found.id);
    let kind = found.kind.map(|kind| format!("  {kind}"));
    let kind = kind.unwrap_or_default();
    let added = time::shown(found.added);
    let mut page = format!("{similarity}  {id}{kind}  added {added}");
    if let Some(label) = &found.label {
        let _ = write!(page, "  label {}", safe(label));
    }
    if let Some(expires) = found.expires {
        let _ = write!(page, "  until {}", time::shown(expires));
    }
    page.push('\n');
    if let Some(explanation) = &found.explanation {
        let (common, stored, queried) = (
            explanation.common.len(),
            explanation.stored.len(),
            explanation.queried.len(),
        );
        let _ = writeln!(
            page,
            "       {common} {} keys in common (this text has {queried}, the stored one {stored}): {}",
            explanation.method,
            explanation.common.join(" ")
        );
        if let (Some(measure), Some(threshold)) = (&explanation.measure, explanation.threshold) {
            let _ = writeln!(
                page,
                "       compared by {measure}; the threshold is {threshold}"
            );
        }
        let _ = writeln!(
            page,
            "       stored text: {}",
            screen::safe_lines(&explanation.stored_text)
        );
    }
    page
}

fn passages(found: &SharedTexts, index: &Path) -> String {
    let mut page = String::new();
    if found.texts.is_empty() {
        let index = index.display();
        let _ = writeln!(
            page,
            "no stored text shares a passage in nearly the same words; reworded ones are found by: lookalike passages FILE --against {index}"
        );
    }
    for text in &found.texts {
        let id = called(&text.id);
        let (covered, stored) = (100.0 * text.covered, 100.0 * text.covered_stored);
        let relation = &text.relation;
        let _ = writeln!(
            page,
            "{id}  {relation}: {covered:.0} % of this text, {stored:.0} % of the stored one"
        );
        for passage in &text.passages {
            let _ = writeln!(
                page,
                "       {:.3}  characters {}–{}, stored {}–{}",
                passage.similarity,
                passage.begin,
                passage.end,
                passage.stored_begin,
                passage.stored_end
            );
        }
    }
    page + cut(found.cut)
}

fn suggestions(found: &[Suggestion]) -> String {
    let mut page = String::new();
    for suggestion in found {
        let (id, title) = (called(&suggestion.id), safe(&suggestion.title));
        let _ = writeln!(page, "{:.3}  {id}  {title}", suggestion.similarity);
    }
    match page.is_empty() {
        true => "nothing similar\n".to_string(),
        false => page,
    }
}

/// An id as people write it, without quotes.
fn called(id: &Id) -> String {
    match id {
        Id::Text(id) | Id::Number(id) => safe(id),
    }
}

fn cut(cut: bool) -> &'static str {
    match cut {
        true => "more matches are possible; --all lists them all\n",
        false => "",
    }
}
