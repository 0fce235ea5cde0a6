//! Units: the texts that are compared, each with its place in the record it comes from.
//!
//! ```
//! use lookalike_text::{UnitPlace, Unit, UnitId};
//!
//! let unit = Unit::whole(UnitId::from_index(0)?, "Ein ganzer Text.");
//! assert_eq!(unit.place, UnitPlace::default());
//! assert!(UnitId::from_index(usize::MAX).is_err());
//! # Ok::<(), lookalike_text::TooMany>(())
//! ```

use std::fmt;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

/// There are more records or units than 32 bits can number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what} number {index} is over the limit of {limit}; split the input into several runs")]
#[non_exhaustive]
pub struct TooMany {
    what: &'static str,
    index: usize,
    limit: u32,
}

macro_rules! dense_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The largest id.
            pub const MAX: Self = Self(u32::MAX - 1);

            /// No id, for tables that need a "none".
            pub const NONE: Self = Self(u32::MAX);

            /// The id of the unit or record at `index`, counted from 0 in input order.
            ///
            /// # Errors
            /// Above [`Self::MAX`].
            pub const fn from_index(index: usize) -> Result<Self, TooMany> {
                if index > Self::MAX.0 as usize {
                    return Err(TooMany { what: $what, index, limit: Self::MAX.0 });
                }
                Ok(Self(index as u32))
            }

            /// The place in input order, for indexing.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The number itself, for storing.
            #[inline]
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }
        }

        /// An id stored before.
        impl From<u32> for $name {
            fn from(number: u32) -> Self {
                Self(number)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

dense_id!(
    /// A record: dense, in input order.
    RecordId,
    "record"
);
dense_id!(
    /// A unit: dense, in input order.
    UnitId,
    "unit"
);

/// Where in its record a unit's text begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct UnitPlace {
    /// The field, counted from 0 in the order the job names them.
    pub field: u16,
    /// The byte of that field's text at which the unit begins.
    pub begin: u32,
    /// Which of the parts of its record it is, counted from 0: the number of a sentence.
    pub number: u32,
}

/// A text with its place in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit<'a> {
    /// Which unit this is.
    pub id: UnitId,
    /// Where it begins.
    pub place: UnitPlace,
    /// What it says, as read.
    pub text: &'a str,
    /// Where in the text its fields are; none if it is not made of fields.
    pub fields: &'a [Range<usize>],
}

impl<'a> Unit<'a> {
    /// A unit that is its whole record.
    #[must_use]
    pub fn whole(id: UnitId, text: &'a str) -> Self {
        Self {
            id,
            place: UnitPlace::default(),
            text,
            fields: &[],
        }
    }

    /// One of the fields as a unit of its own; the whole unit where none is named, and nothing where there is no such
    /// field.
    #[must_use]
    pub fn field(&self, field: Option<u16>) -> Self {
        let Some(number) = field else {
            return *self;
        };
        let range = self.fields.get(usize::from(number)).cloned();
        let text = range.and_then(|range| self.text.get(range));
        Self {
            id: self.id,
            place: UnitPlace {
                field: number,
                ..UnitPlace::default()
            },
            text: text.unwrap_or_default(),
            fields: &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_a_unit_of_its_own() {
        let fields = [0..5, 6..6, 7..13];
        let unit = Unit {
            fields: &fields,
            ..Unit::whole(UnitId::from(3), "title\n\n答案")
        };
        let texts = [Some(0), Some(1), Some(2), Some(3), None].map(|field| unit.field(field).text);
        assert_eq!(texts, ["title", "", "答案", "", unit.text]);
        assert_eq!(unit.field(Some(2)).place.field, 2);
    }

    #[test]
    fn an_id_over_the_limit_is_refused_with_the_remedy() {
        let limit = UnitId::MAX.index();
        assert_eq!(UnitId::from_index(limit).unwrap(), UnitId::MAX);
        let message = UnitId::from_index(limit + 1).unwrap_err().to_string();
        assert_eq!(
            message,
            "unit number 4294967295 is over the limit of 4294967294; split the input into several runs"
        );
        assert!(RecordId::from_index(u32::MAX as usize).is_err());
    }
}
