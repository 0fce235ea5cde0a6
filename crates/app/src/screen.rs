//! What a person reads: the summary of a run, and of what its pages are made.

mod passages_summary;
mod sentences_summary;

use std::fmt;
use std::io::Write;
use std::path::Path;

use lookalike::Summary;
use lookalike::io::is_standard_output;
use lookalike::kernel::{Recall, show_size};

use crate::wording::with_options;

/// Prints the summary of a run to standard output, or to standard error if that is where the corpus went.
pub(crate) fn show(
    summary: &Summary,
    out: &Path,
    deduplicated: Option<&Path>,
) -> std::io::Result<()> {
    let mut page = String::new();
    match (&summary.sentences, &summary.passages) {
        (Some(sentences), _) => sentences_summary::show(&mut page, summary, sentences),
        (_, Some(passages)) => passages_summary::show(&mut page, summary, passages),
        (None, None) => found(&mut page, summary),
    }
    unused(&mut page, summary, out);
    promised(&mut page, summary);
    spent(&mut page, summary);
    line(&mut page, "results in", out.display());
    if let Some(deduplicated) = deduplicated {
        line(&mut page, "cleaned corpus", deduplicated.display());
    }
    match deduplicated {
        Some(path) if is_standard_output(path) => {
            std::io::stderr().write_all(safe_lines(&page).as_bytes())
        }
        _ => print(&page),
    }
}

/// Writes a page to standard output.
pub(crate) fn print(page: &str) -> std::io::Result<()> {
    std::io::stdout().write_all(safe_lines(page).as_bytes())
}

/// What a terminal can be given, in one line: what would move the cursor, change colours or turn the direction of
/// reading is escaped, as in `\u{1b}`.
///
/// All words for the screen come through here, whoever wrote them. Only what has colours of the program itself is made
/// of safe parts; any other page or message is made safe as a whole.
pub(crate) fn safe(words: impl fmt::Display) -> String {
    let mut safe = String::new();
    for character in words.to_string().chars() {
        let turns = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}')
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if turns || character.is_control() {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// The same of several lines.
pub(crate) fn safe_lines(page: &str) -> String {
    page.split('\n').map(safe).collect::<Vec<_>>().join("\n")
}

/// Adds a value with its name to a page.
pub(crate) fn line(page: &mut String, name: &str, value: impl fmt::Display) {
    *page += &format!("{:<18}{}\n", safe(name), safe(value));
}

/// Rows of cells in columns two spaces apart: the first few flush left, the others, which are numbers, flush right. The
/// first row says what they are.
pub(crate) fn table(flush_left: usize, rows: &[Vec<String>]) -> String {
    let rows = rows.iter().map(|row| row.iter().map(safe).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut page = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column < flush_left {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        page += &cells.collect::<Vec<String>>().join("  ");
        page.push('\n');
    }
    page
}

/// How many records there were, and with how many others they were compared.
fn read(page: &mut String, summary: &Summary, what: &str) {
    line(page, what, thousands(summary.counts.records));
    if summary.counts.against_records > 0 {
        let against = thousands(summary.counts.against_records);
        line(page, "compared with", format!("{against} {what}"));
    }
}

/// What was found among records.
fn found(page: &mut String, summary: &Summary) {
    read(page, summary, "records");
    let counts = &summary.counts;
    let parameters = &summary.parameters;
    let (removed, share) = (thousands(counts.removed), 100.0 * counts.removed_share);
    let clusters = counted(counts.clusters, "cluster");
    let duplicates = format!("{removed} ({share:.1} % of the input) in {clusters}");
    line(page, "duplicates", duplicates);
    let copies = thousands(counts.identical_copies);
    let copies = format!("{copies} identical to an earlier record");
    line(page, "  of them copies", copies);
    line(page, "kept", thousands(counts.kept));
    let threshold = parameters.threshold.unwrap_or_default();
    let which = if counts.assumed_pairs > 0 {
        let assumed = thousands(counts.assumed_pairs);
        format!("at {threshold} or more, compared exactly but for {assumed} that were assumed")
    } else if parameters.verify.measure.is_some() || parameters.model.is_some() {
        format!("at {threshold} or more, each compared exactly")
    } else {
        "with a common digest, not verified; --measure cosine would".to_string()
    };
    let listed = format!("{} {which}", thousands(counts.pairs));
    line(page, "pairs listed", listed);
}

/// What matches nothing or could not be used.
fn unused(page: &mut String, summary: &Summary, out: &Path) {
    let counts = &summary.counts;
    let some = |count: u64| (count > 0).then(|| thousands(count));
    if let Some(empty) = some(counts.empty) {
        line(page, "empty", format!("{empty}, which match nothing"));
    }
    if let Some(without) = some(counts.without_features) {
        let without = format!("in {without}, which match nothing");
        line(page, "no features", without);
    }
    if let Some(without) = some(counts.without_keep_value) {
        let without = format!("{without} have no number or date to keep by and rank last");
        line(page, "without a rank", without);
    }
    if let Some(rejected) = some(counts.rejected) {
        let list = out.join("rejected.jsonl");
        let rejected = format!("{rejected}, listed in {}", list.display());
        line(page, "rejected", rejected);
        for rejection in &summary.first_rejections {
            *page += &format!("  {}\n", safe(with_options(rejection)));
        }
    }
}

/// The largest clusters, and what is promised about the rest.
fn promised(page: &mut String, summary: &Summary) {
    let hot = &summary.hot_buckets;
    if hot.buckets > 0 {
        let [records, linked, left] =
            [hot.records, hot.linked, hot.pairs_not_compared].map(thousands);
        let variants = match &summary.passages {
            Some(_) => format!(
                "{records} sentences are variants of a few; up to {left} of their pairs were not looked at"
            ),
            None => format!(
                "{records} records are variants of a few texts: {linked} were linked to a kept one; up to {left} of \
                 their pairs were not compared"
            ),
        };
        line(page, "hot buckets", variants);
    }
    if !summary.largest_clusters.is_empty() {
        *page += "\nlargest clusters\n";
        for cluster in &summary.largest_clusters {
            let size = thousands(cluster.size);
            *page += &format!("  {size:>7} × {}  {}\n", cluster.cluster, cluster.text);
        }
        page.push('\n');
    }
    let threshold = summary.parameters.threshold.unwrap_or_default();
    line(page, "stated recall", stated(&summary.recall, threshold));
    if let Some(audit) = &summary.audit {
        let [found, all, sampled] =
            [audit.found_pairs, audit.true_pairs, audit.sampled].map(thousands);
        let [recall, precision] = [audit.recall, audit.precision].map(|share| 100.0 * share);
        let measured = format!(
            "{recall:.1} % ({found} of {all} true pairs of {sampled} sampled records); precision {precision:.1} %"
        );
        line(page, "measured recall", measured);
    }
}

/// Time and memory.
fn spent(page: &mut String, summary: &Summary) {
    let stages = STAGES.iter().filter_map(|stage| {
        let seconds = summary.seconds.get(*stage)?;
        Some(format!("{stage} {seconds:.2}"))
    });
    let stages = stages.collect::<Vec<String>>().join(", ");
    let seconds = format!("{:.2} ({stages})", summary.total_seconds);
    line(page, "seconds", seconds);
    if let Some(peak) = summary.peak_memory {
        let [peak, allowed] = [peak, summary.memory].map(show_size);
        line(page, "peak memory", format!("{peak} of {allowed}"));
    }
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

/// As in "1,204 sentences".
pub(crate) fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", thousands(count))
}

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
    use super::{safe, safe_lines, thousands};

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(
            safe("a\u{1b}[31m\u{9b}\u{202e}\r\n汉"),
            r"a\u{1b}[31m\u{9b}\u{202e}\r\n汉"
        );
        assert_eq!(safe_lines("\"é\"\n\tב\n"), "\"é\"\n\\tב\n");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
