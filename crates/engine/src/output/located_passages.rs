//! The pairs and the passages of a run that locates passages: what documents share, and where.

use std::borrow::Cow;

use lookalike_kernel::rows::{
    DocumentPair, IdRef, PassagePlace, PassageRow, PassageSummary, PassagesSummary, Row, Shape,
};
use lookalike_pair::assemble::alignment::Relation;
use lookalike_text::{RecordId, UnitId};

use super::document_groups::DocumentGroups;
use super::named_units::PairIds;
use super::summary_numbers::one_line;
use crate::Error;
use crate::bits::Bits;
use crate::find_passages::FoundPassages;
use crate::sink::{Sink, TableWriter};
use crate::stages::{Located, LocatedPassage, Place, SharedPair, Signed, Texts};

/// How many of the longest passages the summary shows, and how much of each.
const SHOWN: usize = 5;
const SHOWN_CHARACTERS: usize = 100;

/// Hands on every pair of documents with its passages.
pub(crate) fn for_each_shared(
    located: &Located,
    mut each: impl FnMut(&SharedPair, &[LocatedPassage]) -> Result<(), Error>,
) -> Result<(), Error> {
    const PIECE: u64 = 4096;
    let (mut at, mut passages) = (0, Vec::new());
    let mut begin = 0;
    while begin < located.pairs.len() {
        let count = PIECE.min(located.pairs.len() - begin) as usize;
        let mut pairs = vec![bytemuck::Zeroable::zeroed(); count];
        located.pairs.read_at(&mut pairs, begin)?;
        for pair in &pairs {
            passages.resize(pair.passages as usize, bytemuck::Zeroable::zeroed());
            located.passages.read_at(&mut passages, at)?;
            at += passages.len() as u64;
            each(pair, &passages)?;
        }
        begin += count as u64;
    }
    Ok(())
}

/// How many documents have any of these sentences.
fn documents_of(signed: &Signed, sentences: &Bits<UnitId>) -> u64 {
    if sentences.count() == 0 {
        return 0;
    }
    let mut documents: Vec<RecordId> = Vec::new();
    for unit in sentences.iter() {
        let record = signed.records.of(unit);
        if documents.last() != Some(&record) {
            documents.push(record);
        }
    }
    documents.len() as u64
}

/// Writes the pairs.
pub(super) fn write_shared(
    sink: &mut dyn Sink,
    signed: &Signed,
    found: &FoundPassages,
    groups: &DocumentGroups,
) -> Result<PassagesSummary, Error> {
    let mut table = TableWriter::begin(sink, Shape::DocumentPairs)?;
    let mut summary = PassagesSummary {
        sentences: signed.units() as u64,
        boilerplate_sentences: found.common.count(),
        boilerplate_documents: documents_of(signed, &found.common),
        passages: found.located.passages.len(),
        relations: Relation::ALL
            .iter()
            .map(|relation| (relation.name().to_string(), 0))
            .collect(),
        ..PassagesSummary::default()
    };
    let mut ids = PairIds::new(signed);
    let mut longest: Vec<(SharedPair, LocatedPassage)> = Vec::new();
    for_each_shared(&found.located, |pair, passages| {
        let relation = pair.relation();
        *summary
            .relations
            .entry(relation.name().to_string())
            .or_default() += 1;
        for passage in passages {
            keep_longest(&mut longest, (*pair, *passage));
        }
        let [a, b] = ids.of(pair.a, pair.b)?;
        table.write(&Row::DocumentPair(DocumentPair {
            a,
            b,
            similarity: pair.similarity,
            covered_a: pair.covered_a,
            covered_b: pair.covered_b,
            relation,
            passages: pair.passages,
            group: groups.of(pair.a, pair.b),
        }))
    })?;
    table.finish()?;
    for (pair, passage) in longest {
        summary.longest.push(shown(signed, found, &pair, &passage)?);
    }
    Ok(summary)
}

fn length(passage: &LocatedPassage) -> u32 {
    passage.a.end - passage.a.begin
}

fn keep_longest(
    longest: &mut Vec<(SharedPair, LocatedPassage)>,
    next: (SharedPair, LocatedPassage),
) {
    let place = longest.partition_point(|(_, other)| length(other) >= length(&next.1));
    if place < SHOWN {
        longest.insert(place, next);
        longest.truncate(SHOWN);
    }
}

fn shown(
    signed: &Signed,
    found: &FoundPassages,
    pair: &SharedPair,
    passage: &LocatedPassage,
) -> Result<PassageSummary, Error> {
    let mut ids = signed.ids();
    let mut id = |record: RecordId| -> Result<serde_json::Value, Error> {
        Ok(serde_json::from_str(ids.id(record)?).unwrap_or_default())
    };
    let mut titles = signed.titles_if_kept();
    let mut title = |record: RecordId| -> Result<Option<String>, Error> {
        let title = titles
            .as_mut()
            .map(|titles| titles.id(record))
            .transpose()?;
        Ok(title.and_then(|title| serde_json::from_str(title).ok()))
    };
    let mut buffer = Vec::new();
    let text = found.texts.part(pair.a, passage.a.bytes(), &mut buffer)?;
    let start = text.chars().take(4 * SHOWN_CHARACTERS);
    Ok(PassageSummary {
        a: id(pair.a)?,
        b: id(pair.b)?,
        title_a: title(pair.a)?,
        title_b: title(pair.b)?,
        characters: length(passage),
        similarity: passage.similarity,
        text: one_line(start, SHOWN_CHARACTERS),
    })
}

/// Writes the passages, with what they say if `texts` are given.
pub(super) fn write_passages(
    sink: &mut dyn Sink,
    signed: &Signed,
    found: &FoundPassages,
    texts: Option<&Texts>,
) -> Result<(), Error> {
    let mut table = TableWriter::begin(sink, Shape::Passages)?;
    let mut ids = PairIds::new(signed);
    let mut buffers = [Vec::new(), Vec::new()];
    for_each_shared(&found.located, |pair, passages| {
        let [a, b] = ids.of(pair.a, pair.b)?;
        passages.iter().try_for_each(|passage| {
            let [of_a, of_b] = &mut buffers;
            let said = |record: RecordId, place: &Place, buffer| {
                let part = texts.map(|texts| texts.part(record, place.bytes(), buffer));
                part.transpose()
            };
            table.write(&Row::Passage(PassageRow {
                a: place(a, &passage.a, said(pair.a, &passage.a, of_a)?),
                b: place(b, &passage.b, said(pair.b, &passage.b, of_b)?),
                sentences: passage.a.sentences.max(passage.b.sentences),
                similarity: passage.similarity,
            }))
        })
    })?;
    table.finish()
}

fn place<'r>(id: IdRef<'r>, place: &Place, text: Option<&'r str>) -> PassagePlace<'r, IdRef<'r>> {
    PassagePlace {
        id,
        begin: place.begin,
        end: place.end,
        first_sentence: place.first_sentence,
        sentences: place.sentences,
        text: text.map(Cow::Borrowed),
    }
}
