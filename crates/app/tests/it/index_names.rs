//! Texts without ids of their own: what an index calls them, and that it forgets none.

use serde_json::{Value, json};

use crate::support::Place;

const TEXTS: [&str; 3] = [
    "The ferry leaves the old harbour at nine and comes back in the evening.",
    "The baker of the upper village sells rye bread on Tuesdays and Fridays only.",
    "Nobody expected that the lighthouse would be painted green this summer.",
];

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn seen() -> Place {
    let place = Place::new();
    place.run("index create seen").exits(0);
    place
}

/// The id and the similarity of the best match of a text.
fn best(place: &Place, text: &str) -> Value {
    let ran = place.run_with("index check seen - --json", text.as_bytes());
    object(&ran.exits(0).out)["matches"][0]["id"].clone()
}

fn documents(place: &Place) -> Value {
    object(&place.run("index stats seen --json").exits(0).out)["documents"].clone()
}

#[test]
fn what_one_process_learnt_from_a_stream_without_ids_the_next_does_not_replace() {
    let place = seen();
    for text in TEXTS {
        let line = format!("{}\n", json!({ "text": text }));
        let ran = place.run_with("index filter seen --learn --assign", line.as_bytes());
        let verdict = object(&ran.exits(0).out)["lookalike"].clone();
        assert_eq!(verdict["duplicate"], false);
        // The cluster is called as the text is stored.
        assert_eq!(verdict["cluster"], best(&place, text));
        let ran = place.run_with("index filter seen --learn", line.as_bytes());
        assert_eq!(object(&ran.exits(0).out)["lookalike"]["duplicate"], true);
    }
    assert_eq!(documents(&place), 3);
    assert_eq!(best(&place, TEXTS[0]), "stdin:1");
    for text in &TEXTS[1..] {
        let id = best(&place, text);
        assert!(id.as_str().unwrap().starts_with("stdin:1#"), "{id}");
    }
}

#[test]
fn lines_of_a_file_that_changed_are_added_and_those_that_did_not_are_there_already() {
    let place = seen();
    let lines = |texts: &[&str]| texts.join("\n") + "\n";
    let add = |options: &str| {
        let add = format!("index add seen today.txt --format lines {options} --json");
        let added = object(&place.run(&add).exits(0).out);
        ["added", "replaced", "already_there"].map(|name| added[name].as_u64().unwrap())
    };
    place.write("today.txt", lines(&[TEXTS[0], TEXTS[2]]));
    assert_eq!(add(""), [2, 0, 0]);
    place.write("today.txt", lines(&[TEXTS[1], TEXTS[2]]));
    assert_eq!(add(""), [1, 0, 1]);
    assert_eq!(add(""), [0, 0, 2]);
    assert_eq!(documents(&place), 3);
    for text in TEXTS {
        assert_ne!(best(&place, text), Value::Null, "{text}");
    }
    let page = place
        .run("index add seen today.txt --format lines")
        .exits(0);
    assert!(page.out.contains("already there"), "{}", page.out);
    // With another label it takes the place of itself.
    assert_eq!(add("--label spam"), [2, 2, 0]);
    assert_eq!(documents(&place), 3);
}

#[test]
fn ids_of_records_and_whole_files_still_replace() {
    let place = seen();
    for text in &TEXTS[..2] {
        place.write("page.txt", text);
        place.write(
            "rows.jsonl",
            format!("{}\n", json!({"id": 7, "text": text})),
        );
        place.run("index add seen page.txt rows.jsonl").exits(0);
    }
    assert_eq!(documents(&place), 2);
    assert_eq!(best(&place, TEXTS[0]), Value::Null);
}

#[test]
fn a_stream_whose_text_field_is_misspelt_is_not_let_through() {
    let place = seen();
    let lines: String = (0..1003)
        .map(|number| format!("{}\n", json!({"id": number, "body": TEXTS[0]})))
        .collect();
    for options in ["", "--only-new", "--learn"] {
        let filter = format!("index filter seen --text-field bdy {options}");
        let ran = place.run_with(&filter, lines.as_bytes());
        let ran = ran.fails_with(&["\"bdy\" is missing", "body, id", "did you mean \"body\"?"]);
        assert_eq!(ran.out, "");
    }
    // What cannot be used is passed on as soon as something can.
    let mixed = format!("{}\n{}\n", json!({"id": 1}), json!({"text": TEXTS[0]}));
    let ran = place
        .run_with("index filter seen", mixed.as_bytes())
        .exits(3);
    assert_eq!(ran.out.lines().count(), 2);
}
