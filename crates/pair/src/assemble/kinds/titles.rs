//! What do the titles say? Whether two articles have different subjects, and whether a statement is about that of its own.

use std::sync::Arc;

use super::subject::{Subject, is_name};
use super::tokens::{Class, Token, Tokens};

/// Whether the statement is about the subject of its article: it is implied, or the head has words of the title that
/// the other title does not have.
pub(super) fn is_of_article(
    subject: &Subject,
    tokens: &Tokens,
    title: &Tokens,
    other: &Tokens,
) -> bool {
    let titled = subject.head.clone().any(|at| {
        let token = &tokens.all[at];
        token.class != Class::Mark
            && !token.holds_together
            && title.has(token.id)
            && !other.has(token.id)
    });
    subject.implied || titled
}

/// Whether the head has a name: a capital after its first word, or a word of either title.
pub(super) fn is_named(subject: &Subject, tokens: &Tokens, titles: &[Arc<Tokens>; 2]) -> bool {
    subject.head.clone().any(|at| {
        let token = &tokens.all[at];
        let says = token.class != Class::Mark && !token.holds_together;
        let titled = titles.iter().any(|title| title.has(token.id));
        says && (is_name(tokens, at, subject.head.start) || titled)
    })
}

/// Whether a text has any word of a title but those that say nothing.
pub(super) fn has_word_of(text: &Tokens, title: &Tokens) -> bool {
    title
        .all
        .iter()
        .any(|token| token.class != Class::Mark && !token.holds_together && text.has(token.id))
}

/// Whether two titles differ in a part only: "Economy of Angola", "Economy of Armenia".
pub(super) fn are_siblings(a: &Tokens, b: &Tokens) -> bool {
    let words = |title: &Tokens| {
        let says = |token: &&Token| token.class != Class::Mark && !token.holds_together;
        title
            .all
            .iter()
            .filter(says)
            .map(|token| token.id)
            .collect::<Vec<_>>()
    };
    let (x, y) = (words(a), words(b));
    let common = x.iter().filter(|id| y.contains(id)).count();
    are_unrelated(a, b) && x.len().min(y.len()) >= 2 && 2 * common >= x.len().min(y.len())
}

/// Whether the titles are those of articles about different subjects: neither has all words of the other.
pub(super) fn are_unrelated(a: &Tokens, b: &Tokens) -> bool {
    let within = |inner: &Tokens, outer: &Tokens| {
        let words = inner.all.iter().filter(|token| token.class != Class::Mark);
        words.clone().count() > 0 && words.clone().all(|token| outer.has(token.id))
    };
    // 白乐站 is part of 东白乐站, and another station: what an ideograph means depends on its neighbours.
    let begins = |inner: &Tokens, outer: &Tokens| {
        let has_ideographs = |title: &Tokens| {
            let mut all = title.all.iter();
            all.any(|token| token.class == Class::Ideograph)
        };
        !has_ideographs(inner) || outer.forms().starts_with(inner.forms())
    };
    let is_part = |inner: &Tokens, outer: &Tokens| within(inner, outer) && begins(inner, outer);
    a.len() > 0 && b.len() > 0 && !is_part(a, b) && !is_part(b, a)
}
