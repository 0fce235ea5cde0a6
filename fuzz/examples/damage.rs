//! Calls targets with damaged copies of inputs: `damage COUNT FIRST TARGET,… FOLDER…`. Each folder has one for each target, with
//! inputs in it. What is damaged follows from a number, counted from FIRST, so that the same numbers do the same.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::Path;
use std::{env, fs, process};

use lookalike_fuzz::damage::{Draw, damaged, stored};
use lookalike_fuzz::{TARGETS, Target};

/// Longer inputs take longer, and there are fewer of them.
const MOST_BYTES: usize = 600;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [count, first, names, folders @ ..] = arguments.as_slice() else {
        eprintln!("damage COUNT FIRST TARGET,… FOLDER…");
        process::exit(2);
    };
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let numbers = number(first)..number(first) + number(count);
    // The Parquet library may panic, which the reader turns into an error. What leaves a target is told below.
    set_hook(Box::new(|_| {}));
    for name in names.split(',') {
        let known = TARGETS.into_iter().find(|(known, _)| *known == name);
        let target = known.unwrap_or_else(|| panic!("{name} is no target"));
        let inputs = inputs_of(name, folders);
        for number in numbers.clone() {
            call(target, number, &damaged(&inputs, &mut Draw::new(number)));
        }
        println!("damage: {name}, {count} copies of {}", inputs.len());
    }
}

fn inputs_of(name: &str, folders: &[String]) -> Vec<Vec<u8>> {
    let of_target = folders.iter().map(|folder| Path::new(folder).join(name));
    let there = of_target.filter(|folder| folder.is_dir());
    let inputs = there.flat_map(|folder| stored(&folder));
    inputs.filter(|input| input.len() <= MOST_BYTES).collect()
}

/// Ends the process where a target fails, and keeps the input.
fn call((name, target): Target, number: u64, input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
        let kept = format!("damage-{name}-{number}");
        fs::write(&kept, input).expect("write the input");
        eprintln!("target {name} fails with the bytes of {kept}");
        process::exit(1);
    }
}
