//! What is asked for: a person, a time, a place or a reason.

use super::tokens::Tokens;

/// Who, when, where and why.
const ASKS: [&[&str]; 4] = [
    &["who", "wer", "qui", "quién", "quem", "кто"],
    &["when", "wann", "quand", "cuándo", "quando", "когда"],
    &["where", "wo", "où", "dónde", "onde", "dove", "где"],
    &["why", "warum", "pourquoi", "perché", "почему"],
];

/// The same in Chinese, where they may stand anywhere.
const HAN_ASKS: [&[&str]; 4] = [
    &["谁", "什么人"],
    &[
        "什么时候",
        "啥时候",
        "什么时间",
        "何时",
        "几时",
        "哪天",
        "哪年",
    ],
    &["哪里", "哪儿", "何处", "什么地方", "啥地方"],
    &["为什么", "为何", "为啥"],
];

/// Whether one asks for something else than the other. What begins with how or what often asks the same in other words, and so
/// does "Who can tell me when" (谁知道).
pub(super) fn differ(a: &Tokens, b: &Tokens) -> bool {
    matches!((asked(a), asked(b)), (Some(a), Some(b)) if a != b)
}

fn asked(tokens: &Tokens) -> Option<usize> {
    let says = |at: usize, words: &[&str]| words.contains(&tokens.form(at));
    let first = ASKS.iter().position(|words| says(0, words));
    if first.is_some() {
        let is_frame = says(1, &["can", "could", "would", "know", "knows"]);
        return first.filter(|_| !is_frame);
    }
    if tokens.forms().is_ascii() {
        return None;
    }
    let is_frame =
        |rest: &str| rest.starts_with(['知', '能', '可', '有', '会', '给', '推', '告', '帮']);
    let says = |word: &&str| {
        let mut found = tokens.forms().split(*word).skip(1);
        found.any(|rest| *word != "谁" || !is_frame(rest))
    };
    let is_asked = |words: &[&str]| words.iter().any(says);
    let mut asked = (0..HAN_ASKS.len()).filter(|&of| is_asked(HAN_ASKS[of]));
    asked.next().filter(|_| asked.next().is_none())
}
