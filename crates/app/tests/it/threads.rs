//! `lookalike threads`: what is a near-duplicate thread, field by field.

use std::fs::File;
use std::sync::Arc;

use crate::support::kill::Moments;
use crate::support::threads::{ThreadPair, lines, many_threads, thread, thread_pairs};
use crate::support::{Place, bytes};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

#[test]
fn variants_of_one_thread_are_compared_with_leaders_and_all_others_in_full() {
    let place = Place::new();
    let variant = |number: usize| {
        let (day, room) = (number % 28 + 1, 100 + number);
        thread(
            format!("v{number}"),
            [
                &format!("When does the ferry of line {room} leave the old harbour?"),
                &format!(
                    "I have to be on the island on day {day} and found no timetable, 渡轮时刻表."
                ),
                &format!(
                    "It leaves every morning at nine from pier {room}, except on public holidays."
                ),
            ],
        )
    };
    let mut threads: Vec<Value> = (0..60).map(variant).collect();
    threads.splice(10..10, birthdays());
    place.write("threads.jsonl", lines(&threads));
    let is_variant = |id: &Value| id.as_str().is_some_and(|id| id.starts_with('v'));
    let others = |pairs: Vec<ThreadPair>| -> Vec<ThreadPair> {
        let is_other = |pair: &ThreadPair| !is_variant(&pair.a);
        pairs.into_iter().filter(is_other).collect()
    };

    let all = place.thread_pairs("threads.jsonl");
    assert_eq!(place.summary()["recall"]["exact"], json!(true));
    let removed_ids = || -> Vec<Value> {
        let rows = place.lines("removed.jsonl");
        rows.iter().map(|row| row["id"].clone()).collect()
    };
    let removed = removed_ids();
    let many = all.len();

    let bounded = place.thread_pairs("threads.jsonl --bucket-limit 20");
    let summary = place.summary();
    assert_eq!(removed_ids(), removed);
    assert!(bounded.len() < many / 5, "{} of {many}", bounded.len());
    assert_eq!(others(bounded), others(all));
    assert_eq!(summary["hot_buckets"]["buckets"], json!(1));
    assert_eq!(summary["hot_buckets"]["linked"], json!(59));
    assert_eq!(summary["recall"]["exact"], json!(false));
    let because = summary["recall"]["because"].as_str().unwrap();
    assert!(because.contains("groups of variants"), "{because}");

    // Those who ask for all pairs get them.
    for all in ["--pairs all", "--keys prefix"] {
        let arguments = format!("threads.jsonl --bucket-limit 20 {all}");
        assert_eq!(place.thread_pairs(&arguments).len(), many, "{all}");
    }
}

/// The threads of the literature, and others about other people.
fn birthdays() -> Vec<Value> {
    vec![
        thread(
            "jay",
            [
                "When is the birthday of Jay?",
                "The birthday of Jay.",
                "January 18th, 1979",
            ],
        ),
        thread(
            "jay again",
            [
                "Who can tell me what's the Jay's birthday?",
                "Jay \"male, top R&B singer\", I want to know when he was born.",
                "18/1/1979",
            ],
        ),
        thread(
            "mara",
            [
                "When is the birthday of Mara?",
                "The birthday of Mara.",
                "March 3rd, 1981",
            ],
        ),
        thread(
            "leon",
            [
                "Who can tell me what's the Leon's birthday?",
                "Leon \"male, top R&B singer\", I want to know when he was born.",
                "7/5/1984",
            ],
        ),
        thread(
            "ines",
            ["Does anybody know the birthday of Ines?", "", "2 June 1990"],
        ),
        thread(
            "杰",
            ["周杰的生日是哪一天？", "周杰的生日。", "1979年1月18日"],
        ),
        thread(
            "又杰",
            [
                "谁能告诉我周杰的生日是什么时候？",
                "很红的男歌手周杰，我想知道他是哪天出生的。",
                "1979-01-18",
            ],
        ),
        thread(
            "菲",
            ["王菲菲的生日是哪一天？", "王菲菲的生日。", "1969年8月8日"],
        ),
        thread(
            "林",
            [
                "谁能告诉我林木的生日是什么时候？",
                "很红的男歌手林木，我想知道他是哪天出生的。",
                "1981-03-27",
            ],
        ),
    ]
}

/// Questions of which one has an answer that says more.
fn kettles() -> Vec<Value> {
    let question = [
        "How do I descale a kettle?",
        "There is chalk at the bottom of my kettle.",
    ];
    let wall = ["墙上的洞怎么补？", "租的房子要退了。"];
    vec![
        thread(
            "short",
            [
                question[0],
                question[1],
                "Boil water with citric acid in it.",
            ],
        ),
        thread(
            "long",
            [
                "How can I descale a kettle?",
                question[1],
                "Boil water with citric acid in it, wait for an hour, and rinse it twice.",
            ],
        ),
        thread(
            "长",
            [
                wall[0],
                wall[1],
                "先用石膏把洞填平，干了以后用砂纸磨，再刷一层漆。",
            ],
        ),
        thread("短", [wall[0], wall[1], "先用石膏把洞填平。"]),
        thread(
            "oven",
            [
                "How do I clean an oven?",
                "There is fat at the bottom of my oven.",
                "With soda.",
            ],
        ),
    ]
}

fn with(records: &[Value]) -> Place {
    let place = Place::new();
    place.write("threads.jsonl", lines(records));
    place
}

fn ids(pairs: &[ThreadPair]) -> Vec<(&str, &str)> {
    pairs
        .iter()
        .map(|pair| (pair.a.as_str().unwrap(), pair.b.as_str().unwrap()))
        .collect()
}

#[test]
fn one_birthday_asked_for_in_two_ways_is_found_and_other_birthdays_are_not() {
    let place = with(&birthdays());
    let pairs = place.thread_pairs("threads.jsonl");
    assert_eq!(ids(&pairs), [("jay", "jay again"), ("杰", "又杰")]);
    for pair in &pairs {
        assert_eq!(
            pair.field("answer"),
            Some(1.0),
            "dates in two forms are one"
        );
        let [title, body] = ["title", "body"].map(|name| pair.field(name).unwrap());
        assert!((pair.similarity - (0.4 * title + 0.2 * body + 0.4)).abs() < 1e-12);
        assert_eq!(pair.more, Value::Null);
    }
    // As they are written the answers have nothing in common.
    assert!(
        place
            .thread_pairs("threads.jsonl --numbers as-written")
            .is_empty()
    );
}

#[test]
fn more_tells_whose_answer_says_more_and_can_decide_which_thread_stays() {
    let place = with(&kettles());
    let pairs = place.thread_pairs("threads.jsonl");
    assert_eq!(ids(&pairs), [("short", "long"), ("长", "短")]);
    assert_eq!([&pairs[0].more, &pairs[1].more], ["b", "a"]);
    assert_eq!(removed(&place), ["short", "短"]);
    assert_eq!(place.summary()["parameters"]["keep"], "more");
    place.threads("threads.jsonl --keep first").exits(0);
    assert_eq!(removed(&place), ["long", "短"]);
    // Of the bodies none has more.
    for pair in place.thread_pairs("threads.jsonl --more-field body") {
        assert_eq!(pair.more, Value::Null);
    }
}

/// The ids of removed threads.
fn removed(place: &Place) -> Vec<String> {
    let text = place.read("out/removed.jsonl");
    let id = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["id"].as_str().unwrap().to_string()
    };
    text.lines().map(id).collect()
}

#[test]
fn a_date_in_another_form_is_not_more() {
    let place = with(&[
        thread("a", ["When was the bridge built?", "", "18/1/1979"]),
        thread("b", ["When was the bridge built?", "", "1979年1月18日"]),
        thread(
            "c",
            [
                "When was the bridge built?",
                "",
                "January 18th, 1979, by the railway",
            ],
        ),
    ]);
    let pairs = place.thread_pairs("threads.jsonl");
    assert_eq!(ids(&pairs), [("a", "b"), ("a", "c"), ("b", "c")]);
    let more: Vec<&Value> = pairs.iter().map(|pair| &pair.more).collect();
    assert_eq!(more, [&Value::Null, &json!("b"), &json!("b")]);
}

#[test]
fn the_same_question_with_wholly_different_answers_is_no_duplicate() {
    let question = [
        "Where can I park near the old harbour?",
        "We come with a caravan.",
    ];
    let wall = "墙上的钉子孔怎么补？";
    let place = with(&[
        thread(
            "a",
            [
                question[0],
                question[1],
                "Behind the fish market, after six in the evening.",
            ],
        ),
        thread(
            "b",
            [
                question[0],
                question[1],
                "Nobody may stop there since they closed the quay to cars.",
            ],
        ),
        thread("c", [wall, "", "用补墙膏填平，再刷漆。"]),
        thread("d", [wall, "", "请找房东帮忙处理吧！"]),
        // The same answer to another question is none either.
        thread(
            "e",
            [
                "Can I take my dog on the ferry?",
                "",
                "Yes, on a lead, but not on Sundays.",
            ],
        ),
        thread(
            "f",
            [
                "May children swim in the reservoir?",
                "",
                "Yes, on a lead, but not on Sundays.",
            ],
        ),
    ]);
    assert!(place.thread_pairs("threads.jsonl").is_empty());
    let all = place.thread_pairs("threads.jsonl --min-similarity 0");
    assert_eq!(ids(&all), [("a", "b"), ("c", "d"), ("e", "f")]);
    let answers = place.thread_pairs("threads.jsonl --min-similarity title=0");
    assert_eq!(ids(&answers), [("e", "f")]);
    // The paper asks for more than its threshold: equal titles alone are just at it.
    let by_paper = place.thread_pairs("threads.jsonl --preset paper");
    assert_eq!(ids(&by_paper), [("a", "b")]);
    place
        .threads("threads.jsonl --min-similarity answer=high")
        .refused_with(&["\"high\" is no similarity", "answer=0.5"]);
    place
        .threads("threads.jsonl --min-similarity reply=0.5")
        .refused_with(&["no field \"reply\"", "title, body, answer"]);
}

#[test]
fn a_short_answer_within_a_longer_one_makes_a_pair_and_the_longer_one_stays() {
    let title = "When was the bridge over the Arle opened?";
    let place = with(&[
        thread("year", [title, "", "1887"]),
        thread(
            "day",
            [
                title,
                "",
                "It was opened in May 1887 by the mayor of Netherby.",
            ],
        ),
        thread("other", [title, "", "1893"]),
    ]);
    let pairs = place.thread_pairs("threads.jsonl --numbers as-written");
    assert_eq!(ids(&pairs), [("year", "day")]);
    assert_eq!(
        (pairs[0].field("answer"), pairs[0].more.as_str()),
        (Some(0.3), Some("b"))
    );
    assert_eq!(removed(&place), ["year"]);
}

#[test]
fn fields_are_joined_by_term_by_unit_and_with_a_cap() {
    let place = with(&many_threads(400, 7));
    let found = place.thread_pairs("threads.jsonl --pairs all");
    assert!(found.len() > 50, "{}", found.len());
    for join in ["term", "unit"] {
        let every = format!("threads.jsonl --pairs all --keys every --join {join}");
        assert!(place.thread_pairs(&every) == found, "{join}");
        assert_eq!(place.summary()["recall"]["exact"], json!(true));
    }
    let capped = place.thread_pairs("threads.jsonl --pairs all --keys every --posting-cap 3");
    assert!(capped.iter().all(|pair| found.contains(pair)));
    let because = place.summary()["recall"]["because"].to_string();
    assert!(because.contains("were left out"), "{because}");
    place
        .threads("threads.jsonl --keys every --join term --measure body=edit")
        .refused_with(&["join by term", "--join unit"]);
}

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
fn the_preset_of_the_paper_is_what_it_spells_out() {
    let spelled = "--features shingles:words:3 --measure jaccard --weights 0.4,0.2,0.4 --threshold 0.5 --exclusive --remove-kinds all";
    let records: Vec<Value> = kettles().into_iter().chain(many_threads(300, 5)).collect();
    let place = with(&records);
    place.threads("threads.jsonl --preset paper").exits(0);
    let by_preset = bytes(&place.path("out"));
    assert!(by_preset["pairs.jsonl"].lines().count() > 50);
    place.threads(&format!("threads.jsonl {spelled}")).exits(0);
    assert_eq!(bytes(&place.path("out")), by_preset);
    // With dates and numbers, which the paper compares as they are written.
    place.write("threads.jsonl", lines(&birthdays()));
    let by_preset = place.thread_pairs("threads.jsonl --preset paper --threshold 0.05");
    let written = format!("threads.jsonl {spelled} --numbers as-written --threshold 0.05");
    assert_eq!(
        place.thread_pairs(&written.replacen(" --threshold 0.5", "", 1)),
        by_preset
    );
    assert_eq!(by_preset[0].field("answer"), Some(0.0));
}

#[test]
fn printed_settings_of_threads_read_back_are_the_same_settings() {
    let place = with(&birthdays());
    for options in [
        "",
        "--preset paper",
        "--fields title,answer --weights 0.3,0.7 --stop-words keep --code-blocks drop",
    ] {
        let printed = place
            .run(&format!("threads --print-config {options}"))
            .exits(0)
            .out;
        place.write("settings.toml", &printed);
        let again = place
            .run("threads --print-config --config settings.toml")
            .exits(0)
            .out;
        assert_eq!(again, printed);
        place.threads(&format!("threads.jsonl {options}")).exits(0);
        let by_options = bytes(&place.path("out"));
        place
            .threads("threads.jsonl --config settings.toml")
            .exits(0);
        assert_eq!(bytes(&place.path("out")), by_options);
    }
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
fn a_popular_question_is_one_cluster() {
    let answer = "Turn it off, wait for a minute, turn it on again, and it will be as good as new";
    let popular = |number: usize| {
        let title = format!(
            "How do I restart the heating? {}",
            ["please", "谢谢", "help", "urgent"][number % 4]
        );
        let body = format!("It has been cold since day {number}.");
        thread(
            format!("{number}"),
            [
                &title,
                &body,
                &answer.replace("minute", &format!("minute{}", number % 30)),
            ],
        )
    };
    let mut records: Vec<Value> = (0..300).map(popular).collect();
    records.extend(kettles());
    let place = with(&records);
    for options in ["", "--keys minhash", "--pairs links"] {
        place
            .threads(&format!("threads.jsonl --remove-kinds all {options}"))
            .exits(0);
        let clusters = place.read("out/clusters.jsonl");
        let first: Value = serde_json::from_str(clusters.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&first["cluster"], &first["size"]),
            (&json!("0"), &json!(300)),
            "{options}"
        );
        assert_eq!(clusters.lines().count(), 3, "{options}");
    }
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
fn threads_and_memory_cannot_be_seen_in_pairs_of_threads() {
    let place = with(&many_threads(20_000, 1));
    for options in ["", "--keep more --pairs all", "--keys minhash"] {
        let outcome = |resources: &str| {
            place
                .threads(&format!("threads.jsonl {options} {resources}"))
                .exits(0);
            bytes(&place.path("out"))
        };
        let expected = outcome("--threads 1 --memory 2GB");
        assert!(expected["removed.jsonl"].lines().count() > 3000);
        for resources in [
            "--threads 3",
            "--threads 1 --memory 100MB",
            "--threads 3 --memory 100MB",
        ] {
            assert!(outcome(resources) == expected, "{options} {resources}");
        }
    }
}

#[test]
fn every_pair_is_found_by_default() {
    let place = with(&many_threads(3000, 2));
    let found = place.thread_pairs("threads.jsonl --pairs all --audit 500");
    assert!(found.len() > 500);
    let summary = place.summary();
    assert_eq!(
        (&summary["audit"]["recall"], &summary["audit"]["precision"]),
        (&json!(1.0), &json!(1.0))
    );
    assert!(summary["audit"]["true_pairs"].as_u64().unwrap() > 50);
    assert_eq!(summary["recall"]["exact"], true);
    assert!(place.thread_pairs("threads.jsonl --pairs all --keys every") == found);
}

#[test]
fn pairs_are_listed_as_asked_for() {
    let copies = [
        thread("copy", ["How do I descale a kettle?", "", "Acid."]),
        thread("kopie", ["How do I descale a kettle?", "", "Acid."]),
    ];
    let place = with(&[kettles(), copies.to_vec()].concat());
    let listed =
        |pairs: &str| place.thread_pairs(&format!("threads.jsonl --threshold 0.4 --pairs {pairs}"));
    let all = listed("all");
    let expected = [
        ("short", "long"),
        ("short", "copy"),
        ("short", "kopie"),
        ("long", "copy"),
        ("long", "kopie"),
        ("长", "短"),
        ("copy", "kopie"),
    ];
    assert_eq!(ids(&all), expected);
    let auto = listed("auto");
    assert_eq!(
        ids(&auto),
        [
            expected[0],
            expected[1],
            expected[3],
            expected[5],
            expected[6]
        ]
    );
    let links = listed("links");
    assert_eq!(
        ids(&links),
        [expected[0], expected[3], expected[4], expected[5]]
    );
    // A copy is described as the one it is a copy of.
    assert_eq!(
        (&all[1].fields, all[1].similarity),
        (&all[2].fields, all[2].similarity)
    );
    assert_eq!(
        all[6].fields,
        json!({"title": 1.0, "body": null, "answer": 1.0})
    );
    assert!(
        links.iter().all(|link| all.contains(link)) && auto.iter().all(|pair| all.contains(pair))
    );
    assert!(listed("none").is_empty());
}

#[test]
fn new_threads_are_compared_with_known_ones() {
    let place = Place::new();
    let known: Vec<Value> = birthdays()
        .into_iter()
        .step_by(2)
        .chain(kettles())
        .collect();
    place.write("known.jsonl", lines(&known));
    place.write(
        "new.jsonl",
        lines(&[
            birthdays()[1].clone(),
            thread("n", ["Where is the sea?", "", "South of here."]),
            thread("n2", ["Where is the sea?", "", "South of here."]),
            thread(
                "壶",
                [
                    "How do I descale my kettle?",
                    "",
                    "Boil water with citric acid in it.",
                ],
            ),
        ]),
    );
    let pairs = place.thread_pairs("new.jsonl --against known.jsonl --deduplicated fresh.jsonl");
    assert_eq!(
        ids(&pairs),
        [("jay again", "jay"), ("壶", "short"), ("壶", "long")]
    );
    assert_eq!(pairs[2].more, "b");
    assert_eq!(removed(&place), ["jay again", "壶"]);
    assert_eq!(place.read("fresh.jsonl").lines().count(), 2);
}

#[test]
fn killed_again_and_again_threads_end_in_the_same_bytes() {
    let mut moments = Moments::new();
    let records = many_threads(6_000, 3);
    let (rounds, kills) = (2, 3);
    for options in [
        "--checkpoint-every 0",
        "--checkpoint-every 0 --memory 100MB --keep more --keys minhash",
    ] {
        let place = with(&records);
        let arguments = format!("threads.jsonl {options} --deduplicated clean.jsonl");
        place.threads(&arguments).exits(0);
        let expected = bytes(&place.path("out"));
        let clean = place.read("clean.jsonl");
        let mut killed = 0;
        for round in 0..rounds {
            let place = with(&records);
            let arguments = format!(
                "{arguments} {}",
                if round == 1 { "--work-dir work" } else { "" }
            );
            for _ in 0..kills {
                let command = place.command(&format!("threads --out out --quiet {arguments}"));
                killed += u32::from(moments.kill(&place, command));
            }
            place.threads(&arguments).exits(0);
            assert!(
                bytes(&place.path("out")) == expected,
                "{options}, round {round}"
            );
            assert!(place.read("clean.jsonl") == clean);
            assert!(!place.path("out/.lookalike").exists());
            assert!(round != 1 || place.names("work").is_empty());
        }
        assert!(killed > 0, "no run was killed");
    }
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
