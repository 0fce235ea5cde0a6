//! `--against`: what of the input is new, compared with another corpus?

use std::collections::BTreeSet;

use crate::support::Place;
use crate::support::corpus::{Doc, Language, corpus, jsonl};
use crate::support::naive::{self, Of, shingles};
use serde_json::{Value, json};

const EVERYTHING: &str = "--bands 200 --rows 1 --threshold 0.5";

/// A corpus and an input with texts of it, from one seed. The ids of both overlap.
fn two_sides(language: Language, seed: u64) -> (Vec<Doc>, Vec<Doc>) {
    let mut docs = corpus(language, 400, seed);
    let mut input: Vec<Doc> = docs.iter().skip(1).step_by(2).cloned().collect();
    docs = docs.into_iter().step_by(2).collect();
    for (number, doc) in input.iter_mut().enumerate() {
        doc.id = docs[number].id.clone();
    }
    (input, docs)
}

struct Sides {
    place: Place,
    input: Vec<Doc>,
    known: Vec<Doc>,
    /// Position in the input, in the corpus, similarity.
    pairs: Vec<(usize, usize, f64)>,
}

fn sides(language: Language, seed: u64) -> Sides {
    let (input, known) = two_sides(language, seed);
    let place = Place::new();
    place.write("input.jsonl", jsonl(&input));
    place.write("known.jsonl", jsonl(&known));
    let set = |doc: &Doc| shingles(language, &doc.text, Of::Words, 5);
    let known_sets: Vec<BTreeSet<String>> = known.iter().map(set).collect();
    let mut pairs = Vec::new();
    for (a, doc) in input.iter().enumerate() {
        let ours = set(doc);
        let similarities = known_sets
            .iter()
            .map(|theirs| naive::jaccard(&ours, theirs))
            .enumerate();
        pairs.extend(
            similarities
                .filter(|&(_, similarity)| similarity >= 0.5)
                .map(|(b, similarity)| (a, b, similarity)),
        );
    }
    Sides {
        place,
        input,
        known,
        pairs,
    }
}

#[test]
fn pairs_are_only_across_with_a_of_the_input_and_b_of_the_corpus() {
    for (seed, language) in [(70, Language::English), (71, Language::Chinese)] {
        let Sides {
            place,
            input,
            known,
            pairs,
        } = sides(language, seed);
        let results = place.clean_results(&format!(
            "input.jsonl --against known.jsonl --pairs all {EVERYTHING}"
        ));
        let expected: Vec<(Value, Value, f64)> = pairs
            .iter()
            .map(|&(a, b, similarity)| (json!(input[a].id), json!(known[b].id), similarity))
            .collect();
        assert!(expected.len() > 50);
        assert_eq!(results.pairs, expected);
        assert_eq!(
            (results.count("records"), results.count("against_records")),
            (200, 200)
        );
    }
}

#[test]
fn every_record_of_the_input_that_the_corpus_has_is_removed_for_the_most_similar_one() {
    let Sides {
        place,
        input,
        known,
        pairs,
    } = sides(Language::English, 72);
    for keep in ["first", "last", "longest", "score", "date"] {
        let results = place.clean_results(&format!(
            "input.jsonl --against known.jsonl --keep {keep} {EVERYTHING} --deduplicated new.jsonl"
        ));
        let order = naive::keep_order(&known, keep);
        let rank = |b: usize| order.iter().position(|&record| record == b).unwrap();
        let mut expected = Vec::new();
        for (a, doc) in input.iter().enumerate() {
            // Of several the one that would be kept.
            let better = |x: &&(usize, usize, f64), y: &&(usize, usize, f64)| {
                y.2.total_cmp(&x.2).then(rank(x.1).cmp(&rank(y.1)))
            };
            let best = pairs.iter().filter(|pair| pair.0 == a).min_by(better);
            expected.extend(
                best.map(|&(_, b, similarity)| (json!(doc.id), json!(known[b].id), similarity)),
            );
        }
        assert_eq!(results.removed, expected, "--keep {keep}");
        let new: String = input
            .iter()
            .enumerate()
            .filter(|(a, _)| pairs.iter().all(|pair| pair.0 != *a))
            .map(|(_, doc)| format!("{}\n", doc.json()))
            .collect();
        assert_eq!(place.read("new.jsonl"), new);
        assert_eq!(results.count("kept") as usize, new.lines().count());
    }
}

#[test]
fn copies_within_the_input_are_all_removed_or_all_kept() {
    let place = Place::new();
    let line = |id: &str, text: &str| format!("{}\n", json!({"id": id, "text": text}));
    let (old, new) = ("已经知道的一段文字在这里", "这是以前没有见过的新内容");
    place.write(
        "input.jsonl",
        [
            line("a", old),
            line("b", new),
            line("c", old),
            line("d", new),
            line("e", ""),
        ]
        .concat(),
    );
    place.write(
        "known.jsonl",
        [line("k1", old), line("k2", old), line("k3", "")].concat(),
    );
    let results = place.clean_results("input.jsonl --against known.jsonl");
    assert_eq!(
        results.removed,
        [
            (json!("a"), json!("k1"), 1.0),
            (json!("c"), json!("k1"), 1.0)
        ]
    );
    assert_eq!(
        results.clusters,
        [(json!("k1"), vec![json!("a"), json!("c"), json!("k1")])]
    );
    let all = place.clean_results("input.jsonl --against known.jsonl --pairs all");
    let pairs = [("a", "k1"), ("a", "k2"), ("c", "k1"), ("c", "k2")]
        .map(|(a, b)| (json!(a), json!(b), 1.0));
    assert_eq!(all.pairs, pairs);
}

#[test]
fn the_audit_counts_pairs_across_only() {
    let Sides { place, pairs, .. } = sides(Language::Chinese, 73);
    let audit = place
        .clean_results(&format!(
            "input.jsonl --against known.jsonl --audit 1000 {EVERYTHING}"
        ))
        .summary["audit"]
        .clone();
    assert_eq!(audit["true_pairs"], json!(pairs.len()));
    assert_eq!(
        (&audit["recall"], &audit["precision"]),
        (&json!(1.0), &json!(1.0))
    );
}

#[test]
fn a_limit_is_on_the_input_not_on_the_corpus() {
    let Sides {
        place,
        input,
        known,
        pairs,
    } = sides(Language::English, 74);
    let results = place.clean_results(&format!(
        "input.jsonl --against known.jsonl --limit 120 --pairs all {EVERYTHING}"
    ));
    let within = pairs.iter().filter(|pair| pair.0 < 120);
    let expected: Vec<(Value, Value, f64)> = within
        .map(|&(a, b, similarity)| (json!(input[a].id), json!(known[b].id), similarity))
        .collect();
    assert_eq!(results.pairs, expected);
    assert_eq!(
        (results.count("records"), results.count("against_records")),
        (120, 200)
    );
}

#[test]
fn an_empty_corpus_leaves_everything_new() {
    let place = Place::new();
    place.write(
        "input.jsonl",
        "{\"id\": 1, \"text\": \"eins\"}\n{\"id\": 2, \"text\": \"eins\"}\n",
    );
    place.write("known.jsonl", "");
    let results = place.clean_results("input.jsonl --against known.jsonl");
    assert!(results.pairs.is_empty() && results.removed.is_empty());
}

#[test]
fn a_limit_within_many_blocks_of_input_still_finds_the_corpus() {
    let place = Place::new();
    // More than a block of a megabyte.
    let text = |number: usize| {
        let words = (0..300).map(|word| format!("w{}", number * 1000 + word));
        words.collect::<Vec<_>>().join(" ")
    };
    let line = |side: &str, number: usize| {
        format!(
            "{{\"id\": \"{side}{number}\", \"text\": \"{}\"}}\n",
            text(number)
        )
    };
    place.write(
        "input.jsonl",
        (0..1000)
            .map(|number| line("i", number))
            .collect::<String>(),
    );
    place.write(
        "known.jsonl",
        (0..1000)
            .map(|number| line("k", number))
            .collect::<String>(),
    );
    let results = place.clean_results("input.jsonl --against known.jsonl --limit 50 --audit 50");
    let expected: Vec<Value> = (0..50).map(|number| json!(format!("i{number}"))).collect();
    assert_eq!(results.removed_ids(), expected);
    assert_eq!(results.summary["audit"]["true_pairs"], json!(50));
}

#[test]
fn numbers_count_from_one_on_each_side() {
    let place = Place::new();
    place.write(
        "input.jsonl",
        "{\"text\": \"neu\"}\n{\"text\": \"gleich\"}\n",
    );
    place.write("known.jsonl", "{\"text\": \"gleich\"}\n");
    let results = place.clean_results("input.jsonl --against known.jsonl --ids number");
    assert_eq!(results.pairs, [(json!(2), json!(1), 1.0)]);
}

#[test]
fn an_input_that_is_mostly_unusable_is_an_error_however_large_the_corpus_is() {
    let place = Place::new();
    let known: String = (0..20)
        .map(|number| {
            format!(
                "{}\n",
                json!({"id": number, "text": format!("文 {number} is known")})
            )
        })
        .collect();
    place.write("known.jsonl", known);
    place.write(
        "input.jsonl",
        "no JSON\n{\"id\": 1}\n{\"id\": 2, \"text\": \"new\"}\n",
    );
    for job in ["documents", "passages"] {
        let ran = place.run(&format!("{job} input.jsonl --against known.jsonl"));
        ran.fails_with(&["2 of 3 records were rejected", "input.jsonl", "--lenient"]);
        assert!(!place.path("lookalike-out/pairs.jsonl").exists());
        // The other way round, it is the corpus.
        let ran = place.run(&format!("{job} known.jsonl --against input.jsonl"));
        ran.fails_with(&["2 of 3 records were rejected", "input.jsonl:1"]);
    }
}

#[test]
fn copies_are_said_to_be_of_the_corpus() {
    let place = Place::new();
    place.write(
        "known.jsonl",
        "{\"id\": 1, \"text\": \"渡轮 leaves at nine\"}\n",
    );
    let batch = "{\"id\": 1, \"text\": \"渡轮 leaves at nine\"}\n{\"id\": 2, \"text\": \"Nobody waits\"}\n{\"id\": 3, \"text\": \"Nobody waits\"}\n";
    place.write("batch.jsonl", batch);
    for (within, copies, of_what) in [
        ("", 1, "a record in the corpus"),
        ("--within", 2, "an earlier record or one in the corpus"),
    ] {
        let ran = place.documents(&format!("batch.jsonl --against known.jsonl {within}"));
        let line = format!(
            "  exact copies    {copies}, identical to {of_what} in everything that is compared\n"
        );
        let page = ran.exits(0).out;
        assert!(page.contains(&line), "{page}");
    }
}

#[test]
fn a_record_is_removed_for_the_most_similar_one_of_the_corpus() {
    let place = Place::new();
    let text = |last: &str| format!("a b c d e f g h i j k l m n o p q r s t u v w x y {last}");
    let records = [
        ("o1", text("Z")),
        ("o2", text("9")),
        ("o3", text("9 and so on")),
    ];
    let lines = records.map(|(id, text)| json!({"id": id, "text": text}).to_string() + "\n");
    place.write("records.jsonl", lines.concat());
    let results = place.clean_results("records.jsonl --against records.jsonl");
    let itself = |id: &str| (json!(id), json!(id), 1.0);
    assert_eq!(results.removed, ["o1", "o2", "o3"].map(itself));
}

#[test]
fn only_what_is_identical_is_an_exact_copy_of_the_corpus() {
    let place = Place::new();
    let thread = |id: u32, answer: &str| {
        let (title, body) = (
            "Which pump fits a Presta valve?",
            "I have a road bike 自行车.",
        );
        let line = serde_json::json!({"id": id, "title": title, "body": body, "answer": answer});
        format!("{line}\n")
    };
    let (short, long) = (
        "Any pump with a reversible head.",
        "Any pump with a reversible head, or an adapter.",
    );
    place.write("known.jsonl", thread(1, short));
    place.write(
        "batch.jsonl",
        thread(1, long) + &thread(2, short) + &thread(3, short),
    );
    for (within, copies) in [("", 2), ("--within", 2)] {
        let ran = place
            .run(&format!(
                "threads batch.jsonl --against known.jsonl {within} --out out --restart"
            ))
            .exits(0);
        assert!(
            ran.out.contains(&format!("exact copies    {copies}, ")),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("similarity 1"), "{}", ran.out);
    }
    // A text that is wholly in a longer one is none either.
    place.write(
        "known.txt",
        "the ferry leaves at nine and 渡轮 comes back at noon",
    );
    place.write("batch.txt", "the ferry leaves at nine");
    let ran = place
        .documents("batch.txt --against known.txt --remove contained --restart")
        .exits(0);
    assert!(ran.out.contains("exact copies    0, "), "{}", ran.out);
}
