//! Dumps that were converted to be read: while the blocks come, it is noted which records stay; then the dump is copied
//! without the others.

use super::encoder::Encoder;
use super::{Clean, Cleaning, Keep};
use crate::block::Block;
use crate::error::Error;
use crate::input::{InputOptions, Source};

/// Copies a dump without what does not stay.
pub(super) type Copy = fn(&Source, &InputOptions, &Kept, &mut Encoder) -> Result<(), Error>;

/// Begins the copy of a dump.
pub(super) fn start<'a>(cleaning: &Cleaning<'a>, copy: Copy) -> Result<Box<dyn Clean + 'a>, Error> {
    Ok(Box::new(Dump {
        source: cleaning.source,
        options: cleaning.options,
        out: Encoder::create(&cleaning.path())?,
        kept: Kept::default(),
        copy,
    }))
}

struct Dump<'a> {
    source: &'a Source,
    options: &'a InputOptions,
    out: Encoder,
    kept: Kept,
    copy: Copy,
}

impl Clean for Dump<'_> {
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error> {
        // The records are a line each of what the dump was converted to.
        let first = block.place.line as usize - 1;
        for slot in block.raw().filter_map(|(slot, _)| slot) {
            if keep(slot) {
                self.kept.insert(first + slot as usize);
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        (self.copy)(self.source, self.options, &self.kept, &mut self.out)?;
        self.out.finish()
    }
}

/// The slots of the dump that stay, a bit each.
#[derive(Default)]
pub(super) struct Kept(Vec<u64>);

impl Kept {
    fn insert(&mut self, slot: usize) {
        let word = slot / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (slot % 64);
    }

    pub(super) fn contains(&self, slot: u32) -> bool {
        let word = self.0.get(slot as usize / 64);
        word.is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}
