//! A new result from the pairs of a finished one: another threshold, another rule of what is kept, without reading the corpus.
//!
//! In: a folder with `pairs.jsonl` and `records.jsonl`. Out: another folder with the pairs that reach the new threshold, the
//! clusters they make by the one rule, and what these remove. All pairs are held in memory, 24 bytes each.

mod outlook;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lookalike_engine::{Failure, Sink};
use lookalike_io::{FolderSink, Replaceable, TableFormat, check_replaceable};
use lookalike_kernel::pair::assemble::{Difference, Directed, Stars};
use lookalike_kernel::rows::{
    ClusterSummary, Id, IdRef, RecordCluster, RecordRow, RemovedRow, Row, Shape, SimilarityBin,
    Summary, Table,
};
use lookalike_kernel::{Error as KernelError, Keep, Pairs, Setting, Spec};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Error;
use crate::finished::{Finished, unusable};
use crate::report::{ReportOptions, Sources};
use crate::texts_again::TextsAgain;
pub use outlook::{ExamplePair, Outlook, outlook};

/// What is to be another than before.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReclusterOptions {
    /// The folder of the new result.
    pub out: PathBuf,
    /// The threshold, not below the one before; by default the same.
    pub threshold: Option<f64>,
    /// What is kept; by default as before.
    pub keep: Option<Keep>,
    /// What the tables are written as; by default as before.
    pub format: Option<TableFormat>,
    /// By what two records may differ of which one is removed; by default as before.
    pub remove_kinds: Option<Vec<Difference>>,
    /// Replace files that no earlier run wrote.
    pub force: bool,
    /// What is in the page that shows the result, if there is to be one.
    pub report: Option<ReportOptions>,
}

impl ReclusterOptions {
    /// The same again, in another folder.
    pub fn new(out: impl Into<PathBuf>) -> Self {
        ReclusterOptions {
            out: out.into(),
            threshold: None,
            keep: None,
            format: None,
            remove_kinds: None,
            force: false,
            report: Some(ReportOptions::default()),
        }
    }
}

/// Makes a new result of a finished one.
///
/// # Errors
/// If the finished one does not say what must be known, or the new one cannot be written.
pub fn recluster(result: &Path, options: &ReclusterOptions) -> Result<Summary, Error> {
    let result = &Finished::open(result)?;
    let mut summary = result.summary.clone();
    let spec = settings(&summary, options)?;
    check_not_replaced(result.folder(), &options.out)?;
    let records = Records::read(result, &spec.keep)?;
    let pairs = read_pairs(result, &records, &spec)?;
    let taken = clusters(&records, &pairs);
    summary.parameters = spec;
    write(result, options, summary, &Made { records, taken })
}

/// Ends with an error if the new result would be written where the finished one is.
fn check_not_replaced(result: &Path, out: &Path) -> Result<(), Error> {
    let same = |path: &Path| path.canonicalize().ok();
    match same(out).is_some() && same(out) == same(result) {
        true => Err(unusable(
            out,
            "the new result would replace the one it is made of; choose another `out=`",
        )),
        false => Ok(()),
    }
}

/// The settings of the new result.
fn settings(summary: &Summary, options: &ReclusterOptions) -> Result<Spec, Error> {
    let before = &summary.parameters;
    let mut spec = before.clone();
    let refused = |setting: Setting, problem: String, remedy: &str| {
        Err(KernelError::refused(setting, problem, remedy).into())
    };
    if !before.job.removes_records(before) {
        let problem = format!(
            "{} removes nothing, so there is nothing to do again",
            before.job.name()
        );
        return refused(
            Setting::Input,
            problem,
            "use a result of documents, threads or messages",
        );
    }
    if let Some(field) = &before.keep_per {
        let problem = format!(
            "the result has no values of {field}, so it cannot tell which records may be removed for each other"
        );
        return refused(Setting::KeepPer, problem, "run the job again");
    }
    if !summary.against.is_empty() {
        let problem = "the result compares its input with another corpus".to_string();
        return refused(Setting::Against, problem, "run the job again");
    }
    if !matches!(before.pairs, Pairs::Auto | Pairs::All) {
        let problem = format!(
            "the result does not list all pairs, but {}",
            before.pairs.name()
        );
        return refused(
            Setting::Pairs,
            problem,
            "run the job again with `pairs=auto`",
        );
    }
    let least = before.threshold.unwrap_or_default();
    if let Some(threshold) = options.threshold {
        if !(least..=1.0).contains(&threshold) {
            let problem = format!(
                "the result holds pairs from {least} up, so its threshold cannot be {threshold}"
            );
            return refused(
                Setting::Threshold,
                problem,
                "for a lower one run the job again",
            );
        }
        spec.threshold = Some(threshold);
    }
    if let Some(keep) = options.keep.as_ref().filter(|keep| **keep != Keep::Auto) {
        let is_stored =
            matches!(keep, Keep::First | Keep::Last | Keep::Longest) || *keep == before.keep;
        if !is_stored {
            let (name, before) = (
                String::from(keep.clone()),
                String::from(before.keep.clone()),
            );
            let problem = format!(
                "the result has no values of {name} to keep by; it was made with `keep={before}`"
            );
            return refused(
                Setting::Keep,
                problem,
                "use first, last or longest, or run the job again",
            );
        }
        spec.keep = keep.clone();
    }
    if let Some(kinds) = &options.remove_kinds {
        spec.remove_kinds = Some(kinds.clone());
        spec.plan()?;
    }
    Ok(spec)
}

/// The records in pairs, by their place in the input.
struct Records {
    /// As JSON.
    ids: Vec<String>,
    /// Their numbers in the input.
    orders: Vec<u64>,
    numbers: BTreeMap<Id, u32>,
    /// The first of those with the same text.
    first: Vec<u32>,
    /// All in the order of keeping.
    by_rank: Vec<u32>,
    /// The rank of the member of a group that would be kept.
    best: Vec<u32>,
}

impl Records {
    fn read(result: &Finished, keep: &Keep) -> Result<Self, Error> {
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
            orders: rows.iter().map(|row| row.order).collect(),
            numbers,
            first,
            by_rank,
            best,
        })
    }

    fn number(&self, id: &RawValue) -> Option<u32> {
        self.numbers.get(&Id::from_json(id.get())?).copied()
    }

    /// The rank of the group that a record is in.
    fn group_rank(&self, number: u32) -> u32 {
        self.best[self.first[number as usize] as usize]
    }

    fn id(&self, number: u32) -> Result<IdRef<'_>, Failure> {
        let json = &self.ids[number as usize];
        IdRef::from_json(json).ok_or_else(|| format!("{json} is no id").into())
    }
}

#[derive(Deserialize)]
struct RawPair<'l> {
    #[serde(borrow)]
    a: &'l RawValue,
    #[serde(borrow)]
    b: &'l RawValue,
    similarity: Option<f64>,
    kind: Option<Difference>,
}

/// The pairs that reach the threshold and are of a kind that removes, by rank of their groups, sorted.
fn read_pairs(result: &Finished, records: &Records, spec: &Spec) -> Result<Vec<Directed>, Error> {
    let threshold = spec.threshold.unwrap_or_default();
    let mut pairs = Vec::new();
    result.for_each_line(Table::Pairs, |line| {
        let raw: RawPair<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Some(similarity) = raw.similarity else {
            return Err(
                "a pair without a similarity cannot be held against a threshold".to_string(),
            );
        };
        let number = |id: &RawValue| {
            records
                .number(id)
                .ok_or(format!("{id} is not in records.jsonl"))
        };
        let ranks = [number(raw.a)?, number(raw.b)?].map(|number| records.group_rank(number));
        let [a, b] = ranks;
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
fn clusters(records: &Records, pairs: &[Directed]) -> BTreeMap<u32, (u32, f64)> {
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (number, &first) in (0..).zip(&records.first) {
        groups.entry(first).or_default().push(number);
    }
    let group_at = |rank: u32| records.first[records.by_rank[rank as usize] as usize];
    let mut stars = Stars::new(records.ids.len());
    let mut taken = BTreeMap::new();
    let mut taken_groups = std::collections::BTreeSet::new();
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

/// What the new result is made of.
struct Made {
    records: Records,
    taken: BTreeMap<u32, (u32, f64)>,
}

fn write(
    result: &Finished,
    options: &ReclusterOptions,
    mut summary: Summary,
    made: &Made,
) -> Result<Summary, Error> {
    let out = &options.out;
    fs::create_dir_all(out).map_err(|error| unusable(out, error.to_string()))?;
    let work = tempfile::Builder::new()
        .prefix(".lookalike-recluster-")
        .tempdir_in(out);
    let work = work.map_err(|error| unusable(out, error.to_string()))?;
    let mut replaceable = Replaceable::new(out, work.path().join("journal"));
    if options.force {
        replaceable = replaceable.with_anything();
    }
    let before = summary.tables.as_ref().map(|tables| tables.format.parse());
    let format = options.format.or(before.transpose()?).unwrap_or_default();
    let tables = (summary.parameters.job.outcome(), format);
    check_replaceable(out, tables, &replaceable)?;
    let page = |folder: &Path, summary: &Summary| {
        let made = options.report.as_ref().map(|report| {
            let sources = Sources {
                result: &Finished::lying_in(folder, summary),
                with: None,
                texts: &TextsAgain(summary),
            };
            sources.make(report)
        });
        Ok(made.transpose()?)
    };
    let mut sink = FolderSink::new(out, work.path().join("aside"), &replaceable)
        .with_format(format)
        .with_page(&page);
    let threshold = summary.parameters.threshold.unwrap_or_default();
    let written = (|| -> Result<(), Failure> {
        let (listed, similarities) = write_pairs(&mut sink, result, threshold)?;
        let largest = write_clusters(&mut sink, made)?;
        write_removed(&mut sink, made)?;
        for shape in [Shape::Records, Shape::Repeated, Shape::Rejected] {
            sink.copy_table(shape, &result.file_of(shape.table()))?;
        }
        let counts = &mut summary.counts;
        counts.pairs = listed;
        let before = counts.kept + counts.removed;
        counts.removed = made.taken.len() as u64;
        counts.kept = before - counts.removed;
        counts.removed_share = counts.removed as f64 / (counts.records.max(1)) as f64;
        counts.clusters = largest.0;
        summary.similarities = SimilarityBin::all(&similarities);
        let texts: BTreeMap<String, String> = summary
            .largest_clusters
            .iter()
            .map(|cluster| (cluster.cluster.to_string(), cluster.text.clone()))
            .collect();
        summary.largest_clusters = largest
            .1
            .into_iter()
            .map(|(id, size)| ClusterSummary {
                text: texts.get(&id).cloned().unwrap_or_default(),
                cluster: serde_json::from_str(&id).unwrap_or_default(),
                size,
            })
            .collect();
        summary.sources.clear();
        // Other clusters have other templates, and texts are not read.
        summary.templates = None;
        summary.lost_sources.clear();
        summary.audit = None;
        summary.deduplicated.clear();
        if summary.hot_buckets.pairs_not_compared > 0 {
            summary.notes.push(format!(
                "up to {} pairs among variants of a few texts were not compared, so a few of these may be kept that a new run \
                 would remove",
                summary.hot_buckets.pairs_not_compared
            ));
        }
        sink.finish(&mut summary)
    })();
    written.map_err(lookalike_engine::Error::Sink)?;
    Ok(summary)
}

/// Copies the pairs that reach the threshold line by line, and counts them by similarity.
fn write_pairs(
    sink: &mut FolderSink<'_>,
    result: &Finished,
    threshold: f64,
) -> Result<(u64, [u64; SimilarityBin::STEPS + 1]), Failure> {
    let mut bins = [0; SimilarityBin::STEPS + 1];
    let mut listed = 0;
    let mut lines = Vec::new();
    result.for_each_line(Table::Pairs, |line| {
        let raw: RawPair<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let similarity = raw.similarity.unwrap_or_default();
        if similarity >= threshold {
            listed += 1;
            bins[SimilarityBin::number(similarity)] += 1;
            lines.extend_from_slice(line.as_bytes());
            lines.push(b'\n');
        }
        Ok(())
    })?;
    let first = lines
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    let fields: BTreeMap<String, &RawValue> = serde_json::from_slice(first).unwrap_or_default();
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    let names: Vec<&str> = names
        .into_iter()
        .filter(|name| !name.starts_with("text_"))
        .collect();
    let shape = Shape::recognise(Table::Pairs, &names).unwrap_or(Shape::RecordPairs);
    sink.write_table(shape, &lines)?;
    Ok((listed, bins))
}

/// The clusters by their kept member; how many there are, and the largest by the JSON of their id.
fn write_clusters(
    sink: &mut FolderSink<'_>,
    made: &Made,
) -> Result<(u64, Vec<(String, u64)>), Failure> {
    const LARGEST: usize = 5;
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (&member, &(kept, _)) in &made.taken {
        members.entry(kept).or_default().push(member);
    }
    let mut table = sink.table(Shape::RecordClusters)?;
    let mut encoder = table.encoder();
    let mut largest: Vec<(String, u64)> = Vec::new();
    for (&kept, others) in &members {
        let mut all = others.clone();
        all.push(kept);
        all.sort_unstable();
        let ids = all.iter().map(|&number| made.records.id(number));
        let size = all.len() as u64;
        encoder.encode(&Row::RecordCluster(RecordCluster {
            cluster: made.records.id(kept)?,
            size,
            members: Cow::Owned(ids.collect::<Result<_, _>>()?),
        }))?;
        let place = largest.partition_point(|(_, other)| *other >= size);
        if place < LARGEST {
            largest.insert(place, (made.records.ids[kept as usize].clone(), size));
            largest.truncate(LARGEST);
        }
    }
    table.append(encoder.take())?;
    table.finish()?;
    Ok((members.len() as u64, largest))
}

fn write_removed(sink: &mut FolderSink<'_>, made: &Made) -> Result<(), Failure> {
    let mut table = sink.table(Shape::Removed)?;
    let mut encoder = table.encoder();
    for (&member, &(kept, similarity)) in &made.taken {
        encoder.encode(&Row::Removed(RemovedRow {
            id: made.records.id(member)?,
            kept: made.records.id(kept)?,
            similarity: Some(similarity),
            verified: true,
        }))?;
    }
    table.append(encoder.take())?;
    table.finish()
}
