//! `lookalike tune`: what is learnt can be used, and is the same every time.

use std::collections::BTreeMap;

use crate::support::Place;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const SUBJECTS: [(&str, &str); 8] = [
    ("ferry", "渡轮"),
    ("train", "火车"),
    ("museum", "博物馆"),
    ("bakery", "面包店"),
    ("library", "图书馆"),
    ("harbour", "港口"),
    ("school", "学校"),
    ("airport", "机场"),
];

/// The same question in other words, and another question about the same subject, in two languages.
fn pairs() -> Vec<(String, String, u8)> {
    let mut pairs = Vec::new();
    for (english, chinese) in SUBJECTS {
        for hour in 1..4 {
            pairs.push((
                format!("When does the {english} open at {hour} on Sunday?"),
                format!("When does the {english} open on Sunday at {hour}"),
                1,
            ));
            pairs.push((
                format!("When does the {english} open at {hour} on Sunday?"),
                format!("Who built the {english} in town {hour}?"),
                0,
            ));
            pairs.push((
                format!("{chinese}星期天{hour}点开门吗？"),
                format!("星期天{hour}点{chinese}开门吗"),
                1,
            ));
            pairs.push((
                format!("{chinese}星期天{hour}点开门吗？"),
                format!("谁建了{hour}号的{chinese}"),
                0,
            ));
        }
    }
    pairs
}

fn place() -> Place {
    let place = Place::new();
    let lines: String = pairs()
        .iter()
        .map(|(a, b, label)| format!("{}\n", json!({"a": a, "b": b, "label": label})))
        .collect();
    place.write("pairs.jsonl", lines);
    place
}

fn judged(place: &Place, arguments: &str) -> Value {
    let ran = place.run(&format!("judge --json {arguments}")).exits(0);
    serde_json::from_str(&ran.out).unwrap()
}

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

/// Pairs that share any number of words, and the more the likelier they are labelled as the same; with a corpus of their
/// texts.
fn overlapping() -> Place {
    let place = Place::new();
    let text = |number: usize, shared: usize, side: &str| {
        // Some share as much with others that nobody calls the same.
        let family = if number.is_multiple_of(4) {
            number % 40
        } else {
            number
        };
        let word = |at: usize| match at < shared {
            true => format!("shared{family}w{at}"),
            false => format!("渡轮{side}{number}w{at}"),
        };
        let words: Vec<String> = (0..12).map(word).collect();
        words.join(" ")
    };
    let (mut pairs, mut corpus) = (String::new(), String::new());
    for number in 0..240 {
        let shared = 2 + number % 10;
        let label = usize::from(number * 7 % 12 < shared);
        let (a, b) = (text(number, shared, "a"), text(number, shared, "b"));
        for (id, side) in [(2 * number, &a), (2 * number + 1, &b)] {
            corpus += &format!("{}\n", json!({"id": id, "text": side}));
        }
        pairs += &format!("{}\n", json!({"a": a, "b": b, "label": label}));
    }
    place.write("pairs.jsonl", pairs);
    place.write("corpus.jsonl", corpus);
    place
}

#[test]
fn the_threshold_for_a_corpus_is_higher_the_rarer_near_duplicates_are() {
    let place = overlapping();
    let threshold = |options: &str| {
        place
            .run(&format!(
                "tune pairs.jsonl --model logistic -o c.toml -q {options}"
            ))
            .exits(0);
        let config: toml::Table = toml::from_str(&place.read("c.toml")).unwrap();
        let removal = config["expected-removal"].as_float().unwrap();
        assert!((0.0..=1.0).contains(&removal), "{removal}");
        config["threshold"].as_float().unwrap()
    };
    let common = threshold("--prevalence 0.9");
    let rare = threshold("--prevalence 0.001");
    assert!(rare > common, "{rare} {common}");
    let precise = threshold("--corpus corpus.jsonl --precision 0.99 --prevalence 0.1");
    let less_precise = threshold("--corpus corpus.jsonl --precision 0.1 --prevalence 0.1");
    assert!(precise > less_precise, "{precise} {less_precise}");
    for wrong in ["--precision 80", "--prevalence 0", "--precision x"] {
        place
            .run(&format!("tune pairs.jsonl -o c.toml {wrong}"))
            .exits(2);
    }
}

#[test]
fn a_run_that_removes_far_more_than_was_expected_warns() {
    let place = Place::new();
    let record =
        |id: usize| json!({"id": id, "text": format!("The ferry 渡轮 leaves at {}", id % 3)});
    let records: String = (0..60).map(|id| format!("{}\n", record(id))).collect();
    place.write("corpus.jsonl", records);
    for (expected, warns) in [(0.1, true), (0.9, false)] {
        place.write("config.toml", format!("expected-removal = {expected}\n"));
        let ran = place
            .documents("corpus.jsonl --config config.toml --restart")
            .exits(0);
        assert_eq!(
            ran.errors.contains("95.0 % of the records were removed"),
            warns,
            "{}",
            ran.errors
        );
    }
}

#[test]
fn links_to_posts_that_are_not_there_are_skipped_and_others_sampled() {
    let place = Place::new();
    let (mut rows, mut links) = (String::new(), String::new());
    for (number, (a, b, label)) in pairs().into_iter().enumerate() {
        let ids = [2 * number + 1, 2 * number + 2];
        for (id, title) in ids.into_iter().zip([a, b]) {
            rows += &format!(
                "  <row Id=\"{id}\" PostTypeId=\"1\" Body=\"&lt;p&gt;{title}&lt;/p&gt;\" Title=\"{title}\" />\n"
            );
        }
        if label == 1 {
            links += &format!(
                "<row PostId=\"{}\" RelatedPostId=\"{}\" LinkTypeId=\"3\" />\n",
                ids[0], ids[1]
            );
        }
    }
    links += "<row PostId=\"1\" RelatedPostId=\"99999\" LinkTypeId=\"3\" />\n";
    place.write("Posts.xml", format!("<posts>\n{rows}</posts>\n"));
    place.write(
        "PostLinks.xml",
        format!("<postlinks>\n{links}</postlinks>\n"),
    );
    let ran = place
        .run("tune PostLinks.xml --corpus Posts.xml --fields title,body -o links.toml")
        .exits(0);
    for part in [
        "48 near-duplicates",
        "sampled among pairs",
        "1 link to records that are not there skipped",
    ] {
        assert!(ran.out.contains(part), "no {part:?} in:\n{}", ran.out);
    }
    place
        .run("threads Posts.xml --config links.toml --out out")
        .exits(0);
    let ran = place.run("judge out --gold PostLinks.xml").exits(0);
    assert!(
        ran.out
            .contains("1 link to records that are not in the input"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("only the labelled pairs count"),
        "{}",
        ran.out
    );
}

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

fn check_run(model: &str) {
    let place = place();
    place.write("model.toml", model);
    let mut texts: Vec<String> = pairs().into_iter().flat_map(|(a, b, _)| [a, b]).collect();
    texts.sort();
    texts.dedup();
    let records: String = texts
        .iter()
        .enumerate()
        .map(|(id, text)| format!("{}\n", json!({"id": id, "text": text})))
        .collect();
    place.write("corpus.jsonl", records);
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

/// Threads of two fields with an id each, all different, and labelled pairs of these ids.
fn threads() -> Place {
    let place = Place::new();
    let mut ids: Vec<String> = Vec::new();
    let mut id = |text: &str| {
        let known = ids.iter().position(|other| other == text);
        known.unwrap_or_else(|| {
            ids.push(text.to_string());
            ids.len() - 1
        })
    };
    let line = |(a, b, label): &(String, String, u8)| {
        format!("{}\n", json!({"a": id(a), "b": id(b), "label": label}))
    };
    let gold: String = pairs().iter().map(line).collect();
    let record = |(id, title): (usize, &String)| {
        let body = match id % 3 {
            0 => Value::Null,
            1 => json!(format!("Please tell me on {} May. 谢谢", id % 28 + 1)),
            _ => json!(format!("{title} I have to know it.")),
        };
        format!("{}\n", json!({"id": id, "title": title, "body": body}))
    };
    let records: String = ids.iter().enumerate().map(record).collect();
    place.write("gold.jsonl", gold);
    place.write("corpus.jsonl", records);
    place
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

#[test]
fn too_few_labels_and_missing_files_leave_no_configuration() {
    let place = place();
    place.write(
        "few.jsonl",
        "{\"a\": \"x y\", \"b\": \"x z\"}\n{\"a\": \"q\", \"b\": \"r\", \"label\": 0}\n",
    );
    place
        .run("tune few.jsonl --output config.toml")
        .fails_with(&["cannot make 5 folds"]);
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
