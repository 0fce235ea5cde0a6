//! The join by unit: a partition holds some units with all their features, and blocks of units are compared with each
//! other, every pair.
//!
//! Units come in the order of their sizes, so that the length bound ends a row as soon as it fails; within a pair the
//! measure stops as soon as the threshold cannot be reached any more. Exact for every measure, and quadratic.

use lookalike_text::UnitId;

use crate::verify::{Bounds, Kept, Score};
use crate::{Pair, Scored};

/// Some units with what the measure keeps of them.
#[derive(Debug, Default, Clone)]
pub struct UnitBlock {
    /// Each unit with the place of its words.
    units: Vec<(UnitId, std::ops::Range<usize>)>,
    words: Vec<u64>,
}

impl UnitBlock {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.units.clear();
        self.words.clear();
    }

    /// Adds a unit. One without content is similar to nothing and left out.
    pub fn push(&mut self, unit: UnitId, kept: &Kept) {
        if !kept.is_empty() {
            let begin = self.words.len();
            self.words.extend_from_slice(kept);
            self.units.push((unit, begin..self.words.len()));
        }
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The size of everything in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice()) + size_of_val(self.units.as_slice())
    }

    /// Puts the units in the order of their sizes; to be called once they are all in.
    pub fn sort(&mut self) {
        self.units
            .sort_unstable_by_key(|(unit, place)| (place.len(), *unit));
    }

    fn kept(&self, place: &std::ops::Range<usize>) -> &Kept {
        &self.words[place.clone()]
    }
}

/// How blocks are compared; one per thread.
pub struct UnitRule<'r> {
    /// Scores by the measure.
    pub scorer: Box<dyn Score>,
    /// What the measure knows of sizes, if anything.
    pub bounds: Option<&'r dyn Bounds>,
    /// The threshold.
    pub floor: f64,
    /// Whether a pair is wanted at all.
    pub admits: &'r (dyn Fn(Pair) -> bool + Sync),
}

impl UnitRule<'_> {
    /// Emits the pairs of a unit of one block with a unit of another that reach the threshold. Returns how many were
    /// compared.
    pub fn across(&mut self, a: &UnitBlock, b: &UnitBlock, emit: &mut impl FnMut(Scored)) -> u64 {
        let mut compared = 0;
        let mut from = 0;
        for (unit, place) in &a.units {
            // Smaller sets come first on both sides: what is too small now stays too small.
            while from < b.units.len() && self.too_small(b.units[from].1.len(), place.len()) {
                from += 1;
            }
            let row = &b.units[from..];
            compared += self.row((*unit, a.kept(place)), row, b, emit);
        }
        compared
    }

    /// Emits the pairs within one block that reach the threshold. Returns how many were compared.
    pub fn within(&mut self, block: &UnitBlock, emit: &mut impl FnMut(Scored)) -> u64 {
        let mut compared = 0;
        for (number, (unit, place)) in block.units.iter().enumerate() {
            let row = &block.units[number + 1..];
            compared += self.row((*unit, block.kept(place)), row, block, emit);
        }
        compared
    }

    fn row(
        &mut self,
        (unit, kept): (UnitId, &Kept),
        others: &[(UnitId, std::ops::Range<usize>)],
        block: &UnitBlock,
        emit: &mut impl FnMut(Scored),
    ) -> u64 {
        let mut compared = 0;
        for (other, place) in others {
            if place.len() > kept.len() && self.too_small(kept.len(), place.len()) {
                break;
            }
            let Some(pair) = Pair::new(unit, *other).filter(|&pair| (self.admits)(pair)) else {
                continue;
            };
            compared += 1;
            if let Some(similarity) = self.scorer.score(kept, block.kept(place), self.floor) {
                emit(pair.scored(similarity));
            }
        }
        compared
    }

    /// Whether a set cannot be similar to one that is so much larger. Only measures with bounds know.
    fn too_small(&self, size: usize, larger: usize) -> bool {
        size < larger
            && self
                .bounds
                .is_some_and(|bounds| !bounds.admits(size, larger, self.floor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::measure;
    use lookalike_sign::features::Background;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn the_pairs_are_those_of_brute_force_however_units_are_cut_into_blocks(
            sets in prop::collection::vec(prop::collection::btree_set(0u64..25, 0..14), 2..14),
            floor in 0.1f64..=1.0,
            block_size in 1usize..6,
        ) {
            for name in ["jaccard", "cosine", "containment"] {
                let measure = measure(name).unwrap();
                let scorer = || measure.scorer(&Background::default()).unwrap();
                let mut rule = UnitRule { scorer: scorer(), bounds: measure.bounds(), floor, admits: &|_| true };
                let sets: Vec<Vec<u64>> = sets.iter().map(|set| set.iter().copied().collect()).collect();
                let mut blocks: Vec<UnitBlock> = Vec::new();
                for (number, set) in sets.iter().enumerate() {
                    if number % block_size == 0 {
                        blocks.push(UnitBlock::default());
                    }
                    blocks.last_mut().unwrap().push(UnitId::from(number as u32), set);
                }
                blocks.iter_mut().for_each(UnitBlock::sort);
                let mut found = BTreeMap::new();
                let mut emit = |scored: Scored| {
                    let before = found.insert((scored.lo().get(), scored.hi().get()), scored.similarity);
                    assert_eq!(before, None);
                };
                for (i, a) in blocks.iter().enumerate() {
                    rule.within(a, &mut emit);
                    for b in &blocks[i + 1..] {
                        rule.across(a, b, &mut emit);
                    }
                }
                let (mut expected, mut scorer) = (BTreeMap::new(), scorer());
                for (j, b) in sets.iter().enumerate() {
                    for (i, a) in sets[..j].iter().enumerate() {
                        if let Some(similarity) = scorer.score(a, b, floor) {
                            expected.insert((i as u32, j as u32), similarity);
                        }
                    }
                }
                prop_assert_eq!(&found, &expected, "{}", name);
            }
        }
    }
}
