//! Which capitals tell a name? In a record, which may have several sentences, headlines and shouting, fewer than in one
//! sentence.

use super::tokens::{Class, Token, Tokens};
use super::words;

/// Takes from tokens the capitals that tell nothing: of what begins a sentence or a line, of texts in capitals, and of
/// words in a headline that cannot be names.
pub(super) fn settle(tokens: &mut Tokens, text: &str) {
    let is_shouted = is_shouted(tokens, text);
    let is_headline = is_headline(tokens);
    for at in 0..tokens.len() {
        let token = &tokens.all[at];
        if !token.capital || token.class != Class::Word {
            continue;
        }
        let tells_nothing = (is_shouted && is_in_capitals(token, text))
            || (is_headline && cannot_be_name(tokens.form(at), at))
            || (at > 0
                && match begins(tokens, at, text) {
                    Begins::Sentence => !is_followed(tokens, at),
                    Begins::Part => cannot_be_name(tokens.form(at), at),
                    Begins::Nothing => false,
                });
        if tells_nothing {
            tokens.all[at].capital = false;
        }
    }
}

/// Whether all words, or several, are in capitals from beginning to end: then they are loud, and no abbreviations.
fn is_shouted(tokens: &Tokens, text: &str) -> bool {
    let has_small = text.chars().any(char::is_lowercase);
    let loud = tokens
        .all
        .iter()
        .filter(|token| is_in_capitals(token, text));
    !has_small || loud.filter(|token| token.source.len() >= 4).count() >= 3
}

fn is_in_capitals(token: &Token, text: &str) -> bool {
    let written = text.get(token.source.clone()).unwrap_or_default();
    token.class == Class::Word
        && token.source.len() > 1
        && written
            .chars()
            .all(|c| c.is_uppercase() || !c.is_alphabetic())
}

/// Whether most words begin with a capital, as in headlines.
fn is_headline(tokens: &Tokens) -> bool {
    let words = tokens.all.iter().filter(|token| token.class == Class::Word);
    let content = words.filter(|token| !token.holds_together);
    let (all, capital) = content.fold((0, 0), |(all, capital), token| {
        (all + 1, capital + usize::from(token.capital))
    });
    all >= 3 && 4 * capital >= 3 * all
}

fn cannot_be_name(form: &str, at: usize) -> bool {
    let ending = ["ing", "ly", "ed"]
        .iter()
        .any(|ending| form.len() > 5 && form.ends_with(ending));
    ending || words::is_verb(form, at) || words::is_ordinary_noun(form)
}

/// What may begin with a token.
enum Begins {
    /// A sentence or a line, perhaps after a quotation mark, a bracket or a bullet.
    Sentence,
    /// What follows a colon, a dash or a bracket: "X server - Glide driver".
    Part,
    Nothing,
}

fn begins(tokens: &Tokens, at: usize, text: &str) -> Begins {
    let mut begins = Begins::Nothing;
    for at in (1..=at).rev() {
        let before = &tokens.all[at - 1];
        let between = text.get(before.source.end..tokens.all[at].source.start);
        if between.is_some_and(|between| between.contains('\n')) {
            return Begins::Sentence;
        }
        match tokens.form(at - 1) {
            "." | "!" | "?" | "…" => return Begins::Sentence,
            ":" | "\"" | "'" | "(" | "[" | "*" | "·" | "-" => begins = Begins::Part,
            _ => return begins,
        }
    }
    // What begins the text is looked at where names are.
    Begins::Nothing
}

/// Whether another capital follows: "Scott County".
fn is_followed(tokens: &Tokens, at: usize) -> bool {
    tokens.all.get(at + 1).is_some_and(|next| next.capital)
}
