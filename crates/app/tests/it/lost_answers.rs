//! A removed thread may have an answer that says something the kept one does not: that is counted and named.

use serde_json::{Value, json};

use crate::support::Place;
use crate::support::threads::{lines, thread};

const QUESTION: &str = "How do I renew my passport at the town hall?";
const ANSWER: &str =
    "Bring the old passport and two photographs to counter four before noon, and pay there in cash";

/// The first has more than the second, the third says something else at the end, and the fourth is a copy of the first.
fn place() -> Place {
    let more = format!("{ANSWER}. 新护照两周后寄到, and a text message tells when it was sent");
    let other = format!("{ANSWER}. Those over seventy years old need no photographs at all");
    let place = Place::new();
    place.write(
        "in.jsonl",
        lines(&[
            thread("a", [QUESTION, "", &more]),
            thread("b", [QUESTION, "", ANSWER]),
            thread("c", [QUESTION, "", &other]),
            thread("d", [QUESTION, "", &more]),
        ]),
    );
    place
}

fn lost(place: &Place) -> Value {
    place.summary()["lost_answers"].clone()
}

#[test]
fn answers_that_are_lost_are_counted_and_named() {
    let place = place();
    let ran = place.threads("in.jsonl").exits(0);
    assert_eq!(place.summary()["counts"]["removed"], 3);
    let expected = json!({"threads": 1, "first": [{"id": "c", "kept": "a"}]});
    assert_eq!(lost(&place), expected);
    let line =
        "  lost answers    1, removed with something the kept thread does not say: c (kept: a)\n";
    assert!(ran.out.contains(line), "{}", ran.out);
    place.threads("in.jsonl --pairs none --quiet").exits(0);
    assert_eq!(lost(&place), expected);
}

#[test]
fn what_is_lost_depends_on_what_is_kept() {
    let place = place();
    place.threads("in.jsonl --keep last --quiet").exits(0);
    assert_eq!(lost(&place)["first"], json!([{"id": "c", "kept": "d"}]));
    let lines: Vec<String> = place
        .read("in.jsonl")
        .lines()
        .rev()
        .map(str::to_string)
        .collect();
    place.write("in.jsonl", lines[1..].join("\n") + "\n");
    // Now `c`, then `b`, then `a`: the first is kept, and `b` loses nothing by that.
    place.threads("in.jsonl --keep first --quiet").exits(0);
    assert_eq!(lost(&place)["first"], json!([{"id": "a", "kept": "c"}]));
}

#[test]
fn nothing_is_said_where_nothing_is_lost() {
    let place = place();
    let ran = place.threads("in.jsonl --fields title").exits(0);
    assert_eq!(lost(&place), Value::Null);
    assert!(!ran.out.contains("lost answers"), "{}", ran.out);
    let kept: Vec<String> = place
        .read("in.jsonl")
        .lines()
        .take(2)
        .map(str::to_string)
        .collect();
    place.write("in.jsonl", kept.join("\n") + "\n");
    let ran = place.threads("in.jsonl").exits(0);
    assert_eq!(lost(&place)["threads"], 0);
    assert!(!ran.out.contains("lost answers"), "{}", ran.out);
}

#[test]
fn descriptions_are_no_answers() {
    let place = place();
    let lines: String = place
        .read("in.jsonl")
        .lines()
        .map(|line| {
            format!(
                "{}\n",
                line.replace("\"answer\"", "\"text\"")
                    .replace("\"body\"", "\"more\"")
            )
        })
        .collect();
    place.write("in.jsonl", lines);
    let ran = place.threads("in.jsonl --fields title,text").exits(0);
    assert!(place.summary()["counts"]["removed"].as_u64() > Some(0));
    assert_eq!(lost(&place), Value::Null);
    assert!(!ran.out.contains("lost answers"), "{}", ran.out);
}
