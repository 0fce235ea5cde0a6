//! `lookalike documents INPUT...`: near-duplicate whole records.

use clap::Args;
use lookalike::{Spec, jobs};

use super::job::JobOptions;
use crate::options::SpecOptions;

#[derive(Debug, Args)]
pub(crate) struct Documents {
    #[command(flatten)]
    spec: SpecOptions,
}

impl JobOptions for Documents {
    fn spec(&self) -> anyhow::Result<Spec> {
        self.spec.apply(Spec::of_job(jobs::DOCUMENTS))
    }
}
