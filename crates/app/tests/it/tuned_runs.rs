//! Runs with what `lookalike tune` learnt: they score as judging does, and find what it says.

use std::collections::BTreeMap;

use crate::support::Place;
use crate::support::labelled::{judged, pairs, place, threads};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A model as `tune` writes it.
const MODEL: &str = "threshold = 0.4
features.method = \"shingles:words:1\"
keys = { bands = 60, rows = 1 }

[model]
kind = \"logistic\"
bias = -2.5

[[model.part]]
features = \"shingles:words:1\"
measure = \"containment\"
weight = 2.0
mean = 0.5

[[model.part]]
features = \"terms\"
measure = \"tf-idf\"
weight = 1.5
terms = { min-characters = 1, min-unique = 1 }

[[model.part]]
features = \"shingles:chars:3\"
measure = \"cosine\"
weight = 0.5
text = { case = \"keep\" }
";

/// The same of trees.
const TREES: &str = "threshold = 0.4
features.method = \"shingles:words:1\"
keys = { bands = 60, rows = 1 }

[model]
kind = \"trees\"
bias = -0.1

[[model.part]]
features = \"shingles:words:1\"
measure = \"run\"
mean = 0.5

[[model.part]]
features = \"terms\"
measure = \"rarest\"
terms = { min-characters = 1, min-unique = 1 }

[[model.part]]
features = \"numbers\"
measure = \"jaccard\"
mean = 0.7

[[model.tree]]
splits = [[0, 0.3], [2, 0.5]]
leaves = [-0.5, -0.25, 0.25, 1.5]

[[model.tree]]
splits = [[1, 0.35]]
leaves = [-0.125, 0.375]
";

#[test]
fn a_run_with_a_model_scores_as_judging_does_and_states_no_recall() {
    for model in [MODEL, TREES] {
        check_run(model);
    }
}

/// The same with a floor, by which pairs are found.
const FLOOR: &str = "
[[model.floor]]
features = \"shingles:words:1\"
measure = \"jaccard\"
least = 0.4
";

#[test]
fn a_run_compares_what_reaches_the_floor_and_little_else() {
    let (place, count) = corpus();
    let bands = "keys = { bands = 60, rows = 1 }\n";
    let model = TREES.replace(bands, "");
    place.write("floor.toml", format!("{model}{FLOOR}"));
    place.write("every.toml", format!("keys.method = \"every\"\n{model}"));
    let found = place.clean_results("corpus.jsonl --config floor.toml --keys minhash");
    let every = place.clean_results("corpus.jsonl --config every.toml --restart");
    let alike = place.clean_results(
        "corpus.jsonl --features shingles:words:1 --measure jaccard --threshold 0.4 --keys every --restart",
    );
    let reaches = |a: &Value, b: &Value| alike.pairs.iter().any(|(x, y, _)| (x, y) == (a, b));
    let expected: Vec<_> = (every.pairs.iter())
        .filter(|(a, b, _)| reaches(a, b))
        .collect();
    assert!(expected.len() > 5);
    let missed = expected.iter().filter(|pair| !found.pairs.contains(pair));
    assert!(20 * missed.count() <= expected.len(), "{expected:?}");
    // Sketches tell most others.
    let compared = found.summary["counts"]["candidate_pairs"].as_u64().unwrap() as usize;
    assert!(
        compared <= count * (count - 1) / 4,
        "{compared} of {count} texts"
    );
}

/// All texts of labelled pairs, and how many.
fn corpus() -> (Place, usize) {
    let place = place();
    let mut texts: Vec<String> = pairs().into_iter().flat_map(|(a, b, _)| [a, b]).collect();
    texts.sort();
    texts.dedup();
    let records: String = texts
        .iter()
        .enumerate()
        .map(|(id, text)| format!("{}\n", json!({"id": id, "text": text})))
        .collect();
    place.write("corpus.jsonl", records);
    (place, texts.len())
}

fn check_run(model: &str) {
    let (place, _) = corpus();
    place.write("model.toml", model);
    let results = place.clean_results("corpus.jsonl --config model.toml");
    assert_eq!(results.summary["recall"]["at_threshold"], Value::Null);
    assert!(results.pairs.len() > 20);
    // The same pairs, labelled by their similarity.
    let gold: String = results
        .pairs
        .iter()
        .map(|(a, b, _)| format!("{}\n", json!({"a": a, "b": b, "label": 1})))
        .collect();
    place.write("gold.jsonl", gold);
    place
        .run("lexicon build corpus.jsonl -o words.txt")
        .exits(0);
    place
        .run("judge --gold gold.jsonl --corpus corpus.jsonl --listed --config model.toml --threshold 1 --lexicon words.txt --errors scores.jsonl")
        .exits(0);
    let scores = place.read("scores.jsonl");
    assert_eq!(scores.lines().count(), results.pairs.len());
    for line in scores.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let found = results.pairs.iter().find(|(a, b, _)| {
            [a, b] == [&line["a"], &line["b"]] || [b, a] == [&line["a"], &line["b"]]
        });
        let (_, _, similarity) = found.unwrap();
        assert!(
            (similarity - line["similarity"].as_f64().unwrap()).abs() < 1e-12,
            "{line}"
        );
    }
    // All pairs compared find the same and perhaps more.
    place.write(
        "every.toml",
        model.replace("keys = { bands = 60, rows = 1 }", "keys.method = \"every\""),
    );
    let every = place.clean_results("corpus.jsonl --config every.toml");
    assert!(every.pairs.len() >= results.pairs.len());
}

#[test]
fn a_model_that_cannot_be_is_refused_with_the_remedy() {
    let place = place();
    place.write("corpus.jsonl", "{\"id\": 1, \"text\": \"好\"}\n");
    for (from, to, problem) in [
        (
            "keys = { bands = 60, rows = 1 }",
            "keys.method = \"prefix\"",
            "--keys every",
        ),
        ("keys = { bands = 60, rows = 1 }\n", "", "[[model.floor]]"),
        ("kind = \"logistic\"", "kind = \"linear\"", "is linear"),
        ("weight = 0.5", "weight = -0.5", "less of a duplicate"),
        (
            "threshold = 0.4",
            "threshold = 0.4\nverify.measure = \"edit\"",
            "remove one of the two",
        ),
        (
            "measure = \"cosine\"",
            "measure = \"tf-idf\"",
            "--features terms",
        ),
        (
            "weight = 2.0",
            "weight = 2.0\nfield = \"title\"",
            "field \"title\"",
        ),
    ] {
        place.write("model.toml", MODEL.replace(from, to));
        place
            .documents("corpus.jsonl --config model.toml")
            .refused_with(&[problem]);
    }
}

fn counts(verdict: &Value) -> [u64; 3] {
    ["true_positives", "false_positives", "false_negatives"]
        .map(|name| verdict[name].as_u64().unwrap())
}

#[test]
fn what_is_learnt_from_fields_runs_as_threads_and_finds_what_judging_says() {
    let place = threads();
    place
        .run("tune gold.jsonl --corpus corpus.jsonl --fields title,body --output threads.toml")
        .exits(0);
    let config = place.read("threads.toml");
    assert!(config.contains("job = \"threads\""), "{config}");
    let judged = judged(
        &place,
        "--gold gold.jsonl --corpus corpus.jsonl --config threads.toml",
    );
    let of_run = |options: &str| {
        place
            .run(&format!(
                "threads corpus.jsonl --config threads.toml --pairs all {options}"
            ))
            .exits(0);
        let ran = place.run("judge out --gold gold.jsonl --json").exits(0);
        serde_json::from_str::<Value>(&ran.out).unwrap()
    };
    assert_eq!(counts(&of_run("--keys every --out out")), counts(&judged));
    let of_floors = of_run("--out out");
    let [found, wrong, missed] = counts(&of_floors);
    let [judged_found, judged_wrong, _] = counts(&judged);
    assert!(
        found <= judged_found && wrong <= judged_wrong,
        "{of_floors}"
    );
    assert!(
        missed as f64 <= 0.2 * (found + missed) as f64,
        "{of_floors}"
    );
}

/// Models by field, of every kind, whose pairs are found by floors.
fn models_of_fields() -> Vec<String> {
    let floors = "[[model.floor]]\nfield = \"title\"\nfeatures = \"shingles:words:1\"\nleast = 0.1\n[[model.floor]]\nfield = \"body\"\nfeatures = \"shingles:words:1\"\nleast = 0.2\n";
    let with_fields = |model: &str| {
        let mut fields = ["title", "body", "title"].iter();
        let mut lines = vec![
            "job = \"threads\"".to_string(),
            "input.fields = [\"title\", \"body\"]".to_string(),
        ];
        for line in model
            .lines()
            .filter(|line| !line.starts_with("keys") && !line.starts_with("features."))
        {
            lines.push(line.to_string());
            if line == "[[model.part]]" {
                lines.push(format!("field = \"{}\"", fields.next().unwrap()));
            }
        }
        format!("{}\n{floors}", lines.join("\n"))
    };
    let logistic = with_fields(MODEL);
    let absent = format!("{logistic}[model.absent]\nin-one = \"left-out\"\n");
    let linear = "threshold = 0.3\n[model]\nkind = \"linear\"\n[[model.part]]\nfeatures = \"shingles:words:1\"\nmeasure = \"edit\"\nweight = 0.7\n[[model.part]]\nfeatures = \"shingles:chars:3\"\nmeasure = \"cosine\"\nweight = 0.3\n";
    let default = "job = \"threads\"\ninput.fields = [\"title\", \"body\"]\n".to_string();
    vec![
        logistic,
        absent,
        with_fields(TREES),
        with_fields(linear),
        default,
    ]
}

/// The ids of each listed pair, the smaller first, and its similarity, read digit by digit: `serde_json` may be off by a bit.
fn similarities(lines: &str) -> BTreeMap<(u64, u64), f64> {
    let pair = |line: &str| {
        let raw: BTreeMap<String, Box<RawValue>> = serde_json::from_str(line).unwrap();
        let [a, b] = ["a", "b"].map(|side| raw[side].get().parse::<u64>().unwrap());
        let similarity = raw["similarity"].get().parse().unwrap();
        ((a.min(b), a.max(b)), similarity)
    };
    lines.lines().map(pair).collect()
}

#[test]
fn threads_score_as_judging_does_to_the_last_bit() {
    for model in models_of_fields() {
        let place = threads();
        place.write("model.toml", &model);
        let run = |options: &str| {
            place
                .run(&format!(
                    "threads corpus.jsonl --config model.toml --out out --pairs all {options}"
                ))
                .exits(0);
            let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
            (
                similarities(&place.read("out/pairs.jsonl")),
                summary["recall"].clone(),
            )
        };
        let (by_floors, recall) = run("");
        if model.contains("floor") {
            assert_eq!(recall["at_threshold"], Value::Null);
            let because = recall["because"].as_str().unwrap();
            assert!(
                because.contains("title is at least 0.100 alike"),
                "{because}"
            );
        } else {
            assert_eq!(recall["exact"], true, "{recall}");
        }
        let (every, _) = run("--keys every --threshold 0.001");
        assert!(
            every.len() > 100 && every.len() > by_floors.len(),
            "{} {}",
            every.len(),
            by_floors.len()
        );
        let gold: String = every
            .keys()
            .map(|(a, b)| format!("{}\n", json!({"a": a, "b": b, "label": 1})))
            .collect();
        place.write("found.jsonl", gold);
        place
            .run("judge --gold found.jsonl --corpus corpus.jsonl --listed --config model.toml --threshold 1 --errors scores.jsonl")
            .exits(0);
        let judged = similarities(&place.read("scores.jsonl"));
        for (pair, similarity) in every.iter().chain(&by_floors) {
            // What is found is no mistake, so it is not listed.
            let judged = judged.get(pair).copied().unwrap_or(1.0);
            assert_eq!(
                judged.to_bits(),
                similarity.to_bits(),
                "{pair:?} in {model}"
            );
        }
    }
}

#[test]
fn documents_run_with_floors_of_the_whole_text() {
    let place = place();
    let lines: String = pairs()
        .into_iter()
        .enumerate()
        .map(|(id, (a, _, _))| format!("{}\n", json!({"id": id, "text": a})))
        .collect();
    place.write("corpus.jsonl", lines);
    for model in [MODEL, TREES] {
        let model = model.replace("keys = { bands = 60, rows = 1 }\n", "");
        place.write(
            "model.toml",
            format!("{model}[[model.floor]]\nfeatures = \"shingles:words:1\"\nleast = 0.1\n"),
        );
        let results = place.clean_results("corpus.jsonl --config model.toml");
        assert_eq!(results.summary["recall"]["at_threshold"], Value::Null);
        let because = results.summary["recall"]["because"].as_str().unwrap();
        assert!(
            because.contains("the text is at least 0.100 alike in shingles:words:1"),
            "{because}"
        );
    }
}

#[test]
fn ids_are_looked_up_in_a_data_dump_of_threads() {
    let place = Place::new();
    let (mut rows, mut labelled) = (String::new(), String::new());
    for (number, (a, b, label)) in pairs().into_iter().enumerate() {
        let ids = [3 * number + 1, 3 * number + 2];
        for (id, title) in ids.into_iter().zip([a, b]) {
            rows += &format!(
                "  <row Id=\"{id}\" PostTypeId=\"1\" CreationDate=\"2020-01-01T00:00:00.000\" Score=\"1\" Body=\"&lt;p&gt;{title} 谢谢&lt;/p&gt;\" Title=\"{title}\" />\n"
            );
        }
        labelled += &format!("{}\n", json!({"a": ids[0], "b": ids[1], "label": label}));
    }
    place.write(
        "Posts.xml",
        format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>\n{rows}</posts>\n"),
    );
    place.write("labelled.jsonl", labelled);
    place
        .run("tune labelled.jsonl --corpus Posts.xml --fields title,body --output dump.toml")
        .exits(0);
    let verdict = judged(
        &place,
        "--gold labelled.jsonl --corpus Posts.xml --config dump.toml",
    );
    assert!(verdict["f1"].as_f64().unwrap() > 0.95, "{verdict}");
    place
        .run("threads Posts.xml --config dump.toml --out out")
        .exits(0);
}
