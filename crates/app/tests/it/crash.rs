//! Runs that are killed, and folders that others have been in.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::corpus::{Language, corpus, jsonl, short_texts};
use crate::support::disk::SmallDisk;
use crate::support::kill::{self, Moments};
use crate::support::{Place, bytes, tree};

/// Little memory, so that there is much on disk, and a checkpoint after every block.
const SLOW: &str = "--memory 80MB --threads 2 --checkpoint-every 0 --bands 60 --rows 2";

fn place() -> Place {
    let place = Place::new();
    place.write("pages.jsonl", short_texts(30_000, 1));
    place
}

fn documents(place: &Place, arguments: &str) -> Command {
    place.command(&format!("documents --out out --quiet {arguments}"))
}

fn is_unfinished(place: &Place) -> bool {
    place.path("out/.lookalike/manifest.json").exists()
}

/// Kills a run once it has a checkpoint.
fn interrupt(place: &Place, arguments: &str) {
    let arguments = format!("documents --out out --quiet {arguments}");
    kill::interrupt(place, &arguments, |saved| saved.contains("postings-"));
}

/// What an undisturbed run writes.
fn undisturbed(arguments: &str) -> (BTreeMap<&'static str, String>, String) {
    let place = place();
    place
        .documents(&format!("{arguments} --deduplicated clean.jsonl"))
        .exits(0);
    (bytes(&place.path("out")), place.read("clean.jsonl"))
}

#[test]
fn a_run_killed_again_and_again_ends_in_the_same_bytes() {
    let mut moments = Moments::new();
    let cases = [
        SLOW.to_string(),
        format!("{SLOW} --keep longest --pairs all"),
        "--checkpoint-every 0 --keys prefix --threshold 0.5".to_string(),
        "--checkpoint-every 0 --keys every".to_string(),
        "--checkpoint-every 0 --keys imatch --measure cosine".to_string(),
        "--checkpoint-every 0 --features weighted-terms --threshold 0.6".to_string(),
    ];
    let (rounds, kills) = (2, 3);
    for (case, options) in cases.iter().enumerate() {
        let arguments = format!("pages.jsonl {options}");
        let (expected, clean) = undisturbed(&arguments);
        let mut killed = 0;
        for round in 0..rounds {
            let place = place();
            let work = if round % 2 == 0 {
                ""
            } else {
                "--work-dir work"
            };
            let arguments = format!("{arguments} {work} --deduplicated clean.jsonl");
            // Each continues the one before.
            for _ in 0..kills {
                let command = documents(&place, &arguments);
                killed += u32::from(moments.kill(&place, command));
            }
            place.documents(&arguments).exits(0);
            assert!(
                bytes(&place.path("out")) == expected,
                "case {case}, round {round}"
            );
            assert!(place.read("clean.jsonl") == clean);
            assert!(!place.path("out/.lookalike").exists());
            assert!(round % 2 == 0 || place.names("work").is_empty());
        }
        assert!(killed > 0, "no run was killed");
    }
}

#[test]
fn a_killed_run_continues_with_other_threads_and_memory() {
    let (expected, _) = undisturbed(&format!("pages.jsonl {SLOW}"));
    let settings = "--checkpoint-every 0 --bands 60 --rows 2";
    for resources in [
        "--threads 5 --memory 2GB",
        "--threads 1 --memory 75MB",
        "--threads 3 --memory 100MB --work-dir elsewhere",
    ] {
        let place = place();
        interrupt(&place, &format!("pages.jsonl {SLOW}"));
        let command = documents(&place, &format!("pages.jsonl {settings} {resources}"));
        Moments::new().kill(&place, command);
        place
            .documents(&format!("pages.jsonl {settings} {resources}"))
            .exits(0);
        assert!(bytes(&place.path("out")) == expected, "{resources}");
        assert!(!place.path("out/.lookalike").exists());
    }
}

#[test]
fn standard_input_piped_in_again_continues() {
    let (expected, _) = undisturbed(&format!("pages.jsonl {SLOW}"));
    let place = place();
    let input = std::fs::File::open(place.path("pages.jsonl")).unwrap();
    let mut command = place.command(&format!("documents --out out --quiet - {SLOW}"));
    let mut child = command.stdin(input).spawn().unwrap();
    while !is_unfinished(&place) && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    kill::kill(child);
    let input = std::fs::read(place.path("pages.jsonl")).unwrap();
    place.documents_from(&input, &format!("- {SLOW}")).exits(0);
    assert!(bytes(&place.path("out")) == expected);
    assert!(!place.path("out/.lookalike").exists());
}

#[test]
fn an_unfinished_run_of_something_else_is_refused_until_it_is_discarded() {
    let place = place();
    interrupt(&place, &format!("pages.jsonl {SLOW}"));
    let before = tree(&place.path("out"));
    place.documents("pages.jsonl --threshold 0.7").fails_with(&[
        "out",
        "unfinished run",
        "--restart",
    ]);
    place.write("other.jsonl", jsonl(&corpus(Language::English, 20, 1)));
    place
        .documents("other.jsonl")
        .fails_with(&["unfinished run", "--restart"]);
    place
        .documents_from(b"{\"text\": \"x\"}\n", "-")
        .fails_with(&["unfinished run", "--restart"]);
    assert!(
        tree(&place.path("out")) == before,
        "a refused run changes nothing"
    );
    place.documents("other.jsonl --restart").exits(0);
    assert_eq!(place.results().count("records"), 20);
    assert!(!place.path("out/.lookalike").exists());
}

#[test]
fn an_input_that_changed_is_not_continued() {
    let place = place();
    interrupt(&place, &format!("pages.jsonl {SLOW}"));
    place.write("pages.jsonl", short_texts(2000, 9));
    place
        .documents(&format!("pages.jsonl {SLOW}"))
        .fails_with(&["unfinished run", "another input", "--restart"]);
    place
        .documents(&format!("pages.jsonl {SLOW} --restart"))
        .exits(0);
    assert_eq!(place.results().count("records"), 2000);
}

#[test]
fn a_finished_result_is_replaced_as_a_whole() {
    let place = Place::new();
    place.write(
        "one.jsonl",
        "{\"id\": 1, \"text\": \"一\"}\n{\"id\": 2, \"text\": \"一\"}\nbad\n",
    );
    place.write("two.jsonl", "{\"id\": 1, \"text\": \"二\"}\n");
    place.documents("one.jsonl").exits(3);
    place.write("out/mine.txt", "a note beside the results");
    let results = place.clean_results("two.jsonl");
    assert!(
        results.pairs.is_empty() && results.rejected.is_empty() && results.count("records") == 1
    );
    assert_eq!(place.read("out/mine.txt"), "a note beside the results");
    assert_eq!(
        place.names("out"),
        [
            "clusters.jsonl",
            "mine.txt",
            "pairs.jsonl",
            "records.jsonl",
            "rejected.jsonl",
            "removed.jsonl",
            "repeated.jsonl",
            "report.html",
            "summary.json"
        ]
    );
}

#[test]
fn a_run_that_fails_leaves_the_finished_result_as_it_was() {
    let place = Place::new();
    place.write(
        "one.jsonl",
        "{\"id\": 1, \"text\": \"一\"}\n{\"id\": 2, \"text\": \"一\"}\n",
    );
    place.write(
        "bad.jsonl",
        "{\"id\": 1, \"text\": \"一\"}\n{\"id\": 1, \"text\": \"一\"}\n",
    );
    place.documents("one.jsonl").exits(0);
    let before = tree(&place.path("out"));
    place
        .documents("bad.jsonl --strict")
        .fails_with(&["two records have the id 1"]);
    place
        .documents("missing.jsonl")
        .fails_with(&["missing.jsonl"]);
    assert_eq!(tree(&place.path("out")), before);
}

#[test]
fn files_of_others_are_not_overwritten() {
    for name in ["pairs.jsonl", "summary.json", "removed.jsonl"] {
        let place = Place::new();
        place.write("one.jsonl", "{\"id\": 1, \"text\": \"一\"}\n");
        place.write(&format!("out/{name}"), "{\"mine\": true}\n");
        place
            .documents("one.jsonl")
            .fails_with(&[name, "not from a finished run", "--out"]);
        place
            .documents("one.jsonl --restart")
            .fails_with(&[name, "not from a finished run"]);
        assert_eq!(place.read(&format!("out/{name}")), "{\"mine\": true}\n");
        assert_eq!(place.names("out"), [name]);
    }
}

#[test]
fn a_second_run_in_the_folder_of_a_working_one_is_refused() {
    let place = place();
    // A run that waits for its input works in the folder until the pipe is closed.
    let mut command = place.command("documents --out out --quiet -");
    let mut first = command.stdin(Stdio::piped()).spawn().unwrap();
    while !place.path("out/.lookalike/spill/stdin").exists() {
        sleep(Duration::from_millis(1));
    }
    place
        .documents("pages.jsonl")
        .fails_with(&["another run is working in out", "--out"]);
    place
        .documents_from(b"{\"text\": \"x\"}\n", "- --restart")
        .fails_with(&["another run is working in out"]);
    std::io::Write::write_all(
        first.stdin.as_mut().unwrap(),
        b"{\"id\": 1, \"text\": \"x\"}\n{\"id\": 2, \"text\": \"x\"}\n",
    )
    .unwrap();
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    assert_eq!(place.results().count("removed"), 1);
}

#[test]
fn a_finished_run_leaves_nothing_but_its_results() {
    let place = place();
    place
        .documents(&format!(
            "pages.jsonl {SLOW} --work-dir work --deduplicated clean.jsonl"
        ))
        .exits(0);
    assert!(place.names("work").is_empty());
    assert_eq!(
        place.names("out"),
        [
            "clusters.jsonl",
            "pairs.jsonl",
            "records.jsonl",
            "rejected.jsonl",
            "removed.jsonl",
            "repeated.jsonl",
            "report.html",
            "summary.json"
        ]
    );
    assert_eq!(
        place.names("."),
        ["clean.jsonl", "out", "pages.jsonl", "work"]
    );
}

#[test]
fn little_memory_really_means_the_disk() {
    let Some(disk) = SmallDisk::mount(50_000) else {
        return; // Only root may mount.
    };
    let place = &disk.place;
    place.write("pages.jsonl", short_texts(30_000, 1));
    let command = "pages.jsonl --threads 2 --bands 200 --rows 1 --work-dir disk";
    place
        .documents(&format!("{command} --memory 75MB"))
        .fails_with(&["cannot write", "disk", "No space left", "--work-dir"]);
    place.documents(&format!("{command} --memory 2GB")).exits(0);
}

#[test]
fn a_run_whose_spilled_files_are_gone_begins_again() {
    let (expected, _) = undisturbed(&format!("pages.jsonl {SLOW}"));
    let place = place();
    let arguments = format!("pages.jsonl {SLOW} --work-dir work");
    interrupt(&place, &arguments);
    std::fs::remove_dir_all(place.path("work")).unwrap();
    place.documents(&arguments).exits(0);
    assert_eq!(bytes(&place.path("out")), expected);
}
