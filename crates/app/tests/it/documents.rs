//! What `lookalike documents` finds, against the naive way to find it.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::corpus::{Doc, Language, Random, corpus, jsonl};
use crate::support::naive::{self, Of, shingles};
use crate::support::{Place, Results};
use serde_json::{Value, json};

/// So many bands of one row that a pair above the thresholds used here is missed less than once in a billion.
const EVERYTHING: &str = "--bands 200 --rows 1";

fn sets(docs: &[Doc], language: Language, of: Of, n: usize) -> Vec<BTreeSet<String>> {
    docs.iter()
        .map(|doc| shingles(language, &doc.text, of, n))
        .collect()
}

fn by_id(docs: &[Doc], triples: &[(usize, usize, f64)]) -> Vec<(Value, Value, f64)> {
    let id = |record: usize| json!(docs[record].id);
    triples
        .iter()
        .map(|&(a, b, similarity)| (id(a), id(b), similarity))
        .collect()
}

fn texts(lines: &[&str]) -> String {
    let line =
        |(number, text): (usize, &&str)| format!("{}\n", json!({"id": number, "text": text}));
    lines.iter().enumerate().map(line).collect()
}

#[test]
fn all_pairs_are_those_of_brute_force() {
    let cases = [
        (Language::English, Of::Words, 5, 0.8),
        (Language::English, Of::Words, 2, 0.35),
        (Language::English, Of::Words, 1, 0.5),
        (Language::English, Of::Chars, 7, 0.7),
        (Language::Chinese, Of::Words, 5, 0.6),
        (Language::Chinese, Of::Chars, 3, 0.45),
        (Language::Chinese, Of::Words, 3, 1.0),
    ];
    for (seed, (language, of, n, threshold)) in (1..).zip(cases) {
        let docs = corpus(language, 250, seed);
        let place = Place::new();
        place.write("corpus.jsonl", jsonl(&docs));
        let unit = if of == Of::Words { "words" } else { "chars" };
        let results = place.clean_results(&format!(
            "corpus.jsonl --pairs all {EVERYTHING} --threshold {threshold} --features shingles:{unit}:{n}"
        ));
        let expected = naive::pairs(&sets(&docs, language, of, n), threshold);
        assert!(
            expected.len() > 20,
            "a corpus with only {} pairs proves little",
            expected.len()
        );
        assert_eq!(
            results.pairs,
            by_id(&docs, &expected),
            "{language:?} {unit}:{n} at {threshold}"
        );
        assert_eq!(results.count("pairs"), expected.len() as u64);
    }
}

#[test]
fn clusters_follow_the_one_rule_for_every_way_to_keep() {
    for (seed, keep) in (10..).zip(["first", "last", "longest", "score", "date"]) {
        let docs = corpus(Language::Chinese, 250, seed);
        let place = Place::new();
        place.write("corpus.jsonl", jsonl(&docs));
        let results = place.clean_results(&format!(
            "corpus.jsonl {EVERYTHING} --threshold 0.5 --keep {keep}"
        ));
        let pairs = naive::pairs(&sets(&docs, Language::Chinese, Of::Words, 5), 0.5);
        let removed = naive::removed(docs.len(), &naive::keep_order(&docs, keep), &pairs);
        assert!(removed.len() > 40);
        assert_eq!(results.removed, by_id(&docs, &removed), "--keep {keep}");
        let clusters: Vec<(Value, Vec<Value>)> = naive::clusters(&removed)
            .into_iter()
            .map(|(kept, members)| {
                (
                    json!(docs[kept].id),
                    members
                        .iter()
                        .map(|&member| json!(docs[member].id))
                        .collect(),
                )
            })
            .collect();
        assert_eq!(results.clusters, clusters, "--keep {keep}");
        assert_eq!(results.count("removed"), removed.len() as u64);
        assert_eq!(results.count("kept"), (docs.len() - removed.len()) as u64);
        assert_eq!(results.count("clusters"), clusters.len() as u64);
    }
}

/// Every removed record is at least threshold-similar to one that stays, with the similarity stated.
fn assert_proved(results: &Results, docs: &[Doc], language: Language, threshold: f64) {
    let set: BTreeMap<String, BTreeSet<String>> = docs
        .iter()
        .map(|doc| (doc.id.clone(), shingles(language, &doc.text, Of::Words, 5)))
        .collect();
    let removed: BTreeSet<String> = results
        .removed
        .iter()
        .map(|(id, _, _)| id.as_str().unwrap().to_string())
        .collect();
    assert_eq!(
        removed.len(),
        results.removed.len(),
        "a record is removed twice"
    );
    for (id, kept, similarity) in &results.removed {
        let (id, kept) = (id.as_str().unwrap(), kept.as_str().unwrap());
        assert!(
            !removed.contains(kept),
            "{kept} is kept for {id} and removed"
        );
        let exact = naive::jaccard(&set[id], &set[kept]);
        assert!(
            exact == *similarity && exact >= threshold,
            "{id} and {kept}: {exact}, stated {similarity}"
        );
    }
}

#[test]
fn nothing_is_removed_without_proof_whatever_the_keys() {
    for (seed, options) in (20..).zip([
        "",
        "--recall 0.5",
        "--bands 3 --rows 2",
        "--keys minhash:16",
        "--keep last --bucket-limit 2",
        "--seed 9",
    ]) {
        for language in [Language::English, Language::Chinese] {
            let docs = corpus(language, 400, seed);
            let place = Place::new();
            place.write("corpus.jsonl", jsonl(&docs));
            let results = place.clean_results(&format!("corpus.jsonl --threshold 0.6 {options}"));
            assert!(results.removed.len() > 30);
            assert_proved(&results, &docs, language, 0.6);
        }
    }
}

#[test]
fn a_chain_of_similar_texts_is_not_one_cluster() {
    // Each is 0.8 like its neighbours and 0.6 like the next but one.
    let words: Vec<String> = (0..18).map(|number| format!("w{number}")).collect();
    let window = |from: usize| words[from..from + 10].join(" ");
    let chain: Vec<String> = (0..8).map(window).collect();
    let place = Place::new();
    place.write(
        "chain.jsonl",
        texts(&chain.iter().map(String::as_str).collect::<Vec<_>>()),
    );
    let results = place.clean_results(&format!(
        "chain.jsonl --features shingles:words:1 {EVERYTHING}"
    ));
    let removed: Vec<_> = results
        .removed
        .iter()
        .map(|(id, kept, _)| (id.clone(), kept.clone()))
        .collect();
    let expected = [(1, 0), (3, 2), (5, 4), (7, 6)].map(|(id, kept)| (json!(id), json!(kept)));
    assert_eq!(removed, expected);
}

#[test]
fn identical_copies_are_a_star_unless_all_pairs_are_asked_for() {
    let place = Place::new();
    let copies = [
        "同一条消息发了四遍",
        "another thing",
        "同一条消息发了四遍",
        "同一条消息发了四遍",
        "同一条消息发了四遍",
    ];
    place.write("copies.jsonl", texts(&copies));
    let listed = |pairs: &str| -> Vec<(u64, u64, f64)> {
        let results = place.clean_results(&format!("copies.jsonl --pairs {pairs}"));
        assert_eq!(results.removed_ids(), [2, 3, 4]);
        assert_eq!(results.count("identical_copies"), 3);
        results
            .pairs
            .iter()
            .map(|(a, b, similarity)| (a.as_u64().unwrap(), b.as_u64().unwrap(), *similarity))
            .collect()
    };
    assert_eq!(listed("auto"), [(0, 2, 1.0), (0, 3, 1.0), (0, 4, 1.0)]);
    assert_eq!(
        listed("all"),
        [
            (0, 2, 1.0),
            (0, 3, 1.0),
            (0, 4, 1.0),
            (2, 3, 1.0),
            (2, 4, 1.0),
            (3, 4, 1.0)
        ]
    );
    assert_eq!(listed("links"), [(0, 2, 1.0), (0, 3, 1.0), (0, 4, 1.0)]);
    assert_eq!(listed("none"), []);
}

#[test]
fn links_are_each_removed_record_with_its_kept_one_in_input_order() {
    let docs = corpus(Language::English, 300, 31);
    let place = Place::new();
    place.write("corpus.jsonl", jsonl(&docs));
    let results = place.clean_results("corpus.jsonl --threshold 0.5 --pairs links --keep last");
    let position: BTreeMap<&str, usize> = docs
        .iter()
        .enumerate()
        .map(|(number, doc)| (doc.id.as_str(), number))
        .collect();
    let place_of = |id: &Value| position[id.as_str().unwrap()];
    let mut expected: Vec<(usize, usize, f64)> = results
        .removed
        .iter()
        .map(|(id, kept, similarity)| {
            (
                place_of(id).min(place_of(kept)),
                place_of(id).max(place_of(kept)),
                *similarity,
            )
        })
        .collect();
    expected.sort_by_key(|&(a, b, _)| (a, b));
    assert_eq!(results.pairs, by_id(&docs, &expected));
}

#[test]
fn auto_lists_every_pair_of_texts_that_are_not_copies() {
    let docs = corpus(Language::English, 300, 32);
    let place = Place::new();
    place.write("corpus.jsonl", jsonl(&docs));
    let results = place.clean_results(&format!("corpus.jsonl --threshold 0.5 {EVERYTHING}"));
    let sets = sets(&docs, Language::English, Of::Words, 5);
    let first_of = |record: usize| sets.iter().position(|set| *set == sets[record]).unwrap();
    let listed = |&(a, b, _): &(usize, usize, f64)| {
        first_of(a) == a && (first_of(b) == b || first_of(b) == a)
    };
    let expected: Vec<_> = naive::pairs(&sets, 0.5)
        .into_iter()
        .filter(listed)
        .collect();
    assert_eq!(results.pairs, by_id(&docs, &expected));
}

#[test]
fn short_texts_match_only_if_they_are_the_same() {
    let place = Place::new();
    place.write(
        "short.jsonl",
        texts(&[
            "yes", "no", "Yes!", "yes yes", "ok", "好", "好的", "好", "no, yes", "👍", "👍", "👎",
            "شكرا", "شكرا",
        ]),
    );
    let results = place.clean_results(&format!(
        "short.jsonl --threshold 0.1 --pairs all {EVERYTHING}"
    ));
    let pairs: Vec<_> = results
        .pairs
        .iter()
        .map(|(a, b, similarity)| (a.as_u64().unwrap(), b.as_u64().unwrap(), *similarity))
        .collect();
    assert_eq!(
        pairs,
        [(0, 2, 1.0), (5, 7, 1.0), (9, 10, 1.0), (12, 13, 1.0)]
    );
}

#[test]
fn empty_texts_match_nothing() {
    let place = Place::new();
    place.write(
        "empty.jsonl",
        texts(&["", "", "   ", "\u{3000}", "\t\n", "word", "word."]),
    );
    let results = place.clean_results(&format!(
        "empty.jsonl --threshold 0.01 --pairs all {EVERYTHING}"
    ));
    assert_eq!(results.pairs, [(json!(5), json!(6), 1.0)]);
    assert_eq!(results.count("empty"), 5);
    assert_eq!(results.count("records"), 7);
    assert!(results.rejected.is_empty());
}

#[test]
fn texts_of_only_punctuation_match_only_if_they_are_the_same() {
    let place = Place::new();
    place.write(
        "marks.jsonl",
        texts(&["...", "?!", "...", "。。。", "!?", "。。。", "……"]),
    );
    for features in ["words:5", "words:1", "chars:3"] {
        let results = place.clean_results(&format!(
            "marks.jsonl --pairs all --features shingles:{features} {EVERYTHING}"
        ));
        let pairs: Vec<(Value, Value)> = results
            .pairs
            .iter()
            .map(|(a, b, _)| (a.clone(), b.clone()))
            .collect();
        assert!(
            pairs.contains(&(json!(0), json!(2))) && pairs.contains(&(json!(3), json!(5))),
            "{features}: {pairs:?}"
        );
        assert_eq!(results.count("empty"), 0);
    }
}

#[test]
fn what_counts_as_the_same_text_is_a_choice() {
    let place = Place::new();
    place.write(
        "forms.jsonl",
        texts(&[
            "Ｆｕｌｌ　Width café",
            "full width cafe\u{301}",
            "FULL, WIDTH: CAFÉ!",
            "full width cafe",
        ]),
    );
    let removed = |options: &str| {
        place
            .clean_results(&format!("forms.jsonl {options}"))
            .removed_ids()
    };
    assert_eq!(removed(""), [1, 2]);
    assert_eq!(removed("--case keep"), Vec::<Value>::new());
    assert_eq!(removed("--unicode nfc"), [2]);
    assert_eq!(removed("--punctuation keep"), [1]);
}

#[test]
fn a_record_without_a_usable_keep_value_ranks_last_and_is_counted() {
    let place = Place::new();
    let text = "相同的内容在这里 the same content is here";
    let lines: String = [
        json!({"id": "a", "text": text, "when": "soon"}),
        json!({"id": "b", "text": text}),
        json!({"id": "c", "text": text, "when": "1999-12-31T23:59:59Z"}),
        json!({"id": "d", "text": text, "when": null}),
    ]
    .map(|line| format!("{line}\n"))
    .concat();
    place.write("dates.jsonl", lines);
    let results = place.clean_results("dates.jsonl --keep when");
    assert_eq!(
        results.clusters,
        [(
            json!("c"),
            vec![json!("a"), json!("b"), json!("c"), json!("d")]
        )]
    );
    assert_eq!(results.count("without_keep_value"), 3);
}

#[test]
fn the_audit_finds_every_pair_where_the_keys_must() {
    let docs = corpus(Language::English, 400, 40);
    let place = Place::new();
    place.write("corpus.jsonl", jsonl(&docs));
    let audit = |options: &str| {
        place
            .clean_results(&format!(
                "corpus.jsonl --threshold 0.5 --audit 100 {options}"
            ))
            .summary["audit"]
            .clone()
    };
    let full = audit(EVERYTHING);
    assert_eq!(
        (&full["recall"], &full["precision"]),
        (&json!(1.0), &json!(1.0))
    );
    // Empty texts are sampled too, but there is nothing to compare them with.
    assert!((80..=100).contains(&full["sampled"].as_u64().unwrap()));
    assert!(full["true_pairs"].as_u64().unwrap() > 20);
    let poor = audit("--bands 1 --rows 8");
    assert!(poor["recall"].as_f64().unwrap() < 0.9, "{poor}");
    assert_eq!(poor["precision"], json!(1.0));
    assert_eq!(poor["true_pairs"], full["true_pairs"]);
}

#[test]
fn the_audit_of_the_whole_corpus_counts_the_pairs_of_brute_force() {
    let docs = corpus(Language::Chinese, 200, 41);
    let place = Place::new();
    place.write("corpus.jsonl", jsonl(&docs));
    let summary = place
        .clean_results("corpus.jsonl --threshold 0.5 --audit 100000")
        .summary;
    let filled = docs.iter().filter(|doc| !doc.text.is_empty()).count();
    assert_eq!(summary["audit"]["sampled"], json!(filled));
    // Each pair is seen from both of its records.
    let pairs = naive::pairs(&sets(&docs, Language::Chinese, Of::Words, 5), 0.5).len();
    assert_eq!(summary["audit"]["true_pairs"], json!(2 * pairs));
}

#[test]
fn many_variants_of_one_template_leave_a_few_and_each_removal_is_proved() {
    const VARIANTS: usize = 3000;
    let mut random = Random(50);
    let template: Vec<String> = (0..60)
        .map(|_| Language::English.word(&mut random))
        .collect();
    let mut docs = Vec::new();
    for number in 0..VARIANTS {
        let mut words = template.clone();
        words[20] = format!("order{number}");
        docs.push(Doc {
            id: format!("v{number}"),
            text: words.join(" "),
            score: 0,
            date: String::new(),
        });
    }
    let place = Place::new();
    place.write("template.jsonl", jsonl(&docs));
    let results = place.clean_results("template.jsonl");
    assert!(
        results.removed.len() > VARIANTS - 10,
        "only {} removed",
        results.removed.len()
    );
    assert_proved(&results, &docs, Language::English, 0.8);
    // All pairs would be 4.5 million.
    let candidates = results.count("candidate_pairs");
    assert!(
        candidates < 40 * VARIANTS as u64,
        "{candidates} pairs compared"
    );
    let hot = &results.summary["hot_buckets"];
    assert!(
        hot["buckets"].as_u64().unwrap() >= 1
            && hot["records"].as_u64().unwrap() as usize > VARIANTS - 100,
        "{hot}"
    );
}

#[test]
fn variants_that_are_not_like_their_leaders_get_another_round() {
    // Two templates that share a rare beginning: one bucket of the beginning holds both.
    let mut random = Random(51);
    let templates: Vec<Vec<String>> = (0..4)
        .map(|_| {
            (0..50)
                .map(|_| Language::Chinese.word(&mut random))
                .collect()
        })
        .collect();
    let mut docs = Vec::new();
    for number in 0..1200 {
        let mut words = templates[number % templates.len()].clone();
        words.push(format!("x{number}"));
        docs.push(Doc {
            id: format!("v{number}"),
            text: format!("甲乙丙丁戊己 {}", words.concat()),
            score: 0,
            date: String::new(),
        });
    }
    let place = Place::new();
    place.write("templates.jsonl", jsonl(&docs));
    let results = place.clean_results("templates.jsonl --bands 100 --rows 1 --bucket-limit 20");
    assert_eq!(results.removed.len(), docs.len() - templates.len());
    assert_eq!(results.clusters.len(), templates.len());
}

#[test]
fn only_the_first_records_are_read_with_a_limit() {
    let docs = corpus(Language::English, 200, 60);
    let (whole, part) = (Place::new(), Place::new());
    whole.write("corpus.jsonl", jsonl(&docs));
    part.write("corpus.jsonl", jsonl(&docs[..77]));
    let limited = whole.clean_results("corpus.jsonl --limit 77 --threshold 0.5");
    let cut = part.clean_results("corpus.jsonl --threshold 0.5");
    assert_eq!(
        (limited.pairs, limited.removed, limited.clusters),
        (cut.pairs, cut.removed, cut.clusters)
    );
}

#[test]
fn several_text_fields_are_joined() {
    let place = Place::new();
    let lines = [
        json!({"id": 1, "title": "天气", "body": "晴 and mild today"}),
        json!({"id": 2, "title": "天气 晴", "body": "and mild today"}),
        json!({"id": 3, "title": "雨", "body": "晴 and mild today"}),
    ];
    place.write(
        "pages.jsonl",
        lines.map(|line| format!("{line}\n")).concat(),
    );
    assert_eq!(
        place
            .clean_results("pages.jsonl --text-field title,body")
            .removed_ids(),
        [2]
    );
    assert_eq!(
        place
            .clean_results("pages.jsonl --text-field body")
            .removed_ids(),
        [3]
    );
}
