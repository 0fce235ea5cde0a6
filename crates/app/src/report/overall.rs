//! What is counted over all rows of a result: how similar pairs are, what is removed, from which sources.

use std::collections::BTreeMap;

use lookalike_kernel::rows::{Id, RecordRow, Table};
use serde::{Deserialize, Serialize};

use super::clusters::Clusters;
use super::units::Units;
use crate::Error;
use crate::finished::Finished;

/// Similarities are counted in hundredths.
const STEPS: usize = 100;

/// How many pairs, and how many of the removed records, have which similarity.
#[derive(Debug, Serialize)]
pub(super) struct Steps {
    /// From 0 to 1 in hundredths; the last are those at 1.
    pub(super) pairs: Vec<u64>,
    /// The same of what is removed and the record that is kept for it.
    pub(super) removed: Vec<u64>,
    /// Pairs that say no similarity.
    pub(super) unverified: u64,
}

impl Default for Steps {
    fn default() -> Self {
        Steps {
            pairs: vec![0; STEPS + 1],
            removed: vec![0; STEPS + 1],
            unverified: 0,
        }
    }
}

/// The step of a similarity.
fn step(similarity: f64) -> usize {
    // A similarity that should be 0.85 may be a bit less.
    let steps = (similarity.clamp(0.0, 1.0) + 1e-9) * STEPS as f64;
    (steps as usize).min(STEPS)
}

impl Steps {
    pub(super) fn count_pair(&mut self, similarity: Option<f64>) {
        match similarity {
            Some(similarity) => self.pairs[step(similarity)] += 1,
            None => self.unverified += 1,
        }
    }
}

/// What is removed.
#[derive(Debug, Default, Serialize)]
pub(super) struct Removed {
    /// So many bytes of text.
    pub(super) bytes: u64,
}

#[derive(Deserialize)]
struct RawRemoved {
    id: Id,
    kept: Id,
    similarity: Option<f64>,
}

/// Counts what is removed, and says of the members of clusters how similar they are to the one that is kept.
pub(super) fn removed(
    result: &Finished,
    steps: &mut Steps,
    (clusters, units): (&mut Clusters, &Units),
) -> Result<Removed, Error> {
    let of_members = members_by_id(clusters, units);
    let mut in_order = result.lines(Table::Removed)?;
    let mut next_removed = || -> Result<Option<RawRemoved>, String> {
        let line = in_order.next().transpose();
        let line = line.map_err(|error| error.to_string())?;
        let row = line.map(|line| serde_json::from_str::<RawRemoved>(&line));
        row.transpose().map_err(|error| error.to_string())
    };
    let mut removed = Removed::default();
    let wrong = |problem| crate::finished::unusable(result.folder(), problem);
    let mut next = next_removed().map_err(wrong)?;
    // Both files are in the order of the input.
    result.for_each_line(Table::Records, |line| {
        let Some(row) = &next else {
            return Ok(());
        };
        let record: RecordRow<'_> =
            serde_json::from_str(line).map_err(|error| error.to_string())?;
        if record.id != row.id || record.against {
            return Ok(());
        }
        removed.bytes += record.bytes;
        if let Some(similarity) = row.similarity {
            steps.removed[step(similarity)] += 1;
        }
        if let Some(&(cluster, member)) = of_members.get(&(row.id.clone(), row.kept.clone())) {
            clusters.similarity[cluster][member] = row.similarity;
        }
        next = next_removed()?;
        Ok(())
    })?;
    Ok(removed)
}

/// Where each member stands, by its id and that of the one that is kept.
fn members_by_id(clusters: &Clusters, units: &Units) -> BTreeMap<(Id, Id), (usize, usize)> {
    let mut places = BTreeMap::new();
    for (cluster, (members, &kept)) in clusters.members.iter().zip(&clusters.kept).enumerate() {
        let id = |unit: u32| units.list[unit as usize].id.clone();
        let kept = id(members[kept as usize]);
        for (place, &member) in members.iter().enumerate() {
            places.insert((id(member), kept.clone()), (cluster, place));
        }
    }
    places
}
