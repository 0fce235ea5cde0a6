//! Certain records, found by their ids.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_kernel::Spec;
use lookalike_kernel::rows::Id;
use lookalike_text::UnitId;

use crate::Error;
use crate::corpus::{Corpus, Texts};
use crate::source::{Block, Source};

/// What a record says.
#[derive(Debug, Clone, Copy)]
pub enum RecordText<'r> {
    /// All of it.
    Whole(&'r str),
    /// Field by field, those that it has, where fields are compared one by one.
    Fields(&'r [(&'r str, &'r str)]),
}

/// Looks records up by their ids and returns what `keep` makes of each that is there.
///
/// # Errors
/// If the source cannot be read.
pub fn records_by_id<T>(
    source: &dyn Source,
    spec: &Spec,
    wanted: &BTreeSet<Id>,
    keep: impl Fn(RecordText<'_>) -> T,
) -> Result<BTreeMap<Id, T>, Error> {
    let corpus = Corpus::new(vec![source], spec);
    corpus.check()?;
    let names: Vec<&str> = corpus.compared_fields().collect();
    let mut texts = BTreeMap::new();
    let (mut pass, mut block) = (corpus.pass(), Block::default());
    let (mut number, mut json, mut joined) = (0u64, Vec::new(), Texts::default());
    let limit = spec.limit.unwrap_or(u64::MAX);
    while number < limit && texts.len() < wanted.len() {
        let Some(part) = pass.next_block(&mut block)? else {
            break;
        };
        let (place, first) = (block.place.part, number);
        let records = block.decode(&mut |_| true, &mut |slot, record| {
            let number = first + u64::from(slot) + 1;
            let (Ok(record), true) = (record, number <= limit) else {
                return;
            };
            if corpus.check_fields(&record).is_err() {
                return;
            }
            json.clear();
            let id = match corpus.id(&record, part, place, &mut json) {
                Ok(()) if corpus.has_ids() => serde_json::from_slice(&json).ok(),
                Ok(()) => Some(Id::from(number)),
                Err(_) => None,
            };
            let Some(id) = id.filter(|id| wanted.contains(id)) else {
                return;
            };
            let unit = corpus.whole(UnitId::from(0), &record, &mut joined);
            let there = corpus.fields_there(&record);
            let fields: Vec<(&str, &str)> = there
                .map(|number| (names[number], unit.field(Some(number as u16)).text))
                .collect();
            texts.entry(id).or_insert_with(|| {
                keep(if unit.fields.is_empty() {
                    RecordText::Whole(unit.text)
                } else {
                    RecordText::Fields(&fields)
                })
            });
        });
        number += u64::from(records?);
    }
    corpus.check_unchanged()?;
    Ok(texts)
}
