//! The same bytes whatever the threads, the memory, the files and their compression.

use std::collections::BTreeMap;
use std::io::Write;

use crate::support::corpus::{Language, corpus, jsonl, short_texts};
use crate::support::{Place, bytes};

/// The least memory that so many records are allowed with two threads, and little more.
const SMALL: &str = "--threads 2 --memory 80MB";

fn outcome(place: &Place, arguments: &str) -> BTreeMap<&'static str, String> {
    place.documents(arguments).exits(0);
    bytes(&place.path("out"))
}

#[test]
fn threads_and_memory_cannot_be_seen_in_the_result() {
    let place = Place::new();
    place.write("pages.jsonl", short_texts(30_000, 1));
    for options in [
        "",
        "--keep last --pairs all",
        "--bucket-limit 8 --features shingles:words:2 --threshold 0.6",
    ] {
        let expected = outcome(&place, &format!("pages.jsonl {options} --threads 1"));
        assert!(expected["removed.jsonl"].lines().count() > 3000);
        for resources in [
            "--threads 2",
            "--threads 5",
            SMALL,
            "--threads 1 --memory 70MB",
            "--threads 5 --memory 130MB --checkpoint-every 0",
        ] {
            assert!(
                outcome(&place, &format!("pages.jsonl {options} {resources}")) == expected,
                "{options} {resources}"
            );
        }
    }
}

#[test]
fn another_seed_or_order_of_files_does_not_change_which_pairs_are_proved() {
    let place = Place::new();
    place.write("pages.jsonl", short_texts(3000, 2));
    let sorted = |arguments: &str| {
        let mut lines: Vec<String> = outcome(&place, arguments)["pairs.jsonl"]
            .lines()
            .map(str::to_string)
            .collect();
        lines.sort();
        lines
    };
    let everything = "pages.jsonl --pairs all --bands 100 --rows 1";
    assert_eq!(
        sorted(everything),
        sorted(&format!("{everything} --seed 77"))
    );
}

#[test]
fn cutting_the_input_into_other_files_changes_nothing_for_records_with_ids() {
    let docs = corpus(Language::Chinese, 600, 3);
    let place = Place::new();
    place.write("all.jsonl", jsonl(&docs));
    place.write("two/a.jsonl", jsonl(&docs[..123]));
    place.write("two/b.jsonl", jsonl(&docs[123..]));
    for (number, docs) in docs.chunks(50).enumerate() {
        place.write(&format!("many/{number:02}.jsonl"), jsonl(docs));
    }
    for options in [
        "--threshold 0.5",
        "--threshold 0.5 --keep longest --pairs links",
        "--threshold 0.5 --limit 333",
    ] {
        let expected = outcome(&place, &format!("all.jsonl {options}"));
        assert!(expected["removed.jsonl"].lines().count() > 50);
        for input in ["two/a.jsonl two/b.jsonl", "many", "many/*.jsonl"] {
            assert_eq!(
                outcome(&place, &format!("{input} {options}")),
                expected,
                "{input} {options}"
            );
        }
    }
}

#[test]
fn compression_and_standard_input_change_nothing() {
    let content = short_texts(5000, 4);
    let place = Place::new();
    place.write("plain.jsonl", &content);
    // Two members each, cut in the middle of a line.
    let (first, second) = content.as_bytes().split_at(content.len() / 2 + 7);
    let gzip = |part: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    };
    let bzip2 = |part: &[u8]| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    };
    let lz4 = |part: &[u8]| {
        let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = |part: &[u8]| zstd::encode_all(part, 1).unwrap();
    place.write("p.jsonl.gz", [gzip(first), gzip(second)].concat());
    place.write("p.jsonl.bz2", [bzip2(first), bzip2(second)].concat());
    place.write("p.jsonl.zst", [zstd(first), zstd(second)].concat());
    place.write("p.jsonl.lz4", [lz4(first), lz4(second)].concat());
    let expected = outcome(&place, "plain.jsonl");
    for name in ["p.jsonl.gz", "p.jsonl.bz2", "p.jsonl.zst", "p.jsonl.lz4"] {
        assert!(outcome(&place, name) == expected, "{name}");
    }
    for (name, arguments) in [
        ("plain.jsonl", "-"),
        ("p.jsonl.zst", "-"),
        ("plain.jsonl", "- --work-dir work"),
    ] {
        let input = std::fs::read(place.path(name)).unwrap();
        place.documents_from(&input, arguments).exits(0);
        assert!(
            bytes(&place.path("out")) == expected,
            "{name} on standard input"
        );
        assert!(!place.path("out/.lookalike").exists());
    }
    assert!(place.names("work").is_empty());
}

#[test]
fn a_cleaned_corpus_has_no_duplicates_left() {
    let place = Place::new();
    place.write("pages.jsonl", short_texts(4000, 5));
    place
        .documents("pages.jsonl --deduplicated clean.jsonl.zst")
        .exits(0);
    let again = place.clean_results("clean.jsonl.zst --audit 300");
    assert!(again.removed.is_empty(), "{} left", again.removed.len());
}
