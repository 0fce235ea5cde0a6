//! What is seen on a terminal: a bar while a run works, pages through a pager, differences in colour.

#![cfg(target_os = "linux")]

use std::process::Command;

use serde_json::json;

use crate::support::Place;

const FERRY: &str =
    "The ferry leaves the old harbour at nine every morning and comes back at noon with the 邮件";

fn pages(records: usize) -> Place {
    let place = Place::new();
    let text = |id: usize| match id {
        0 => FERRY.to_string(),
        1 => FERRY.replace("nine", "ten"),
        _ => {
            let words = (0..40).map(|at| format!("w{}", (id * 7919 + at * 104_729) % 100_003));
            words.collect::<Vec<_>>().join(" ")
        }
    };
    let line = |id: usize| format!("{}\n", json!({"id": id, "text": text(id)}));
    place.write("pages.jsonl", (0..records).map(line).collect::<String>());
    place
}

/// What a terminal shows of a command.
fn shown(place: &Place, arguments: &str, pager: &str) -> String {
    let program = env!("CARGO_BIN_EXE_lookalike");
    let ran = Command::new("script")
        .args(["-qec", &format!("'{program}' {arguments}"), "/dev/null"])
        .current_dir(place.root())
        .env("TERM", "xterm")
        .env("LC_ALL", "C.UTF-8")
        .env("COLUMNS", "100")
        .env("PAGER", pager)
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&ran.stdout).replace('\r', "");
    assert!(ran.status.success(), "{shown}");
    shown
}

#[test]
fn pages_go_through_a_pager_and_differences_are_coloured() {
    let place = pages(2);
    place
        .documents("pages.jsonl --threshold 0.3 --features shingles:words:2 --quiet")
        .exits(0);
    let page = shown(&place, "show out", "sed s/^/paged:/");
    let lines: Vec<&str> = page.lines().collect();
    assert!(
        lines.iter().all(|line| line.starts_with("paged:")),
        "{page}"
    );
    assert!(
        page.contains("\u{1b}[31m") && page.contains("\u{1b}[32m"),
        "{page:?}"
    );
    assert!(!shown(&place, "show out --no-pager", "false").contains("paged:"));
    let plain = shown(&place, "show out --color never", "cat");
    assert!(
        !plain.contains('\u{1b}') && plain.contains("[-nine-]"),
        "{plain:?}"
    );
}

#[test]
fn a_run_shows_its_stages_with_a_bar_on_a_terminal_only() {
    let place = pages(20_000);
    let run = "documents pages.jsonl --out out";
    let bar = shown(&place, run, "cat");
    assert!(bar.contains("] reading"), "{bar:?}");
    assert!(bar.contains("[1/"), "{bar:?}");
    let without = shown(&place, &format!("{run} --no-progress"), "cat");
    assert!(!without.contains("] reading"), "{without:?}");
    let piped = place.run(run).exits(0);
    assert_eq!(piped.errors, "");
}
