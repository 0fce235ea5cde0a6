//! The passages that pairs of documents share. Arguments: a corpus (JSON lines with `id` and `text`) and a list of pairs
//! (JSON lines with `a` and `b`). Out goes a line per pair with its passages, in code points.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdout};
use std::ops::Range;
use std::time::{Duration, Instant};

use lookalike_pair::assemble::alignment::{Aligner, Evidence, Passage, PassageOptions, Span};
use lookalike_text::{SentenceOptions, TextOptions, sentences};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(corpus), Some(pairs)) = (arguments.next(), arguments.next()) else {
        return Err("give a corpus and a list of pairs".into());
    };
    let texts = read_corpus(&corpus)?;
    let aligner = Aligner::new(
        PassageOptions::default(),
        TextOptions::default(),
        Evidence::Words,
    );
    let mut scratch = aligner.scratch()?;
    let mut prepared = Duration::ZERO;
    let mut pages = BTreeMap::new();
    for (id, text) in &texts {
        let sentences = sentence_ranges(text);
        let begin = Instant::now();
        let page = aligner.page(text, &sentences, &[], &mut scratch);
        prepared += begin.elapsed();
        pages.insert(id.as_str(), page);
    }
    let mut out = BufWriter::new(stdout().lock());
    let mut found = Vec::new();
    let mut aligned = Duration::ZERO;
    for line in BufReader::new(File::open(pairs)?).lines() {
        let pair: Value = serde_json::from_str(&line?)?;
        let (Some(a), Some(b)) = (pair["a"].as_str(), pair["b"].as_str()) else {
            return Err(format!("no a and b in {pair}").into());
        };
        let (Some(first), Some(second)) = (pages.get(a), pages.get(b)) else {
            return Err(format!("{a} or {b} is not in the corpus").into());
        };
        let begin = Instant::now();
        aligner.align(first, second, &mut scratch, &mut found);
        aligned += begin.elapsed();
        let passages: Vec<Value> = found
            .iter()
            .map(|passage| in_code_points(passage, &texts[a], &texts[b]))
            .collect();
        writeln!(out, "{}", json!({ "a": a, "b": b, "passages": passages }))?;
    }
    eprintln!("prepared in {prepared:?}, aligned in {aligned:?}");
    Ok(())
}

fn read_corpus(path: &str) -> Result<BTreeMap<String, String>, Box<dyn Error>> {
    let mut texts = BTreeMap::new();
    for line in BufReader::new(File::open(path)?).lines() {
        let document: Value = serde_json::from_str(&line?)?;
        let (Some(id), Some(text)) = (document["id"].as_str(), document["text"].as_str()) else {
            return Err(format!("no id and text in {document}").into());
        };
        texts.insert(id.to_owned(), text.to_owned());
    }
    Ok(texts)
}

fn sentence_ranges(text: &str) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    sentences(text, &SentenceOptions::unlimited(), |sentence| {
        ranges.push(sentence.range.start as u32..sentence.range.end as u32);
    });
    ranges
}

fn in_code_points(passage: &Passage, a: &str, b: &str) -> Value {
    let ends = |text: &str, span: &Span| {
        let begin = text[..span.begin as usize].chars().count();
        (begin, begin + text[span.bytes()].chars().count())
    };
    let (a_begin, a_end) = ends(a, &passage.a);
    let (b_begin, b_end) = ends(b, &passage.b);
    json!({
        "a_begin": a_begin, "a_end": a_end, "b_begin": b_begin, "b_end": b_end,
        "similarity": passage.similarity,
    })
}
