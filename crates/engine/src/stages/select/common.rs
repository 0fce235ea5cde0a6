//! How often the most common features occur, beyond what a byte can count.
//!
//! The order of features, rarest first, matters most where they are common: a feature of ten thousand units costs a
//! hundred times as much as one of a thousand.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use lookalike_kernel::decide::FeatureSample;
use lookalike_pair::workers::in_parallel;
use lookalike_sign::keys::Frequencies;

use crate::Error;
use crate::stages::Units;
use crate::stages::tape::Tape;

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

/// How often the most common features occur, beyond what a byte can count. Looked up; iterated for
/// sums only.
#[derive(Default)]
pub(super) struct Common {
    counts: HashMap<u32, u32, BuildHasherDefault<Spread>>,
}

impl Common {
    /// Counts the sampled features that a byte is too small for, and those that share a slot with one.
    pub(super) fn count(
        (tape, threads): (&Tape<'_, u32>, usize),
        units: Units<'_>,
        (frequencies, sample): (&Frequencies, FeatureSample),
    ) -> Result<Self, Error> {
        let parts = in_parallel(&tape.chunks, threads, |chunks| {
            let mut part = Common::default();
            let mut chosen = Vec::new();
            for chunk in chunks {
                tape.for_each_standing(chunk, units, &mut |_, features| {
                    for &feature in sample.choose(features, &mut chosen) {
                        if part.counts.len() <= MOST_ENTRIES && frequencies.of(feature) == MOST {
                            *part.counts.entry(feature).or_default() += 1;
                        }
                    }
                })?;
            }
            Ok::<_, Error>(part)
        });
        let mut common = Common::default();
        for part in parts {
            let part = part?;
            if part.counts.len() > MOST_ENTRIES {
                // The table of bytes is much too small for the corpus. Any order will do.
                return Ok(Common::default());
            }
            // In any order: sums are the same.
            for (feature, count) in part.counts {
                *common.counts.entry(feature).or_default() += count;
            }
        }
        Ok(common)
    }

    /// How often a feature occurs, given what a byte says.
    pub(super) fn of(&self, feature: u32, byte: u8) -> u32 {
        if byte < MOST {
            return byte.into();
        }
        self.counts
            .get(&feature)
            .map_or(byte.into(), |&count| count.max(byte.into()))
    }
}
