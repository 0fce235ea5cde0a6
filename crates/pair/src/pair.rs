//! Pairs of units, as candidates and as verified.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use lookalike_text::UnitId;

use crate::spill::Item;

/// Two different units, the earlier one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Pair {
    lo: u32,
    hi: u32,
}

impl Pair {
    /// The pair of two units, or none if they are one.
    pub fn new(a: UnitId, b: UnitId) -> Option<Pair> {
        let (lo, hi) = (a.get().min(b.get()), a.get().max(b.get()));
        (lo != hi).then_some(Pair { lo, hi })
    }

    /// The earlier unit.
    pub fn lo(self) -> UnitId {
        UnitId::from(self.lo)
    }

    /// The later unit.
    pub fn hi(self) -> UnitId {
        UnitId::from(self.hi)
    }

    /// The pair with its similarity.
    pub fn scored(self, similarity: f64) -> Scored {
        Scored {
            lo: self.lo,
            hi: self.hi,
            similarity,
        }
    }
}

impl Item for Pair {
    // Several bands propose the same pair.
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.lo
    }
}

/// A pair with its verified similarity.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Scored {
    lo: u32,
    hi: u32,
    /// The exact similarity; [`UNVERIFIED`](crate::verify::UNVERIFIED) where there is none.
    pub similarity: f64,
}

impl Scored {
    /// The pair itself.
    pub fn pair(self) -> Pair {
        Pair {
            lo: self.lo,
            hi: self.hi,
        }
    }

    /// The earlier unit.
    pub fn lo(self) -> UnitId {
        UnitId::from(self.lo)
    }

    /// The later unit.
    pub fn hi(self) -> UnitId {
        UnitId::from(self.hi)
    }
}

impl Eq for Scored {}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        // No similarity is the same as no similarity.
        self.cmp(other) == Ordering::Equal
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.lo, self.hi)
            .cmp(&(other.lo, other.hi))
            .then_with(|| self.similarity.total_cmp(&other.similarity))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Item for Scored {
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.lo
    }
}
