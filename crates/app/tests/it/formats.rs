//! What the files look like: ids, order, and the cleaned corpus in every format.

use std::fs::File;
use std::sync::Arc;

use crate::support::corpus::{Language, corpus, jsonl};
use crate::support::{self, Place, tree};
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, ListArray, RecordBatch, StringArray, types::Int32Type,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};

const HELLO: &str = "大家好 hello everyone and welcome to this page";
const BYE: &str = "再见 good bye to all who came and see you soon";

#[test]
fn ids_keep_their_json_type_and_form() {
    let place = Place::new();
    let lines = [
        r#"{"id": "seven", "text": "x y"}"#,
        r#"{"id": 7, "text": "x y"}"#,
        r#"{"id": "7", "text": "x y"}"#,
        r#"{"id": 12345678901234567890123, "text": "x y"}"#,
        r#"{"id": -1.50e3, "text": "x y"}"#,
        r#"{"id": "\u6587\"\\\n", "text": "x y"}"#,
        r#"{"text": "x y"}"#,
        r#"{"id": null, "text": "x y"}"#,
    ];
    place.write("pages.jsonl", lines.join("\n"));
    place.documents("pages.jsonl").exits(0);
    let removed = place.read("out/removed.jsonl");
    let ids: Vec<&str> = removed
        .lines()
        .map(|line| {
            line.strip_prefix("{\"id\":")
                .unwrap()
                .split(",\"kept\":")
                .next()
                .unwrap()
        })
        .collect();
    let expected = [
        "7",
        "\"7\"",
        "12345678901234567890123",
        "-1.50e3",
        "\"文\\\"\\\\\\n\"",
        "\"pages.jsonl:7\"",
        "\"pages.jsonl:8\"",
    ];
    assert_eq!(ids, expected);
    assert!(
        removed
            .lines()
            .all(|line| line.ends_with(",\"kept\":\"seven\",\"similarity\":1.0}")),
        "{removed}"
    );
}

#[test]
fn records_without_an_id_are_named_by_file_and_line() {
    let place = Place::new();
    place.write("a/one.jsonl", "{\"text\": \"x\"}\n\n\n{\"text\": \"y\"}\n");
    place.write("b.csv", "text,other\n\"x\n\",1\ny,2\n");
    let results = place.clean_results("a/one.jsonl b.csv");
    assert_eq!(
        results.removed,
        [
            (json!("b.csv:2"), json!("a/one.jsonl:1"), 1.0),
            (json!("b.csv:4"), json!("a/one.jsonl:4"), 1.0)
        ]
    );
}

#[test]
fn records_are_numbered_through_all_files_on_request() {
    let place = Place::new();
    let line = "{\"id\": \"same\", \"text\": \"x\"}\n";
    place.write("one.jsonl", line.repeat(3));
    place.write("two.jsonl", line.repeat(2));
    let results = place.clean_results("one.jsonl two.jsonl --ids number");
    assert_eq!(
        results.clusters,
        [(
            json!(1),
            vec![json!(1), json!(2), json!(3), json!(4), json!(5)]
        )]
    );
}

#[test]
fn another_field_can_be_the_id() {
    let place = Place::new();
    place.write("pages.jsonl", "{\"url\": \"a\", \"id\": 1, \"text\": \"x\"}\n{\"url\": \"b\", \"id\": 1, \"text\": \"x\"}\n{\"id\": 1, \"text\": \"x\"}\n");
    place.documents("pages.jsonl --id-field url").exits(3);
    let results = place.results();
    assert_eq!(results.removed, [(json!("b"), json!("a"), 1.0)]);
    assert_eq!(results.rejected[0].1, Some(3));
    assert!(
        results.rejected[0].2.contains("\"url\" is missing"),
        "{:?}",
        results.rejected
    );
}

#[test]
fn pairs_are_sorted_by_input_order_with_the_earlier_record_first() {
    let place = Place::new();
    // Ids in an order of their own.
    let docs = corpus(Language::Chinese, 300, 5);
    let mut renamed = docs.clone();
    renamed
        .iter_mut()
        .zip((0..300).rev())
        .for_each(|(doc, number)| doc.id = format!("{number:03}"));
    place.write("pages.jsonl", jsonl(&renamed));
    let results = place.clean_results("pages.jsonl --threshold 0.4 --pairs all --keep last");
    let places: Vec<(u32, u32)> = results
        .pairs
        .iter()
        .map(|(a, b, _)| {
            (
                299 - a.as_str().unwrap().parse::<u32>().unwrap(),
                299 - b.as_str().unwrap().parse::<u32>().unwrap(),
            )
        })
        .collect();
    assert!(places.len() > 50);
    assert!(places.iter().all(|(a, b)| a < b));
    assert!(places.windows(2).all(|two| two[0] < two[1]));
    let removed: Vec<Value> = results.removed_ids();
    assert!(
        removed
            .windows(2)
            .all(|two| two[0].as_str() > two[1].as_str()),
        "removed records in input order"
    );
}

#[test]
fn cleaned_json_lines_are_the_kept_lines_byte_for_byte() {
    let place = Place::new();
    let kept = [
        format!(
            "{{ \"text\" :\"{HELLO}\" , \"id\":1,\t\"n\": 1.50, \"deep\": {{\"k\": [null, 1e5]}} }}"
        ),
        "{\"id\": 3, \"text\": \"\", \"u\": \"\\u00e9é\"}".to_string(),
        format!("{{\"id\":4,\"text\":\"{BYE}\",\"id2\":9007199254740993}}"),
    ];
    let copy = format!("{{\"id\": 2, \"text\": \"{HELLO}!\"}}");
    place.write(
        "pages.jsonl",
        format!(
            "{}\n{copy}\n\n{}\r\nnot json\n{}",
            kept[0], kept[1], kept[2]
        ),
    );
    place
        .documents("pages.jsonl --deduplicated clean.jsonl")
        .exits(3);
    assert_eq!(place.results().removed_ids(), [2]);
    let clean = place.read("clean.jsonl");
    let [first, second, third] = kept;
    assert_eq!(clean, format!("{first}\n\n{second}\r\n{third}"));
    assert_eq!(place.results().count("kept"), 3);
}

#[test]
fn the_cleaned_corpus_has_what_could_be_read_but_not_be_used() {
    let place = Place::new();
    place.write("pages.jsonl", "{\"id\": 1, \"text\": \"eins\"}\n{\"id\": [2], \"text\": \"zwei\"}\n{\"id\": 3, \"text\": \"三\"}\nno JSON\n{\"id\": 4, \"text\": \"四\"}\n");
    place
        .documents("pages.jsonl --deduplicated clean.jsonl")
        .exits(3);
    assert_eq!(
        place.read("clean.jsonl"),
        place.read("pages.jsonl").replace("no JSON\n", "")
    );
    assert_eq!(place.results().count("kept"), 3);
}

#[test]
fn cleaned_tables_keep_their_header_their_quotes_and_their_other_columns() {
    let place = Place::new();
    let csv = format!(
        "\"id\",text,\"note\"\n1,\"{HELLO}\",\"a,\"\"b\"\"\nc\"\n2,{HELLO},x\n3,{BYE},  y \n"
    );
    place.write("pages.csv", &csv);
    let results = place.clean_results("pages.csv --deduplicated clean.csv");
    assert_eq!(results.removed_ids(), ["2"]);
    assert_eq!(
        place.read("clean.csv"),
        csv.replace(&format!("2,{HELLO},x\n"), "")
    );

    let tsv = format!("text\tid\n{HELLO}\t1\n{BYE}\t2\n{BYE}.\t3\n");
    place.write("pages.tsv", &tsv);
    let results = place.clean_results("pages.tsv --deduplicated clean.tsv");
    assert_eq!(results.removed_ids(), ["3"]);
    assert_eq!(
        place.read("clean.tsv"),
        tsv.replace(&format!("{BYE}.\t3\n"), "")
    );
}

#[test]
fn lines_are_records_named_by_file_and_line() {
    let place = Place::new();
    let content = format!("\u{feff}{HELLO}\r\n\n{BYE}\n \t\n{HELLO}!\n  {BYE}");
    for name in ["chat.lines", "chat.txt --format lines"] {
        let file = name.split(' ').next().unwrap();
        place.write(file, &content);
        let results = place.clean_results(&format!("{name} --deduplicated clean.txt"));
        let id = |line: u32| json!(format!("{file}:{line}"));
        assert_eq!(results.removed, [(id(5), id(1), 1.0), (id(6), id(3), 1.0)]);
        assert_eq!(results.count("records"), 6);
        assert_eq!(results.count("kept"), 4);
        assert_eq!(
            place.read("clean.txt"),
            format!("\u{feff}{HELLO}\r\n\n{BYE}\n \t\n")
        );
        // What was kept has nothing more to remove.
        let again = place.clean_results("clean.txt --format lines --deduplicated again.txt");
        assert!(again.removed.is_empty());
        assert_eq!(place.read("again.txt"), place.read("clean.txt"));
    }
}

#[test]
fn bad_lines_are_rejected_and_the_others_are_read_also_from_standard_input() {
    let place = Place::new();
    let content = [
        HELLO.as_bytes(),
        b"\ngr\xfc\xdfe\n\n",
        HELLO.as_bytes(),
        b"\na\0b\n",
        BYE.as_bytes(),
    ]
    .concat();
    place
        .documents_from(&content, "- --format lines --deduplicated clean.lines.gz")
        .exits(3);
    let results = place.results();
    assert_eq!(results.removed_ids(), ["stdin:4"]);
    let lines: Vec<Option<u64>> = results.rejected.iter().map(|rejected| rejected.1).collect();
    assert_eq!(lines, [Some(2)]);
    assert!(results.rejected[0].2.contains("convert the file to UTF-8"));
    let results = place.clean_results("clean.lines.gz --deduplicated clean.lines");
    assert!(results.removed.is_empty());
    assert_eq!(place.read("clean.lines"), format!("{HELLO}\n\na\0b\n{BYE}"));
}

fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

fn pages() -> RecordBatch {
    let lists = [vec![1, 2], vec![], vec![3], vec![4]].map(|list| Some(list.into_iter().map(Some)));
    table(vec![
        (
            "score",
            Arc::new(Float64Array::from(vec![
                Some(0.5),
                None,
                Some(0.25),
                Some(1.0),
            ])) as ArrayRef,
        ),
        (
            "text",
            Arc::new(StringArray::from(vec![
                Some(HELLO),
                Some(BYE),
                None,
                Some(HELLO),
            ])),
        ),
        ("id", Arc::new(Int64Array::from(vec![10, 20, 30, 40]))),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)),
        ),
    ])
}

fn write_parquet(place: &Place, name: &str, batch: &RecordBatch) {
    let mut writer = ArrowWriter::try_new(
        File::create(place.path(name)).unwrap(),
        batch.schema(),
        None,
    )
    .unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn read_parquet(place: &Place, name: &str) -> Vec<RecordBatch> {
    let file = File::open(place.path(name)).unwrap();
    ParquetRecordBatchReaderBuilder::try_new(file)
        .unwrap()
        .build()
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn a_cleaned_parquet_file_has_the_kept_rows_with_all_their_columns() {
    let place = Place::new();
    write_parquet(&place, "pages.parquet", &pages());
    place
        .documents("pages.parquet --deduplicated clean.parquet")
        .exits(3);
    let results = place.results();
    assert_eq!(results.removed, [(json!(40), json!(10), 1.0)]);
    assert_eq!(
        results.rejected.len(),
        1,
        "a null is no text: {:?}",
        results.rejected
    );
    let clean = read_parquet(&place, "clean.parquet");
    assert_eq!(clean.len(), 1);
    // The row without a text is still a row.
    assert_eq!(clean[0], pages().slice(0, 3));
}

#[test]
fn parquet_finds_what_json_lines_find() {
    let docs = corpus(Language::English, 300, 8);
    let place = Place::new();
    let texts: Vec<&str> = docs.iter().map(|doc| doc.text.as_str()).collect();
    let ids: Vec<&str> = docs.iter().map(|doc| doc.id.as_str()).collect();
    write_parquet(
        &place,
        "pages.parquet",
        &table(vec![
            ("text", Arc::new(StringArray::from(texts)) as ArrayRef),
            ("id", Arc::new(StringArray::from(ids))),
        ]),
    );
    place.write("pages.jsonl", jsonl(&docs));
    place.documents("pages.jsonl --threshold 0.5").exits(0);
    let from_lines = support::bytes(&place.path("out"));
    place.documents("pages.parquet --threshold 0.5").exits(0);
    assert_eq!(support::bytes(&place.path("out")), from_lines);
}

#[test]
fn a_parquet_file_without_the_column_is_an_error_that_lists_the_columns() {
    let place = Place::new();
    write_parquet(&place, "pages.parquet", &pages());
    place
        .documents("pages.parquet --text-field body")
        .fails_with(&[
            "pages.parquet",
            "\"body\"",
            "score, text, id, list",
            "--text-field",
        ]);
    assert!(!place.path("out").exists());
}

#[test]
fn files_of_a_folder_are_documents_with_their_path_as_id() {
    let place = Place::new();
    place.write("notes/a.txt", HELLO);
    place.write("notes/deep/b.md", BYE);
    place.write("notes/deep/c", HELLO);
    place.write("notes/deep/文.txt", format!("  {BYE}\n"));
    place.write("notes/.hidden", HELLO);
    let results = place.clean_results("notes --deduplicated clean");
    let id = |name: &str| json!(format!("notes/{name}"));
    assert_eq!(
        results.removed,
        [
            (id("deep/c"), id("a.txt"), 1.0),
            (id("deep/文.txt"), id("deep/b.md"), 1.0)
        ]
    );
    let clean = tree(&place.path("clean"));
    let names: Vec<&str> = clean
        .keys()
        .map(String::as_str)
        .filter(|name| !name.starts_with('.'))
        .collect();
    assert_eq!(names, ["a.txt", "deep/b.md"]);
    assert_eq!(clean["deep/b.md"], BYE.as_bytes());
}

#[test]
fn several_inputs_are_cleaned_into_a_folder_of_the_same_names() {
    let place = Place::new();
    let line = |id: u32, text: &str| format!("{}\n", json!({"id": id, "text": text}));
    place.write("in/a.jsonl", [line(1, HELLO), line(2, BYE)].concat());
    place.write(
        "in/b/a.jsonl",
        [line(3, HELLO), line(4, "第三种 a third text")].concat(),
    );
    place.write("in/c.csv", format!("id,text\n5,{BYE}\n"));
    let results = place.clean_results("in/a.jsonl in/b/a.jsonl in/c.csv --deduplicated clean");
    assert_eq!(results.removed_ids(), [json!(3), json!("5")]);
    assert_eq!(
        place.read("clean/a.jsonl"),
        [line(1, HELLO), line(2, BYE)].concat()
    );
    assert_eq!(
        place.read("clean/b/a.jsonl"),
        line(4, "第三种 a third text")
    );
    assert_eq!(place.read("clean/c.csv"), "id,text\n");
    // Its own folder is replaced, another one is not.
    place.clean_results("in/c.csv in/a.jsonl --deduplicated clean");
    assert!(!place.path("clean/b").exists());
    place.write("mine/thesis.txt", "years of work");
    place
        .documents("in/a.jsonl in/c.csv --deduplicated mine")
        .fails_with(&["mine", "holds thesis.txt"]);
    assert_eq!(place.read("mine/thesis.txt"), "years of work");
}

#[test]
fn the_summary_names_the_other_files_with_their_size() {
    let place = Place::new();
    place.write("pages.jsonl", jsonl(&corpus(Language::English, 50, 3)));
    let results = place.clean_results("pages.jsonl --threshold 0.5");
    for name in support::FILES {
        let file = &results.summary["files"][name];
        assert_eq!(
            file["bytes"],
            json!(place.read(&format!("out/{name}")).len()),
            "{name}"
        );
        assert_eq!(file["xxh3_128"].as_str().map(str::len), Some(32), "{name}");
    }
    assert_eq!(results.summary["parameters"]["threshold"], json!(0.5));
    assert_eq!(
        results.summary["lookalike"],
        json!(env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn quiet_prints_nothing_and_otherwise_only_the_summary_is_printed() {
    let place = Place::new();
    place.write("pages.jsonl", jsonl(&corpus(Language::English, 50, 3)));
    let quiet = place.documents("pages.jsonl --quiet --no-report").exits(0);
    assert_eq!((quiet.out.as_str(), quiet.errors.as_str()), ("", ""));
    let shown = place.documents("pages.jsonl").exits(0);
    assert!(
        shown.out.starts_with("records           50\n"),
        "{}",
        shown.out
    );
    assert_eq!(shown.errors, "");
}
