//! An answer of clusters against right ones.
//!
//! Pairs of records are not enumerated: how many there are within the clusters of each side, and within the
//! intersections of two clusters, says everything (Hubert and Arabie, 1985, Comparing Partitions).

use std::collections::{BTreeMap, BTreeSet};

use super::{Counts, pairs_of};
use crate::Error;

/// What [`judge_clusters`] says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterVerdict {
    /// About pairs of records: found if they are in one cluster of the answer, right if in one of the gold.
    pub counts: Counts,
    /// 1 for the same clusters, about 0 for clusters by chance.
    pub adjusted_rand_index: f64,
}

/// Compares clusters with the right ones, among that many records of which those in no cluster are alone. The names
/// of the clusters do not matter.
///
/// # Errors
/// If the clusters name more than that many records.
pub fn judge_clusters<R: Ord, F: Ord, G: Ord>(
    found: &BTreeMap<R, F>,
    gold: &BTreeMap<R, G>,
    records: u32,
) -> Result<ClusterVerdict, Error> {
    let named = found
        .keys()
        .chain(gold.keys())
        .collect::<BTreeSet<_>>()
        .len();
    if named > records as usize {
        return Err(Error::TooFewRecords { records, named });
    }
    let both = found
        .iter()
        .filter_map(|(record, cluster)| Some((cluster, gold.get(record)?)));
    let (found, right) = (pairs_within(found.values()), pairs_within(gold.values()));
    let (both, all) = (pairs_within(both), pairs_of(u64::from(records)));
    let counts = Counts {
        true_positives: both,
        false_positives: found - both,
        false_negatives: right - both,
        true_negatives: Some(all - found - (right - both)),
    };
    Ok(ClusterVerdict {
        adjusted_rand_index: adjusted_rand_index(&counts, all),
        counts,
    })
}

fn pairs_within<C: Ord>(clusters: impl Iterator<Item = C>) -> u64 {
    let mut sizes = BTreeMap::new();
    for cluster in clusters {
        *sizes.entry(cluster).or_insert(0u64) += 1;
    }
    sizes.into_values().map(pairs_of).sum()
}

/// (both − found·right/all) / ((found + right)/2 − found·right/all), with both parts of the fraction times 2·all, where
/// these are numbers of pairs. All of them are whole numbers below 2¹²⁷, since fewer than 2³² records make fewer than 2⁶³
/// pairs.
fn adjusted_rand_index(counts: &Counts, all: u64) -> f64 {
    let numbers = [counts.found(), counts.right(), counts.true_positives, all];
    let [found, right, both, all] = numbers.map(i128::from);
    let divisor = (found + right) * all - 2 * found * right;
    if divisor == 0 {
        // Only if both sides are all alone, or both are one cluster: the same.
        return 1.0;
    }
    (2 * (both * all - found * right)) as f64 / divisor as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn judge(found: &[usize], gold: &[usize]) -> ClusterVerdict {
        let map = |labels: &[usize]| labels.iter().copied().enumerate().collect();
        judge_clusters(&map(found), &map(gold), found.len() as u32).unwrap()
    }

    #[test]
    fn the_index_is_what_it_is_by_hand() {
        // Pairs: 2 in both, 4 found, 3 right, 15 in all; (2 − 12/15) / (7/2 − 12/15) = 12/27.
        let verdict = judge(&[0, 0, 0, 1, 1, 2], &[0, 0, 1, 2, 2, 1]);
        assert_eq!(verdict.counts.true_positives, 2);
        assert_eq!(verdict.counts.false_positives, 2);
        assert_eq!(verdict.counts.false_negatives, 1);
        assert_eq!(verdict.counts.true_negatives, Some(10));
        assert_eq!(verdict.adjusted_rand_index, 12.0 / 27.0);
    }

    #[test]
    fn the_same_clusters_by_other_names_are_perfect() {
        assert_eq!(judge(&[0, 0, 1, 2], &[7, 7, 3, 4]).adjusted_rand_index, 1.0);
        assert_eq!(judge(&[0, 1, 2], &[2, 1, 0]).adjusted_rand_index, 1.0);
        assert_eq!(judge(&[0, 0, 0], &[1, 1, 1]).adjusted_rand_index, 1.0);
        assert_eq!(judge(&[], &[]).adjusted_rand_index, 1.0);
    }

    #[test]
    fn one_cluster_of_all_is_as_good_as_chance_and_the_worst_is_worse() {
        assert_eq!(judge(&[0, 0, 0, 0], &[0, 0, 1, 1]).adjusted_rand_index, 0.0);
        assert_eq!(
            judge(&[0, 1, 0, 1], &[0, 0, 1, 1]).adjusted_rand_index,
            -0.5
        );
    }

    #[test]
    fn records_in_no_cluster_are_alone() {
        let found = BTreeMap::from([("猫", 1), ("犬", 1)]);
        let gold = BTreeMap::from([("猫", "α"), ("犬", "α"), ("鳥", "β")]);
        let verdict = judge_clusters(&found, &gold, 1000).unwrap();
        assert_eq!(verdict.adjusted_rand_index, 1.0);
        assert_eq!(verdict.counts.true_negatives, Some(499_499));
    }

    #[test]
    fn more_records_than_there_are_is_an_error() {
        let found = BTreeMap::from([(1, 1), (2, 1)]);
        let gold = BTreeMap::from([(3, 1)]);
        let error = judge_clusters(&found, &gold, 2).unwrap_err().to_string();
        assert!(
            error.contains("name 3 records, but the corpus has 2"),
            "{error}"
        );
    }

    #[test]
    fn four_thousand_million_records_do_not_overflow() {
        let all = u64::from(u32::MAX) * u64::from(u32::MAX - 1) / 2;
        let index = |wrong| {
            let counts = Counts {
                true_positives: all - 1 - wrong,
                false_positives: wrong,
                false_negatives: wrong,
                true_negatives: Some(1 - wrong),
            };
            adjusted_rand_index(&counts, all)
        };
        assert_eq!(index(0), 1.0);
        assert!(index(1) < 0.0);
    }

    proptest! {
        #[test]
        fn pairs_and_index_are_those_of_looking_at_every_pair(
            labels in proptest::collection::vec((0usize..5, 0usize..5), 2..30)
        ) {
            let (found, gold): (Vec<_>, Vec<_>) = labels.iter().copied().unzip();
            let mut table = [0f64; 4];
            for a in 0..labels.len() {
                for b in a + 1..labels.len() {
                    let place = 2 * usize::from(found[a] == found[b]) + usize::from(gold[a] == gold[b]);
                    table[place] += 1.0;
                }
            }
            let [tn, missed, fp, tp] = table;
            let verdict = judge(&found, &gold);
            prop_assert_eq!(verdict.counts.true_positives as f64, tp);
            prop_assert_eq!(verdict.counts.false_positives as f64, fp);
            prop_assert_eq!(verdict.counts.false_negatives as f64, missed);
            prop_assert_eq!(verdict.counts.true_negatives.map(|count| count as f64), Some(tn));
            let divisor = (tp + missed) * (missed + tn) + (tp + fp) * (fp + tn);
            let expected = if divisor == 0.0 { 1.0 } else { 2.0 * (tp * tn - missed * fp) / divisor };
            prop_assert!((verdict.adjusted_rand_index - expected).abs() < 1e-12);
            let swapped = judge(&gold, &found);
            prop_assert_eq!(swapped.adjusted_rand_index, verdict.adjusted_rand_index);
        }
    }
}
