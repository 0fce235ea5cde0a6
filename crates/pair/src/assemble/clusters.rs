//! Clusters by one rule: in the order of rank, each unit not yet taken is kept and takes all later units verified
//! similar to it. No chains: every removed unit is similar to the one kept for it.
//!
//! In: verified pairs directed from smaller to larger rank, sorted. Out: for each removed unit the kept one.
//!
//! ```
//! use lookalike_pair::assemble::{Directed, Stars};
//! let mut stars = Stars::new(3);
//! let link = |first, second| Directed { first, second, similarity: 0.9 };
//! assert!(stars.take(link(0, 1)).is_some());
//! assert!(stars.take(link(1, 2)).is_none()); // 1 is taken, so it takes nothing: 2 is kept
//! ```

use bytemuck::{Pod, Zeroable};
use lookalike_text::UnitId;

use crate::pair::ordered_by;

/// A verified pair by rank: places in the order of keeping, not units.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Directed {
    /// The smaller rank.
    pub first: u32,
    /// The larger rank.
    pub second: u32,
    /// The exact similarity.
    pub similarity: f64,
}

/// A removed unit, the unit kept for it and their similarity.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Removed {
    unit: u32,
    kept: u32,
    /// The exact similarity of the two.
    pub similarity: f64,
}

impl Removed {
    /// `unit` is removed because of `kept`.
    pub fn new(unit: UnitId, kept: UnitId, similarity: f64) -> Self {
        Removed {
            unit: unit.get(),
            kept: kept.get(),
            similarity,
        }
    }

    /// The unit removed.
    pub fn unit(self) -> UnitId {
        UnitId::from(self.unit)
    }

    /// The unit kept for it.
    pub fn kept(self) -> UnitId {
        UnitId::from(self.kept)
    }
}

ordered_by!(Directed, first, second);
ordered_by!(Removed, unit, kept);

/// The rule, fed with directed pairs in ascending order. A bit a unit stays resident.
#[derive(Debug)]
pub struct Stars {
    taken: Vec<u64>,
}

impl Stars {
    /// Nothing is taken yet.
    pub fn new(units: usize) -> Self {
        Stars {
            taken: vec![0; units.div_ceil(64)],
        }
    }

    /// The next pair in ascending order. Returns it if its second unit is taken by its first.
    pub fn take(&mut self, pair: Directed) -> Option<Directed> {
        if self.is_taken(pair.first) || self.is_taken(pair.second) {
            return None;
        }
        self.taken[pair.second as usize / 64] |= 1 << (pair.second % 64);
        Some(pair)
    }

    fn is_taken(&self, unit: u32) -> bool {
        self.taken[unit as usize / 64] & (1 << (unit % 64)) != 0
    }
}

/// What is linked by pairs, also over others, fed with them in any order. Four bytes a unit stay resident.
///
/// ```
/// use lookalike_pair::assemble::Components;
/// let mut components = Components::new(4);
/// assert!(components.link(2, 1) && components.link(1, 0));
/// assert!(!components.link(0, 2)); // they are linked already
/// assert_eq!([0, 1, 2, 3].map(|rank| components.first_of(rank)), [0, 0, 0, 3]);
/// ```
#[derive(Debug)]
pub struct Components {
    /// Of each rank a smaller one of its component, or itself if it is the smallest.
    smaller: Vec<u32>,
}

impl Components {
    /// Nothing is linked yet.
    pub fn new(units: usize) -> Self {
        Components {
            smaller: (0..units as u32).collect(),
        }
    }

    /// Links two, and says whether they were not linked before.
    pub fn link(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.first_of(a), self.first_of(b));
        self.smaller[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// The smallest of the component.
    pub fn first_of(&mut self, rank: u32) -> u32 {
        let mut at = rank;
        while self.smaller[at as usize] != at {
            // Ways that are walked become shorter.
            let next = self.smaller[self.smaller[at as usize] as usize];
            self.smaller[at as usize] = next;
            at = next;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// The rule in its plainest form.
    fn naive(units: u32, similar: &BTreeSet<(u32, u32)>) -> BTreeMap<u32, u32> {
        let mut taken = BTreeMap::new();
        for unit in 0..units {
            if taken.contains_key(&unit) {
                continue;
            }
            for later in unit + 1..units {
                if similar.contains(&(unit, later)) {
                    taken.entry(later).or_insert(unit);
                }
            }
        }
        taken
    }

    proptest! {
        #[test]
        fn components_are_what_can_be_reached(
            links in prop::collection::vec((0u32..30, 0u32..30), 0..40),
        ) {
            let mut components = Components::new(30);
            for &(a, b) in &links {
                components.link(a, b);
            }
            for from in 0..30 {
                let mut reached = BTreeSet::from([from]);
                for _ in 0..30 {
                    for &(a, b) in &links {
                        if reached.contains(&a) || reached.contains(&b) {
                            reached.extend([a, b]);
                        }
                    }
                }
                prop_assert_eq!(Some(&components.first_of(from)), reached.first());
            }
        }

        #[test]
        fn the_stars_are_those_of_the_rule(
            pairs in prop::collection::btree_set((0u32..40, 0u32..40), 0..200),
        ) {
            let similar: BTreeSet<_> = pairs.into_iter().filter(|(a, b)| a < b).collect();
            let mut stars = Stars::new(40);
            let mut found = BTreeMap::new();
            for &(first, second) in &similar {
                if let Some(pair) = stars.take(Directed { first, second, similarity: 1.0 }) {
                    found.insert(pair.second, pair.first);
                }
            }
            prop_assert_eq!(found, naive(40, &similar));
        }
    }
}
