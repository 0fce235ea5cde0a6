//! `lookalike messages INPUT...`: near-duplicate short texts, whose words have weights.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use lookalike::sign::weights::{Formula, WeightRules};
use lookalike::{Preset, Spec, jobs};

use super::job::{JobArguments, JobResources};
use crate::options::SpecOptions;

#[derive(Debug, Args)]
pub(crate) struct Messages {
    #[command(flatten)]
    job: JobArguments,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    messages: MessageArguments,
    #[command(flatten)]
    spec: SpecOptions,
    #[command(flatten)]
    resources: JobResources,
}

/// What words weigh, and which pairs are compared.
#[derive(Debug, Args)]
#[command(next_help_heading = "Messages")]
struct MessageArguments {
    /// Settings with a name: paper or paper-baseline
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// What words of each class weigh, from a TOML file with lines such as nouns = [0.6, 1.0], and the formula
    #[arg(long, value_name = "FILE", conflicts_with = "formula")]
    weights: Option<PathBuf>,
    /// Which words of a class weigh more: rare (the rare ones) or paper (the frequent ones) [default: rare]
    #[arg(long)]
    formula: Option<Formula>,
    /// Assume that messages similar to one kept message are similar to each other: fewer comparisons
    #[arg(long)]
    transitive: bool,
}

impl Messages {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let defaults = match &self.messages.preset {
            Some(name) => Preset::named(jobs::MESSAGES, name)?.spec(&[])?,
            None => Spec::of_job(jobs::MESSAGES),
        };
        let mut spec = self.spec.apply(defaults)?;
        self.messages.apply(&mut spec)?;
        self.job.run(spec, &self.resources)
    }
}

impl MessageArguments {
    fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        if let Some(formula) = self.formula {
            spec.weights = WeightRules::of(formula);
        }
        if let Some(path) = &self.weights {
            spec.weights = read_weights(path)?;
        }
        spec.verify.transitive |= self.transitive;
        Ok(())
    }
}

/// The weights of a file; those it does not name are those of its formula.
fn read_weights(path: &Path) -> anyhow::Result<WeightRules> {
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the weights {file}; is the name right?"))?;
    toml::from_str(&text).map_err(|error| {
        let problem = error.message().replace('\n', " ");
        anyhow!("the weights {file} are not valid: {problem}; a line is like nouns = [0.6, 1.0]")
    })
}
