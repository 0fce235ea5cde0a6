//! Damaged and unreadable files cost themselves, not the run.

use std::fs::{self, File};
use std::sync::Arc;

use crate::support::{Place, Ran, tree};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::json;

const GOOD: &str = "{\"id\": 1, \"text\": \"这是一条好的记录 a good record\"}\n";
const COPY: &str = "{\"id\": 2, \"text\": \"这是一条好的记录 a good record\"}\n";

/// Writes a table with these ids and texts.
fn write_table(place: &Place, name: &str, rows: &[(&str, &str)]) {
    let column = |cells: Vec<&str>| -> ArrayRef { Arc::new(StringArray::from(cells)) };
    let batch = RecordBatch::try_from_iter([
        ("id", column(rows.iter().map(|row| row.0).collect())),
        ("text", column(rows.iter().map(|row| row.1).collect())),
    ])
    .unwrap();
    place.write(name, "");
    let file = File::create(place.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// What was rejected: the source and part of the reason.
#[track_caller]
fn assert_rejected(place: &Place, ran: Ran, expected: &[(&str, &str)]) {
    let ran = ran.exits(3);
    assert!(!ran.errors.contains("panicked"), "{}", ran.errors);
    let rejected = place.results().rejected;
    assert_eq!(rejected.len(), expected.len(), "{rejected:?}");
    for ((source, _, reason), (file, part)) in rejected.iter().zip(expected) {
        assert_eq!(source, file);
        assert!(reason.contains(part), "no {part:?} in {reason}");
    }
}

#[test]
fn a_file_of_a_folder_that_cannot_be_read_costs_that_file_only() {
    let place = Place::new();
    place.write("in/a.jsonl", GOOD);
    place.write("in/b.parquet", GOOD);
    write_table(&place, "in/c.parquet", &[("3", "a table"), ("4", "a row")]);
    let whole = fs::read(place.path("in/c.parquet")).unwrap();
    place.write("in/d.parquet", &whole[..whole.len() / 2]);
    place.write("in/e.csv", b"id,te\xffxt\n1,x\n");
    std::os::unix::fs::symlink("nowhere", place.path("in/f.jsonl")).unwrap();
    place.write("in/g.jsonl", COPY);
    fs::create_dir(place.path("in/h.jsonl")).unwrap();
    let expected = [
        ("in/b.parquet", "cannot be read as parquet"),
        ("in/d.parquet", "is the file complete?"),
        ("in/e.csv", "is not UTF-8"),
        ("in/f.jsonl", "No such"),
    ];
    // A pattern finds files, too.
    for (input, name) in [("in", "clean"), ("in/*", "cleaned")] {
        let ran = place.documents(&format!("{input} --deduplicated {name}"));
        assert_rejected(&place, ran, &expected);
        let results = place.results();
        assert_eq!(results.count("records"), 4);
        assert_eq!(results.removed, [(json!(2), json!(1), 1.0)]);
        let mut cleaned: Vec<String> = tree(&place.path(name)).into_keys().collect();
        cleaned.retain(|name| !name.starts_with('.'));
        assert_eq!(cleaned, ["a.jsonl", "c.parquet", "g.jsonl"]);
        assert_eq!(place.read(&format!("{name}/a.jsonl")), GOOD);
    }
    fs::remove_dir_all(place.path("out")).unwrap();
    place.documents("in --strict").fails_with(&[
        "in/b.parquet",
        "cannot be read as parquet",
        "--strict",
    ]);
    // What is named must be there.
    for (name, part) in [
        ("in/b.parquet", "read as parquet"),
        ("in/f.jsonl", "No such"),
    ] {
        let input = format!("in/a.jsonl {name}");
        place.documents(&input).fails_with(&[name, part]);
    }
}

#[test]
fn a_folder_below_that_cannot_be_listed_costs_that_folder_only() {
    let place = Place::new();
    place.write("in/a.jsonl", GOOD);
    place.write("in/z.jsonl", COPY);
    // Too deep for its path to be spelled out, which stops everybody, whoever runs the tests.
    let name = "深".repeat(80);
    let deep = [name.as_str(); 10].join("/");
    let [upper, lower] = ["in", "lower"].map(|folder| place.path(folder).join(&deep));
    fs::create_dir_all(&upper).unwrap();
    fs::create_dir_all(&lower).unwrap();
    fs::rename(place.path("lower"), upper.join("lower")).unwrap();
    let ran = place.documents("in --deduplicated clean").exits(3);
    assert!(!ran.errors.contains("panicked"), "{}", ran.errors);
    let results = place.results();
    assert_eq!(results.removed, [(json!(2), json!(1), 1.0)]);
    let [(source, _, reason)] = results.rejected.as_slice() else {
        panic!("{:?}", results.rejected);
    };
    assert!(source.contains(&name), "{source}");
    assert!(reason.contains("cannot list"), "{reason}");
    assert_eq!(place.read("clean/a.jsonl"), GOOD);
}

#[test]
fn a_table_on_which_the_library_panics_is_rejected_without_a_word_on_the_screen() {
    let place = Place::new();
    place.write("in/a.jsonl", GOOD);
    write_table(&place, "in/b.parquet", &[("3", "a table"), ("4", "a row")]);
    let bytes = fs::read(place.path("in/b.parquet")).unwrap();
    let row = ("in/b.parquet", "its content makes no sense");
    // In the schema, in where a column begins, and in the width of the numbers of a page.
    for (at, byte, expected) in [
        (456, 0x46, &[row][..]),
        (254, 0x7f, &[row, row]),
        (45, 0xff, &[row, row]),
    ] {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        place.write("in/b.parquet", bytes);
        let ran = place.documents("in --lenient");
        assert_rejected(&place, ran, expected);
    }
}

#[test]
fn a_damaged_file_is_all_that_a_folder_has() {
    let place = Place::new();
    place.write("in/a.parquet", GOOD);
    for input in ["in", "in/*.parquet"] {
        let named = ["1 of 1 records were rejected", "in/a.parquet", "--lenient"];
        place.documents(input).fails_with(&named);
        let ran = place.documents(&format!("{input} --deduplicated clean --lenient"));
        assert_rejected(&place, ran, &[("in/a.parquet", "read as parquet")]);
        assert_eq!(place.results().count("records"), 0);
    }
}

#[test]
fn damaged_pages_of_a_table_cost_the_rows_that_cannot_be_read() {
    let place = Place::new();
    place.write("in/a.jsonl", GOOD);
    write_table(&place, "in/b.parquet", &[("3", "a table"), ("4", "a row")]);
    let mut bytes = fs::read(place.path("in/b.parquet")).unwrap();
    bytes[4..60].fill(0xff);
    place.write("in/b.parquet", &bytes);
    place.write("in/c.jsonl", COPY);
    let ran = place.documents("in --deduplicated clean");
    let row = ("in/b.parquet", "cannot be read as parquet");
    assert_rejected(&place, ran, &[row, row]);
    let results = place.results();
    assert_eq!(results.rejected[1].1, Some(2));
    assert_eq!(results.removed, [(json!(2), json!(1), 1.0)]);
    assert_eq!(place.read("clean/a.jsonl"), GOOD);
}
