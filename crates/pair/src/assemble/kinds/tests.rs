//! The examples of the paper, and what must hold for any two texts.

use proptest::prelude::*;

use super::*;

fn kind(a: &str, b: &str) -> Kind {
    Comparer::new()
        .compare(Statement::new(a), Statement::new(b))
        .kind
}

const BUSH: &str = "Bush had an approval rating of 22% by the end of his term in 2008.";
const OBAMA: &str = "Obama had an approval rating of 56% by the end of his term in 2012.";

#[test]
fn the_examples_of_the_paper_have_their_kinds() {
    assert_eq!(kind(BUSH, BUSH), Kind::Identical);
    assert_eq!(kind(BUSH, OBAMA), Kind::Template);
    let edited =
        "Bush, a US President, had an approval rating of 22% by the end of his term in 2008.";
    assert_eq!(kind(BUSH, edited), Kind::CopyEdit);
    let drifted = "Obama had an approval rating of 46% by the end of his term in 2012.";
    assert_eq!(kind(OBAMA, drifted), Kind::FactualDrift);
    assert_eq!(
        kind(
            "Neotropical Ichthyology 11 (1): 73-80.",
            "Neotropical Ichthyology 10 (2): 245-253."
        ),
        Kind::Reference
    );
}

#[test]
fn white_space_and_the_glyphs_of_quotes_and_dashes_do_not_count() {
    assert_eq!(
        kind("the “old”  mill – 5 km", " the \"old\" mill - 5 km"),
        Kind::Identical
    );
    assert_eq!(kind("建于 1998 年。", "建于1998年。"), Kind::Identical);
    assert_eq!(kind("the Old mill", "the old mill"), Kind::CopyEdit);
}

#[test]
fn names_of_kinds_are_read_back_and_unknown_ones_refused_with_the_known() {
    for &kind in Kind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    let refused = "drift".parse::<Kind>().unwrap_err().to_string();
    assert!(
        Kind::ALL.iter().all(|kind| refused.contains(kind.name())),
        "{refused}"
    );
}

#[test]
fn changed_words_are_listed_as_written() {
    let change = Comparer::new().compare(Statement::new(BUSH), Statement::new(OBAMA));
    let expected = [("Bush", "Obama"), ("22%", "56%"), ("2008", "2012")];
    assert_eq!(
        change.changed,
        expected.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
}

/// Sentences that differ a little, and any characters at all.
fn any_text() -> impl Strategy<Value = String> {
    let words = vec![
        "Bush",
        "Obama",
        "the",
        "He",
        "had",
        "22%",
        "5 km",
        "3.1 miles",
        "May 2008",
        ",",
        "(",
        ")",
        ":",
        "-",
        "\"",
        "not",
        "north",
        "south",
        "张",
        "三",
        "是",
        "位于",
        "1998年3月",
        "，",
        "。",
        "é",
        "ß",
        "\u{0}",
        "👍🏽",
        "Press",
        "ISBN",
        "een",
        "“Long titles in quotes.”",
        "「",
        "《",
        "¥",
        "한국",
        "ไทย",
        "12",
        "twelve",
        "ﷺ",
        "{{",
        "=",
    ];
    let words =
        prop::collection::vec(prop::sample::select(words), 0..14).prop_map(|words| words.join(" "));
    prop_oneof![words, any::<String>()]
}

proptest! {
    #[test]
    fn a_change_is_the_same_both_ways(a in any_text(), b in any_text(), x in any_text(), y in any_text(), refs in any::<bool>()) {
        let mut comparer = Comparer::new();
        let a = Statement { text: &a, title: Some(&x), in_references: refs };
        let b = Statement { text: &b, title: Some(&y), in_references: false };
        let there = comparer.compare(a, b);
        let back = comparer.compare(b, a);
        prop_assert_eq!(there.kind, back.kind);
        let mirrored: Vec<_> = back.changed.into_iter().map(|(from, to)| (to, from)).collect();
        prop_assert_eq!(there.changed, mirrored);
        prop_assert_eq!(comparer.compare(a, a).kind, Kind::Identical);
        prop_assert!(comparer.compare(b, b).changed.is_empty());
    }
}
