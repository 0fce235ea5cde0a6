//! `lookalike messages` as its users run it.

use std::collections::BTreeSet;

use crate::support::corpus::Random;
use crate::support::{Place, bytes};
use serde_json::{Value, json};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/messages.txt");

fn messages(texts: &[&str]) -> String {
    let line = |(id, text): (usize, &&str)| json!({"id": id, "text": text}).to_string() + "\n";
    texts.iter().enumerate().map(line).collect()
}

/// The pairs that are listed, by their ids.
fn pairs(place: &Place, arguments: &str) -> BTreeSet<(u64, u64)> {
    place
        .run(&format!("messages --out out {arguments}"))
        .exits(0);
    let end = |line: &Value, name: &str| line[name].as_u64().unwrap();
    let listed = place.lines("pairs.jsonl");
    listed
        .iter()
        .map(|line| (end(line, "a"), end(line, "b")))
        .collect()
}

fn summary(place: &Place) -> Value {
    serde_json::from_str(&place.read("out/summary.json")).unwrap()
}

/// Messages of which many are variants of earlier ones.
fn generated(count: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let word = |random: &mut Random| {
        let most = 1 + random.below(800);
        format!("w{}", random.below(most))
    };
    let mut seen: Vec<Vec<String>> = Vec::new();
    let mut text = String::new();
    for id in 0..count {
        let mut words: Vec<String> = match seen.len() {
            0 => Vec::new(),
            some if random.one_in(3) => seen[random.below(some)].clone(),
            _ => (0..3 + random.below(14))
                .map(|_| word(&mut random))
                .collect(),
        };
        if !words.is_empty() {
            let place = random.below(words.len());
            words[place] = word(&mut random);
        }
        text += &format!("{}\n", json!({"id": id, "text": words.join(" ")}));
        seen.push(words);
    }
    text
}

#[test]
fn a_line_is_a_message_and_variants_of_templates_are_found() {
    let place = Place::new();
    let ran = place.run(&format!("messages {EXAMPLE} --out out --remove-kinds all"));
    let ran = ran.exits(0);
    assert!(ran.out.contains("57"), "{}", ran.out);
    let clusters = place.lines("clusters.jsonl");
    let sizes: Vec<u64> = clusters
        .iter()
        .map(|line| line["size"].as_u64().unwrap())
        .collect();
    // The disguised advertisement in all its forms, and the codes of the bank.
    assert!(sizes.contains(&7) && sizes.contains(&6), "{sizes:?}");
    assert_eq!(summary(&place)["recall"]["exact"], true);
}

#[test]
fn standard_input_is_read_line_by_line_and_cleaned_as_it_was() {
    let place = Place::new();
    place.write(
        "in.txt",
        "Win cash now!\nhello there\r\nWIN   cash, now\n\nhello  there",
    );
    place
        .run("messages in.txt --out out --deduplicated clean.txt")
        .exits(0);
    assert_eq!(place.read("clean.txt"), "Win cash now!\nhello there\r\n\n");
}

#[test]
fn every_disguise_is_an_option() {
    let place = Place::new();
    let plain = "free prizes for everybody call 0800 123456 today";
    let cases = [
        (
            "ｆｒｅｅ prizes for everybody call 0800 123456 today",
            "--unicode as-is",
        ),
        (
            "fr\u{200B}ee pri\u{200B}zes for everybody call 0800 123456 today",
            "--zero-width separate",
        ),
        (
            "frее рrizes for еvеrуbody саll 0800 123456 tоdаy",
            "--look-alikes as-written",
        ),
        (
            "f r e e prizes for everybody c.a.l.l 0800 123456 today",
            "--spaced-letters as-written",
        ),
    ];
    for (disguised, option) in cases {
        place.write("in.jsonl", messages(&[plain, disguised]));
        let seen = pairs(&place, "in.jsonl --threshold 1");
        assert_eq!(seen, BTreeSet::from([(0, 1)]), "{option}");
        let unseen = pairs(&place, &format!("in.jsonl --threshold 1 {option}"));
        assert!(unseen.is_empty(), "{option}");
    }
    let cases = [
        (
            "free prizes for everybody call 0800 123456 today 😀😀",
            "--emoji drop",
        ),
        (
            "freeee prizes for everybody call 0800 123456 today",
            "--repeats letters",
        ),
        (
            "free prizes for everybody call 0800 654321 today",
            "--digits codes",
        ),
        (
            "free prizes for everybody call 0900 654321 today",
            "--digits all",
        ),
        (
            "fr33 pr1zes for everybody call 0800 123456 today",
            "--look-alikes all",
        ),
    ];
    for (disguised, option) in cases {
        place.write("in.jsonl", messages(&[plain, disguised]));
        let seen = pairs(&place, &format!("in.jsonl --threshold 1 {option}"));
        assert_eq!(seen, BTreeSet::from([(0, 1)]), "{option}");
        let unseen = pairs(&place, "in.jsonl --threshold 1");
        assert!(unseen.is_empty(), "{option}");
    }
}

#[test]
fn weights_and_the_collection_they_come_from_can_be_replaced() {
    let place = Place::new();
    let texts = [
        "meet anna at the old mill",
        "meet bertha at the old mill",
        "call 42 now",
        "call 43 now",
    ];
    place.write("in.jsonl", messages(&texts));
    let default = pairs(&place, "in.jsonl");
    assert!(
        default.contains(&(2, 3)) && !default.is_empty(),
        "{default:?}"
    );
    place.write(
        "heavy.toml",
        "numerals = [5, 5]\nopen = [1, 1]\nadverbs = [1, 1]\n",
    );
    let heavy = pairs(&place, "in.jsonl --weights heavy.toml");
    assert!(!heavy.contains(&(2, 3)), "{heavy:?}");

    place.write("collection.jsonl", generated(400, 3));
    place
        .run("lexicon build collection.jsonl -o sms.lexicon --job messages")
        .exits(0);
    let by_collection = pairs(&place, "in.jsonl --lexicon sms.lexicon");
    assert!(by_collection.contains(&(2, 3)));
    place
        .run("lexicon build collection.jsonl -o other.lexicon")
        .exits(0);
    place
        .run("messages in.jsonl --out out2 --lexicon other.lexicon")
        .fails_with(&["chinese", "words"]);
}

#[test]
fn wrong_weights_are_refused_with_the_remedy() {
    let place = Place::new();
    place.write("in.jsonl", messages(&["a b", "a b c"]));
    place.write("wrong.toml", "nouns = [1.0, 0.2]\n");
    place
        .run("messages in.jsonl --out out --weights wrong.toml")
        .fails_with(&["wrong.toml", "ascending order"]);
    place.write("unknown.toml", "nuons = [0.2, 1.0]\n");
    place
        .run("messages in.jsonl --out out --weights unknown.toml")
        .fails_with(&["unknown.toml", "nuons"]);
    place
        .run("messages in.jsonl --out out --weights nowhere.toml")
        .fails_with(&["nowhere.toml"]);
    place
        .run("messages in.jsonl --out out --formula idf")
        .exits(2);
    // Also where it is what would be taken anyway.
    place
        .run("messages in.jsonl --out out --features shingles:words:2 --formula rare")
        .refused_with(&["nothing is weighted", "leave"]);
    place
        .run("messages in.jsonl --out out --keys simfinder:0")
        .refused_with(&["simfinder:N", "from 1 to 64"]);
    place
        .run("messages in.jsonl --out out --preset nobody")
        .refused_with(&["paper", "paper-baseline"]);
}

#[test]
fn the_paper_is_a_preset_and_finds_part_of_what_there_is() {
    let place = Place::new();
    place.write("in.jsonl", generated(1500, 5));
    let all = pairs(&place, "in.jsonl --formula paper --pairs all");
    let paper = pairs(&place, "in.jsonl --preset paper --pairs all");
    let baseline = pairs(&place, "in.jsonl --preset paper-baseline --pairs all");
    assert!(paper.is_subset(&all) && baseline.is_subset(&all));
    assert!(
        paper.len() * 10 > all.len() * 7,
        "{} of {}",
        paper.len(),
        all.len()
    );
    assert_eq!(summary(&place)["recall"]["exact"], false);
}

#[test]
fn a_printed_configuration_gives_the_same_result() {
    let place = Place::new();
    place.write("in.jsonl", generated(600, 6));
    let options = "--formula paper --digits codes --look-alikes all";
    place
        .run(&format!("messages in.jsonl --out one {options}"))
        .exits(0);
    let printed = place
        .run(&format!("messages {options} --print-config"))
        .exits(0);
    place.write("config.toml", &printed.out);
    place
        .run("messages in.jsonl --out two --config config.toml")
        .exits(0);
    assert_eq!(bytes(&place.path("one")), bytes(&place.path("two")));
}

#[test]
fn threads_memory_and_checkpoints_cannot_be_seen() {
    let place = Place::new();
    place.write("in.jsonl", generated(4000, 7));
    place
        .run("messages in.jsonl --out one --threads 1")
        .exits(0);
    place
        .run("messages in.jsonl --out two --threads 3 --memory 140MB --checkpoint-every 0")
        .exits(0);
    assert_eq!(bytes(&place.path("one")), bytes(&place.path("two")));
    place
        .run("messages in.jsonl --out three --threads 2 --transitive")
        .exits(0);
    assert_eq!(
        place.read("one/removed.jsonl"),
        place.read("three/removed.jsonl")
    );
}

#[test]
fn an_audit_confirms_that_all_is_found() {
    let place = Place::new();
    place.write("in.jsonl", generated(3000, 8));
    place
        .run("messages in.jsonl --out out --audit 300")
        .exits(0);
    let summary = summary(&place);
    let audit = &summary["audit"];
    assert_eq!(
        (&audit["recall"], &audit["precision"]),
        (&json!(1.0), &json!(1.0))
    );
    assert!(audit["true_pairs"].as_u64().unwrap() > 20);
}

#[test]
fn new_messages_are_compared_with_a_corpus() {
    let place = Place::new();
    place.write(
        "new.jsonl",
        messages(&[
            "your code is 1234 keep it secret",
            "something else entirely",
        ]),
    );
    place.write(
        "old.jsonl",
        messages(&["your code is 9876 keep it secret", "nothing like it"]),
    );
    let found = pairs(&place, "new.jsonl --against old.jsonl");
    assert_eq!(found, BTreeSet::from([(0, 0)]));
}

#[test]
fn judge_and_compare_know_the_weights() {
    let place = Place::new();
    let pair =
        |a: &str, b: &str, label: u8| json!({"a": a, "b": b, "label": label}).to_string() + "\n";
    let gold = pair("your code is 1234", "your code is 9876", 1)
        + &pair("meet me at the mill", "meet me at the harbour", 0);
    place.write("gold.jsonl", gold);
    let printed = place.run("messages --print-config").exits(0);
    place.write("messages.toml", &printed.out);
    let judged = place
        .run("judge --config messages.toml --gold gold.jsonl --json")
        .exits(0);
    let judged: Value = serde_json::from_str(&judged.out).unwrap();
    assert_eq!(judged["recall"], json!(1.0));
}

#[test]
fn a_bucket_limit_that_is_given_counts_even_if_it_is_the_usual_one() {
    let place = Place::new();
    let variants: Vec<String> = (0..300)
        .map(|number| {
            format!("Your parcel {number} waits at the old harbour counter, pick it up today")
        })
        .collect();
    place.write("variants.txt", variants.join("\n"));
    let hot = |arguments: &str| {
        place
            .run(&format!("messages --out out variants.txt {arguments}"))
            .exits(0);
        let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
        summary["hot_buckets"]["buckets"].as_u64().unwrap()
    };
    assert_eq!(hot(""), 0);
    assert!(hot("--bucket-limit 128") > 0);
}

#[test]
fn templates_say_what_messages_have_in_common_and_in_what_they_differ() {
    let place = Place::new();
    place.write(
        "in.jsonl",
        messages(&[
            "Northbank: your code is 315577. It is valid for ten minutes.",
            "lunch at noon?",
            "Northbank: your code is 128840. It is valid for ten minutes.",
            "尊敬的客户，您的验证码是315577，请勿告诉他人。",
            "尊敬的客户，您的验证码是315577，请勿告诉他人。",
            "尊敬的客户，您的验证码是128840，请勿告诉他人。",
        ]),
    );
    let ran = place.run("messages in.jsonl --out out").exits(0);
    assert_eq!(
        place.lines("templates.jsonl"),
        [
            json!({"template": "Northbank: your code is {1}. It is valid for ten minutes.",
                "slots": [["315577", "128840"]], "counts": [[1, 1]], "size": 2, "members": [0, 2]}),
            json!({"template": "尊敬的客户，您的验证码是{1}，请勿告诉他人。",
                "slots": [["315577", "128840"]], "counts": [[2, 1]], "size": 3, "members": [3, 4, 5]}),
        ]
    );
    assert!(
        ran.out.contains("3 × 尊敬的客户，您的验证码是{1}"),
        "{}",
        ran.out
    );
    assert_eq!(summary(&place)["templates"]["records"], 5);
    let shown = place.run("show out --templates --id 2").exits(0).out;
    assert!(
        shown.contains("2 × Northbank") && shown.contains("\"128840\""),
        "{shown}"
    );
    assert!(!shown.contains("验证码"), "{shown}");
}

#[test]
fn templates_are_the_same_with_any_threads_and_memory() {
    let place = Place::new();
    place.write("in.jsonl", generated(3_000, 5));
    place
        .run("messages in.jsonl --out out --threads 1")
        .exits(0);
    let one = place.read("out/templates.jsonl");
    place
        .run("messages in.jsonl --out out --threads 3 --memory 130MB")
        .exits(0);
    assert_eq!(one, place.read("out/templates.jsonl"));
    let members = |line: &Value| line["members"].as_array().unwrap().len() as u64;
    let templates = place.lines("templates.jsonl");
    assert!(templates.len() > 100, "{}", templates.len());
    assert!(templates.iter().all(|line| line["size"] == members(line)));
}

#[test]
fn two_messages_are_explained_by_their_words_as_a_run_weighs_them() {
    let place = Place::new();
    place.write("in.jsonl", generated(300, 9));
    place
        .run("messages in.jsonl --out out --threshold 0.3")
        .exits(0);
    let pairs = place.lines("pairs.jsonl");
    let differing = pairs
        .iter()
        .filter(|pair| pair["similarity"].as_f64() < Some(1.0));
    let mut compared = 0;
    for pair in differing.take(3) {
        let [a, b] = ["a", "b"].map(|side| pair[side].to_string());
        let ran = place
            .run(&format!("messages in.jsonl --explain {a} {b} --json"))
            .exits(0);
        let explained: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(explained["similarity"], pair["similarity"], "{a} {b}");
        compared += 1;
    }
    assert_eq!(compared, 3);
    let page = place.run("messages in.jsonl --explain 1 2").exits(0).out;
    assert!(
        page.contains("class") && page.contains("numerals"),
        "{page}"
    );
    let missing = place.run("messages in.jsonl --explain 1 nobody").exits(1);
    assert!(missing.errors.contains("nobody"), "{}", missing.errors);
    let compared = place
        .run("compare --job messages --text 您的验证码是4711 您的验证码是0815")
        .exits(0)
        .out;
    assert!(
        compared.contains("numerals") && compared.contains("nouns"),
        "{compared}"
    );
}
