//! A term of a field, and a term by which a text is found.

use bytemuck::{Pod, Zeroable};

/// A term in one field with a number: how often it occurs, and later what it weighs there. Sorted by term, then field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct FieldTerm(u64);

impl FieldTerm {
    /// The largest number.
    pub const MOST: u32 = (1 << 24) - 1;

    /// With a number of at most [`FieldTerm::MOST`].
    pub fn new(term: u32, field: u8, number: u32) -> Self {
        let number = number.min(Self::MOST);
        FieldTerm(u64::from(term) << 32 | u64::from(field) << 24 | u64::from(number))
    }

    /// As it is stored.
    pub fn get(self) -> u64 {
        self.0
    }

    /// The term: 32 bits of its hash.
    #[inline]
    pub fn term(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The field.
    #[inline]
    pub fn field(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The number.
    #[inline]
    pub fn number(self) -> u32 {
        self.0 as u32 & Self::MOST
    }

    /// Counts the terms of a field: `terms` is sorted by this.
    pub fn count(terms: &mut [u64], field: u8, out: &mut Vec<u64>) {
        terms.sort_unstable();
        for same in terms.chunk_by(|a, b| a >> 32 == b >> 32) {
            let count = same.len().try_into().unwrap_or(u32::MAX);
            out.push(FieldTerm::new((same[0] >> 32) as u32, field, count).0);
        }
    }
}

/// One of the heaviest terms of a text, with its share of the text's vector in units of 2⁻¹⁶.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Lead {
    /// The term.
    pub term: u32,
    /// Its weight over the length of the vector.
    pub weight: u32,
}
