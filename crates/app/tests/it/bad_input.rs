//! Bad input loses one record; what makes the run impossible is an error that says what to do, and leaves nothing.

use std::io::Write;
use std::process::Command;

use crate::support::corpus::{Language, corpus, jsonl, short_texts};
use crate::support::disk::SmallDisk;
use crate::support::{Place, ran, tree};
use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};
use serde_json::json;

const GOOD: &str = "{\"id\": 1, \"text\": \"这是一条好的记录 a good record\"}\n";
const COPY: &str = "{\"id\": 2, \"text\": \"这是一条好的记录 a good record\"}\n";

/// Runs over `content` between two good records that are alike, and returns the reason for the one rejection.
fn rejection(name: &str, content: &[u8], options: &str) -> (Option<u64>, String) {
    let place = Place::new();
    place.write(name, [GOOD.as_bytes(), content, COPY.as_bytes()].concat());
    let ran = place.documents(&format!("{name} {options}")).exits(3);
    assert!(
        ran.out
            .contains("rejected          1, listed in out/rejected.jsonl"),
        "{}",
        ran.out
    );
    let results = place.results();
    assert_eq!(results.removed, [(json!(2), json!(1), 1.0)]);
    assert_eq!(results.rejected.len(), 1);
    assert_eq!(results.rejected[0].0, name);
    (results.rejected[0].1, results.rejected[0].2.clone())
}

#[test]
fn a_bad_record_is_rejected_with_its_line_and_the_rest_is_unharmed() {
    let cases: [(&[u8], &str); 12] = [
        (b"{\"id\": 3, \"text\": \"half\n", "invalid JSON"),
        (b"\x00\x01\x02\n", "invalid JSON"),
        (b"[1, 2]\n", "invalid JSON"),
        (b"{\"id\": 3, \"text\": \"\xff\xfe\"}\n", "invalid UTF-8"),
        (b"{\"id\": 3, \"text\": \"\xe4\xb8\"}\n", "invalid UTF-8"),
        (
            b"{\"id\": 3, \"body\": \"x\"}\n",
            "\"text\" is missing; the record has: id, body",
        ),
        (b"{\"id\": 3, \"text\": 5}\n", "is a number, not a string"),
        (b"{\"id\": 3, \"text\": null}\n", "is null, not a string"),
        (
            b"{\"id\": 3, \"text\": [\"x\"]}\n",
            "is an array, not a string",
        ),
        (
            b"{\"id\": {\"a\": 1}, \"text\": \"x\"}\n",
            "the id is an object",
        ),
        (b"{\"id\": true, \"text\": \"x\"}\n", "the id is a boolean"),
        (b"{\"id\": 3, \"text\": \"\\ud800\"}\n", "surrogate"),
    ];
    for (line, reason) in cases {
        let (at, found) = rejection("pages.jsonl", line, "");
        assert!(found.contains(reason), "{found}");
        assert_eq!(at, Some(2));
    }
}

#[test]
fn a_record_over_the_limit_is_rejected() {
    let long = format!("{}\n", json!({"id": 3, "text": "长".repeat(500_000)}));
    let (line, reason) = rejection("pages.jsonl", long.as_bytes(), "--max-record 1MB");
    assert_eq!(line, Some(2));
    assert!(
        reason.contains("larger than 1000000 bytes") && reason.contains("--max-record"),
        "{reason}"
    );
}

#[test]
fn blank_lines_and_empty_texts_are_not_rejections() {
    let place = Place::new();
    place.write(
        "pages.jsonl",
        format!("\n  \n{GOOD}\r\n\t\n{COPY}{{\"id\": 3, \"text\": \"\"}}\n\n"),
    );
    let results = place.clean_results("pages.jsonl");
    assert_eq!(
        (
            results.count("records"),
            results.count("empty"),
            results.rejected.len()
        ),
        (3, 1, 0)
    );
}

#[test]
fn a_row_with_another_number_of_cells_is_rejected() {
    let place = Place::new();
    place.write("pages.csv", "id,text,note\n1,good,x\n2,short\n3,good,y\n");
    place.documents("pages.csv").exits(3);
    let results = place.results();
    assert_eq!(results.removed_ids(), ["3"]);
    assert_eq!(
        (results.rejected[0].0.as_str(), results.rejected[0].1),
        ("pages.csv", Some(3))
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    // A block that is cut gives nothing.
    let info = FrameInfo::new().block_size(BlockSize::Max64KB);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

#[test]
fn the_tail_of_a_cut_archive_is_one_rejection_and_what_was_before_it_is_read() {
    let content = short_texts(8000, 3);
    for (name, packed) in [
        ("pages.jsonl.gz", gzip(content.as_bytes())),
        ("pages.jsonl.zst", zstd(content.as_bytes())),
        ("pages.jsonl.bz2", bzip2(content.as_bytes())),
        ("pages.jsonl.lz4", lz4(content.as_bytes())),
    ] {
        let place = Place::new();
        place.write(name, &packed[..packed.len() * 7 / 10]);
        place
            .documents(&format!("{name} --deduplicated clean.jsonl"))
            .exits(3);
        let results = place.results();
        assert_eq!(results.rejected.len(), 1, "{name}: {:?}", results.rejected);
        assert_eq!(results.rejected[0].0, name);
        let read = results.count("records") as usize;
        assert!((1000..8000).contains(&read), "{name}: {read} records");
        // What was read is whole.
        let clean = place.read("clean.jsonl");
        assert_eq!(clean.lines().count() as u64, results.count("kept"));
        assert!(clean.lines().all(|line| content.contains(line)));
        assert_eq!(clean.lines().next(), content.lines().next());
    }
}

#[test]
fn an_archive_that_expands_without_end_is_an_error_that_names_the_limit() {
    let place = Place::new();
    // A frame of zeros is small, and many frames are one file.
    let frame = zstd(&vec![b'0'; 32 << 20]);
    place.write("bomb.jsonl.zst", frame.repeat(40));
    place.documents("bomb.jsonl.zst").fails_with(&[
        "bomb.jsonl.zst",
        "1000 times its size",
        "--max-expansion",
    ]);
    assert!(!place.path("out").exists());
}

#[test]
fn strict_ends_at_the_first_rejection_and_writes_nothing() {
    let place = Place::new();
    place.write("pages.jsonl", format!("{GOOD}{{\"id\": 5}}\n{COPY}oops\n"));
    for threads in [1, 4] {
        place
            .documents(&format!(
                "pages.jsonl --strict --threads {threads} --deduplicated clean.jsonl"
            ))
            .fails_with(&["pages.jsonl:2", "\"text\" is missing", "--strict"]);
    }
    assert_eq!(place.names("."), ["pages.jsonl"]);
}

#[test]
fn what_is_not_there_is_named() {
    let place = Place::new();
    place.write("pages.jsonl", GOOD);
    std::fs::create_dir(place.path("empty")).unwrap();
    let cases = [
        ("missing.jsonl", vec!["missing.jsonl does not exist"]),
        (
            "pages.jsonl missing.jsonl",
            vec!["missing.jsonl does not exist"],
        ),
        (
            "pages.jsonl --against missing.jsonl",
            vec!["missing.jsonl does not exist"],
        ),
        ("empty", vec!["the folder empty has no files in it"]),
        ("*.parquet", vec!["*.parquet", "no files found"]),
        (
            "pages.jsonl --config missing.toml",
            vec!["missing.toml", "No such file"],
        ),
    ];
    for (arguments, parts) in cases {
        place.documents(arguments).fails_with(&parts);
        assert!(!place.path("out").exists(), "{arguments}");
    }
}

#[test]
fn an_empty_corpus_and_one_record_are_fine() {
    let place = Place::new();
    place.write("empty.jsonl", "");
    place.write("blank.jsonl", "\n\n");
    place.write("one.jsonl", GOOD);
    place.write("header.csv", "id,text\n");
    for (name, records) in [
        ("empty.jsonl", 0),
        ("blank.jsonl", 0),
        ("one.jsonl", 1),
        ("header.csv", 0),
    ] {
        let clean = if name.ends_with("csv") {
            "clean.csv"
        } else {
            "clean.jsonl"
        };
        let results = place.clean_results(&format!("{name} --audit 10 --deduplicated {clean}"));
        assert_eq!(results.count("records"), records);
        assert!(results.pairs.is_empty() && results.clusters.is_empty());
    }
    place.documents_from(b"", "-").exits(0);
}

#[test]
fn an_unknown_format_is_an_error_that_lists_the_formats() {
    let place = Place::new();
    place.write("pages.xyz", GOOD);
    place.documents("pages.xyz").fails_with(&[
        "pages.xyz",
        "--format",
        "jsonl, text, csv, tsv, parquet",
    ]);
    place
        .documents("pages.xyz --format xml")
        .refused_with(&["\"xml\"", "jsonl, text, csv, tsv, parquet"]);
    place.documents("pages.xyz --format jsonl").exits(0);
}

#[test]
fn a_named_file_that_is_no_text_is_called_what_it_is() {
    let place = Place::new();
    place.write("thesis.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n");
    place.write("essay.docx", b"PK\x03\x04\x14\x00");
    place
        .run("passages thesis.pdf")
        .fails_with(&["thesis.pdf is a PDF file, not text", "plain text or HTML"]);
    place
        .run("documents essay.docx")
        .fails_with(&["essay.docx is a ZIP archive or an office document"]);
}

#[test]
fn a_file_that_is_not_what_its_name_says_is_an_error() {
    let place = Place::new();
    place.write("pages.parquet", GOOD);
    place
        .documents("pages.parquet")
        .fails_with(&["pages.parquet", "cannot be read as parquet"]);
    place.write("pages.csv", "id,body\n1,x\n");
    place
        .documents("pages.csv --text-field content")
        .fails_with(&["pages.csv", "\"content\"", "id, body"]);
}

#[test]
fn wrong_usage_exits_with_two() {
    let place = Place::new();
    place.write("pages.jsonl", GOOD);
    for arguments in [
        "",
        "documents",
        "documents pages.jsonl --treshold 0.8",
        "documents pages.jsonl --threads 0",
        "documents pages.jsonl --threads many",
        "documents pages.jsonl --memory lots",
        "documents pages.jsonl --pairs some",
        "documents pages.jsonl --ids letters",
        "documents pages.jsonl --threshold high",
        "documents pages.jsonl --unicode utf8",
        "nonsense",
        "compare one",
        "completions cmd",
    ] {
        let ran = place.run(arguments).exits(2);
        assert_eq!(ran.out, "", "{arguments}");
        assert!(!ran.errors.is_empty());
    }
    assert!(!place.path("out").exists() && !place.path("lookalike-out").exists());
}

#[test]
fn wrong_choices_are_errors_with_the_remedy() {
    let place = Place::new();
    place.write("pages.jsonl", GOOD);
    place.write("typo.toml", "treshold = 0.9\n");
    let cases = [
        ("--threshold 1.2", vec!["1.2", "at most 1"]),
        ("--threshold 0", vec!["above 0"]),
        ("--bands 5", vec!["bands and rows go together"]),
        ("--features shingles:5", vec!["words, chars or letters"]),
        ("--features shingles:words:0", vec!["from 1 to 64"]),
        ("--features trigrams", vec!["trigrams", "shingles:words:N"]),
        ("--keys simhsh", vec!["simhsh", "minhash"]),
        ("--keys simhash", vec!["simhash:64:3"]),
        (
            "--measure edit",
            vec!["edit", "--keys every", "--measure jaccard"],
        ),
        ("--measure edit --keys minhash", vec!["--bands and --rows"]),
        (
            "--keys imatch --features shingles:words:3",
            vec!["use --features terms"],
        ),
        ("--keys imatch:10:2", vec!["share between 0 and 1"]),
        ("--features spotsigs:5000:1:2", vec!["corpus"]),
        ("--stemming zh", vec!["Chinese has no stems"]),
        ("--lexicon missing.txt --keys imatch", vec!["missing.txt"]),
        ("--text-field ,", vec!["text-field is empty"]),
        (
            "--config typo.toml",
            vec!["typo.toml", "is not valid", "treshold"],
        ),
    ];
    for (options, parts) in cases {
        // A broken or missing file is broken input; a wrong option is wrong usage.
        let code = if options.starts_with("--config") || options.starts_with("--lexicon") {
            1
        } else {
            2
        };
        let ran = place
            .documents(&format!("pages.jsonl {options}"))
            .exits(code);
        for part in parts {
            assert!(
                ran.errors.contains(part),
                "{options}: no {part:?} in {}",
                ran.errors
            );
        }
        assert!(!place.path("out").exists(), "{options}");
    }
}

#[test]
fn a_budget_too_small_is_refused_before_the_run_with_what_would_do() {
    let place = Place::new();
    place.write("pages.jsonl", GOOD);
    place
        .documents("pages.jsonl --memory 1MB")
        .fails_with(&["--memory 1.0 MB is too small", "need at least"]);
    place
        .documents_from(GOOD.as_bytes(), "- --memory 1MB")
        .fails_with(&["too small"]);
    assert_eq!(place.names("."), ["pages.jsonl"]);
}

#[test]
fn a_place_that_cannot_be_written_is_named_before_the_work() {
    let place = Place::new();
    place.write("pages.jsonl", GOOD);
    place.write("file", "in the way");
    place
        .run("documents pages.jsonl --out file")
        .fails_with(&["file", "--out"]);
    place
        .run("documents pages.jsonl --out file/below")
        .fails_with(&["file/below", "--out"]);
    place
        .documents("pages.jsonl --deduplicated file/clean.jsonl")
        .fails_with(&["file"]);
    place
        .documents("pages.jsonl --deduplicated pages.jsonl")
        .fails_with(&["pages.jsonl", "it is also an input"]);
    place
        .documents("pages.jsonl --deduplicated clean.csv")
        .fails_with(&["clean.csv", "says csv"]);
    assert_eq!(place.read("file"), "in the way");
    assert_eq!(place.names("."), ["file", "pages.jsonl"]);
    assert_eq!(place.read("pages.jsonl"), GOOD);
}

#[test]
fn a_pipe_by_name_refused_with_the_remedy() {
    let place = Place::new();
    place
        .documents("/dev/null")
        .fails_with(&["/dev/null", "not a regular file", "-"]);
    place
        .documents("- -")
        .fails_with(&["standard input", "once"]);
    place.write("pages.jsonl", GOOD);
    place
        .documents("- --against -")
        .refused_with(&["standard input", "once"]);
    assert!(!place.path("out").exists());
}

#[test]
fn a_full_disk_is_an_error_and_leaves_no_half_written_file() {
    let Some(disk) = SmallDisk::mount(200_000) else {
        return; // Only root may mount.
    };
    let place = &disk.place;
    place.write("pages.jsonl", short_texts(20_000, 4));
    // Temporary files do not fit.
    let ran = place.documents("pages.jsonl --work-dir disk --checkpoint-every 0");
    ran.fails_with(&["cannot write", "disk/", "No space left", "--work-dir"]);
    assert!(!place.path("out/summary.json").exists() && !place.path("out/pairs.jsonl").exists());
    assert!(!place.path("out").exists(), "not even an empty folder");
    // The cleaned corpus does not fit.
    place
        .documents("pages.jsonl --restart --deduplicated disk/clean.jsonl")
        .fails_with(&["cannot write", "clean.jsonl", "No space left"]);
    assert!(!place.path("disk/clean.jsonl").exists() && !place.path("out/summary.json").exists());
    assert!(
        tree(&place.path("disk")).is_empty(),
        "{:?}",
        tree(&place.path("disk")).keys()
    );
    // The results do not fit.
    place
        .run("documents pages.jsonl --out disk/out")
        .fails_with(&["cannot write", "No space left", "--out"]);
    assert!(
        !place.path("disk/out/summary.json").exists()
            && !place.path("disk/out/pairs.jsonl").exists()
    );
    // With room, all is well.
    place
        .documents("pages.jsonl --restart --deduplicated clean.jsonl")
        .exits(0);
}

#[test]
fn a_reader_that_closes_the_pipe_early_is_no_error() {
    let place = Place::new();
    place.write("pages.jsonl", jsonl(&corpus(Language::English, 20, 2)));
    let program = env!("CARGO_BIN_EXE_lookalike");
    let pipe = format!("{program} completions bash | head -n 1; exit ${{PIPESTATUS[0]}}");
    let ended = ran(Command::new("bash")
        .arg("-c")
        .arg(pipe)
        .current_dir(place.root()))
    .exits(0);
    assert_eq!(ended.errors, "");
}
