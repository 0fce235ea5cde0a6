//! A result as CSV and Parquet, with and without texts: what reads results reads them all.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Place, ran, tree};

/// Every job on its example, with what its pairs are called by.
const JOBS: [&str; 5] = [
    "documents examples/articles.jsonl",
    "threads examples/threads.jsonl",
    "sentences examples/encyclopedia.xml",
    "passages examples/pages.jsonl",
    "messages examples/messages.txt",
];

fn place() -> Place {
    let place = Place::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            place.write(&format!("examples/{name}"), fs::read(&path).unwrap());
        }
    }
    place
}

/// What a result shows: pairs, the largest clusters, and one of them.
fn shown(place: &Place, folder: &str) -> String {
    let show = |options: &str| {
        let ran = place.run(&format!("show {folder} {options}")).exits(0);
        ran.out
    };
    show("--sort similarity --limit 5") + &show("--sort size --limit 3")
}

#[test]
fn results_of_every_job_are_shown_alike_whatever_they_are_written_as() {
    let place = place();
    for job in JOBS {
        place.run(&format!("{job} --out lines --quiet")).exits(0);
        let expected = shown(&place, "lines");
        for format in ["csv", "parquet"] {
            for options in ["", " --with-text --threads 2"] {
                let out = format!("--out {format} --output-format {format}{options} --quiet");
                place.run(&format!("{job} {out}")).exits(0);
                assert!(place.path(&format!("{format}/pairs.{format}")).exists());
                assert!(!place.path(&format!("{format}/pairs.jsonl")).exists());
                assert_eq!(shown(&place, format), expected, "{job} {format}{options}");
            }
        }
    }
}

#[test]
fn a_table_has_the_same_bytes_with_any_threads_and_memory() {
    let place = place();
    for format in ["csv", "parquet"] {
        let mut files = ["1", "2"].map(|threads| {
            let options = format!("--threads {threads} --memory {threads}00MB --with-text");
            let job = format!("{} --output-format {format} {options} --quiet", JOBS[1]);
            place.run(&format!("{job} --out {threads}")).exits(0);
            tree(&place.path(threads))
        });
        for files in &mut files {
            // These hold timings.
            files.remove("summary.json");
            files.remove("report.html");
        }
        assert_eq!(files[0], files[1]);
    }
}

#[test]
fn a_result_is_judged_and_reclustered_whatever_it_is_written_as() {
    let place = place();
    let gold = "--gold examples/planted.jsonl --json";
    let mut answers = Vec::new();
    for format in ["jsonl", "csv", "parquet"] {
        let job = format!("{} --output-format {format} --quiet", JOBS[0]);
        place.run(&format!("{job} --out {format}")).exits(0);
        let judged = place.run(&format!("judge {format} {gold}")).exits(0);
        let again = format!("again-{format}");
        let recluster = format!("recluster {format} -t 0.9 --keep longest --out {again} --json");
        let summary = place.run(&recluster).exits(0).out;
        let summary: Value = serde_json::from_str(&summary).unwrap();
        assert!(place.path(&format!("{again}/removed.{format}")).exists());
        let to_lines =
            format!("recluster {format} -t 0.9 --out lines-{format} --output-format jsonl -q");
        place.run(&to_lines).exits(0);
        let removed = place.read(&format!("lines-{format}/removed.jsonl"));
        answers.push((judged.out, summary["counts"]["removed"].clone(), removed));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    assert!(answers[0].1.as_u64().unwrap() > 10);
}

#[test]
fn csv_has_a_row_of_names_and_json_where_values_are_nested() {
    let place = place();
    let job = format!("{} --output-format csv --out out --quiet", JOBS[1]);
    place.run(&job).exits(0);
    let pairs = place.read("out/pairs.csv");
    let mut lines = pairs.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("a,b,similarity,verified,")
    );
    assert!(
        lines.next().unwrap().contains("\"{\"\"title\"\":"),
        "{pairs}"
    );
    let clusters = place.read("out/clusters.csv");
    assert!(clusters.starts_with("cluster,size,members\n"), "{clusters}");
}

#[test]
fn numbers_stay_numbers_and_a_result_in_one_format_replaces_one_in_another() {
    let place = Place::new();
    let text = "Die Fähre legt um neun Uhr am alten Hafen ab und kommt mittags zurück";
    let record = |id: Value| format!("{}\n", json!({"id": id, "text": text}));
    place.write("a.jsonl", record(json!(7)) + &record(json!(8)));
    place
        .documents("a.jsonl --output-format csv --quiet")
        .exits(0);
    assert_eq!(
        place.read("out/pairs.csv"),
        "a,b,similarity,verified\n7,8,1.0,true\n"
    );
    let ran = place.run("show out --json").exits(0);
    assert_eq!(ran.out, "{\"a\":7,\"b\":8,\"similarity\":1.0}\n");
    place.documents("a.jsonl --quiet").exits(0);
    assert!(!place.path("out/pairs.csv").exists());
    place
        .documents("a.jsonl --output-format parquet --quiet")
        .exits(0);
    assert!(!place.path("out/pairs.jsonl").exists());
    // One id that is no number makes all of them text.
    place.write("b.jsonl", record(json!(7)) + &record(json!("船")));
    place
        .run("documents b.jsonl --out b --output-format parquet --quiet")
        .exits(0);
    let ran = place.run("show b --json").exits(0);
    let row: Value = serde_json::from_str(ran.out.trim()).unwrap();
    assert_eq!((&row["a"], &row["b"]), (&json!("7"), &json!("船")));
    // What the user wrote is not replaced.
    fs::remove_file(place.path("out/summary.json")).unwrap();
    place.write("out/pairs.csv", "mine\n");
    place
        .documents("a.jsonl --output-format csv")
        .fails_with(&["pairs.csv", "--force"]);
    place.documents("a.jsonl --output-format xml").exits(2);
}

#[test]
fn ids_that_a_table_could_not_tell_apart_are_refused() {
    let place = Place::new();
    let text = "the ferry leaves the old harbour at nine every morning and comes back at noon";
    let lines = |ids: &[&str]| -> String {
        let line = |id: &&str| format!("{{\"id\": {id}, \"text\": \"{text}\"}}\n");
        ids.iter().map(line).collect()
    };
    place.write("mixed.jsonl", lines(&["1", "\"1\"", "\"船\""]));
    for format in ["csv", "parquet"] {
        place
            .documents(&format!("mixed.jsonl --output-format {format}"))
            .fails_with(&[
                "the number 1 and the string \"1\" are both ids",
                "JSON Lines",
            ]);
        assert!(!place.path("out/summary.json").exists());
    }
    place.documents("mixed.jsonl").exits(0);
    // Neither all strings nor numbers beside other strings are a problem.
    place.write("apart.jsonl", lines(&["1", "\"2\"", "\"船\""]));
    place.documents("apart.jsonl --output-format csv").exits(0);
    place.write("strings.jsonl", lines(&["\"1\"", "\"2\""]));
    place
        .documents("strings.jsonl --output-format parquet")
        .exits(0);
}

#[test]
fn a_result_with_texts_is_shown_without_its_input() {
    let place = place();
    for format in ["jsonl", "csv", "parquet"] {
        let job = format!("{} --with-text --output-format {format}", JOBS[0]);
        place.run(&format!("{job} --out {format} --quiet")).exits(0);
    }
    place
        .run(&format!("{} --out bare --quiet", JOBS[0]))
        .exits(0);
    let bare = place.run("show bare --near 0.8 --limit 2").exits(0);
    let cluster = place.run("show bare --cluster ex-0020").exits(0);
    fs::remove_file(place.path("examples/articles.jsonl")).unwrap();
    place.run("show bare").fails_with(&["--with-text"]);
    // Where a text stands is in records.jsonl, so only the place is missing.
    let texts = |page: &str| {
        let lines = page
            .lines()
            .map(|line| line.split("  (examples").next().unwrap());
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    for format in ["jsonl", "csv", "parquet"] {
        let with = place
            .run(&format!("show {format} --near 0.8 --limit 2"))
            .exits(0);
        assert_eq!(texts(&with.out), texts(&bare.out), "{format}");
        let with = place
            .run(&format!("show {format} --cluster ex-0020"))
            .exits(0);
        assert_eq!(texts(&with.out), texts(&cluster.out), "{format}");
        place.run(&format!("show {format} --sort size")).exits(0);
    }
    let removed = place.read("jsonl/removed.jsonl");
    let removed: Value = serde_json::from_str(removed.lines().next().unwrap()).unwrap();
    assert!(removed["text"].as_str().unwrap().len() > 20);
    assert!(removed["kept_text"].as_str().unwrap().len() > 20);
}

#[test]
fn texts_are_those_of_the_side_that_a_row_means() {
    let place = Place::new();
    let text = |word: &str| {
        format!("没有人知道谁画了大厅的天花板直到人们在一层{word}下面发现了它而且保存得很好")
    };
    let record = |text: String| format!("{}\n", json!({"id": 1, "text": text}));
    place.write("new.jsonl", record(text("石灰")));
    place.write("old.jsonl", record(text("灰尘")));
    let options = "--against old.jsonl --with-text --features shingles:chars:3 -t 0.5 --quiet";
    place.documents(&format!("new.jsonl {options}")).exits(0);
    let row = &place.lines("pairs.jsonl")[0];
    assert_eq!(
        (&row["text_a"], &row["text_b"]),
        (&json!(text("石灰")), &json!(text("灰尘")))
    );
    let row = &place.lines("clusters.jsonl")[0];
    assert_eq!(row["texts"], json!([text("石灰"), text("灰尘")]));
    let row = &place.lines("removed.jsonl")[0];
    assert_eq!(
        (&row["text"], &row["kept_text"]),
        (&json!(text("石灰")), &json!(text("灰尘")))
    );
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_enough_of_what_a_run_writes_does_not_end_it() {
    let place = Place::new();
    let line =
        |number: u32| format!("{{\"id\": {number}, \"text\": \"note {number} on the ferry\"}}\n");
    place.write("many.jsonl", (0..20_000).map(line).collect::<String>());
    let program = env!("CARGO_BIN_EXE_lookalike");
    for option in ["--deduplicated", "--annotate"] {
        let pipe = format!(
            "{program} documents many.jsonl --out out --no-report -q {option} - | head -n 1; exit ${{PIPESTATUS[0]}}"
        );
        let mut command = std::process::Command::new("bash");
        let ended = ran(command.arg("-c").arg(pipe).current_dir(place.root())).exits(0);
        assert_eq!(ended.errors, "");
        assert!(ended.out.starts_with("{\"id\": 0, "), "{}", ended.out);
        assert!(place.path("out/summary.json").exists());
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}
