//! Settings over settings: those of a configuration file over the defaults, those of the command line over both.

use std::path::Path;

use anyhow::Context;
use lookalike::Spec;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

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
    let Some(path) = config else {
        return Ok(defaults);
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the configuration {}", path.display()))?;
    toml::from_str(&text)
        .with_context(|| format!("the configuration {} is not valid", path.display()))
}
