//! Pairs of units, as candidates and as verified, and pairs of records.

use bytemuck::{Pod, Zeroable};
use lookalike_text::{RecordId, UnitId};

use crate::spill::Item;

macro_rules! pair {
    ($(#[$doc:meta])* $name:ident, $id:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
        #[repr(C)]
        pub struct $name {
            lo: u32,
            hi: u32,
        }

        impl $name {
            /// The pair of two, or none if they are one.
            pub fn new(a: $id, b: $id) -> Option<Self> {
                let (lo, hi) = (a.get().min(b.get()), a.get().max(b.get()));
                (lo != hi).then_some(Self { lo, hi })
            }

            /// The earlier one.
            pub fn lo(self) -> $id {
                $id::from(self.lo)
            }

            /// The later one.
            pub fn hi(self) -> $id {
                $id::from(self.hi)
            }
        }

        impl Item for $name {
            // Several bands, or several sentences, propose the same pair.
            const MERGE_EQUAL: bool = true;

            fn place(&self) -> u32 {
                self.lo
            }
        }
    };
}

pair!(
    /// Two different units, the earlier one first.
    Pair,
    UnitId
);
pair!(
    /// Two different records, the earlier one first.
    RecordPair,
    RecordId
);

impl Pair {
    /// The pair with its similarity.
    pub fn scored(self, similarity: f64) -> Scored {
        Scored {
            lo: self.lo,
            hi: self.hi,
            similarity,
        }
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

/// The order of what has two numbers and a similarity: by the first number, which also says where it goes on disk.
macro_rules! ordered_by {
    ($type:ty, $major:ident, $minor:ident) => {
        impl Eq for $type {}

        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                // No similarity is the same as no similarity.
                self.cmp(other).is_eq()
            }
        }

        impl Ord for $type {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                (self.$major, self.$minor)
                    .cmp(&(other.$major, other.$minor))
                    .then_with(|| self.similarity.total_cmp(&other.similarity))
            }
        }

        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl crate::spill::Item for $type {
            const MERGE_EQUAL: bool = true;

            fn place(&self) -> u32 {
                self.$major
            }
        }
    };
}

pub(crate) use ordered_by;

ordered_by!(Scored, lo, hi);
