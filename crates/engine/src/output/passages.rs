//! `pairs.jsonl` and `passages.jsonl` of a run that locates passages: what documents share, and where.

use std::collections::BTreeMap;
use std::io::Write as _;

use lookalike_pair::assemble::alignment::Relation;
use serde::{Deserialize, Serialize};

use super::OutputFile;
use super::file::Similarity;
use super::groups::Groups;
use crate::Error;
use crate::ids::Lookup;
use crate::passages::FoundPassages;
use crate::stages::{Located, LocatedPassage, Place, SharedPair, Signed};

/// How many of the longest passages the summary shows, and how much of each.
const SHOWN: usize = 5;
const SHOWN_CHARACTERS: usize = 100;

/// What is known of passages. The numbers of the summary beside it count documents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PassagesSummary {
    /// How many sentences the documents have.
    pub sentences: u64,
    /// How many of these are boilerplate: they stand in more documents than the limit.
    pub boilerplate_sentences: u64,
    /// Lines of `passages.jsonl`.
    pub passages: u64,
    /// How many pairs of documents there are of each relation.
    pub relations: BTreeMap<String, u64>,
    /// Documents that hold several others.
    pub collections: u64,
    /// Documents that several others make up.
    pub multi_page: u64,
    /// The longest passages.
    pub longest: Vec<PassageSummary>,
}

/// One of the longest passages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PassageSummary {
    /// The earlier document.
    pub a: serde_json::Value,
    /// The later one.
    pub b: serde_json::Value,
    /// How many characters it has in the first.
    pub characters: u32,
    /// How similar its two sides are.
    pub similarity: f64,
    /// How it begins.
    pub text: String,
}

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

/// Writes `pairs.jsonl`.
pub(crate) fn write_shared(
    file: &mut OutputFile,
    (signed, found): (&Signed, &FoundPassages),
    groups: &Groups,
) -> Result<PassagesSummary, Error> {
    let mut summary = PassagesSummary {
        sentences: signed.units() as u64,
        boilerplate_sentences: found.common.count(),
        passages: found.located.passages.len(),
        relations: Relation::ALL
            .iter()
            .map(|relation| (relation.name().to_string(), 0))
            .collect(),
        ..PassagesSummary::default()
    };
    let (mut a_ids, mut b_ids) = (signed.ids(), signed.ids());
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
        let group = groups.of(pair.a, pair.b);
        file.write(format_args!(
            "{{\"a\":{},\"b\":{},{},\"covered_a\":{:?},\"covered_b\":{:?},\"relation\":\"{relation}\",\"passages\":{},\"group\":{}}}\n",
            a_ids.id(pair.a)?,
            b_ids.id(pair.b)?,
            Similarity(pair.similarity),
            pair.covered_a,
            pair.covered_b,
            pair.passages,
            group.map_or("null".to_string(), |group| format!("\"{}\"", group.name())),
        ))
    })?;
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
    let mut id = |record: u32| -> Result<serde_json::Value, Error> {
        Ok(serde_json::from_str(ids.id(record)?).unwrap_or_default())
    };
    let text = found.texts.get(pair.a)?.text;
    let begin = passage.a.begin as usize;
    let characters = text.chars().skip(begin).take(length(passage) as usize);
    let printable = characters.map(|c| if c.is_control() { ' ' } else { c });
    let start: String = printable.take(4 * SHOWN_CHARACTERS).collect();
    let line = start.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(PassageSummary {
        a: id(pair.a)?,
        b: id(pair.b)?,
        characters: length(passage),
        similarity: passage.similarity,
        text: line.chars().take(SHOWN_CHARACTERS).collect(),
    })
}

/// Writes `passages.jsonl`.
pub(crate) fn write_passages(
    file: &mut OutputFile,
    signed: &Signed,
    found: &FoundPassages,
) -> Result<(), Error> {
    let (mut a_ids, mut b_ids) = (signed.ids(), signed.ids());
    let mut line = Vec::new();
    for_each_shared(&found.located, |pair, passages| {
        for passage in passages {
            line.clear();
            line.extend_from_slice(b"{\"a\":");
            write_place(&mut line, &mut a_ids, pair.a, &passage.a)?;
            line.extend_from_slice(b",\"b\":");
            write_place(&mut line, &mut b_ids, pair.b, &passage.b)?;
            let sentences = passage.a.sentences.max(passage.b.sentences);
            // Writing to a vector cannot fail.
            let _ = writeln!(
                line,
                ",\"sentences\":{sentences},{}}}",
                Similarity(passage.similarity)
            );
            file.write_bytes(&line)?;
        }
        Ok(())
    })
}

fn write_place(
    line: &mut Vec<u8>,
    ids: &mut Lookup<'_>,
    record: u32,
    place: &Place,
) -> Result<(), Error> {
    let _ = write!(
        line,
        "{{\"id\":{},\"begin\":{},\"end\":{},\"first_sentence\":{},\"sentences\":{}}}",
        ids.id(record)?,
        place.begin,
        place.end,
        place.first_sentence,
        place.sentences
    );
    Ok(())
}
