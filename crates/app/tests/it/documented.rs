//! Every command in the README, the cookbook and the tour of the report runs and prints what stands there. `UPDATE_SNAPSHOTS=1`
//! writes what it prints. Commands of other programs that are not installed (`scripts/test` installs them) are taken as read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Place;

/// A page with its commands, in the order in which they are run, one folder per page.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<PathBuf> = fs::read_dir(root.join("docs/cookbook"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    pages.sort();
    pages.push(root.join("docs/report.md"));
    pages.push(root.join("README.md"));
    pages
}

/// What a shell prints for a command, both streams as they come; seconds differ from run to run.
fn printed(place: &Place, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_lookalike"));
    let path = std::env::var("PATH").unwrap();
    let ran = Command::new("sh")
        .arg("-c")
        .arg(format!("{command} 2>&1"))
        .current_dir(place.root())
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .env("COLUMNS", "100")
        .env("LC_ALL", "C.UTF-8")
        .env_remove("PAGER")
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{command}: {}",
        String::from_utf8_lossy(&ran.stdout)
    );
    let lines = String::from_utf8(ran.stdout).unwrap();
    let line = |line: &str| match line.strip_prefix("time  ") {
        Some(_) => "time              0.1 s\n".to_string(),
        None => format!("{}\n", line.trim_end()),
    };
    lines.lines().map(line).collect()
}

/// Whether there is all that a command needs beside the program and a shell.
fn can_run(command: &str) -> bool {
    let mut words = command.split([' ', '|', '(']);
    let is_there = |word: &str| Command::new(word).arg("--version").output().is_ok();
    words.all(|word| !["jq", "duckdb"].contains(&word) || is_there(word))
}

/// The page with what every command of its `console` blocks prints.
fn run(page: &str, place: &Place) -> String {
    let mut out = String::new();
    let (mut is_console, mut is_run) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            (is_console, is_run) = (line == "```console", false);
            out += &format!("{line}\n");
        } else if let (true, Some(command)) = (is_console, line.strip_prefix("$ ")) {
            is_run = can_run(command);
            out += &format!("{line}\n");
            if is_run {
                out += &printed(place, command);
            }
        } else if !is_run {
            out += &format!("{line}\n");
        }
    }
    out
}

#[cfg(unix)]
#[test]
fn every_command_in_the_readme_and_the_cookbook_prints_what_stands_there() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for page in pages() {
        let place = Place::new();
        std::os::unix::fs::symlink(&examples, place.path("examples")).unwrap();
        let text = fs::read_to_string(&page).unwrap();

        // What it prints is made by commands that others need.
        if text.contains("jq ") && !can_run("jq") {
            continue;
        }
        let printed = run(&text, &place);
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            fs::write(&page, &printed).unwrap();
        }
        let name = page.file_name().unwrap().display().to_string();
        let now = fs::read_to_string(&page).unwrap();
        for (stands, prints) in now.lines().zip(printed.lines()) {
            assert_eq!(
                stands, prints,
                "{name}; UPDATE_SNAPSHOTS=1 writes what is printed"
            );
        }
        assert_eq!(now.lines().count(), printed.lines().count(), "{name}");
    }
}
