//! Which clusters there are, and what they remove.

use std::collections::BTreeMap;

use lookalike_kernel::rows::{RemovedRow, Row, Shape};
use lookalike_text::{RecordId, UnitId};

use super::named_units::{Cluster, PairIds, UnitRows, verified};
use crate::Error;
use crate::sink::{Sink, TableWriter};
use crate::stages::{Assembled, Signed, for_each_group};

/// How many of the largest clusters the summary shows.
const LARGEST: usize = 5;

/// What writing the clusters found out.
#[derive(Debug, Default)]
pub(super) struct ClusterCounts {
    pub(super) count: u64,
    pub(super) removed: u64,
    /// The kept unit and the size of the largest, largest first.
    pub(super) largest: Vec<(UnitId, u64)>,
    /// How many clusters have at least so many members, as the power of two, and fewer than twice as many.
    pub(super) sizes: BTreeMap<u32, u64>,
}

/// Writes the clusters by their kept member, members in input order. Those of another corpus, whose first unit is
/// `against_from`, are not removed.
pub(super) fn write_clusters(
    sink: &mut dyn Sink,
    rows: &dyn UnitRows,
    assembled: &Assembled,
    against_from: UnitId,
) -> Result<ClusterCounts, Error> {
    let mut table = TableWriter::begin(sink, rows.cluster_shape())?;
    let mut rows = rows.maker()?;
    let mut counts = ClusterCounts::default();
    for_each_group(
        &assembled.members,
        |member| member.kept,
        |removed| {
            let kept = removed[0].kept;
            let place = removed.partition_point(|member| member.unit < kept);
            let mut members: Vec<UnitId> = removed.iter().map(|member| member.unit).collect();
            members.insert(place, kept);
            let cluster = Cluster {
                members: &members,
                kept: place,
            };
            let of_input = removed.iter().filter(|member| member.unit < against_from);
            counts.removed += of_input.count() as u64;
            counts.count(kept, members.len() as u64);
            table.write_with(|out| rows.cluster(cluster, out))
        },
    )?;
    table.finish()?;
    Ok(counts)
}

impl ClusterCounts {
    fn count(&mut self, kept: UnitId, size: u64) {
        *self.sizes.entry(size.ilog2()).or_default() += 1;
        self.count += 1;
        let place = self.largest.partition_point(|&(_, other)| other >= size);
        if place < LARGEST {
            self.largest.insert(place, (kept, size));
            self.largest.truncate(LARGEST);
        }
    }
}

/// Writes what is removed in input order and tells each removed record.
pub(super) fn write_removed(
    sink: &mut dyn Sink,
    signed: &Signed,
    assembled: &Assembled,
    mut each: impl FnMut(RecordId),
) -> Result<(), Error> {
    let mut table = TableWriter::begin(sink, Shape::Removed)?;
    let mut ids = PairIds::new(signed);
    assembled.removed.for_each(|removed| {
        let [record, kept] = [removed.unit(), removed.kept()].map(|unit| signed.records.of(unit));
        let similarity = verified(removed.similarity);
        let [id, kept] = ids.of(record, kept)?;
        table.write(&Row::Removed(RemovedRow {
            id,
            kept,
            similarity,
            verified: similarity.is_some(),
        }))?;
        each(record);
        Ok::<_, Error>(())
    })?;
    table.finish()
}
