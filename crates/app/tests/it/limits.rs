//! What the system allows a process: open files, and the size of a file.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::corpus::short_texts;
use crate::support::{Place, Ran, bytes, ran};

/// The program, under a limit of the shell.
fn limited(place: &Place, limit: &str, arguments: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("ulimit {limit}; exec \"$0\" {arguments}");
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_lookalike")])
        .current_dir(place.root())
        .stdin(Stdio::null());
    command
}

/// Files that are a block each, so that a run saves as many checkpoints.
fn many_files(place: &Place, files: usize) {
    let texts = short_texts(3 * files, 1);
    let lines: Vec<&str> = texts.lines().collect();
    for (number, lines) in lines.chunks(3).enumerate() {
        let line =
            |line: &&str| format!("{}\n", line.replace("\"text\"", "\"title\":\"t\",\"text\""));
        place.write(
            &format!("in/{number:05}.jsonl"),
            lines.iter().map(line).collect::<String>(),
        );
    }
}

const SAVING: &str = "--threads 2 --quiet --checkpoint-every";

#[test]
fn hundreds_of_checkpoints_need_few_open_files() {
    let place = Place::new();
    many_files(&place, 150);
    for (job, options) in [
        ("documents", "--bands 30 --rows 2"),
        ("threads", "--fields title,text"),
        ("sentences", ""),
    ] {
        let arguments = format!("{job} in {SAVING} 0 {options} --out {job}");
        ran(&mut limited(&place, "-n 40", &arguments)).exits(0);
    }
    place
        .run(&format!(
            "documents in {SAVING} 600 --bands 30 --rows 2 --out out"
        ))
        .exits(0);
    assert_eq!(bytes(&place.path("documents")), bytes(&place.path("out")));
}

#[test]
#[ignore = "minutes: scripts/test-long"]
fn ten_thousand_checkpoints_need_few_open_files() {
    let place = Place::new();
    many_files(&place, 10_000);
    let arguments = format!("documents in {SAVING} 0 --bands 30 --rows 2 --out out");
    let mut child = limited(&place, "-n 256", &arguments).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let open = fs::read_dir(format!("/proc/{}/fd", child.id()));
        most = most.max(open.map_or(0, Iterator::count));
        sleep(Duration::from_millis(10));
    }
    assert!(child.wait().unwrap().success());
    assert!(most < 50, "{most} files were open at once");
    assert_eq!(place.results().count("records"), 30_000);
}

#[test]
#[cfg(target_os = "linux")]
fn as_many_files_may_be_open_as_the_system_allows() {
    let place = Place::new();
    let mut command = limited(
        &place,
        "-Sn 50; ulimit -Hn 200",
        "documents - --quiet --out out",
    );
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // It waits for its input then.
    while !place.path("out/.lookalike/spill/stdin").exists() {
        sleep(Duration::from_millis(1));
    }
    let limits = fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    drop(child.stdin.take());
    child.wait().unwrap();
    let open = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let numbers: Vec<&str> = open.unwrap().split_whitespace().skip(3).take(2).collect();
    assert_eq!(numbers, ["200", "200"]);
}

#[test]
fn a_file_that_may_not_grow_is_an_error_that_names_it() {
    let place = Place::new();
    place.write("pages.jsonl", short_texts(3_000, 1));
    let long = " long".repeat(2_000) + "\"}";
    place.write("one.jsonl", short_texts(1, 1).replace("\"}", &long));
    // Spilled files, what is read from a pipe, results, a cleaned corpus, counts and the screen.
    let fails = |arguments: &str, parts: &[&str]| -> Ran {
        let too_large = [parts, &["File too large"]].concat();
        ran(&mut limited(&place, "-f 8", arguments)).fails_with(&too_large)
    };
    fails(
        "documents pages.jsonl --quiet --out out --memory 75MB --checkpoint-every 0",
        &["cannot write", "out/.lookalike/spill/", "--work-dir"],
    );
    fails(
        "documents - --quiet --out out < pages.jsonl",
        &["cannot write", "stdin"],
    );
    fails(
        "documents pages.jsonl --quiet --out new",
        &["cannot write", "new/"],
    );
    fails(
        "documents one.jsonl --quiet --out new --deduplicated clean.jsonl",
        &["cannot write", "clean.jsonl"],
    );
    fails(
        "lexicon build pages.jsonl --quiet -o words",
        &["cannot write", "words"],
    );
    place
        .run("lexicon build pages.jsonl --quiet -o words")
        .exits(0);
    fails(
        "lexicon show words --top 1000 > screen",
        &["cannot write to standard output"],
    );
    assert!(!place.path("clean.jsonl").exists() && !place.path("new/summary.json").exists());
}
