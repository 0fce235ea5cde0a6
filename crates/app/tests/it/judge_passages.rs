//! `lookalike judge`: located passages against the right ones.

use crate::support::{Place, Ran};
use serde_json::{Value, json};

/// Texts of 60, 30, 30 and 30 characters.
fn pages() -> String {
    let texts = [
        ("猫", "渡轮九点从旧港出发去小岛。".repeat(4) + "the ferry"),
        ("b", "bread is baked at night, again".to_string()),
        (
            "c",
            "渡轮九点从旧港出发去小岛。abcdefghijklmnopq".to_string(),
        ),
        ("d", "nothing of it is here at all!!".to_string()),
    ];
    let lines = texts.map(|(id, text)| format!("{}\n", json!({"id": id, "text": text})));
    lines.concat()
}

const GOLD: &str = r#"{"a": "b", "b": "猫", "kind": "copied", "spans": [{"a_begin": 0, "a_end": 10, "b_begin": 20, "b_end": 30}]}
{"a": "猫", "b": "c", "kind": "copied", "spans": [{"a_begin": 0, "a_end": 10, "b_begin": 0, "b_end": 10}, {"a_begin": 40, "a_end": 50, "b_begin": 20, "b_end": 30}]}
{"a": "b", "b": "c", "kind": "none", "spans": []}
{"a": "c", "b": "d", "kind": "none", "spans": []}
"#;

fn passage(a: (&str, u32, u32), b: (&str, u32, u32)) -> String {
    let side =
        |(id, begin, end)| json!({"id": id, "begin": begin, "end": end, "first_sentence": 0});
    let line = json!({"a": side(a), "b": side(b), "sentences": 1, "similarity": 0.97});
    format!("{line}\n")
}

/// A finished run, and passages in its folder: one exact, one by half and in two pieces, one of nothing, and one in a
/// pair that the gold does not list.
fn place() -> Place {
    let place = Place::new();
    place.write("pages.jsonl", pages());
    place.write("gold.jsonl", GOLD);
    place
        .documents("pages.jsonl --features shingles:words:1 --threshold 0.2")
        .exits(0);
    let passages = [
        passage(("猫", 20, 30), ("b", 0, 10)),
        passage(("猫", 0, 2), ("c", 0, 3)),
        passage(("猫", 5, 8), ("c", 5, 7)),
        passage(("c", 3, 5), ("d", 3, 5)),
        passage(("猫", 3, 8), ("d", 3, 8)),
    ];
    place.write("out/passages.jsonl", passages.concat());
    place
}

fn json_of(ran: Ran) -> Value {
    let ran = ran.exits(0);
    assert_eq!(ran.errors, "");
    assert_eq!(ran.out.lines().count(), 1);
    serde_json::from_str(&ran.out).unwrap()
}

fn near(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-12
}

#[test]
fn located_passages_are_scored_overall_and_by_kind() {
    let place = place();
    let verdict = json_of(place.run("judge out --gold gold.jsonl --json"));
    assert_eq!(verdict["counting"], "listed");
    // Three of four detections are right; of three cases the first is covered, the second by half, the third is not.
    assert!(near(&verdict["precision"], 0.75), "{verdict}");
    assert!(near(&verdict["recall"], 0.5), "{verdict}");
    assert!(near(&verdict["f1"], 0.6), "{verdict}");
    assert!(near(&verdict["granularity"], 1.5), "{verdict}");
    assert!(near(&verdict["plagdet"], 0.6 / 2.5f64.log2()), "{verdict}");
    // 30 of 34 characters located, and of 60.
    assert!(
        near(&verdict["micro"]["precision"], 30.0 / 34.0),
        "{verdict}"
    );
    assert!(near(&verdict["micro"]["recall"], 0.5), "{verdict}");
    let kinds = &verdict["kinds"];
    assert_eq!(kinds["copied"]["precision"], 1.0);
    assert_eq!(
        (
            &kinds["copied"]["spans"],
            &kinds["copied"]["detected_spans"]
        ),
        (&json!(3), &json!(2))
    );
    assert_eq!(kinds["none"]["without_detection"], 0.5);
    assert_eq!(kinds["none"]["precision"], Value::Null);

    // One is in a pair that the gold does not list: whether it is right is not known.
    assert_eq!(verdict["unlisted_pairs"], 1);
    assert_eq!(verdict["unlisted_detections"], 1);

    let complete = json_of(place.run("judge out --gold gold.jsonl --complete --json"));
    assert_eq!(complete["counting"], "complete");
    assert_eq!(complete["unlisted_pairs"], 0);
    assert!(near(&complete["precision"], 0.6), "{complete}");
}

#[test]
fn the_page_says_the_same() {
    let place = place();
    let page = place.run("judge out --gold gold.jsonl").exits(0);
    let expected = "\
gold              4 pairs with 3 passages; 2 pairs have none
counted           the passages located in the result; only the labelled pairs count
detected          2 of 3 in the gold; 4 were located
false alarms      in 1 of 2 pairs without a passage
not in the gold   1 located in 1 pairs, which do not count

                  precision  recall      F1  granularity  plagdet
by passage           0.7500  0.5000  0.6000       1.5000   0.4539
by character         0.8824  0.5000  0.6383       1.5000   0.4829
copied               1.0000  0.5000  0.6667       1.5000   0.5043
none              false alarms in 1 of 2 pairs without a passage
";
    assert_eq!(page.out, expected);
}

#[test]
fn mistakes_are_listed_with_their_places() {
    let place = place();
    let page = place
        .run("judge out --gold gold.jsonl --errors wrong.jsonl")
        .exits(0);
    let said = "2, listed in wrong.jsonl, after them 1 not in the gold";
    assert!(page.out.contains(said), "{}", page.out);
    let wrong = place.read("wrong.jsonl");
    let lines: Vec<Value> = wrong
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["mistake"], "false_positive");
    assert_eq!(
        (&lines[0]["a"], &lines[0]["a_begin"]),
        (&json!("c"), &json!(3))
    );
    assert_eq!(lines[1]["mistake"], "false_negative");
    assert_eq!(
        (&lines[1]["b"], &lines[1]["b_begin"]),
        (&json!("猫"), &json!(40))
    );
    assert_eq!(lines[2]["mistake"], "unlisted");
    assert_eq!(
        (&lines[2]["a"], &lines[2]["b"], &lines[2]["similarity"]),
        (&json!("d"), &json!("猫"), &json!(0.97))
    );
    assert_eq!(lines.len(), 3);
    place
        .run("judge out --gold gold.jsonl --complete --errors wrong.jsonl")
        .exits(0);
    let wrong = place.read("wrong.jsonl");
    assert_eq!(wrong.matches("false_positive").count(), 2);
}

#[test]
fn gold_without_spans_judges_the_pairs_of_records() {
    let place = place();
    // Passages alone make a pair, so what is 1.0 alike need not be the same.
    let pairs = r#"{"a":"猫","b":"b","similarity":1.0,"covered_a":0.2,"covered_b":0.3,"relation":"overlap","passages":1}
{"a":"猫","b":"c","similarity":1.0,"covered_a":0.2,"covered_b":0.3,"relation":"overlap","passages":2}
"#;
    place.write("out/pairs.jsonl", pairs);
    place.write(
        "pairs.jsonl",
        "{\"a\": \"b\", \"b\": \"猫\"}\n{\"a\": \"c\", \"b\": \"b\", \"label\": 0}\n",
    );
    let verdict = json_of(place.run("judge out --gold pairs.jsonl --json"));
    assert_eq!(verdict["true_positives"], 1);
    assert_eq!(verdict["false_positives"], 0);
    assert_eq!(verdict["true_negatives"], 1);
    place.write(
        "clusters.jsonl",
        "{\"cluster\": 1, \"members\": [\"b\", \"猫\"]}\n",
    );
    json_of(place.run("judge out --gold clusters.jsonl --json"));
}

#[test]
fn gold_about_other_records_or_other_characters_is_refused() {
    let place = place();
    place.write("gold.jsonl", GOLD.replace("\"d\"", "\"谁\""));
    place.run("judge out --gold gold.jsonl").fails_with(&[
        "gold.jsonl, line 4",
        "no record \"谁\"",
        "judge the result of",
    ]);
    place.write("gold.jsonl", GOLD.replace("50,", "62,"));
    place.run("judge out --gold gold.jsonl").fails_with(&[
        "gold.jsonl, line 2",
        "ends at 62",
        "\"猫\" has 61 characters",
        "code points",
    ]);
    place.write(
        "gold.jsonl",
        GOLD.replace(
            "\"b_end\": 30}]}\n{\"a\": \"b\"",
            "\"b_end\": 19}]}\n{\"a\": \"b\"",
        ),
    );
    place
        .run("judge out --gold gold.jsonl")
        .fails_with(&["gold.jsonl, line 2", "b_begin 20 is not below b_end 19"]);
    place.write(
        "gold.jsonl",
        GOLD.replace("\"a\": \"c\", \"b\": \"d\"", "\"a\": \"c\", \"b\": \"b\""),
    );
    place
        .run("judge out --gold gold.jsonl")
        .fails_with(&["gold.jsonl, line 4", "already listed in line 3"]);
}

#[test]
fn a_corpus_that_is_gone_is_said_to_be_unchecked() {
    let place = place();
    std::fs::remove_file(place.path("pages.jsonl")).unwrap();
    place.write("gold.jsonl", GOLD.replace("\"d\"", "\"谁\""));
    let page = place.run("judge out --gold gold.jsonl").exits(0);
    assert!(
        page.out.contains("ids               not checked: "),
        "{}",
        page.out
    );
    assert!(page.out.contains("pages.jsonl"), "{}", page.out);
}

#[test]
fn what_has_no_passages_is_not_judged_by_passages() {
    let place = place();
    let parts = ["gold.jsonl", "spans", "RESULT_DIR", "lookalike passages"];
    for command in [
        "judge --gold gold.jsonl --corpus pages.jsonl",
        "judge --gold gold.jsonl",
        "judge --gold gold.jsonl --sweep",
    ] {
        place.run(command).fails_with(&parts);
    }
    place.write("settings.toml", "threshold = 0.7\n");
    place
        .run("judge --gold gold.jsonl --config settings.toml")
        .fails_with(&parts);
    std::fs::remove_file(place.path("out/passages.jsonl")).unwrap();
    place.run("judge out --gold gold.jsonl").fails_with(&[
        "out",
        "no passages.jsonl",
        "lookalike passages",
    ]);
    place.write("out/passages.jsonl", passage(("猫", 3, 3), ("c", 0, 3)));
    place
        .run("judge out --gold gold.jsonl")
        .fails_with(&["passages.jsonl", "line 1", "empty"]);
}

#[test]
fn sentences_are_not_judged_by_records() {
    let place = place();
    place.run("sentences pages.jsonl --out sentences").exits(0);
    place.write("pairs.jsonl", "{\"a\": \"b\", \"b\": \"c\"}\n");
    place.write("clusters.jsonl", "{\"cluster\": 1, \"members\": [\"b\"]}\n");
    for gold in ["pairs", "clusters", "gold"] {
        place
            .run(&format!("judge sentences --gold {gold}.jsonl"))
            .fails_with(&[
                "lookalike sentences",
                "whole records",
                "lookalike judge --gold FILE",
            ]);
    }
}

/// Sentences that nothing else has.
fn sentences(topic: &str) -> Vec<String> {
    let verbs = [
        "carries", "repairs", "forgets", "measures", "paints", "follows",
    ];
    let line = |(number, verb): (usize, &&str)| {
        format!(
            "The {topic} number {number} {verb} some {topic}s of {topic} town – every {number} {topic} weeks."
        )
    };
    verbs.iter().enumerate().map(line).collect()
}

/// A text, and where the sentences from the one number up to the other are.
fn text(sentences: &[String], shared: std::ops::Range<usize>) -> (String, [usize; 2]) {
    let length = |part: &[String]| part.join(" ").chars().count();
    let begin = length(&sentences[..shared.start]) + usize::from(shared.start > 0);
    (
        sentences.join(" "),
        [begin, begin + length(&sentences[shared])],
    )
}

#[test]
fn what_the_job_locates_is_judged_within_a_corpus_and_against_another() {
    let shared = [
        "The ferry leaves the old harbour at nine in the morning, and it is never late in summer.",
        "Its captain has been at sea for thirty years and still reads the charts every single night.",
        "Nobody in the village remembers a winter in which the crossing was closed for a whole week.",
        "渡轮九点从旧港出发，天气好的时候四十分钟就到小岛的码头。",
    ];
    let with_shared = |topic: &str| {
        let mut all = sentences(topic);
        all.splice(2..2, shared.map(str::to_string));
        text(&all, 2..6)
    };
    let (one, [a_begin, a_end]) = with_shared("windmill");
    let (other, [b_begin, b_end]) = with_shared("orchestra");
    let record = |id: &str, text: &str| format!("{}\n", json!({"id": id, "text": text}));
    let place = Place::new();
    place.write("one.jsonl", record("x", &one));
    place.write("other.jsonl", record("x", &other));
    place.write("both.jsonl", record("旧", &one) + &record("y", &other));
    let spans = json!([{"a_begin": a_begin, "a_end": a_end, "b_begin": b_begin, "b_end": b_end}]);
    for (command, a, b) in [
        ("passages one.jsonl --against other.jsonl", "x", "x"),
        ("passages both.jsonl", "旧", "y"),
    ] {
        place.run(&format!("{command} --out out")).exits(0);
        place.write(
            "gold.jsonl",
            json!({"a": a, "b": b, "spans": spans}).to_string(),
        );
        let verdict = json_of(place.run("judge out --gold gold.jsonl --json"));
        assert_eq!(verdict["detected_spans"], 1, "{verdict}");
        assert!(verdict["plagdet"].as_f64().unwrap() > 0.95, "{verdict}");
        place.write(
            "gold.jsonl",
            json!({"a": b, "b": a, "label": 1}).to_string(),
        );
        let verdict = json_of(place.run("judge out --gold gold.jsonl --json"));
        assert_eq!(verdict["true_positives"], 1, "{verdict}");
    }
}

#[test]
fn a_result_without_passages_is_said_to_report_nothing() {
    let place = Place::new();
    let line = |id: &str, text: &str| format!("{}\n", json!({"id": id, "text": text}));
    place.write(
        "pages.jsonl",
        line("甲", "The ferry leaves the old harbour at nine.")
            + &line("b", "Nobody waits for it in winter."),
    );
    place.run("passages pages.jsonl --out out --quiet").exits(0);
    let span = json!({"a_begin": 0, "a_end": 9, "b_begin": 0, "b_end": 9});
    place.write(
        "gold.jsonl",
        format!("{}\n", json!({"a": "甲", "b": "b", "spans": [span]})),
    );
    let ran = place.run("judge out --gold gold.jsonl").exits(0);
    assert!(
        ran.out
            .contains("detected          none of 1: nothing reported\n"),
        "{}",
        ran.out
    );
}
