//! Running the program as a user does, and reading back what it wrote.

pub(crate) mod corpus;
pub(crate) mod disk;
pub(crate) mod kill;
pub(crate) mod labelled;
pub(crate) mod naive;
pub(crate) mod threads;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use serde_json::value::RawValue;
use tempfile::TempDir;

/// A folder of its own for a test; commands run in it, so that names in the output are the same on every machine.
pub(crate) struct Place {
    folder: TempDir,
}

/// What a command left on the screen.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) errors: String,
}

impl Ran {
    /// The exit code is this one.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout:\n{}\nstderr:\n{}",
            self.out, self.errors
        );
        self
    }

    /// It failed as a whole, with a message that has all these parts.
    #[track_caller]
    pub(crate) fn fails_with(self, parts: &[&str]) -> Self {
        self.exits(1).says(parts)
    }

    /// The settings were refused, with a message that has all these parts.
    #[track_caller]
    pub(crate) fn refused_with(self, parts: &[&str]) -> Self {
        self.exits(2).says(parts)
    }

    #[track_caller]
    fn says(self, parts: &[&str]) -> Self {
        let ran = self;
        for part in parts {
            assert!(ran.errors.contains(part), "no {part:?} in: {}", ran.errors);
        }
        assert_eq!(
            ran.errors.lines().count(),
            1,
            "more than a message: {}",
            ran.errors
        );
        ran
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        Place {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The objects of a result file in `out`.
    pub(crate) fn lines(&self, name: &str) -> Vec<Value> {
        let text = self.read(&format!("out/{name}"));
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// These result files in `out`.
    pub(crate) fn files<const N: usize>(
        &self,
        names: [&'static str; N],
    ) -> BTreeMap<&'static str, String> {
        let read = |name| (name, self.read(&format!("out/{name}")));
        names.into_iter().map(read).collect()
    }

    /// The program with these arguments, separated by spaces.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike"));
        command
            .args(arguments.split_whitespace())
            .current_dir(self.root())
            .env_remove("RUST_BACKTRACE")
            // The width of help texts.
            .env("COLUMNS", "100")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Ran {
        ran(&mut self.command(arguments))
    }

    /// `lookalike documents` on these arguments, into the folder `out`.
    pub(crate) fn documents(&self, arguments: &str) -> Ran {
        self.run(&format!("documents --out out {arguments}"))
    }

    /// The same, with this on standard input.
    pub(crate) fn documents_from(&self, input: &[u8], arguments: &str) -> Ran {
        self.run_with(&format!("documents --out out {arguments}"), input)
    }

    /// The program with this on standard input.
    pub(crate) fn run_with(&self, arguments: &str, input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut to = child.stdin.take().unwrap();
        // The program may end before it has read everything.
        let _ = to.write_all(input);
        drop(to);
        screen(child.wait_with_output().unwrap())
    }

    /// What a finished run wrote into `out`.
    pub(crate) fn results(&self) -> Results {
        Results::read(&self.path("out"))
    }

    /// `results` after a run that must have been clean.
    #[track_caller]
    pub(crate) fn clean_results(&self, arguments: &str) -> Results {
        self.documents(arguments).exits(0);
        self.results()
    }

    /// The names of everything in a folder, hidden or not, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn ran(command: &mut Command) -> Ran {
    screen(command.output().unwrap())
}

fn screen(output: std::process::Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The files of a finished run.
pub(crate) const FILES: [&str; 4] = [
    "clusters.jsonl",
    "pairs.jsonl",
    "rejected.jsonl",
    "removed.jsonl",
];

/// A result read back.
#[derive(Debug, PartialEq)]
pub(crate) struct Results {
    /// `a`, `b`, `similarity`.
    pub(crate) pairs: Vec<(Value, Value, f64)>,
    /// `id`, `kept`, `similarity`.
    pub(crate) removed: Vec<(Value, Value, f64)>,
    /// `cluster`, `members`.
    pub(crate) clusters: Vec<(Value, Vec<Value>)>,
    /// `source`, `line`, `reason`.
    pub(crate) rejected: Vec<(String, Option<u64>, String)>,
    pub(crate) summary: Value,
}

impl Results {
    pub(crate) fn read(out: &Path) -> Self {
        let lines = |name: &str| -> Vec<Value> {
            let text = fs::read_to_string(out.join(name)).unwrap();
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        };
        let triples = |name: &str, one: &str, two: &str| {
            let text = fs::read_to_string(out.join(name)).unwrap();
            text.lines().map(|line| triple(line, one, two)).collect()
        };
        let clusters = lines("clusters.jsonl").into_iter().map(|line| {
            let members = line["members"].as_array().unwrap().clone();
            assert_eq!(line["size"], members.len());
            (line["cluster"].clone(), members)
        });
        let rejected = lines("rejected.jsonl").into_iter().map(|line| {
            let text = |name: &str| line[name].as_str().unwrap().to_string();
            (text("source"), line["line"].as_u64(), text("reason"))
        });
        Results {
            pairs: triples("pairs.jsonl", "a", "b"),
            removed: triples("removed.jsonl", "id", "kept"),
            clusters: clusters.collect(),
            rejected: rejected.collect(),
            summary: serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap(),
        }
    }

    /// One of the counts of the summary.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.summary["counts"][name]
            .as_u64()
            .unwrap_or_else(|| panic!("no count {name}"))
    }

    pub(crate) fn removed_ids(&self) -> Vec<Value> {
        self.removed.iter().map(|(id, _, _)| id.clone()).collect()
    }
}

/// Two ids and a similarity, which is read digit by digit: serde_json may be off by a bit.
fn triple(line: &str, one: &str, two: &str) -> (Value, Value, f64) {
    let raw: BTreeMap<String, Box<RawValue>> = serde_json::from_str(line).unwrap();
    let id = |name: &str| serde_json::from_str(raw[name].get()).unwrap();
    assert_eq!(raw.len(), 3, "{line}");
    (id(one), id(two), raw["similarity"].get().parse().unwrap())
}

/// Every result file but the summary, which has timings, byte for byte.
pub(crate) fn bytes(out: &Path) -> BTreeMap<&'static str, String> {
    FILES
        .into_iter()
        .map(|name| (name, fs::read_to_string(out.join(name)).unwrap()))
        .collect()
}

/// A folder's files below it by name and content, hidden ones too.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_string();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}
