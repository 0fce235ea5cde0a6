//! Splits JSON lines of standard input, each a string, into sentences: a JSON array of strings a line.
//! `--time N` splits everything N times instead and prints megabytes a second.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::{BufRead, Write};
use std::time::Instant;

use lookalike_text::{SentenceOptions, sentences};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let rounds = arguments.iter().position(|argument| argument == "--time");
    let rounds: Option<u32> = rounds.map(|at| arguments[at + 1].parse().unwrap());
    let lines = std::io::stdin().lock().lines();
    let texts: Vec<String> = lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    let options = SentenceOptions::unlimited();
    if let Some(rounds) = rounds {
        time(&texts, &options, rounds);
        return;
    }
    let mut out = std::io::stdout().lock();
    for text in &texts {
        let mut found = Vec::new();
        sentences(text, &options, |sentence| found.push(&text[sentence.range]));
        serde_json::to_writer(&mut out, &found).unwrap();
        writeln!(out).unwrap();
    }
}

fn time(texts: &[String], options: &SentenceOptions, rounds: u32) {
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut best = f64::INFINITY;
    let mut count = 0_usize;
    for _ in 0..rounds {
        count = 0;
        let begin = Instant::now();
        for text in texts {
            sentences(text, options, |_| count += 1);
        }
        best = best.min(begin.elapsed().as_secs_f64());
    }
    println!("{:.0} MB/s, {count} sentences", bytes as f64 / best / 1e6);
}
