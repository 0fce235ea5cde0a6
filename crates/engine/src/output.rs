//! The files of a result, written aside and then moved into place as a whole, `summary.json` last.

mod articles;
mod details;
mod file;
mod groups;
mod lines;
mod listing;
mod passages;
mod quotes;
mod read;
mod records;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use lookalike_pair::assemble::Removed;
use lookalike_text::UnitId;

pub(crate) use articles::write_articles;
pub(crate) use details::Details;
pub(crate) use file::{OutputFile, ResultFiles};
pub(crate) use groups::{Group, Groups as DocumentGroups};
use lines::WriteLines;
pub(crate) use lines::{ById, Lines};
pub(crate) use listing::{Listing, PairCounts, write_pairs};
pub(crate) use passages::{for_each_shared, write_passages, write_shared};
pub(crate) use quotes::Quotes;
pub(crate) use read::{numbers_read, sentences_summary};
pub(crate) use records::{largest_clusters, write_clean, write_rejected};

use crate::Error;
use crate::resume::is_unfinished;
use crate::stages::{Assembled, Signed};

/// Every name a run may write, so that a finished result can be replaced as a whole.
pub const RESULT_FILES: [&str; 8] = [
    "pairs.jsonl",
    "passages.jsonl",
    "clusters.jsonl",
    "articles.jsonl",
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
    /// The kept unit and the size of the largest, largest first.
    pub(crate) largest: Vec<(u32, u64)>,
    /// How many clusters have at least so many members, as the power of two, and fewer than twice as many.
    pub(crate) sizes: BTreeMap<u32, u64>,
    /// The line in the making.
    line: Vec<u8>,
}

/// Writes `clusters.jsonl`, clusters by their kept member, members in input order.
pub(crate) fn write_clusters(
    file: &mut OutputFile,
    lines: &dyn Lines,
    assembled: &Assembled,
) -> Result<Clusters, Error> {
    let mut lines = lines.writer()?;
    let mut found = Clusters::default();
    let mut cluster: (u32, Vec<u32>) = (0, Vec::new());
    assembled.members.for_each(|member| {
        if member.kept != cluster.0 && !cluster.1.is_empty() {
            found.write(file, &mut *lines, &cluster)?;
            cluster.1.clear();
        }
        cluster.0 = member.kept;
        cluster.1.push(member.unit);
        Ok::<_, Error>(())
    })?;
    if !cluster.1.is_empty() {
        found.write(file, &mut *lines, &cluster)?;
    }
    Ok(found)
}

impl Clusters {
    fn write(
        &mut self,
        file: &mut OutputFile,
        lines: &mut dyn WriteLines,
        (kept, removed): &(u32, Vec<u32>),
    ) -> Result<(), Error> {
        let (kept, size) = (*kept, removed.len() as u64 + 1);
        self.line.clear();
        self.line.push(b'{');
        lines.cluster(UnitId::from(kept), &mut self.line)?;
        let _ = write!(self.line, ",\"size\":{size},\"members\":[");
        let (earlier, later) = removed.split_at(removed.partition_point(|&unit| unit < kept));
        for (position, &unit) in earlier.iter().chain([&kept]).chain(later).enumerate() {
            if position > 0 {
                self.line.push(b',');
            }
            lines.member(UnitId::from(unit), &mut self.line)?;
        }
        self.line.extend_from_slice(b"]}\n");
        file.write_bytes(&self.line)?;
        *self.sizes.entry(size.ilog2()).or_default() += 1;
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

/// Whether results can be written into `out`.
///
/// # Errors
/// If it holds files that neither a finished nor an unfinished run explains.
pub fn check_replaceable(out: &Path) -> Result<(), Error> {
    if out.exists() && !out.is_dir() {
        return Err(Error::Output {
            doing: "write into",
            path: out.to_path_buf(),
            source: std::io::ErrorKind::NotADirectory.into(),
        });
    }
    if is_unfinished(out) {
        return Ok(());
    }
    let in_the_way = RESULT_FILES
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
    for name in RESULT_FILES {
        let (from, to): (PathBuf, PathBuf) = (written.join(name), out.join(name));
        if from.exists() {
            fs::rename(&from, &to).map_err(Error::output("write", &to))?;
        } else if to.exists() {
            fs::remove_file(&to).map_err(Error::output("replace", &to))?;
        }
    }
    Ok(())
}
