//! Whole commands with everything they print and their exit code, as in `snapshots/`. After a wanted change,
//! `UPDATE_SNAPSHOTS=1 cargo test` writes them anew.

use std::path::PathBuf;

use crate::support::{self, Place, Ran};

const ORIGINAL: &str = "The ferry leaves the old harbour at nine, and the crossing takes forty minutes in calm weather. 渡轮九点从旧港出发，天气好的时候四十分钟就到。\n";
const CHANGED: &str = "The ferry leaves the new harbour at nine, and the crossing takes fifty minutes in calm weather. 渡轮十点从新港出发，天气好的时候四十分钟就到。\n";

const QUESTIONS: &str = r#"{"a": "When does the ferry leave?", "b": "when does the ferry leave", "label": 1}
{"a": "Where is the harbour?", "b": "Where is the old harbour?", "label": 1}
{"a": "Where is the harbour?", "b": "Who built the harbour?", "label": 0}
{"a": "渡轮几点出发？", "b": "渡轮什么时候出发？", "label": 1}
{"a": "渡轮几点出发？", "b": "谁造了渡轮？", "label": 0}
"#;

const THREADS: &str = r#"{"id": 1, "title": "When does the ferry leave?", "body": "From the old harbour.", "answer": "At nine."}
{"id": 2, "title": "What time does the ferry leave?", "body": "From the old harbour.", "answer": "At nine, and on 3 May 2024 at ten."}
{"id": 3, "title": "When does the train leave?", "body": "From the new station.", "answer": "At ten."}
{"id": 4, "title": "渡轮是哪天开始的？", "answer": "2024年5月3日"}
{"id": 5, "title": "渡轮是哪一天开始的？", "answer": "3/5/2024"}
{"id": 6, "title": "谁造了渡轮？", "answer": ""}
{"id": 7, "title": ["no text"]}
"#;

const METHODS: &str = r#"[[method]]
features.method = "shingles:words:1"

[[method]]
name = "words without stop words"
features.method = "shingles:words:1"
verify.measure = "containment"
text.stop-words = "en"

[[method]]
features.method = "shingles:chars:2"
verify.measure = "cosine"

[[method]]
keys.method = "imatch:2"
verify.unverified = true
terms = { min-characters = 1, min-unique = 1 }
imatch = { idf = [0.1, 1.0], min-terms = 2 }
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("old.txt", ORIGINAL);
    place.write("new.txt", CHANGED);
    let line = |id: &str, text: &str| {
        format!(
            "{}\n",
            serde_json::json!({"id": id, "text": text.trim(), "year": 1999})
        )
    };
    let lines = [
        line("harbour", ORIGINAL),
        line("again", ORIGINAL),
        line("changed", CHANGED),
        line("短", "好"),
        line("empty", ""),
        "not json\n".to_string(),
    ];
    place.write("pages.jsonl", lines.concat());
    place.write("questions.jsonl", QUESTIONS);
    place.write("threads.jsonl", THREADS);
    place.write("list.toml", METHODS);
    place
}

/// Seconds and sizes differ from run to run.
fn normalised(text: &str) -> String {
    let line = |line: &str| match line.split_once(' ') {
        Some((name @ ("seconds" | "peak" | "time"), _)) => format!("{name} […]\n"),
        _ => format!("{}\n", line.trim_end()),
    };
    text.lines().map(line).collect()
}

#[track_caller]
fn assert_snapshot(name: &str, ran: &Ran) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/snapshots")
        .join(format!("{name}.txt"));
    let page = format!(
        "exit code {}\n--- stdout\n{}--- stderr\n{}",
        ran.code,
        normalised(&ran.out),
        normalised(&ran.errors)
    );
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        page, expected,
        "{name} differs from its snapshot; UPDATE_SNAPSHOTS=1 accepts it"
    );
}

#[test]
fn commands_print_what_they_printed_before() {
    let place = place();
    for (name, arguments) in [
        ("help", "--help"),
        ("help-documents", "documents --help"),
        ("help-threads", "threads --help"),
        ("help-sentences", "sentences --help"),
        ("no-command", ""),
        ("unknown-option", "documents pages.jsonl --treshold 0.9"),
        (
            "judge-sweep",
            "judge --gold questions.jsonl --sweep list.toml --thresholds 0.3,0.7",
        ),
        (
            "judge-method",
            "judge --gold questions.jsonl --features shingles:chars:2",
        ),
        ("help-judge", "judge --help"),
        ("help-tune", "tune --help"),
        ("params", "params"),
        ("params-threshold", "params --threshold 0.5 --recall 0.99"),
        ("params-bands", "params --bands 20 --rows 5 --threshold 0.7"),
        (
            "params-impossible",
            "params --threshold 0.1 --recall 0.9999 --keys minhash:4",
        ),
        ("compare-files", "compare old.txt new.txt"),
        (
            "compare-characters",
            "compare old.txt new.txt --features shingles:chars:3 --no-diff",
        ),
        ("compare-same", "compare --text Hello! hello"),
        ("compare-nothing", "compare --text ok 好"),
        ("print-config", "documents --print-config"),
        (
            "print-config-changed",
            "documents --print-config --threshold 0.7 --keep date --pairs links --limit 9 --text-field title,body --ids number --punctuation keep --bands 9 --rows 3",
        ),
        (
            "documents",
            "documents pages.jsonl --features shingles:words:1 --threshold 0.5 --audit 10",
        ),
        ("documents-missing", "documents missing.jsonl"),
        ("threads", "threads threads.jsonl --keep more --audit 9"),
        ("threads-config", "threads --print-config --preset paper"),
    ] {
        assert_snapshot(name, &place.run(arguments));
    }
}

#[test]
fn printed_settings_read_back_are_the_same_settings() {
    let place = place();
    let options = "--threshold 0.55 --keep year --pairs all --limit 4 --features shingles:chars:4 --recall 0.99 --case keep --seed 5 --max-record 1MB --bucket-limit 50";
    let printed = place
        .run(&format!("documents --print-config {options}"))
        .exits(0)
        .out;
    place.write("settings.toml", &printed);
    assert_eq!(
        place
            .run("documents --print-config --config settings.toml")
            .exits(0)
            .out,
        printed
    );
    place.documents(&format!("pages.jsonl {options}")).exits(0);
    let by_options = support::bytes(&place.path("out"));
    place
        .documents("pages.jsonl --config settings.toml")
        .exits(0);
    assert_eq!(support::bytes(&place.path("out")), by_options);
    // The command line wins.
    let changed = place
        .run("documents --print-config --config settings.toml --threshold 0.9")
        .exits(0)
        .out;
    assert_eq!(
        changed,
        printed.replace("threshold = 0.55", "threshold = 0.9")
    );
}

#[test]
fn the_parameters_in_the_summary_are_a_configuration() {
    let place = place();
    place
        .documents("pages.jsonl --threshold 0.6 --keep longest")
        .exits(3);
    let parameters = place.results().summary["parameters"].clone();
    let printed = place
        .run("documents --print-config --threshold 0.6 --keep longest")
        .exits(0)
        .out;
    assert!(
        printed.contains("threshold = 0.6\n") && printed.contains("keep = \"longest\"\n"),
        "{printed}"
    );
    assert_eq!(
        (&parameters["threshold"], &parameters["keep"]),
        (&serde_json::json!(0.6), &serde_json::json!("longest"))
    );
}

#[test]
fn there_are_completions_for_every_shell() {
    let place = place();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = place.run(&format!("completions {shell}")).exits(0);
        assert!(
            ran.out.contains("--deduplicated") || ran.out.contains("-l deduplicated"),
            "{shell}"
        );
        assert_eq!(ran.errors, "");
    }
}

#[test]
fn every_command_says_its_version() {
    let place = place();
    let version = format!("lookalike {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(place.run("--version").exits(0).out, version);
}
