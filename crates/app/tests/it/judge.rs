//! `lookalike judge`: results and methods against labelled pairs and clusters.

use crate::support::{Place, Ran};
use serde_json::{Value, json};

/// Three copies, a variant of them, a pair in Chinese and one that is alone.
const PAGES: &str = r#"{"id": 1, "text": "the ferry leaves the old harbour at nine in the morning"}
{"id": 2, "text": "the ferry leaves the old harbour at nine in the morning"}
{"id": 3, "text": "the ferry leaves the old harbour at nine in the morning"}
{"id": "later", "text": "the ferry leaves the old harbour at ten in the morning"}
{"id": "船", "text": "渡轮九点从旧港出发去小岛"}
{"id": "舟", "text": "渡轮十点从旧港出发去小岛"}
{"id": "alone", "text": "bread is baked at night"}
"#;

/// Of copies, of a copy and its variant, in Chinese; and two that are none.
const PAIRS: &str = r#"{"a": 2, "b": 3, "label": 1}
{"a": "later", "b": 3, "label": 1}
{"a": "舟", "b": "船", "label": 0}
{"a": "alone", "b": 1, "label": 0}
{"a": "alone", "b": "later", "label": 1}
"#;

const TEXTS: &str = r#"{"question1": "How do I open a file?", "question2": "How can I open a file", "is_duplicate": 1}
{"question1": "怎么开证明？", "question2": "证明怎么开？", "is_duplicate": 1}
{"question1": "Where is the station?", "question2": "怎么去车站", "is_duplicate": 0}
{"question1": "How do I close a door?", "question2": "How do I open a door?", "is_duplicate": 0}
{"question1": "什么时候发货", "question2": "发货时间是什么时候", "is_duplicate": 1}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("pages.jsonl", PAGES);
    place.write("pairs.jsonl", PAIRS);
    place.write("texts.jsonl", TEXTS);
    place
}

fn with_result(options: &str) -> Place {
    with_settings(&format!(
        "--features shingles:words:1 --threshold 0.6 {options}"
    ))
}

fn with_settings(settings: &str) -> Place {
    let place = place();
    place.documents(&format!("pages.jsonl {settings}")).exits(0);
    place
}

fn json(ran: Ran) -> Value {
    let ran = ran.exits(0);
    assert_eq!(ran.errors, "");
    assert_eq!(ran.out.lines().count(), 1);
    serde_json::from_str(&ran.out).unwrap()
}

fn numbers(object: &Value) -> [u64; 3] {
    ["true_positives", "false_positives", "false_negatives"]
        .map(|name| object[name].as_u64().unwrap())
}

#[test]
fn a_result_is_judged_by_the_labelled_pairs_and_copies_stand_for_each_other() {
    for pairs in ["auto", "all"] {
        let place = with_result(&format!("--pairs {pairs}"));
        let verdict = json(place.run("judge out --gold pairs.jsonl --json"));
        assert_eq!(numbers(&verdict), [2, 1, 1], "{pairs}: {verdict}");
        assert_eq!(verdict["true_negatives"], 1);
        assert_eq!(verdict["counting"], "listed");
        assert_eq!(verdict["precision"], json!(2.0 / 3.0));
        assert_eq!(verdict["accuracy"], json!(0.6));
        // Three pairs of copies, three with the variant, one in Chinese, of which the gold has two.
        let verdict = json(place.run("judge out --gold pairs.jsonl --complete --json"));
        assert_eq!(numbers(&verdict), [2, 5, 1], "{pairs}: {verdict}");
    }
}

#[test]
fn gold_of_near_duplicates_alone_is_complete_unless_said_otherwise() {
    let place = with_result("");
    place.write(
        "gold.jsonl",
        "{\"a\": 1, \"b\": 2}\n{\"a\": 1, \"b\": \"alone\"}\n",
    );
    let verdict = json(place.run("judge out --gold gold.jsonl --json"));
    assert_eq!(
        (numbers(&verdict), &verdict["counting"]),
        ([1, 6, 1], &json!("complete"))
    );
    let verdict = json(place.run("judge out --gold gold.jsonl --listed --json"));
    assert_eq!(
        (numbers(&verdict), &verdict["counting"]),
        ([1, 0, 1], &json!("listed"))
    );
}

#[test]
fn mistakes_are_listed_with_their_similarity() {
    let place = with_result("");
    place
        .run("judge out --gold pairs.jsonl --errors wrong.jsonl")
        .exits(0);
    let lines: Vec<Value> = place
        .read("wrong.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["mistake"], "false_positive");
    assert_eq!(
        (&lines[0]["a"], &lines[0]["b"]),
        (&json!("舟"), &json!("船"))
    );
    assert_eq!(
        (&lines[1]["b"], &lines[1]["similarity"]),
        (&json!("later"), &Value::Null)
    );
}

#[test]
fn clusters_are_judged_by_clusters() {
    let place = with_result("");
    place.write(
        "clusters.jsonl",
        "{\"cluster\": \"ferry\", \"members\": [1, 2, 3, \"later\"]}\n{\"cluster\": null, \"members\": [\"船\"]}\n",
    );
    let verdict = json(place.run("judge out --gold clusters.jsonl --json"));
    assert_eq!(numbers(&verdict), [6, 1, 0]);
    let ari = verdict["ari"].as_f64().unwrap();
    assert!(ari > 0.8 && ari < 1.0, "{ari}");
    place
        .run("judge out --gold clusters.jsonl --listed")
        .refused_with(&["--listed", "clusters"]);
    place
        .run("judge out --gold clusters.jsonl --errors wrong.jsonl")
        .refused_with(&["--errors", "labelled pairs"]);
}

#[test]
fn pairs_that_were_not_verified_count_as_found() {
    let place = place();
    let settings = "keys.method = \"imatch:0\"\nverify.unverified = true\nimatch = { idf = [0.0, 1.0], min-terms = 1 }\nterms = { min-characters = 1, min-unique = 1 }\n";
    place.write("imatch.toml", settings);
    place.write(
        "punctuated.jsonl",
        PAGES
            .replace("at night\"", "at night!\"")
            .replace("\"id\": 3, \"text\": \"the", "\"id\": 3, \"text\": \"The"),
    );
    place
        .documents("punctuated.jsonl --config imatch.toml")
        .exits(0);
    assert!(
        place
            .read("out/pairs.jsonl")
            .contains("\"similarity\":null")
    );
    let verdict = json(place.run("judge out --gold pairs.jsonl --json"));
    assert_eq!(numbers(&verdict), [1, 0, 2], "{verdict}");
    // The method itself, on the texts.
    let verdict = json(
        place.run("judge --gold pairs.jsonl --corpus punctuated.jsonl --config imatch.toml --json"),
    );
    assert_eq!(numbers(&verdict), [1, 0, 2], "{verdict}");
}

#[test]
fn a_method_is_judged_on_texts_and_the_best_threshold_is_named() {
    let place = place();
    let verdict = json(place.run("judge --gold texts.jsonl --features shingles:words:1 --json"));
    // By words all but the stations are alike; at 0.8 only the same words are found.
    assert_eq!(numbers(&verdict), [1, 0, 2], "{verdict}");
    assert!(verdict["best_threshold"].as_f64().unwrap() < 0.8);
    let given = json(
        place.run("judge --gold texts.jsonl --features shingles:words:1 --threshold 0.1 --json"),
    );
    assert_eq!(numbers(&given), [3, 1, 0], "{given}");
    assert_eq!(given["best_threshold"], Value::Null);
    place
        .run("judge --gold texts.jsonl --measure edit --errors wrong.jsonl --threshold 0.99")
        .exits(0);
    assert!(
        place
            .read("wrong.jsonl")
            .contains("\"text_a\":\"怎么开证明？\"")
    );
}

#[test]
fn a_method_judged_on_ids_finds_what_the_run_finds() {
    let place = with_result("");
    let options = "--features shingles:words:1 --threshold 0.6 --json";
    let method = json(place.run(&format!(
        "judge --gold pairs.jsonl --corpus pages.jsonl {options}"
    )));
    let result = json(place.run("judge out --gold pairs.jsonl --json"));
    assert_eq!(numbers(&method), numbers(&result));
}

#[test]
fn a_lexicon_is_counted_from_the_texts_or_given() {
    let place = place();
    place.write("short.toml", "features.method = \"terms\"\nverify.measure = \"tf-idf\"\nterms = { min-characters = 1, min-unique = 1 }\n");
    let counted = json(place.run("judge --gold texts.jsonl --config short.toml --json"));
    place.run("lexicon build pages.jsonl -o words.txt").exits(0);
    let given =
        json(place.run("judge --gold texts.jsonl --config short.toml --lexicon words.txt --json"));
    assert_ne!(counted["best_threshold"], given["best_threshold"]);
}

#[test]
fn methods_are_compared_and_the_best_comes_first_whatever_the_threads() {
    let place = place();
    let one = place
        .run("judge --gold texts.jsonl --sweep --threads 1")
        .exits(0);
    let many = place
        .run("judge --gold texts.jsonl --sweep --threads 3")
        .exits(0);
    assert_eq!(one.out, many.out);
    let object = json(place.run("judge --gold texts.jsonl --sweep --thresholds 0.3,0.5 --json"));
    let methods = object["methods"].as_array().unwrap();
    assert!(methods.len() > 40);
    let f1: Vec<f64> = methods.iter().map(|m| m["f1"].as_f64().unwrap()).collect();
    assert!(f1.is_sorted_by(|better, worse| better >= worse));
    assert_eq!(object["f1"], methods[0]["f1"]);
    assert_eq!(methods[0]["at"].as_array().unwrap().len(), 2);
}

/// Pairs of threads: alike in the title, in the body, in both and in neither.
const THREADS: &str = r#"{"a": {"title": "ferry to the island", "body": "when does it leave"}, "b": {"title": "ferry to the island", "body": "渡轮九点从旧港出发"}, "label": 1}
{"a": {"title": "bread at night", "body": "who bakes it"}, "b": {"title": "bread at night", "body": "who bakes it"}, "label": 1}
{"a": {"title": "bread at night", "body": "the ferry leaves at nine"}, "b": {"title": "旧港在哪里", "body": "the ferry leaves at nine"}, "label": 0}
{"a": {"title": "a station", "body": null}, "b": {"title": "渡轮九点", "body": "none of it"}, "label": 0}
"#;

#[test]
fn fields_are_judged_together_and_alone() {
    let place = place();
    place.write("threads.jsonl", THREADS);
    place.write(
        "threads.toml",
        "job = \"threads\"\ninput.fields = [\"title\", \"body\"]\n",
    );
    let given = json(place.run("judge --gold threads.jsonl --fields title,body --json"));
    let configured = json(place.run("judge --gold threads.jsonl --config threads.toml --json"));
    assert_eq!(given, configured);
    let fields = given["fields"].as_array().unwrap();
    let names: Vec<&Value> = fields.iter().map(|field| &field["field"]).collect();
    assert_eq!(names, ["title", "body"]);
    // By titles all is right; by bodies one of two is found, and one that is wrong.
    assert_eq!(fields[0]["f1"], 1.0);
    assert_eq!(numbers(&fields[1]), [1, 1, 1]);
    assert_eq!(numbers(&given), [2, 1, 0], "{given}");
    let page = place
        .run("judge --gold threads.jsonl --fields title,body --preset paper")
        .exits(0);
    for part in ["field alone", "title  ", "all fields"] {
        assert!(page.out.contains(part), "{}", page.out);
    }
    place
        .run("judge --gold texts.jsonl --fields title,body")
        .fails_with(&["pair 1 of texts.jsonl", "without --fields"]);
    place
        .run("judge --gold threads.jsonl --fields title,body --preset papers")
        .refused_with(&["no preset \"papers\"", "paper"]);
}

#[test]
fn fields_of_ids_are_read_from_the_corpus() {
    let place = place();
    let corpus = r#"{"id": 1, "title": "ferry to the island", "body": "when"}
{"id": "二", "title": "ferry to the island", "answer": "渡轮九点"}
{"id": 3, "title": "旧港在哪里", "body": null, "answer": "when"}
"#;
    place.write("corpus.jsonl", corpus);
    place.write(
        "ids.jsonl",
        "{\"a\": 1, \"b\": \"二\"}\n{\"a\": 1, \"b\": 3, \"label\": 0}\n",
    );
    let verdict =
        json(place.run("judge --gold ids.jsonl --corpus corpus.jsonl --fields title,body --json"));
    assert_eq!(numbers(&verdict), [1, 0, 0], "{verdict}");
    assert_eq!(verdict["fields"][0]["f1"], 1.0);
}

#[test]
fn methods_are_compared_field_by_field() {
    let place = place();
    place.write("threads.jsonl", THREADS);
    let object = json(place.run("judge --gold threads.jsonl --fields title,body --sweep --json"));
    let methods = object["methods"].as_array().unwrap();
    assert!(methods.len() > 40);
    for method in methods {
        assert_eq!(method["fields"].as_array().unwrap().len(), 2);
    }
    assert_eq!(methods[0]["fields"][0]["f1"], 1.0);
    let page = place
        .run("judge --gold threads.jsonl --fields title,body --sweep")
        .exits(0);
    assert!(page.out.contains("best in title"), "{}", page.out);
    place
        .run("judge --gold threads.jsonl --fields title --sweep --thresholds 0.5")
        .refused_with(&["--thresholds", "--fields"]);
}

#[test]
fn a_list_of_methods_is_read_from_a_file() {
    let place = place();
    place.write("list.toml", LIST);
    let object = json(place.run("judge --gold texts.jsonl --sweep list.toml --json"));
    let mut names: Vec<&str> = object["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|method| method["features"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["shingles:chars:2", "words without stop words"]);
    place.write("list.toml", "[[method]]\nfeature = 1\n");
    place
        .run("judge --gold texts.jsonl --sweep list.toml")
        .refused_with(&["list.toml", "method 1", "feature"]);
    place
        .run("judge --gold texts.jsonl --sweep missing.toml")
        .fails_with(&["list of methods missing.toml"]);
}

const LIST: &str = "[[method]]
name = \"words without stop words\"
features.method = \"shingles:words:1\"
text.stop-words = \"en\"

[[method]]
features.method = \"shingles:chars:2\"
verify.measure = \"cosine\"
";

#[test]
fn what_cannot_be_judged_is_said_with_the_remedy() {
    let place = with_result("");
    place.run("judge out").exits(2);
    place
        .run("judge out --gold pairs.jsonl --listed --complete")
        .exits(2);
    place.run("judge out --gold pairs.jsonl --sweep").exits(2);
    place
        .run("judge out --gold missing.jsonl")
        .fails_with(&["missing.jsonl", "No such file"]);
    place
        .run("judge nowhere --gold pairs.jsonl")
        .fails_with(&["nowhere", "no summary.json"]);
    place.write("broken.jsonl", "{\"a\": 1, \"b\": 2}\n{\"a\": 1,\n");
    place
        .run("judge out --gold broken.jsonl")
        .fails_with(&["broken.jsonl, line 2", "not a JSON object"]);
    place.write("empty.jsonl", "\n");
    place
        .run("judge out --gold empty.jsonl")
        .fails_with(&["no labelled pairs"]);
    place
        .run("judge --gold empty.jsonl")
        .fails_with(&["no labelled pairs"]);
    place.write(
        "negative.jsonl",
        "{\"a\": \"x\", \"b\": \"y\", \"label\": 0}\n",
    );
    place
        .run("judge --gold negative.jsonl")
        .fails_with(&["no pair has label 1"]);
    place.write(
        "label.jsonl",
        "{\"a\": \"x\", \"b\": \"y\", \"label\": 2}\n",
    );
    place
        .run("judge --gold label.jsonl")
        .fails_with(&["label.jsonl, line 1"]);
    place.write(
        "strangers.jsonl",
        "{\"a\": 1, \"b\": \"谁\"}\n{\"a\": 1, \"b\": 2, \"label\": 0}\n",
    );
    place
        .run("judge --gold strangers.jsonl --corpus pages.jsonl")
        .fails_with(&["strangers.jsonl has the id \"谁\"", "--id-field"]);
    place.write("same.jsonl", "{\"a\": 1, \"b\": 2}\n");
    place
        .run("judge --gold same.jsonl --corpus pages.jsonl")
        .fails_with(&["says nothing about precision", "--listed"]);
    place
        .run("judge --gold pairs.jsonl")
        .fails_with(&["pairs.jsonl, line 1", "--corpus"]);
    place
        .run("judge --gold texts.jsonl --complete")
        .refused_with(&["--complete", "RESULT_DIR"]);
    place
        .run("judge --gold texts.jsonl --measure jacard")
        .refused_with(&["unknown measure \"jacard\""]);
    place
        .run("judge --gold texts.jsonl --sweep --thresholds 0.5,5")
        .refused_with(&["threshold 5", "--thresholds"]);
}

#[test]
fn repeated_ids_are_told_where_labels_name_ids() {
    let place = place();
    place.write("twice.jsonl", format!("{PAGES}{PAGES}"));
    place.documents("twice.jsonl").exits(0);
    let ran = place.run("judge out --gold pairs.jsonl").exits(0);
    let count = PAGES.lines().count();
    let told = format!("{count} records had the id of an earlier one");
    assert!(ran.out.contains(&told), "{}", ran.out);
    let verdict = json(place.run("judge out --gold pairs.jsonl --json"));
    assert_eq!(verdict["repeated_ids"], count);
}

#[test]
fn a_result_without_pairs_cannot_be_judged_by_pairs() {
    let place = with_result("--pairs none");
    place
        .run("judge out --gold pairs.jsonl")
        .fails_with(&["--pairs none", "--pairs auto"]);
}

#[test]
fn a_result_without_pairs_found_has_no_precision() {
    let place = with_settings("--threshold 1 --case keep --features shingles:words:9");
    place.write(
        "gold.jsonl",
        "{\"a\": \"alone\", \"b\": \"船\", \"label\": 1}\n",
    );
    place.write(
        "pages.jsonl",
        PAGES
            .lines()
            .skip(2)
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
    place
        .documents("pages.jsonl --threshold 1 --case keep --features shingles:words:9 --restart")
        .exits(0);
    let ran = place.run("judge out --gold gold.jsonl").exits(0);
    assert!(ran.out.contains("nothing reported"), "{}", ran.out);
    let verdict = json(place.run("judge out --gold gold.jsonl --json"));
    assert_eq!(verdict["precision"], Value::Null);
    assert_eq!(
        (&verdict["recall"], &verdict["f1"]),
        (&json!(0.0), &json!(0.0))
    );
    // Where only the listed pairs count, near-duplicates alone say nothing about it, whatever is found.
    let ran = place.run("judge out --gold gold.jsonl --listed").exits(0);
    assert!(ran.out.contains("precision         unknown"), "{}", ran.out);
    assert!(
        !ran.out.contains("F1") && !ran.out.contains("accuracy"),
        "{}",
        ran.out
    );
    let verdict = json(place.run("judge out --gold gold.jsonl --listed --json"));
    assert_eq!(
        (&verdict["recall"], &verdict["f1"]),
        (&json!(0.0), &Value::Null)
    );
}

#[test]
fn the_largest_seed_can_be_used_with_a_list_of_methods() {
    let place = place();
    place.write(
        "texts.jsonl",
        "{\"a\": \"茶 x\", \"b\": \"茶 y\"}\n{\"a\": \"p\", \"b\": \"q\", \"label\": 0}\n",
    );
    place.write(
        "list.toml",
        "[[method]]\nfeatures.method = \"shingles:words:1\"\n",
    );
    place
        .run("judge --gold texts.jsonl --sweep list.toml --seed 18446744073709551615")
        .exits(0);
}
