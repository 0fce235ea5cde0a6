//! The command `index`: what a user sees of it.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::corpus::{Language, corpus, jsonl};
use crate::support::{Place, ran};

const FERRY: &str = "The ferry leaves the old harbour at nine and comes back in the evening.";

fn place() -> Place {
    let place = Place::new();
    let docs = corpus(Language::English, 300, 5);
    place.write("known.jsonl", jsonl(&docs[..200]));
    place.write("new.jsonl", jsonl(&docs[100..]));
    place.write("ferry.txt", FERRY);
    place
}

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_text_is_added_found_and_removed() {
    let place = place();
    place.run("index create seen --keys minhash").exits(0);
    let added = place.run(
        "index add seen known.jsonl ferry.txt --label notes --now 2026-01-31 --expires 30d --json",
    );
    assert_eq!(object(&added.exits(0).out)["added"], json!(201));
    let checked = place
        .run("index check seen ferry.txt --json --explain")
        .exits(0);
    let found = &object(&checked.out)["matches"][0];
    assert_eq!(
        (&found["id"], &found["similarity"]),
        (&json!("ferry.txt"), &json!(1.0))
    );
    assert_eq!(
        (&found["label"], &found["added"]),
        (&json!("notes"), &json!(1_769_817_600))
    );
    assert_eq!(found["explanation"]["stored_text"], json!(FERRY));
    let page = place.run("index check seen --text ferry").exits(0).out;
    assert_eq!(page, "nothing similar\n");
    let late = place
        .run("index check seen ferry.txt --now 2026-03-03 --json")
        .exits(0);
    assert_eq!(object(&late.out)["matches"], json!([]));
    place.run("index remove seen ferry.txt").exits(0);
    let stats = object(&place.run("index stats seen --json").exits(0).out);
    assert_eq!(
        (&stats["documents"], &stats["removed"]),
        (&json!(200), &json!(1))
    );
    let page = place
        .run("index compact seen --now 2026-02-01")
        .exits(0)
        .out;
    assert!(page.contains("200"), "{page}");
    assert_eq!(
        place.run("index remove seen --label notes").exits(0).out,
        "200 removed, 0 left\n"
    );
}

#[test]
fn an_index_is_a_corpus_and_finds_what_the_corpus_does() {
    let place = place();
    let settings = "--keys minhash --threshold 0.6";
    place.run(&format!("index create seen {settings}")).exits(0);
    place.run("index add seen known.jsonl").exits(0);
    place
        .run(&format!(
            "documents new.jsonl --against known.jsonl --pairs all {settings} --no-report"
        ))
        .exits(0);
    let pairs = place.read("lookalike-out/pairs.jsonl");
    assert!(pairs.lines().count() > 100);
    place
        .run("documents new.jsonl --against seen --pairs all --out by-index")
        .exits(0);
    assert_eq!(place.read("by-index/pairs.jsonl"), pairs);
    place.run("show by-index --limit 1").exits(0);
    // The lookups of each record find just these pairs.
    let mut found = Vec::new();
    for line in place.read("new.jsonl").lines() {
        let id = object(line)["id"].as_str().unwrap().to_string();
        let checked = place
            .run(&format!("index check seen new.jsonl#{id} --all --json"))
            .exits(0);
        for one in object(&checked.out)["matches"].as_array().unwrap() {
            found.push((id.clone(), one["id"].clone(), one["similarity"].clone()));
        }
        if found.len() > 40 {
            break;
        }
    }
    let pairs: Vec<Value> = pairs.lines().map(object).collect();
    for (a, b, similarity) in &found {
        let same = |pair: &&Value| pair["a"] == json!(a) && pair["b"] == *b;
        let pair = pairs.iter().find(same).expect("a pair of the run");
        assert_eq!(pair["similarity"], *similarity);
    }
    let first: Vec<&Value> = pairs
        .iter()
        .take_while(|pair| pair["a"] != json!(found.last().unwrap().0))
        .collect();
    let earlier = found
        .iter()
        .filter(|(a, _, _)| *a != found.last().unwrap().0);
    assert_eq!(earlier.count(), first.len());
    place
        .run("documents new.jsonl --against seen --threshold 0.9")
        .refused_with(&[
            "threshold is 0.9",
            "the index seen was created with 0.6",
            "leave the option out",
        ]);
    place
        .run("messages new.jsonl --against seen")
        .refused_with(&["seen is an index of documents"]);
}

#[test]
fn a_stream_is_answered_line_by_line_and_learns() {
    let place = place();
    place.run("index create seen --keys minhash").exits(0);
    let mut running = place
        .command("index filter seen --learn --assign --quiet --commit-after 0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = running.stdin.take().unwrap();
    let mut output = BufReader::new(running.stdout.take().unwrap());
    let mut answer = |line: &str| {
        writeln!(input, "{line}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        answer
    };
    // Each is answered before the next one comes.
    let first = answer(&format!("{{\"id\": 1, \"text\": \"{FERRY}\"}}"));
    assert_eq!(
        first,
        format!(
            "{{\"id\": 1, \"text\": \"{FERRY}\", \"lookalike\": {{\"duplicate\":false,\"cluster\":1}}}}\n"
        )
    );
    let second = answer(&format!("{{\"text\": \"{FERRY}\"}}"));
    let verdict = &object(&second)["lookalike"];
    assert_eq!(
        *verdict,
        json!({"duplicate": true, "of": 1, "similarity": 1.0, "cluster": 1})
    );
    assert_eq!(answer("no JSON"), "no JSON\n");
    drop(input);
    assert_eq!(running.wait().unwrap().code(), Some(3));
    place
        .run("index filter seen known.jsonl --only-new --learn")
        .exits(0);
    let ran = place
        .run("index filter seen new.jsonl --only-duplicates")
        .exits(0);
    assert!(ran.out.lines().count() > 90);
    assert!(
        ran.out
            .lines()
            .all(|line| object(line)["lookalike"]["duplicate"] == json!(true))
    );
}

#[test]
fn a_stream_sees_what_another_process_adds_and_removes_meanwhile() {
    let place = place();
    place.run("index create seen --keys minhash").exits(0);
    let mut running = place
        .command("index filter seen --quiet")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = running.stdin.take().unwrap();
    let mut output = BufReader::new(running.stdout.take().unwrap());
    let mut is_duplicate = || {
        writeln!(input, "{{\"text\": \"{FERRY}\"}}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        object(&answer)["lookalike"]["duplicate"] == json!(true)
    };
    assert!(!is_duplicate());
    place.run("index add seen ferry.txt known.jsonl").exits(0);
    sleep(Duration::from_secs(1));
    assert!(is_duplicate());
    place.run("index remove seen ferry.txt").exits(0);
    place.run("index compact seen").exits(0);
    sleep(Duration::from_secs(1));
    assert!(!is_duplicate());
    drop(input);
    assert_eq!(running.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_has_enough_of_a_stream_is_no_error() {
    let place = place();
    place.run("index create seen --keys minhash").exits(0);
    let many: String = (0..20_000)
        .map(|number| format!("{{\"id\": {number}, \"text\": \"{FERRY}\"}}\n"))
        .collect();
    place.write("many.jsonl", many);
    let program = env!("CARGO_BIN_EXE_lookalike");
    let pipe = format!(
        "{program} index filter seen --learn < many.jsonl | head -n 1; exit ${{PIPESTATUS[0]}}"
    );
    let mut command = std::process::Command::new("bash");
    let ended = ran(command.arg("-c").arg(pipe).current_dir(place.root())).exits(0);
    assert_eq!(ended.errors, "");
    let found = place.run("index check seen ferry.txt --json").exits(0);
    assert_eq!(object(&found.out)["matches"][0]["id"], json!(0));
}

#[test]
fn compacting_gives_room_back() {
    let place = place();
    place.run("index create seen --keys minhash").exits(0);
    for label in ["a", "b", "c"] {
        let texts: String = corpus(Language::English, 1500, 5)
            .iter()
            .map(|doc| {
                format!(
                    "{{\"id\": \"{label}{}\", \"text\": \"{}\"}}\n",
                    doc.id, doc.text
                )
            })
            .collect();
        place.write("more.jsonl", texts);
        let add = format!("index add seen more.jsonl --label {label} --commit-every 100 -q");
        place.run(&add).exits(0);
    }
    place.run("index remove seen --label b -q").exits(0);
    place.run("index remove seen --label c -q").exits(0);
    let size = || {
        std::fs::metadata(place.path("seen/index.redb"))
            .unwrap()
            .len()
    };
    let before = size();
    place.run("index compact seen -q").exits(0);
    assert!(2 * size() < before, "{before} → {}", size());
    let stats = object(&place.run("index stats seen --json").exits(0).out);
    assert_eq!(
        (&stats["documents"], &stats["removed"]),
        (&json!(1500), &json!(0))
    );
}

#[test]
fn mail_is_known_again_under_other_subjects() {
    let place = Place::new();
    let words = "Dear friend, our excellent watches are offered with guaranteed quality for very little money. Order today \
                 from our friendly office near central station, delivery within seven days everywhere.";
    for number in 0..30 {
        let other = format!(
            "mail about project meeting number {number} with colleague minutes agenda budget schedule report"
        );
        place.write(
            &format!("archive/{number}.eml"),
            format!("Subject: notes {number}\n\n{other}\n"),
        );
    }
    place.write("archive/spam.eml", format!("Subject: watches\n\n{words}\n"));
    place
        .run("lexicon build archive --preset mail -o words.tsv")
        .exits(0);
    place.write("secret", "nobody knows\n");
    place
        .run("index create known --preset mail --lexicon words.tsv --seed-file secret --idf 0,1")
        .exits(0);
    place
        .run("index add known archive/spam.eml --label spam --seed-file secret")
        .exits(0);
    place.write(
        "in.mbox",
        format!(
            "From a Sat Jan  3 01:05:34 1998\nSubject: A watch for you\n\n{words}\n\n\
             From b Sat Jan  3 01:05:34 1998\nSubject: minutes\n\nproject meeting minutes agenda budget colleague\n"
        ),
    );
    let ran = place
        .run("index filter known in.mbox --seed-file secret")
        .exits(0);
    let verdicts: Vec<Value> = ran
        .out
        .lines()
        .map(|line| object(line)["lookalike"].clone())
        .collect();
    assert_eq!(verdicts[0]["label"], json!("spam"));
    assert_eq!(verdicts[1], json!({"duplicate": false}));
    place
        .run("index stats known")
        .fails_with(&["secret seed", "none was given"]);
}

#[test]
fn what_cannot_be_is_refused_with_the_remedy() {
    let place = place();
    place
        .run("index create seen --job messages")
        .refused_with(&["--lexicon", "--sample"]);
    place
        .run("index create seen --job messages --sample known.jsonl --quiet")
        .exits(0);
    place
        .run("index create seen")
        .fails_with(&["seen is already an index", "index add"]);
    place.write("notes/mine.txt", "mine");
    place
        .run("index create notes")
        .fails_with(&["notes already exists and is no index"]);
    place
        .run("index add nowhere known.jsonl")
        .fails_with(&["nowhere is not an index", "index create"]);
    place
        .run("index check seen missing.txt")
        .fails_with(&["missing.txt is not a file"]);
    place
        .run("index merge seen ./seen")
        .refused_with(&["with itself"]);
    place.run("index create other --job sentences").exits(2);
    place
        .run("index create other --keys every --measure edit")
        .refused_with(&["--keys minhash"]);
}
