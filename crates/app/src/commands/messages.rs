//! `lookalike messages INPUT...`: near-duplicate short texts, whose words have weights.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use lookalike::sign::weights::{Formula, WeightRules};
use lookalike::{Request, Spec, explain, jobs};

use super::job::{JobOptions, defaults};
use crate::kind_options::KindArguments;
use crate::options::SpecOptions;
use crate::screen::message_words;

#[derive(Debug, Args)]
pub(crate) struct Messages {
    #[command(flatten)]
    messages: MessageArguments,
    #[command(flatten)]
    kinds: KindArguments,
    #[command(flatten)]
    spec: SpecOptions,
}

/// What words weigh, and which pairs are compared.
#[derive(Debug, Args)]
#[command(next_help_heading = "Messages")]
struct MessageArguments {
    /// Use a named set of settings: paper or paper-baseline
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// Read the weights of word classes, and the formula, from a TOML file with lines such as nouns = [0.6, 1.0]
    #[arg(long, value_name = "FILE", conflicts_with = "formula")]
    weights: Option<PathBuf>,
    /// Which words of a class weigh more: rare ones (rare) or frequent ones, as published (paper) [default: rare]
    #[arg(long)]
    formula: Option<Formula>,
    /// Assume that messages similar to the same kept message are similar to each other, which saves comparisons
    #[arg(long)]
    transitive: bool,
    /// Instead of running the job, show why two messages are similar or not: their words with class and weight
    #[arg(long, num_args = 2, value_names = ["ID", "ID"])]
    explain: Vec<String>,
}

impl JobOptions for Messages {
    fn spec(&self) -> anyhow::Result<Spec> {
        self.over(defaults(jobs::MESSAGES, self.messages.preset.as_deref())?)
    }

    fn spec_over(&self, defaults: Spec) -> anyhow::Result<Option<Spec>> {
        let is_of_job = defaults.job == jobs::MESSAGES;
        is_of_job.then(|| self.over(defaults)).transpose()
    }

    fn files(&self) -> Vec<PathBuf> {
        let weights = self.messages.weights.clone();
        self.spec.run.files().into_iter().chain(weights).collect()
    }

    fn instead(&self, request: &Request, as_json: bool) -> anyhow::Result<Option<String>> {
        let [a, b] = self.messages.explain.as_slice() else {
            return Ok(None);
        };
        let work = tempfile::tempdir().context("cannot make a folder for temporary files")?;
        let compared = explain(request, [a, b], work.path())?;
        Ok(Some(match as_json {
            true => serde_json::to_string(&compared)? + "\n",
            false => message_words::page(&compared, self.counted_in(request)),
        }))
    }
}

impl Messages {
    /// What is given over other settings.
    fn over(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let given = &self.messages;
        let mut spec = self.spec.apply(defaults)?;
        if let Some(formula) = given.formula {
            spec.weights = Some(WeightRules::of(formula));
        }
        if let Some(path) = &given.weights {
            spec.weights = Some(read_weights(path)?);
        }
        spec.verify.transitive |= given.transitive;
        self.kinds.apply(&mut spec);
        Ok(spec)
    }

    fn counted_in(&self, request: &Request) -> &'static str {
        match request.spec.features.lexicon {
            Some(_) => "the collection of --lexicon",
            None => "the input",
        }
    }
}

/// The weights of a file; those it does not name are those of its formula.
pub(super) fn read_weights(path: &Path) -> anyhow::Result<WeightRules> {
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the weights {file}; is the name right?"))?;
    toml::from_str(&text).map_err(|error| {
        let problem = error.message().replace('\n', " ");
        anyhow!("the weights {file} are not valid: {problem}; a line is like nouns = [0.6, 1.0]")
    })
}
