//! The four lines that the program must agree with: shingle every text, compare every pair, list those at or above the
//! threshold, keep the best of each group. Only for texts of lower-case words with one space between them, or of Han
//! characters: there is nothing to normalise in them.

use std::collections::BTreeSet;

use super::corpus::{Doc, Language};

/// What the shingles are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Words,
    Chars,
}

/// The shingles of a text.
pub(crate) fn shingles(language: Language, text: &str, of: Of, n: usize) -> BTreeSet<String> {
    let tokens: Vec<String> = match (of, language) {
        (Of::Words, Language::English) => text
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(str::to_string)
            .collect(),
        _ => text.chars().map(String::from).collect(),
    };
    match tokens.len() {
        0 => BTreeSet::new(),
        length if length < n => BTreeSet::from([format!("short:{}", tokens.join("|"))]),
        _ => tokens.windows(n).map(|window| window.join("|")).collect(),
    }
}

/// The Jaccard similarity; nothing is similar to an empty set.
pub(crate) fn jaccard(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let common = a.intersection(b).count();
    match a.len() + b.len() - common {
        0 => 0.0,
        all => common as f64 / all as f64,
    }
}

/// All pairs at or above the threshold.
pub(crate) fn pairs(sets: &[BTreeSet<String>], threshold: f64) -> Vec<(usize, usize, f64)> {
    let mut found = Vec::new();
    for a in 0..sets.len() {
        for b in a + 1..sets.len() {
            let similarity = jaccard(&sets[a], &sets[b]);
            if similarity >= threshold {
                found.push((a, b, similarity));
            }
        }
    }
    found
}

/// The records in the order in which `--keep` keeps them.
pub(crate) fn keep_order(docs: &[Doc], keep: &str) -> Vec<usize> {
    let mut order: Vec<usize> = (0..docs.len()).collect();
    match keep {
        "first" => {}
        "last" => order.reverse(),
        "longest" => order.sort_by_key(|&doc| std::cmp::Reverse(docs[doc].text.chars().count())),
        "score" => order.sort_by_key(|&doc| std::cmp::Reverse(docs[doc].score)),
        // ISO dates of one form order as text.
        _ => order.sort_by(|&a, &b| docs[b].date.cmp(&docs[a].date)),
    }
    order
}

/// The rule: each record not yet taken is kept and takes all later ones similar to it. Returns record, kept one and
/// similarity, in input order.
pub(crate) fn removed(
    records: usize,
    order: &[usize],
    pairs: &[(usize, usize, f64)],
) -> Vec<(usize, usize, f64)> {
    let mut taken: Vec<Option<(usize, f64)>> = vec![None; records];
    for (place, &kept) in order.iter().enumerate() {
        if taken[kept].is_some() {
            continue;
        }
        for &later in &order[place + 1..] {
            let pair = pairs
                .iter()
                .find(|&&(a, b, _)| (a, b) == (kept.min(later), kept.max(later)));
            if let (None, Some(&(_, _, similarity))) = (taken[later], pair) {
                taken[later] = Some((kept, similarity));
            }
        }
    }
    let of = |(record, taken): (usize, Option<(usize, f64)>)| {
        taken.map(|(kept, similarity)| (record, kept, similarity))
    };
    taken.into_iter().enumerate().filter_map(of).collect()
}

/// The removed records by the one kept for them, with it, in input order.
pub(crate) fn clusters(removed: &[(usize, usize, f64)]) -> Vec<(usize, Vec<usize>)> {
    let kept: BTreeSet<usize> = removed.iter().map(|&(_, kept, _)| kept).collect();
    let members = |kept: usize| {
        let taken = removed
            .iter()
            .filter(|&&(_, of, _)| of == kept)
            .map(|&(record, _, _)| record);
        let all: BTreeSet<usize> = taken.chain([kept]).collect();
        (kept, all.into_iter().collect())
    };
    kept.into_iter().map(members).collect()
}
