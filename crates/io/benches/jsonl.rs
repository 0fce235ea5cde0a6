//! How fast the text is found in JSON Lines, against `serde_json` and the bare reading of the file.
//!
//! `cargo bench -p lookalike-io` prints gigabytes a second on one core, the best of ten rounds.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use std::borrow::Cow;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use lookalike_io::{Block, Field, Input, InputOptions, Reader, Wanted};

const RECORDS: usize = 20_000;
const ROUNDS: usize = 10;

#[derive(serde::Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
    id: u64,
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    for (corpus, sentence) in [
        (
            "english",
            "The quick brown fox said \\\"hello\\\" to the lazy dog and then went home again. ",
        ),
        (
            "chinese",
            "敏捷的棕色狐狸对懒狗说了一声你好，然后又回家去了。",
        ),
    ] {
        let content = content(sentence);
        let path = folder.path().join(format!("{corpus}.jsonl"));
        std::fs::write(&path, &content).unwrap();
        let input = Input::resolve(
            &[path.to_string_lossy()],
            &InputOptions::default(),
            folder.path(),
        )
        .unwrap();
        let wanted = Wanted::new([Field::text("text"), Field::optional("id")]);

        report(corpus, "cut only", content.len(), || {
            pass(&input, &wanted, false)
        });
        report(corpus, "cut, decode", content.len(), || {
            pass(&input, &wanted, true)
        });
        report(corpus, "serde_json", content.len(), || {
            content
                .lines()
                .map(|line| {
                    let page: Page<'_> = serde_json::from_str(line).unwrap();
                    black_box(page.id);
                    page.text.len()
                })
                .sum()
        });
    }
}

fn content(sentence: &str) -> String {
    let mut content = String::new();
    for id in 0..RECORDS {
        let text = format!("{}{}\\n", sentence.repeat(12), sentence.repeat(3 + id % 20));
        writeln!(content, "{{\"id\": {id}, \"url\": \"https://example.org/{id}\", \"text\": \"{text}\", \"lang\": \"xx\"}}")
            .unwrap();
    }
    content
}

/// Reads the file once; the number of bytes of text.
fn pass(input: &Input, wanted: &Wanted, decode: bool) -> usize {
    let mut reader = Reader::new(input, wanted);
    let mut block = Block::default();
    let mut bytes = 0;
    while reader.next_block(&mut block).unwrap() {
        block
            .decode(&mut |_| decode, &mut |_, record| {
                bytes += record.unwrap().values[0].text().unwrap().len();
            })
            .unwrap();
    }
    bytes
}

fn report(corpus: &str, what: &str, bytes: usize, run: impl Fn() -> usize) {
    let seconds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    });
    let best = seconds.fold(f64::INFINITY, f64::min);
    println!(
        "{corpus:8} {what:12} {:6.2} GB/s",
        bytes as f64 / best / 1e9
    );
}
