//! `lookalike recluster`: a new result from the pairs of a finished one says what a new run would say.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::Place;

const NOTICE: &str = "Dear customer, your parcel number 4711 lies at the counter of the old station in Marlstone until Friday";

/// Messages of which some pairs are similar and others only just, of several kinds.
fn messages() -> Place {
    let place = Place::new();
    let texts = [
        NOTICE.to_string(),
        NOTICE.replace("lies", "waits"),
        NOTICE.replace("4711", "4712"),
        NOTICE.replace(
            "old station in Marlstone until Friday",
            "新的 邮局 on the hill since Monday",
        ),
        "Nobody knows who painted the ceiling of the hall before it was found under lime"
            .to_string(),
        "Nobody knows who painted the ceiling of that hall since it was hidden under soot"
            .to_string(),
        NOTICE.to_string(),
    ];
    let record = |(id, text): (usize, &String)| format!("{}\n", json!({"id": id, "text": text}));
    let lines: String = texts.iter().enumerate().map(record).collect();
    place.write("in.jsonl", lines);
    place
}

fn summary(place: &Place, out: &str) -> Value {
    serde_json::from_str(&place.read(&format!("{out}/summary.json"))).unwrap()
}

fn ids_in(place: &Place, file: &str, names: &[&str]) -> BTreeSet<String> {
    let text = place.read(file);
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.flat_map(|row| {
        names
            .iter()
            .map(|name| row[*name].to_string())
            .collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn kinds_and_records_are_those_of_a_new_run() {
    let place = messages();
    let run = |threshold: &str, out: &str| {
        let run = format!("messages in.jsonl --threshold {threshold} --out {out} --keep longest");
        place.run(&run).exits(0).out
    };
    run("0.3", "low");
    let whole = run("0.8", "whole");
    let again = place
        .run("recluster low --threshold 0.8 --out again")
        .exits(0)
        .out;
    for name in [
        "pairs.jsonl",
        "clusters.jsonl",
        "removed.jsonl",
        "records.jsonl",
    ] {
        let read = |out: &str| place.read(&format!("{out}/{name}"));
        assert_eq!(read("again"), read("whole"), "{name}");
    }
    let [low, new, old] = ["low", "whole", "again"].map(|out| summary(&place, out));
    assert!(low["kinds"] != new["kinds"], "the test needs other kinds");
    assert_eq!(old["kinds"], new["kinds"]);
    assert_eq!(old["similarities"], new["similarities"]);
    for kind in ["wording", "other-number"] {
        let line = |page: &str| {
            let line = page.lines().find(|line| line.trim().starts_with(kind));
            line.map(str::to_string)
        };
        assert_eq!(line(&again), line(&whole), "{again}");
    }
    let records = ids_in(&place, "again/records.jsonl", &["id"]);
    assert_eq!(records, ids_in(&place, "again/pairs.jsonl", &["a", "b"]));
    assert!(records.len() < ids_in(&place, "low/records.jsonl", &["id"]).len());
}

#[test]
fn a_result_made_again_can_be_made_again() {
    let place = messages();
    place
        .run("messages in.jsonl --threshold 0.3 --out low --quiet")
        .exits(0);
    for (from, out, options) in [
        ("low", "once", "--threshold 0.5 --keep longest"),
        ("once", "twice", "--threshold 0.8 --keep last"),
        ("low", "direct", "--threshold 0.8 --keep last"),
    ] {
        place
            .run(&format!("recluster {from} {options} --out {out} --quiet"))
            .exits(0);
    }
    for name in [
        "pairs.jsonl",
        "clusters.jsonl",
        "removed.jsonl",
        "records.jsonl",
    ] {
        let read = |out: &str| place.read(&format!("{out}/{name}"));
        assert_eq!(read("twice"), read("direct"), "{name}");
    }
}

#[test]
fn suggestions_stay_and_seconds_are_its_own() {
    let place = Place::new();
    let thread = |id: usize, title: &str| format!("{}\n", json!({"id": id, "title": title}));
    let lines = thread(1, "How do I fly a kite?")
        + &thread(2, "How do I fly a kite")
        + &thread(3, "How do I fly a small kite?");
    place.write("in.jsonl", lines);
    place
        .run("threads in.jsonl --fields title --threshold 0.3 --top 2 --out low --quiet")
        .exits(0);
    place
        .run("recluster low --threshold 0.99 --out high --quiet")
        .exits(0);
    let suggestions = |out: &str| place.read(&format!("{out}/suggestions.jsonl"));
    assert!(suggestions("low").lines().count() == 3);
    assert_eq!(suggestions("high"), suggestions("low"));
    let stages = summary(&place, "high")["seconds"].clone();
    assert!(stages.get("sign").is_none(), "{stages}");
}

#[test]
fn the_recall_is_that_of_the_new_threshold() {
    let place = messages();
    let run = |threshold: &str, bands: &str, out: &str| {
        let settings = "--features shingles:words:1 --keys minhash --quiet";
        let run =
            format!("documents in.jsonl {settings} {bands} --threshold {threshold} --out {out}");
        place.run(&run).exits(0);
    };
    run("0.5", "--bands 9 --rows 2", "low");
    run("0.8", "--bands 9 --rows 2", "whole");
    place
        .run("recluster low --threshold 0.8 --out again --quiet")
        .exits(0);
    let [low, whole, again] = ["low", "whole", "again"].map(|out| summary(&place, out));
    assert!(low["recall"]["at_threshold"] != whole["recall"]["at_threshold"]);
    assert_eq!(again["recall"], whole["recall"]);
}

#[test]
fn a_report_without_texts_is_said() {
    let place = messages();
    place
        .run("messages in.jsonl --threshold 0.3 --out low --quiet")
        .exits(0);
    place.write("in.jsonl", "{\"id\": 1, \"text\": \"另一个\"}\n");
    let ran = place
        .run("recluster low --threshold 0.8 --out high")
        .exits(0);
    let said = ran
        .out
        .contains("the report has no texts: in.jsonl changed");
    assert!(said, "{}", ran.out);
}

#[test]
fn what_variants_of_one_text_leave_open_is_said_once() {
    let place = Place::new();
    let text = |id: usize| {
        let words: Vec<String> = (0..60).map(|at| format!("wort{at}")).collect();
        format!("{} 尾{id} ende{id}", words.join(" "))
    };
    let line = |id: usize| format!("{}\n", json!({"id": id, "text": text(id)}));
    place.write("in.jsonl", (0..600).map(line).collect::<String>());
    place
        .run("documents in.jsonl --keys minhash --threshold 0.5 --out low --quiet")
        .exits(0);
    let open = summary(&place, "low")["hot_buckets"]["pairs_not_compared"].clone();
    assert!(open.as_u64().unwrap() > 0, "the test needs hot buckets");
    place
        .run("recluster low --threshold 0.6 --out once --quiet")
        .exits(0);
    let page = place
        .run("recluster once --threshold 0.7 --out twice")
        .exits(0)
        .out;
    assert_eq!(
        page.matches("pairs among variants of a few texts").count(),
        1,
        "{page}"
    );
}
