//! Runs the cases of `testdata/sentences.toml` and checks what holds for the sentences of any text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use lookalike_text::{Lines, SentenceOptions, sentences};
use proptest::prelude::*;
use serde::Deserialize;

const CASES: &str = include_str!("../../../../testdata/sentences.toml");

/// Stands where a sentence ends.
const END: char = '¦';

#[derive(Deserialize)]
struct Cases {
    set: Vec<Set>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    language: String,
    written: String,
    cases: Vec<String>,
}

#[derive(Default)]
struct Counts {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Counts {
    fn f1(&self) -> f64 {
        let right = 2 * self.right;
        right as f64 / (right + self.wrong + self.missed).max(1) as f64
    }
}

fn found(text: &str, options: SentenceOptions) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    sentences(text, &options, |sentence| found.push(sentence.range));
    found
}

fn unlimited(lines: Lines) -> SentenceOptions {
    SentenceOptions::unlimited().with(|options| options.lines = lines)
}

/// The ends of sentences but the last, each as the number of characters before it that are not white space.
fn ends<'a>(parts: impl Iterator<Item = &'a str>) -> BTreeSet<usize> {
    let mut at = 0;
    let mut ends: BTreeSet<usize> = parts
        .map(|part| {
            at += part.chars().filter(|c| !c.is_whitespace()).count();
            at
        })
        .collect();
    ends.pop_last();
    ends
}

#[test]
fn sentences_end_where_readers_of_each_language_expect_it() {
    let cases: Cases = toml::from_str(CASES).unwrap();
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    let mut errors = String::new();
    for set in &cases.set {
        assert!(matches!(set.written.as_str(), "before" | "after"));
        for case in &set.cases {
            let expected = ends(case.split(END));
            let text = case.replace(END, "");
            let ranges = found(&text, SentenceOptions::unlimited());
            let mut from = 0;
            let parts = ranges.iter().map(|range| {
                let part = &text[from..range.end];
                from = range.end;
                part
            });
            let actual = ends(parts);
            if actual != expected {
                errors.push_str(&format!("{case}\n"));
            }
            let count = counts.entry(set.language.clone()).or_default();
            count.right += actual.intersection(&expected).count();
            count.wrong += actual.difference(&expected).count();
            count.missed += expected.difference(&actual).count();
        }
    }
    let total: usize = counts
        .values()
        .map(|count| count.right + count.missed)
        .sum();
    assert!(total >= 600, "{total} ends");
    for (language, count) in counts {
        let floor = match language.as_str() {
            "English" | "Chinese" => 0.985,
            _ => 0.95,
        };
        assert!(
            count.f1() >= floor,
            "{language}: F1 {:.3}\n{errors}",
            count.f1()
        );
    }
}

/// What stops, quotation marks, brackets, lines and lists are made of, and what stands beside them.
fn any_prose() -> impl Strategy<Value = String> {
    let parts = ". ! ? … ... 。 ！ ？ ． ｡ ؟ ۔ । ። \" ' “ ” ‘ ’ « » „ 「 」 『 』 《 》 ( ) （ ） [ ] [1] , ; : — - * • 1. 2) 3.5 \
        10 No Dr U.S e.g J A I The he said iPhone Word word 他 说 好 と は 한국 ไทย ภาษาไทยที่ไม่มีจุด Слово слово \
        हिन्दी \u{301} 😀 https://a.b/c?d x@y.org file.txt etc";
    let mut parts: Vec<&str> = parts.split_ascii_whitespace().collect();
    parts.extend([
        " ", " ", " ", " ", "\n", "\n\n", "\r\n", "\u{A0}", "\u{3000}", "  ",
    ]);
    prop::collection::vec(prop::sample::select(parts), 0..40).prop_map(|parts| parts.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any_prose(), ".{0,60}", "[a-zA-Z .!?\"()\n0-9]{0,200}"]
}

fn any_lines() -> impl Strategy<Value = Lines> {
    prop::sample::select(Lines::ALL)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sentences_are_in_order_trimmed_and_apart(text in any_text(), lines in any_lines()) {
        let mut last = 0;
        for range in found(&text, unlimited(lines)) {
            prop_assert!(last <= range.start && range.start < range.end);
            let sentence = text.get(range.clone());
            prop_assert!(sentence.is_some_and(|sentence| sentence == sentence.trim()));
            last = range.end;
        }
    }

    #[test]
    fn only_white_space_and_the_marks_of_list_items_are_left_out(text in any_text(), lines in any_lines()) {
        let mut last = 0;
        for range in found(&text, unlimited(lines)) {
            let between = &text[last..range.start];
            let begins_a_line = last == 0 || between.contains(['\n', '\r', '\u{C}']);
            prop_assert!(between.trim().is_empty() || begins_a_line, "{:?}", between);
            // In the end there are only marks: no word of several letters is lost.
            let longest = between.split(|c: char| !c.is_ascii_alphabetic()).map(str::len).max();
            prop_assert!(longest.unwrap_or(0) <= 1, "{:?}", between);
            last = range.end;
        }
        prop_assert!(text[last..].trim().is_empty());
    }

    #[test]
    fn a_text_has_the_same_sentences_after_an_empty_line(
        before in any_text(),
        text in any_text(),
        lines in any_lines(),
    ) {
        let options = unlimited(lines);
        let whole = format!("{before}\n\n{text}");
        let begin = before.len() + 2;
        let mut expected = found(&format!("{before}\n\n"), options);
        expected.extend(found(&text, options).into_iter().map(|range| begin + range.start..begin + range.end));
        prop_assert_eq!(found(&whole, options), expected);
    }

    #[test]
    fn limits_leave_sentences_out_and_keep_the_numbers(
        text in prop_oneof![any_prose(), "[a-zA-Z .!?\"()
0-9]{0,200}"], least in 0_u32..30, more in 0_u32..60) {
        let options = SentenceOptions::default().with(|options| {
            options.least_characters = least;
            options.most_characters = least + more;
        });
        let mut all = Vec::new();
        sentences(&text, &SentenceOptions::unlimited(), |sentence| all.push(sentence));
        prop_assert!(all.iter().enumerate().all(|(i, sentence)| sentence.number as usize == i));
        let letters = |range: &Range<usize>| -> u32 {
            let asian = |c: char| matches!(c, '一'..='鿿' | 'ぁ'..='ヺ' | '가'..='힣');
            text[range.clone()].chars().map(|c| if asian(c) { 3 } else { 1 }).sum()
        };
        all.retain(|sentence| (least..=least + more).contains(&letters(&sentence.range)));
        let mut wanted = Vec::new();
        sentences(&text, &options, |sentence| wanted.push(sentence));
        prop_assert_eq!(wanted, all);
    }

    #[test]
    fn each_line_is_cut_by_itself_where_lines_break(text in any_text()) {
        let options = unlimited(Lines::Break);
        let text = text.replace(['\r', '\u{C}'], " ");
        let mut expected = Vec::new();
        let mut begin = 0;
        for line in text.split('\n') {
            expected.extend(found(line, options).into_iter().map(|range| begin + range.start..begin + range.end));
            begin += line.len() + 1;
        }
        prop_assert_eq!(found(&text, options), expected);
    }
}

#[test]
fn any_repetition_takes_linear_time() {
    let units = [
        ".",
        "!",
        "?",
        "\"",
        "(",
        ")",
        "（",
        "[",
        "A. ",
        "A.",
        "a. ",
        "1. ",
        "1.",
        "...",
        ". ",
        " .",
        "…",
        "。",
        "。”",
        "”",
        "\" ",
        ".\"",
        ".\"a",
        "“",
        "?\" ",
        "《",
        "《。",
        "(.",
        "(a.) ",
        " ",
        "\n",
        "\n\n",
        "x\n",
        "* ",
        "- \n",
        "#",
        "Dr. ",
        "No. ",
        "U.S. ",
        "a",
        "a.b",
        "Word.Word",
        "ไทย ",
        "ไ",
        "[1]",
        ".[1]",
        "?! ",
        "— ",
        ". — ",
        "'",
        ". '",
        "है। ",
        "\u{301}",
        "I. ",
        "3. Oktober ",
        "a.\n",
        "一、",
        "1)",
        "。」と",
        "？”他说",
        ". iPhone",
        "\r",
        "\u{A0}",
        "! (",
        "?(",
        ".(a",
    ];
    for unit in units {
        for lines in Lines::ALL {
            let text = unit.repeat((1 << 20) / unit.len());
            let begin = std::time::Instant::now();
            let count = found(&text, unlimited(*lines)).len();
            assert!(count <= text.len());
            // Quadratic time would be minutes.
            assert!(begin.elapsed().as_secs() < 5, "{unit:?} {lines}");
        }
    }
}
