//! Where the pairs of a page share passages.

use std::collections::BTreeMap;

use lookalike_kernel::rows::{Id, PassagePlace, PassageRow, Table};
use serde::Serialize;

use super::pairs::PagePair;
use super::texts::PageText;
use super::units::Units;
use crate::Error;
use crate::finished::Finished;

/// A passage that two documents share.
#[derive(Debug, Clone, Serialize)]
pub(super) struct PagePassage {
    similarity: f64,
    a: Stretch,
    b: Stretch,
}

/// Where it is in one of them.
#[derive(Debug, Clone, Serialize)]
struct Stretch {
    /// In characters (code points).
    begin: u32,
    end: u32,
    first_sentence: u32,
    sentences: u32,
    /// What it says, where the text of the document is not in the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// So many characters of a passage are quoted.
const QUOTED: usize = 4_000;

/// Gives the pairs of a page their passages.
pub(super) fn fill(result: &Finished, units: &Units, pairs: &mut [PagePair]) -> Result<(), Error> {
    if result.summary.passages.is_none() {
        return Ok(());
    }
    let mut places: BTreeMap<(Id, Id), usize> = BTreeMap::new();
    for (place, pair) in pairs.iter().enumerate() {
        let [a, b] = [pair.a, pair.b].map(|unit| units.list[unit as usize].id.clone());
        places.insert((a, b), place);
    }
    result.for_each_line(Table::Passages, |line| {
        let row: PassageRow<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Some(&place) = places.get(&(row.a.id.clone(), row.b.id.clone())) else {
            return Ok(());
        };
        let pair = &mut pairs[place];
        let passage = PagePassage {
            similarity: row.similarity,
            a: stretch(&row.a, units.list[pair.a as usize].text.as_ref()),
            b: stretch(&row.b, units.list[pair.b as usize].text.as_ref()),
        };
        pair.passages.push(passage);
        Ok(())
    })
}

fn stretch(place: &PassagePlace<'_>, text: Option<&PageText>) -> Stretch {
    let is_there = matches!(text, Some(PageText::Whole(_)));
    let quoted = || Some(place.text.as_ref()?.chars().take(QUOTED).collect());
    Stretch {
        begin: place.begin,
        end: place.end,
        first_sentence: place.first_sentence,
        sentences: place.sentences,
        text: if is_there { None } else { quoted() },
    }
}
