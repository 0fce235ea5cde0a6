//! A key and who has it, in 12 bytes.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use lookalike_text::{RecordId, UnitId};

use crate::spill::Item;

macro_rules! posting {
    ($(#[$doc:meta])* $name:ident, $owner:ident: $id:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
        #[repr(C)]
        pub struct $name {
            key: [u32; 2],
            $owner: u32,
        }

        impl $name {
            /// The posting of this one under a key.
            pub fn new(key: u64, $owner: $id) -> Self {
                Self {
                    key: [(key >> 32) as u32, key as u32],
                    $owner: $owner.get(),
                }
            }

            /// The key.
            pub fn key(self) -> u64 {
                u64::from(self.key[0]) << 32 | u64::from(self.key[1])
            }

            /// Who has it.
            pub fn $owner(self) -> $id {
                $id::from(self.$owner)
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                // As one number each: arrays are compared in a loop.
                (self.key(), self.$owner).cmp(&(other.key(), other.$owner))
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Item for $name {
            const MERGE_EQUAL: bool = true;

            fn place(&self) -> u32 {
                self.key[0]
            }
        }
    };
}

posting!(
    /// A key and a unit that has it.
    Posting,
    unit: UnitId
);
posting!(
    /// A key and a record that has it.
    RecordPosting,
    record: RecordId
);
