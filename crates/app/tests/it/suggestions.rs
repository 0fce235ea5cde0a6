//! `threads --top K`: what is most similar to each thread, whatever the threshold.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::kill::Moments;
use crate::support::threads::{lines, many_threads, thread};
use crate::support::{Place, bytes};

fn with(records: &[Value]) -> Place {
    let place = Place::new();
    place.write("threads.jsonl", lines(records));
    place
}

/// The ids suggested for each thread.
fn suggested(place: &Place) -> BTreeMap<String, Vec<String>> {
    let name = |value: &Value| value["id"].to_string().replace('"', "");
    let rows = place.lines("suggestions.jsonl");
    let row = |row: &Value| {
        let similar = row["similar"].as_array().unwrap();
        (name(row), similar.iter().map(name).collect())
    };
    rows.iter().map(row).collect()
}

fn questions() -> Vec<Value> {
    vec![
        thread(
            "tu",
            ["Est-ce qu'on se tutoie ici ?", "Entre habitués.", ""],
        ),
        thread(
            "vous",
            [
                "Nous tutoyons-nous sur ce site ?",
                "Je viens d'arriver.",
                "",
            ],
        ),
        thread(
            "pain",
            ["Comment faire du pain ?", "Sans machine.", "Au four."],
        ),
        thread("天气", ["北京今天天气怎么样？", "要带伞吗", "下雨"]),
        thread("伞", ["今天在北京要带伞吗？", "出门前想知道", "要带"]),
        thread("empty", ["", "", ""]),
    ]
}

#[test]
fn what_shares_rare_words_is_suggested_first_in_any_language() {
    let place = with(&questions());
    place.threads("threads.jsonl --top 1").exits(0);
    let suggested = suggested(&place);
    for (one, other) in [("tu", "vous"), ("天气", "伞")] {
        assert_eq!(suggested[one], [other]);
        assert_eq!(suggested[other], [one]);
    }
    assert!(suggested["empty"].is_empty());
    assert_eq!(place.summary()["suggestions"]["records"], 6);
}

#[test]
fn suggestions_are_shown_with_titles() {
    let place = with(&questions());
    let ran = place
        .threads("threads.jsonl --top 3 --threshold 0.9 --no-report")
        .exits(0);
    assert!(
        ran.out.contains("of the true best 3, measured"),
        "{}",
        ran.out
    );
    let next = ran.out.lines().last().unwrap();
    assert!(next.contains("lookalike show out --id ID"), "{next}");
    let shown = place.run("show out --id 天气").exits(0).out;
    assert!(
        shown.contains("The record 天气 is in no pair")
            && shown.contains("most similar to 天气  北京今天天气怎么样？\n")
            && shown.contains("  伞  今天在北京要带伞吗？\n"),
        "{shown}"
    );
    let json = place.run("show out --id 天气 --json").exits(0).out;
    let row: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(row["similar"][0]["id"], "伞");
    let none = place.run("show out").exits(0).out;
    assert!(
        none.contains("--id ID shows what is most similar"),
        "{none}"
    );
    place
        .run("show out --id nobody")
        .fails_with(&["no record in out has the id nobody"]);
}

#[test]
fn a_suggestion_says_how_similar_each_field_is() {
    let place = with(&questions());
    place.threads("threads.jsonl --top 2").exits(0);
    let rows = place.lines("suggestions.jsonl");
    let best = &rows[4]["similar"][0];
    assert_eq!(best["id"], "天气");
    let fields = best["fields"].as_object().unwrap();
    assert!(fields.keys().eq(["answer", "body", "title"]));
    assert!(fields["title"].as_f64().unwrap() > 0.1, "{best}");
    assert!(rows[0]["similar"][0]["fields"]["answer"].is_null());
}

#[test]
fn identical_copies_are_one_entry_and_ties_come_in_input_order() {
    let bread = |id: &str| thread(id, ["How do I bake bread?", "No machine.", "Hot oven."]);
    let soup = |id: &str| thread(id, ["How do I cook soup?", "With bread.", "In a pot."]);
    let records = [bread("a"), soup("x"), bread("b"), soup("y"), bread("c")];
    let place = with(&records);
    place.threads("threads.jsonl --top 5").exits(0);
    let suggested = suggested(&place);
    assert_eq!(suggested["a"], ["b", "x"]);
    assert_eq!(suggested["b"], ["a", "x"]);
    assert_eq!(suggested["y"], ["x", "a"]);
    assert_eq!(
        place.lines("suggestions.jsonl")[4]["similar"][0]["similarity"],
        1.0
    );
}

#[test]
fn nothing_else_depends_on_suggestions_nor_these_on_the_threshold() {
    let place = with(&many_threads(300, 7));
    let others = || {
        let all = bytes(&place.path("out"));
        ["pairs.jsonl", "clusters.jsonl", "removed.jsonl"].map(|name| all[name].clone())
    };
    place.threads("threads.jsonl").exits(0);
    let without = others();
    place.threads("threads.jsonl --top 3").exits(0);
    assert_eq!(others(), without);
    let suggestions = place.read("out/suggestions.jsonl");
    place
        .threads("threads.jsonl --top 3 --threshold 0.9")
        .exits(0);
    assert_eq!(place.read("out/suggestions.jsonl"), suggestions);
}

#[test]
fn suggestions_come_from_the_corpus_that_the_input_is_compared_with() {
    let place = with(&questions()[..2]);
    place.write("corpus.jsonl", lines(&questions()[1..]));
    place
        .threads("threads.jsonl --against corpus.jsonl --top 2")
        .exits(0);
    let suggested = suggested(&place);
    assert_eq!(suggested.len(), 2);
    assert_eq!(suggested["tu"][0], "vous");
    assert_eq!(suggested["vous"][0], "vous");
}

#[test]
fn suggestions_are_the_same_with_any_memory_and_threads_and_after_a_kill() {
    let place = with(&many_threads(4000, 3));
    let run = "threads.jsonl --top 5";
    place
        .threads(&format!("{run} --threads 1 --memory 2GB"))
        .exits(0);
    let expected = place.read("out/suggestions.jsonl");
    let summary = place.summary();
    assert!(
        summary["suggestions"]["recall"].as_f64().unwrap() > 0.95,
        "{summary}"
    );
    for more in ["--threads 3 --memory 90MB", "--threads 1 --memory 90MB"] {
        place.threads(&format!("{run} {more}")).exits(0);
        assert_eq!(place.read("out/suggestions.jsonl"), expected, "{more}");
    }
    let mut moments = Moments::new();
    let command = format!("threads --out killed {run} --checkpoint-every 0");
    for _ in 0..4 {
        moments.kill(&place, place.command(&command));
    }
    place.run(&command).exits(0);
    assert_eq!(place.read("killed/suggestions.jsonl"), expected);
}

#[test]
fn a_rejected_record_has_no_row() {
    let place = Place::new();
    let threads = lines(&questions()[..2]);
    place.write(
        "threads.jsonl",
        format!("{threads}{{\"id\": 7, \"title\": \n"),
    );
    place.threads("threads.jsonl --top 1").exits(3);
    assert_eq!(suggested(&place).len(), 2);
}

#[test]
fn suggestions_are_for_threads_and_not_for_too_many() {
    let place = with(&questions());
    place
        .threads("threads.jsonl --top 0")
        .refused_with(&["--top 0", "between 1 and 1000", "5 is"]);
    place.write("top.toml", "job = \"documents\"\ntop = 3\n");
    place
        .run("documents threads.jsonl --config top.toml")
        .refused_with(&["for threads", "leave it out"]);
}
