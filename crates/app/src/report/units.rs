//! What the page shows a name and a text of: records, or sentences of them. Each is in it once, and everything else counts
//! them from 0.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_kernel::rows::{Id, RecordRow, Table};
use serde::Serialize;

use super::texts::PageText;
use crate::Error;
use crate::finished::{Finished, Side};

/// What a unit is known by: the record, its sentence, and whether it is of the corpus that the input is compared with.
type Key = (Id, Option<u32>, bool);

/// The units of a page.
#[derive(Debug, Default)]
pub(super) struct Units {
    known: BTreeMap<Key, u32>,
    pub(super) list: Vec<Unit>,
    /// The records of the input in pairs, where these may be on both sides though there is another corpus.
    within: BTreeSet<Id>,
    sources: BTreeMap<String, u32>,
    /// What records are from, where a field says it.
    origins: BTreeMap<String, u32>,
}

/// A record, or a sentence of it.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) id: Id,
    pub(super) sentence: Option<u32>,
    pub(super) is_against: bool,
    pub(super) title: Option<String>,
    pub(super) place: Option<Place>,
    pub(super) text: Option<PageText>,
    /// The text of the record as a row of the result has it: all fields in one.
    pub(super) said: Option<String>,
    /// How it begins, where the text itself is not there.
    pub(super) begins: Option<String>,
}

/// Where a record stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) number: u64,
    pub(super) source: u32,
    /// What it is from, where a field says it.
    pub(super) origin: Option<u32>,
    pub(super) line: Option<u64>,
    pub(super) characters: u64,
}

/// The units as the page has them, a list per column.
#[derive(Debug, Default, Serialize)]
pub(super) struct UnitColumns {
    /// As JSON: a browser would not keep all digits of a long number.
    id: Vec<String>,
    source: Vec<Option<u32>>,
    line: Vec<Option<u64>>,
    characters: Vec<Option<u64>>,
    begins: Vec<Option<String>>,
    // What few have, by their numbers.
    sentence: BTreeMap<u32, u32>,
    title: BTreeMap<u32, String>,
    text: BTreeMap<u32, PageText>,
    against: Vec<u32>,
    sources: Vec<String>,
    origin: BTreeMap<u32, u32>,
    origins: Vec<String>,
}

impl Units {
    /// None yet, for the page of a result.
    ///
    /// # Errors
    /// If it cannot be read which records are of which corpus.
    pub(super) fn new(result: &Finished) -> Result<Self, Error> {
        let mut units = Units::default();
        if result.summary.parameters.within && !result.summary.against.is_empty() {
            result.for_each_line(Table::Records, |line| {
                let row: RecordRow<'_> =
                    serde_json::from_str(line).map_err(|error| error.to_string())?;
                if !row.against {
                    units.within.insert(row.id);
                }
                Ok(())
            })?;
        }
        Ok(units)
    }

    /// The number of a unit, which is added unless it is there.
    pub(super) fn add(&mut self, side: &Side, is_against: bool) -> u32 {
        let next = self.list.len() as u32;
        let is_against = is_against && !self.within.contains(&side.id);
        let key = (side.id.clone(), side.sentence, is_against);
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.list.push(Unit {
                id: side.id.clone(),
                sentence: side.sentence,
                is_against,
                title: side.title.clone(),
                place: None,
                text: None,
                said: None,
                begins: None,
            });
        }
        let unit = &mut self.list[number as usize];
        // A part of a record is not its text.
        if side.sentence.is_some() && unit.text.is_none() {
            unit.text = side.text.clone().map(PageText::Whole);
        } else if side.span.is_none() && unit.said.is_none() {
            unit.said.clone_from(&side.text);
        }
        number
    }

    /// Looks up where those records stand of which it is not known.
    pub(super) fn locate(&mut self, result: &Finished) -> Result<(), Error> {
        let unknown = self.list.iter().filter(|unit| unit.place.is_none());
        let wanted: BTreeSet<Id> = unknown.map(|unit| unit.id.clone()).collect();
        let records = result.records(&wanted)?;
        for unit in self.list.iter_mut().filter(|unit| unit.place.is_none()) {
            let Some(row) = records.get(&(unit.id.clone(), unit.is_against)) else {
                continue;
            };
            let place = located(row, &mut self.sources, &mut self.origins);
            unit.place = Some(place);
            if unit.title.is_none() {
                unit.title = row.title.as_deref().map(str::to_string);
            }
        }
        Ok(())
    }

    /// Says other names instead of ids, titles and sources.
    pub(super) fn make_anonymous(&mut self) {
        let mut records: BTreeMap<(Id, bool), usize> = BTreeMap::new();
        for unit in &mut self.list {
            let next = records.len() + 1;
            let record = (unit.id.clone(), unit.is_against);
            let number = *records.entry(record).or_insert(next);
            unit.id = Id::Text(format!("record {number}"));
            unit.title = unit.title.take().map(|_| format!("article {number}"));
            if let Some(place) = &mut unit.place {
                place.line = None;
            }
        }
        for names in [&mut self.sources, &mut self.origins] {
            let numbers = names.values().copied();
            *names = numbers
                .map(|number| (format!("source {}", number + 1), number))
                .collect();
        }
    }

    /// The columns of the page.
    pub(super) fn columns(&self) -> UnitColumns {
        let mut columns = UnitColumns {
            sources: in_order(&self.sources),
            origins: in_order(&self.origins),
            ..UnitColumns::default()
        };
        for (unit, number) in self.list.iter().zip(0..) {
            columns.id.push(unit.id.to_string());
            columns.source.push(unit.place.map(|place| place.source));
            columns.line.push(unit.place.and_then(|place| place.line));
            columns
                .characters
                .push(unit.place.map(|place| place.characters));
            columns.begins.push(unit.begins.clone());
            let origin = unit.place.and_then(|place| place.origin);
            columns.origin.extend(origin.map(|origin| (number, origin)));
            columns
                .sentence
                .extend(unit.sentence.map(|sentence| (number, sentence)));
            columns
                .title
                .extend(unit.title.clone().map(|title| (number, title)));
            columns
                .text
                .extend(unit.text.clone().map(|text| (number, text)));
            if unit.is_against {
                columns.against.push(number);
            }
        }
        columns
    }
}

/// Names in the order of their numbers.
fn in_order(names: &BTreeMap<String, u32>) -> Vec<String> {
    let mut names: Vec<(u32, &String)> = names.iter().map(|(name, &n)| (n, name)).collect();
    names.sort_unstable();
    names.into_iter().map(|(_, name)| name.clone()).collect()
}

/// The number of a name, which is the next one if it is new.
fn number_of(name: String, names: &mut BTreeMap<String, u32>) -> u32 {
    let next = names.len() as u32;
    *names.entry(name).or_insert(next)
}

fn located(
    row: &RecordRow<'_>,
    sources: &mut BTreeMap<String, u32>,
    origins: &mut BTreeMap<String, u32>,
) -> Place {
    // Of files that are records each is one of its own; their folder says more.
    let name = match row.line {
        Some(_) => row.source.to_string(),
        None => (std::path::Path::new(&*row.source).parent()).map_or_else(
            || row.source.to_string(),
            |folder| folder.display().to_string(),
        ),
    };
    Place {
        number: row.order,
        source: number_of(name, sources),
        origin: (row.origin.as_ref()).map(|origin| number_of(origin.to_string(), origins)),
        line: row.line,
        characters: row.length,
    }
}
