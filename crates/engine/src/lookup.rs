//! The texts of certain records: labelled pairs of ids become labelled pairs of texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lookalike_io::{Block, Record};
use lookalike_judge::gold::{Id, Text};
use lookalike_text::UnitId;

use crate::Error;
use crate::corpus::{Corpus, Texts};
use crate::run::{Request, RunOptions, resolve};

/// Reads the input and returns the texts of these ids, by field where the spec compares fields; of those that are not in
/// it, none. Standard input is copied to
/// a file in `work_dir`.
///
/// # Errors
/// If the input cannot be read.
pub fn texts_of_ids(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
) -> Result<BTreeMap<Id, Text>, Error> {
    look_up(request, wanted, work_dir, |text| text)
}

/// The same, but only how many characters (code points) each text has, or all its fields together.
///
/// # Errors
/// If the input cannot be read.
pub fn lengths_of_ids(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
) -> Result<BTreeMap<Id, u64>, Error> {
    let characters = |text: &str| text.chars().count() as u64;
    look_up(request, wanted, work_dir, |text| match text {
        Text::Whole(text) => characters(&text),
        Text::Fields(fields) => fields.values().map(|text| characters(text)).sum(),
    })
}

fn look_up<T>(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
    keep: impl Fn(Text) -> T,
) -> Result<BTreeMap<Id, T>, Error> {
    let parts = resolve(
        request,
        Path::new(""),
        work_dir,
        RunOptions::default().threads,
    )?;
    let corpus = Corpus::new(parts, &request.spec);
    corpus.check()?;
    let mut texts = BTreeMap::new();
    let (mut pass, mut block) = (corpus.pass(), Block::default());
    let (mut number, mut json, mut joined) = (0u64, Vec::new(), Texts::default());
    let limit = request.spec.limit.unwrap_or(u64::MAX);
    while number < limit && texts.len() < wanted.len() {
        let Some(part) = pass.next_block(&mut block)? else {
            break;
        };
        let source = block.place.source;
        let first = number;
        let records = block.decode(&mut |_| true, &mut |slot, record| {
            let number = first + u64::from(slot) + 1;
            let (Ok(record), true) = (record, number <= limit) else {
                return;
            };
            if corpus.check_fields(&record).is_err() {
                return;
            }
            json.clear();
            let id = match corpus.id(&record, part, source, &mut json) {
                Ok(()) if corpus.has_ids() => serde_json::from_slice(&json).ok(),
                Ok(()) => Some(Id::from(number)),
                Err(_) => None,
            };
            if let Some(id) = id.filter(|id| wanted.contains(id)) {
                texts
                    .entry(id)
                    .or_insert_with(|| keep(text(&corpus, &record, &mut joined)));
            }
        })?;
        number += u64::from(records);
    }
    Ok(texts)
}

fn text<'r>(corpus: &Corpus, record: &Record<'r>, joined: &'r mut Texts) -> Text {
    let unit = corpus.whole(UnitId::from(0), record, joined);
    if unit.fields.is_empty() {
        return Text::Whole(unit.text.to_string());
    }
    let names: Vec<&str> = corpus.compared_fields().collect();
    let there = corpus.fields_there(record).map(|number| {
        let text = unit.field(Some(number as u16)).text;
        (names[number].to_string(), text.to_string())
    });
    Text::Fields(there.collect())
}
