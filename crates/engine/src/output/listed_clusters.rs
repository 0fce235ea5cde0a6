//! Which clusters there are, and what they remove.

use std::collections::BTreeMap;

use lookalike_kernel::rows::{RemovedRow, Row, Shape};
use lookalike_pair::assemble::Removed;
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::{RecordId, UnitId};

use super::named_units::{Cluster, MakeRows, PairIds, UnitRows, verified};
use crate::Error;
use crate::sink::{Chunk, Encoder, Encoders, Sink};
use crate::stages::{Assembled, Context, Member, Sequence, Signed};

/// Removed units encoded in one piece of work.
const CHUNK: usize = 1024;

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
    context: &Context<'_>,
    rows: &dyn UnitRows,
    (assembled, against_from): (&Assembled, UnitId),
    sink: &mut dyn Sink,
) -> Result<ClusterCounts, Error> {
    let mut table = sink.table(rows.cluster_shape()).map_err(Error::Sink)?;
    let encoders = Encoders::of(&*table, context.threads);
    let mut clusters = Clusters::of(assembled)?;
    let mut counts = ClusterCounts::default();
    in_order(
        context.threads,
        || {
            Ok(Worker {
                rows: rows.maker()?,
                encoder: encoders.take()?,
                removed: Vec::new(),
                against_from,
            })
        },
        |worker: &mut Worker<'_>| clusters.next_batch(&mut worker.removed),
        Worker::encode,
        |(chunk, of_chunk)| {
            counts.add(of_chunk);
            table.append(chunk).map_err(Error::Sink)
        },
    )?;
    table.finish().map_err(Error::Sink)?;
    Ok(counts)
}

/// Hands out whole clusters.
pub(super) struct Clusters<'r> {
    members: Sequence<'r, Member>,
    ahead: Option<Member>,
}

impl<'r> Clusters<'r> {
    /// Whole clusters of so many members together are one piece of work.
    const MEMBERS_AT_ONCE: usize = 2048;

    /// Two clusters of more members, each of which is a large row, are never worked on at once.
    const LARGE: usize = 1 << 16;

    pub(super) fn of(assembled: &'r Assembled) -> Result<Self, Error> {
        let mut members = Sequence::of(&assembled.members);
        let ahead = members.next()?;
        Ok(Clusters { members, ahead })
    }

    /// Replaces `batch` by the members of the next clusters, but for those kept.
    pub(super) fn next_batch(&mut self, batch: &mut Vec<Member>) -> Result<Pulled, Error> {
        batch.clear();
        while let Some(next) = self.ahead {
            let goes_on = batch.last().is_some_and(|last| last.kept == next.kept);
            if batch.len() >= Self::MEMBERS_AT_ONCE && !goes_on {
                break;
            }
            batch.push(next);
            self.ahead = self.members.next()?;
        }
        Ok(match batch.len() {
            0 => Pulled::Nothing,
            members if members > Self::LARGE => Pulled::LargeItem,
            _ => Pulled::Item,
        })
    }
}

/// Makes the rows of some clusters.
struct Worker<'r> {
    rows: Box<dyn MakeRows + 'r>,
    encoder: Box<dyn Encoder>,
    removed: Vec<Member>,
    against_from: UnitId,
}

impl Worker<'_> {
    fn encode(&mut self) -> Result<(Chunk, ClusterCounts), Error> {
        let mut counts = ClusterCounts::default();
        for removed in self.removed.chunk_by(|a, b| a.kept == b.kept) {
            let kept = removed[0].kept;
            let place = removed.partition_point(|member| member.unit < kept);
            let mut members: Vec<UnitId> = removed.iter().map(|member| member.unit).collect();
            members.insert(place, kept);
            let cluster = Cluster {
                members: &members,
                kept: place,
            };
            let of_input = removed.iter();
            let of_input = of_input.filter(|member| member.unit < self.against_from);
            counts.removed += of_input.count() as u64;
            counts.count(kept, members.len() as u64);
            self.rows.cluster(cluster, &mut *self.encoder)?;
        }
        Ok((self.encoder.take(), counts))
    }
}

impl ClusterCounts {
    /// Adds those of later clusters.
    fn add(&mut self, later: ClusterCounts) {
        self.count += later.count;
        self.removed += later.removed;
        for (size, count) in later.sizes {
            *self.sizes.entry(size).or_default() += count;
        }
        let largest = later.largest.into_iter();
        largest.for_each(|(kept, size)| self.keep_if_large(kept, size));
    }

    fn count(&mut self, kept: UnitId, size: u64) {
        *self.sizes.entry(size.ilog2()).or_default() += 1;
        self.count += 1;
        self.keep_if_large(kept, size);
    }

    fn keep_if_large(&mut self, kept: UnitId, size: u64) {
        let place = self.largest.partition_point(|&(_, other)| other >= size);
        if place < LARGEST {
            self.largest.insert(place, (kept, size));
            self.largest.truncate(LARGEST);
        }
    }
}

/// Writes what is removed in input order and tells each removed record.
pub(super) fn write_removed(
    context: &Context<'_>,
    (signed, assembled): (&Signed, &Assembled),
    sink: &mut dyn Sink,
    mut each: impl FnMut(RecordId) + Send,
) -> Result<(), Error> {
    let mut table = sink.table(Shape::Removed).map_err(Error::Sink)?;
    let encoders = Encoders::of(&*table, context.threads);
    let mut chunks = Sequence::of(&assembled.removed);
    in_order(
        context.threads,
        || Ok((PairIds::new(signed), encoders.take()?, Vec::new())),
        |(.., chunk): &mut (PairIds<'_>, Box<dyn Encoder>, Vec<Removed>)| {
            chunks.next_chunk(chunk, CHUNK)
        },
        |(ids, encoder, chunk)| {
            let mut records = Vec::with_capacity(chunk.len());
            for removed in chunk {
                let units = [removed.unit(), removed.kept()];
                let [record, kept] = units.map(|unit| signed.records.of(unit));
                let similarity = verified(removed.similarity);
                let [id, kept] = ids.of(record, kept)?;
                let row = RemovedRow {
                    id,
                    kept,
                    similarity,
                    verified: similarity.is_some(),
                };
                encoder.encode(&Row::Removed(row)).map_err(Error::Sink)?;
                records.push(record);
            }
            Ok((encoder.take(), records))
        },
        |(chunk, records)| {
            records.into_iter().for_each(&mut each);
            table.append(chunk).map_err(Error::Sink)
        },
    )?;
    table.finish().map_err(Error::Sink)
}
