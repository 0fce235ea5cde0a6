//! An index and the slips of those who use it: wrong names, odd lines, mail that does not say that it is mail.

use serde_json::{Value, json};

use crate::support::Place;

const FERRY: &str =
    "The ferry leaves the old harbour at nine and comes back in the evening. 渡轮九点离开老港口。";
const MAIL: &str = "Message-ID: <7@example.org>\nFrom: Anna <anna@example.org>\nTo: Ben <ben@example.org>\nSubject: Timetable\n\n";

/// An index of one text, and that text in a field of another name.
fn place() -> Place {
    let place = Place::new();
    place.write("ferry.txt", FERRY);
    place.run("index create seen").exits(0);
    place.run("index add seen ferry.txt").exits(0);
    let record = json!({"id": "r-1", "title": "Timetable", "content": FERRY});
    place.write("pages.jsonl", format!("{record}\n"));
    place
}

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_action_answers_in_json() {
    let place = Place::new();
    place.write("ferry.txt", FERRY);
    place.write(
        "line.jsonl",
        format!("{}\n", json!({"id": 1, "text": FERRY})),
    );
    let answer = |arguments: &str| object(&place.run(arguments).exits(0).out);
    assert_eq!(answer("index create seen --json")["keys_method"], "minhash");
    assert_eq!(answer("index create other --json")["documents"], 0);
    assert_eq!(answer("index add seen ferry.txt --json")["added"], 1);
    assert_eq!(answer("index add other line.jsonl --json")["added"], 1);
    assert_eq!(answer("index merge seen other --json")["added"], 1);
    let line = place.read("line.jsonl");
    let ran = place.run_with("index filter seen --json", line.as_bytes());
    let ran = ran.exits(0);
    assert_eq!(object(&ran.out)["lookalike"]["duplicate"], true);
    assert_eq!(
        object(&ran.errors),
        json!({"records": 1, "duplicates": 1, "rejected": 0})
    );
    let removed = answer("index remove seen ferry.txt --json");
    assert_eq!(removed, json!({"removed": 1, "left": 1}));
    let compacted = answer("index compact seen --json");
    assert_eq!(
        (&compacted["documents"], &compacted["removed"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(answer("index stats seen --json")["documents"], 1);
    assert_eq!(place.run("index compact seen -q").exits(0).out, "");
}

#[test]
fn a_misspelt_field_is_an_error_that_names_options_there_are() {
    let place = place();
    let ran = place.run("index add seen pages.jsonl --text-field contnt");
    let ran = ran.fails_with(&["did you mean \"content\"", "--text-field"]);
    assert!(!ran.errors.contains("--lenient"), "{}", ran.errors);
    // The only field with long strings is taken, and the user is told.
    let ran = place.run("index add seen pages.jsonl").exits(0);
    assert!(
        ran.errors.contains("read from \"content\""),
        "{}",
        ran.errors
    );
    let ran = place.run("index filter seen pages.jsonl").exits(0);
    assert!(
        ran.errors.contains("read from \"content\""),
        "{}",
        ran.errors
    );
}

#[test]
fn a_stream_without_the_field_of_texts_ends_with_the_fields_there_are() {
    let place = place();
    let lines = place.read("pages.jsonl").repeat(100);
    let ran = place.run_with("index filter seen --only-new", lines.as_bytes());
    ran.fails_with(&[
        "no usable record in its first",
        "\"text\" is missing",
        "content, id, title",
        "--text-field",
    ]);
    let ran = place.run_with("index filter seen", b"no\njson\n");
    ran.fails_with(&["first 2 lines", "not a JSON object", "--format"]);
    // Nothing to read is nothing wrong.
    let ran = place.run_with("index filter seen", b"\n\n").exits(0);
    assert_eq!(ran.errors, "0 records: 0 duplicates, 0 new\n");
}

#[test]
fn lines_that_cannot_be_used_are_not_lost_where_only_new_ones_are_asked_for() {
    let place = place();
    let lines = format!("{}\n{{\"id\": 2}}\n\nno JSON\n", json!({"text": FERRY}));
    let run = |options: &str| {
        let ran = place.run_with(&format!("index filter seen {options}"), lines.as_bytes());
        let ran = ran.exits(3);
        assert!(
            ran.errors
                .contains("2 records could not be used; the first is stdin:2"),
            "{}",
            ran.errors
        );
        ran.out
    };
    assert_eq!(run("--only-new"), "{\"id\": 2}\nno JSON\n");
    assert_eq!(run("--only-duplicates").lines().count(), 1);
    assert!(run("").ends_with("{\"id\": 2}\n\nno JSON\n"));
}

#[test]
fn a_mail_is_known_by_its_beginning_and_ids_are_shown_as_they_are() {
    let place = place();
    place.write("mail.eml", format!("{MAIL}{FERRY}\n"));
    place
        .run("index add seen mail.eml --now 2026-01-31")
        .exits(0);
    // As a gateway has it, without a name that ends in .eml.
    place.write("cur/1700000000.host", format!("{MAIL}{FERRY}\n"));
    let expected = "1.000  mail.eml  added 2026-01-31T00:00:00Z\n";
    let page = place
        .run("index check seen cur/1700000000.host")
        .exits(0)
        .out;
    assert!(page.starts_with(expected), "{page}");
    let mail = format!("{MAIL}{FERRY}\n");
    let page = place
        .run_with("index check seen -", mail.as_bytes())
        .exits(0)
        .out;
    assert!(page.starts_with(expected), "{page}");
    let web = format!("<!DOCTYPE html><html><body><p>{FERRY}</p></body></html>");
    let page = place
        .run_with("index check seen -", web.as_bytes())
        .exits(0)
        .out;
    assert!(page.starts_with("1.000  ferry.txt  added"), "{page}");
    place.write("saved", web);
    let page = place.run("index check seen saved").exits(0).out;
    assert!(page.starts_with("1.000  ferry.txt  added"), "{page}");
    let text = place
        .run_with("index check seen -", FERRY.as_bytes())
        .exits(0)
        .out;
    assert!(text.starts_with("1.000  ferry.txt  added"), "{text}");
}

#[test]
fn a_misspelt_label_or_id_is_an_error_that_names_the_nearest() {
    let place = Place::new();
    place.write("ferry.txt", FERRY);
    place.run("index create seen").exits(0);
    place
        .run("index remove seen --label spam")
        .fails_with(&["no text has the label \"spam\"", "no labels"]);
    place.run("index add seen ferry.txt --label news").exits(0);
    for run in [
        "index remove seen --label nwes",
        "index check seen ferry.txt --label nwes",
    ] {
        place.run(run).fails_with(&[
            "no text has the label \"nwes\" (did you mean \"news\"?)",
            "the labels in the index are: news",
        ]);
    }
    place
        .run("index remove seen fery.txt -q")
        .fails_with(&["no text in the index has the id fery.txt (did you mean ferry.txt?)"]);
    place
        .run("index remove seen")
        .refused_with(&["name the ids", "--label"]);
    // What is there is removed all the same.
    let ran = place.run("index remove seen other ferry.txt");
    let ran = ran.fails_with(&["has the id other"]);
    assert_eq!(ran.out, "1 removed, 0 left\n");
}

#[test]
fn a_record_without_an_id_is_named_by_its_line() {
    let place = place();
    let lines = format!("{}\n{}\n", json!({"text": "no"}), json!({"text": FERRY}));
    place.write("stream.jsonl", lines);
    place
        .run("index check seen stream.jsonl")
        .fails_with(&["without ids; name one by its line, as in stream.jsonl#1"]);
    let page = place.run("index check seen stream.jsonl#2").exits(0).out;
    assert!(page.starts_with("1.000  ferry.txt  added"), "{page}");
}

#[test]
fn the_summary_of_a_stream_as_json_is_all_there_is_on_standard_error() {
    let place = place();
    let lines = format!("{}\n{{\"id\": 2}}\n", json!({"text": FERRY}));
    let ran = place.run_with("index filter seen --json", lines.as_bytes());
    let summary = object(&ran.exits(3).errors);
    assert_eq!(summary["rejected"], 1);
    assert_eq!(summary["first_rejected"]["line"], 2);
}

#[test]
fn threads_below_the_threshold_are_shown_by_top_which_explains_no_keys() {
    let place = Place::new();
    let threads = [
        json!({"id": 1, "title": "What is superdense coding good for?", "body": "", "answer": "For two bits."}),
        json!({"id": 2, "title": "When does the ferry leave?", "body": "", "answer": "At nine."}),
    ];
    let lines: String = threads.iter().map(|row| format!("{row}\n")).collect();
    place.write("threads.jsonl", lines);
    place.run("index create asked --job threads -q").exits(0);
    place.run("index add asked threads.jsonl -q").exits(0);
    let mut command = place.command("index check asked --text");
    let page = crate::support::ran(command.arg("superdense")).exits(0).out;
    assert_eq!(
        page,
        "nothing reaches the threshold; --top 5 shows the five most similar threads\n"
    );
    let page = place
        .run("index check asked --text superdense --top 3")
        .exits(0);
    assert!(page.out.contains("superdense coding"), "{}", page.out);
    place
        .run("index check asked --text superdense --top 3 --explain")
        .refused_with(&["--explain", "--top", "leave one of the two out"]);
}

#[test]
fn a_number_and_a_string_are_removed_one_by_one() {
    let place = Place::new();
    let lines = format!(
        "{}\n{}\n{}\n",
        json!({"id": 7, "text": FERRY}),
        json!({"id": "7", "text": "Another text that has nothing to do with it."}),
        json!({"id": "8", "text": "And a third one about bread and butter."})
    );
    place.write("twins.jsonl", lines);
    place.run("index create seen").exits(0);
    place.run("index add seen twins.jsonl").exits(0);
    let ran = place.run("index remove seen 7").exits(0);
    assert_eq!(ran.out, "1 removed, 2 left\n");
    assert!(ran.errors.contains("'\"7\"' removes it"), "{}", ran.errors);
    let ran = place.run("index remove seen \"7\"").exits(0);
    assert_eq!(
        (ran.out.as_str(), ran.errors.as_str()),
        ("1 removed, 1 left\n", "")
    );
    let ran = place.run("index remove seen 8").exits(0);
    assert_eq!(ran.out, "1 removed, 0 left\n");
}

#[test]
fn one_text_is_named_by_its_file_and_its_id_in_every_index() {
    let place = Place::new();
    let threads = format!(
        "{}\n{}\n",
        json!({"id": 1, "title": "When does the ferry leave?", "body": "From the old harbour.", "answer": "At nine."}),
        json!({"id": "二", "title": "What is superdense coding?", "body": "In quantum computing.", "answer": "Two bits."}),
    );
    place.write("threads.jsonl", threads);
    place.run("index create asked --job threads -q").exits(0);
    place.run("index add asked threads.jsonl -q").exits(0);
    for id in ["1", "二"] {
        let check = format!("index check asked threads.jsonl#{id}");
        let page = place.run(&check).exits(0).out;
        assert!(page.starts_with(&format!("1.000  {id}  ")), "{page}");
    }
    place
        .run("index check asked threads.jsonl")
        .fails_with(&["several records", "threads.jsonl#1"]);
    place
        .run("index check asked threads.jsonl#9")
        .fails_with(&["no record has that id"]);
    // The name that jobs give to the second record with an id.
    let repeated = format!(
        "{}\n{}\n",
        json!({"id": 1, "text": "one"}),
        json!({"id": 1, "text": "two"})
    );
    place.write("repeated.jsonl", repeated);
    place.write("two.txt", "two");
    let ran = place.run("compare repeated.jsonl#1#2 two.txt").exits(0);
    assert!(ran.out.contains("jaccard           1.0000"), "{}", ran.out);
    place
        .run("compare repeated.jsonl#1#3 two.txt")
        .fails_with(&["no record has that id"]);
}

#[test]
fn what_is_not_one_text_is_refused_with_the_reason() {
    let place = place();
    place.write("papers/a.txt", FERRY);
    place
        .run("index check seen papers")
        .fails_with(&["papers is a folder", "name a file in it"]);
    place.write("paper.docx", b"PK\x03\x04\0\0\xff");
    place
        .run("index check seen paper.docx")
        .fails_with(&["paper.docx", "ZIP archive or an office document"]);
    place.write(
        "wide.jsonl",
        "{\0\"\0t\0e\0x\0t\0\"\0:\0\"\0\u{3bb}\0\"\0}\0\n",
    );
    let ran = place.run("index check seen wide.jsonl").exits(1);
    assert!(!ran.errors.contains("holds no record"), "{}", ran.errors);
}

#[test]
fn reworded_passages_are_found_by_the_job_with_an_index() {
    let place = Place::new();
    let stored = "The industrial revolution began in Britain in the late eighteenth century, when new machines for spinning \
                  cotton were introduced and steam engines began to drive factories. Workers moved from farms to towns, and \
                  cities such as Manchester grew quickly. Living conditions were poor and diseases spread easily.";
    let reworded = "In Britain, the industrial revolution started towards the end of the eighteenth century, as machines for \
                    spinning cotton came into use and factories were driven by steam engines. People left the farms and moved \
                    to towns, so cities like Manchester quickly grew. The conditions of living were bad, and disease spread \
                    with ease.";
    place.write("stored.txt", stored);
    place.write("new.txt", reworded);
    place.run("index create essays --job passages -q").exits(0);
    place.run("index add essays stored.txt -q").exits(0);
    let page = place.run("index check essays new.txt --all").exits(0).out;
    let expected = "lookalike passages FILE --against essays";
    assert!(page.contains("in nearly the same words"), "{page}");
    assert!(page.contains(expected), "{page}");
    place
        .run("passages new.txt --against essays --out out --no-report -q")
        .exits(0);
    let pairs = place.lines("pairs.jsonl");
    assert_eq!(pairs.len(), 1);
    assert_eq!(
        (&pairs[0]["a"], &pairs[0]["b"]),
        (&json!("new.txt"), &json!("stored.txt"))
    );
}

#[test]
fn a_configuration_of_another_job_is_refused_with_the_option_that_fits() {
    let place = Place::new();
    let ran = place.run("passages --print-config").exits(0);
    place.write("passages.toml", ran.out);
    place
        .run("index create seen --job documents --config passages.toml")
        .refused_with(&["was written for passages", "use --job passages"]);
}
