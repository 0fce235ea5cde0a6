//! Sentences: whatever the text, they are in order, apart, not empty and trimmed, and only limits leave some out.

use lookalike_text::{Lines, SentenceOptions, sentences};

pub(crate) fn target(bytes: &[u8]) {
    let Some((&first, content)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(content);
    let lines = Lines::ALL[usize::from(first) % Lines::ALL.len()];
    let mut all = Vec::new();
    let unlimited = SentenceOptions::unlimited().with(|options| options.lines = lines);
    sentences(&text, &unlimited, |sentence| all.push(sentence));
    let mut last = 0;
    for (number, sentence) in all.iter().enumerate() {
        assert_eq!(sentence.number as usize, number);
        assert!(last <= sentence.range.start);
        let content = &text[sentence.range.clone()];
        assert!(!content.is_empty() && content == content.trim());
        last = sentence.range.end;
    }
    assert!(text[last..].trim().is_empty());
    let limited = SentenceOptions::default().with(|options| {
        options.least_characters = 5;
        options.most_characters = 30;
        options.lines = lines;
    });
    let mut rest = all.iter();
    sentences(&text, &limited, |sentence| {
        assert!(rest.any(|other| *other == sentence));
    });
}
