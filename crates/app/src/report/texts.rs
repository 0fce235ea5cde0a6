//! The texts of a page: as many as it has room for, the most important first.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_engine::RecordText;
use lookalike_kernel::rows::Id;
use serde::Serialize;

use super::units::{Unit, Units};
use crate::Error;

/// What a unit says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum PageText {
    /// All of it.
    Whole(String),
    /// Field by field.
    Fields(Vec<(String, String)>),
    /// The first characters of a long one.
    Cut {
        /// These.
        cut: String,
    },
}

/// No text takes more characters of the page.
const LONGEST: usize = 40_000;

/// All texts together take about so many bytes of it.
const TEXT_BYTES: u64 = 2_600_000;

/// And how the others begin, so many.
const BEGINNING_BYTES: usize = 1_000_000;

/// So many characters at most of each.
const BEGINNING: usize = 140;

/// Reads records of the input, or of the corpus that it is compared with, by their numbers.
pub(crate) trait ReadTexts {
    /// What `keep` makes of each.
    ///
    /// # Errors
    /// If they cannot be read again.
    fn read(
        &self,
        is_against: bool,
        numbers: &BTreeSet<u64>,
        keep: &dyn Fn(u64, RecordText<'_>) -> Kept,
    ) -> Result<BTreeMap<u64, Kept>, Error>;

    /// The same by their ids, for those whose numbers are not known.
    ///
    /// # Errors
    /// If they cannot be read again.
    fn find(
        &self,
        is_against: bool,
        ids: &BTreeSet<Id>,
        keep: &dyn Fn(RecordText<'_>) -> Kept,
    ) -> Result<BTreeMap<Id, Kept>, Error>;
}

/// What is kept of a record that was read.
pub(crate) struct Kept(Read);

enum Read {
    Text(PageText),
    Beginning(String),
}

/// Gives units their texts: those named first as far as there is room, all others as they begin. Says why where they cannot
/// be read.
pub(super) fn fill(units: &mut Units, important: &[u32], texts: &dyn ReadTexts) -> Option<String> {
    let whole = in_full(units, important);
    let without = units.list.iter().filter(|unit| unit.text.is_none()).count();
    let characters = (BEGINNING_BYTES / without.max(1) / 2).clamp(24, BEGINNING);
    for is_against in [false, true] {
        let of_side = |number: &usize| {
            let unit = &units.list[*number];
            unit.is_against == is_against && unit.text.is_none()
        };
        let wanted: BTreeMap<u64, u32> = (0..units.list.len())
            .filter(of_side)
            .filter_map(|unit| Some((units.list[unit].place?.number, unit as u32)))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let keep = |number: u64, text: RecordText<'_>| {
            let is_whole = wanted.get(&number).is_some_and(|unit| whole.contains(unit));
            Kept(match is_whole {
                true => Read::Text(page_text(text)),
                false => Read::Beginning(beginning(text, characters)),
            })
        };
        let numbers = wanted.keys().copied().collect();
        match texts.read(is_against, &numbers, &keep) {
            Err(error) => return Some(error.to_string()),
            Ok(read) => {
                for (number, Kept(read)) in read {
                    let Some(&unit) = wanted.get(&number) else {
                        continue;
                    };
                    let unit = &mut units.list[unit as usize];
                    match read {
                        Read::Text(text) => unit.text = Some(text),
                        Read::Beginning(begins) => unit.begins = Some(begins),
                    }
                }
            }
        }
    }
    None
}

/// Says how those begin whose numbers are not known: records that are suggested and in no pair.
pub(super) fn fill_unplaced(units: &mut Units, texts: &dyn ReadTexts) -> Option<String> {
    for is_against in [false, true] {
        let is_unplaced = |unit: &Unit| {
            unit.is_against == is_against && unit.place.is_none() && unit.text.is_none()
        };
        let unplaced = units.list.iter().filter(|unit| is_unplaced(unit));
        let ids: BTreeSet<Id> = unplaced.map(|unit| unit.id.clone()).collect();
        if ids.is_empty() {
            continue;
        }
        let keep = |text: RecordText<'_>| Kept(Read::Beginning(beginning(text, BEGINNING)));
        match texts.find(is_against, &ids, &keep) {
            Err(error) => return Some(error.to_string()),
            Ok(found) => {
                for unit in units.list.iter_mut().filter(|unit| is_unplaced(unit)) {
                    if let Some(Kept(Read::Beginning(begins))) = found.get(&unit.id) {
                        unit.begins = Some(begins.clone());
                    }
                }
            }
        }
    }
    None
}

/// Gives units the texts that the rows of the result have, as far as there is room. Whether there are any.
pub(super) fn fill_said(units: &mut Units, important: &[u32]) -> bool {
    let mut left = TEXT_BYTES;
    let mut is_any = false;
    for &number in important {
        let unit = &mut units.list[number as usize];
        let Some(said) = unit.said.take().filter(|_| unit.text.is_none()) else {
            continue;
        };
        is_any = true;
        let text = RecordText::Whole(&said);
        let bytes = said.len().min(LONGEST) as u64;
        match bytes <= left {
            true => unit.text = Some(page_text(text)),
            false => unit.begins = Some(beginning(text, BEGINNING)),
        }
        left = left.saturating_sub(bytes);
    }
    is_any
}

/// The units whose texts there is room for.
fn in_full(units: &Units, important: &[u32]) -> BTreeSet<u32> {
    let mut whole = BTreeSet::new();
    let mut left = TEXT_BYTES;
    for &number in important {
        let unit = &units.list[number as usize];
        let Some(place) = unit.place.filter(|_| unit.text.is_none()) else {
            continue;
        };
        // Characters outside of ASCII take two or three bytes; what is not known yet is taken to be half of them.
        let bytes = 2 * place.characters.min(LONGEST as u64);
        if !whole.contains(&number) && bytes <= left {
            left -= bytes;
            whole.insert(number);
        }
    }
    whole
}

fn page_text(text: RecordText<'_>) -> PageText {
    match text {
        RecordText::Whole(text) => match text.char_indices().nth(LONGEST) {
            None => PageText::Whole(text.to_string()),
            Some((end, _)) => PageText::Cut {
                cut: text[..end].to_string(),
            },
        },
        RecordText::Fields(fields) => {
            let most = LONGEST / fields.len().max(1);
            let cut = |text: &str| text.chars().take(most).collect();
            PageText::Fields(
                fields
                    .iter()
                    .map(|(name, text)| ((*name).to_string(), cut(text)))
                    .collect(),
            )
        }
    }
}

/// The first characters in one line.
fn beginning(text: RecordText<'_>, characters: usize) -> String {
    let first = match text {
        RecordText::Whole(text) => text,
        RecordText::Fields(fields) => (fields.iter())
            .map(|(_, text)| *text)
            .find(|text| !text.trim().is_empty())
            .unwrap_or_default(),
    };
    let words = first.split_whitespace().take(characters);
    let line = words.collect::<Vec<&str>>().join(" ");
    line.chars().take(characters).collect()
}
