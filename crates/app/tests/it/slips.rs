//! Nothing is lost by a slip: a misspelt name, a file in the way, a corpus with odd ids.

use serde_json::json;

use crate::support::Place;

const TEXTS: [&str; 3] = [
    "The ferry leaves the old harbour at nine every morning and comes back at noon with the mail",
    "Nobody knows who painted the ceiling of the hall before it was found under a layer of lime",
    "渡轮每天早上九点离开旧港口中午带着邮件回来乘客可以在船上买到热茶和面包",
];

/// Records with these fields beside an id, each text twice.
fn corpus(field: &str) -> String {
    let lines = TEXTS.iter().chain(&TEXTS).enumerate();
    lines
        .map(|(number, text)| {
            format!(
                "{}\n",
                json!({"id": number, field: text, "date": "2021-03-05"})
            )
        })
        .collect()
}

#[test]
fn a_misspelt_field_is_an_error_that_names_those_there_are_and_the_nearest() {
    let place = Place::new();
    place.write("pages.jsonl", corpus("text"));
    place.write(
        "pages.csv",
        "key,text,date\n1,a ferry,2020-01-01\n2,a ferry,2020-01-02\n",
    );
    for (arguments, setting, name, nearest) in [
        (
            "pages.jsonl --text-field txt",
            "--text-field",
            "txt",
            "text",
        ),
        ("pages.jsonl --id-field di", "--id-field", "di", "id"),
        ("pages.jsonl --keep dat", "--keep", "dat", "date"),
        (
            "pages.jsonl --source-field dates",
            "--source-field",
            "dates",
            "date",
        ),
        ("pages.csv --id-field kye", "--id-field", "kye", "key"),
        (
            "pages.csv --text-field texts",
            "--text-field",
            "texts",
            "text",
        ),
    ] {
        let meant = format!("did you mean \"{nearest}\"?");
        let named = format!("\"{name}\", which {setting} names");
        place
            .documents(&format!("{arguments} --deduplicated clean"))
            .fails_with(&[&named, &meant, "the fields are: ", "date", "--lenient"]);
        assert!(!place.path("out").exists() && !place.path("clean").exists());
    }
    place
        .run("threads pages.jsonl --fields text,dat --out out")
        .fails_with(&["\"dat\", which --fields names", "did you mean \"date\"?"]);
    place.documents("pages.jsonl --keep dat --lenient").exits(0);
}

#[test]
fn a_misspelt_column_of_a_parquet_file_is_an_error() {
    use arrow_array::{RecordBatch, StringArray, StructArray};
    use arrow_schema::{DataType, Field, Fields, Schema};
    use std::sync::Arc;

    let place = Place::new();
    let strings = |values: &[&str]| Arc::new(StringArray::from(values.to_vec()));
    let inner = Fields::from(vec![Field::new("text", DataType::Utf8, false)]);
    let doc = StructArray::new(inner.clone(), vec![strings(&[TEXTS[0], TEXTS[0]])], None);
    let schema = Arc::new(Schema::new(vec![
        Field::new("key", DataType::Utf8, false),
        Field::new("doc", DataType::Struct(inner), false),
    ]));
    let batch = RecordBatch::try_new(
        Arc::clone(&schema),
        vec![strings(&["甲", "乙"]), Arc::new(doc)],
    );
    let mut bytes = Vec::new();
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, schema, None).unwrap();
    writer.write(&batch.unwrap()).unwrap();
    writer.close().unwrap();
    place.write("pages.parquet", bytes);
    place
        .documents("pages.parquet --text-field doc.text --id-field keys")
        .fails_with(&["\"keys\"", "did you mean \"key\"?", "doc.text"]);
    assert_eq!(place.names("."), ["pages.parquet"]);
    let found = place.clean_results("pages.parquet --text-field doc.text --id-field key");
    assert_eq!(found.removed_ids(), ["乙"]);
}

/// A Parquet file of records whose column `date` is this.
fn dated(ids: [&str; 2], date: arrow_array::ArrayRef) -> Vec<u8> {
    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use std::sync::Arc;

    let strings = |values: [&str; 2]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let batch = RecordBatch::try_from_iter([
        ("id", strings(ids)),
        ("text", strings([TEXTS[0], TEXTS[2]])),
        ("date", date),
    ])
    .unwrap();
    let mut bytes = Vec::new();
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn dates_compare_whatever_the_unit_of_a_column_and_with_those_of_other_formats() {
    use arrow_array::{Date32Array, TimestampMicrosecondArray, TimestampMillisecondArray};
    use std::sync::Arc;

    let place = Place::new();
    let day = 86_400_000;
    let of_days = |days: i64| vec![days * day; 2];
    let millis = TimestampMillisecondArray::from(of_days(7309));
    let micros: Vec<i64> = of_days(7307).iter().map(|millis| millis * 1000).collect();
    place.write("in/a.parquet", dated(["a", "甲"], Arc::new(millis)));
    place.write(
        "in/b.parquet",
        dated(
            ["b", "乙"],
            Arc::new(TimestampMicrosecondArray::from(micros)),
        ),
    );
    let days = Date32Array::from(vec![7308; 2]);
    place.write("in/c.parquet", dated(["c", "丙"], Arc::new(days)));
    let found = place.clean_results("in --keep date");
    assert_eq!(found.removed_ids(), ["b", "乙", "c", "丙"]);
    // The 6th of January 1990 is a day later.
    let line = json!({"id": "d", "text": TEXTS[0], "date": "1990-01-06"});
    place.write("in/d.jsonl", format!("{line}\n"));
    let found = place.clean_results("in --keep date --restart");
    assert_eq!(found.removed_ids(), ["a", "b", "乙", "c", "丙"]);
}

#[test]
fn a_rule_of_keeping_is_guessed_where_it_is_misspelt() {
    let place = Place::new();
    place.write("pages.jsonl", corpus("text"));
    place.documents("pages.jsonl --keep longst").fails_with(&[
        "\"longst\", which --keep names",
        "did you mean \"longest\"?",
    ]);
}

#[test]
fn a_corpus_with_its_texts_in_another_field_says_what_to_do() {
    let place = Place::new();
    place.write("batch.jsonl", corpus("content"));
    place.write("corpus.jsonl", corpus("text"));
    place
        .documents("batch.jsonl --against corpus.jsonl")
        .fails_with(&[
            "corpus.jsonl has no field \"content\", from which the texts of the input are read",
            "its fields are: date, id, text",
            "put the corpus into an index with its own --text-field",
        ]);
    // As it says.
    place.run("index create seen").exits(0);
    place
        .run("index add seen corpus.jsonl --text-field text")
        .exits(0);
    let ran = place
        .documents("batch.jsonl --against seen --text-field content")
        .exits(0);
    assert!(ran.out.contains("duplicates        6"), "{}", ran.out);
    for (side, field) in [("corpus", "content"), ("input", "text")] {
        let ran = place
            .documents(&format!(
                "batch.jsonl --against corpus.jsonl --text-field {field} --lenient --restart"
            ))
            .exits(3);
        let told = format!("warning: no record of the {side} could be used");
        assert!(ran.errors.contains(&told), "{}", ran.errors);
    }
}

#[test]
fn a_run_that_rejects_more_than_half_writes_nothing_unless_it_is_told_to() {
    let place = Place::new();
    let bad = "{\"id\": \"x\", \"text\": 5}\n{\"id\": \"y\"}\nnot json\n";
    place.write(
        "pages.jsonl",
        format!(
            "{}{bad}",
            &corpus("text")
                .lines()
                .next()
                .unwrap()
                .to_owned()
                .replace("}", "}\n")
        ),
    );
    place
        .documents("pages.jsonl --deduplicated clean.jsonl")
        .fails_with(&[
            "3 of 4 records were rejected",
            "pages.jsonl:2",
            "is a number",
            "--lenient",
        ]);
    assert_eq!(place.names("."), ["pages.jsonl"]);
    place
        .documents("pages.jsonl --deduplicated clean.jsonl --lenient")
        .exits(3);
    // What could be parsed stays.
    let clean = place.read("clean.jsonl");
    assert_eq!(clean.lines().count(), 3, "{clean}");
    assert!(
        clean.contains("\"text\": 5")
            && clean.contains("{\"id\": \"y\"}")
            && !clean.contains("not json")
    );
}

#[test]
fn without_a_text_field_the_only_long_one_is_read() {
    let place = Place::new();
    place.write("pages.jsonl", corpus("正文"));
    let ran = place.documents("pages.jsonl").exits(0);
    assert!(
        ran.out.contains("texts are read from \"正文\"") && ran.out.contains("--text-field"),
        "{}",
        ran.out
    );
    assert_eq!(place.results().count("removed"), 3);
    let two = json!({"id": 1, "question": TEXTS[0], "answer": TEXTS[1]});
    place.write("two.jsonl", format!("{two}\n"));
    place.documents("two.jsonl").fails_with(&[
        "has no field \"text\"",
        "question",
        "answer",
        "--text-field",
    ]);
}

#[test]
fn a_file_of_an_office_program_is_rejected_with_what_to_do() {
    let place = Place::new();
    for (name, text) in [
        ("a.txt", TEXTS[0]),
        ("b.txt", TEXTS[1]),
        ("c.txt", TEXTS[2]),
    ] {
        place.write(&format!("essays/{name}"), text);
    }
    place.write("essays/d.docx", b"PK\x03\x04\x14\x00\xff\xfe");
    let ran = place.run("passages essays --out out").exits(3);
    assert!(
        ran.out
            .contains("not text; unpack it, or convert it to plain text or HTML"),
        "{}",
        ran.out
    );
}

#[test]
fn the_fields_to_choose_from_are_named_where_the_usual_ones_are_missing() {
    let place = Place::new();
    place.write(
        "forum.csv",
        "question,reply\nHow do I fly?,With wings\nHow do I swim?,With fins\n",
    );
    place.run("threads forum.csv --out out").fails_with(&[
        "has no field \"title\"; the fields are: question, reply",
        "choose from these with --fields",
    ]);
}

#[test]
fn an_input_that_is_not_there_is_an_error_with_the_nearest_name() {
    let place = Place::new();
    place.write("shards/pages.jsonl", corpus("text"));
    place
        .run("documents shards/page.jsonl --out out")
        .fails_with(&["shards/page.jsonl does not exist (did you mean shards/pages.jsonl?)"]);
    place
        .run("documents shards/pages.jsonl --against elsewhere.csv --out out")
        .fails_with(&["elsewhere.csv does not exist"]);
    assert!(!place.path("out/pairs.jsonl").exists());
}

#[test]
fn a_field_within_others_is_named_by_its_path() {
    let place = Place::new();
    let lines: String = (TEXTS.iter().chain(&TEXTS).enumerate())
        .map(|(number, text)| {
            let record = json!({"doc": {"meta": {"n": number}, "text": text}, "text.x": 1});
            format!("{record}\n")
        })
        .collect();
    place.write("pages.jsonl", lines);
    let results = place
        .clean_results("pages.jsonl --text-field doc.text --id-field doc.meta.n --keep doc.meta.n");
    assert_eq!(results.removed_ids(), [0, 1, 2]);
    place
        .documents("pages.jsonl --text-field doc.txt")
        .fails_with(&["did you mean \"doc.text\"?"]);
    place.write("settings.toml", "input.text-field = \"doc.text\"\n");
    place
        .documents("pages.jsonl --config settings.toml")
        .exits(0);
}

#[test]
fn the_second_record_with_an_id_gets_the_next_free_name() {
    let place = Place::new();
    let ids = [
        json!("甲"),
        json!(7),
        json!("甲"),
        json!("甲#2"),
        json!(7),
        json!("7"),
        json!("7"),
        json!("甲"),
    ];
    let lines: String = (ids.iter().zip(TEXTS.iter().cycle()))
        .map(|(id, text)| format!("{}\n", json!({"id": id, "text": text})))
        .collect();
    place.write("a.jsonl", lines);
    let named = json!(["甲#3", "7#2", "7#3", "甲#4"]);
    for options in ["", "--memory 90MB --threads 3 --checkpoint-every 0"] {
        let ran = place.documents(&format!("a.jsonl {options}")).exits(0);
        assert!(ran.out.contains("repeated ids      4"), "{}", ran.out);
        let repeated = place.lines("repeated.jsonl");
        let names: Vec<_> = repeated.iter().map(|row| row["name"].clone()).collect();
        assert_eq!(json!(names), named);
        assert_eq!(
            repeated[0],
            json!({"id": "甲", "name": "甲#3", "source": "a.jsonl", "line": 3})
        );
        let removed = place.results().removed_ids();
        assert_eq!(removed, ["甲#2", "7#2", "7", "7#3", "甲#4"]);
        assert_eq!(place.results().count("repeated_ids"), 4);
    }
    // The same ids on the other side are other records.
    place.write("b.jsonl", place.read("a.jsonl"));
    place.documents("a.jsonl --against b.jsonl").exits(0);
    assert_eq!(place.lines("repeated.jsonl").len(), 8);
    place
        .run("documents a.jsonl --strict --out strict")
        .fails_with(&["\"甲\"", "a.jsonl:1", "a.jsonl:3", "--ids number"]);
    assert!(!place.path("strict").exists());
}

#[test]
fn a_nul_character_is_white_space_in_every_job() {
    let place = Place::new();
    let text = TEXTS[0].replace(' ', "\0");
    let record = |id: u32, text: &str| {
        format!(
            "{}\n",
            json!({"id": id, "title": text, "body": text, "answer": text, "text": text})
        )
    };
    place.write(
        "pages.jsonl",
        record(1, TEXTS[0]) + &record(2, &text) + &record(3, "\0 \0"),
    );
    for job in ["documents", "threads", "messages"] {
        place.run(&format!("{job} pages.jsonl --out out")).exits(0);
        let removed = place.lines("removed.jsonl");
        assert!(
            removed.len() == 1 && removed[0]["id"] == 2,
            "{job}: {removed:?}"
        );
        let summary: serde_json::Value =
            serde_json::from_str(&place.read("out/summary.json")).unwrap();
        assert_eq!(summary["counts"]["empty"], 1, "{job}");
    }
    for job in ["sentences", "passages"] {
        place.run(&format!("{job} pages.jsonl --out out")).exits(0);
    }
}

#[test]
fn the_cleaned_corpus_goes_to_standard_output() {
    let place = Place::new();
    place.write("pages.jsonl", corpus("text"));
    let ran = place.documents("pages.jsonl --deduplicated -").exits(0);
    assert_eq!(
        ran.out,
        corpus("text")
            .lines()
            .take(3)
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    );
    assert!(ran.errors.contains("duplicates        3"), "{}", ran.errors);
    place.write("more.jsonl", corpus("text"));
    place
        .documents("pages.jsonl more.jsonl --deduplicated -")
        .fails_with(&["-", "several inputs"]);
}

#[test]
fn a_file_of_the_users_is_replaced_only_if_that_is_asked_for() {
    let place = Place::new();
    place.write("pages.jsonl", corpus("text"));
    place.write("clean.jsonl", "mine\n");
    place.write("out/pairs.jsonl", "mine\n");
    let command = "pages.jsonl --deduplicated clean.jsonl";
    place
        .documents(command)
        .fails_with(&["out/pairs.jsonl", "--force"]);
    std::fs::remove_dir_all(place.path("out")).unwrap();
    place
        .documents(command)
        .fails_with(&["clean.jsonl", "--force"]);
    assert_eq!(place.read("clean.jsonl"), "mine\n");
    place.write("out/pairs.jsonl", "mine\n");
    let ran = place.documents(&format!("{command} --force")).exits(0);
    assert!(!ran.out.contains("earlier result"), "{}", ran.out);
    assert_eq!(place.read("clean.jsonl").lines().count(), 3);
    // What a run wrote is replaced without a word of permission, but not without a word.
    let ran = place.documents(command).exits(0);
    assert!(
        ran.out.contains("out (replacing an earlier result)"),
        "{}",
        ran.out
    );
}

#[test]
fn a_large_removal_and_a_source_that_is_lost_are_warned_of() {
    let place = Place::new();
    place.write(
        "a.jsonl",
        corpus("text")
            .lines()
            .take(3)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    place.write(
        "b.jsonl",
        corpus("text")
            .lines()
            .skip(3)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    let ran = place.documents("a.jsonl b.jsonl").exits(0);
    let warnings: Vec<&str> = ran.errors.lines().collect();
    assert_eq!(warnings.len(), 2, "{}", ran.errors);
    assert!(
        warnings[0].contains("50.0 % of the records are removed")
            && warnings[0].ends_with("lookalike show out --sort similarity")
    );
    assert_eq!(warnings[1], "warning: b.jsonl loses 3 of its 3 records");
    let ran = place.documents("a.jsonl b.jsonl --json").exits(0);
    assert_eq!(ran.errors.lines().collect::<Vec<_>>(), warnings);
    let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let said = summary["warnings"].as_array().unwrap().iter();
    let said: Vec<String> = said
        .map(|said| format!("warning: {}", said.as_str().unwrap()))
        .collect();
    assert_eq!(said, warnings);
    // The object is what the file has, but for the warnings.
    let mut without = summary.clone();
    without.as_object_mut().unwrap().remove("warnings");
    let file: serde_json::Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(without, file);
    // By field instead of by file.
    let lines: String = (TEXTS.iter().chain(&TEXTS).enumerate())
        .map(|(number, text)| {
            format!(
                "{}\n",
                json!({"text": text, "site": if number < 3 { "orig" } else { "镜像" }})
            )
        })
        .collect();
    place.write("c.jsonl", lines);
    let ran = place.documents("c.jsonl --source-field site").exits(0);
    assert!(
        ran.errors
            .contains("warning: 镜像 loses 3 of its 3 records"),
        "{}",
        ran.errors
    );
    assert_eq!(place.documents("a.jsonl").exits(0).errors, "");
    place.write("empty.jsonl", "");
    let ran = place.documents("empty.jsonl").exits(0);
    assert_eq!(ran.errors, "warning: the input has no records\n");
}

#[test]
fn compare_reads_what_jobs_read_and_takes_no_name_for_a_text() {
    let place = Place::new();
    place.write("pages.jsonl", corpus("text"));
    place.write("one.jsonl", corpus("text").lines().next().unwrap());
    place.write(
        "page.html",
        format!("<html><body><p>{}</p></body></html>", TEXTS[0]),
    );
    place.write("old.txt", TEXTS[0]);
    place.write("notes", TEXTS[1]);
    let same = "jaccard           1.0000";
    for arguments in [
        "pages.jsonl#0 pages.jsonl#3",
        "pages.jsonl#0 page.html",
        "one.jsonl old.txt",
        "old.txt page.html",
        "notes notes",
    ] {
        let ran = place.run(&format!("compare {arguments}")).exits(0);
        assert!(ran.out.contains(same), "{arguments}: {}", ran.out);
    }
    let piped = place
        .run_with("compare - old.txt", TEXTS[0].as_bytes())
        .exits(0);
    assert!(piped.out.contains(same), "{}", piped.out);
    place.run("compare old.tx page.html").fails_with(&[
        "old.tx is not a file",
        "did you mean old.txt?",
        "--text",
    ]);
    place
        .run("compare pages.jsonl old.txt")
        .fails_with(&["several records", "pages.jsonl#0"]);
    place
        .run("compare pages.jsonl#99 old.txt")
        .fails_with(&["pages.jsonl#99", "no record has that id"]);
    place.run("compare - -").refused_with(&["standard input"]);
    place.run("compare --text one two").exits(0);
}

#[cfg(unix)]
#[test]
fn identical_texts_are_called_identical() {
    let place = Place::new();
    let ran = place.run("compare --text 渡轮 渡轮").exits(0);
    assert!(ran.out.contains("the texts are identical\n"), "{}", ran.out);
    let ran = place.run("compare --text abc ABC").exits(0);
    assert!(
        ran.out.contains("differ only in what the settings ignore"),
        "{}",
        ran.out
    );
}

#[test]
fn a_run_that_is_interrupted_says_that_the_same_command_continues() {
    use crate::support::corpus::short_texts;
    use std::process::Stdio;

    let place = Place::new();
    place.write("pages.jsonl", short_texts(60_000, 5));
    let command = "documents pages.jsonl --out out --checkpoint-every 0 --threads 1";
    let mut child = place.command(command);
    let child = child
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !place.path("out/.lookalike").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_raw(child.id().cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("the same command continues it"), "{said}");
    let ran = place.run(command).exits(0);
    assert!(place.path("out/summary.json").exists(), "{}", ran.errors);
}
