//! What each threshold would remove, for whoever does not know yet which one is right: `--explore`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use lookalike::{ExamplePair, Outlook, Summary, left_open, outlook, texts_of_result};
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

use crate::screen::{self, change, counted, thousands};

/// Pairs are searched from here on.
pub(crate) const LOWEST: f64 = 0.5;

/// In steps of five hundredths.
const STEPS: u32 = 10;

/// So many differences of an example are shown, and so many characters of each side.
const DIFFERENCES_SHOWN: usize = 2;
const CHARACTERS_SHOWN: usize = 24;

/// Texts so different that a shortest list of differences takes longer get a longer one.
const DIFFERENCE_TIME: Duration = Duration::from_millis(300);

/// Prints what the thresholds from the lowest on would remove, and what that cost.
pub(super) fn print(out: &Path, summary: &Summary, as_json: bool) -> anyhow::Result<()> {
    let thresholds: Vec<f64> = (0..STEPS)
        .map(|step| f64::from(50 + 5 * step) / 100.0)
        .collect();
    let outlooks =
        outlook(out, &thresholds).context("cannot determine what each threshold removes")?;
    if as_json {
        let rows = outlooks.iter().map(row);
        let rows: String = rows.map(|row| format!("{row}\n")).collect();
        return Ok(screen::print(&rows)?);
    }
    let examples = outlooks.iter().filter_map(|step| step.example.as_ref());
    let numbers: BTreeSet<u64> = examples.flat_map(|example| example.numbers).collect();
    // Where the texts cannot be read again, as from standard input, names are all there is.
    let texts = texts_of_result(summary, false, &numbers).unwrap_or_default();
    let records = summary.counts.records.max(1) as f64;
    let mut page = "threshold  removed   of all  least similar pair that it adds\n".to_string();
    for step in &outlooks {
        let share = format!("{:.1} %", 100.0 * step.removed as f64 / records);
        let removed = thousands(step.removed);
        let example = step.example.as_ref();
        let example = example.map_or("–".to_string(), |example| in_words(example, &texts));
        page += &format!(
            "     {:.2}  {removed:>7}  {share:>7}  {example}\n",
            step.threshold
        );
    }
    if let Some(note) = left_open(summary) {
        page += &format!("\nnote              {note}\n");
    }
    page += &format!(
        "\n{}, searched in {:.1} s\n\
         next              lookalike show {out} --near 0.8   (look at pairs near a threshold)\n                  \
         lookalike recluster {out} -t 0.8   (apply a threshold without a new search)\n                  \
         lookalike {job} … -t 0.8 --deduplicated FILE   (write the cleaned corpus)\n",
        counted(summary.counts.records, "record"),
        summary.total_seconds,
        out = out.display(),
        job = summary.parameters.job.name(),
    );
    Ok(screen::print(&page)?)
}

/// As in `7 – 12 (0.812): nine → ten`.
fn in_words(example: &ExamplePair, texts: &BTreeMap<u64, String>) -> String {
    let [a, b] = [0, 1].map(|side| match id(&example.ids[side]) {
        Value::String(id) => id,
        id => id.to_string(),
    });
    let pair = format!("{a} – {b} ({:.3})", example.similarity);
    match example.numbers.map(|number| texts.get(&number)) {
        [Some(a), Some(b)] => format!("{pair}: {}", differences(a, b)),
        _ => pair,
    }
}

/// The first words that differ.
fn differences(a: &str, b: &str) -> String {
    let diff = TextDiff::configure()
        .timeout(DIFFERENCE_TIME)
        .diff_unicode_words(a, b);
    let changes: Vec<_> = diff.iter_all_changes().collect();
    let mut differences: Vec<[String; 2]> = vec![Default::default()];
    for run in changes.chunk_by(|x, y| x.tag() == y.tag()) {
        let words: String = run.iter().map(similar::Change::value).collect();
        let last = differences.len() - 1;
        match run[0].tag() {
            // Words that differ one after the other are one difference.
            ChangeTag::Equal if words.trim().is_empty() => {}
            ChangeTag::Equal => differences.push(Default::default()),
            ChangeTag::Delete => differences[last][0] += &format!("{} ", words.trim()),
            ChangeTag::Insert => differences[last][1] += &format!("{} ", words.trim()),
        }
    }
    differences.retain(|[from, to]| !from.trim().is_empty() || !to.trim().is_empty());
    let shown = differences.iter().take(DIFFERENCES_SHOWN);
    let shown = shown.map(|[from, to]| change(&shortened(from), &shortened(to)));
    let more = match differences.len() > DIFFERENCES_SHOWN {
        true => ", …",
        false => "",
    };
    format!("{}{more}", shown.collect::<Vec<String>>().join(", "))
}

fn shortened(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<&str>>().join(" ");
    match words.char_indices().nth(CHARACTERS_SHOWN) {
        Some((end, _)) => format!("{}…", words[..end].trim_end()),
        None => words,
    }
}

fn id(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or(Value::Null)
}

fn row(step: &Outlook) -> Value {
    let example = step.example.as_ref().map(|example| {
        let [a, b] = [0, 1].map(|side| id(&example.ids[side]));
        json!({"a": a, "b": b, "similarity": example.similarity})
    });
    json!({
        "threshold": step.threshold,
        "removed": step.removed,
        "pairs": step.pairs,
        "example": example,
    })
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn the_first_words_that_differ_are_shown() {
        let a = "The ferry leaves at nine, and comes back at noon";
        let b =
            "The ferry leaves at ten, and also comes back at one every day of the whole long week";
        let shown = "nine → ten, (nothing) → also, …";
        assert_eq!(differences(a, b), shown);
        assert_eq!(
            differences("渡轮九点出发", "渡轮十点出发。"),
            "九 → 十, (nothing) → 。"
        );
    }
}
