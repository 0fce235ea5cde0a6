//! What changed from another result to this one: pairs that only one of them has, and records that only one removes.

use std::collections::BTreeMap;

use lookalike_kernel::Spec;
use lookalike_kernel::rows::{Id, Numbers, Table};
use lookalike_kernel::text::Seed;
use lookalike_kernel::text::hash::{hash64, mix64};
use serde::{Deserialize, Serialize};

use super::first::First;
use super::pairs::{PagePair, RawPair, name_of, page_pair};
use super::units::Units;
use crate::Error;
use crate::finished::{Finished, Side};

/// What changed, here being the result of the page and there the other one.
#[derive(Debug, Serialize)]
pub(super) struct Changes {
    inputs: Vec<String>,
    counts: Numbers,
    threshold: Option<f64>,
    /// Settings that differ, each with its value here and there.
    settings: Vec<(String, String, String)>,
    pairs: Tally,
    /// Pairs of both with another similarity or kind.
    rescored: u64,
    removed: Tally,
    /// Some of the pairs that only this one has, and some that only the other one has.
    pairs_here: Vec<PagePair>,
    pairs_there: Vec<PagePair>,
    /// The same of records that are removed.
    removed_here: Vec<u32>,
    removed_there: Vec<u32>,
}

/// How many both have, and how many only one.
#[derive(Debug, Default, Serialize)]
struct Tally {
    both: u64,
    here: u64,
    there: u64,
}

/// So many rows that only one of them has are shown.
const MOST_ROWS: usize = 500;

/// Compares this result with another one.
pub(super) fn compare(
    here: &Finished,
    there: &Finished,
    units: &mut Units,
) -> Result<Changes, Error> {
    let known = [pair_names(here)?, pair_names(there)?];
    let mut pairs = Tally::default();
    let mut rescored = 0;
    for (name, says) in &known[0] {
        match known[1].binary_search_by_key(name, |(name, _)| *name) {
            Ok(place) => {
                pairs.both += 1;
                rescored += u64::from(known[1][place].1 != *says);
            }
            Err(_) => pairs.here += 1,
        }
    }
    pairs.there = known[1].len() as u64 - pairs.both;
    let pairs_here = only_in(here, &known[1], units)?;
    let pairs_there = only_in(there, &known[0], units)?;
    let removed = [removed_ids(here)?, removed_ids(there)?];
    let mut only = |of: usize| {
        let others = removed[of].iter();
        let others = others.filter(|id| removed[1 - of].binary_search(id).is_err());
        let all = others.clone().count() as u64;
        let some: Vec<u32> = others
            .take(MOST_ROWS)
            .map(|id| units.add(&Side::of(id.clone()), false))
            .collect();
        (all, some)
    };
    let ((here_removed, removed_here), (there_removed, removed_there)) = (only(0), only(1));
    let other = &there.summary;
    Ok(Changes {
        inputs: other.inputs.clone(),
        counts: other.counts,
        threshold: other.parameters.threshold,
        settings: differing(&here.summary.parameters, &other.parameters),
        pairs,
        rescored,
        removed: Tally {
            both: removed[0].len() as u64 - here_removed,
            here: here_removed,
            there: there_removed,
        },
        pairs_here,
        pairs_there,
        removed_here,
        removed_there,
    })
}

impl Changes {
    /// Without the names of the other input.
    pub(super) fn make_anonymous(&mut self) {
        self.inputs.clear();
    }

    /// The units of the pairs that only one has, for their texts.
    pub(super) fn units(&self) -> impl Iterator<Item = u32> {
        let pairs = self.pairs_here.iter().chain(&self.pairs_there);
        pairs.flat_map(|pair| [pair.a, pair.b])
    }
}

/// What a pair is known by, and what the row says of it.
fn pair_name(raw: &RawPair<'_>, is_against: bool) -> (u64, u64) {
    let (a, b) = (name_of(raw.a), name_of(raw.b));
    let name = match is_against || a < b {
        true => mix64(a).wrapping_add(b),
        false => mix64(b).wrapping_add(a),
    };
    let similarity = raw.similarity.map_or(u64::MAX, f64::to_bits);
    (name, hash64(raw.kind().as_bytes(), Seed(similarity)))
}

/// All pairs of a result, in the order of their names.
fn pair_names(result: &Finished) -> Result<Vec<(u64, u64)>, Error> {
    let is_against = !result.summary.against.is_empty();
    let mut names = Vec::new();
    result.for_each_line(Table::Pairs, |line| {
        let raw: RawPair<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        names.push(pair_name(&raw, is_against));
        Ok(())
    })?;
    names.sort_unstable();
    Ok(names)
}

/// Some pairs of a result that are none of these.
fn only_in(
    result: &Finished,
    others: &[(u64, u64)],
    units: &mut Units,
) -> Result<Vec<PagePair>, Error> {
    let is_against = !result.summary.against.is_empty();
    let (mut first, mut order) = (First::new(MOST_ROWS), 0);
    result.for_each_line(Table::Pairs, |line| {
        let raw: RawPair<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let (name, _) = pair_name(&raw, is_against);
        if others
            .binary_search_by_key(&name, |(name, _)| *name)
            .is_err()
            && first.wants(name, order)
        {
            first.offer(name, order, line.to_string());
        }
        order += 1;
        Ok(())
    })?;
    let mut chosen = first.finish();
    chosen.sort_by_key(|(order, _)| *order);
    let rows = chosen.iter();
    Ok(rows
        .filter_map(|(_, line)| page_pair(line, is_against, units))
        .collect())
}

#[derive(Deserialize)]
struct RawRemoved {
    id: Id,
}

fn removed_ids(result: &Finished) -> Result<Vec<Id>, Error> {
    let mut ids = Vec::new();
    result.for_each_line(Table::Removed, |line| {
        let row: RawRemoved = serde_json::from_str(line).map_err(|error| error.to_string())?;
        ids.push(row.id);
        Ok(())
    })?;
    ids.sort_unstable();
    Ok(ids)
}

/// The settings with two values, by their paths.
fn differing(here: &Spec, there: &Spec) -> Vec<(String, String, String)> {
    let flat = |spec: &Spec| {
        let mut settings = BTreeMap::new();
        let value = serde_json::to_value(spec).unwrap_or_default();
        flatten("", &value, &mut settings);
        settings
    };
    let (here, there) = (flat(here), flat(there));
    let names: std::collections::BTreeSet<&String> = here.keys().chain(there.keys()).collect();
    let value = |of: &BTreeMap<String, String>, name: &String| of.get(name).cloned();
    names
        .into_iter()
        .map(|name| (name.clone(), value(&here, name), value(&there, name)))
        .filter(|(_, here, there)| here != there)
        .map(|(name, here, there)| (name, here.unwrap_or_default(), there.unwrap_or_default()))
        .collect()
}

fn flatten(path: &str, value: &serde_json::Value, settings: &mut BTreeMap<String, String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                let path = match path {
                    "" => name.clone(),
                    _ => format!("{path}.{name}"),
                };
                flatten(&path, value, settings);
            }
        }
        serde_json::Value::Null => {}
        value => _ = settings.insert(path.to_string(), value.to_string()),
    }
}
