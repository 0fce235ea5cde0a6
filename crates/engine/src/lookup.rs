//! What records say: of certain ones, found by their ids, or of all.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use lookalike_kernel::Spec;
use lookalike_kernel::record::Rejection;
use lookalike_kernel::rows::Id;
use lookalike_text::{Unit, UnitId};

use crate::Error;
use crate::corpus::{Corpus, Texts};
use crate::fields;
use crate::rank::field_value;
use crate::source::{Block, Source};

/// What a record says.
#[derive(Debug, Clone, Copy)]
pub enum RecordText<'r> {
    /// All of it.
    Whole(&'r str),
    /// Field by field, those that it has, where fields are compared one by one.
    Fields(&'r [(&'r str, &'r str)]),
}

/// What a record is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordName {
    /// Its id.
    pub id: Id,
    /// Whether that only says where the record stands, since it has no id of its own.
    pub is_place: bool,
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
    let mut texts = BTreeMap::new();
    for_each_record(source, spec, &mut |_, name, text| {
        let id = name.map(|name| name.id);
        if let Some(id) = id.filter(|id| wanted.contains(id)) {
            texts.entry(id).or_insert_with(|| keep(text));
        }
        match texts.len() < wanted.len() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    Ok(texts)
}

/// Looks records up by their numbers, which count from 1, and returns what `keep` makes of each that can be used. No others
/// are decoded.
///
/// # Errors
/// If the source cannot be read.
pub fn records_by_number<T>(
    source: &dyn Source,
    spec: &Spec,
    wanted: &BTreeSet<u64>,
    keep: impl Fn(u64, RecordText<'_>) -> T,
) -> Result<BTreeMap<u64, T>, Error> {
    let mut texts = BTreeMap::new();
    let last = wanted.last().copied().unwrap_or(0);
    let of = Some(wanted);
    for_each((source, spec), of, &mut |_| {}, &mut |number, _, text| {
        texts.insert(number, keep(number, text));
        match number < last {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    Ok(texts)
}

/// The first records, at most so many, each as its id and what `keep` makes of it.
///
/// # Errors
/// If the source cannot be read.
pub fn first_records<T>(
    source: &dyn Source,
    spec: &Spec,
    most: usize,
    keep: impl Fn(RecordText<'_>) -> T,
) -> Result<Vec<(Id, T)>, Error> {
    let mut texts = Vec::new();
    for_each_record(source, spec, &mut |_, name, text| {
        if let Some(name) = name {
            texts.push((name.id, keep(text)));
        }
        match texts.len() < most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    Ok(texts)
}

/// What is done with a record, given its number, its name and what it says.
pub type EachRecord<'e> =
    dyn FnMut(u64, Option<RecordName>, RecordText<'_>) -> ControlFlow<()> + 'e;

/// Tells each usable record by its number and its id, in the order of the source, until `each` has enough.
///
/// # Errors
/// If the source cannot be read.
pub fn for_each_record(
    source: &dyn Source,
    spec: &Spec,
    each: &mut EachRecord<'_>,
) -> Result<(), Error> {
    for_each((source, spec), None, &mut |_| {}, each).map(drop)
}

/// The same, and tells what cannot be used. Returns what the user should know about the fields that were read.
///
/// # Errors
/// If the source cannot be read.
pub fn for_each_outcome(
    source: &dyn Source,
    spec: &Spec,
    rejected: &mut dyn FnMut(Rejection),
    each: &mut EachRecord<'_>,
) -> Result<Option<String>, Error> {
    for_each((source, spec), None, rejected, each)
}

/// Tells each unit of each usable record, with the number of the record from 1: as the job splits records, or, where all are to be
/// whole, the records themselves.
///
/// # Errors
/// If the source cannot be read.
pub fn for_each_unit(
    source: &dyn Source,
    spec: &Spec,
    are_whole: bool,
    each: &mut dyn FnMut(u64, Unit<'_>),
) -> Result<(), Error> {
    for_each_ranked_unit(source, spec, are_whole, &mut |number, _, unit| {
        each(number, unit);
    })
}

/// What a record says of which one is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepValues {
    /// The value of the field to rank by, larger is better; 0 where there is none.
    pub rank: u64,
    /// What records must have in common to take each other, as a hash.
    pub per: u64,
}

/// The same, with what decides which record is kept.
///
/// # Errors
/// If the source cannot be read.
pub fn for_each_ranked_unit(
    source: &dyn Source,
    spec: &Spec,
    are_whole: bool,
    each: &mut dyn FnMut(u64, KeepValues, Unit<'_>),
) -> Result<(), Error> {
    let corpus = Corpus::new(vec![source], spec);
    corpus.check()?;
    let mut splitter = match are_whole {
        true => corpus.whole_records(),
        false => corpus.splitter(),
    };
    let (mut pass, mut block, mut before) = (corpus.pass(), Block::default(), 0u64);
    while pass.next_block(&mut block)?.is_some() {
        let place = block.place.part;
        let records = block.decode(&mut |_| true, &mut |slot, record| {
            let Ok(record) = record else {
                return;
            };
            if corpus.check_fields(&record).is_ok() {
                let number = before + u64::from(slot) + 1;
                let values = KeepValues {
                    rank: field_value(corpus.keep_value(&record)),
                    per: corpus.keep_per(&record, source.part_name(place)),
                };
                splitter.split(UnitId::from(0), &record, &mut |unit| {
                    each(number, values, unit);
                });
            }
        })?;
        before += u64::from(records);
    }
    Ok(())
}

/// The same of the records with these numbers only.
fn for_each(
    (source, spec): (&dyn Source, &Spec),
    wanted: Option<&BTreeSet<u64>>,
    rejected: &mut dyn FnMut(Rejection),
    each: &mut EachRecord<'_>,
) -> Result<Option<String>, Error> {
    let settled = fields::settle(&[source], spec, fields::Lacking::Noted)?;
    let spec = &*settled.spec;
    let corpus = Corpus::new(vec![source], spec);
    corpus.check()?;
    let names: Vec<&str> = corpus.compared_fields().collect();
    let (mut pass, mut block) = (corpus.pass(), Block::default());
    let (mut number, mut json, mut joined) = (0u64, Vec::new(), Texts::default());
    let limit = spec.limit.unwrap_or(u64::MAX);
    let mut flow = ControlFlow::Continue(());
    while number < limit && flow.is_continue() {
        let Some(part) = pass.next_block(&mut block)? else {
            break;
        };
        block.rejections.drain(..).for_each(&mut *rejected);
        let (place, first) = (block.place.part, number);
        let mut is_wanted =
            |slot: u32| wanted.is_none_or(|wanted| wanted.contains(&(first + u64::from(slot) + 1)));
        let records = block.decode(&mut is_wanted, &mut |slot, record| {
            let number = first + u64::from(slot) + 1;
            if number > limit {
                return;
            }
            let record = match record {
                Ok(record) => record,
                Err(rejection) => return rejected(rejection),
            };
            let unusable = |reason: String| {
                let (source, line) = match record.name {
                    Some(name) => (name.to_string(), None),
                    None => source.place(place, record.line),
                };
                Rejection {
                    source,
                    line,
                    reason,
                }
            };
            if let Err(reason) = corpus.check_fields(&record) {
                return rejected(unusable(reason));
            }
            json.clear();
            let id = match corpus.id(&record, part, place, &mut json) {
                Ok(()) if corpus.has_ids() => serde_json::from_slice(&json).ok(),
                Ok(()) => Some(Id::from(number)),
                Err(reason) => {
                    rejected(unusable(reason));
                    None
                }
            };
            let unit = corpus.whole(UnitId::from(0), &record, &mut joined);
            let there = corpus.fields_there(&record);
            let fields: Vec<(&str, &str)> = there
                .map(|number| (names[number], unit.field(Some(number as u16)).text))
                .collect();
            let text = if unit.fields.is_empty() {
                RecordText::Whole(unit.text)
            } else {
                RecordText::Fields(&fields)
            };
            if flow.is_continue() {
                let is_place = corpus.is_named_by_place(&record);
                let name = id.map(|id| RecordName { id, is_place });
                flow = each(number, name, text);
            }
        });
        number += u64::from(records?);
        if wanted.is_some_and(|wanted| wanted.last().is_none_or(|&last| last <= number)) {
            break;
        }
    }
    corpus.check_unchanged()?;
    Ok(settled.note)
}
