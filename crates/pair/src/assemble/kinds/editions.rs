//! Which numbers tell editions: years, versions, the numbers of parts and models. "2013", "v2.1", "第三届", "part 2", "A320".

use std::ops::Range;

use super::tokens::{Class, Tokens};
use super::{numbers, words};
use crate::assemble::difference::Stretch;

/// The numbers that differ.
pub(super) struct Editions<'a> {
    pub(super) a: &'a Tokens,
    pub(super) b: &'a Tokens,
    pub(super) stretches: &'a [Stretch],
}

impl Editions<'_> {
    /// Whether all numbers that differ are of editions.
    pub(super) fn are_all(&self) -> bool {
        self.stretches.iter().all(|stretch| {
            let all = |tokens: &Tokens, range: &Range<usize>| {
                numbers_in(tokens, range).all(|at| is_edition(tokens, at))
            };
            all(self.a, &stretch.a) && all(self.b, &stretch.b)
        })
    }

    /// Whether the number of an edition was added or left out: "Promotion Ads" and "Promotion Ads 2014".
    pub(super) fn comes_or_goes(&self) -> bool {
        self.stretches.iter().any(|stretch| {
            let comes = |tokens: &Tokens, range: &Range<usize>, other: &Tokens| {
                // What counts the parts comes with the number: "part 2", "第2季".
                let is_number = |at: usize| tokens.class(at) == Some(Class::Number);
                let counts = |at: usize| {
                    let form = tokens.form(at);
                    tokens.class(at) == Some(Class::Mark) || is_counted_part(form, form)
                };
                range.clone().filter(|&at| is_number(at)).count() == 1
                    && range.clone().all(|at| is_number(at) || counts(at))
                    // It may only have moved.
                    && numbers_in(tokens, range)
                        .any(|at| is_edition(tokens, at) && !other.has(tokens.all[at].id))
            };
            match (stretch.a.is_empty(), stretch.b.is_empty()) {
                (true, false) => comes(self.b, &stretch.b, self.a),
                (false, true) => comes(self.a, &stretch.a, self.b),
                _ => false,
            }
        })
    }
}

fn numbers_in<'t>(tokens: &'t Tokens, range: &Range<usize>) -> impl Iterator<Item = usize> + 't {
    range
        .clone()
        .filter(|&at| tokens.class(at) == Some(Class::Number))
}

fn is_edition(tokens: &Tokens, at: usize) -> bool {
    let form = tokens.form(at);
    let before = at.checked_sub(1).map_or("", |before| tokens.form(before));
    if matches!(before, "$" | "€" | "£" | "¥" | "₹" | "₽") {
        return false;
    }
    is_counted_part(before, tokens.form(at + 1))
        || is_designation(form)
        || (!numbers::has_unit(tokens, at) && (is_year(form) || follows_name(tokens, at)))
}

/// "2013", "2013-05".
fn is_year(form: &str) -> bool {
    let (year, month) = form.split_once('-').unwrap_or((form, ""));
    let is_month = month.is_empty() || (month.len() == 2 && month.parse::<u8>().is_ok());
    year.len() == 4
        && is_month
        && year
            .parse::<u16>()
            .is_ok_and(|year| (1800..=2100).contains(&year))
}

/// A number with letters, or with several stops: "a320", "18.04.1", "2nd".
fn is_designation(form: &str) -> bool {
    let has_letters = form.chars().any(char::is_alphabetic);
    let stops = form.bytes().filter(|&byte| byte == b'.').count();
    (has_letters && !form.ends_with("0s")) || stops > 1
}

/// What is numbered: "part 2", "第2集".
fn is_counted_part(before: &str, after: &str) -> bool {
    matches!(
        before,
        "第" | "#"
            | "v"
            | "ver"
            | "version"
            | "release"
            | "part"
            | "pt"
            | "parts"
            | "vol"
            | "volume"
            | "no"
            | "nr"
            | "№"
            | "chapter"
            | "season"
            | "episode"
            | "ep"
            | "edition"
            | "issue"
            | "round"
            | "phase"
            | "level"
            | "grade"
            | "lesson"
            | "unit"
            | "step"
            | "stage"
            | "series"
            | "generation"
            | "gen"
            | "mark"
            | "teil"
            | "band"
            | "kapitel"
            | "folge"
            | "partie"
            | "tome"
            | "chapitre"
            | "saison"
            | "parte"
            | "capítulo"
            | "temporada"
            | "часть"
            | "том"
            | "глава"
            | "выпуск"
            | "serie"
    ) || matches!(
        after,
        "期" | "届" | "季" | "集" | "章" | "版" | "代" | "卷" | "册"
    )
}

/// "Windows 7". At the beginning, "Pay 7" looks the same as "Python 3".
fn follows_name(tokens: &Tokens, at: usize) -> bool {
    at >= 1 && {
        let before = &tokens.all[at - 1];
        before.capital && before.class == Class::Word && !words::is_english_function(before.id)
    }
}
