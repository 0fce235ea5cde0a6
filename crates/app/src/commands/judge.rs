//! `lookalike judge`: how good is a result, or a method, by labelled pairs or clusters?

mod finished;
mod labelled;
mod plagdet;
mod report;
mod sweep;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use lookalike::io::OutputFile;
use lookalike::judge::gold::Counting;
use lookalike::{Preset, Spec, jobs};

pub(super) use self::labelled::{Pairs, corpus_of};
use super::Answer;
use crate::options::{PairOptions, Threads};
use crate::screen::safe_lines;
use crate::wording::Usage;

#[derive(Debug, Args)]
pub(crate) struct Judge {
    /// Folder of a finished result; without it, the method itself is judged on the labelled pairs
    result: Option<PathBuf>,
    /// Labelled pairs of ids or texts, clusters of ids, or pairs with passages: one JSON object per line
    #[arg(long, value_name = "FILE")]
    gold: PathBuf,
    /// Corpus that holds the texts, if the labelled pairs are pairs of ids
    #[arg(long, value_name = "INPUT", num_args = 1.., conflicts_with = "result")]
    corpus: Vec<String>,
    /// Compare these fields one by one, as threads does: the question first, the answer last
    #[arg(
        long,
        value_name = "FIELD",
        value_delimiter = ',',
        conflicts_with = "result"
    )]
    fields: Vec<String>,
    /// Use a named set of settings for threads: paper
    #[arg(long, value_name = "NAME", conflicts_with_all = ["result", "config", "sweep"])]
    preset: Option<String>,
    /// Count only labelled pairs [default if the gold has pairs that are not near-duplicates]
    #[arg(long, conflicts_with = "complete")]
    listed: bool,
    /// Count pairs that are not in the gold as wrong [default if it lists only near-duplicates]
    #[arg(long)]
    complete: bool,
    /// Compare many methods, each at its best threshold: a built-in list, or one from a TOML file
    #[arg(long, value_name = "LIST", num_args = 0..=1, conflicts_with_all = ["result", "errors"])]
    sweep: Option<Option<PathBuf>>,
    /// With --sweep: also show F1 at these thresholds
    #[arg(long, value_name = "0..1,…", value_delimiter = ',', requires = "sweep")]
    thresholds: Vec<f64>,
    /// Write the false positives and false negatives to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Print one JSON object instead of a page
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: PairOptions,
    #[command(flatten)]
    threads: Threads,
}

impl Answer for Judge {
    fn answer(&self) -> anyhow::Result<String> {
        // What is wrong with it is known before the work.
        self.errors_file()?;
        self.check_method_is_free()?;
        let report = || match (&self.result, &self.sweep) {
            (Some(folder), _) => self.judge_result(folder),
            (None, Some(list)) => self.judge_methods(list.as_deref()),
            (None, None) => self.judge_method(),
        };
        let report = self.threads.pool()?.install(report)?;
        Ok(match self.json {
            true => format!("{}\n", report.json),
            false => safe_lines(&report.page),
        })
    }
}

impl Judge {
    /// Refuses to judge a finished result by another method than it was made with.
    fn check_method_is_free(&self) -> anyhow::Result<()> {
        let Some(result) = &self.result else {
            return Ok(());
        };
        let given = toml::to_string(&self.options.apply(Spec::default())?)?;
        if given == toml::to_string(&Spec::default())? {
            return Ok(());
        }
        let result = result.display();
        Err(refused(&format!(
            "{result} is judged as it is, whatever the method options say; for another threshold, judge a `lookalike recluster` of it, \
             and for another method, name --corpus instead of a result"
        )))
    }

    /// The file of `--errors`; an earlier one may be replaced.
    fn errors_file(&self) -> anyhow::Result<Option<OutputFile>> {
        let corpus = self.corpus.iter().map(Path::new);
        let read: Vec<&Path> = corpus.chain([self.gold.as_path()]).collect();
        let is_ours = |beginning: &str| {
            let first = beginning.lines().next();
            first.is_some_and(|line| line.contains("\"mistake\":\"false_"))
        };
        let file = |path: &PathBuf| OutputFile::new(path, read, is_ours);
        Ok(self.errors.as_ref().map(file).transpose()?)
    }

    /// What decides how alike two texts are.
    fn spec(&self) -> anyhow::Result<Spec> {
        let mut spec = self.options.apply(Spec::default())?;
        if !self.fields.is_empty() {
            spec.job = jobs::THREADS;
            spec.input.fields.clone_from(&self.fields);
        }
        if let Some(name) = &self.preset {
            let preset = Preset::named(jobs::THREADS, name)?;
            spec.job = jobs::THREADS;
            spec.exclusive |= preset.exclusive;
            spec.threshold = spec.threshold.or(Some(preset.threshold));
            spec.model = Some(preset.choices.model(&spec)?);
        }
        Ok(spec)
    }

    /// What the user says about unlisted pairs, if anything.
    fn counting(&self) -> Option<Counting> {
        match (self.listed, self.complete) {
            (true, _) => Some(Counting::Listed),
            (_, true) => Some(Counting::Complete),
            _ => None,
        }
    }
}

/// Labelled pairs or clusters.
fn open_gold(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path).with_context(|| {
        let path = path.display();
        format!("cannot read the labelled pairs or clusters in {path}")
    })?;
    Ok(BufReader::new(file))
}

/// Wrong usage.
pub(super) fn refused(problem: &str) -> anyhow::Error {
    Usage(problem.to_string()).into()
}
