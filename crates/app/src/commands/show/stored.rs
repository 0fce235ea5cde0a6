//! A finished result as it lies in its folder: its rows, and the texts behind them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;
use lookalike::finished::{Finished, Side, called};
use lookalike::kernel::nearest;
use lookalike::kernel::rows::{Id, RecordRow, Table};
use lookalike::{Request, lengths_of_ids};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::choose::{Choice, First};
use super::clusters;

/// A finished result that is shown.
pub(super) struct Stored(pub(super) Finished);

/// A pair, or a passage that two records share.
#[derive(Debug, Clone)]
pub(super) struct PairRow {
    pub(super) sides: [Side; 2],
    pub(super) similarity: Option<f64>,
    /// Whether the two were not compared, but are in one cluster by way of others.
    pub(super) is_by_way: bool,
    pub(super) kind: Option<String>,
    /// How certain the kind is.
    pub(super) confidence: Option<f64>,
    pub(super) changed: Vec<(String, String)>,
    /// When the two parted, where their history tells.
    pub(super) parted: Option<String>,
    /// The line of the file.
    pub(super) line: String,
}

/// Rows that were chosen.
pub(super) struct Chosen {
    pub(super) rows: Vec<PairRow>,
    /// How many would fit.
    pub(super) fitting: u64,
    /// All kinds that pairs of the result have.
    pub(super) kinds: BTreeSet<String>,
}

impl Chosen {
    /// The lines of the files, each once.
    pub(super) fn lines(&self) -> String {
        let mut lines: Vec<&str> = self.rows.iter().map(|row| row.line.as_str()).collect();
        lines.dedup();
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// What rows of all jobs have, as far as it is shown.
#[derive(Deserialize)]
struct RawPair<'l> {
    #[serde(borrow)]
    a: &'l RawValue,
    #[serde(borrow)]
    b: &'l RawValue,
    similarity: Option<f64>,
    kind: Option<String>,
    confidence: Option<f64>,
    relation: Option<String>,
    #[serde(default)]
    changed: Vec<(String, String)>,
    since_a: Option<String>,
    since_b: Option<String>,
    parted: Option<String>,
    text_a: Option<String>,
    text_b: Option<String>,
}

impl PairRow {
    pub(super) fn read(line: String) -> Option<PairRow> {
        let raw: RawPair<'_> = serde_json::from_str(&line).ok()?;
        let mut sides = [Side::read(raw.a)?, Side::read(raw.b)?];
        for (side, text) in sides.iter_mut().zip([raw.text_a, raw.text_b]) {
            side.text = side.text.take().or(text);
        }
        for (side, since) in sides.iter_mut().zip([raw.since_a, raw.since_b]) {
            side.since = since;
        }
        let (similarity, kind) = (raw.similarity, raw.kind.or(raw.relation));
        let (confidence, changed) = (raw.confidence, raw.changed);
        Some(PairRow {
            sides,
            similarity,
            is_by_way: false,
            kind,
            confidence,
            changed,
            parted: raw.parted,
            line,
        })
    }
}

impl Stored {
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        Ok(Stored(Finished::open(folder)?))
    }

    /// Whether one of each cluster is kept and the others are removed.
    pub(super) fn removes(&self) -> bool {
        let parameters = &self.0.summary.parameters;
        parameters.job.removes_records(parameters)
    }

    /// The pairs, or the passages where these are located, that are asked for.
    pub(super) fn choose(&self, choice: &Choice<'_>) -> anyhow::Result<Chosen> {
        let by_relation = self.kinds_of_pairs()?;
        let file = match self.0.summary.passages.is_some() {
            true => Table::Passages,
            false => Table::Pairs,
        };
        let is_more = self.0.summary.counts.pairs > choice.most as u64;
        // Of one record, its pairs are what is asked for.
        let clusters = match is_more && choice.id.is_none() {
            true => clusters::of_members(self)?,
            false => BTreeMap::new(),
        };
        let (mut first, mut kinds) = (First::new(choice, clusters), BTreeSet::new());
        for line in self.0.lines(file)? {
            let Some(mut row) = PairRow::read(line?) else {
                continue;
            };
            if let Some(relations) = &by_relation {
                let ids = (row.sides[0].id.clone(), row.sides[1].id.clone());
                row.kind = relations.get(&ids).cloned();
            }
            if let Some(kind) = row.kind.as_ref().filter(|kind| !kinds.contains(*kind)) {
                kinds.insert(kind.clone());
            }
            if choice.fits(&row) {
                first.offer(row);
            }
        }
        let (rows, fitting) = first.finish();
        Ok(Chosen {
            rows,
            fitting,
            kinds,
        })
    }

    /// If no record in pairs has an id, and no record of the input either as far as that can be read again, that, and what may
    /// be meant instead; none where one has it, or where the result does not tell.
    pub(super) fn unknown_id(&self, id: &str) -> anyhow::Result<Option<String>> {
        /// So many ids are compared with one that is misspelt.
        const MOST: usize = 100_000;
        let (mut ids, mut titled, mut is_known) = (Vec::new(), None, false);
        self.0.for_each_line(Table::Records, |line| {
            let Ok(row) = serde_json::from_str::<RecordRow<'static>>(line) else {
                return Ok(());
            };
            let called = called(&row.id);
            is_known |= called == id;
            if titled.is_none() && row.title.is_some_and(|title| title == id) {
                titled = Some(called.to_string());
            }
            if ids.len() < MOST {
                ids.push(called.to_string());
            }
            Ok(())
        })?;
        if is_known || !self.0.has(Table::Records) {
            return Ok(None);
        }
        let folder = self.0.folder().display();
        let unknown = match self.is_in_input(id) {
            Some(true) => return Ok(None),
            Some(false) => format!("no record in {folder} has the id {id}"),
            None => format!("no pair in {folder} has a record with the id {id}"),
        };
        let meant = nearest(id, ids.iter().map(String::as_str));
        let instead = match (titled, meant, ids.first()) {
            (Some(titled), ..) => format!("; the record with that title has the id {titled}"),
            (_, Some(meant), _) => format!(" (did you mean {meant}?)"),
            (_, _, Some(first)) => format!("; ids are as in {first}"),
            _ => String::new(),
        };
        Ok(Some(unknown + &instead))
    }

    /// Whether the input, or the corpus that it was compared with, has a record with this id; none if these cannot be read again.
    fn is_in_input(&self, id: &str) -> Option<bool> {
        let summary = &self.0.summary;
        let inputs: Vec<String> = summary
            .inputs
            .iter()
            .chain(&summary.against)
            .cloned()
            .collect();
        if inputs.iter().any(|name| name == "-") {
            return None;
        }
        let wanted = BTreeSet::from([Id::Text(id.to_string()), Id::Number(id.to_string())]);
        let request = Request::new(summary.parameters.clone(), inputs);
        let work = tempfile::tempdir().ok()?;
        let there = lengths_of_ids(&request, &wanted, work.path()).ok()?;
        Some(!there.is_empty())
    }

    /// Of pairs of documents that share passages, what they are to each other.
    fn kinds_of_pairs(&self) -> anyhow::Result<Option<BTreeMap<(Id, Id), String>>> {
        if self.0.summary.passages.is_none() {
            return Ok(None);
        }
        let mut relations = BTreeMap::new();
        for line in self.0.lines(Table::Pairs)? {
            if let Some(row) = PairRow::read(line?) {
                let [a, b] = row.sides;
                relations.insert((a.id, b.id), row.kind.unwrap_or_default());
            }
        }
        Ok(Some(relations))
    }

    /// The texts behind rows that do not say them, and where all of them stand.
    pub(super) fn texts(&self, rows: &[PairRow]) -> anyhow::Result<Texts> {
        let sides = rows.iter().flat_map(|row| &row.sides);
        self.texts_of(&sides.cloned().collect::<Vec<_>>())
    }

    pub(super) fn texts_of(&self, sides: &[Side]) -> anyhow::Result<Texts> {
        let wanted: BTreeSet<Id> = sides.iter().map(|side| side.id.clone()).collect();
        let unsaid = sides.iter().filter(|side| side.text.is_none());
        let unsaid: BTreeSet<&Id> = unsaid.map(|side| &side.id).collect();
        let mut texts = Texts {
            is_against: !self.0.summary.against.is_empty(),
            is_within: self.0.summary.parameters.within,
            ..Texts::default()
        };
        if wanted.is_empty() {
            return Ok(texts);
        }
        // By number, as ids that were repeated have other names in the input.
        let mut numbers: [BTreeMap<u64, Id>; 2] = [BTreeMap::new(), BTreeMap::new()];
        for ((id, is_against), row) in self.0.records(&wanted)? {
            let place = match row.line {
                Some(line) => format!("{}:{line}", row.source),
                None => row.source.to_string(),
            };
            texts.places.insert((id.clone(), is_against), place);
            if let Some(title) = &row.title {
                let title = title.to_string();
                texts.titles.insert((id.clone(), is_against), title);
            }
            if unsaid.contains(&id) {
                numbers[usize::from(is_against)].insert(row.order, id);
            }
        }
        let [input, against] = numbers;
        for (is_against, numbers) in [(false, input), (true, against)] {
            let found = lookalike::texts_of_result(
                &self.0.summary,
                is_against,
                &numbers.keys().copied().collect(),
            );
            let found = found.with_context(|| {
                format!(
                    "cannot read the texts behind {} again; a run with --with-text stores them",
                    self.0.folder().display()
                )
            })?;
            for (number, text) in found {
                if let Some(id) = numbers.get(&number) {
                    texts.records.insert((id.clone(), is_against), text);
                }
            }
        }
        Ok(texts)
    }
}

/// The texts of records, and where they stand.
#[derive(Default)]
pub(super) struct Texts {
    records: BTreeMap<(Id, bool), String>,
    places: BTreeMap<(Id, bool), String>,
    titles: BTreeMap<(Id, bool), String>,
    /// Whether second sides are of another corpus.
    is_against: bool,
    /// Whether they may be of the input all the same.
    is_within: bool,
}

impl Texts {
    /// The text of a side, which is the first or the second.
    pub(super) fn of<'t>(&'t self, side: &'t Side, number: usize) -> Option<&'t str> {
        if let Some(text) = &side.text {
            return Some(text);
        }
        let text = self.in_corpus(&self.records, side, number)?;
        let Some((begin, end)) = side.span else {
            return Some(text);
        };
        let byte = |character: usize| {
            let place = text.char_indices().nth(character);
            place.map_or(text.len(), |(byte, _)| byte)
        };
        text.get(byte(begin)..byte(end))
    }

    /// The title of a side, or its id, or both where rows do not say the title.
    pub(super) fn name(&self, side: &Side, number: usize) -> String {
        match self.in_corpus(&self.titles, side, number) {
            Some(title) if side.title.is_none() => format!("{title} ({})", side.called()),
            _ => side.name().to_string(),
        }
    }

    /// Where it stands.
    pub(super) fn place(&self, side: &Side, number: usize) -> Option<&str> {
        let place = self.in_corpus(&self.places, side, number);
        place.map(String::as_str)
    }

    /// What is known of a side. Second ones are of the other corpus, if there is one; where the input was compared with
    /// itself, too, no id is in both.
    fn in_corpus<'t>(
        &self,
        known: &'t BTreeMap<(Id, bool), String>,
        side: &Side,
        number: usize,
    ) -> Option<&'t String> {
        let is_other = self.is_against && number == 1;
        let of = |is_other: bool| known.get(&(side.id.clone(), is_other));
        of(is_other).or_else(|| of(false).filter(|_| self.is_within))
    }
}
