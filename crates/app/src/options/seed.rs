//! Where the seed of all hashes comes from, be it open or secret.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use lookalike::{SeedSpec, Spec};

/// Where the seed comes from.
#[derive(Debug, Args)]
pub(super) struct SeedArguments {
    /// Seed for all hashes [default: 1]
    #[arg(long, conflicts_with_all = ["seed_file", "seed_env"])]
    seed: Option<u64>,
    #[command(flatten)]
    pub(super) secret: SecretSeed,
}

/// Where a seed comes from that nobody may see.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
#[group(skip)]
pub(crate) struct SecretSeed {
    /// Derive the seed from the contents of a file, and never show it
    #[arg(long, value_name = "FILE")]
    pub(super) seed_file: Option<PathBuf>,
    /// Derive the seed from an environment variable, and never show it
    #[arg(long, value_name = "NAME", conflicts_with = "seed_file")]
    seed_env: Option<String>,
}

impl SeedArguments {
    pub(super) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        if let Some(seed) = self.seed {
            spec.seed = SeedSpec::Open(seed);
        }
        self.secret.apply(spec)
    }
}

impl SecretSeed {
    pub(crate) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        let secret = if let Some(path) = &self.seed_file {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read the seed in {}", path.display()))?;
            Some((text, path.display().to_string()))
        } else if let Some(name) = &self.seed_env {
            let text = std::env::var(name).with_context(|| {
                format!("cannot take the seed from the environment variable {name}")
            })?;
            Some((text, name.clone()))
        } else {
            None
        };
        if let Some((text, place)) = secret {
            // A line end at the end of a file is not part of the secret: editors add one.
            let text = text.trim();
            anyhow::ensure!(
                !text.is_empty(),
                "the seed in {place} is empty; write any text there that others cannot guess"
            );
            spec.seed = SeedSpec::secret(text);
        }
        Ok(())
    }
}
