//! What a tokenizer makes of a text, collected.

use std::ops::Range;

use lookalike_text::{TextOptions, Tokenizer};

/// A token and the bytes it comes from.
pub(crate) type Token = (String, Range<usize>);

/// The words of a text.
pub(crate) fn words(text: &str, options: TextOptions) -> Vec<Token> {
    let mut found = Vec::new();
    let mut sink = |word: &str, source| found.push((word.to_owned(), source));
    Tokenizer::new(options).words(text, &mut sink);
    found
}

/// Its characters.
pub(crate) fn characters(text: &str, options: TextOptions) -> Vec<Token> {
    let mut found = Vec::new();
    let mut sink = |character: &str, source| found.push((character.to_owned(), source));
    Tokenizer::new(options).characters(text, &mut sink);
    found
}

/// The text as it is compared.
pub(crate) fn normalise(text: &str, options: TextOptions) -> String {
    let mut out = String::new();
    Tokenizer::new(options).normalise(text, &mut out);
    out
}
