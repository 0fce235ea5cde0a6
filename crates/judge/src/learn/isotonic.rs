//! The leaves of a tree, made monotone: who answers one more question with yes never gets less.
//!
//! Leaves are numbered by the answers, a bit a question. The steps and what they weigh come in; out go the steps of the
//! least weighted square distance among those that rise with every bit. For any partial order that is, at each leaf, the
//! largest over the upper sets around it of the smallest mean over the lower sets around it (Robertson, Wright and
//! Dykstra, 1988, theorem 1.4.4). A tree has so few questions that all sets can be tried.

/// A step of a leaf: what it comes to is `sum / weight`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Step {
    pub(super) sum: f64,
    pub(super) weight: f64,
}

/// The leaves of a tree, made monotone: who answers one more question with yes never gets less.
/// There are as many steps as combinations of answers, and each weighs more than 0.
pub(super) fn monotone(steps: &[Step]) -> Vec<f64> {
    let upper = upper_sets(steps.len());
    let all = (1u32 << steps.len()) - 1;
    let has = |set: u32, leaf: usize| set >> leaf & 1 == 1;
    let mean = |set: u32| {
        let chosen = (0..steps.len()).filter(|&leaf| has(set, leaf));
        let total = chosen.fold(Step::default(), |total, leaf| Step {
            sum: total.sum + steps[leaf].sum,
            weight: total.weight + steps[leaf].weight,
        });
        total.sum / total.weight
    };
    let least_mean = |set: u32, leaf: usize| {
        // What an upper set lacks is a lower one.
        let lower = upper.iter().map(|&other| all & !other);
        let around = lower.filter(|&lower| has(lower, leaf));
        around
            .map(|lower| mean(set & lower))
            .fold(f64::INFINITY, f64::min)
    };
    let value = |leaf: usize| {
        let around = upper.iter().filter(|&&set| has(set, leaf));
        around
            .map(|&set| least_mean(set, leaf))
            .fold(f64::NEG_INFINITY, f64::max)
    };
    (0..steps.len()).map(value).collect()
}

/// The sets of leaves, a bit each, that hold with a leaf all those with one more yes.
fn upper_sets(leaves: usize) -> Vec<u32> {
    let questions = leaves.trailing_zeros();
    let is_upper = |set: &u32| {
        let held = (0..leaves).filter(|leaf| set >> leaf & 1 == 1);
        held.flat_map(|leaf| (0..questions).map(move |bit| leaf | 1 << bit))
            .all(|above| set >> above & 1 == 1)
    };
    (0..1u32 << leaves).filter(is_upper).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn steps(values: &[(f64, f64)]) -> Vec<Step> {
        let step = |&(value, weight): &(f64, f64)| Step {
            sum: value * weight,
            weight,
        };
        values.iter().map(step).collect()
    }

    #[test]
    fn what_rises_stays_and_what_falls_meets_at_the_weighted_mean() {
        assert_eq!(monotone(&steps(&[(-1.0, 1.0), (2.0, 5.0)])), [-1.0, 2.0]);
        assert_eq!(monotone(&steps(&[(3.0, 1.0), (-1.0, 3.0)])), [0.0, 0.0]);
        assert_eq!(monotone(&steps(&[(0.5, 2.0)])), [0.5]);
        let cube = [(0.0, 1.0), (4.0, 1.0), (1.0, 1.0), (2.0, 1.0)];
        assert_eq!(monotone(&steps(&cube)), [0.0, 3.0, 1.0, 3.0]);
    }

    #[test]
    fn three_questions_have_twenty_upper_sets() {
        assert_eq!(
            [1, 2, 4, 8].map(|leaves| upper_sets(leaves).len()),
            [2, 3, 6, 20]
        );
    }

    proptest! {
        #[test]
        fn every_yes_adds_and_no_monotone_change_is_nearer(
            values in proptest::collection::vec((-5.0f64..5.0, 0.5f64..4.0), 8),
            other in proptest::collection::vec(-5.0f64..5.0, 8),
        ) {
            let steps = steps(&values);
            let leaves = monotone(&steps);
            for leaf in 0..8usize {
                for bit in 0..3 {
                    prop_assert!(leaves[leaf | 1 << bit] >= leaves[leaf] - 1e-12);
                }
            }
            let distance = |leaves: &[f64]| -> f64 {
                let each = leaves.iter().zip(&values);
                each.map(|(leaf, (value, weight))| weight * (leaf - value) * (leaf - value)).sum()
            };
            // Made monotone by taking the largest below.
            let rising = |leaf: usize| (0..8).filter(|below| below & !leaf == 0).map(|below| other[below]).fold(f64::MIN, f64::max);
            let other: Vec<f64> = (0..8).map(rising).collect();
            prop_assert!(distance(&leaves) <= distance(&other) + 1e-9);
        }
    }
}
