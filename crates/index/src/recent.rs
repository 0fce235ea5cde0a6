//! What the measure keeps of stored texts that were compared lately: many texts meet the same candidates.

use crate::Error;

/// What is kept of texts compared lately, each at a place that follows from where it is stored.
pub(crate) struct Recent {
    slots: Vec<Slot>,
}

#[derive(Clone, Default)]
struct Slot {
    /// The number of a segment, from 1, and a document of it: a segment never changes.
    of: Option<(u32, u32)>,
    kept: Vec<u64>,
}

impl Recent {
    const SLOTS: usize = 1 << 14;
    /// More is not held on to: a text that is so long is not met often.
    const MOST: usize = 256;

    pub(crate) fn new() -> Self {
        Recent { slots: Vec::new() }
    }

    /// What is kept of a document, which `keep` appends where it is not known.
    #[inline]
    pub(crate) fn get(
        &mut self,
        (segment, document): (u32, u32),
        keep: impl FnOnce(&mut Vec<u64>) -> Result<(), Error>,
    ) -> Result<&[u64], Error> {
        if self.slots.is_empty() {
            self.slots.resize(Self::SLOTS, Slot::default());
        }
        let place = document.wrapping_add(segment.wrapping_mul(0x9E37_79B1));
        let slot = &mut self.slots[place as usize % Self::SLOTS];
        if slot.of != Some((segment, document)) {
            slot.of = None;
            slot.kept.clear();
            slot.kept.shrink_to(Self::MOST);
            keep(&mut slot.kept)?;
            slot.of = Some((segment, document));
        }
        Ok(&slot.kept)
    }
}
