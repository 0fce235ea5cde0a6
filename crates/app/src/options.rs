//! The options that decide the result: settings of a configuration file, given on the command line, which wins.
//!
//! A group of options holds what was given and nothing else; [`put`] writes that over the settings. An option is the
//! setting of its own name in the table of its group, or what serde renames it to, so a new one is a field here.

mod input;
mod method;
mod over;
mod resources;
mod same_text;
mod seed;
mod summary;

use std::ops::Not;
use std::path::PathBuf;

use clap::Args;
use lookalike::{Clusters, Keep, Pairs, Spec};
use serde::Serialize;

pub(crate) use self::input::InputArguments;
use self::input::TextField;
use self::method::MethodArguments;
pub(crate) use self::method::{SearchArguments, idf_range};
pub(crate) use self::over::put;
use self::over::{configured, configured_for_job, configured_or};
pub(crate) use self::resources::{Resources, Threads};
pub(crate) use self::same_text::TextArguments;
pub(crate) use self::seed::SecretSeed;
use self::seed::SeedArguments;
pub(crate) use self::summary::SummaryArguments;
use crate::wording::Usage;

/// What a run has to be told beside its method.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Settings")]
pub(crate) struct RunSettings {
    /// Pairs at least this similar are duplicates [default: 0.8, threads 0.5, sentences 0.4, passages 0.5,
    /// messages 0.65]
    #[arg(long, short, value_name = "0..1", value_parser = fraction)]
    threshold: Option<f64>,
    /// Find only pairs above the threshold, not those exactly at it
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    exclusive: bool,
    /// Which record of a cluster to keep, if the job removes any [default: first]
    #[arg(long, value_name = "RULE")]
    keep: Option<String>,
    /// Remove a record only in favour of one with the same value in this field, for example to keep one per source; @file and
    /// @folder are the file and the folder it is in
    #[arg(long, value_name = "FIELD")]
    #[serde(rename = "keep-per")]
    keep_per: Option<String>,
    /// What to remove: duplicates, or contained (only texts that are entirely part of a longer text that is kept)
    #[arg(long, value_name = "WHAT", value_parser = ["duplicates", "contained"])]
    #[serde(skip)]
    remove: Option<String>,
    /// Which pairs to list: auto, all, links (each removed record with the one kept) or none [default: auto]
    #[arg(long)]
    pairs: Option<Pairs>,
    /// How clusters are formed: stars (records similar to the one kept), or components (records linked by similar pairs,
    /// directly or through others; only if nothing is removed) [default: stars, sentences components]
    #[arg(long, value_name = "RULE")]
    clusters: Option<Clusters>,
    /// Read only the first N records of the input
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    #[serde(skip)]
    seed: SeedArguments,
    /// Read settings from a TOML file, such as one printed by --print-config
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
}

/// The settings of a job that compares whole texts.
#[derive(Debug, Args)]
pub(crate) struct SpecOptions {
    #[command(flatten)]
    pub(crate) run: RunSettings,
    #[command(flatten)]
    comparison: Comparison,
}

/// What decides how alike two texts are, without the choices about a whole corpus.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Settings")]
pub(crate) struct PairOptions {
    /// Pairs at least this similar are found [default: 0.8]
    #[arg(long, short, value_name = "0..1", value_parser = fraction)]
    threshold: Option<f64>,
    #[command(flatten)]
    #[serde(skip)]
    seed: SeedArguments,
    /// Read settings from a TOML file, such as one written by documents --print-config or tune
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
    #[command(flatten)]
    #[serde(skip)]
    comparison: Comparison,
}

/// What is read, and how it is compared.
#[derive(Debug, Args)]
struct Comparison {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    method: MethodArguments,
    #[command(flatten)]
    search: SearchArguments,
}

/// Which texts are read, and what counts as the same.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    #[command(flatten)]
    text_field: TextField,
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    text: TextArguments,
}

/// Which texts are read, where it is settled what counts as the same.
#[derive(Debug, Args)]
pub(crate) struct InputSettings {
    #[command(flatten)]
    text_field: TextField,
    #[command(flatten)]
    input: InputArguments,
    /// Read only the first N records of the input
    #[arg(long, value_name = "N", help_heading = "Input")]
    limit: Option<u64>,
}

impl InputSettings {
    pub(crate) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        put(spec, "input", &self.text_field)?;
        self.input.apply(spec)?;
        spec.limit = self.limit.or(spec.limit);
        Ok(())
    }
}

impl RunSettings {
    /// The files that settings are read from.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let files = [&self.config, &self.seed.secret.seed_file];
        files.into_iter().flatten().cloned().collect()
    }

    /// The defaults of a job, overridden by the configuration file, overridden by the command line.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let mut spec = configured_for_job(self.config.as_deref(), defaults)?;
        if self.remove.as_deref() == Some("contained") {
            // All features of the shorter text are in the longer one.
            spec.verify.measure = Some("containment".to_string());
            spec.keys.method = "every".to_string();
            spec.threshold = Some(1.0);
            spec.keep = Keep::Longest;
        }
        put(&mut spec, "", self)?;
        self.seed.apply(&mut spec)?;
        Ok(spec)
    }

    /// Refuses what would remove a text that is not part of the one that stays, where only such texts are to be removed.
    fn check_contained(&self, spec: &Spec) -> anyhow::Result<()> {
        if self.remove.as_deref() != Some("contained") {
            return Ok(());
        }
        let measure = spec.verify.measure.as_deref().unwrap_or_default();
        let threshold = spec.threshold.unwrap_or_default();
        let other = match () {
            () if spec.keep != Keep::Longest => {
                format!("--keep {}", String::from(spec.keep.clone()))
            }
            () if measure != "containment" => format!("--measure {measure}"),
            () if threshold < 1.0 => format!("--threshold {threshold}"),
            () => return Ok(()),
        };
        let problem = format!(
            "--remove contained removes only what is entirely part of a longer text, so it cannot be combined with {other}; leave one of the two out"
        );
        Err(Usage(problem).into())
    }
}

/// For clap: a number from 0 to 1, whose limits are checked with the other settings.
pub(crate) fn fraction(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').map(str::trim_end);
    let meant = percent.unwrap_or(text).replace(',', ".").parse::<f64>();
    match (text.parse(), meant, percent) {
        (Ok(number), ..) => Ok(number),
        (_, Ok(meant), Some(_)) => Err(format!("write it as {}", meant / 100.0)),
        (_, Ok(meant), None) => Err(format!("write it with a point: {meant}")),
        _ => Err("a number from 0 to 1 is needed, as in 0.8".to_string()),
    }
}

impl SpecOptions {
    /// The defaults of a job, overridden by the configuration file, overridden by the command line.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let mut spec = self.run.apply(defaults)?;
        self.comparison.apply(&mut spec)?;
        self.run.check_contained(&spec)?;
        Ok(spec)
    }
}

impl PairOptions {
    /// The defaults, overridden by the configuration file, overridden by the command line.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        self.apply_over(configured(self.config.as_deref(), defaults)?)
    }

    /// The same for a job that an option names: a configuration of another one is refused.
    pub(crate) fn apply_for_job(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let instead = |written_for: &str| format!("use --job {written_for}");
        let config = self.config.as_deref();
        self.apply_over(configured_or(config, defaults, instead)?)
    }

    fn apply_over(&self, mut spec: Spec) -> anyhow::Result<Spec> {
        put(&mut spec, "", self)?;
        self.seed.apply(&mut spec)?;
        self.comparison.apply(&mut spec)?;
        Ok(spec)
    }
}

impl Reading {
    pub(crate) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        put(spec, "input", &self.text_field)?;
        self.input.apply(spec)?;
        put(spec, "text", &self.text)
    }
}

impl Comparison {
    fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        self.reading.apply(spec)?;
        put(spec, "keys", &self.search)?;
        put(spec, "", &self.method)?;
        let idf = if spec.keys.is_by_digest() {
            &mut spec.imatch.idf
        } else {
            &mut spec.terms.idf
        };
        *idf = self.method.idf.or(*idf);
        Ok(())
    }
}
