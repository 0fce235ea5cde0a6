//! `lookalike sentences INPUT...`: which sentences were copied between articles, and what changed in the copy.

use std::process::ExitCode;

use clap::Args;
use lookalike::pair::assemble::Kind;
use lookalike::{Preset, Spec, jobs};

use super::job::{JobArguments, JobResources};
use crate::options::{SpecOptions, set};

#[derive(Debug, Args)]
pub(crate) struct Sentences {
    #[command(flatten)]
    job: JobArguments,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    sentences: SentenceArguments,
    #[command(flatten)]
    spec: SpecOptions,
    #[command(flatten)]
    resources: JobResources,
}

/// What a sentence is, and which pairs of them are wanted.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sentences")]
struct SentenceArguments {
    /// Settings with a name: paper or paper-precise
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// Pairs are also at least this similar in their letters: 1 − distance / longer length [default: 0.75]
    #[arg(long, value_name = "0..1")]
    edit_similarity: Option<f64>,
    /// List only pairs of these kinds: identical, copy-edit, factual-drift, template, reference, other
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<Kind>,
    /// Compare the sentences of an article with each other, too
    #[arg(long)]
    within_article: bool,
    /// Compare runs of N sentences instead of single ones [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    window: Option<u32>,
    /// Leave out shorter sentences, in characters; an ideograph counts as three [default: 20]
    #[arg(long, value_name = "N")]
    least_characters: Option<u32>,
    /// Leave out longer sentences [default: 1000]
    #[arg(long, value_name = "N")]
    most_characters: Option<u32>,
    /// Field with the title of the article [default: title]
    #[arg(long, value_name = "FIELD")]
    title_field: Option<String>,
    /// Field with reference lists, whose sentences are marked as such [default: references]
    #[arg(long, value_name = "FIELD")]
    reference_field: Option<String>,
}

impl Sentences {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let defaults = match &self.sentences.preset {
            Some(name) => Preset::named(jobs::SENTENCES, name)?.spec(&[])?,
            None => Spec::of_job(jobs::SENTENCES),
        };
        let mut spec = self.spec.apply(defaults)?;
        self.sentences.apply(&mut spec);
        self.job.run(spec, &self.resources)
    }
}

impl SentenceArguments {
    fn apply(&self, spec: &mut Spec) {
        let sentences = &mut spec.sentences;
        set(
            &mut sentences.edit_similarity,
            self.edit_similarity.as_ref(),
        );
        if !self.kinds.is_empty() {
            sentences.kinds.clone_from(&self.kinds);
        }
        sentences.within_article |= self.within_article;
        set(&mut sentences.window, self.window.as_ref());
        let split = &mut sentences.split;
        set(&mut split.least_characters, self.least_characters.as_ref());
        set(&mut split.most_characters, self.most_characters.as_ref());
        set(&mut sentences.title_field, self.title_field.as_ref());
        set(
            &mut sentences.reference_field,
            self.reference_field.as_ref(),
        );
    }
}
