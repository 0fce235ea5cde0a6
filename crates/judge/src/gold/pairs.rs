//! Labelled pairs of ids.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::value::RawValue;

use super::Id;
use super::lines::{self, kind_of, label, two_sides};
use super::spans;
use crate::Error;

/// What the two ids of a pair may be called; the first that a line has is taken.
pub const ID_NAMES: &[(&str, &str)] = &[
    ("a", "b"),
    ("id_a", "id_b"),
    ("id1", "id2"),
    ("qid1", "qid2"),
];

/// Whether it matters which record is `a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Both are of one corpus: a, b is the same pair as b, a.
    Interchangeable,
    /// `a` is of one corpus and `b` of another, whose ids may be the same.
    Distinct,
}

impl Sides {
    /// One form for a, b and b, a where they are the same pair, and whether it is the other one.
    pub(crate) fn key<T: Ord>(self, a: T, b: T) -> ((T, T), bool) {
        match self {
            Sides::Interchangeable if b < a => ((b, a), true),
            _ => ((a, b), false),
        }
    }
}

/// What is said of the pairs that the gold does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Nothing: they do not count.
    Listed,
    /// That they are wrong.
    Complete,
}

/// Labelled pairs of ids. A pair listed more than once counts once.
#[derive(Debug, Clone, PartialEq)]
pub struct PairGold {
    sides: Sides,
    labels: BTreeMap<(Id, Id), Label>,
    are_links: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Label {
    pub(super) same: bool,
    pub(super) line: u64,
}

/// Reads labelled pairs of ids; `name` is for messages.
///
/// # Errors
/// If the input cannot be read, if a line is malformed, or if a pair is listed with both labels.
pub fn read_id_pairs(name: &str, input: impl BufRead, sides: Sides) -> Result<PairGold, Error> {
    let mut gold = PairGold::new(sides);
    lines::for_each(name, input, |line, object| {
        if spans::has_some_spans(&object) {
            return Err("spans, but the first pair has none; give every pair \"spans\", [] where there are none".to_string());
        }
        let [a, b] = two_sides(&object, ID_NAMES)?;
        let same = label(&object)?.unwrap_or(true);
        gold.insert((id(a)?, id(b)?), Label { same, line })
    })?;
    Ok(gold)
}

pub(super) fn id((name, value): (String, &RawValue)) -> Result<Id, String> {
    Id::from_json(value.get()).ok_or_else(|| {
        let kind = kind_of(value);
        format!("\"{name}\" is {kind}, but an id is a string or a number; if the file holds texts, say so")
    })
}

impl PairGold {
    pub(super) fn new(sides: Sides) -> Self {
        PairGold {
            sides,
            labels: BTreeMap::new(),
            are_links: false,
        }
    }

    /// No pairs yet, all of which will be links.
    pub(super) fn of_links(sides: Sides) -> Self {
        PairGold {
            are_links: true,
            ..PairGold::new(sides)
        }
    }

    /// Whether these are links that users have set: nobody looked for all there are, and what a link leads to may be gone.
    pub fn are_links(&self) -> bool {
        self.are_links
    }

    /// Leaves out pairs of records that are not there, and says how many.
    pub fn keep(&mut self, is_there: impl Fn(&Id, &Id) -> bool) -> usize {
        let before = self.labels.len();
        self.labels.retain(|(a, b), _| is_there(a, b));
        before - self.labels.len()
    }

    pub(super) fn insert(&mut self, (a, b): (Id, Id), label: Label) -> Result<(), String> {
        let key = self.key(a, b);
        match self.labels.get(&key) {
            Some(earlier) if earlier.same != label.same => Err(format!(
                "{} and {} have label {} here and {} in line {}; remove one of the two",
                key.0,
                key.1,
                u8::from(label.same),
                u8::from(earlier.same),
                earlier.line
            )),
            Some(_) => Ok(()),
            None => {
                self.labels.insert(key, label);
                Ok(())
            }
        }
    }

    /// One form for a, b and b, a where they are the same pair.
    pub(crate) fn key(&self, a: Id, b: Id) -> (Id, Id) {
        self.sides.key(a, b).0
    }

    /// Whether a pair in this form is labelled, and how.
    pub(crate) fn label_of(&self, key: &(Id, Id)) -> Option<bool> {
        self.labels.get(key).map(|label| label.same)
    }

    /// The pairs with their labels, in the order of their ids.
    pub fn pairs(&self) -> impl Iterator<Item = (&(Id, Id), bool)> {
        self.labels.iter().map(|(pair, label)| (pair, label.same))
    }

    /// How many pairs have label 1.
    pub fn positives(&self) -> usize {
        self.labels.values().filter(|label| label.same).count()
    }

    /// How many pairs have label 0.
    pub fn negatives(&self) -> usize {
        self.labels.len() - self.positives()
    }

    /// How to count unless the user says: gold with negatives was labelled pair by pair and links were set by chance, so
    /// only listed pairs count; other gold is taken to list all there is to find.
    pub fn counting(&self) -> Counting {
        if self.negatives() > 0 || self.are_links {
            Counting::Listed
        } else {
            Counting::Complete
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, sides: Sides) -> Result<PairGold, Error> {
        read_id_pairs("gold.jsonl", text.as_bytes(), sides)
    }

    fn problem(text: &str) -> String {
        read(text, Sides::Interchangeable).unwrap_err().to_string()
    }

    #[test]
    fn ids_keep_their_type_and_other_keys_are_passed_over() {
        let text = r#"{"a": "上海市条例@2010", "b": 7, "label": 1, "identical": true}
            {"a": 7, "b": "7", "label": 0, "kind": "01", "spans": []}"#;
        let gold = read(text, Sides::Interchangeable).unwrap();
        let law = Id::from("上海市条例@2010");
        let label = |a: &Id, b: &Id| gold.label_of(&gold.key(a.clone(), b.clone()));
        assert_eq!(label(&law, &7.into()), Some(true));
        assert_eq!(label(&7.into(), &law), Some(true));
        assert_eq!(label(&law, &"7".into()), None);
        assert_eq!(label(&"7".into(), &7.into()), Some(false));
        assert_eq!((gold.positives(), gold.negatives()), (1, 1));
    }

    #[test]
    fn only_gold_without_negatives_is_complete() {
        let one = r#"{"a": 1, "b": 2}"#;
        let gold = read(one, Sides::Interchangeable).unwrap();
        assert_eq!(gold.counting(), Counting::Complete);
        let both = format!("{one}\n{{\"a\": 1, \"b\": 3, \"label\": false}}");
        let gold = read(&both, Sides::Interchangeable).unwrap();
        assert_eq!(gold.counting(), Counting::Listed);
    }

    #[test]
    fn a_pair_with_two_labels_is_refused() {
        let text = "{\"a\": \"א\", \"b\": \"ב\"}\n\n{\"a\": \"ב\", \"b\": \"א\", \"label\": 0}";
        let expected = "gold.jsonl, line 3: \"א\" and \"ב\" have label 0 here and 1 in line 1; remove one of the two";
        assert_eq!(problem(text), expected);
        let gold = read(text, Sides::Distinct).unwrap();
        assert_eq!((gold.positives(), gold.negatives()), (1, 1));
    }

    #[test]
    fn a_pair_listed_twice_with_one_label_counts_once() {
        let text = "{\"a\": 1, \"b\": 2}\n{\"a\": 2, \"b\": 1}";
        assert_eq!(read(text, Sides::Interchangeable).unwrap().positives(), 1);
    }

    #[test]
    fn an_id_paired_with_itself_is_a_pair() {
        // Seen in real gold: two versions of a law, of the same name and date, in one corpus.
        let text = "{\"a\": \"反诈骗法@2022\", \"b\": \"反诈骗法@2022\"}";
        for sides in [Sides::Interchangeable, Sides::Distinct] {
            assert_eq!(read(text, sides).unwrap().positives(), 1);
        }
    }

    #[test]
    fn spans_after_pairs_without_are_refused() {
        let text = "{\"a\": 1, \"b\": 2}\n{\"a\": 1, \"b\": 3, \"spans\": [{\"a_begin\": 1}]}";
        assert!(
            problem(text).starts_with("gold.jsonl, line 2: spans, but the first pair has none")
        );
    }

    #[test]
    fn what_is_no_pair_of_ids_is_refused_with_the_remedy() {
        assert_eq!(
            problem("{\"left\": 1}"),
            "gold.jsonl, line 1: no pair; call its two sides a, b or id_a, id_b or id1, id2 or qid1, qid2"
        );
        assert_eq!(
            problem("{\"a\": 1}"),
            "gold.jsonl, line 1: \"b\" is missing; a pair has both a and b"
        );
        assert_eq!(
            problem("{\"a\": 1, \"b\": {\"title\": \"x\"}}"),
            "gold.jsonl, line 1: \"b\" is an object, but an id is a string or a number; if the file holds texts, say so"
        );
    }
}
