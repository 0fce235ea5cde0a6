//! Every target on its stored inputs, and on thousands of damaged copies of them: the same ones in every run.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use lookalike_fuzz::{TARGETS, Target};
use lookalike_text::Seed;
use lookalike_text::hash::hash64;

/// How many damaged inputs each target gets.
const DAMAGED: u64 = 10_000;

/// The longest damaged input.
const MOST_BYTES: usize = 20_000;

/// Bytes that formats give a meaning to, or that are no text.
const MARKS: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\0",
    b"\"",
    b"\\",
    b",",
    b"\t",
    b"{",
    b"}",
    b"[",
    b"<",
    b">",
    b"</",
    b"&",
    b";",
    b"--",
    b"=",
    b"From ",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xe4\xb8\x80",
    b"-1",
    b"0",
    b"18446744073709551616",
    b"\x1f\x8b\x08",
    b"\x28\xb5\x2f\xfd",
    b"BZh9",
    b"PAR1",
];

/// Draws numbers that depend on nothing but its state.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = hash64(&self.0.to_le_bytes(), Seed(1));
        (self.0 % bound.max(1) as u64) as usize
    }

    /// A stretch of up to 64 bytes, or rarely of any length.
    fn stretch(&mut self, length: usize) -> std::ops::Range<usize> {
        let begin = self.below(length + 1);
        let most = if self.below(8) == 0 { length } else { 64 };
        begin..(begin + self.below(most + 1)).min(length)
    }
}

/// Damages a copy of one input, now and then with a piece of another one.
fn damaged(inputs: &[Vec<u8>], draw: &mut Draw) -> Vec<u8> {
    let mut bytes = inputs[draw.below(inputs.len())].clone();
    for _ in 0..=draw.below(6) {
        let place = draw.below(bytes.len() + 1);
        match draw.below(7) {
            0 if place < bytes.len() => bytes[place] ^= 1 << draw.below(8),
            1 if place < bytes.len() => bytes[place] = draw.below(256) as u8,
            2 => bytes.truncate(place),
            3 => drop(bytes.drain(draw.stretch(bytes.len()))),
            4 => {
                let copy = bytes[draw.stretch(bytes.len())].to_vec();
                bytes.splice(place..place, copy);
            }
            5 => {
                let other = &inputs[draw.below(inputs.len())];
                let piece = other[draw.stretch(other.len())].to_vec();
                bytes.splice(place..place, piece);
            }
            _ => drop(bytes.splice(place..place, MARKS[draw.below(MARKS.len())].iter().copied())),
        }
    }
    bytes.truncate(MOST_BYTES);
    bytes
}

/// Calls a target. The input that it fails with is kept, and named.
fn call((name, target): Target, input: &[u8]) {
    let outcome = catch_unwind(AssertUnwindSafe(|| target(input)));
    if outcome.is_err() {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
        fs::write(&kept, input).expect("write the input");
        panic!("target {name} fails with the bytes of {}", kept.display());
    }
}

fn stored(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(name);
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder of stored inputs for every target")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| fs::read(file).expect("a stored input"))
        .collect()
}

fn hold(name: &str) {
    let target = TARGETS.into_iter().find(|(known, _)| *known == name);
    let target = target.expect("the target is in the list");
    let inputs = stored(name);
    assert!(!inputs.is_empty());
    call(target, b"");
    for input in &inputs {
        call(target, input);
    }
    for number in 0..DAMAGED {
        call(target, &damaged(&inputs, &mut Draw(number)));
    }
}

macro_rules! targets {
    ($($name:ident),*) => {
        /// What has tests below.
        const TESTED: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                hold(stringify!($name));
            }
        )*
    };
}

targets!(
    jsonl,
    lines,
    csv,
    compression,
    parquet,
    stackexchange,
    mediawiki,
    html,
    warc,
    mail,
    lexicon,
    sentences,
    config,
    manifest
);

#[test]
fn every_target_is_tested() {
    assert_eq!(TARGETS.map(|(name, _)| name), TESTED);
}
