//! The measures that follow from the number of common features.

use lookalike_sign::FeatureSet;

use super::{Subject, Verify};

/// What a measure over sets knows from the sizes alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// Jaccard: min/max of the sizes is at least the similarity.
    SizeRatio,
    /// Cosine: the root of that ratio is.
    RootOfSizeRatio,
}

impl Bounds {
    /// Whether sets of these sizes can reach `floor` at all.
    pub fn admit(self, a: usize, b: usize, floor: f64) -> bool {
        let (small, large) = (a.min(b) as f64, a.max(b) as f64);
        let most = match self {
            Bounds::SizeRatio => small / large,
            Bounds::RootOfSizeRatio => (small / large).sqrt(),
        };
        // A hair of room: rounding must not exclude what reaches the floor exactly.
        most * (1.0 + 1e-9) >= floor
    }
}

/// How many features two sets have in common, or none if that is fewer than `least`.
pub fn common(a: FeatureSet<'_>, b: FeatureSet<'_>, least: usize) -> Option<usize> {
    /// Between two looks at the bound: often enough to stop early, seldom enough not to slow the merge.
    const STRIDE: usize = 32;
    let (a, b) = (a.hashes(), b.hashes());
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        if common + (a.len() - i).min(b.len() - j) < least {
            return None;
        }
        for _ in 0..STRIDE {
            let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) else {
                break;
            };
            // Without branches: which side is ahead cannot be predicted.
            common += usize::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
    }
    (common >= least).then_some(common)
}

pub(super) struct Jaccard;

impl Verify for Jaccard {
    fn score(&self, a: Subject<'_>, b: Subject<'_>, floor: f64) -> Option<f64> {
        let (a, b) = (a.features, b.features);
        if a.is_empty() || b.is_empty() || !Bounds::SizeRatio.admit(a.len(), b.len(), floor) {
            return None;
        }
        let total = a.len() + b.len();
        let common = common(a, b, least_common(floor / (1.0 + floor) * total as f64))?;
        reaching(common as f64 / (total - common) as f64, floor)
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(Bounds::SizeRatio)
    }
}

pub(super) struct Containment;

impl Verify for Containment {
    fn score(&self, a: Subject<'_>, b: Subject<'_>, floor: f64) -> Option<f64> {
        let (a, b) = (a.features, b.features);
        let smaller = a.len().min(b.len());
        if smaller == 0 {
            return None;
        }
        let common = common(a, b, least_common(floor * smaller as f64))?;
        reaching(common as f64 / smaller as f64, floor)
    }

    fn bounds(&self) -> Option<Bounds> {
        None
    }
}

pub(super) struct Cosine;

impl Verify for Cosine {
    fn score(&self, a: Subject<'_>, b: Subject<'_>, floor: f64) -> Option<f64> {
        let (a, b) = (a.features, b.features);
        if a.is_empty() || b.is_empty() || !Bounds::RootOfSizeRatio.admit(a.len(), b.len(), floor) {
            return None;
        }
        let mean = (a.len() as f64 * b.len() as f64).sqrt();
        let common = common(a, b, least_common(floor * mean))?;
        reaching(common as f64 / mean, floor)
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(Bounds::RootOfSizeRatio)
    }
}

/// A whole number at or a little below `least`: it only stops early, the exact comparison decides.
fn least_common(least: f64) -> usize {
    (least * (1.0 - 1e-9)).ceil().max(0.0) as usize
}

fn reaching(similarity: f64, floor: f64) -> Option<f64> {
    (similarity >= floor).then_some(similarity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::{MEASURES, Measure};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn score(measure: Measure, a: &BTreeSet<u64>, b: &BTreeSet<u64>, floor: f64) -> Option<f64> {
        let (a, b): (Vec<_>, Vec<_>) = (a.iter().copied().collect(), b.iter().copied().collect());
        let subject = |hashes| Subject {
            text: "",
            features: FeatureSet::from_sorted(hashes),
        };
        measure.verifier().score(subject(&a), subject(&b), floor)
    }

    fn naive(measure: Measure, a: &BTreeSet<u64>, b: &BTreeSet<u64>) -> f64 {
        let common = a.intersection(b).count() as f64;
        match measure {
            Measure::Jaccard => common / a.union(b).count() as f64,
            Measure::Containment => common / a.len().min(b.len()) as f64,
            _ => common / (a.len() as f64 * b.len() as f64).sqrt(),
        }
    }

    fn set_measures() -> impl Iterator<Item = Measure> {
        MEASURES
            .iter()
            .map(|(_, measure)| *measure)
            .filter(|m| *m != Measure::Edit)
    }

    fn set() -> impl Strategy<Value = BTreeSet<u64>> {
        prop::collection::btree_set(0u64..80, 1..80)
    }

    proptest! {
        #[test]
        fn every_score_is_exact_symmetric_and_stops_early_only_below_the_floor(
            a in set(), b in set(), floor in 0.0f64..=1.0,
        ) {
            for measure in set_measures() {
                let exact = naive(measure, &a, &b);
                prop_assert_eq!(score(measure, &a, &b, 0.0), Some(exact));
                prop_assert_eq!(score(measure, &a, &b, floor), (exact >= floor).then_some(exact));
                prop_assert_eq!(score(measure, &b, &a, floor), score(measure, &a, &b, floor));
                prop_assert_eq!(score(measure, &a, &b, exact), Some(exact));
                prop_assert_eq!(score(measure, &a, &a, 1.0), Some(1.0));
            }
        }

        #[test]
        fn a_bound_never_excludes_a_pair_that_reaches_the_floor(a in set(), b in set(), floor in 0.0f64..=1.0) {
            for measure in set_measures() {
                if let Some(bounds) = measure.verifier().bounds() {
                    prop_assert!(naive(measure, &a, &b) < floor || bounds.admit(a.len(), b.len(), floor));
                }
            }
        }
    }

    #[test]
    fn empty_sets_are_similar_to_nothing() {
        for measure in set_measures() {
            assert_eq!(
                score(measure, &BTreeSet::new(), &BTreeSet::new(), 0.0),
                None
            );
        }
    }
}
