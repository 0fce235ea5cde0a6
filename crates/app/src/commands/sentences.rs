//! `lookalike sentences INPUT...`: which sentences were copied between articles, and what changed in the copy.

use std::ops::Not;
use std::path::PathBuf;

use clap::Args;
use lookalike::pair::assemble::Kind;
use lookalike::{Spec, jobs};
use serde::Serialize;

use super::job::{JobOptions, defaults};
use crate::options::{SpecOptions, put};

#[derive(Debug, Args)]
pub(crate) struct Sentences {
    #[command(flatten)]
    sentences: SentenceArguments,
    #[command(flatten)]
    spec: SpecOptions,
}

/// What a sentence is, and which pairs of them are wanted.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Sentences")]
#[serde(rename_all = "kebab-case")]
struct SentenceArguments {
    /// Use a named set of settings: paper or paper-precise
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    #[serde(skip)]
    preset: Option<String>,
    /// Also require this similarity of the letters: 1 − edit distance / longer length [default: 0.75]
    #[arg(long, value_name = "0..1", value_parser = crate::options::fraction)]
    edit_similarity: Option<f64>,
    /// List only pairs of these kinds: identical, copy-edit, factual-drift, template, reference, other
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kinds: Option<Vec<Kind>>,
    /// Also compare sentences within the same article
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    within_article: bool,
    /// Read all revisions in a full-history dump: when did the sentences of a factual drift part?
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    history: bool,
    /// Compare runs of N sentences instead of single ones [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    window: Option<u32>,
    /// Leave out sentences of fewer than N characters; an ideograph counts as three [default: 20]
    #[arg(long = "min-characters", alias = "least-characters", value_name = "N")]
    #[serde(rename = "split.least-characters")]
    least_characters: Option<u32>,
    /// Leave out sentences of more than N characters [default: 1000]
    #[arg(long = "max-characters", alias = "most-characters", value_name = "N")]
    #[serde(rename = "split.most-characters")]
    most_characters: Option<u32>,
    /// Field that holds the title of the article [default: title]
    #[arg(long, value_name = "FIELD")]
    title_field: Option<String>,
    /// Field that holds the date of the article, shown with every pair [default: date]
    #[arg(long, value_name = "FIELD")]
    date_field: Option<String>,
    /// Field that holds lists of references, whose sentences are marked as such [default: references]
    #[arg(long, value_name = "FIELD")]
    reference_field: Option<String>,
}

impl JobOptions for Sentences {
    fn spec(&self) -> anyhow::Result<Spec> {
        let preset = self.sentences.preset.as_deref();
        let mut spec = self.spec.apply(defaults(jobs::SENTENCES, preset)?)?;
        put(&mut spec, "sentences", &self.sentences)?;
        Ok(spec)
    }

    fn files(&self) -> Vec<PathBuf> {
        self.spec.run.files()
    }
}
