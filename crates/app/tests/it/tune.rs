//! `lookalike tune`: what is learnt from labelled pairs of texts.

use crate::support::labelled::{judged, pairs, place, threads};
use serde_json::json;

#[test]
fn what_is_learnt_is_a_configuration_and_the_same_every_time() {
    let place = place();
    let ran = place
        .run("tune pairs.jsonl --output one.toml --threads 1")
        .exits(0);
    assert_eq!(ran.errors, "");
    for part in [
        "96 labelled pairs",
        "weighted mean",
        "maximum entropy",
        "boosted trees",
        "the best for the labelled pairs; --precision or --prevalence",
        "*",
    ] {
        assert!(ran.out.contains(part), "no {part:?} in:\n{}", ran.out);
    }
    place
        .run("tune pairs.jsonl --output two.toml --threads 3 --quiet")
        .exits(0);
    assert_eq!(place.read("one.toml"), place.read("two.toml"));
    let verdict = judged(&place, "--gold pairs.jsonl --config one.toml");
    assert!(verdict["f1"].as_f64().unwrap() > 0.95, "{verdict}");
}

#[test]
fn every_kind_of_model_can_be_asked_for() {
    let place = place();
    for kind in ["linear", "logistic", "trees"] {
        place
            .run(&format!("tune pairs.jsonl -o {kind}.toml --model {kind}"))
            .exits(0);
        let config = place.read(&format!("{kind}.toml"));
        assert!(config.contains(&format!("kind = \"{kind}\"")), "{config}");
        let verdict = judged(&place, &format!("--gold pairs.jsonl --config {kind}.toml"));
        assert!(verdict["f1"].as_f64().unwrap() > 0.9, "{verdict}");
    }
    place
        .run("tune pairs.jsonl -o x.toml --model forest")
        .exits(2);
}

#[test]
fn hill_climbing_shows_the_weights_of_the_fields() {
    let place = threads();
    let command = "tune gold.jsonl --corpus corpus.jsonl --fields title,body --starts 5 --features shingles:words:1";
    let ran = place.run(&format!("{command} --out climbed.toml")).exits(0);
    assert!(
        ran.out.contains("hill climbing from 5 starts"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("for title: shingles:words:1, jaccard"),
        "{}",
        ran.out
    );
    let config = place.read("climbed.toml");
    assert!(config.contains("kind = \"linear\""), "{config}");
}

#[test]
fn fields_are_compared_one_by_one_and_an_empty_one_is_missing() {
    let place = place();
    let line = |(a, b, label): &(String, String, u8), body: &str| {
        format!(
            "{}\n",
            json!({"a": {"title": a, "body": body}, "b": {"title": b, "body": null}, "label": label})
        )
    };
    let lines: String = pairs().iter().map(|pair| line(pair, "")).collect();
    place.write("fields.jsonl", lines);
    place
        .run("tune fields.jsonl --fields title,body --output fields.toml")
        .exits(0);
    let config = place.read("fields.toml");
    assert!(config.contains("field = \"title\""), "{config}");
    let verdict = judged(&place, "--gold fields.jsonl --config fields.toml");
    assert!(verdict["f1"].as_f64().unwrap() > 0.95, "{verdict}");
    place
        .run("tune pairs.jsonl --fields title --output fields.toml")
        .fails_with(&["pair 1 of pairs.jsonl", "without --fields"]);
    let misspelt = ["no text of fields.jsonl has the field \"titel\"", "title"];
    place
        .run("tune fields.jsonl --fields titel,body --output fields.toml")
        .fails_with(&misspelt);
    place
        .run("judge --gold fields.jsonl --fields titel")
        .fails_with(&misspelt);
}

#[test]
fn pairs_of_ids_are_looked_up_in_the_corpus() {
    let place = place();
    let (mut records, mut labelled) = (String::new(), String::new());
    for (number, (a, b, label)) in pairs().into_iter().enumerate() {
        let ids = [format!("{number}甲"), format!("{number}乙")];
        records += &format!(
            "{}\n{}\n",
            json!({"id": ids[0], "text": a}),
            json!({"id": ids[1], "text": b})
        );
        labelled += &format!("{}\n", json!({"a": ids[0], "b": ids[1], "label": label}));
    }
    place.write("corpus.jsonl", records);
    place.write("labelled.jsonl", labelled);
    place
        .run("tune labelled.jsonl --corpus corpus.jsonl --output config.toml")
        .exits(0);
    let verdict = judged(
        &place,
        "--gold labelled.jsonl --corpus corpus.jsonl --config config.toml",
    );
    assert!(verdict["f1"].as_f64().unwrap() > 0.95, "{verdict}");
    place.clean_results("corpus.jsonl --config config.toml");
}

#[test]
fn too_few_labels_and_missing_files_leave_no_configuration() {
    let place = place();
    place.write(
        "few.jsonl",
        "{\"a\": \"x y\", \"b\": \"x z\"}\n{\"a\": \"q\", \"b\": \"r\", \"label\": 0}\n",
    );
    place
        .run("tune few.jsonl --output config.toml")
        .fails_with(&["cannot make 5 folds", "label at least two pairs of each"]);
    place.write("same.jsonl", "{\"a\": \"x y\", \"b\": \"x z\"}\n");
    place
        .run("tune same.jsonl --output config.toml")
        .fails_with(&["no pair has label 0"]);
    place
        .run("tune missing.jsonl --output config.toml")
        .fails_with(&["missing.jsonl"]);
    place
        .run("tune pairs.jsonl --output nowhere/config.toml")
        .fails_with(&["nowhere/config.toml", "name another file"]);
    place.run("tune pairs.jsonl").exits(2);
    assert!(!place.path("config.toml").exists());
}
