//! Some pairs of a result with their texts: the strongest, and the weakest.

use std::collections::{BTreeMap, BTreeSet};

use lookalike::engine::{RecordText, Source, records_by_number};
use lookalike::finished::Finished;
use lookalike::kernel::rows::{Id, Table};
use lookalike::program::Failure;
use serde_json::{Map, Value, json};

use crate::records::Records;

/// Where the texts are; without records they are in the files of the result.
pub(crate) struct Texts<'r> {
    pub(crate) records: Option<&'r Records>,
    pub(crate) against: Option<&'r Records>,
}

/// A pair with its similarity.
type Scored = (f64, Map<String, Value>);

/// So many of the strongest and so many of the weakest pairs, identical ones aside.
pub(crate) fn read(finished: &Finished, texts: &Texts<'_>, most: usize) -> Result<String, Failure> {
    let (mut strongest, mut weakest): (Vec<Scored>, Vec<Scored>) = Default::default();
    finished.for_each_line(Table::Pairs, |line| {
        let row: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| error.to_string())?;
        let similarity = row.get("similarity").and_then(Value::as_f64);
        let Some(similarity) = similarity.filter(|similarity| *similarity < 1.0) else {
            return Ok(());
        };
        let is_full = strongest.len() == most;
        if !is_full || strongest.last().is_some_and(|last| similarity > last.0) {
            strongest.truncate(most.saturating_sub(1));
            strongest.push((similarity, row.clone()));
            strongest.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        // Of equally similar ones the last, so that these are not the same as the strongest.
        if weakest.len() < most || weakest.last().is_some_and(|last| similarity <= last.0) {
            weakest.truncate(most.saturating_sub(1));
            weakest.push((similarity, row));
            weakest.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        Ok(())
    })?;
    // A pair is shown once.
    weakest.retain(|pair| !strongest.contains(pair));
    let all = || strongest.iter().chain(&weakest).map(|(_, row)| row);
    let known = texts_of(finished, texts, all())?;
    let shown = |list: &[Scored]| -> Vec<Value> {
        let side = |row: &Map<String, Value>, side: &str| {
            let value = row.get(side).cloned().unwrap_or(Value::Null);
            let is_against = side == "b" && !finished.summary.against.is_empty();
            let text = value.get("text").cloned().or_else(|| {
                let id = Id::from_json(&value.to_string())?;
                Some(known.get(&(id, is_against))?.clone().into())
            });
            json!({"id": value.get("id").unwrap_or(&value), "text": text})
        };
        let pairs = list.iter().map(|(similarity, row)| {
            json!({"similarity": similarity, "a": side(row, "a"), "b": side(row, "b")})
        });
        pairs.collect()
    };
    Ok(json!({"strongest": shown(&strongest), "weakest": shown(&weakest)}).to_string())
}

/// The texts of the records in these rows, as far as they can be read.
fn texts_of<'v>(
    finished: &Finished,
    texts: &Texts<'_>,
    rows: impl Iterator<Item = &'v Map<String, Value>>,
) -> Result<BTreeMap<(Id, bool), String>, Failure> {
    let summary = &finished.summary;
    let mut ids = BTreeSet::new();
    for row in rows {
        let sides = [row.get("a"), row.get("b")].into_iter().flatten();
        ids.extend(sides.filter_map(|value| Id::from_json(&value.to_string())));
    }
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut found = BTreeMap::new();
    let known = finished.records(&ids)?;
    for is_against in [false, true] {
        let of_side = known
            .iter()
            .filter(|((_, against), _)| *against == is_against);
        let numbers: BTreeMap<u64, Id> = of_side
            .map(|((id, _), row)| (row.order, id.clone()))
            .collect();
        if numbers.is_empty() {
            continue;
        }
        let wanted: BTreeSet<u64> = numbers.keys().copied().collect();
        let records = if is_against {
            texts.against
        } else {
            texts.records
        };
        let read = match records {
            // What cannot be read again is not shown.
            None => lookalike::texts_of_result(summary, is_against, &wanted).unwrap_or_default(),
            Some(records) => {
                let spool = tempfile::tempdir()?;
                let source: Box<dyn Source> = records.source(&summary.parameters, spool.path())?;
                records_by_number(&*source, &summary.parameters, &wanted, |_, text| {
                    joined(text)
                })?
            }
        };
        let read = read.into_iter();
        found.extend(read.filter_map(|(number, text)| {
            let id = numbers.get(&number)?.clone();
            Some(((id, is_against), text))
        }));
    }
    Ok(found)
}

fn joined(text: RecordText<'_>) -> String {
    match text {
        RecordText::Whole(text) => text.to_string(),
        RecordText::Fields(fields) => {
            let texts: Vec<&str> = fields.iter().map(|(_, text)| *text).collect();
            texts.join("\n")
        }
    }
}
