//! The clusters of a page: all, or the largest and a sample of the others.

use std::collections::BTreeMap;
use std::fmt;

use lookalike_kernel::rows::{ClusterSizes, Id, Table};
use lookalike_kernel::text::Seed;
use lookalike_kernel::text::hash::hash64;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::first::First;
use super::units::Units;
use crate::Error;
use crate::finished::{Finished, Side};

/// So many members of a cluster are named at most,
const MOST_MEMBERS: usize = 40;
/// at least,
const FEWEST_MEMBERS: usize = 4;
/// and of all clusters together.
const ALL_MEMBERS: usize = 24_000;

/// The clusters of a page, a list per column.
#[derive(Debug, Default, Serialize)]
pub(super) struct Clusters {
    /// How many the result has.
    pub(super) all: u64,
    /// The place of each among all.
    pub(super) number: Vec<u64>,
    pub(super) size: Vec<u64>,
    /// The first members, by their units.
    pub(super) members: Vec<Vec<u32>>,
    /// Which of these is kept.
    pub(super) kept: Vec<u32>,
    /// How similar each is to that one, as far as it is known.
    pub(super) similarity: Vec<Vec<Option<f64>>>,
    /// What documents that share passages are to each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) relation: Vec<String>,
    /// How many of all have how many members.
    pub(super) sizes: Vec<ClusterSizes>,
}

#[derive(Deserialize)]
struct RawCluster<'l> {
    #[serde(borrow)]
    cluster: &'l RawValue,
    sentence: Option<u32>,
    size: u64,
    #[serde(borrow)]
    members: FirstMembers<'l>,
    #[serde(borrow)]
    texts: Option<FirstMembers<'l>>,
    relation: Option<String>,
}

/// The first members of a cluster; of a million, the others are passed over.
struct FirstMembers<'l>(Vec<&'l RawValue>);

impl<'de: 'l, 'l> Deserialize<'de> for FirstMembers<'l> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Vec<&'de RawValue>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the members of a cluster")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Self::Value, A::Error> {
                let mut first = Vec::new();
                while first.len() < MOST_MEMBERS {
                    match all.next_element()? {
                        Some(member) => first.push(member),
                        None => return Ok(first),
                    }
                }
                while all.next_element::<IgnoredAny>()?.is_some() {}
                Ok(first)
            }
        }
        Ok(FirstMembers(deserializer.deserialize_seq(Members)?))
    }
}

/// A cluster that was chosen.
struct Chosen {
    kept: Side,
    size: u64,
    members: Vec<Side>,
    relation: Option<String>,
}

impl RawCluster<'_> {
    fn owned(&self) -> Option<Chosen> {
        let said = |place: usize| -> Option<String> {
            let text = self.texts.as_ref()?.0.get(place)?;
            serde_json::from_str(text.get()).ok()
        };
        let members = self.members.0.iter().enumerate();
        let members = members.filter_map(|(place, member)| {
            let mut side = Side::read(member)?;
            side.text = side.text.take().or_else(|| said(place));
            Some(side)
        });
        let members: Vec<Side> = members.collect();
        let id = Id::from_json(self.cluster.get())?;
        let is_kept = |side: &&Side| side.id == id && side.sentence == self.sentence;
        let kept = members.iter().find(is_kept).cloned();
        Some(Chosen {
            kept: kept.unwrap_or_else(|| Side {
                sentence: self.sentence,
                ..Side::of(id)
            }),
            size: self.size,
            members,
            relation: self.relation.clone(),
        })
    }
}

/// Chooses the clusters of a page: at most so many.
pub(super) fn choose(result: &Finished, most: usize, units: &mut Units) -> Result<Clusters, Error> {
    let mut largest = First::new(most - most / 2);
    let mut others = First::new(most / 2);
    let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
    let mut all = 0;
    result.for_each_line(Table::Clusters, |line| {
        let raw: RawCluster<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        *sizes.entry(raw.size.max(1).ilog2()).or_default() += 1;
        let key = u64::MAX - raw.size;
        let sampled = |line: &str| hash64(line.as_bytes(), Seed(1));
        if largest.wants(key, all) {
            let chosen = raw.owned().ok_or("it has no id")?;
            // What is not among the largest any more is one of the others.
            if let Some((order, chosen)) = largest.offer(key, all, (sampled(line), chosen)) {
                others.offer(chosen.0, order, chosen);
            }
        } else if others.wants(sampled(line), all) {
            let chosen = (sampled(line), raw.owned().ok_or("it has no id")?);
            others.offer(chosen.0, all, chosen);
        }
        all += 1;
        Ok(())
    })?;
    let mut chosen = largest.finish();
    chosen.extend(others.finish());
    let is_against = !result.summary.against.is_empty();
    let mut clusters = named(chosen, is_against, units);
    clusters.all = all;
    clusters.sizes = (sizes.into_iter())
        .map(|(power, clusters)| ClusterSizes {
            from: 1 << power,
            to: (2 << power) - 1,
            clusters,
        })
        .collect();
    Ok(clusters)
}

/// With their members as units, the largest first.
fn named(mut chosen: Vec<(u64, (u64, Chosen))>, is_against: bool, units: &mut Units) -> Clusters {
    chosen.sort_by_key(|(order, (_, cluster))| (u64::MAX - cluster.size, *order));
    let most = (ALL_MEMBERS / chosen.len().max(1)).clamp(FEWEST_MEMBERS, MOST_MEMBERS);
    let mut clusters = Clusters::default();
    for (number, (_, cluster)) in chosen {
        let is_kept =
            |side: &Side| side.id == cluster.kept.id && side.sentence == cluster.kept.sentence;
        // The one that is kept is among those that are named, wherever it stands.
        let others = cluster.members.iter().filter(|side| !is_kept(side));
        let mut members: Vec<u32> = Vec::new();
        let kept = units.add(&cluster.kept, is_against);
        let before = cluster.members.iter().position(is_kept).unwrap_or(0);
        let before = before.min(most - 1);
        for (place, side) in others.take(most - 1).enumerate() {
            if place == before {
                members.push(kept);
            }
            members.push(units.add(side, false));
        }
        if members.len() <= before {
            members.push(kept);
        }
        clusters.number.push(number);
        clusters.size.push(cluster.size);
        let place = members.iter().position(|&unit| unit == kept);
        clusters.kept.push(place.unwrap_or(0) as u32);
        clusters.similarity.push(vec![None; members.len()]);
        clusters.members.push(members);
        clusters.relation.extend(cluster.relation);
    }
    clusters
}
