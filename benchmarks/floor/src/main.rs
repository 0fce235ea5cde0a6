//! The floor: what any tool must at least do with a JSONL corpus.
//!
//! Maps the file into memory, parses every line, splits the text into words and hashes each run of n words, on all
//! cores; nothing is kept but a checksum. The time it takes is the unit in which the others are measured.
//!
//! ```text
//! $ floor work/documents.jsonl --words 5
//! {"records":100000,"words":33846871,"checksum":"…","threads":2,"seconds":0.4102}
//! ```
//! A dump of a wiki (`.xml`) is not parsed: the words of every line, markup included, are hashed.

use std::borrow::Cow;
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Parser)]
#[command(about = "Read, parse, split words, hash shingles: nothing else")]
struct Options {
    /// JSONL with a field `text`, or with `title`, `body` and `answer`; or the XML of a wiki
    file: PathBuf,
    /// Words in a shingle
    #[arg(long, default_value_t = 5)]
    words: usize,
    /// Default: one for each core
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Deserialize)]
struct Record<'a> {
    // Every tool has to read the id as well, or it could not name what it found.
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Cow<'a, str>,
    // Of a thread.
    #[serde(borrow, default)]
    title: Cow<'a, str>,
    #[serde(borrow, default)]
    body: Cow<'a, str>,
    #[serde(borrow, default)]
    answer: Cow<'a, str>,
}

#[derive(Clone, Copy)]
enum Format {
    Lines,
    Wiki,
}

#[derive(Default)]
struct Totals {
    records: u64,
    words: u64,
    checksum: u64,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let start = Instant::now();
    let file = File::open(&options.file)
        .with_context(|| format!("cannot open {}", options.file.display()))?;
    // SAFETY: the benchmark's own file, which nothing changes while it is read.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    let threads = match options.threads {
        Some(threads) => threads,
        None => std::thread::available_parallelism()?.get(),
    };
    let format = match options.file.extension() {
        Some(ending) if ending == "xml" => Format::Wiki,
        _ => Format::Lines,
    };
    let totals = hash_all(&map, format, options.words, threads)?;
    let Totals {
        records,
        words,
        checksum,
    } = totals;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        r#"{{"records":{records},"words":{words},"checksum":"{checksum:016x}","threads":{threads},"seconds":{seconds:.4}}}"#
    );
    Ok(())
}

fn hash_all(bytes: &[u8], format: Format, shingle_words: usize, threads: usize) -> Result<Totals> {
    let chunks = cut_at_lines(bytes, threads * 32);
    let next = AtomicUsize::new(0);
    let work = || -> Result<Totals> {
        let mut totals = Totals::default();
        let mut places = Vec::new();
        while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            match format {
                Format::Lines => hash_lines(chunk, shingle_words, &mut places, &mut totals)?,
                Format::Wiki => hash_wikitext(chunk, shingle_words, &mut places, &mut totals),
            }
        }
        Ok(totals)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut sum = Totals::default();
        for worker in workers {
            let part = worker.join().expect("a worker panicked")?;
            sum.records += part.records;
            sum.words += part.words;
            sum.checksum ^= part.checksum;
        }
        Ok(sum)
    })
}

fn cut_at_lines(bytes: &[u8], pieces: usize) -> Vec<&[u8]> {
    let mut chunks = Vec::with_capacity(pieces);
    let mut rest = bytes;
    let step = bytes.len() / pieces + 1;
    while !rest.is_empty() {
        let from = step.min(rest.len());
        let end = memchr::memchr(b'\n', &rest[from..]).map_or(rest.len(), |at| from + at + 1);
        let (chunk, tail) = rest.split_at(end);
        chunks.push(chunk);
        rest = tail;
    }
    chunks
}

fn hash_lines(
    chunk: &[u8],
    shingle_words: usize,
    places: &mut Vec<(u32, u32)>,
    totals: &mut Totals,
) -> Result<()> {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', chunk).chain([chunk.len()]) {
        let line = &chunk[start..end];
        start = end + 1;
        if line.is_empty() {
            continue;
        }
        let record: Record = sonic_rs::from_slice(line).context("not a record with id and text")?;
        totals.records += 1;
        totals.checksum ^= record.id.len() as u64;
        for field in [record.text, record.title, record.body, record.answer] {
            hash_shingles(field.as_bytes(), shingle_words, places, totals);
        }
    }
    Ok(())
}

fn hash_wikitext(
    chunk: &[u8],
    shingle_words: usize,
    places: &mut Vec<(u32, u32)>,
    totals: &mut Totals,
) {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', chunk).chain([chunk.len()]) {
        // The last line of a chunk is empty: nothing follows its end.
        let line = chunk.get(start..end).unwrap_or_default();
        start = end + 1;
        totals.records += u64::from(line == b"  <page>");
        hash_shingles(line, shingle_words, places, totals);
    }
}

fn hash_shingles(
    text: &[u8],
    shingle_words: usize,
    places: &mut Vec<(u32, u32)>,
    totals: &mut Totals,
) {
    find_words(text, places);
    totals.words += places.len() as u64;
    for run in places.windows(shingle_words) {
        let shingle = &text[run[0].0 as usize..run[run.len() - 1].1 as usize];
        totals.checksum ^= xxh3_64(shingle);
    }
}

/// Begin and end of each run of ASCII letters and digits.
fn find_words(text: &[u8], places: &mut Vec<(u32, u32)>) {
    places.clear();
    let mut begin = None;
    for (at, byte) in text.iter().enumerate() {
        match (byte.is_ascii_alphanumeric(), begin) {
            (true, None) => begin = Some(at as u32),
            (false, Some(from)) => {
                places.push((from, at as u32));
                begin = None;
            }
            _ => {}
        }
    }
    if let Some(from) = begin {
        places.push((from, text.len() as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_end_at_lines_and_lose_nothing() {
        let bytes = b"one\ntwo two\n\nthree\nfour";
        for pieces in 1..30 {
            let chunks = cut_at_lines(bytes, pieces);
            assert_eq!(chunks.concat(), bytes);
            assert!(
                chunks[..chunks.len() - 1]
                    .iter()
                    .all(|chunk| chunk.ends_with(b"\n"))
            );
        }
    }

    #[test]
    fn thread_count_does_not_change_the_checksum() {
        let corpus: String = (0..500)
            .map(|n| format!("{{\"id\":\"{n}\",\"text\":\"a{n} b c, d{n}. e f\"}}\n"))
            .collect();
        let one = hash_all(corpus.as_bytes(), Format::Lines, 5, 1).unwrap();
        let three = hash_all(corpus.as_bytes(), Format::Lines, 5, 3).unwrap();
        assert_eq!(
            (one.records, one.words, one.checksum),
            (500, 3000, three.checksum)
        );
        assert_ne!(one.checksum, 0);
    }

    #[test]
    fn the_pages_of_a_wiki_are_counted() {
        let page = "  <page>\n    <text>a b c d e ''f''\nby g</text>\n  </page>\n";
        let totals = hash_all(page.repeat(20).as_bytes(), Format::Wiki, 5, 2).unwrap();
        assert_eq!((totals.records, totals.words), (20, 20 * 12));
    }
}
