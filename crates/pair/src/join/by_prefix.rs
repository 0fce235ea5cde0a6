//! The exact join over prefixes: units that share one of their rarest features are compared, if sizes and positions
//! allow it.
//!
//! In: for each unit its prefix, a posting a feature with the position in the one order of features. Out: candidate
//! pairs, among them all that reach the threshold. Nothing is limited, so nothing is missed.

use std::ops::ControlFlow;

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
    /// From which similarity on pairs are wanted.
    pub floors: Floors<'r>,
    /// How many features each unit has.
    pub sizes: &'r [u32],
}

/// From which similarity on the pairs of a unit are wanted: the same for all units, or by the class of a unit. Of two
/// floors the lower one counts. A floor above 1 is out of reach: no pair of such units is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Floors<'r> {
    /// One a class.
    of_class: &'r [f64],
    /// The class of each unit; empty if there is but one.
    classes: &'r [u8],
    lowest: f64,
}

impl<'r> Floors<'r> {
    /// The floors of the classes, and the class of each unit (none where there is one class only).
    pub fn new(of_class: &'r [f64], classes: &'r [u8]) -> Self {
        Floors {
            of_class,
            classes,
            lowest: of_class.iter().copied().fold(f64::INFINITY, f64::min),
        }
    }

    /// The lowest of all.
    pub fn lowest(&self) -> f64 {
        self.lowest
    }

    /// The highest that is in reach.
    pub fn highest(&self) -> f64 {
        let in_reach = self.of_class.iter().copied().filter(|floor| *floor <= 1.0);
        in_reach.fold(0.0, f64::max)
    }

    /// The floor of a unit.
    pub fn of(&self, unit: u32) -> f64 {
        if self.classes.is_empty() {
            return self.lowest;
        }
        self.of_class[usize::from(self.classes[unit as usize])]
    }
}

/// A member of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    size: usize,
    unit: u32,
    position: usize,
}

impl Member {
    /// Whether a prefix of its pairs at this floor holds the feature.
    fn holds(&self, least: usize) -> bool {
        self.position + least <= self.size
    }
}

impl PrefixRule<'_> {
    /// How long the prefix of a unit of this size has to be.
    pub fn prefix(&self, unit: UnitId, size: usize) -> usize {
        self.prefix_at(self.floors.of(unit.get()), size)
    }

    /// How long it has to be for a floor.
    pub fn prefix_at(&self, floor: f64, size: usize) -> usize {
        if floor > 1.0 {
            return 0;
        }
        (size + 1).saturating_sub(self.bounds.least_with_any(size, floor))
    }

    /// Emits the candidate pairs of a partition's postings (in any order; sorted here), until told to stop: a partition may have
    /// very many.
    pub fn candidates(
        &self,
        postings: &mut [PrefixPosting],
        emit: &mut impl FnMut(Pair) -> ControlFlow<()>,
    ) {
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
            if self.compare(&members, emit).is_break() {
                return;
            }
        }
    }

    /// Emits the pairs of one bucket, whose members are in the order of their sizes.
    fn compare(
        &self,
        members: &[Member],
        emit: &mut impl FnMut(Pair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let lowest = self.floors.lowest;
        for (place, smaller) in members.iter().enumerate() {
            // With partners that are at least as large a shorter prefix is enough.
            if !smaller.holds(self.bounds.least_with_larger(smaller.size, lowest)) {
                continue;
            }
            for larger in &members[place + 1..] {
                if !self.bounds.admits(smaller.size, larger.size, lowest) {
                    break;
                }
                if self.can_reach(smaller, larger)
                    && let Some(pair) =
                        Pair::new(UnitId::from(smaller.unit), UnitId::from(larger.unit))
                {
                    emit(pair)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether what stands before, at and after a common feature can be enough.
    fn can_reach(&self, a: &Member, b: &Member) -> bool {
        let floor = self.floors.of(a.unit).min(self.floors.of(b.unit));
        let before = a.position.min(b.position);
        let after = (a.size - a.position).min(b.size - b.position);
        before + after >= self.bounds.least_common(a.size, b.size, floor)
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
            floors in prop::collection::vec(prop_oneof![0.1f64..=1.0, Just(f64::INFINITY)], 3),
            several in any::<bool>(),
        ) {
            for name in ["jaccard", "cosine", "containment"] {
                let measure = measure(name).unwrap();
                let sizes: Vec<u32> = sets.iter().map(|set| set.len() as u32).collect();
                let classes: Vec<u8> = (0..sets.len() as u8).map(|unit| unit % 3).collect();
                let floors = if several { Floors::new(&floors, &classes) } else { Floors::new(&floors[..1], &[]) };
                let rule = PrefixRule { bounds: measure.bounds().unwrap(), floors, sizes: &sizes };
                let mut postings = Vec::new();
                for (unit, set) in sets.iter().enumerate() {
                    let unit = UnitId::from(unit as u32);
                    for (position, &feature) in set.iter().take(rule.prefix(unit, set.len())).enumerate() {
                        postings.push(PrefixPosting::new(feature, unit, position));
                    }
                }
                let mut found = BTreeSet::new();
                rule.candidates(&mut postings, &mut |pair| {
                    found.insert((pair.lo().get(), pair.hi().get()));
                    ControlFlow::Continue(())
                });
                for (j, b) in sets.iter().enumerate() {
                    for (i, a) in sets[..j].iter().enumerate() {
                        let common = a.intersection(b).count();
                        // A pair is sure to be found where both units look for it.
                        let floor = floors.of(i as u32).max(floors.of(j as u32));
                        let reaches = measure.of_sets().unwrap().similarity(common, a.len(), b.len()) >= floor;
                        prop_assert!(!reaches || found.contains(&(i as u32, j as u32)), "{} {} {}", name, i, j);
                    }
                }
            }
        }
    }
}
