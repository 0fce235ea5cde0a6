//! The exact join over prefixes: units that share one of their rarest features are compared, if sizes and positions
//! allow it.
//!
//! In: for each unit its prefix, a posting a feature with the position in the one order of features. Out: candidate
//! pairs, among them all that reach the threshold. Nothing is limited, so nothing is missed.

use bytemuck::{Pod, Zeroable};
use lookalike_text::UnitId;

use crate::Pair;
use crate::spill::Item;
use crate::verify::Bounds;

/// A feature in the prefix of a unit, in 12 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct PrefixPosting {
    feature: u32,
    unit: u32,
    position: u32,
}

impl PrefixPosting {
    /// The feature of a unit at a position, counted from the rarest.
    pub fn new(feature: u32, unit: UnitId, position: usize) -> Self {
        PrefixPosting {
            feature,
            unit: unit.get(),
            position: position as u32,
        }
    }

    /// The feature.
    pub fn feature(self) -> u32 {
        self.feature
    }
}

impl Item for PrefixPosting {
    fn place(&self) -> u32 {
        self.feature
    }
}

/// When two units that share a feature are compared.
#[derive(Clone, Copy)]
pub struct PrefixRule<'r> {
    /// What the measure knows from sizes.
    pub bounds: &'r dyn Bounds,
    /// The threshold.
    pub floor: f64,
    /// How many features each unit has.
    pub sizes: &'r [u32],
}

/// A member of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    size: usize,
    unit: u32,
    position: usize,
}

impl PrefixRule<'_> {
    /// How long the prefix of a unit of this size has to be.
    pub fn prefix(&self, size: usize) -> usize {
        (size + 1).saturating_sub(self.bounds.least_with_any(size, self.floor))
    }

    /// Emits the candidate pairs of a partition's postings (in any order; sorted here).
    pub fn candidates(&self, postings: &mut [PrefixPosting], emit: &mut impl FnMut(Pair)) {
        postings.sort_unstable();
        let mut members: Vec<Member> = Vec::new();
        for bucket in postings.chunk_by(|a, b| a.feature == b.feature) {
            if bucket.len() < 2 {
                continue;
            }
            members.clear();
            members.extend(bucket.iter().map(|posting| Member {
                size: self.sizes[posting.unit as usize] as usize,
                unit: posting.unit,
                position: posting.position as usize,
            }));
            members.sort_unstable();
            self.compare(&members, emit);
        }
    }

    /// Emits the pairs of one bucket, whose members are in the order of their sizes.
    fn compare(&self, members: &[Member], emit: &mut impl FnMut(Pair)) {
        for (place, smaller) in members.iter().enumerate() {
            // With partners that are at least as large a shorter prefix is enough.
            let least = self.bounds.least_with_larger(smaller.size, self.floor);
            if smaller.position + least > smaller.size {
                continue;
            }
            for larger in &members[place + 1..] {
                if !self.bounds.admits(smaller.size, larger.size, self.floor) {
                    break;
                }
                if self.can_reach(smaller, larger)
                    && let Some(pair) =
                        Pair::new(UnitId::from(smaller.unit), UnitId::from(larger.unit))
                {
                    emit(pair);
                }
            }
        }
    }

    /// Whether what stands before, at and after a common feature can be enough.
    fn can_reach(&self, a: &Member, b: &Member) -> bool {
        let before = a.position.min(b.position);
        let after = (a.size - a.position).min(b.size - b.position);
        before + after >= self.bounds.least_common(a.size, b.size, self.floor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::measure;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn every_pair_that_reaches_the_threshold_is_a_candidate(
            sets in prop::collection::vec(prop::collection::btree_set(0u32..25, 1..14), 2..12),
            floor in 0.1f64..=1.0,
        ) {
            for name in ["jaccard", "cosine"] {
                let measure = measure(name).unwrap();
                let sizes: Vec<u32> = sets.iter().map(|set| set.len() as u32).collect();
                let rule = PrefixRule { bounds: measure.bounds().unwrap(), floor, sizes: &sizes };
                let mut postings = Vec::new();
                for (unit, set) in sets.iter().enumerate() {
                    for (position, &feature) in set.iter().take(rule.prefix(set.len())).enumerate() {
                        postings.push(PrefixPosting::new(feature, UnitId::from(unit as u32), position));
                    }
                }
                let mut found = BTreeSet::new();
                rule.candidates(&mut postings, &mut |pair| { found.insert((pair.lo().get(), pair.hi().get())); });
                for (j, b) in sets.iter().enumerate() {
                    for (i, a) in sets[..j].iter().enumerate() {
                        let common = a.intersection(b).count();
                        let reaches = measure.of_sets().unwrap().similarity(common, a.len(), b.len()) >= floor;
                        prop_assert!(!reaches || found.contains(&(i as u32, j as u32)), "{} {} {}", name, i, j);
                    }
                }
            }
        }
    }
}
