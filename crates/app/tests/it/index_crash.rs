//! Processes that are killed while they write to an index, and disks that are full: what was acknowledged is there, and
//! nothing is half there.

use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use lookalike::index::{CheckOptions, Id, OpenOptions, Reader};

use crate::support::Place;
use crate::support::corpus::{Random, short_texts};
use crate::support::disk::SmallDisk;

/// The text of each id.
type Held = BTreeMap<String, String>;

/// What an index holds, each text of which is found by looking it up.
fn held(place: &Place, folder: &str) -> Held {
    let reader = Reader::open(&place.path(folder), &OpenOptions::default()).unwrap();
    let view = reader.view().unwrap();
    let mut checker = view.checker().unwrap();
    let mut held = Held::new();
    view.for_each(|document, _| {
        let Id::Text(id) = &document.id else {
            unreachable!("ids are strings")
        };
        let found = checker.check(&view, &document.text, &CheckOptions::all())?;
        let is_itself = |found: &&lookalike::index::Match| found.id == document.id;
        let itself = found.matches.iter().find(is_itself);
        assert_eq!(itself.unwrap().similarity, Some(1.0), "{id} is found");
        let before = held.insert(id.clone(), document.text.as_str().to_string());
        assert!(before.is_none(), "{id} is there once");
        Ok(())
    })
    .unwrap();
    held
}

/// Something that writes to an index: its command, and what the index may hold after it was killed; the last one is what it
/// holds once the command is through.
struct Step {
    command: String,
    states: Vec<Held>,
}

/// How many texts `add` commits together.
const TOGETHER: usize = 20;

fn record(id: &str, text: &str) -> String {
    format!("{}\n", serde_json::json!({"id": id, "text": text}))
}

impl Step {
    fn draw(place: &Place, before: &Held, texts: &[String], random: &mut Random) -> Step {
        let draw_texts = |random: &mut Random, count: usize| -> Vec<(String, String)> {
            let one = |_| {
                let (id, text) = (random.below(300), random.below(texts.len()));
                (format!("t{id}"), texts[text].clone())
            };
            (0..count).map(one).collect()
        };
        let lines = |drawn: &[(String, String)]| -> String {
            drawn.iter().map(|(id, text)| record(id, text)).collect()
        };
        let mut states = vec![before.clone()];
        let mut now = before.clone();
        let command = match random.below(8) {
            0..4 => {
                let drawn = draw_texts(random, 130);
                place.write("new.jsonl", lines(&drawn));
                // A commit may hold an id once more than another: what is counted are texts.
                for part in drawn.chunks(TOGETHER) {
                    now.extend(part.iter().cloned());
                    states.push(now.clone());
                }
                format!("index add seen new.jsonl --commit-every {TOGETHER}")
            }
            4 | 5 if !now.is_empty() => {
                let held: Vec<&String> = now.keys().collect();
                let ids = (0..40).map(|_| held[random.below(held.len())].clone());
                let ids: Vec<String> = ids.collect();
                now.retain(|id, _| !ids.contains(id));
                states.push(now);
                format!("index remove seen {}", ids.join(" "))
            }
            6 => {
                let drawn = draw_texts(random, 60);
                place.write("other.jsonl", lines(&drawn));
                let _ = std::fs::remove_dir_all(place.path("other"));
                place.run("index create other --keys minhash -q").exits(0);
                place.run("index add other other.jsonl -q").exits(0);
                now.extend(held(place, "other"));
                states.push(now);
                "index merge seen other".to_string()
            }
            _ => "index compact seen".to_string(),
        };
        Step { command, states }
    }
}

/// Kills a process. False if it was through already, which it must be without an error.
fn kill(mut child: Child) -> bool {
    child.kill().unwrap();
    let code = child.wait().unwrap().code();
    assert!(code.is_none_or(|code| code == 0), "it failed with {code:?}");
    code.is_none()
}

/// Kills so many processes that write to an index, and looks at it after each.
fn kill_writers(kills: usize, mut random: Random) {
    let place = Place::new();
    let texts: Vec<String> = short_texts(400, 9)
        .lines()
        .map(|line| format!("{line} and some words that all of them end with"))
        .collect();
    place.run("index create seen --keys minhash -q").exits(0);
    let mut before = Held::new();
    let (mut killed, mut took) = (0, Duration::from_millis(100));
    while killed < kills {
        let step = Step::draw(&place, &before, &texts, &mut random);
        let begun = Instant::now();
        let mut command = place.command(&step.command);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = quiet.spawn().unwrap();
        sleep(took * random.below(1200) as u32 / 1000);
        let was_killed = kill(child);
        killed += usize::from(was_killed);
        let now = held(&place, "seen");
        if was_killed {
            let is_one = step.states.contains(&now);
            assert!(is_one, "kill {killed}, of {}", step.command);
        } else {
            assert!(step.states.last() == Some(&now), "{}", step.command);
            took = (took + begun.elapsed()) / 2;
        }
        before = now;
    }
}

#[test]
fn a_killed_writer_leaves_whole_commits_and_all_that_was_acknowledged() {
    kill_writers(25, Random(21));
}

#[test]
#[ignore = "minutes: scripts/test-long"]
fn hundreds_of_killed_writers_leave_whole_commits_and_all_that_was_acknowledged() {
    let seed = std::env::var("PROPTEST_RNG_SEED").unwrap_or_default();
    kill_writers(400, Random(seed.parse().unwrap_or(21)));
}

#[test]
fn a_full_disk_ends_the_command_and_not_the_index() {
    for (round, kilobytes) in [(0, 1500), (1, 2600), (2, 4200)] {
        let Some(disk) = SmallDisk::mount(kilobytes * 1024) else {
            return; // Only root may mount.
        };
        let place = &disk.place;
        let line = |(number, text): (usize, &str)| record(&format!("t{number}"), text);
        let texts = short_texts(20_000, 4 + round);
        let all: String = texts.lines().enumerate().map(line).collect();
        place.write("all.jsonl", &all);
        let few: String = all
            .lines()
            .take(200)
            .map(|one| format!("{one}\n"))
            .collect();
        place.write("few.jsonl", few);
        place
            .run("index create disk/seen --keys minhash -q")
            .exits(0);
        place.run("index add disk/seen few.jsonl -q").exits(0);
        let before = held(place, "disk/seen");
        assert_eq!(before.len(), 200);
        place
            .run("index add disk/seen all.jsonl --commit-every 500 -q")
            .fails_with(&["cannot write to the index disk/seen", "No space left"]);
        // What was committed is there, and can be looked up while the disk is full.
        let full = held(place, "disk/seen");
        assert!(before.iter().all(|(id, text)| full.get(id) == Some(text)));
        assert_eq!(full.len() % 500, if full.len() == 200 { 200 } else { 0 });
        disk.grow();
        place.run("index add disk/seen all.jsonl -q").exits(0);
        assert_eq!(held(place, "disk/seen").len(), 20_000);
    }
}
