//! `lookalike judge`: a gold that cannot be about the result is told as such, and what it cannot say is not said.

use serde_json::{Value, json};

use crate::support::Place;

const FERRY: &str = "the ferry leaves the old harbour at nine in the morning 渡轮";

fn place() -> Place {
    let place = Place::new();
    let line = |id: u32, text: &str| format!("{}\n", json!({"id": id, "text": text}));
    let lines =
        line(1, FERRY) + &line(2, FERRY) + &line(3, "bread is baked at night") + &line(4, FERRY);
    place.write("pages.jsonl", lines);
    place.documents("pages.jsonl --quiet").exits(0);
    place
}

#[test]
fn ids_that_the_input_does_not_have_are_an_error() {
    let place = place();
    for (gold, said) in [
        (
            json!({"a": "1", "b": "2", "label": 1}),
            "there ids are numbers, in the gold strings",
        ),
        (
            json!({"a": "pages/1.txt", "b": "pages/2.txt", "label": 1}),
            "such as \"pages/1.txt\"",
        ),
        (
            json!({"a": FERRY, "b": FERRY.replace("nine", "ten"), "label": 0}),
            "a gold of texts is for judge without",
        ),
        (
            json!({"cluster": "x", "members": ["1", "2"]}),
            "there ids are numbers, in the gold strings",
        ),
    ] {
        place.write("gold.jsonl", format!("{gold}\n"));
        place
            .run("judge out --gold gold.jsonl --json")
            .fails_with(&["no id in gold.jsonl is one of the input", said]);
    }
    // What is there and was not found is missed.
    place.write("gold.jsonl", "{\"a\": 1, \"b\": 3, \"label\": 1}\n");
    let ran = place.run("judge out --gold gold.jsonl --json").exits(0);
    let verdict: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(verdict["recall"], 0.0);
}

#[test]
fn near_duplicates_alone_say_nothing_about_precision() {
    let place = place();
    place.write(
        "gold.jsonl",
        "{\"a\": 1, \"b\": 2, \"label\": 1}\n{\"a\": 1, \"b\": 3, \"label\": 1}\n",
    );
    let ran = place.run("judge out --gold gold.jsonl --listed").exits(0);
    assert!(
        ran.out
            .contains("precision         unknown: the gold lists only near-duplicates"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("recall            0.5000 (1 of 2 right pairs are found)\n"),
        "{}",
        ran.out
    );
    assert!(
        !ran.out.contains("F1") && !ran.out.contains("accuracy"),
        "{}",
        ran.out
    );
    let ran = place
        .run("judge out --gold gold.jsonl --listed --json")
        .exits(0);
    let verdict: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!([&verdict["precision"], &verdict["f1"]], [&Value::Null; 2]);
    assert_eq!(verdict["recall"], 0.5);
    // All other pairs count as wrong where that is said.
    let ran = place
        .run("judge out --gold gold.jsonl --complete --json")
        .exits(0);
    let verdict: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(verdict["precision"], 1.0 / 3.0);
}
