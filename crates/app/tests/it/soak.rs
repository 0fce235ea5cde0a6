//! Hundreds of runs of every job that are killed at any time, or run out of disk, and are continued: minutes, for
//! `scripts/test-long`.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::passages::generated as pages;
use crate::sentences::{dump, generated as articles};
use crate::support::corpus::{Random, short_texts};
use crate::support::disk::SmallDisk;
use crate::support::kill::kill;
use crate::support::threads::{lines, many_threads};
use crate::support::{Place, tree};

const KILLS_A_CASE: usize = 60;
const DISKS_A_CASE: u64 = 12;

/// A job on an input, with much on disk and a checkpoint whenever there can be one.
struct Case {
    input: &'static str,
    content: fn() -> String,
    arguments: &'static str,
}

const CASES: [Case; 10] = [
    Case {
        input: "pages.jsonl",
        content: || short_texts(30_000, 1),
        arguments: "documents --memory 80MB --bands 60 --rows 2 --deduplicated clean.jsonl",
    },
    Case {
        input: "pages.jsonl",
        content: || short_texts(30_000, 1),
        arguments: "documents --keys prefix --threshold 0.5 --keep longest --pairs all --deduplicated clean.jsonl",
    },
    Case {
        input: "pages.jsonl",
        content: || short_texts(10_000, 1),
        arguments: "documents --keys every --work-dir work",
    },
    Case {
        input: "pages.jsonl",
        content: || short_texts(30_000, 1),
        arguments: "documents --keys imatch --measure cosine --work-dir work --deduplicated clean.jsonl",
    },
    Case {
        input: "threads.jsonl",
        content: || lines(&many_threads(6_000, 3)),
        arguments: "threads --deduplicated clean.jsonl",
    },
    Case {
        input: "threads.jsonl",
        content: || lines(&many_threads(6_000, 3)),
        arguments: "threads --memory 100MB --keep more --keys minhash --work-dir work",
    },
    Case {
        input: "wiki.xml",
        content: || dump(&articles(2000, 8)),
        arguments: "sentences --memory 90MB --keys minhash",
    },
    Case {
        input: "pages.jsonl",
        content: || pages(6000, 9),
        arguments: "passages --memory 100MB",
    },
    Case {
        input: "notes.txt",
        content: || short_texts(20_000, 5),
        arguments: "messages --deduplicated clean.txt",
    },
    Case {
        input: "notes.txt",
        content: || short_texts(20_000, 5),
        arguments: "messages --keys simfinder:3 --memory 130MB --work-dir work",
    },
];

impl Case {
    fn place(&self) -> Place {
        let place = Place::new();
        place.write(self.input, (self.content)());
        place
    }

    /// The command in a place whose outputs are in the folder `disk`.
    fn command(&self) -> String {
        let arguments = self.arguments.replace("clean.", "disk/clean.");
        let arguments = arguments.replace("--work-dir ", "--work-dir disk/");
        let input = self.input;
        format!("{arguments} {input} --out disk/out --quiet --checkpoint-every 0 --threads 2")
    }

    /// All that a run leaves but the summary and the report, which have times; a killed one leaves nothing else.
    fn outputs(place: &Place) -> BTreeMap<String, Vec<u8>> {
        let mut outputs = tree(&place.path("disk"));
        for timed in ["out/summary.json", "out/report.html"] {
            assert!(outputs.remove(timed).is_some());
        }
        outputs
    }

    /// How long an undisturbed run takes, and what it leaves.
    fn undisturbed(&self) -> (Duration, BTreeMap<String, Vec<u8>>) {
        let place = self.place();
        let begin = Instant::now();
        place.run(&self.command()).exits(0);
        (begin.elapsed(), Self::outputs(&place))
    }
}

#[test]
#[ignore = "minutes: scripts/test-long"]
fn runs_killed_at_any_time_end_in_the_same_bytes() {
    let seed = std::env::var("PROPTEST_RNG_SEED").unwrap_or_default();
    let mut random = Random(seed.parse().unwrap_or(12));
    let mut all_killed = 0;
    for case in &CASES {
        let (time, expected) = case.undisturbed();
        let mut killed = 0;
        while killed < KILLS_A_CASE {
            let place = case.place();
            // Each continues the one before.
            for _ in 0..random.below(8) + 1 {
                let child = place.command(&case.command()).spawn().unwrap();
                sleep(time * random.below(1000) as u32 / 1000);
                killed += usize::from(kill(child));
            }
            place.run(&case.command()).exits(0);
            assert!(Case::outputs(&place) == expected, "{}", case.arguments);
        }
        all_killed += killed;
    }
    println!("{all_killed} runs were killed");
    assert!(all_killed >= 500);
}

#[test]
#[ignore = "minutes: scripts/test-long"]
fn runs_on_a_full_disk_say_so_and_end_in_the_same_bytes_once_there_is_room() {
    let mut full = 0;
    for case in &CASES {
        let (_, expected) = case.undisturbed();
        let largest = expected.values().map(|file| file.len() as u64).sum::<u64>();
        for part in 1..=DISKS_A_CASE {
            let Some(disk) = SmallDisk::mount(largest * 2 * part / DISKS_A_CASE) else {
                println!("no run found the disk full: only root may mount small ones");
                return;
            };
            let place = &disk.place;
            place.write(case.input, (case.content)());
            let ran = place.run(&case.command());
            if ran.code != 0 {
                ran.fails_with(&["No space left"]);
                full += 1;
            }
            disk.grow();
            place.run(&case.command()).exits(0);
            assert!(
                Case::outputs(place) == expected,
                "{} {part}",
                case.arguments
            );
        }
    }
    println!("{full} runs found the disk full");
    assert!(full >= 100);
}
