//! The summary a person reads.

mod passages_summary;
mod sentences_summary;

use std::fmt;
use std::io::Write;
use std::path::Path;

use lookalike::Summary;
use lookalike::kernel::{Recall, show_size};

use crate::wording::with_options;

/// Prints the summary of a run to standard output.
pub(crate) fn show(
    summary: &Summary,
    out: &Path,
    deduplicated: Option<&Path>,
) -> anyhow::Result<()> {
    let mut to = std::io::stdout().lock();
    match (&summary.sentences, &summary.passages) {
        (Some(sentences), _) => sentences_summary::show(&mut to, summary, sentences)?,
        (_, Some(passages)) => passages_summary::show(&mut to, summary, passages)?,
        (None, None) => found(&mut to, summary)?,
    }
    unused(&mut to, summary, out)?;
    promised(&mut to, summary)?;
    spent(&mut to, summary)?;
    line(&mut to, "results in", out.display())?;
    if let Some(deduplicated) = deduplicated {
        line(&mut to, "cleaned corpus", deduplicated.display())?;
    }
    Ok(())
}

fn line(to: &mut dyn Write, name: &str, value: impl fmt::Display) -> std::io::Result<()> {
    writeln!(to, "{name:<18}{value}")
}

/// What was found among records.
fn found(to: &mut dyn Write, summary: &Summary) -> std::io::Result<()> {
    let counts = &summary.counts;
    let parameters = &summary.parameters;
    let threshold = parameters.threshold.unwrap_or_default();
    let is_verified = parameters.verify.measure.is_some() || parameters.model.is_some();
    line(to, "records", thousands(counts.records))?;
    if counts.against_records > 0 {
        line(
            to,
            "compared with",
            format!("{} records", thousands(counts.against_records)),
        )?;
    }
    let share = 100.0 * counts.removed_share;
    line(
        to,
        "duplicates",
        format!(
            "{} ({share:.1} % of the input) in {} {}",
            thousands(counts.removed),
            thousands(counts.clusters),
            if counts.clusters == 1 {
                "cluster"
            } else {
                "clusters"
            }
        ),
    )?;
    line(
        to,
        "  of them copies",
        format!(
            "{} identical to an earlier record",
            thousands(counts.identical_copies)
        ),
    )?;
    line(to, "kept", thousands(counts.kept))?;
    line(
        to,
        "pairs listed",
        format!(
            "{} {}",
            thousands(counts.pairs),
            if counts.assumed_pairs > 0 {
                format!(
                    "at {threshold} or more, compared exactly but for {} that were assumed",
                    thousands(counts.assumed_pairs)
                )
            } else if is_verified {
                format!("at {threshold} or more, each compared exactly")
            } else {
                "with a common digest, not verified; --measure cosine would".to_string()
            }
        ),
    )?;
    Ok(())
}

/// What matches nothing or could not be used.
fn unused(to: &mut dyn Write, summary: &Summary, out: &Path) -> std::io::Result<()> {
    let counts = &summary.counts;
    if counts.empty > 0 {
        line(
            to,
            "empty",
            format!("{}, which match nothing", thousands(counts.empty)),
        )?;
    }
    if counts.without_features > 0 {
        line(
            to,
            "no features",
            format!(
                "in {}, which match nothing",
                thousands(counts.without_features)
            ),
        )?;
    }
    if counts.without_keep_value > 0 {
        line(
            to,
            "without a rank",
            format!(
                "{} have no number or date to keep by and rank last",
                thousands(counts.without_keep_value)
            ),
        )?;
    }
    if counts.rejected > 0 {
        line(
            to,
            "rejected",
            format!(
                "{}, listed in {}",
                thousands(counts.rejected),
                out.join("rejected.jsonl").display()
            ),
        )?;
        for rejection in &summary.first_rejections {
            writeln!(to, "  {}", with_options(rejection))?;
        }
    }
    Ok(())
}

/// The largest clusters, and what is promised about the rest.
fn promised(to: &mut dyn Write, summary: &Summary) -> std::io::Result<()> {
    let threshold = summary.parameters.threshold.unwrap_or_default();
    let hot = &summary.hot_buckets;
    if hot.buckets > 0 && summary.passages.is_some() {
        line(
            to,
            "hot buckets",
            format!(
                "{} sentences are variants of a few; up to {} of their pairs were not looked at",
                thousands(hot.records),
                thousands(hot.pairs_not_compared)
            ),
        )?;
    } else if hot.buckets > 0 {
        line(
            to,
            "hot buckets",
            format!(
                "{} records are variants of a few texts: {} were linked to a kept one; up to {} of their pairs were not compared",
                thousands(hot.records),
                thousands(hot.linked),
                thousands(hot.pairs_not_compared)
            ),
        )?;
    }
    if !summary.largest_clusters.is_empty() {
        writeln!(to, "\nlargest clusters")?;
        for cluster in &summary.largest_clusters {
            writeln!(
                to,
                "  {:>7} × {}  {}",
                thousands(cluster.size),
                cluster.cluster,
                cluster.text
            )?;
        }
        writeln!(to)?;
    }
    let recall = &summary.recall;
    line(to, "stated recall", stated(recall, threshold))?;
    if let Some(audit) = &summary.audit {
        line(
            to,
            "measured recall",
            format!(
                "{:.1} % ({} of {} true pairs of {} sampled records); precision {:.1} %",
                100.0 * audit.recall,
                thousands(audit.found_pairs),
                thousands(audit.true_pairs),
                thousands(audit.sampled),
                100.0 * audit.precision
            ),
        )?;
    }
    Ok(())
}

/// Time and memory.
fn spent(to: &mut dyn Write, summary: &Summary) -> std::io::Result<()> {
    let stages: Vec<String> = STAGES
        .iter()
        .filter_map(|stage| {
            summary
                .seconds
                .get(*stage)
                .map(|seconds| format!("{stage} {seconds:.2}"))
        })
        .collect();
    line(
        to,
        "seconds",
        format!("{:.2} ({})", summary.total_seconds, stages.join(", ")),
    )?;
    if let Some(peak) = summary.peak_memory {
        line(
            to,
            "peak memory",
            format!("{} of {}", show_size(peak), show_size(summary.memory)),
        )?;
    }
    Ok(())
}

/// What is promised about the pairs that were not found.
fn stated(recall: &Recall, threshold: f64) -> String {
    let because = &recall.because;
    match (recall.at_threshold, recall.above_threshold) {
        _ if recall.exact => format!("100 % ({}: {because})", recall.keys),
        (Some(at), Some(above)) => format!(
            "{:.1} % of the pairs at {threshold}, {:.1} % at {:.2} ({}, {} bands of {} rows: {because})",
            100.0 * at,
            100.0 * above,
            (threshold + 0.1).min(1.0),
            recall.keys,
            recall.bands.unwrap_or_default(),
            recall.rows.unwrap_or_default(),
        ),
        _ => format!("none ({}: {because})", recall.keys),
    }
}

const STAGES: [&str; 14] = [
    "convert", "count", "sign", "collapse", "weigh", "select", "join", "gather", "describe",
    "verify", "align", "assemble", "audit", "write",
];

pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
