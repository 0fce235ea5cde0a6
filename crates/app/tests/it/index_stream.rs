//! An index that learns from a stream which pauses, is stopped, or uses an id twice.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Place;

const FERRY: &str = "The ferry leaves the old harbour at nine and comes back in the evening.";
const BRIDGE: &str = "The bridge over the river was closed in May, and nobody knows for how long.";
const PIER: &str = "新码头在市场旁边，五月开始建造，不到一年就完工了，渡轮每天九点出发。";

fn line(id: &str, text: &str) -> String {
    format!("{}\n", json!({"id": id, "text": text}))
}

/// How many texts another process sees in the index.
fn stored(place: &Place) -> u64 {
    let said = place.run("index stats seen --json").exits(0).out;
    let stats: Value = serde_json::from_str(&said).unwrap();
    stats["documents"].as_u64().unwrap()
}

/// A filter that learns, has answered these lines and waits for more.
fn learning(place: &Place, options: &str, lines: &[String]) -> (Child, ChildStdin) {
    place.run("index create seen").exits(0);
    let mut command = place.command(&format!("index filter seen --learn {options}"));
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.concat().as_bytes()).unwrap();
    input.flush().unwrap();
    let answers = BufReader::new(child.stdout.as_mut().unwrap());
    assert_eq!(answers.lines().take(lines.len()).count(), lines.len());
    (child, input)
}

#[test]
fn what_was_learnt_is_committed_though_nothing_more_arrives() {
    let place = Place::new();
    let lines = [line("a", FERRY), line("b", BRIDGE)];
    let (mut child, input) = learning(&place, "", &lines);
    let begun = Instant::now();
    while stored(&place) < 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "never committed");
        sleep(Duration::from_millis(50));
    }
    // No crash can take it any more.
    child.kill().unwrap();
    child.wait().unwrap();
    drop(input);
    assert_eq!(stored(&place), 2);
}

#[test]
fn a_request_to_end_commits_what_was_answered() {
    for signal in ["-TERM", "-INT"] {
        let place = Place::new();
        let lines = [line("a", FERRY), line("b", PIER)];
        let (child, input) = learning(&place, "--commit-after 3600", &lines);
        let mut kill = Command::new("kill");
        kill.arg(signal).arg(child.id().to_string());
        assert!(kill.status().unwrap().success());
        let ended = child.wait_with_output().unwrap();
        drop(input);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(0), "{said}");
        assert_eq!(
            said,
            "2 records: 0 duplicates, 2 new; stopped, and everything answered so far is in the index\n"
        );
        assert_eq!(stored(&place), 2);
    }
}

#[test]
fn lines_that_wait_for_a_record_are_passed_on_when_the_filter_is_stopped() {
    let place = Place::new();
    place.run("index create seen").exits(0);
    let mut command = place.command("index filter seen");
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"no JSON\n{\"id\": 1}\n").unwrap();
    input.flush().unwrap();
    sleep(Duration::from_millis(500));
    let mut kill = Command::new("kill");
    assert!(kill.arg(child.id().to_string()).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(ended.status.code(), Some(3));
    assert_eq!(ended.stdout, b"no JSON\n{\"id\": 1}\n");
}

#[test]
fn texts_that_give_way_to_a_later_one_with_their_id_are_counted() {
    let place = Place::new();
    place.run("index create seen").exits(0);
    let lines = [line("a", FERRY), line("b", PIER)].concat();
    let ran = place.run_with("index filter seen --learn", lines.as_bytes());
    assert_eq!(ran.exits(0).errors, "2 records: 0 duplicates, 2 new\n");
    // One of the index, and one of the same stream.
    let lines = [
        line("a", BRIDGE),
        line("c", "Nothing like it."),
        line("c", FERRY),
    ]
    .concat();
    let ran = place.run_with("index filter seen --learn", lines.as_bytes());
    assert_eq!(
        ran.exits(0).errors,
        "3 records: 0 duplicates, 3 new, 2 of them in place of a text with the same id\n"
    );
    assert_eq!(stored(&place), 3);
}

#[test]
fn an_empty_text_takes_no_other_ones_place() {
    let place = Place::new();
    place.run("index create seen").exits(0);
    let lines = [line("a", FERRY), line("a", " \n ")].concat();
    let ran = place.run_with("index filter seen --learn", lines.as_bytes());
    assert_eq!(ran.exits(0).errors, "2 records: 0 duplicates, 2 new\n");
    let ran = place.run_with("index filter seen", line("z", FERRY).as_bytes());
    let answer: Value = serde_json::from_str(&ran.exits(0).out).unwrap();
    assert_eq!(answer["lookalike"]["of"], "a");
}

#[test]
fn a_stream_that_goes_on_follows_the_clock() {
    let place = Place::new();
    place.run("index create seen").exits(0);
    let mut command = place.command("index filter seen --learn --now now --expires 2s -q");
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut is_duplicate = |id: &str| {
        input.write_all(line(id, FERRY).as_bytes()).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        answer["lookalike"]["duplicate"] == json!(true)
    };
    assert!(!is_duplicate("a"));
    assert!(is_duplicate("b"));
    sleep(Duration::from_millis(3100));
    // By now the first is expired, and this one is new, for two seconds of its own.
    assert!(!is_duplicate("c"));
    assert!(is_duplicate("d"));
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut command = place.command("index check seen --json --text");
    let found = crate::support::ran(command.arg(FERRY)).exits(0).out;
    let found: Value = serde_json::from_str(&found).unwrap();
    let times = |id: &str| {
        let mut all = found["matches"].as_array().unwrap().iter();
        let one = all.find(|one| one["id"] == json!(id)).unwrap();
        ["added", "expires"].map(|name| one[name].as_u64().unwrap())
    };
    let ([a, a_ends], [c, c_ends]) = (times("a"), times("c"));
    assert!(c >= a + 3, "{found}");
    assert_eq!((a_ends, c_ends), (a + 2, c + 2));
}

#[test]
fn a_time_that_is_given_stays() {
    let place = Place::new();
    place.run("index create seen").exits(0);
    let lines = [line("a", FERRY), line("b", BRIDGE)].concat();
    let learn = "index filter seen --learn --now 2026-01-31 --expires 1d -q";
    place.run_with(learn, lines.as_bytes()).exits(0);
    let mut command = place.command("index check seen --text");
    let page = crate::support::ran(command.arg(BRIDGE)).exits(0).out;
    let expected = "1.000  b  added 2026-01-31T00:00:00Z  until 2026-02-01T00:00:00Z\n";
    assert_eq!(page, expected);
}
