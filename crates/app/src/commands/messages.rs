//! `lookalike messages INPUT...`: near-duplicate short texts, whose words have weights.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use lookalike::sign::weights::{Formula, WeightRules};
use lookalike::{Spec, jobs};

use super::job::{JobOptions, defaults};
use crate::options::SpecOptions;

#[derive(Debug, Args)]
pub(crate) struct Messages {
    #[command(flatten)]
    messages: MessageArguments,
    #[command(flatten)]
    spec: SpecOptions,
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

impl JobOptions for Messages {
    fn spec(&self) -> anyhow::Result<Spec> {
        let given = &self.messages;
        let mut spec = self
            .spec
            .apply(defaults(jobs::MESSAGES, given.preset.as_deref())?)?;
        if let Some(formula) = given.formula {
            spec.weights = Some(WeightRules::of(formula));
        }
        if let Some(path) = &given.weights {
            spec.weights = Some(read_weights(path)?);
        }
        spec.verify.transitive |= given.transitive;
        Ok(spec)
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
