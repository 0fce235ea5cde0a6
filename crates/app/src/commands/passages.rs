//! `lookalike passages INPUT...`: which passages documents share, and where they are in each.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lookalike::{Align, Preset, Spec, jobs};

use super::job::{JobArguments, JobResources};
use crate::options::{SpecOptions, set};

#[derive(Debug, Args)]
pub(crate) struct Passages {
    #[command(flatten)]
    job: JobArguments,
    /// Compare only these pairs, {"a": id, "b": id} a line
    #[arg(long, value_name = "FILE")]
    pair_list: Option<PathBuf>,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    passages: PassageArguments,
    #[command(flatten)]
    spec: SpecOptions,
    #[command(flatten)]
    resources: JobResources,
}

/// What a passage is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Passages")]
pub(crate) struct PassageArguments {
    /// Settings with a name: paper-shingles, paper-imatch, paper-spotsigs or paper-spotsigs-chinese
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    #[command(flatten)]
    alignment: AlignmentArguments,
    /// Sentences in more than N otherwise different documents are boilerplate, no passage by themselves [default: 50]
    #[arg(long, value_name = "N")]
    common_limit: Option<u32>,
}

/// What a passage of two documents is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Passages")]
pub(crate) struct AlignmentArguments {
    /// What tells that passages match: words, also changed and shuffled ones, or sentences at least as similar as the
    /// threshold says [default: words]
    #[arg(long, value_name = "EVIDENCE")]
    align: Option<Align>,
    /// A passage has at least N sentences … [default: 3]
    #[arg(long, value_name = "N")]
    least_sentences: Option<u32>,
    /// … or, where words are aligned, at least N words [default: 40]
    #[arg(long, value_name = "N")]
    least_words: Option<u32>,
    /// So many sentences may differ between matching ones [default: 3]
    #[arg(long, value_name = "N")]
    gap: Option<u32>,
}

impl Passages {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let mut spec = self.spec.apply(self.passages.defaults()?)?;
        self.passages.apply(&mut spec);
        self.job
            .run_listed(spec, self.pair_list.clone(), &self.resources)
    }
}

impl PassageArguments {
    /// What is set before the options are.
    pub(crate) fn defaults(&self) -> anyhow::Result<Spec> {
        Ok(match &self.preset {
            Some(name) => Preset::named(jobs::PASSAGES, name)?.spec(&[])?,
            None => Spec::of_job(jobs::PASSAGES),
        })
    }

    pub(crate) fn apply(&self, spec: &mut Spec) {
        self.alignment.apply(spec);
        let limit = &mut spec.passages.common_limit;
        set(limit, self.common_limit.as_ref());
    }
}

impl AlignmentArguments {
    pub(crate) fn apply(&self, spec: &mut Spec) {
        let passages = &mut spec.passages;
        set(&mut passages.align, self.align.as_ref());
        set(&mut passages.least_sentences, self.least_sentences.as_ref());
        set(&mut passages.least_words, self.least_words.as_ref());
        set(&mut passages.gap, self.gap.as_ref());
    }

    /// Whether sentences are aligned, not words.
    pub(crate) fn by_sentences(&self) -> bool {
        self.align == Some(Align::Sentences)
    }

    /// Whether anything is said.
    pub(crate) fn is_given(&self) -> bool {
        let numbers = [self.least_sentences, self.least_words, self.gap];
        self.align.is_some() || numbers.iter().any(Option::is_some)
    }
}
