//! The most similar questions of an index, ranked, whatever the threshold: what was asked before, while one types.
//!
//! Threads are found by the words of their first field, what is asked, and by how these begin. Of each term the index knows how
//! many threads have it; the similarity is the cosine of the terms weighed by that.

use std::collections::BTreeMap;

use lookalike_kernel::TermCounter;
use lookalike_kernel::pair::nearest::FieldTerm;
use lookalike_kernel::rows::Id;
use lookalike_kernel::sign::keys::Key;
use lookalike_kernel::text::Unit;
use lookalike_kernel::text::hash::mix64;
use serde::Serialize;

use crate::Error;
use crate::candidates::places_of;
use crate::checker::{CheckOptions, Checker};
use crate::document::Text;
use crate::view::{Place, View};

/// A text of the index, and how similar it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Suggestion {
    /// Its name.
    pub id: Id,
    /// From 0 to 1, by the words of the first field.
    pub similarity: f64,
    /// What its first field says.
    pub title: String,
    /// The label under which it was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Of a term, so many threads are looked at; where more have it, it says little.
const MOST_OF_TERM: usize = 4096;
/// So many of those with the most in common are compared.
const COMPARED: usize = 200;
/// Sets these keys apart from those that similar texts share.
const TERM: u64 = 0x7465_726d_7465_726d;

/// The keys of the terms of the first field: one a term, in order.
pub(crate) fn term_keys(counter: &mut TermCounter, unit: &Unit<'_>, out: &mut Vec<Key>) {
    let mut counted = Vec::new();
    counter.count(unit, &mut counted);
    let terms: &[FieldTerm] = bytemuck::cast_slice(&counted);
    let first = terms.iter().filter(|term| term.field() == 0);
    out.extend(first.map(|term| mix64(u64::from(term.term()) ^ TERM)));
    out.sort_unstable();
    out.dedup();
}

impl Checker {
    /// The texts of an index that are most similar to this one, the most similar first.
    ///
    /// # Errors
    /// If the index is of another job or damaged.
    pub fn suggest(
        &mut self,
        view: &View,
        text: &Text,
        options: &CheckOptions,
    ) -> Result<Vec<Suggestion>, Error> {
        if !view.spec().job.suggests() {
            let job = view.spec().job.name();
            return Err(Error::Unsuited {
                problem: format!("an index of {job} makes no suggestions"),
                remedy: "create one for threads".to_string(),
            });
        }
        let mut terms = Terms {
            view,
            counter: view.kernel().term_counter()?,
            known: BTreeMap::new(),
        };
        let (asked, length) = terms.vector(&text.unit())?;
        let mut sums: BTreeMap<Place, f64> = BTreeMap::new();
        let most = CheckOptions::default().with(|most| most.candidates = Some(MOST_OF_TERM));
        for (key, weight) in &asked {
            for place in places_of(view, *key, &most)?.0 {
                *sums.entry(place).or_insert(0.0) += weight * weight;
            }
        }
        let mut best: Vec<(f64, Place)> =
            sums.into_iter().map(|(place, sum)| (sum, place)).collect();
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        best.truncate(COMPARED.max(options.top));
        let mut ranked = Vec::new();
        for (_, place) in best {
            let row = view.row(place)?;
            if !options.allows(&row) {
                continue;
            }
            let document = view.document(place, &row, &mut Vec::new())?;
            let (stored, stored_length) = terms.vector(&document.text.unit())?;
            let common: f64 = asked
                .iter()
                .filter_map(|(key, weight)| Some(weight * stored.get(key)?))
                .sum();
            let title = document
                .text
                .fields()
                .next()
                .unwrap_or(document.text.as_str());
            let suggestion = Suggestion {
                similarity: (common / (length * stored_length)).min(1.0),
                title: title.to_string(),
                label: view.label(row.label).map(str::to_string),
                id: document.id.clone(),
            };
            ranked.push((suggestion, place));
        }
        ranked.sort_by(|(a, first), (b, second)| {
            let by_similarity = b.similarity.total_cmp(&a.similarity);
            by_similarity.then_with(|| first.cmp(second))
        });
        ranked.truncate(options.top);
        Ok(ranked
            .into_iter()
            .map(|(suggestion, _)| suggestion)
            .collect())
    }
}

/// What terms weigh.
struct Terms<'v> {
    view: &'v View,
    counter: TermCounter,
    known: BTreeMap<Key, f64>,
}

impl Terms<'_> {
    /// The terms of a text with their weights, and the length of that vector.
    fn vector(&mut self, unit: &Unit<'_>) -> Result<(BTreeMap<Key, f64>, f64), Error> {
        let mut keys = Vec::new();
        term_keys(&mut self.counter, unit, &mut keys);
        let mut vector = BTreeMap::new();
        for key in keys {
            vector.insert(key, self.weight(key)?);
        }
        let length = vector
            .values()
            .map(|weight| weight * weight)
            .sum::<f64>()
            .sqrt();
        Ok((vector, length.max(f64::MIN_POSITIVE)))
    }

    /// The rarer, the heavier.
    fn weight(&mut self, key: Key) -> Result<f64, Error> {
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let mut count = 0;
        for segment in &self.view.segments {
            segment.keys.find(key, self.view.reading(), |documents| {
                count = (count + documents.len()).min(MOST_OF_TERM);
                count < MOST_OF_TERM
            })?;
        }
        let all = self.view.len() as f64 + 1.0;
        let weight = (1.0 + all / (count as f64 + 1.0)).ln();
        self.known.insert(key, weight);
        Ok(weight)
    }
}
