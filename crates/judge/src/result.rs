//! A finished result read back, to be judged.
//!
//! Which pairs count as found: those in `pairs.jsonl`, and each removed record with the one kept for it, unless nothing
//! verified them. With `pairs = "auto"` identical copies are listed as a star around the first, and only the first is listed
//! with what it is similar to; so a record and what it is a copy of (`records.jsonl`) are taken as one, and what is found for
//! one of them is found for all. With `against` all copies in the input are listed anyway, and so is every pair of records
//! with a passage in common.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use lookalike_kernel::Pairs;
use lookalike_kernel::jobs::Split;
use lookalike_kernel::rows::{PassageRow, RecordPair, RecordRow, RemovedRow, Summary};
use serde::de::DeserializeOwned;

use crate::Error;
use crate::gold::{Clusters, Counting, Id, PairGold, Sides, read_clusters};
use crate::metrics::{Found, Located, pairs_of};

/// Pairs that copies may add before judging them one by one is no longer sensible.
const MOST_PAIRS: u64 = 20_000_000;

/// A finished result read back, to be judged.
#[derive(Debug)]
pub struct FinishedResult {
    folder: PathBuf,
    /// `summary.json`.
    pub summary: Summary,
}

impl FinishedResult {
    /// The result in a folder.
    ///
    /// # Errors
    /// If it is not the folder of a finished run.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("summary.json");
        let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => unusable(
                folder,
                "it has no summary.json, so it is not the folder of a finished run; run that command again to finish it",
            ),
            _ => unusable(&path, error.to_string()),
        })?;
        let summary = serde_json::from_slice(&bytes)
            .map_err(|error| unusable(&path, format!("{error}; run that command again")))?;
        Ok(FinishedResult {
            folder: folder.to_path_buf(),
            summary,
        })
    }

    /// Whether it matters which record of a pair is `a`.
    pub fn sides(&self) -> Sides {
        // Where the input was compared with itself, too, no id is in both corpora.
        if self.summary.against.is_empty() || self.summary.parameters.within {
            Sides::Interchangeable
        } else {
            Sides::Distinct
        }
    }

    /// How many records there were.
    pub fn records(&self) -> u64 {
        self.summary.counts.records + self.summary.counts.against_records
    }

    /// How many records have an id that another record had before them, and so another name.
    pub fn repeated_ids(&self) -> u64 {
        self.summary.counts.repeated_ids
    }

    /// The clusters; records that are in none are alone.
    ///
    /// # Errors
    /// If `clusters.jsonl` cannot be read or is of sentences.
    pub fn clusters(&self) -> Result<Clusters, Error> {
        self.check_records()?;
        let path = self.folder.join("clusters.jsonl");
        read_clusters(&path.display().to_string(), open(&path)?)
    }

    /// The pairs found, as far as they count for this gold. One that was not verified has a similarity that is not a
    /// number.
    ///
    /// # Errors
    /// If `pairs.jsonl` cannot be read, is of sentences or lists no pairs by choice, or if copies make too many pairs.
    pub fn found(&self, gold: &PairGold, counting: Counting) -> Result<Vec<Found>, Error> {
        self.check_records()?;
        if self.summary.parameters.pairs == Pairs::None {
            return Err(unusable(
                &self.folder,
                "it was made with `pairs=none`; run it again with `pairs=auto`",
            ));
        }
        let mut listed: Vec<RecordPair> = read_lines(&self.folder.join("pairs.jsonl"))?;
        self.add_removed(&mut listed)?;
        let groups = Groups::new(&listed, self.sides(), &self.copies()?);
        match counting {
            Counting::Listed => Ok(groups.found_of(gold)),
            Counting::Complete => groups.all_found().ok_or_else(|| {
                unusable(
                    &self.folder,
                    format!(
                        "identical copies make more than {MOST_PAIRS} pairs; judge it with clusters as gold, or with `listed=true`"
                    ),
                )
            }),
        }
    }

    /// The passages found.
    ///
    /// # Errors
    /// If there is no `passages.jsonl`, or it cannot be read.
    pub fn passages(&self) -> Result<Vec<Located>, Error> {
        self.check_records()?;
        if !self.has_passages() {
            return Err(unusable(
                &self.folder,
                "it has no passages.jsonl, but the gold has spans; judge the result of lookalike passages, or leave the \
                 spans out of the gold to judge pairs of records",
            ));
        }
        let path = self.folder.join("passages.jsonl");
        let rows = (1..).zip(lines(&path)?);
        let located = rows.map(|(number, row): (u64, Result<PassageRow<'static>, Error>)| {
            Located::from_row(row?)
                .ok_or_else(|| unusable(&path, format!("line {number}: an empty passage")))
        });
        located.collect()
    }

    fn has_passages(&self) -> bool {
        self.folder.join("passages.jsonl").exists()
    }

    /// Refuses what is not about records.
    fn check_records(&self) -> Result<(), Error> {
        let parameters = &self.summary.parameters;
        match parameters.job.split(parameters) {
            Split::Sentences(_) => Err(unusable(
                &self.folder,
                "it is of lookalike sentences, and gold is about whole records; judge the method itself, on labelled pairs \
                 of sentences: lookalike judge `gold=FILE` `features=shingles:letters:5`",
            )),
            Split::Whole | Split::Pages(_) => Ok(()),
        }
    }

    /// Adds the removed records, each with the one kept for it, where that was verified.
    fn add_removed(&self, listed: &mut Vec<RecordPair>) -> Result<(), Error> {
        let path = self.folder.join("removed.jsonl");
        if !path.exists() {
            return Ok(());
        }
        for row in lines::<RemovedRow>(&path)? {
            let row = row?;
            if row.verified {
                listed.push(RecordPair {
                    a: row.id,
                    b: row.kept,
                    similarity: row.similarity,
                    verified: true,
                });
            }
        }
        Ok(())
    }

    /// Each copy with the first record of the same text, where only that one is listed with what both are similar to.
    fn copies(&self) -> Result<Vec<(Id, Id)>, Error> {
        let path = self.folder.join("records.jsonl");
        let are_listed = self.summary.parameters.pairs != Pairs::Auto
            || !self.summary.against.is_empty()
            || self.has_passages();
        if are_listed || !path.exists() {
            return Ok(Vec::new());
        }
        let mut copies = Vec::new();
        for row in lines::<RecordRow<'static>>(&path)? {
            let row = row?;
            copies.extend(row.copy_of.map(|first| (row.id, first)));
        }
        Ok(copies)
    }
}

fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    lines(path)?.collect()
}

/// The rows of a file, one after the other.
fn lines<T: DeserializeOwned>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<T, Error>> + use<'_, T>, Error> {
    let lines = (1..).zip(open(path)?.lines());
    let parse = move |(number, line): (u64, std::io::Result<String>)| {
        let line = line.map_err(|error| unusable(path, error.to_string()))?;
        serde_json::from_str(&line)
            .map_err(|error| unusable(path, format!("line {number}: {error}")))
    };
    Ok(lines.map(parse))
}

fn open(path: &Path) -> Result<BufReader<File>, Error> {
    let file = File::open(path).map_err(|error| unusable(path, error.to_string()))?;
    Ok(BufReader::new(file))
}

fn unusable(path: &Path, problem: impl Into<String>) -> Error {
    let (path, problem) = (path.to_path_buf(), problem.into());
    Error::Result { path, problem }
}

/// Records by what they are the same as.
#[derive(Debug)]
struct Groups {
    sides: Sides,
    /// The group of each record; `true` for the records of the other corpus.
    group_of: BTreeMap<(bool, Id), usize>,
    members: Vec<Vec<Id>>,
    /// Pairs of different groups, in the order in which they are listed, with the largest similarity of their members.
    similar: BTreeMap<(usize, usize), f64>,
}

impl Groups {
    fn new(listed: &[RecordPair], sides: Sides, copies: &[(Id, Id)]) -> Self {
        let mut numbers = BTreeMap::new();
        let mut number = |other, id: &Id| {
            let next = numbers.len();
            *numbers.entry((other, id.clone())).or_insert(next)
        };
        let pairs: Vec<(usize, usize, f64)> = listed
            .iter()
            .map(|row| {
                let a = number(false, &row.a);
                let b = number(sides == Sides::Distinct, &row.b);
                (a, b, row.similarity.unwrap_or(f64::NAN))
            })
            .collect();
        let copies = copies.iter();
        let same: Vec<[usize; 2]> = copies
            .map(|(copy, first)| [copy, first].map(|id| number(false, id)))
            .collect();
        let mut parents: Vec<usize> = (0..numbers.len()).collect();
        for [copy, first] in same {
            let (a, b) = (root(&mut parents, copy), root(&mut parents, first));
            parents[a.max(b)] = a.min(b);
        }
        let mut members = vec![Vec::new(); parents.len()];
        let mut group_of = BTreeMap::new();
        for ((other, id), number) in numbers {
            let group = root(&mut parents, number);
            members[group].push(id.clone());
            group_of.insert((other, id), group);
        }
        let mut groups = Groups {
            sides,
            group_of,
            members,
            similar: BTreeMap::new(),
        };
        for (a, b, similarity) in pairs {
            let (a, b) = (root(&mut parents, a), root(&mut parents, b));
            if a != b {
                let (key, _) = sides.key(a, b);
                let best = groups.similar.entry(key).or_insert(similarity);
                *best = best.max(similarity);
            }
        }
        groups
    }

    fn similarity(&self, a: &Id, b: &Id) -> Option<f64> {
        let other = self.sides == Sides::Distinct;
        let a = *self.group_of.get(&(false, a.clone()))?;
        let b = *self.group_of.get(&(other, b.clone()))?;
        if a == b {
            return Some(1.0);
        }
        self.similar.get(&self.sides.key(a, b).0).copied()
    }

    /// Those of the labelled pairs that are found.
    fn found_of(&self, gold: &PairGold) -> Vec<Found> {
        let pairs = gold.pairs();
        pairs
            .filter_map(|((a, b), _)| Some(found(a, b, self.similarity(a, b)?)))
            .collect()
    }

    /// All pairs found, none if there are too many.
    fn all_found(&self) -> Option<Vec<Found>> {
        let size = |group: usize| self.members[group].len() as u64;
        let within = (0..self.members.len()).map(|group| pairs_of(size(group)));
        let between = self.similar.keys().map(|&(a, b)| size(a) * size(b));
        if within.chain(between).sum::<u64>() > MOST_PAIRS {
            return None;
        }
        let mut all = Vec::new();
        for members in &self.members {
            for (place, a) in members.iter().enumerate() {
                all.extend(members[place + 1..].iter().map(|b| found(a, b, 1.0)));
            }
        }
        for (&(one, two), &similarity) in &self.similar {
            for a in &self.members[one] {
                all.extend(self.members[two].iter().map(|b| found(a, b, similarity)));
            }
        }
        Some(all)
    }
}

fn root(parents: &mut [usize], mut record: usize) -> usize {
    while parents[record] != record {
        parents[record] = parents[parents[record]];
        record = parents[record];
    }
    record
}

fn found(a: &Id, b: &Id, similarity: f64) -> Found {
    Found {
        a: a.clone(),
        b: b.clone(),
        similarity,
    }
}

#[cfg(test)]
mod tests {
    use crate::gold::read_id_pairs;

    use super::*;

    fn rows(text: &str) -> Vec<RecordPair> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    const STAR: &str = r#"{"a":1,"b":2,"similarity":1.0}
{"a":1,"b":3,"similarity":1.0}
{"a":1,"b":"别","similarity":0.9}
{"a":"旧","b":"新","similarity":null,"verified":false}"#;

    #[test]
    fn what_is_found_for_one_copy_is_found_for_all() {
        let copies = [(2.into(), 1.into()), (3.into(), 1.into())];
        let groups = Groups::new(&rows(STAR), Sides::Interchangeable, &copies);
        assert_eq!(groups.similarity(&3.into(), &2.into()), Some(1.0));
        assert_eq!(groups.similarity(&"别".into(), &3.into()), Some(0.9));
        assert_eq!(groups.similarity(&"新".into(), &3.into()), None);
        // Three copies make three pairs, three more with what is similar to them, and there is the unverified one.
        assert_eq!(groups.all_found().unwrap().len(), 7);
        let gold = r#"{"a": 3, "b": 2, "label": 1}
            {"a": "新", "b": "旧", "label": 0}
            {"a": 1, "b": 9, "label": 1}"#;
        let gold = read_id_pairs("gold", gold.as_bytes(), Sides::Interchangeable).unwrap();
        assert_eq!(groups.found_of(&gold).len(), 2);
    }

    #[test]
    fn without_copies_pairs_are_those_listed() {
        let groups = Groups::new(&rows(STAR), Sides::Interchangeable, &[]);
        assert_eq!(groups.similarity(&3.into(), &2.into()), None);
        assert_eq!(groups.all_found().unwrap().len(), 4);
    }

    #[test]
    fn one_id_on_both_sides_is_two_records() {
        let listed =
            rows("{\"a\":1,\"b\":1,\"similarity\":0.8}\n{\"a\":2,\"b\":1,\"similarity\":0.9}");
        let groups = Groups::new(&listed, Sides::Distinct, &[]);
        assert_eq!(groups.similarity(&2.into(), &1.into()), Some(0.9));
        assert_eq!(groups.similarity(&1.into(), &2.into()), None);
        let all = groups.all_found().unwrap();
        assert!(
            all.iter()
                .any(|pair| pair.a == 2.into() && pair.b == 1.into())
        );
    }
}
