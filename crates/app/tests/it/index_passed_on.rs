//! What an index filter passes on: all of each record, whatever file it comes from, with one field more.

use serde_json::{Value, json};

use crate::support::Place;

const FERRY: &str = "The ferry leaves the old harbour at nine and comes back in the evening.";
const PIER: &str = "新码头在市场旁边，五月开始建造，不到一年就完工了，渡轮每天九点出发。";

fn place() -> Place {
    let place = Place::new();
    place.write("ferry.txt", FERRY);
    place.run("index create seen").exits(0);
    place.run("index add seen ferry.txt").exits(0);
    place
}

fn objects(lines: &str) -> Vec<Value> {
    let lines = lines.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn lines_of_a_file_are_passed_on_as_those_of_standard_input() {
    let place = place();
    let lines = format!(
        "{{\"id\": 1, \"url\": \"x\", \"text\": \"{FERRY}\", \"n\": 1.50}}   \r\n\
         \t\r\n no JSON \n{{\"id\": [2], \"text\": \"{PIER}\"}}\n\
         {{\"id\": 3, \"text\": \"{PIER}\", \"tags\": [\"a\", {{}}]}}\n{{\"id\": 4}}"
    );
    place.write("in.jsonl", &lines);
    for options in ["", "--only-new", "--only-duplicates"] {
        let piped = place.run_with(&format!("index filter seen {options}"), lines.as_bytes());
        let piped = piped.exits(3);
        let read = place.run(&format!("index filter seen in.jsonl {options}"));
        let read = read.exits(3);
        assert_eq!(read.out, piped.out);
        assert!(
            read.errors.contains("3 records could not be used"),
            "{}",
            read.errors
        );
    }
    let all = place.run("index filter seen in.jsonl -q").exits(3).out;
    let first = format!(
        "{{\"id\": 1, \"url\": \"x\", \"text\": \"{FERRY}\", \"n\": 1.50, \"lookalike\": \
         {{\"duplicate\":true,\"of\":\"ferry.txt\",\"similarity\":1.0}}}}   \r\n\t\r\n no JSON \n"
    );
    assert!(all.starts_with(&first), "{all}");
    assert!(all.ends_with("\n{\"id\": 4}\n"), "{all}");
    let limited = place.run("index filter seen in.jsonl --limit 1 -q");
    assert_eq!(limited.exits(0).out.lines().count(), 2);
}

#[test]
fn rows_of_a_table_keep_their_columns() {
    let place = place();
    let table = format!("nr,text,price\n7,\"{FERRY}\",3.50\n8,\"{PIER}\",\n");
    place.write("in.csv", table);
    let ran = place.run("index filter seen in.csv --id-field nr").exits(0);
    let rows = objects(&ran.out);
    assert_eq!(
        rows[0],
        json!({"nr": "7", "text": FERRY, "price": "3.50",
               "lookalike": {"duplicate": true, "of": "ferry.txt", "similarity": 1.0}})
    );
    assert_eq!(
        rows[1],
        json!({"nr": "8", "text": PIER, "price": null, "lookalike": {"duplicate": false}})
    );
    // One without an id is named by where it stands, and a folder may have files of all formats.
    place.write("all/a.csv", format!("text,price\n{FERRY},1\n"));
    place.write("all/b.txt", PIER);
    place.write("all/c.jsonl", json!({"text": PIER, "more": 1}).to_string());
    let ran = place.run("index filter seen all -q").exits(0);
    let rows = objects(&ran.out);
    assert_eq!(
        (&rows[0]["id"], &rows[0]["price"]),
        (&json!("all/a.csv:2"), &json!("1"))
    );
    assert_eq!(
        (&rows[1]["id"], &rows[1]["text"]),
        (&json!("all/b.txt"), &json!(PIER))
    );
    assert_eq!((&rows[2].get("id"), &rows[2]["more"]), (&None, &json!(1)));
}

#[test]
fn what_cannot_be_used_is_passed_on_and_says_so() {
    let place = place();
    let table = format!("nr,text,price\n7,\"{FERRY}\",3.50\n8,short\n9,\"{PIER}\",1\n,{PIER},2\n");
    place.write("in.csv", table);
    let run = |options: &str| {
        let arguments = format!("index filter seen in.csv --id-field nr {options}");
        place.run(&arguments).exits(3)
    };
    let ran = run("");
    assert!(
        ran.errors.contains("2 records could not be used"),
        "{}",
        ran.errors
    );
    let rows = objects(&ran.out);
    assert_eq!(rows.len(), 4, "{}", ran.out);
    let reason = "the row has 2 cells, but the header has 3 columns; is a quote missing?";
    assert_eq!(
        rows[1],
        json!({"source": "in.csv", "line": 3, "row": "8,short", "lookalike": {"unusable": reason}})
    );
    assert_eq!(
        (&rows[3]["text"], &rows[3]["price"]),
        (&json!(PIER), &json!("2"))
    );
    let reason = rows[3]["lookalike"]["unusable"].as_str().unwrap();
    assert!(reason.starts_with("field \"nr\" is missing"), "{reason}");
    assert_eq!(run("--only-new").out.lines().count(), 3);
    assert_eq!(run("--only-duplicates").out.lines().count(), 1);
}

#[test]
fn a_text_that_is_null_is_called_so() {
    let place = place();
    let lines = format!("{{\"id\": 1, \"text\": \"{FERRY}\"}}\n{{\"id\":2,\"text\":null}}\n");
    let ran = place
        .run_with("index filter seen", lines.as_bytes())
        .exits(3);
    assert!(
        ran.errors
            .contains("stdin:2: field \"text\" is null, not a string"),
        "{}",
        ran.errors
    );
}

#[test]
fn an_answer_of_an_earlier_pass_gives_way() {
    let place = place();
    let line = format!("{}\n", json!({"id": 1, "text": FERRY}));
    let once = place.run_with("index filter seen -q", line.as_bytes());
    let once = once.exits(0).out;
    let twice = place.run_with("index filter seen -q", once.as_bytes());
    assert_eq!(twice.exits(0).out, once);
    place.write("once.jsonl", &once);
    place
        .run("documents once.jsonl --annotate twice.jsonl --no-report -q")
        .exits(0);
    let twice = place.read("twice.jsonl");
    assert_eq!(twice.matches("\"lookalike\"").count(), 1, "{twice}");
    assert_eq!(objects(&twice)[0]["lookalike"]["kept"], true);
}
