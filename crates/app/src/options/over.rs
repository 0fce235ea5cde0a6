//! Settings over settings: those of a configuration file over the defaults, those of the command line over both.

use std::path::Path;

use anyhow::Context;
use lookalike::Spec;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::wording::Usage;

/// Writes what is given over the settings, each over the one at its path from a table.
///
/// By way of TOML, which both can be written in and which loses nothing: neither large numbers nor those that are none.
pub(crate) fn put(spec: &mut Spec, table: &str, given: &impl Serialize) -> anyhow::Result<()> {
    let (settings, given) = (toml::to_string(spec), toml::to_string(given));
    let (settings, given) = (settings?, given.context("an option is no setting")?);
    let mut settings = DeTable::parse(&settings)?;
    for (name, value) in DeTable::parse(&given)?.into_inner() {
        let path = format!("{table}.{}", name.get_ref());
        put_at(settings.get_mut(), path.trim_start_matches('.'), value);
    }
    let seed = spec.seed;
    *spec = Spec::deserialize(toml::Deserializer::from(settings))?;
    // What is written down does not tell a secret seed.
    spec.seed = seed;
    Ok(())
}

fn put_at<'t>(settings: &mut DeTable<'t>, path: &str, value: Spanned<DeValue<'t>>) {
    let nowhere = 0..0;
    let key = |name: &str| Spanned::new(nowhere.clone(), name.to_string().into());
    let Some((table, rest)) = path.split_once('.') else {
        settings.insert(key(path), value);
        return;
    };
    let empty = || Spanned::new(nowhere.clone(), DeValue::Table(DeTable::new()));
    let table = settings.entry(key(table)).or_insert_with(empty);
    if let DeValue::Table(table) = table.get_mut() {
        put_at(table, rest, value);
    }
}

/// The settings of a configuration file, or the defaults where none is named.
pub(super) fn configured(config: Option<&Path>, defaults: Spec) -> anyhow::Result<Spec> {
    Ok(match config {
        Some(path) => read(path)?.0,
        None => defaults,
    })
}

/// The same for the job of the defaults: settings that were written for another one are refused.
pub(super) fn configured_for_job(config: Option<&Path>, defaults: Spec) -> anyhow::Result<Spec> {
    configured_or(config, defaults, |written_for| {
        format!("run lookalike {written_for}")
    })
}

/// The same, with what to do instead where they were written for another job.
pub(super) fn configured_or(
    config: Option<&Path>,
    defaults: Spec,
    instead: impl FnOnce(&str) -> String,
) -> anyhow::Result<Spec> {
    let Some(path) = config else {
        return Ok(defaults);
    };
    let (mut spec, names_job) = read(path)?;
    let (written_for, job) = (spec.job.name(), defaults.job.name());
    if names_job && written_for != job {
        let problem = format!(
            "the configuration {} was written for {written_for}, not for {job}; {}, or make one \
             with: lookalike {job} --print-config",
            path.display(),
            instead(written_for)
        );
        return Err(Usage(problem).into());
    }
    spec.job = defaults.job;
    Ok(spec)
}

/// The settings of a file, and whether it says for which job they are.
fn read(path: &Path) -> anyhow::Result<(Spec, bool)> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the configuration {}", path.display()))?;
    let spec = toml::from_str(&text)
        .with_context(|| format!("the configuration {} is not valid", path.display()))?;
    let names_job = DeTable::parse(&text).is_ok_and(|table| {
        let mut names = table.get_ref().keys();
        names.any(|name| name.get_ref() == "job")
    });
    Ok((spec, names_job))
}
