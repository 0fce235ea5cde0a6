//! The records of a finished result in the order of keeping, and what each of them takes by the one rule of clusters.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lookalike_engine::Failure;
use lookalike_kernel::pair::assemble::{Difference, Directed, Stars};
use lookalike_kernel::rows::{Id, IdRef, RecordRow, Table};
use lookalike_kernel::{Keep, Spec};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Error;
use crate::finished::Finished;

/// The records in pairs, by their place in the input.
pub(super) struct Records {
    pub(super) rows: Vec<RecordRow<'static>>,
    /// Their ids as JSON.
    pub(super) ids: Vec<String>,
    pub(super) numbers: BTreeMap<Id, u32>,
    /// The first of those with the same text.
    pub(super) first: Vec<u32>,
    /// All in the order of keeping.
    pub(super) by_rank: Vec<u32>,
    /// The rank of the member of a group that would be kept.
    pub(super) best: Vec<u32>,
}

impl Records {
    pub(super) fn read(result: &Finished, keep: &Keep) -> Result<Self, Error> {
        let mut rows: Vec<RecordRow<'static>> = Vec::new();
        result.for_each_line(Table::Records, |line| {
            rows.push(serde_json::from_str(line).map_err(|error| error.to_string())?);
            Ok(())
        })?;
        rows.sort_by_key(|row| row.order);
        let numbers: BTreeMap<Id, u32> = rows
            .iter()
            .zip(0..)
            .map(|(row, number)| (row.id.clone(), number))
            .collect();
        let first = rows.iter().zip(0..).map(|(row, number)| {
            let first = row.copy_of.as_ref().and_then(|first| numbers.get(first));
            first.copied().unwrap_or(number)
        });
        let first: Vec<u32> = first.collect();
        let mut by_rank: Vec<u32> = (0..rows.len() as u32).collect();
        match keep {
            Keep::Auto | Keep::First => {}
            Keep::Last => by_rank.reverse(),
            Keep::Longest => by_rank.sort_by_key(|&number| Reverse(rows[number as usize].length)),
            Keep::More | Keep::Field(_) => {
                let value = |number: &u32| rows[*number as usize].rank.unwrap_or(f64::NEG_INFINITY);
                by_rank.sort_by(|a, b| value(b).total_cmp(&value(a)));
            }
        }
        let mut rank = vec![0; rows.len()];
        for (place, &number) in (0..).zip(&by_rank) {
            rank[number as usize] = place;
        }
        let mut best = rank.clone();
        for (number, &first) in first.iter().enumerate() {
            best[first as usize] = best[first as usize].min(rank[number]);
        }
        Ok(Records {
            ids: rows.iter().map(|row| row.id.to_string()).collect(),
            rows,
            numbers,
            first,
            by_rank,
            best,
        })
    }

    fn number(&self, id: &RawValue) -> Result<u32, String> {
        let number = Id::from_json(id.get()).and_then(|id| self.numbers.get(&id));
        number
            .copied()
            .ok_or_else(|| format!("{id} is not in records.jsonl"))
    }

    /// The numbers of the records of a pair.
    pub(super) fn both(&self, pair: &RawPair<'_>) -> Result<[u32; 2], String> {
        Ok([self.number(pair.a)?, self.number(pair.b)?])
    }

    /// The rank of the group that a record is in.
    fn group_rank(&self, number: u32) -> u32 {
        self.best[self.first[number as usize] as usize]
    }

    pub(super) fn id(&self, number: u32) -> Result<IdRef<'_>, Failure> {
        let json = &self.ids[number as usize];
        IdRef::from_json(json).ok_or_else(|| format!("{json} is no id").into())
    }
}

#[derive(Deserialize)]
pub(super) struct RawPair<'l> {
    #[serde(borrow)]
    a: &'l RawValue,
    #[serde(borrow)]
    b: &'l RawValue,
    pub(super) similarity: Option<f64>,
    pub(super) kind: Option<Difference>,
}

/// The pairs that reach the threshold and are of a kind that removes, by rank of their groups, sorted.
pub(super) fn read_pairs(
    result: &Finished,
    records: &Records,
    spec: &Spec,
) -> Result<Vec<Directed>, Error> {
    let threshold = spec.threshold.unwrap_or_default();
    let mut pairs = Vec::new();
    result.for_each_line(Table::Pairs, |line| {
        let raw: RawPair<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Some(similarity) = raw.similarity else {
            return Err(
                "a pair without a similarity cannot be held against a threshold".to_string(),
            );
        };
        let [a, b] = records.both(&raw)?.map(|number| records.group_rank(number));
        let removes = raw.kind.is_none_or(|kind| spec.removes(kind));
        if similarity >= threshold && removes && a != b {
            pairs.push(Directed {
                first: a.min(b),
                second: a.max(b),
                similarity,
            });
        }
        Ok(())
    })?;
    pairs.sort_by_key(|pair| (pair.first, pair.second));
    pairs.dedup_by_key(|pair| (pair.first, pair.second));
    Ok(pairs)
}

/// Of every record that is taken, the one that is kept for it and how similar they are.
pub(super) fn clusters(records: &Records, pairs: &[Directed]) -> BTreeMap<u32, (u32, f64)> {
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (number, &first) in (0..).zip(&records.first) {
        groups.entry(first).or_default().push(number);
    }
    let group_at = |rank: u32| records.first[records.by_rank[rank as usize] as usize];
    let mut stars = Stars::new(records.ids.len());
    let mut taken = BTreeMap::new();
    let mut taken_groups = BTreeSet::new();
    for &pair in pairs {
        if let Some(pair) = stars.take(pair) {
            let (kept, group) = (records.by_rank[pair.first as usize], group_at(pair.second));
            taken_groups.insert(group);
            for &member in &groups[&group] {
                taken.insert(member, (kept, pair.similarity));
            }
        }
    }
    for (first, members) in &groups {
        if !taken_groups.contains(first) {
            let kept = records.by_rank[records.best[*first as usize] as usize];
            let others = members.iter().filter(|member| **member != kept);
            taken.extend(others.map(|&member| (member, (kept, 1.0))));
        }
    }
    taken
}
