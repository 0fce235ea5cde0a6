//! The files of a result, written aside and then moved into place as a whole, `summary.json` last.

mod details;
mod file;
mod listing;
mod records;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};

use lookalike_pair::assemble::Removed;

pub(crate) use details::Details;
pub(crate) use file::{OutputFile, ResultFiles};
pub(crate) use listing::{Listing, write_pairs};
pub(crate) use records::{largest_clusters, write_deduplicated, write_rejected};
pub use summary::{AuditResult, ClusterSummary, HotBuckets, Numbers, Recall, Summary};

use crate::Error;
use crate::ids::Lookup;
use crate::stages::{Assembled, Signed};

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
    signed: &Signed,
    assembled: &Assembled,
) -> Result<Clusters, Error> {
    let mut ids = signed.ids();
    let mut found = Clusters::default();
    let mut cluster: (u32, Vec<u32>) = (0, Vec::new());
    assembled.members.for_each(|member| {
        if member.kept != cluster.0 && !cluster.1.is_empty() {
            found.write(file, &mut ids, &cluster)?;
            cluster.1.clear();
        }
        cluster.0 = member.kept;
        cluster.1.push(member.unit);
        Ok::<_, Error>(())
    })?;
    if !cluster.1.is_empty() {
        found.write(file, &mut ids, &cluster)?;
    }
    Ok(found)
}

impl Clusters {
    fn write(
        &mut self,
        file: &mut OutputFile,
        ids: &mut Lookup<'_>,
        (kept, removed): &(u32, Vec<u32>),
    ) -> Result<(), Error> {
        let (kept, size) = (*kept, removed.len() as u64 + 1);
        file.write(format_args!(
            "{{\"cluster\":{},\"size\":{size},\"members\":[",
            ids.id(kept)?
        ))?;
        let (earlier, later) = removed.split_at(removed.partition_point(|&unit| unit < kept));
        for (position, &unit) in earlier.iter().chain([&kept]).chain(later).enumerate() {
            let comma = if position > 0 { "," } else { "" };
            file.write(format_args!("{comma}{}", ids.id(unit)?))?;
        }
        file.write(format_args!("]}}\n"))?;
        self.count += 1;
        self.removed += size - 1;
        let place = self.largest.partition_point(|&(_, other)| other >= size);
        if place < LARGEST {
            self.largest.insert(place, (kept, size));
            self.largest.truncate(LARGEST);
        }
        Ok(())
    }
}

/// Writes `removed.jsonl` in input order and tells each removed record.
pub(crate) fn write_removed(
    file: &mut OutputFile,
    signed: &Signed,
    assembled: &Assembled,
    mut each: impl FnMut(Removed),
) -> Result<(), Error> {
    let (mut unit_ids, mut kept_ids) = (signed.ids(), signed.ids());
    assembled.removed.for_each(|removed| {
        file.write(format_args!(
            "{{\"id\":{},\"kept\":{},{}}}\n",
            unit_ids.id(removed.unit().get())?,
            kept_ids.id(removed.kept().get())?,
            file::Similarity(removed.similarity),
        ))?;
        each(removed);
        Ok(())
    })
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

/// Ends with an error if the cleaned corpus would be written where a result file goes.
pub(crate) fn check_destination(destination: &Path, out: &Path) -> Result<(), Error> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let destination = absolute(destination);
    let taken = NAMES
        .iter()
        .any(|name| absolute(&out.join(name)) == destination);
    if taken || absolute(out) == destination {
        return Err(Error::Spec(format!(
            "--deduplicated {} is where the results go; choose another name",
            destination.display()
        )));
    }
    Ok(())
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
