//! What only some jobs have: articles with sentences in common, suggestions, templates.

use lookalike_kernel::rows::{ArticleRow, Id, Table};
use lookalike_kernel::text::Seed;
use lookalike_kernel::text::hash::hash64;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::first::First;
use super::units::Units;
use crate::Error;
use crate::finished::{Finished, Side};

/// So many pairs of articles, templates, and records with suggestions.
const MOST_ROWS: usize = 500;

/// So many values of a slot, and members of a template.
const MOST_VALUES: usize = 30;

/// Two articles with sentences in common.
#[derive(Debug, Serialize)]
pub(super) struct PageArticles {
    a: u32,
    b: u32,
    shared_sentences: u32,
    chain: Option<u32>,
}

/// A record with those most similar to it.
#[derive(Debug, Serialize)]
pub(super) struct PageSuggestions {
    unit: u32,
    similar: Vec<PageSuggestion>,
}

impl PageSuggestions {
    /// The record, and those most similar to it.
    pub(super) fn units(&self) -> impl Iterator<Item = u32> {
        let similar = self.similar.iter().map(|other| other.unit);
        std::iter::once(self.unit).chain(similar)
    }
}

#[derive(Debug, Serialize)]
struct PageSuggestion {
    unit: u32,
    similarity: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Box<RawValue>>,
}

/// What several messages have in common, and what stands in its slots.
#[derive(Debug, Serialize)]
pub(super) struct PageTemplate {
    template: String,
    slots: Vec<Vec<String>>,
    size: u64,
    members: Vec<u32>,
}

/// Some rows of a table, and how many it has.
#[derive(Debug, Serialize)]
pub(super) struct Rows<T> {
    pub(super) all: u64,
    pub(super) rows: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Rows {
            all: 0,
            rows: Vec::new(),
        }
    }
}

/// The pairs of articles with most in common, which the result has first.
pub(super) fn articles(result: &Finished, units: &mut Units) -> Result<Rows<PageArticles>, Error> {
    let mut articles = Rows::default();
    result.for_each_line(Table::Articles, |line| {
        articles.all += 1;
        if articles.rows.len() < MOST_ROWS {
            let row: ArticleRow<'_> =
                serde_json::from_str(line).map_err(|error| error.to_string())?;
            let mut side = |id: Id, title: Option<&str>| {
                let title = title.map(str::to_string);
                units.add(
                    &Side {
                        title,
                        ..Side::of(id)
                    },
                    false,
                )
            };
            articles.rows.push(PageArticles {
                a: side(row.a, row.title_a.as_deref()),
                b: side(row.b, row.title_b.as_deref()),
                shared_sentences: row.shared_sentences,
                chain: row.chain,
            });
        }
        Ok(())
    })?;
    Ok(articles)
}

#[derive(Deserialize)]
struct RawSuggestions {
    id: Id,
    similar: Vec<RawSuggestion>,
}

#[derive(Deserialize)]
struct RawSuggestion {
    id: Id,
    similarity: f64,
    fields: Option<Box<RawValue>>,
}

/// A sample of the records that have suggestions.
pub(super) fn suggestions(
    result: &Finished,
    units: &mut Units,
) -> Result<Rows<PageSuggestions>, Error> {
    let mut first = First::new(MOST_ROWS);
    let mut all = 0;
    result.for_each_line(Table::Suggestions, |line| {
        let key = hash64(line.as_bytes(), Seed(1));
        if first.wants(key, all) {
            first.offer(key, all, line.to_string());
        }
        all += 1;
        Ok(())
    })?;
    let mut chosen = first.finish();
    chosen.sort_by_key(|(order, _)| *order);
    let is_against = !result.summary.against.is_empty();
    let rows = chosen.iter().filter_map(|(_, line)| {
        let raw: RawSuggestions = serde_json::from_str(line).ok()?;
        let unit = units.add(&Side::of(raw.id), false);
        let similar = raw.similar.into_iter().map(|suggestion| PageSuggestion {
            unit: units.add(&Side::of(suggestion.id), is_against),
            similarity: suggestion.similarity,
            fields: suggestion.fields,
        });
        let similar: Vec<PageSuggestion> = similar.collect();
        Some(PageSuggestions { unit, similar })
    });
    let rows = rows.collect();
    Ok(Rows { all, rows })
}

#[derive(Deserialize)]
struct RawTemplate {
    template: String,
    #[serde(default)]
    slots: Vec<Vec<String>>,
    size: u64,
    #[serde(default)]
    members: Vec<Id>,
}

/// The templates with most members.
pub(super) fn templates(result: &Finished, units: &mut Units) -> Result<Rows<PageTemplate>, Error> {
    let mut first = First::new(MOST_ROWS);
    let mut all = 0;
    result.for_each_line(Table::Templates, |line| {
        let mut raw: RawTemplate = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let key = u64::MAX - raw.size;
        if first.wants(key, all) {
            raw.members.truncate(MOST_VALUES);
            for slot in &mut raw.slots {
                slot.truncate(MOST_VALUES);
            }
            first.offer(key, all, raw);
        }
        all += 1;
        Ok(())
    })?;
    let rows = first.finish().into_iter().map(|(_, raw)| PageTemplate {
        template: raw.template,
        slots: raw.slots,
        size: raw.size,
        members: (raw.members.into_iter())
            .map(|id| units.add(&Side::of(id), false))
            .collect(),
    });
    let rows = rows.collect();
    Ok(Rows { all, rows })
}
