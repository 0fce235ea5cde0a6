//! The folder of the new result: the tables, the page that shows them, and the summary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use lookalike_engine::{Failure, Sink};
use lookalike_io::{FolderSink, Replaceable, check_replaceable};
use lookalike_kernel::Keep;
use lookalike_kernel::rows::{
    ClusterSummary, RecordCluster, RecordRow, RemovedRow, Row, Shape, SimilarityBin, Summary, Table,
};
use serde_json::value::RawValue;

use super::ranked::{RawPair, Records};
use super::{ReclusterOptions, left_open};
use crate::Error;
use crate::finished::{Finished, unusable};
use crate::report::Sources;
use crate::texts_again::{TextsAgain, texts_of_result};

/// What the new result is made of.
pub(super) struct Made {
    pub(super) records: Records,
    pub(super) taken: BTreeMap<u32, (u32, f64)>,
    pub(super) begun: Instant,
}

/// Writes it.
pub(super) fn write(
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
    let without_texts = OnceLock::new();
    let page = |folder: &Path, summary: &Summary| {
        let Some(report) = &options.report else {
            return Ok(None);
        };
        let sources = Sources {
            result: &Finished::lying_in(folder, summary),
            with: None,
            texts: &TextsAgain(summary),
        };
        let page = sources.make(report)?;
        if let Some(why) = page.without_texts {
            let _ = without_texts.set(why);
        }
        Ok(Some(page.html))
    };
    let mut sink = FolderSink::new(out, work.path().join("aside"), &replaceable)
        .with_format(format)
        .with_page(&page);
    let threshold = summary.parameters.threshold.unwrap_or_default();
    let written = (|| -> Result<(), Failure> {
        let listed = write_pairs(&mut sink, result, threshold, &made.records)?;
        let largest = write_clusters(&mut sink, made)?;
        write_removed(&mut sink, made)?;
        write_records(&mut sink, made, &listed, &summary.parameters.keep)?;
        for shape in [Shape::Repeated, Shape::Rejected] {
            sink.copy_table(shape, &result.file_of(shape.table()))?;
        }
        // What is most similar to a record does not depend on the threshold.
        if result.has(Table::Suggestions) {
            sink.copy_table(Shape::Suggestions, &result.file_of(Table::Suggestions))?;
        }
        let counts = &mut summary.counts;
        counts.pairs = listed.count;
        let before = counts.kept + counts.removed;
        counts.removed = made.taken.len() as u64;
        counts.kept = before - counts.removed;
        counts.removed_share = counts.removed as f64 / (counts.records.max(1)) as f64;
        counts.clusters = largest.0;
        summary.similarities = SimilarityBin::all(&listed.similarities);
        summary.kinds = listed.kinds;
        summary.largest_clusters = named(largest.1, &summary, made);
        summary.sources.clear();
        // Other clusters have other templates, and texts are not read.
        summary.templates = None;
        summary.lost_sources.clear();
        summary.lost_answers = None;
        summary.audit = None;
        summary.deduplicated.clear();
        summary.cleaned_records = None;
        if let Some(left_open) = left_open(&summary) {
            // A result that was made like this one has the note.
            summary.notes.retain(|note| *note != left_open);
            summary.notes.push(left_open);
        }
        // Those of the run took another time.
        summary.seconds.clear();
        summary.stage_memory.clear();
        summary.peak_memory = None;
        summary.total_seconds = made.begun.elapsed().as_secs_f64();
        sink.finish(&mut summary)
    })();
    written.map_err(lookalike_engine::Error::Sink)?;
    if let Some(why) = without_texts.into_inner() {
        summary
            .notes
            .push(format!("the report has no texts: {why}"));
    }
    Ok(summary)
}

/// The largest clusters, each with how the record that is kept begins, if it can be read again.
fn named(largest: Vec<(u32, u64)>, summary: &Summary, made: &Made) -> Vec<ClusterSummary> {
    const CHARACTERS: usize = 100;
    let order = |kept: u32| made.records.rows[kept as usize].order;
    let numbers = largest.iter().map(|&(kept, _)| order(kept)).collect();
    let texts = texts_of_result(summary, false, &numbers).unwrap_or_default();
    let beginning = |text: &String| {
        let words = text.split_whitespace().take(CHARACTERS);
        let line = words.collect::<Vec<&str>>().join(" ");
        line.chars().take(CHARACTERS).collect()
    };
    let named = largest.into_iter().map(|(kept, size)| ClusterSummary {
        cluster: serde_json::from_str(&made.records.ids[kept as usize]).unwrap_or_default(),
        size,
        text: texts.get(&order(kept)).map(beginning).unwrap_or_default(),
    });
    named.collect()
}

/// The pairs that are in the new result.
struct Listed {
    count: u64,
    similarities: [u64; SimilarityBin::STEPS + 1],
    kinds: BTreeMap<String, u64>,
    /// Of each record, whether it is in one of them.
    members: Vec<bool>,
}

/// Copies the pairs that reach the threshold line by line, and counts them by similarity and by kind.
fn write_pairs(
    sink: &mut FolderSink<'_>,
    result: &Finished,
    threshold: f64,
    records: &Records,
) -> Result<Listed, Failure> {
    let mut listed = Listed {
        count: 0,
        similarities: [0; SimilarityBin::STEPS + 1],
        kinds: BTreeMap::new(),
        members: vec![false; records.rows.len()],
    };
    let mut lines = Vec::new();
    result.for_each_line(Table::Pairs, |line| {
        let raw: RawPair<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let similarity = raw.similarity.unwrap_or_default();
        if similarity < threshold {
            return Ok(());
        }
        listed.count += 1;
        listed.similarities[SimilarityBin::number(similarity)] += 1;
        if let Some(kind) = raw.kind {
            *listed.kinds.entry(kind.name().to_string()).or_default() += 1;
        }
        for member in records.both(&raw)? {
            listed.members[member as usize] = true;
        }
        lines.extend_from_slice(line.as_bytes());
        lines.push(b'\n');
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
    Ok(listed)
}

/// Writes the records that are in pairs, with what they are ranked by now.
fn write_records(
    sink: &mut FolderSink<'_>,
    made: &Made,
    listed: &Listed,
    keep: &Keep,
) -> Result<(), Failure> {
    let mut table = sink.table(Shape::Records)?;
    let mut encoder = table.encoder();
    let records = &made.records;
    for ((number, row), _) in (0..)
        .zip(&records.rows)
        .zip(&listed.members)
        .filter(|row| *row.1)
    {
        let first = row
            .copy_of
            .as_ref()
            .and_then(|first| records.numbers.get(first));
        encoder.encode(&Row::Record(RecordRow {
            id: records.id(number)?,
            copy_of: first.map(|&first| records.id(first)).transpose()?,
            rank: match keep {
                Keep::Auto | Keep::First | Keep::Last => None,
                Keep::Longest => Some(row.length as f64),
                Keep::More | Keep::Field(_) => row.rank,
            },
            order: row.order,
            length: row.length,
            bytes: row.bytes,
            source: row.source.clone(),
            line: row.line,
            title: row.title.clone(),
            origin: row.origin.clone(),
            against: row.against,
        }))?;
    }
    table.append(encoder.take())?;
    table.finish()
}

/// The clusters by their kept member; how many there are, and the largest.
fn write_clusters(
    sink: &mut FolderSink<'_>,
    made: &Made,
) -> Result<(u64, Vec<(u32, u64)>), Failure> {
    const LARGEST: usize = 5;
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (&member, &(kept, _)) in &made.taken {
        members.entry(kept).or_default().push(member);
    }
    let mut table = sink.table(Shape::RecordClusters)?;
    let mut encoder = table.encoder();
    let mut largest: Vec<(u32, u64)> = Vec::new();
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
            largest.insert(place, (kept, size));
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
