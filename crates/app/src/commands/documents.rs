//! `lookalike documents INPUT...`: near-duplicate whole records.

use std::process::ExitCode;

use clap::Args;
use lookalike::{Spec, jobs};

use super::job::{JobArguments, JobResources};
use crate::options::SpecOptions;

#[derive(Debug, Args)]
pub(crate) struct Documents {
    #[command(flatten)]
    job: JobArguments,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    spec: SpecOptions,
    #[command(flatten)]
    resources: JobResources,
}

impl Documents {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let spec = self.spec.apply(Spec::of_job(jobs::DOCUMENTS))?;
        self.job.run(spec, &self.resources)
    }
}
