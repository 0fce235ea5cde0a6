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
fn pairs_with_ids_that_the_input_does_not_have_are_skipped_and_counted() {
    let place = place();
    let found = "{\"a\": 1, \"b\": 2, \"label\": 1}\n";
    for (other, said) in [
        (
            "{\"a\": \"1\", \"b\": 4}\n",
            "1 gold pair names ids that are not in the input, such as \"1\"; there ids are numbers",
        ),
        (
            "{\"a\": 1, \"b\": 99}\n{\"a\": 98, \"b\": 99}\n",
            "2 gold pairs name ids that are not in the input, such as 98\n",
        ),
    ] {
        place.write("gold.jsonl", format!("{found}{other}"));
        let ran = place.run("judge out --gold gold.jsonl --listed").exits(0);
        assert!(ran.out.contains(said), "{}", ran.out);
        assert!(
            ran.out.contains("1.0000 (1 of 1 right pairs are found)"),
            "{}",
            ran.out
        );
        let ran = place
            .run("judge out --gold gold.jsonl --listed --json")
            .exits(0);
        let verdict: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(verdict["skipped_pairs"], other.lines().count());
    }
    // What is there and was not found is still missed.
    place.write("gold.jsonl", format!("{found}{{\"a\": 1, \"b\": 3}}\n"));
    let ran = place.run("judge out --gold gold.jsonl --listed").exits(0);
    assert!(
        ran.out.contains("0.5000 (1 of 2 right pairs"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("skipped"), "{}", ran.out);
    place.write("gold.jsonl", "{\"a\": 1, \"b\": 99}\n");
    place.run("judge out --gold gold.jsonl").fails_with(&[
        "1 gold pair names ids that are not in the input",
        "no other pair is left",
    ]);
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

#[test]
fn ids_in_another_form_are_told_where_a_corpus_has_the_texts() {
    let place = Place::new();
    let records = "id,text\n1,the ferry 渡轮\n2,the ferry 渡轮 leaves\n3,bread\n4,bread is baked\n";
    place.write("pages.csv", records);
    let line =
        |a: u32, b: u32, label: u32| format!("{}\n", json!({"a": a, "b": b, "label": label}));
    place.write(
        "gold.jsonl",
        line(1, 2, 1) + &line(3, 4, 1) + &line(1, 3, 0),
    );
    for command in ["judge --gold gold.jsonl", "tune gold.jsonl -o c.toml"] {
        place
            .run(&format!("{command} --corpus pages.csv"))
            .fails_with(&["there ids are strings, in the gold numbers"]);
    }
    // Strings of digits are not taken for texts either.
    place.write(
        "pages.jsonl",
        "{\"id\": 1, \"text\": \"渡轮\"}\n{\"id\": 2, \"text\": \"bread\"}\n",
    );
    let line =
        |a: &str, b: &str, label: u32| format!("{}\n", json!({"a": a, "b": b, "label": label}));
    place.write("gold.jsonl", line("1", "2", 1) + &line("1", "3", 0));
    place
        .run("tune gold.jsonl --corpus pages.jsonl -o c.toml")
        .fails_with(&["there ids are numbers, in the gold strings"]);
    assert!(!place.path("c.toml").exists());
}

#[test]
fn links_without_their_posts_ask_for_them() {
    let place = Place::new();
    place.write(
        "PostLinks.xml",
        "\u{feff}<?xml version=\"1.0\"?>\n<postlinks>\n<row PostId=\"2\" RelatedPostId=\"1\" LinkTypeId=\"3\" />\n</postlinks>\n",
    );
    for command in ["judge --gold PostLinks.xml", "tune PostLinks.xml -o c.toml"] {
        place.run(command).fails_with(&[
            "PostLinks.xml has links between posts",
            "--corpus Posts.xml",
        ]);
    }
}

#[test]
fn what_a_result_removes_is_found_also_for_copies() {
    let place = Place::new();
    let thread = |id: &str, title: &str, answer: &str| {
        format!(
            "{}\n",
            json!({"id": id, "title": title, "body": "我忘了", "answer": answer})
        )
    };
    let short = "Click on forgot password";
    let long = "Click on forgot password, then follow the link in the mail";
    place.write(
        "threads.jsonl",
        thread("p", "How do I reset my password?", short)
            + &thread("q", "How do I reset my old password", long)
            + &thread("r", "How do I reset my password?", short),
    );
    place.run("threads threads.jsonl --out out").exits(0);
    assert!(
        place
            .read("out/removed.jsonl")
            .contains("\"r\",\"kept\":\"q\"")
    );
    // The pairs listed are p–q and p–r.
    place.write("gold.jsonl", "{\"a\": \"q\", \"b\": \"r\", \"label\": 1}\n");
    let recall = |options: &str| {
        let judge = format!("judge out --gold gold.jsonl --json {options}");
        let verdict: Value = serde_json::from_str(&place.run(&judge).exits(0).out).unwrap();
        (
            verdict["recall"].clone(),
            verdict["false_positives"].clone(),
        )
    };
    assert_eq!(recall("--listed"), (json!(1.0), json!(0)));
    assert_eq!(recall("--complete"), (json!(1.0), json!(2)));
    // A text that two hold is no link between the two.
    let line = |id: &str, text: &str| format!("{}\n", json!({"id": id, "text": text}));
    let one = "the ferry leaves the old harbour at nine";
    place.write(
        "texts.jsonl",
        line("whole", &format!("{one} and bread is baked at night 面包"))
            + &line("part", one)
            + &line(
                "other",
                &format!("{one} while nobody waits on the quay 渡轮"),
            ),
    );
    place
        .documents("texts.jsonl --remove contained --restart")
        .exits(0);
    place.write(
        "gold.jsonl",
        "{\"a\": \"whole\", \"b\": \"other\", \"label\": 0}\n{\"a\": \"part\", \"b\": \"other\"}\n",
    );
    assert_eq!(recall("--listed"), (json!(1.0), json!(0)));
}
