//! The numbers of records and of units, neither of which is ever taken for the other.

use std::fmt;

use lookalike_text::{RecordId, UnitId};

/// What numbers the records, or the units, of a corpus in input order.
pub(crate) trait Number: Copy + fmt::Debug + fmt::Display + From<u32> + Send + Sync {
    /// The number itself.
    fn get(self) -> u32;

    /// The one so many further on.
    fn plus(self, more: u32) -> Self {
        Self::from(self.get() + more)
    }
}

impl Number for RecordId {
    #[inline]
    fn get(self) -> u32 {
        self.get()
    }
}

impl Number for UnitId {
    #[inline]
    fn get(self) -> u32 {
        self.get()
    }
}
