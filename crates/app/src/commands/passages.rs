//! `lookalike passages INPUT...`: which passages documents share, and where they are in each.

use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use lookalike::kernel::{Align, PassageSearch};
use lookalike::{Spec, jobs};
use serde::Serialize;

use super::job::{JobOptions, defaults};
use crate::options::{SpecOptions, put};

#[derive(Debug, Args)]
pub(crate) struct Passages {
    /// Compare only the pairs listed in this file, one {"a": id, "b": id} per line
    #[arg(long, value_name = "FILE")]
    pair_list: Option<PathBuf>,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    passages: PassageArguments,
    #[command(flatten)]
    spec: SpecOptions,
}

/// What a passage is.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Passages")]
#[serde(rename_all = "kebab-case")]
struct PassageArguments {
    /// Use a named set of settings: paper-shingles, paper-imatch, paper-spotsigs or paper-spotsigs-chinese
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    #[serde(skip)]
    preset: Option<String>,
    /// How to search: quick, by similar sentences, or deep, also by neighbouring words, which finds reworded passages
    /// [default: deep, or quick with --align sentences]
    #[arg(long, value_name = "HOW")]
    search: Option<PassageSearch>,
    #[command(flatten)]
    #[serde(flatten)]
    alignment: AlignmentArguments,
    /// Treat sentences that occur in more than N otherwise different documents as boilerplate, which does not make a passage
    /// by itself [default: 50, and in small collections also what begins or ends many documents, as menus do]
    #[arg(long, value_name = "N")]
    common_limit: Option<u32>,
    /// List the positions of passages without their texts
    #[arg(long = "no-text", action = ArgAction::SetFalse)]
    #[serde(skip_serializing_if = "Clone::clone")]
    text: bool,
}

/// What a passage of two documents is.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Passages")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct AlignmentArguments {
    /// What to align: words, even where some are changed or reordered, or sentences, if they are at least as similar as the
    /// threshold [default: words]
    #[arg(long, value_name = "EVIDENCE")]
    align: Option<Align>,
    /// Report passages of at least N sentences [default: 3]
    #[arg(long = "min-sentences", alias = "least-sentences", value_name = "N")]
    least_sentences: Option<u32>,
    /// With --align words: also report passages of at least N words [default: 40]
    #[arg(long = "min-words", alias = "least-words", value_name = "N")]
    least_words: Option<u32>,
    /// Allow up to N differing sentences between matching ones [default: 3]
    #[arg(long, value_name = "N")]
    gap: Option<u32>,
}

impl JobOptions for Passages {
    fn spec(&self) -> anyhow::Result<Spec> {
        let preset = self.passages.preset.as_deref();
        self.over(defaults(jobs::PASSAGES, preset)?)
    }

    fn spec_over(&self, defaults: Spec) -> anyhow::Result<Option<Spec>> {
        let is_of_job = defaults.job == jobs::PASSAGES;
        is_of_job.then(|| self.over(defaults)).transpose()
    }

    fn files(&self) -> Vec<PathBuf> {
        self.spec.run.files()
    }

    fn pair_list(&self) -> Option<&Path> {
        self.pair_list.as_deref()
    }
}

impl Passages {
    /// The settings, overridden by the configuration file, overridden by what is given.
    fn over(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let mut spec = self.spec.apply(defaults)?;
        put(&mut spec, "passages", &self.passages)?;
        Ok(spec)
    }
}

impl AlignmentArguments {
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
