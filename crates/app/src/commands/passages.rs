//! `lookalike passages INPUT...`: which passages documents share, and where they are in each.

use std::path::{Path, PathBuf};

use clap::Args;
use lookalike::kernel::Align;
use lookalike::{Spec, jobs};
use serde::Serialize;

use super::job::{JobOptions, defaults};
use crate::options::{SpecOptions, put};

#[derive(Debug, Args)]
pub(crate) struct Passages {
    /// Compare only these pairs, {"a": id, "b": id} a line
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
    /// Settings with a name: paper-shingles, paper-imatch, paper-spotsigs or paper-spotsigs-chinese
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    #[serde(skip)]
    preset: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    alignment: AlignmentArguments,
    /// Sentences in more than N otherwise different documents are boilerplate, no passage by themselves [default: 50]
    #[arg(long, value_name = "N")]
    common_limit: Option<u32>,
}

/// What a passage of two documents is.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Passages")]
#[serde(rename_all = "kebab-case")]
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

impl JobOptions for Passages {
    fn spec(&self) -> anyhow::Result<Spec> {
        let preset = self.passages.preset.as_deref();
        let mut spec = self.spec.apply(defaults(jobs::PASSAGES, preset)?)?;
        put(&mut spec, "passages", &self.passages)?;
        Ok(spec)
    }

    fn pair_list(&self) -> Option<&Path> {
        self.pair_list.as_deref()
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
