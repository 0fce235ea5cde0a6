//! The clusters of a result: the largest of them, and those that a record is in, each member beside the one that stands for all.

use std::collections::{BTreeMap, BTreeSet};

use lookalike::finished::Side;
use lookalike::kernel::rows::{Id, Table};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::choose;
use super::stored::{Chosen, PairRow, Stored};
use crate::screen::{counted, safe, thousands};

/// So many members of a large cluster are shown,
const MEMBERS: usize = 10;
/// and so many characters of each.
const CHARACTERS: usize = 100;

/// A cluster with its members as the row says them.
pub(super) struct Cluster {
    members: Vec<Side>,
    /// Which of them is kept; where nothing is removed, the one that stands for all.
    kept: usize,
    pub(super) line: String,
}

#[derive(Deserialize)]
struct RawCluster<'l> {
    #[serde(borrow)]
    cluster: &'l RawValue,
    /// Where sentences are clustered, which one of the article stands for all.
    sentence: Option<u32>,
    #[serde(borrow)]
    members: Vec<&'l RawValue>,
    #[serde(default)]
    texts: Vec<Option<String>>,
}

#[derive(Deserialize)]
struct RawRemoved {
    id: Id,
    kept: Id,
    similarity: Option<f64>,
}

impl Cluster {
    fn read(line: String) -> Option<Self> {
        let raw: RawCluster<'_> = serde_json::from_str(&line).ok()?;
        let members = raw.members.iter().enumerate();
        let members = members.filter_map(|(place, member)| {
            let mut side = Side::read(member)?;
            let text = raw.texts.get(place).cloned().flatten();
            side.text = side.text.take().or(text);
            Some(side)
        });
        let members: Vec<Side> = members.collect();
        let kept = Id::from_json(raw.cluster.get())?;
        let is_kept = |member: &Side| member.id == kept && member.sentence == raw.sentence;
        Some(Cluster {
            kept: members.iter().position(is_kept)?,
            members,
            line,
        })
    }

    fn size(&self) -> usize {
        self.members.len()
    }

    fn others(&self) -> impl Iterator<Item = &Side> {
        let members = self.members.iter().enumerate();
        let others = members.filter(|(place, _)| *place != self.kept);
        others.map(|(_, member)| member)
    }
}

/// A record, or a sentence of it.
type Member = (Id, Option<u32>);

fn member(side: &Side) -> Member {
    (side.id.clone(), side.sentence)
}

/// The number of the cluster of each member.
pub(super) fn of_members(result: &Stored) -> anyhow::Result<BTreeMap<u64, u32>> {
    let mut clusters = BTreeMap::new();
    for (number, line) in (0..).zip(result.0.lines(Table::Clusters)?) {
        if let Some(cluster) = Cluster::read(line?) {
            clusters.extend(
                cluster
                    .members
                    .iter()
                    .map(|side| (choose::member(side), number)),
            );
        }
    }
    Ok(clusters)
}

/// The largest clusters, of equal ones the first.
pub(super) fn largest(result: &Stored, most: usize) -> anyhow::Result<Vec<Cluster>> {
    let mut largest: Vec<Cluster> = Vec::new();
    for line in result.0.lines(Table::Clusters)? {
        let Some(cluster) = Cluster::read(line?) else {
            continue;
        };
        let place = largest.partition_point(|other| other.size() >= cluster.size());
        if place < most {
            largest.insert(place, cluster);
            largest.truncate(most);
        }
    }
    Ok(largest)
}

/// Clusters with the beginnings of their members.
pub(super) fn page(result: &Stored, clusters: &[Cluster]) -> anyhow::Result<String> {
    let shown = |cluster: &Cluster| -> Vec<Side> {
        let members = cluster.members.iter().take(MEMBERS);
        members.cloned().collect()
    };
    let texts = result.texts_of(&clusters.iter().flat_map(shown).collect::<Vec<_>>())?;
    let removes = result.removes();
    let mut page = String::new();
    for cluster in clusters {
        page += &counted(cluster.size() as u64, "member");
        if removes {
            let kept = cluster.members[cluster.kept].called();
            page += &format!(", {} kept", safe(kept));
        }
        page.push('\n');
        for (place, side) in cluster.members.iter().enumerate().take(MEMBERS) {
            // What is kept is of the other corpus, if there is one.
            let text = texts.of(side, usize::from(place == cluster.kept));
            let said = beginning(text.unwrap_or_default());
            page += &format!("  {}  {}\n", safe(label(side)), safe(said));
        }
        if cluster.size() > MEMBERS {
            let more = thousands((cluster.size() - MEMBERS) as u64);
            page += &format!("  and {more} more; --cluster shows all of them\n");
        }
        page.push('\n');
    }
    if clusters.is_empty() {
        page += "The result has no clusters.\n";
    }
    Ok(page)
}

/// What a member is called: sentences by their articles.
fn label(side: &Side) -> String {
    match side.sentence {
        Some(number) => format!("{}, sentence {number}", side.name()),
        None => side.called().to_string(),
    }
}

fn beginning(text: &str) -> String {
    let words = text.split_whitespace().take(CHARACTERS);
    let line = words.collect::<Vec<&str>>().join(" ");
    line.chars().take(CHARACTERS).collect()
}

/// Each member of the clusters with this record beside the one that stands for all; none if there is no such cluster. A
/// record is in one cluster, an article with several sentences in several.
pub(super) fn around(result: &Stored, id: &str, most: usize) -> anyhow::Result<Option<Chosen>> {
    let mut clusters = Vec::new();
    for line in result.0.lines(Table::Clusters)? {
        let cluster = Cluster::read(line?);
        let has_it = |cluster: &Cluster| cluster.members.iter().any(|side| side.called() == id);
        clusters.extend(cluster.filter(has_it));
    }
    if clusters.is_empty() {
        return Ok(None);
    }
    let compared = compared(result, &clusters)?;
    let removed = similarities_of_removed(result)?;
    let is_against = !result.0.summary.against.is_empty();
    let mut chosen = Chosen {
        rows: Vec::new(),
        fitting: 0,
        kinds: BTreeSet::new(),
    };
    for cluster in &clusters {
        let kept = &cluster.members[cluster.kept];
        chosen.fitting += cluster.size() as u64 - 1;
        let room = most.saturating_sub(chosen.rows.len());
        for other in cluster.others().take(room) {
            // The input stands on the left, and what it is compared with on the right.
            let sides = match is_against {
                true => [other, kept],
                false => [kept, other],
            };
            let mut row = PairRow {
                similarity: None,
                is_by_way: false,
                sides: sides.map(Side::clone),
                kind: None,
                confidence: None,
                changed: Vec::new(),
                parted: None,
                line: cluster.line.clone(),
            };
            let ids = (other.id.clone(), kept.id.clone());
            if let Some(known) = compared.get(&(member(sides[0]), member(sides[1]))) {
                row.similarity = known.similarity;
                row.kind.clone_from(&known.kind);
                row.confidence = known.confidence;
                row.changed.clone_from(&known.changed);
                row.parted.clone_from(&known.parted);
            } else if let Some(similarity) = removed.get(&ids) {
                row.similarity = *similarity;
            } else {
                row.is_by_way = true;
            }
            chosen.rows.push(row);
        }
    }
    Ok(Some(chosen))
}

/// The pairs that are listed of these members and those that stand for them, both ways round; across two corpora, which may
/// have the same ids, only as they are listed: the input first.
fn compared(
    result: &Stored,
    clusters: &[Cluster],
) -> anyhow::Result<BTreeMap<(Member, Member), PairRow>> {
    let is_against = !result.0.summary.against.is_empty();
    let mut wanted = BTreeSet::new();
    for cluster in clusters {
        let kept = member(&cluster.members[cluster.kept]);
        wanted.extend(cluster.others().map(|side| match is_against {
            true => (member(side), kept.clone()),
            false => (kept.clone(), member(side)),
        }));
    }
    let mut compared = BTreeMap::new();
    for line in result.0.lines(Table::Pairs)? {
        let Some(row) = PairRow::read(line?) else {
            continue;
        };
        let [a, b] = [0, 1].map(|side| member(&row.sides[side]));
        let pairs = [(a.clone(), b.clone()), (b, a)];
        if is_against {
            let [listed, _] = pairs;
            if wanted.contains(&listed) {
                compared.insert(listed, row);
            }
            continue;
        }
        if !pairs.iter().any(|pair| wanted.contains(pair)) {
            continue;
        }
        let mut turned = row.clone();
        for (from, to) in &mut turned.changed {
            std::mem::swap(from, to);
        }
        compared.extend(pairs.into_iter().zip([row, turned]));
    }
    Ok(compared)
}

fn similarities_of_removed(result: &Stored) -> anyhow::Result<BTreeMap<(Id, Id), Option<f64>>> {
    let mut similarities = BTreeMap::new();
    for line in result.0.lines(Table::Removed)? {
        if let Ok(removed) = serde_json::from_str::<RawRemoved>(&line?) {
            similarities.insert((removed.id, removed.kept), removed.similarity);
        }
    }
    Ok(similarities)
}
