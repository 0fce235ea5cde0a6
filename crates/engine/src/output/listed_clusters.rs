//! Which clusters there are, and what they remove.

use std::collections::BTreeMap;

use lookalike_kernel::rows::{RemovedRow, Row, Shape};
use lookalike_pair::assemble::Removed;

use super::named_units::{Cluster, MakeRows, UnitRows, id_of, verified};
use crate::Error;
use crate::sink::{Sink, TableWriter};
use crate::stages::{Assembled, Signed};

/// How many of the largest clusters the summary shows.
const LARGEST: usize = 5;

/// What writing the clusters found out.
#[derive(Debug, Default)]
pub(super) struct ClusterCounts {
    pub(super) count: u64,
    pub(super) removed: u64,
    /// The kept unit and the size of the largest, largest first.
    pub(super) largest: Vec<(u32, u64)>,
    /// How many clusters have at least so many members, as the power of two, and fewer than twice as many.
    pub(super) sizes: BTreeMap<u32, u64>,
}

/// Writes the clusters by their kept member, members in input order.
pub(super) fn write_clusters(
    sink: &mut dyn Sink,
    rows: &dyn UnitRows,
    assembled: &Assembled,
) -> Result<ClusterCounts, Error> {
    let mut table = TableWriter::begin(sink, rows.cluster_shape())?;
    let mut rows = rows.maker()?;
    let mut counts = ClusterCounts::default();
    let mut cluster: (u32, Vec<u32>) = (0, Vec::new());
    assembled.members.for_each(|member| {
        if member.kept != cluster.0 && !cluster.1.is_empty() {
            counts.write(&mut table, &mut *rows, &mut cluster)?;
        }
        cluster.0 = member.kept;
        cluster.1.push(member.unit);
        Ok::<_, Error>(())
    })?;
    if !cluster.1.is_empty() {
        counts.write(&mut table, &mut *rows, &mut cluster)?;
    }
    table.finish()?;
    Ok(counts)
}

impl ClusterCounts {
    /// Writes a cluster given by its kept unit and the others, and forgets these.
    fn write(
        &mut self,
        table: &mut TableWriter<'_>,
        rows: &mut dyn MakeRows,
        (kept, members): &mut (u32, Vec<u32>),
    ) -> Result<(), Error> {
        let place = members.partition_point(|unit| unit < kept);
        members.insert(place, *kept);
        let cluster = Cluster {
            members,
            kept: place,
        };
        table.write_with(|out| rows.cluster(cluster, out))?;
        self.count(*kept, members.len() as u64);
        members.clear();
        Ok(())
    }

    fn count(&mut self, kept: u32, size: u64) {
        *self.sizes.entry(size.ilog2()).or_default() += 1;
        self.count += 1;
        self.removed += size - 1;
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
    mut each: impl FnMut(Removed),
) -> Result<(), Error> {
    let mut table = TableWriter::begin(sink, Shape::Removed)?;
    let (mut unit_ids, mut kept_ids) = (signed.ids(), signed.ids());
    assembled.removed.for_each(|removed| {
        let similarity = verified(removed.similarity);
        table.write(&Row::Removed(RemovedRow {
            id: id_of(&mut unit_ids, removed.unit().get())?,
            kept: id_of(&mut kept_ids, removed.kept().get())?,
            similarity,
            verified: similarity.is_some(),
        }))?;
        each(removed);
        Ok::<_, Error>(())
    })?;
    table.finish()
}
