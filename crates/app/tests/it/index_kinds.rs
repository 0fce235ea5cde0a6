//! An index and the kinds of differences: what the job would not remove is no duplicate in a stream either.

use serde_json::{Value, json};

use crate::support::Place;

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Messages of which some differ in a number, some in a name and some in words only.
fn messages() -> Vec<String> {
    let mut messages = vec![
        "Your code is 315577. Do not share it with anyone, not even with us.".to_string(),
        "Your code is 128840. Do not share it with anyone, not even with us.".to_string(),
        "your code is 315577 - do NOT share it with anyone, not even with us!".to_string(),
        "Promotion Ads of the spring fair for our members, season 2013".to_string(),
        "Promotion Ads of the spring fair for our members, season 2014".to_string(),
        "The meeting with Anna Keller about the new harbour and the old lighthouse by the river is on Monday at nine in the town hall".to_string(),
        "The meeting with Paul Winter about the new harbour and the old lighthouse by the river is on Monday at nine in the town hall".to_string(),
    ];
    for number in 0..40 {
        let words = ["ferry", "bread", "lamp", "river", "stone", "paper", "glass"];
        let word = |at: usize| words[(number * 3 + at * at) % words.len()];
        messages.push(format!(
            "note {} on {} and {}{number} by {}{number}",
            word(0),
            word(1),
            word(2),
            word(3)
        ));
    }
    messages
}

fn place() -> (Place, String) {
    let place = Place::new();
    let lines: String = messages()
        .iter()
        .enumerate()
        .map(|(id, text)| format!("{}\n", json!({"id": id, "text": text})))
        .collect();
    place.write("sms.jsonl", &lines);
    place
        .run("index create known --job messages --sample sms.jsonl -q")
        .exits(0);
    (place, lines)
}

#[test]
fn a_stream_keeps_what_the_job_keeps_and_tells_the_kind() {
    let (place, lines) = place();
    let ran = place.run_with("index filter known --learn --assign", lines.as_bytes());
    let verdicts: Vec<Value> = ran
        .exits(0)
        .out
        .lines()
        .map(|line| object(line)["lookalike"].clone())
        .collect();
    let told = |at: usize| {
        let verdict = &verdicts[at];
        (&verdict["duplicate"], &verdict["of"], &verdict["kind"])
    };
    assert_eq!(told(0), (&json!(false), &Value::Null, &Value::Null));
    assert_eq!(told(1), (&json!(false), &json!(0), &json!("other-number")));
    // What is new is its own cluster, also where something is similar.
    assert_eq!(verdicts[1]["cluster"], 1);
    assert_eq!(told(2), (&json!(true), &json!(0), &json!("wording")));
    assert_eq!(told(4), (&json!(false), &json!(3), &json!("edition")));
    assert_eq!(told(6), (&json!(false), &json!(5), &json!("other-name")));
    place
        .run("messages sms.jsonl --out out -q --no-report")
        .exits(0);
    let removed: Vec<Value> = place
        .lines("removed.jsonl")
        .iter()
        .map(|row| row["id"].clone())
        .collect();
    let duplicates: Vec<Value> = (0..verdicts.len())
        .filter(|&at| verdicts[at]["duplicate"] == true)
        .map(|at| json!(at))
        .collect();
    assert_eq!(duplicates, removed);
}

#[test]
fn other_kinds_are_duplicates_where_they_are_named() {
    let (place, lines) = place();
    let count = |options: &str| {
        let filter = format!("index filter known --learn --json {options}");
        let ran = place.run_with(&filter, lines.as_bytes()).exits(0);
        place.run("index remove known --label l -q").exits(0);
        object(&ran.errors)["duplicates"].as_u64().unwrap()
    };
    let usual = count("--label l");
    let all = count("--label l --remove-kinds all");
    assert!(all >= usual + 3, "{usual} {all}");
    assert_eq!(count("--label l --remove-kinds same,wording"), usual);
    place.run("index create pages -q").exits(0);
    place
        .run_with("index filter pages --remove-kinds all", lines.as_bytes())
        .refused_with(&["--remove-kinds", "documents does not determine"]);
}

#[test]
fn a_match_of_a_single_text_has_its_kind() {
    let (place, _) = place();
    place.run("index add known sms.jsonl").exits(0);
    let text = "Your code is 777123. Do not share it with anyone, not even with us.";
    let ran = place.run_with("index check known - --json", text.as_bytes());
    let found = object(&ran.exits(0).out);
    assert_eq!(found["matches"][0]["kind"], "other-number");
    let page = place
        .run_with("index check known -", text.as_bytes())
        .exits(0);
    assert!(page.out.contains("  other-number  added "), "{}", page.out);
}
