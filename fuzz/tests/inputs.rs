//! Every target on its stored inputs, and on thousands of damaged copies of them: the same ones in every run.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use lookalike_fuzz::damage::{Draw, damaged, stored};
use lookalike_fuzz::{TARGETS, Target};

/// How many damaged inputs each target gets.
const DAMAGED: u64 = 10_000;

/// Calls a target. The input that it fails with is kept, and named.
fn call((name, target): Target, input: &[u8]) {
    let outcome = catch_unwind(AssertUnwindSafe(|| target(input)));
    if outcome.is_err() {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
        fs::write(&kept, input).expect("write the input");
        panic!("target {name} fails with the bytes of {}", kept.display());
    }
}

fn hold(name: &str) {
    let target = TARGETS.into_iter().find(|(known, _)| *known == name);
    let target = target.expect("the target is in the list");
    let inputs = stored(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("seeds")
            .join(name),
    );
    assert!(!inputs.is_empty());
    call(target, b"");
    for input in &inputs {
        call(target, input);
    }
    for number in 0..DAMAGED {
        call(target, &damaged(&inputs, &mut Draw::new(number)));
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
