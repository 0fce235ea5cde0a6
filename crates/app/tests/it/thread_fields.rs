//! `lookalike threads`: which fields are compared, how, and what is wrong with them.

use std::fs::File;
use std::sync::Arc;

use crate::support::threads::{
    ThreadPair, birthdays, ids, kettles, lines, many_threads, thread, thread_pairs, with,
};
use crate::support::{Place, bytes};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

#[test]
fn a_field_may_have_the_digest_of_imatch_as_its_signature() {
    let answer = "Boil water with citric acid in it, wait for an hour, and rinse it twice.";
    let mut records = many_threads(60, 3);
    records.extend([
        thread("x", ["How do I descale a kettle?", "", answer]),
        thread(
            "y",
            ["How can I descale a kettle?", "", &answer.to_uppercase()],
        ),
        thread(
            "z",
            [
                "How can I descale a kettle?",
                "",
                "Boil water with citric acid in it, wait, and rinse it.",
            ],
        ),
    ]);
    let place = with(&records);
    let pairs = place.thread_pairs("threads.jsonl --features answer=imatch:0:1");
    let of_answer = |a: &str, b: &str| {
        let is_pair = |pair: &&ThreadPair| pair.a == a && pair.b == b;
        pairs
            .iter()
            .find(is_pair)
            .and_then(|pair| pair.field("answer"))
    };
    assert_eq!(of_answer("x", "y"), Some(1.0));
    assert_eq!(of_answer("x", "z"), Some(0.0));
    place
        .threads("threads.jsonl --features answer=imatch:0.9:0.1")
        .refused_with(&["imatch:0.9:0.1", "imatch:MIN:MAX"]);
}

#[test]
fn a_single_field_is_a_question_or_running_text_as_its_first_records_tell() {
    let place = with(&birthdays());
    let parameters = |fields: &str| {
        place
            .threads(&format!("threads.jsonl --fields {fields}"))
            .exits(0);
        let parameters = place.summary()["parameters"].clone();
        (
            parameters["threshold"].clone(),
            parameters["model"]["part"][0]["measure"].clone(),
        )
    };
    assert_eq!(parameters("title"), (json!(0.9), json!("cosine")));
    let long = "The ferry leaves the old harbour every morning at nine, except on public holidays. 渡轮每天早上九点开。 ".repeat(3);
    let records = (0..4).map(|id| json!({"id": id, "title": format!("{long} {id}")}));
    place.write("threads.jsonl", lines(&records.collect::<Vec<_>>()));
    assert_eq!(parameters("title"), (json!(0.8), json!("jaccard")));
}

#[test]
fn there_may_be_any_number_of_fields_with_any_names() {
    let record = |id: &str, values: [&str; 5]| {
        let [ask, detail, place, reply, note] = values;
        json!({"id": id, "Frage": ask, "详情": detail, "where": place, "reply": reply, "note to self": note})
    };
    let place = with(&[
        record(
            "1",
            [
                "Where do ferries leave?",
                "去岛上",
                "old harbour",
                "From the pier behind the station",
                "x",
            ],
        ),
        record(
            "2",
            [
                "Where does the ferry leave?",
                "去岛上",
                "old harbour",
                "From the pier behind the station",
                "y",
            ],
        ),
        record(
            "3",
            [
                "Who bakes bread?",
                "早上要吃",
                "old harbour",
                "Nobody does it any more here",
                "z",
            ],
        ),
    ]);
    for (fields, weights) in [
        ("Frage", vec![1.0]),
        ("Frage,reply", vec![0.5, 0.5]),
        ("reply,Frage", vec![0.5, 0.5]),
        ("Frage,详情,reply", vec![0.4, 0.2, 0.4]),
        (
            "Frage,详情,where,note,reply",
            vec![0.4, 0.2 / 3.0, 0.2 / 3.0, 0.2 / 3.0, 0.4],
        ),
    ] {
        // A name with spaces cannot be given on a line of words.
        let mut command =
            place.command("threads threads.jsonl --out out --quiet --threshold 0.45 --fields");
        let fields = fields.replace("note", "note to self");
        assert!(command.arg(&fields).status().unwrap().success());
        let pairs = thread_pairs(&place.path("out"));
        assert_eq!(ids(&pairs), [("1", "2")], "{fields}");
        let names: Vec<&str> = fields.split(',').collect();
        let of_fields = names.iter().map(|name| pairs[0].field(name).unwrap());
        let mean: f64 = of_fields
            .zip(&weights)
            .map(|(similarity, weight)| similarity * weight)
            .sum();
        assert!((mean - pairs[0].similarity).abs() < 1e-9, "{fields}");
        assert_eq!(pairs[0].fields.as_object().unwrap().len(), names.len());
    }
}

#[test]
fn what_is_missing_is_as_what_is_empty_and_counts_as_told() {
    let question = "Why do cats purr at night?";
    let neither = [
        json!({"id": "a", "title": question, "answer": "Because they are content and warm"}),
        json!({"id": "b", "title": question, "body": "", "answer": "好多原因，没有人知道"}),
    ];
    let one = [
        json!({"id": "c", "title": "猫晚上为什么叫？", "body": "每天都叫。", "answer": null}),
        json!({"id": "d", "title": "猫晚上为什么叫？", "body": "每天都叫。", "answer": "因为它饿了"}),
    ];
    let place = with(&[neither, one].concat());
    let similarities = |options: &str| -> Vec<(String, f64)> {
        let all = "threads.jsonl --threshold 0.3 --min-similarity 0";
        let pairs = place.thread_pairs(&format!("{all} {options}"));
        let pair = |pair: &ThreadPair| (pair.a.as_str().unwrap().to_string(), pair.similarity);
        pairs.iter().map(pair).collect()
    };
    let expected = |of: &[(&str, f64)]| -> Vec<(String, f64)> {
        of.iter()
            .map(|&(id, similarity)| (id.to_string(), similarity))
            .collect()
    };
    for (options, wanted) in [
        ("", [("a", 0.5), ("c", 0.6)]),
        ("--empty-in-both different", [("a", 0.4), ("c", 0.6)]),
        ("--empty-in-one left-out", [("a", 0.5), ("c", 1.0)]),
        (
            "--empty-in-both different --empty-in-one left-out",
            [("a", 0.4), ("c", 1.0)],
        ),
    ] {
        let found = similarities(options);
        let wanted = expected(&wanted);
        assert_eq!(found.len(), 2, "{options}: {found:?}");
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!(
                found.0 == wanted.0 && (found.1 - wanted.1).abs() < 1e-12,
                "{options}: {found:?}"
            );
        }
    }
    let pairs = place.thread_pairs("threads.jsonl --min-similarity 0");
    assert_eq!(ids(&pairs), [("a", "b"), ("c", "d")]);
    assert_eq!(
        (pairs[0].field("body"), pairs[1].field("answer")),
        (None, Some(0.0))
    );
    assert_eq!(pairs[1].more, "b");
}

#[test]
fn identical_threads_are_alike_whatever_is_empty() {
    let place = with(&[
        json!({"id": "1", "title": "为什么天是蓝的？"}),
        json!({"id": "2", "title": "为什么天是蓝的？", "body": ""}),
        json!({"id": "3", "answer": "Because."}),
        json!({"id": "4", "answer": "Because."}),
        json!({"id": "5", "title": "", "body": " ", "answer": ""}),
        json!({"id": "6", "title": "", "body": " ", "answer": ""}),
        json!({"id": "7", "title": "Because."}),
    ]);
    for options in [
        "",
        "--empty-in-both different",
        "--keys every",
        "--keys minhash",
    ] {
        let pairs = place.thread_pairs(&format!("threads.jsonl {options}"));
        assert_eq!(ids(&pairs), [("1", "2"), ("3", "4")], "{options}");
        assert!(pairs.iter().all(|pair| pair.similarity == 1.0), "{options}");
    }
    assert_eq!(place.summary()["counts"]["empty"], 2);
}

#[test]
fn tables_and_lines_give_the_same_pairs() {
    let records: Vec<Value> = [birthdays(), kettles()].concat();
    let place = with(&records);
    let text = |record: &Value, name: &str| record[name].as_str().unwrap().to_string();
    let names = ["id", "title", "body", "answer"];
    let quoted = |value: String| format!("\"{}\"", value.replace('"', "\"\""));
    let row = |record: &Value| names.map(|name| quoted(text(record, name))).join(",") + "\n";
    place.write(
        "threads.csv",
        names.join(",") + "\n" + &records.iter().map(row).collect::<String>(),
    );
    let column = |name: &str| -> ArrayRef {
        Arc::new(StringArray::from_iter(
            records.iter().map(|record| Some(text(record, name))),
        ))
    };
    let batch = RecordBatch::try_from_iter(names.map(|name| (name, column(name)))).unwrap();
    let file = File::create(place.path("threads.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    place.threads("threads.jsonl").exits(0);
    let expected = bytes(&place.path("out"));
    assert_eq!(expected["pairs.jsonl"].lines().count(), 4);
    for name in ["threads.csv", "threads.parquet"] {
        place.threads(name).exits(0);
        assert_eq!(bytes(&place.path("out")), expected, "{name}");
        place
            .threads(&format!("{name} --fields title,reply"))
            .fails_with(&["\"reply\"", "--fields"]);
    }
}

#[test]
fn what_is_wrong_with_a_record_or_a_field_is_said() {
    let place = with(&birthdays());
    place
        .threads("threads.jsonl --fields title,回答")
        .fails_with(&["no field \"回答\"", "--fields"]);
    assert!(!place.path("out").exists());
    place.write(
        "bad.jsonl",
        "{\"id\": 1, \"title\": \"早\", \"answer\": \"晚\"}\n{\"id\": 2, \"title\": \"a\", \"body\": [\"b\"]}\n{\"id\": 3, \"text\": \"x\"}\n",
    );
    place.threads("bad.jsonl").exits(1);
    place.write(
        "bad.jsonl",
        "{\"id\": 1, \"title\": \"早\", \"body\": \"\", \"answer\": 7}\n{\"id\": 2, \"title\": \"a\", \"body\": [\"b\"]}\n{\"id\": 3, \"text\": \"x\"}\n",
    );
    place.threads("bad.jsonl --lenient").exits(3);
    let rejected = place.read("out/rejected.jsonl");
    let rejected: Vec<Value> = rejected
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rejected.len(), 2);
    assert_eq!(
        (&rejected[0]["line"], &rejected[1]["line"]),
        (&json!(2), &json!(3))
    );
    assert!(
        rejected[0]["reason"]
            .as_str()
            .unwrap()
            .contains("\"body\" is an array")
    );
}

#[test]
fn settings_that_cannot_be_are_refused_with_the_remedy() {
    let place = with(&birthdays());
    for (options, parts) in [
        (
            "--weights 0.4,0.6",
            ["2 weights for 3 fields", "give one per field"],
        ),
        ("--weights 0.4,0.2,0.9", ["add up to 1.5", "0.4,0.2,0.4"]),
        (
            "--weights=-0.2,0.6,0.6",
            ["-0.2 is not a weight", "at least 0"],
        ),
        (
            "--features words",
            ["unknown features \"words\"", "shingles:words:N"],
        ),
        (
            "--features reply=shingles:words:2",
            ["no field \"reply\"", "title, body, answer"],
        ),
        ("--measure same", ["unknown measure \"same\"", "jaccard"]),
        (
            "--measure 答=jaccard",
            ["no field \"答\"", "title, body, answer"],
        ),
        (
            "--measure edit",
            ["cannot be told from sizes", "--keys every"],
        ),
        (
            "--measure body=tf-idf",
            ["needs features with weights", "--features terms"],
        ),
        ("--preset papers", ["no preset \"papers\"", "paper"]),
        (
            "--more-field reply",
            ["\"reply\" is not one of the fields", "title, body, answer"],
        ),
        ("--fields title --keep more", ["--keep more", "longest"]),
        ("--fields title,body,title", ["\"title\" twice", "once"]),
        ("--fields title,,body", ["--fields is empty", "title,body"]),
        ("--threshold 1.2", ["threshold 1.2", "at most 1"]),
        ("--keys simhash:64:3", ["simhash", "prefix"]),
    ] {
        place
            .threads(&format!("threads.jsonl {options}"))
            .refused_with(&parts);
    }
    for options in [
        "--weights 0.4,x",
        "--empty-in-one same",
        "--preset paper --config x.toml",
    ] {
        place.threads(&format!("threads.jsonl {options}")).exits(2);
    }
    let printed = place.run("threads --print-config").exits(0).out;
    place.write("model.toml", printed);
    for options in ["--empty-in-both left-out", "--measure jaccard"] {
        place
            .threads(&format!("threads.jsonl --config model.toml {options}"))
            .refused_with(&["has a model", "leave"]);
    }
    place
        .documents("threads.jsonl --text-field title --keep more")
        .refused_with(&["--keep more", "longest"]);
    assert!(!place.path("out").exists());
}

#[test]
fn threads_of_nothing_but_invisible_characters_are_listed_without_similarities() {
    let place = Place::new();
    let line = |id: u32| {
        let blank = "\u{200b}";
        format!(
            "{}\n",
            json!({"id": id, "title": blank, "body": "", "answer": blank})
        )
    };
    place.write("blank.jsonl", format!("{}{}", line(1), line(2)));
    place
        .run("threads blank.jsonl --out out --keys every")
        .exits(0);
}
