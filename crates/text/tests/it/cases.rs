//! Runs the cases of `testdata/words.toml`.

use std::ops::Range;

use lookalike_text::{TextOptions, Tokenizer};
use serde::Deserialize;

const CASES: &str = include_str!("../../../../testdata/words.toml");

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    text: String,
    #[serde(default)]
    options: TextOptions,
    words: Vec<String>,
}

#[test]
fn every_script_has_the_words_its_readers_expect() {
    let cases: Cases = toml::from_str(CASES).unwrap();
    for case in cases.case {
        let mut found = Vec::new();
        let mut sink = |word: &str, _: Range<usize>| found.push(word.to_owned());
        Tokenizer::new(case.options).words(&case.text, &mut sink);
        assert_eq!(found, case.words, "{}", case.name);
    }
}
