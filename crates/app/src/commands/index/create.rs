//! `lookalike index create DIR`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use lookalike::index::{CreateOptions, Index};
use lookalike::{CountOptions, Job, Observer, Request, Spec, count_words, jobs};

use super::work_dir;
use crate::commands::Run;
use crate::commands::job::defaults;
use crate::options::{PairOptions, Resources, SummaryArguments};
use crate::progress;
use crate::screen;

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Folder to create
    index: PathBuf,
    /// What the index is for: documents, messages, threads or passages [default: documents]
    #[arg(long, value_name = "JOB", value_parser = job)]
    job: Option<&'static dyn Job>,
    /// Use a named set of settings: mail for documents; paper for threads and messages
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// With --job threads: the fields to compare, the question first [default: title,body,answer]
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    fields: Vec<String>,
    /// Count how common words are in these files, for methods that need it; their texts are not stored
    #[arg(long, value_name = "INPUT", conflicts_with = "lexicon")]
    sample: Vec<String>,
    /// Do not add texts shorter than this, so that "test" never matches
    #[arg(
        long = "min-characters",
        alias = "least-characters",
        value_name = "N",
        default_value_t = 0
    )]
    least_characters: usize,
    #[command(flatten)]
    summary: SummaryArguments,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    settings: PairOptions,
    #[command(flatten)]
    resources: Resources,
}

/// For clap: a job of which there can be an index.
fn job(name: &str) -> Result<&'static dyn Job, String> {
    match name {
        "documents" | "messages" | "threads" | "passages" => {
            jobs::named(name).ok_or_else(|| name.to_string())
        }
        _ => Err("use documents, messages, threads or passages".to_string()),
    }
}

impl Run for Create {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let job = self.job.unwrap_or(jobs::DOCUMENTS);
        let defaults = defaults(job, self.preset.as_deref())?;
        let mut spec = match self.job {
            Some(_) => self.settings.apply_for_job(defaults)?,
            None => self.settings.apply(defaults)?,
        };
        if !self.fields.is_empty() {
            spec.input.fields.clone_from(&self.fields);
        }
        let vocabulary = self.vocabulary(&spec)?;
        let options = CreateOptions::default().with(|options| {
            options.vocabulary = vocabulary;
            options.least_characters = self.least_characters;
        });
        let index = Index::create(&self.index, &spec, &options)?;
        let stats = index.view().stats(None)?;
        self.summary.print(&stats, || {
            let mut page = String::new();
            let folder = self.index.display();
            screen::line(&mut page, "created", folder.to_string());
            screen::line(&mut page, "for", &stats.job);
            screen::line(&mut page, "keys", &stats.keys_method);
            let next = format!("lookalike index add {folder} INPUT...");
            screen::line(&mut page, "next", next);
            page
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Create {
    /// How common words are, as it is stored in the index.
    fn vocabulary(&self, spec: &Spec) -> anyhow::Result<Option<Vec<u8>>> {
        if let Some(path) = &spec.features.lexicon {
            let bytes = fs::read(path)
                .with_context(|| format!("cannot read the lexicon {}", path.display()))?;
            return Ok(Some(bytes));
        }
        if self.sample.is_empty() {
            return Ok(None);
        }
        let spec = Spec {
            text: spec.resolved()?.text,
            ..spec.clone()
        };
        let work = work_dir()?;
        let request = Request::new(spec, &self.sample);
        let threads = self.resources.threads.count();
        let options = CountOptions::new(threads, self.resources.memory, work.path());
        let count = |observer: &dyn Observer| count_words(&request, &options, observer);
        let vocabulary = progress::watched(self.summary.shown(), count)?;
        let mut bytes = Vec::new();
        vocabulary.write(&mut bytes)?;
        Ok(Some(bytes))
    }
}
