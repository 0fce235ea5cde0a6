//! Work that grows with the input and not with its square, told by what is compared and listed, not by a clock.

use std::collections::BTreeSet;

use crate::support::Place;
use crate::support::corpus::Random;
use serde_json::{Value, json};

/// Words that no list of common words has.
fn word(number: usize) -> String {
    const SYLLABLES: [&str; 10] = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "ru"];
    let digits = [
        number / 1000 % 10,
        number / 100 % 10,
        number / 10 % 10,
        number % 10,
    ];
    digits.map(|digit| SYLLABLES[digit]).concat()
}

fn lines(texts: &[Vec<String>]) -> String {
    let line = |(id, words): (usize, &Vec<String>)| {
        let (title, text) = (format!("Title {id}"), words.join(" "));
        json!({"id": id, "title": title, "text": text}).to_string() + "\n"
    };
    texts.iter().enumerate().map(line).collect()
}

/// What was compared, and the pairs that are listed.
fn run(place: &Place, arguments: &str) -> (Value, BTreeSet<(u64, u64)>) {
    place
        .run(&format!("{arguments} --quiet --no-report"))
        .exits(0);
    let summary = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    let end = |line: &Value, name: &str| line[name].as_u64().unwrap_or_default();
    let listed = place.lines("pairs.jsonl");
    let pairs = listed.iter().map(|line| (end(line, "a"), end(line, "b")));
    (summary, pairs.collect())
}

/// Texts of 200 words: half of them are the same in all, the others of a limited vocabulary. Every tenth text is the one
/// before it with some words changed.
fn half_shared(count: usize) -> Vec<Vec<String>> {
    let mut random = Random(5);
    let mut texts: Vec<Vec<String>> = Vec::new();
    for number in 0..count {
        let mut of_vocabulary = |_| word(1000 + random.below(9000));
        let text = match number % 10 {
            9 => {
                let mut text = texts[number - 1].clone();
                for place in [110, 120, 130, 140, 150] {
                    text[place] = of_vocabulary(0);
                }
                text
            }
            _ => (0..100)
                .map(word)
                .chain((0..100).map(of_vocabulary))
                .collect(),
        };
        texts.push(text);
    }
    texts
}

#[test]
fn long_messages_of_a_limited_vocabulary_are_looked_up_by_their_rarest_words() {
    let place = Place::new();
    let compared = |count: usize, options: &str| {
        place.write("texts.jsonl", lines(&half_shared(count)));
        let (summary, pairs) = run(&place, &format!("messages texts.jsonl --out out {options}"));
        let compared = summary["counts"]["candidate_pairs"].as_u64().unwrap();
        (compared, pairs, summary)
    };
    let (few, ..) = compared(1600, "");
    let (many, pairs, summary) = compared(3200, "");
    assert!(many < 2 * few + few / 4, "{few} and {many} pairs");
    assert_eq!(summary["recall"]["exact"], false);
    assert!(summary["hot_buckets"]["pairs_not_compared"].as_u64() > Some(0));
    let planted: BTreeSet<(u64, u64)> = (0..320).map(|ten| (10 * ten + 8, 10 * ten + 9)).collect();
    assert_eq!(pairs, planted);
    // Who asks for every pair gets it, at its price.
    let (all, pairs, summary) = compared(3200, "--keys prefix");
    assert!(all > 2 * many, "{many} and {all} pairs");
    assert_eq!(
        (pairs, &summary["recall"]["exact"]),
        (planted, &json!(true))
    );
}

/// Variants of one text of 40 words, each with a word of its own.
fn variants(count: usize) -> Vec<Vec<String>> {
    let mut random = Random(6);
    let variant = |number: usize| {
        let mut words: Vec<String> = (0..40).map(word).collect();
        words[random.below(40)] = word(1000 + number);
        words
    };
    (0..count).map(variant).collect()
}

#[test]
fn variants_of_a_template_are_listed_with_some_others_each() {
    let place = Place::new();
    for (job, count) in [
        ("threads --fields text", 2000),
        ("threads --fields text", 4000),
        ("sentences", 800),
    ] {
        place.write("texts.jsonl", lines(&variants(count)));
        let (summary, _) = run(&place, &format!("{job} texts.jsonl --out out"));
        let pairs = summary["counts"]["pairs"].as_u64().unwrap();
        let (least, most) = (count as u64, 100 * count as u64);
        assert!(
            least <= pairs && pairs <= most,
            "{job}: {pairs} pairs of {count}"
        );
    }
}

/// Articles of one sentence each, all of one frame with other names and numbers. Every twentieth is the one before it with
/// another population.
fn villages(count: usize) -> Vec<Vec<String>> {
    let mut random = Random(8);
    let mut texts: Vec<Vec<String>> = Vec::new();
    for number in 0..count {
        let text = if number % 20 == 19 {
            let mut text = texts[number - 1].clone();
            text[14] = (1000 + random.below(9000)).to_string();
            text
        } else {
            let mut name = || word(random.below(10_000));
            let frame = format!(
                "{} is a village in the {} district of {} province with a population of {} people at the census of {}.",
                name(),
                name(),
                name(),
                1000 + number % 9000,
                1950 + number % 70
            );
            frame.split(' ').map(str::to_string).collect()
        };
        texts.push(text);
    }
    texts
}

#[test]
fn sentences_of_one_frame_are_listed_with_some_others_each_and_with_their_copies() {
    let place = Place::new();
    let count = 1500;
    place.write("texts.jsonl", lines(&villages(count)));
    place
        .run("sentences texts.jsonl --out out --quiet --no-report")
        .exits(0);
    let listed: BTreeSet<(u64, u64)> = place
        .lines("pairs.jsonl")
        .iter()
        .map(|line| ["a", "b"].map(|side| line[side]["id"].as_u64().unwrap()))
        .map(|[a, b]| (a, b))
        .collect();
    let mut copies = (0..count as u64 / 20).map(|twenty| (20 * twenty + 18, 20 * twenty + 19));
    assert!(copies.all(|copy| listed.contains(&copy)));
    assert!(listed.len() <= 64 * count, "{} pairs", listed.len());
}

#[test]
fn twice_as_many_sentences_of_one_frame_have_twice_as_many_pairs() {
    let place = Place::new();
    let compared = |count: usize| {
        place.write("texts.jsonl", lines(&villages(count)));
        place
            .run("sentences texts.jsonl --out out --quiet --no-report --pairs none")
            .exits(0);
        let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
        summary["counts"]["candidate_pairs"].as_u64().unwrap()
    };
    let (few, many) = (compared(3000), compared(6000));
    assert!(10 * many <= 21 * few, "{few} and {many} pairs");
}
