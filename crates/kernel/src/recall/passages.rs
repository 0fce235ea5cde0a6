//! How likely are two documents found that share a passage of changed words?
//!
//! In: how common neighbours are that can be keys, counted over all documents. Out: the probability that enough of those of
//! a passage survive, if each of its words is changed with the same probability, whatever the others are.

use lookalike_pair::join::NearRule;

use super::{NeighbourCounts, Recall, unstated};

/// The passage of which the recall is stated has so many words: three sentences.
pub const PASSAGE_WORDS: u32 = 60;

/// The shares of its words that were changed.
pub const CHANGED: [f64; 2] = [0.4, 0.3];

/// The promise for documents found by neighbouring words.
pub(super) fn of_neighbours(rule: NearRule, counts: NeighbourCounts) -> Recall {
    let [much, less] = CHANGED.map(|changed| survives(rule, counts, changed));
    let because = format!(
        "documents are compared that share {} pairs of neighbouring words near each other, or similar sentences",
        rule.least_keys
    );
    Recall {
        at_threshold: Some(much),
        above_threshold: Some(less),
        ..unstated("neighbours", because)
    }
}

/// The probability that a passage keeps enough keys, word by word: whether a word is one that keys are made of, whether
/// it and the one before it were left as they were, and whether their key is one that few documents have.
fn survives(rule: NearRule, counts: NeighbourCounts, changed: f64) -> f64 {
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    let content = (2.0 * share(counts.keys, counts.halves)).min(1.0);
    let rare = 1.0 - share(counts.common, counts.keys);
    let (apart, least) = (
        rule.apart.div_ceil(2) as usize,
        usize::from(rule.least_keys),
    );
    // By whether the last content word was left, how many words ago the last key was counted, and how many were.
    let mut states = vec![vec![[0.0; 2]; apart + 1]; least + 1];
    states[0][apart] = [1.0, 0.0];
    for _ in 0..PASSAGE_WORDS {
        let mut next = vec![vec![[0.0; 2]; apart + 1]; least + 1];
        for (count, since) in
            (0..=least).flat_map(|count| (0..=apart).map(move |since| (count, since)))
        {
            let later = (since + 1).min(apart);
            for (was_left, &probability) in states[count][since].iter().enumerate() {
                next[count][later][was_left] += probability * (1.0 - content);
                next[count][later][0] += probability * content * changed;
                let left = probability * content * (1.0 - changed);
                let counted = if was_left == 1 && later == apart {
                    rare
                } else {
                    0.0
                };
                next[count][later][1] += left * (1.0 - counted);
                next[(count + 1).min(least)][0][1] += left * counted;
            }
        }
        states = next;
    }
    states[least].iter().flatten().sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: NearRule = NearRule {
        least_keys: 4,
        apart: 10,
        reach: 160,
    };

    fn counts(keys: u64, common: u64) -> NeighbourCounts {
        NeighbourCounts {
            halves: 2000,
            keys,
            common,
        }
    }

    #[test]
    fn what_is_unchanged_and_has_enough_rare_neighbours_is_found() {
        assert!(survives(RULE, counts(1000, 0), 0.0) > 0.9999);
        assert_eq!(survives(RULE, counts(1000, 1000), 0.0), 0.0);
        assert_eq!(survives(RULE, counts(1000, 0), 1.0), 0.0);
        assert_eq!(survives(RULE, counts(0, 0), 0.0), 0.0);
    }

    #[test]
    fn the_more_is_changed_or_common_the_less_is_found() {
        let of = |common: u64, changed: f64| survives(RULE, counts(900, common), changed);
        assert!(of(0, 0.3) > of(0, 0.4) && of(0, 0.4) > of(0, 0.6));
        assert!(of(0, 0.3) > of(300, 0.3));
        assert!(of(0, 0.3) > 0.95, "{}", of(0, 0.3));
    }

    #[test]
    fn the_probability_is_the_share_of_simulated_passages() {
        let (mut seed, mut found) = (1u64, 0);
        let mut chance = || {
            seed += 1;
            (lookalike_text::hash::mix64(seed) >> 11) as f64 / (1u64 << 53) as f64
        };
        const TRIES: u32 = 20_000;
        for _ in 0..TRIES {
            let (mut was_left, mut last, mut keys) = (false, -5, 0);
            for place in 0..PASSAGE_WORDS as i32 {
                if chance() < 0.8 {
                    let left = chance() >= 0.4;
                    if left && was_left && place - last >= 5 && chance() < 0.75 {
                        (keys, last) = (keys + 1, place);
                    }
                    was_left = left;
                }
            }
            found += u32::from(keys >= 4);
        }
        let simulated = f64::from(found) / f64::from(TRIES);
        let stated = survives(RULE, counts(800, 200), 0.4);
        assert!((simulated - stated).abs() < 0.02, "{simulated} {stated}");
    }
}
