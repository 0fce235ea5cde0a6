//! Which pairs are held out together.
//!
//! Pairs that are linked by a common text are held out together: a model that has seen one of them knows something of the
//! others. Groups are dealt out, the largest first, so that each fold has about its share of both labels.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lookalike_text::Seed;
use lookalike_text::hash::mix64;

use super::{Example, Examples};
use crate::Error;

/// Folds by which learners choose what they cannot choose by the pairs they learn from.
const FOLDS_OF_LEARNERS: usize = 5;

/// The fold of each row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Folds {
    pub(super) of: Vec<usize>,
    /// Whether no two folds have a text in common.
    pub(super) are_apart: bool,
}

impl Folds {
    /// They depend on the seed, the groups and the values of the rows, not on their order. Where groups are so large that
    /// a fold would be without pairs of one label, pairs are held out one by one.
    ///
    /// # Errors
    /// If a fold would then be without pairs of one label, too.
    pub(super) fn deal(examples: &Examples, folds: usize, seed: Seed) -> Result<Self, Error> {
        let (positives, negatives) = (examples.positives(), examples.negatives());
        let most = positives.min(negatives);
        if folds < 2 || folds > most {
            return Err(Error::Folds {
                folds,
                positives,
                negatives,
                most,
            });
        }
        let by_groups = deal_groups(examples, folds, seed);
        let of = by_groups.unwrap_or_else(|| deal_rows(examples, folds, seed));
        Ok(Folds {
            are_apart: are_apart(examples, &of),
            of,
        })
    }

    /// How many folds there are for what a learner has to choose, with them; none where there is one pair of a label only.
    pub(super) fn to_learn_by(
        examples: &Examples,
        seed: Seed,
    ) -> Result<Option<(usize, Self)>, Error> {
        let most = examples.positives().min(examples.negatives());
        let folds = FOLDS_OF_LEARNERS.min(most);
        if folds < 2 {
            return Ok(None);
        }
        Ok(Some((folds, Folds::deal(examples, folds, seed)?)))
    }
}

/// None if a fold would be without pairs of one label.
fn deal_groups(examples: &Examples, folds: usize, seed: Seed) -> Option<Vec<usize>> {
    let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, row) in examples.rows().iter().enumerate() {
        groups.entry(row.group).or_default().push(place);
    }
    let mut groups: Vec<(u64, Vec<usize>)> = groups.into_iter().collect();
    groups.sort_by_key(|(group, rows)| (Reverse(rows.len()), mix64(group ^ mix64(seed.0))));
    let totals = [examples.negatives(), examples.positives()];
    let mut dealt = vec![[0usize; 2]; folds];
    let mut fold_of = vec![0; examples.rows().len()];
    for (_, rows) in groups {
        let same = rows
            .iter()
            .filter(|&&row| examples.rows()[row].same)
            .count();
        let counts = [rows.len() - same, same];
        // Where the labels of this group are rarest.
        let crowd = |fold: &usize| -> u128 {
            let share = |label: usize| {
                let others = totals[1 - label] as u128;
                (counts[label] * dealt[*fold][label]) as u128 * others
            };
            share(0) + share(1)
        };
        let fold = (0..folds).min_by_key(crowd)?;
        for label in 0..2 {
            dealt[fold][label] += counts[label];
        }
        for row in rows {
            fold_of[row] = fold;
        }
    }
    let has_both = |counts: &[usize; 2]| counts.iter().all(|&count| count > 0);
    dealt.iter().all(has_both).then_some(fold_of)
}

/// The pairs of each label are dealt out in turn, in an order that depends on the seed and their values.
fn deal_rows(examples: &Examples, folds: usize, seed: Seed) -> Vec<usize> {
    let rows = examples.rows();
    let hashes: Vec<u64> = rows.iter().map(|row| hash(row, seed)).collect();
    let mut fold_of = vec![0; rows.len()];
    let negatives = examples.negatives();
    for label in [0..negatives, negatives..rows.len()] {
        let mut order: Vec<usize> = label.collect();
        order.sort_by_key(|&row| hashes[row]);
        for (turn, row) in order.into_iter().enumerate() {
            fold_of[row] = turn % folds;
        }
    }
    fold_of
}

fn are_apart(examples: &Examples, fold_of: &[usize]) -> bool {
    let mut folds = BTreeMap::new();
    let mut rows = examples.rows().iter().zip(fold_of);
    rows.all(|(row, fold)| folds.entry(row.group).or_insert(fold) == &fold)
}

fn hash(row: &Example, seed: Seed) -> u64 {
    let values = row.similarities.iter();
    let bits = values.map(|value| value.map_or(u64::MAX, f64::to_bits));
    bits.fold(mix64(seed.0.wrapping_add(1)), |hash, bits| {
        mix64(hash.wrapping_add(mix64(bits.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of five pairs, one of three near-duplicates.
    fn rows(count: u32) -> Vec<Example> {
        let row = |row: u32| Example {
            group: u64::from(row / 5),
            ..Example::new(&[f64::from(row) / 1000.0], row.is_multiple_of(3))
        };
        (0..count).map(row).collect()
    }

    #[test]
    fn every_fold_has_its_share_of_both_labels_and_whole_groups() {
        let examples = Examples::new(rows(503)).unwrap();
        let folds = Folds::deal(&examples, 5, Seed(0)).unwrap();
        assert!(folds.are_apart);
        for fold in 0..5 {
            let held_out = examples.select(|row| folds.of[row] == fold);
            assert!(held_out.positives().abs_diff(examples.positives() / 5) <= 5);
            assert!(held_out.negatives().abs_diff(examples.negatives() / 5) <= 5);
        }
        assert_ne!(Folds::deal(&examples, 5, Seed(1)).unwrap(), folds);
    }

    #[test]
    fn where_all_pairs_are_linked_they_are_held_out_one_by_one() {
        let all_linked = |row: Example| Example { group: 1, ..row };
        let examples = Examples::new(rows(60).into_iter().map(all_linked)).unwrap();
        let folds = Folds::deal(&examples, 5, Seed(0)).unwrap();
        assert!(!folds.are_apart);
        for fold in 0..5 {
            let held_out = examples.select(|row| folds.of[row] == fold);
            assert_eq!((held_out.positives(), held_out.negatives()), (4, 8));
        }
    }

    #[test]
    fn more_folds_than_pairs_of_a_label_are_refused() {
        let examples = Examples::new(rows(20)).unwrap();
        let error = Folds::deal(&examples, 12, Seed(0)).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("cannot make 12 folds of"), "{message}");
        assert!(Folds::deal(&examples, 1, Seed(0)).is_err());
    }
}
