//! The exhaustive truth: every pair of texts whose shingle sets have at least the threshold's Jaccard similarity.
//!
//! Shares no code with lookalike. Words are maximal runs of ASCII letters and digits, lower-cased (the corpora are
//! generated so that this is what every tool sees); a text of fewer than n words is one shingle. Shingles are compared
//! by their 64-bit xxh3: with 34 million of them two different ones share a hash with a chance of about 1 in 30,000.
//!
//! ```text
//! $ truth work/documents.jsonl --threshold 0.7 --words 5 --out work/documents.truth.jsonl
//! ```

mod join;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Parser)]
#[command(about = "All pairs at or above a threshold, by an exact join")]
struct Options {
    /// JSONL with `id` and `text`
    file: PathBuf,
    #[arg(long)]
    threshold: f64,
    /// Words in a shingle
    #[arg(
        long,
        conflicts_with = "characters",
        required_unless_present = "characters"
    )]
    words: Option<usize>,
    /// Characters (code points) in a shingle
    #[arg(long)]
    characters: Option<usize>,
    /// Pairs as JSONL {"a","b","similarity"}, `a` before `b` in the input
    #[arg(long)]
    out: PathBuf,
}

#[derive(Deserialize)]
struct Record {
    id: String,
    text: String,
}

#[derive(Clone, Copy)]
enum Shingles {
    Words(usize),
    Characters(usize),
}

fn main() -> Result<()> {
    let options = Options::parse();
    let shingles = match (options.words, options.characters) {
        (_, Some(size)) => Shingles::Characters(size),
        (size, None) => Shingles::Words(size.unwrap_or(5)),
    };
    let start = Instant::now();
    let (ids, sets) = read(&options.file, shingles)?;
    let found = join::all_pairs(&sets, options.threshold);
    let mut out = BufWriter::new(File::create(&options.out)?);
    for pair in &found {
        let (a, b) = (&ids[pair.a as usize], &ids[pair.b as usize]);
        writeln!(
            out,
            r#"{{"a":"{a}","b":"{b}","similarity":{:.6}}}"#,
            pair.similarity
        )?;
    }
    out.flush()?;
    println!(
        r#"{{"records":{},"pairs":{},"seconds":{:.1}}}"#,
        ids.len(),
        found.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

fn read(path: &Path, shingles: Shingles) -> Result<(Vec<String>, Vec<Vec<u64>>)> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let (mut ids, mut sets) = (Vec::new(), Vec::new());
    for (number, line) in BufReader::with_capacity(1 << 20, file).lines().enumerate() {
        let record: Record = serde_json::from_str(&line?)
            .with_context(|| format!("{}:{}: not a record", path.display(), number + 1))?;
        ids.push(record.id);
        sets.push(shingle_set(&record.text, shingles));
    }
    Ok((ids, sets))
}

fn shingle_set(text: &str, shingles: Shingles) -> Vec<u64> {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let (parts, size, joint): (Vec<String>, _, _) = match shingles {
        Shingles::Words(size) => (words.map(String::from).collect(), size, " "),
        Shingles::Characters(size) => (lower.chars().map(String::from).collect(), size, ""),
    };
    let hash = |run: &[String]| xxh3_64(run.join(joint).as_bytes());
    let mut set: Vec<u64> = match parts.len() {
        0 => Vec::new(),
        few if few < size => vec![hash(&parts)],
        _ => parts.windows(size).map(hash).collect(),
    };
    set.sort_unstable();
    set.dedup();
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_punctuation_do_not_matter() {
        let one = shingle_set("The quick, brown fox. Jumps", Shingles::Words(3));
        assert_eq!(
            one,
            shingle_set("the quick brown FOX jumps!", Shingles::Words(3))
        );
        assert_eq!(one.len(), 3);
    }

    #[test]
    fn short_texts_are_one_shingle_and_empty_ones_none() {
        assert_eq!(shingle_set("two words", Shingles::Words(5)).len(), 1);
        assert_ne!(
            shingle_set("two words", Shingles::Words(5)),
            shingle_set("two swords", Shingles::Words(5))
        );
        assert!(shingle_set(" ., ", Shingles::Words(5)).is_empty());
    }
}
