//! Which texts of an index share a passage with a text, and where.

use std::collections::BTreeMap;

use lookalike_kernel::TwoPages;
use lookalike_kernel::rows::Id;
use serde::Serialize;

use crate::Error;
use crate::candidates::places_of;
use crate::checker::{CheckOptions, Checker};
use crate::document::Text;
use crate::view::{Place, View};

/// A text of the index that shares passages with the one looked up.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SharedText {
    /// Its name.
    pub id: Id,
    /// The label under which it was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// When it was added, in seconds since 1970.
    pub added: u64,
    /// The share of the text looked up that is in passages.
    pub covered: f64,
    /// The share of the stored text.
    pub covered_stored: f64,
    /// What the two are to each other.
    pub relation: String,
    /// The passages, in the order of the text looked up.
    pub passages: Vec<SharedPassage>,
}

/// A passage that two texts share; places count characters (code points).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SharedPassage {
    /// Where it begins in the text looked up.
    pub begin: u32,
    /// Where it ends.
    pub end: u32,
    /// Where it begins in the stored text.
    pub stored_begin: u32,
    /// Where it ends.
    pub stored_end: u32,
    /// How similar its sides are.
    pub similarity: f64,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SharedTexts {
    /// Those that share the most first.
    pub texts: Vec<SharedText>,
    /// Whether there may be more.
    pub cut: bool,
}

/// Without a limit, so many of the candidates with the most common keys are aligned.
const ALIGNED: usize = 100;

impl Checker {
    /// The texts of an index that share a passage with this one.
    ///
    /// # Errors
    /// If the index is of another job or damaged.
    pub fn passages(
        &mut self,
        view: &View,
        text: &Text,
        options: &CheckOptions,
    ) -> Result<SharedTexts, Error> {
        if !view.frozen.locates_passages() {
            let job = view.spec().job.name();
            return Err(Error::Unsuited {
                problem: format!("an index of {job} does not locate passages"),
                remedy: "create one for passages".to_string(),
            });
        }
        let (counts, mut cut) = self.common_keys(view, text, options)?;
        let mut candidates: Vec<(usize, Place)> = counts
            .into_iter()
            .map(|(place, count)| (count, place))
            .collect();
        // The most common keys first; of equally many the one that was added first.
        candidates.sort_by_key(|(count, place)| (std::cmp::Reverse(*count), *place));
        if options.candidates.is_some() {
            cut |= candidates.len() > ALIGNED;
            candidates.truncate(ALIGNED);
        }
        let mut found = SharedTexts::default();
        for (_, place) in candidates {
            found.texts.extend(shared(view, text, place, options)?);
        }
        found.texts.sort_by(|a, b| b.covered.total_cmp(&a.covered));
        found.cut = cut || found.texts.len() > options.top;
        found.texts.truncate(options.top);
        Ok(found)
    }

    /// How many keys each stored text has in common with this one.
    fn common_keys(
        &mut self,
        view: &View,
        text: &Text,
        options: &CheckOptions,
    ) -> Result<(BTreeMap<Place, usize>, bool), Error> {
        let mut counts = BTreeMap::new();
        let mut cut = false;
        for key in self.keys_of(text) {
            let (places, was_cut) = places_of(view, key, options)?;
            cut |= was_cut;
            for place in places {
                *counts.entry(place).or_insert(0) += 1;
            }
        }
        Ok((counts, cut))
    }
}

fn shared(
    view: &View,
    text: &Text,
    place: Place,
    options: &CheckOptions,
) -> Result<Option<SharedText>, Error> {
    let row = view.row(place)?;
    if !options.allows(&row) {
        return Ok(None);
    }
    let document = view.document(place, &row, &mut Vec::new())?;
    let pages = TwoPages::compare(view.kernel(), text.as_str(), document.text.as_str())?;
    let Some(shared) = pages.shared else {
        return Ok(None);
    };
    let passages = pages.passages.iter().map(|passage| SharedPassage {
        begin: passage.a.characters.start,
        end: passage.a.characters.end,
        stored_begin: passage.b.characters.start,
        stored_end: passage.b.characters.end,
        similarity: passage.similarity,
    });
    Ok(Some(SharedText {
        id: document.id,
        label: view.label(row.label).map(str::to_string),
        added: row.added,
        covered: shared.covered_a,
        covered_stored: shared.covered_b,
        relation: shared.relation.name().to_string(),
        passages: passages.collect(),
    }))
}
