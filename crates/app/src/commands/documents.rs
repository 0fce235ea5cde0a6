//! `lookalike documents INPUT...`: near-duplicate whole records.

use std::path::PathBuf;

use clap::Args;
use lookalike::{Spec, jobs};

use super::job::{JobOptions, defaults};
use crate::options::SpecOptions;

#[derive(Debug, Args)]
pub(crate) struct Documents {
    /// Use a named set of settings: mail
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    spec: SpecOptions,
}

impl JobOptions for Documents {
    fn spec(&self) -> anyhow::Result<Spec> {
        self.spec
            .apply(defaults(jobs::DOCUMENTS, self.preset.as_deref())?)
    }

    fn spec_over(&self, defaults: Spec) -> anyhow::Result<Option<Spec>> {
        let is_of_job = defaults.job == jobs::DOCUMENTS;
        is_of_job.then(|| self.spec.apply(defaults)).transpose()
    }

    fn files(&self) -> Vec<PathBuf> {
        self.spec.run.files()
    }
}
