//! How often the most common features occur, beyond what a byte can count.
//!
//! The order of features, rarest first, matters most where they are common: a feature of ten thousand units costs a
//! hundred times as much as one of a thousand.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// As high as a byte counts.
const MOST: u8 = u8::MAX;
/// More are not told apart, so that memory does not grow with the corpus.
const MOST_ENTRIES: usize = 1 << 19;

/// Features are hashes already; the bits are spread once more, since a table looks at the uppermost.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, feature: u32) {
        self.write_u64(feature.into());
    }

    fn write_u64(&mut self, feature: u64) {
        self.0 = (self.0 ^ feature).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// How often the most common features occur, beyond what a byte can count. Looked up, never iterated for an output.
#[derive(Default)]
pub(super) struct Common {
    counts: HashMap<u32, u32, BuildHasherDefault<Spread>>,
}

impl Common {
    /// Another feature that a byte can no longer count. Of features that share a slot this counts but those since it was full,
    /// which is as good: any order of features will do.
    #[inline]
    pub(super) fn add(&mut self, feature: u32) {
        // One more than is allowed says that there are too many.
        if self.counts.len() <= MOST_ENTRIES {
            *self.counts.entry(feature).or_default() += 1;
        }
    }

    /// What was counted in parts, each feature in one.
    pub(super) fn of_parts(parts: Vec<Common>) -> Self {
        let entries: usize = parts.iter().map(|part| part.counts.len()).sum();
        if entries > MOST_ENTRIES {
            // The table of bytes is much too small for the corpus.
            return Common::default();
        }
        let mut all = parts.into_iter();
        let mut common = all.next().unwrap_or_default();
        all.for_each(|part| common.counts.extend(part.counts));
        common
    }

    /// How often a feature occurs, given what a byte says.
    pub(super) fn of(&self, feature: u32, byte: u8) -> u32 {
        if byte < MOST {
            return byte.into();
        }
        let beyond = self.counts.get(&feature).copied().unwrap_or_default();
        u32::from(byte) + beyond
    }
}
