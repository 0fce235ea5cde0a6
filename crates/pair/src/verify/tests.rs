//! The laws of every measure, and each against its definition.

use std::collections::BTreeSet;

use lookalike_sign::features;
use lookalike_text::UnitId;
use proptest::prelude::*;

use super::*;

/// What a measure keeps of a text, described by its words.
fn kept(measure: &dyn Verify, text: &str) -> Vec<u64> {
    let background = Background::default();
    let method = features::method("shingles:words:1").unwrap();
    let mut describe = method.describer(&background).unwrap();
    let (unit, mut features) = (Unit::whole(UnitId::from(0), text), Features::default());
    describe.describe(&unit, &mut features);
    let mut out = Vec::new();
    measure
        .keeper(&background)
        .unwrap()
        .keep(&unit, &mut features, &mut out);
    out
}

fn score(name: &str, a: &str, b: &str, floor: f64) -> Option<f64> {
    let measure = measure(name).unwrap();
    let mut scorer = measure.scorer(&Background::default()).unwrap();
    scorer.score(&kept(&*measure, a), &kept(&*measure, b), floor)
}

/// The definition over the words of two texts, for measures that have one this simple.
fn naive(name: &str, a: &str, b: &str) -> Option<f64> {
    let words = |text: &str| -> BTreeSet<String> { text.split(' ').map(str::to_owned).collect() };
    let (x, y) = (words(a), words(b));
    let common = x.intersection(&y).count() as f64;
    let mean = (x.len() as f64 * y.len() as f64).sqrt();
    match name {
        // Words have no weights here, so each weighs 1.
        "jaccard" | "weighted-jaccard" => Some(common / x.union(&y).count() as f64),
        "containment" => Some(common / x.len().min(y.len()) as f64),
        "cosine" => Some(common / mean),
        "edit" => {
            let longer = a.chars().count().max(b.chars().count());
            Some((longer - distance(a, b)) as f64 / longer as f64)
        }
        _ => None,
    }
}

/// Levenshtein distance by its recurrence.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Texts of a few words, so that they often have some in common.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "rot", "grün", "blau", "gelb", "红", "绿", "alt", "neu",
    ]);
    prop::collection::vec(word, 1..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn every_measure_is_exact_symmetric_and_stops_early_only_below_the_floor(
        a in text(), b in text(), floor in 0.0f64..=1.0,
    ) {
        for name in names() {
            let exact = score(name, &a, &b, 0.0);
            if let Some(expected) = naive(name, &a, &b) {
                prop_assert_eq!(exact, Some(expected), "{}", name);
            }
            let exact = exact.unwrap();
            prop_assert!((0.0..=1.0).contains(&exact));
            prop_assert_eq!(score(name, &a, &b, floor), (exact >= floor).then_some(exact), "{}", name);
            prop_assert_eq!(score(name, &b, &a, floor), score(name, &a, &b, floor), "{}", name);
            prop_assert_eq!(score(name, &a, &b, exact), Some(exact), "{}", name);
            prop_assert_eq!(score(name, &a, &a, 1.0), Some(1.0), "{}", name);
        }
    }

    #[test]
    fn a_bound_never_excludes_a_pair_that_reaches_the_floor(
        sizes in (1usize..60, 1usize..60), share in 0.0f64..=1.0, floor in 0.01f64..=1.0,
    ) {
        let (a, b) = sizes;
        let common = (share * a.min(b) as f64).round() as usize;
        for measure in names().map(|name| measure(name).unwrap()) {
            let Some(of_sets) = measure.of_sets() else { continue };
            if of_sets.similarity(common, a, b) < floor {
                continue;
            }
            prop_assert!(of_sets.admits(a, b, floor));
            prop_assert!(common >= of_sets.least_common(a, b, floor));
            if let Some(bounds) = measure.bounds() {
                prop_assert!(common >= bounds.least_with_any(a, floor).max(bounds.least_with_any(b, floor)));
                prop_assert!(common >= bounds.least_with_larger(a.min(b), floor));
                let jaccard = common as f64 / (a + b - common) as f64;
                prop_assert!(jaccard >= bounds.least_jaccard(floor) * (1.0 - 1e-9));
            }
        }
    }
}

#[test]
fn texts_without_content_are_similar_to_nothing() {
    for name in names() {
        for (a, b) in [("", ""), ("", "word"), (" \n", "")] {
            assert_eq!(score(name, a, b, 0.0), None, "{name}");
        }
    }
}

#[test]
fn one_changed_character_of_four_leaves_three_quarters() {
    assert_eq!(score("edit", "abcd", "abxd", 0.0), Some(0.75));
    assert_eq!(score("edit", "一二三四", "一二三五", 0.75), Some(0.75));
    assert_eq!(score("edit", "abcd", "abxd", 0.76), None);
}

#[test]
fn long_texts_are_compared_as_exactly_as_short_ones() {
    let text: String = (0..9000_u32)
        .map(|at| char::from(b'a' + (at * at / 7 % 26) as u8))
        .collect();
    let changed = |every: usize| -> String {
        let change = |(at, c): (usize, char)| if at % every == 0 { '.' } else { c };
        text.chars().enumerate().map(change).collect()
    };
    for every in [2, 9, 300, 4500] {
        let expected = 1.0 - 9000_usize.div_ceil(every) as f64 / 9000.0;
        let found = score("edit", &text, &changed(every), 0.0).unwrap();
        assert!((found - expected).abs() < 1e-9, "{every}: {found}");
    }
}

#[test]
fn long_texts_with_weights_are_told_apart_early_only_below_the_floor() {
    let words = |from: usize, count: usize| -> String {
        let words = (from..from + count).map(|number| format!("w{number}"));
        words.collect::<Vec<_>>().join(" ")
    };
    for count in [40, 90, 400] {
        for moved in [0, 1, count / 20, count / 5, count / 2, count] {
            let (a, b) = (words(0, count), words(moved, count));
            let expected = naive("weighted-jaccard", &a, &b).unwrap();
            for floor in [0.0, 0.3, 0.65, 0.9, expected] {
                let found = score("weighted-jaccard", &a, &b, floor);
                let reached = (expected >= floor).then_some(expected);
                assert_eq!(found, reached, "{count} {moved} {floor}");
            }
        }
    }
}

#[test]
fn an_unknown_measure_is_refused_with_the_known_ones() {
    let message = measure("jacard").unwrap_err().to_string();
    assert!(message.contains("there are: jaccard, weighted-jaccard"));
}
