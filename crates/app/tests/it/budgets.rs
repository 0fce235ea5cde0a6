//! A run stays within `--memory`, or says that it needs more: at most a fifth above it, as the system counts.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use crate::support::Place;
use crate::support::corpus::Random;

/// Runs a command within so many megabytes, and returns what it says.
#[track_caller]
fn stays_within(megabytes: u64, place: &Place, arguments: &str) -> String {
    let arguments = format!("{arguments} --memory {megabytes}MB --threads 2 --out out --quiet");
    let mut command = place.command(&arguments);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let told = fs::read_to_string(&status).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        peak = peak.max(kilobytes.map_or(0, |number| number.parse().unwrap()));
        sleep(Duration::from_millis(2));
    }
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    let code = ended.status.code();
    assert!(
        code == Some(0) || (code == Some(1) && said.contains(" at least ")),
        "{code:?}: {said}"
    );
    let most = megabytes * 1_200_000 / 1024;
    assert!(peak <= most, "{peak} kB of {megabytes} MB: {said}");
    said
}

fn words(random: &mut Random, count: usize) -> String {
    let word = |_| format!("w{}", random.below(20_000));
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// Lines of JSON with these texts.
fn lines(texts: impl Iterator<Item = String>) -> String {
    texts
        .map(|text| format!("{{\"text\":\"{text}\"}}\n"))
        .collect()
}

#[test]
fn many_short_lines_after_a_long_one_are_counted_as_they_are_read() {
    let place = Place::new();
    // More than a block, by which the number of records is estimated; describing it takes many times its size.
    let long = words(&mut Random(1), 600_000);
    let short = (0..1_000_000).map(|number| number.to_string());
    place.write("pages.jsonl", lines([long].into_iter().chain(short)));
    stays_within(80, &place, "documents pages.jsonl");
}

#[test]
fn a_text_that_takes_too_much_to_describe_ends_the_run_before_it_does() {
    let place = Place::new();
    let mut random = Random(6);
    let texts = (0..1_000).map(|number| match number % 200 {
        0 => words(&mut random, 600_000),
        _ => words(&mut random, 8),
    });
    place.write("pages.jsonl", lines(texts));
    let said = stays_within(80, &place, "documents pages.jsonl");
    assert!(
        said.contains("for a text of 3.9 MB, which needs at least"),
        "{said}"
    );
    assert!(said.contains("--max-record"), "{said}");
    // It says what will do, and the same command goes on with it.
    let needed = said.split("needs at least ").nth(1).unwrap();
    let digits: String = needed.chars().take_while(char::is_ascii_digit).collect();
    let said = stays_within(digits.parse().unwrap(), &place, "documents pages.jsonl");
    assert_eq!(said, "");
}

#[test]
fn millions_of_lines_in_a_small_archive_are_counted_as_they_are_read() {
    let place = Place::new();
    let mut archive = GzEncoder::new(Vec::new(), Compression::best());
    let thousand = "{\"text\":\"a\"}\n".repeat(1000);
    for _ in 0..2500 {
        archive.write_all(thousand.as_bytes()).unwrap();
    }
    place.write("pages.jsonl.gz", archive.finish().unwrap());
    let said = stays_within(80, &place, "documents pages.jsonl.gz");
    assert!(said.contains("need at least"), "{said}");
}

#[test]
fn threads_of_short_texts_stay_within_the_memory() {
    let place = Place::new();
    let mut random = Random(2);
    let texts = (0..150_000).map(|_| words(&mut random, 5));
    place.write("short.jsonl", lines(texts));
    stays_within(120, &place, "threads short.jsonl --fields text");
}

#[test]
fn messages_as_long_as_documents_stay_within_the_memory() {
    let place = Place::new();
    let mut random = Random(3);
    let texts = (0..2_500).map(|_| words(&mut random, 2_000));
    place.write("long.jsonl", lines(texts));
    stays_within(120, &place, "messages long.jsonl");
}

fn write_table(place: &Place, texts: Vec<String>, properties: WriterProperties) {
    let column: ArrayRef = Arc::new(StringArray::from(texts));
    let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
    let file = File::create(place.path("pages.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn a_few_huge_values_of_a_table_are_read_one_by_one() {
    let place = Place::new();
    let mut random = Random(4);
    let texts = (0..20_000).map(|number| match number % 4_000 {
        0 => words(&mut random, 500_000),
        _ => words(&mut random, 8),
    });
    write_table(&place, texts.collect(), WriterProperties::new());
    stays_within(160, &place, "documents pages.parquet");
}

#[test]
fn a_dictionary_of_huge_values_is_not_repeated_row_by_row() {
    let place = Place::new();
    let mut random = Random(5);
    let values: Vec<String> = (0..3).map(|_| words(&mut random, 300_000)).collect();
    let texts = (0..150).map(|number| values[number % 3].clone());
    let dictionary = WriterProperties::builder()
        .set_dictionary_page_size_limit(64 << 20)
        .build();
    write_table(&place, texts.collect(), dictionary);
    stays_within(200, &place, "documents pages.parquet --max-expansion 10000");
}
