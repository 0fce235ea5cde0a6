//! The files of a result, written aside and then moved into place as a whole, `summary.json` last.

mod file;
mod listing;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};

use lookalike_pair::assemble::Removed;

pub(crate) use file::{OutputFile, Written};
pub(crate) use listing::write_pairs;
pub use summary::{AuditResult, ClusterSummary, HotBuckets, Numbers, Recall, Summary};

use crate::Error;
use crate::ids::Ids;
use crate::stages::Assembled;

/// Every name a run may write, so that a finished result can be replaced as a whole.
const NAMES: [&str; 6] = [
    "pairs.jsonl",
    "clusters.jsonl",
    "removed.jsonl",
    "rejected.jsonl",
    "report.html",
    "summary.json",
];

/// How many of the largest clusters the summary shows.
const LARGEST: usize = 5;

/// What writing the clusters found out.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    pub(crate) count: u64,
    pub(crate) removed: u64,
    /// The kept record and the size of the largest, largest first.
    pub(crate) largest: Vec<(u32, u64)>,
}

/// Writes `clusters.jsonl`, clusters by their kept member, members in input order.
pub(crate) fn write_clusters(
    file: &mut OutputFile,
    ids: &Ids,
    assembled: &Assembled,
) -> Result<Clusters, Error> {
    let mut lookup = ids.lookup();
    let mut found = Clusters::default();
    let mut loaded = Vec::new();
    for partition in 0..assembled.members.partitions() {
        assembled.members.load_sorted(partition, &mut loaded)?;
        for cluster in loaded.chunk_by(|a, b| a.kept == b.kept) {
            let kept = cluster[0].kept;
            let size = cluster.len() as u64 + 1;
            file.write(format_args!(
                "{{\"cluster\":{},\"size\":{size},\"members\":[",
                lookup.id(kept)?
            ))?;
            let before = cluster.partition_point(|member| member.unit < kept);
            let (earlier, later) = cluster.split_at(before);
            let units = earlier.iter().map(|member| member.unit).chain([kept]);
            for (position, unit) in units
                .chain(later.iter().map(|member| member.unit))
                .enumerate()
            {
                let comma = if position > 0 { "," } else { "" };
                file.write(format_args!("{comma}{}", lookup.id(unit)?))?;
            }
            file.write(format_args!("]}}\n"))?;
            found.count += 1;
            found.removed += size - 1;
            let place = found.largest.partition_point(|&(_, other)| other >= size);
            if place < LARGEST {
                found.largest.insert(place, (kept, size));
                found.largest.truncate(LARGEST);
            }
        }
    }
    Ok(found)
}

/// Writes `removed.jsonl` in input order and tells each removed record.
pub(crate) fn write_removed(
    file: &mut OutputFile,
    ids: &Ids,
    assembled: &Assembled,
    mut each: impl FnMut(Removed),
) -> Result<(), Error> {
    let (mut unit_ids, mut kept_ids) = (ids.lookup(), ids.lookup());
    let mut loaded = Vec::new();
    for partition in 0..assembled.removed.partitions() {
        assembled.removed.load_sorted(partition, &mut loaded)?;
        for &removed in &loaded {
            file.write(format_args!(
                "{{\"id\":{},\"kept\":{},\"similarity\":{}}}\n",
                unit_ids.id(removed.unit().get())?,
                kept_ids.id(removed.kept().get())?,
                file::Json(removed.similarity),
            ))?;
            each(removed);
        }
    }
    Ok(())
}

/// Ends with an error if `out` holds files that a finished run does not explain.
pub(crate) fn check_replaceable(out: &Path) -> Result<(), Error> {
    if out.exists() && !out.is_dir() {
        return Err(Error::Output {
            doing: "write into",
            path: out.to_path_buf(),
            source: std::io::ErrorKind::NotADirectory.into(),
        });
    }
    let in_the_way = NAMES
        .iter()
        .map(|name| out.join(name))
        .find(|path| path.exists());
    match in_the_way {
        Some(path) if !is_ours(&out.join("summary.json")) => Err(Error::Foreign { path }),
        _ => Ok(()),
    }
}

fn is_ours(summary: &Path) -> bool {
    let read = fs::read(summary)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    read.is_some_and(|summary| summary.get("lookalike").is_some())
}

/// Moves the written files into `out`. The old summary goes first and the new one comes last, so that a result is
/// either complete or visibly not.
pub(crate) fn move_into_place(written: &Path, out: &Path) -> Result<(), Error> {
    let summary = out.join("summary.json");
    if summary.exists() {
        fs::remove_file(&summary).map_err(Error::output("replace", &summary))?;
    }
    for name in NAMES {
        let (from, to): (PathBuf, PathBuf) = (written.join(name), out.join(name));
        if from.exists() {
            fs::rename(&from, &to).map_err(Error::output("write", &to))?;
        } else if to.exists() {
            fs::remove_file(&to).map_err(Error::output("replace", &to))?;
        }
    }
    Ok(())
}
