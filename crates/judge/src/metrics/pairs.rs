//! An answer of pairs against labelled pairs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Counts;
use crate::gold::{Counting, Id, PairGold};

/// A pair of the answer; what a line of `pairs.jsonl` says.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// One record.
    pub a: Id,
    /// The other.
    pub b: Id,
    /// How alike they are said to be.
    pub similarity: f64,
}

/// What is wrong about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MistakeKind {
    /// Found, but wrong.
    FalsePositive,
    /// Missed.
    FalseNegative,
}

/// A pair about which the answer is wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mistake {
    /// What is wrong.
    pub mistake: MistakeKind,
    /// One record.
    pub a: Id,
    /// The other.
    pub b: Id,
    /// The similarity in the answer; none if the pair is missing from it.
    pub similarity: Option<f64>,
}

/// What [`judge_pairs`] says.
#[derive(Debug, Clone, PartialEq)]
pub struct PairVerdict {
    /// The numbers.
    pub counts: Counts,
    /// False positives, the most similar first, then false negatives; by id where that is the same.
    pub mistakes: Vec<Mistake>,
}

/// Compares the pairs found with the labelled ones. A pair found more than once counts once, with its largest
/// similarity. Where counting is [`Counting::Complete`] the true negatives are not known.
pub fn judge_pairs(
    gold: &PairGold,
    found: impl IntoIterator<Item = Found>,
    counting: Counting,
) -> PairVerdict {
    let mut best: BTreeMap<(Id, Id), f64> = BTreeMap::new();
    for Found { a, b, similarity } in found {
        let known = best.entry(gold.key(a, b)).or_insert(similarity);
        *known = known.max(similarity);
    }
    let mistake = |mistake, (a, b): &(Id, Id), similarity| Mistake {
        mistake,
        a: a.clone(),
        b: b.clone(),
        similarity,
    };
    let is_wrong = |key: &(Id, Id)| match gold.label_of(key) {
        Some(same) => !same,
        None => counting == Counting::Complete,
    };
    let mut wrong: Vec<_> = best.iter().filter(|(key, _)| is_wrong(key)).collect();
    wrong.sort_by(|(_, one), (_, two)| two.total_cmp(one));
    let wrong = wrong
        .into_iter()
        .map(|(key, &similarity)| mistake(MistakeKind::FalsePositive, key, Some(similarity)));
    let mut mistakes: Vec<Mistake> = wrong.collect();
    let false_positives = mistakes.len() as u64;
    let missed = gold
        .pairs()
        .filter(|(key, same)| *same && !best.contains_key(key));
    mistakes.extend(missed.map(|(key, _)| mistake(MistakeKind::FalseNegative, key, None)));
    let false_negatives = mistakes.len() as u64 - false_positives;
    let counts = Counts {
        true_positives: gold.positives() as u64 - false_negatives,
        false_positives,
        false_negatives,
        true_negatives: match counting {
            Counting::Listed => Some(gold.negatives() as u64 - false_positives),
            Counting::Complete => None,
        },
    };
    PairVerdict { counts, mistakes }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::gold::{Sides, read_id_pairs};

    fn gold(lines: &str) -> PairGold {
        read_id_pairs("gold", lines.as_bytes(), Sides::Interchangeable).unwrap()
    }

    fn found(a: &str, b: &str, similarity: f64) -> Found {
        let (a, b) = (a.into(), b.into());
        Found { a, b, similarity }
    }

    const GOLD: &str = r#"{"a": "猫", "b": "犬", "label": 1}
        {"a": "猫", "b": "鳥", "label": 1}
        {"a": "犬", "b": "魚", "label": 0}
        {"a": "鳥", "b": "魚", "label": 0}"#;

    fn answer() -> [Found; 4] {
        [
            found("犬", "猫", 0.9),
            found("魚", "犬", 0.8),
            found("馬", "牛", 0.95),
            found("猫", "犬", 0.7),
        ]
    }

    #[test]
    fn unlisted_pairs_are_wrong_only_where_the_gold_is_complete() {
        let verdict = judge_pairs(&gold(GOLD), answer(), Counting::Listed);
        let expected = Counts {
            true_positives: 1,
            false_positives: 1,
            false_negatives: 1,
            true_negatives: Some(1),
        };
        assert_eq!(verdict.counts, expected);
        assert_eq!(verdict.counts.accuracy(), Some(0.5));
        let verdict = judge_pairs(&gold(GOLD), answer(), Counting::Complete);
        assert_eq!(verdict.counts.false_positives, 2);
        assert_eq!(verdict.counts.true_negatives, None);
    }

    #[test]
    fn mistakes_are_listed_with_their_scores_the_most_similar_first() {
        let verdict = judge_pairs(&gold(GOLD), answer(), Counting::Complete);
        let lines: Vec<_> = verdict
            .mistakes
            .iter()
            .map(|mistake| serde_json::to_string(mistake).unwrap())
            .collect();
        let expected = [
            r#"{"mistake":"false_positive","a":"牛","b":"馬","similarity":0.95}"#,
            r#"{"mistake":"false_positive","a":"犬","b":"魚","similarity":0.8}"#,
            r#"{"mistake":"false_negative","a":"猫","b":"鳥","similarity":null}"#,
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn between_two_corpora_the_sides_are_not_interchangeable() {
        let text = "{\"a\": \"x\", \"b\": \"y\"}";
        let gold = read_id_pairs("gold", text.as_bytes(), Sides::Distinct).unwrap();
        let verdict = judge_pairs(&gold, [found("y", "x", 1.0)], Counting::Complete);
        assert_eq!(verdict.counts.true_positives, 0);
    }

    proptest! {
        #[test]
        fn counts_are_those_of_looking_at_every_pair(
            labels in proptest::collection::btree_map((0u64..8, 0u64..8), any::<bool>(), 0..20),
            answer in proptest::collection::btree_set((0u64..8, 0u64..8), 0..20),
        ) {
            let labels: BTreeMap<_, _> = labels.into_iter().filter(|((a, b), _)| a < b).collect();
            let answer: BTreeSet<_> = answer.into_iter().filter(|(a, b)| a < b).collect();
            let lines: Vec<_> = labels
                .iter()
                .map(|((a, b), same)| format!("{{\"a\": {b}, \"b\": {a}, \"label\": {same}}}"))
                .collect();
            let found = answer.iter().map(|&(a, b)| Found { a: a.into(), b: b.into(), similarity: 0.5 });
            let verdict = judge_pairs(&gold(&lines.join("\n")), found, Counting::Complete);

            let mut table = [0u64; 4];
            for pair in (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))) {
                let right = labels.get(&pair) == Some(&true);
                table[2 * usize::from(right) + usize::from(answer.contains(&pair))] += 1;
            }
            let counts = verdict.counts;
            prop_assert_eq!(counts.false_positives, table[1]);
            prop_assert_eq!(counts.false_negatives, table[2]);
            prop_assert_eq!(counts.true_positives, table[3]);
        }
    }
}
