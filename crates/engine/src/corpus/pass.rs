//! The blocks of a corpus: read in order, and read again by the marks that are remembered of them.

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::record::{Record, Rejection, Value, Wanted};
use lookalike_text::hash::{hash64, mix64};
use lookalike_text::{RecordId, Seed, UnitId};

use super::Corpus;
use crate::Error;
use crate::number::Number;
use crate::source::{Block, BlockPlace, ReadBlocks};

/// So many records, and so many units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) records: u32,
    pub(crate) units: u32,
}

/// A block and the numbers of its first record and unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct BlockMark {
    offset: u64,
    line: u64,
    /// Of what it held, or what was decoded of it.
    fingerprint: u64,
    source: u32,
    part: u32,
    /// The number of the first record in the block.
    pub(crate) first: RecordId,
    /// How many records it has, rejected ones included.
    pub(crate) records: u32,
    /// The number of the first unit in the block.
    pub(crate) first_unit: UnitId,
    /// How many units its records are split into.
    pub(crate) units: u32,
}

impl BlockMark {
    /// A block of so many records and units, before which there were so many.
    pub(crate) fn new(
        part: usize,
        (place, fingerprint): (BlockPlace, u64),
        before: Tally,
        count: Tally,
    ) -> Self {
        BlockMark {
            offset: place.offset,
            line: place.line,
            fingerprint,
            source: place.part,
            part: part as u32,
            first: before.records.into(),
            records: count.records,
            first_unit: before.units.into(),
            units: count.units,
        }
    }

    pub(crate) fn place(self) -> BlockPlace {
        BlockPlace {
            part: self.source,
            offset: self.offset,
            line: self.line,
        }
    }

    /// Whether the block had these records.
    pub(super) fn is_of(self, records: DecodedHash) -> bool {
        self.fingerprint == records.finish()
    }

    pub(crate) fn part(self) -> usize {
        self.part as usize
    }
}

/// The hash of all records of a block, in order. It stands for the block where that holds nothing before it is decoded.
#[derive(Default)]
pub(crate) struct DecodedHash(u64);

impl DecodedHash {
    /// Adds a record, or why there is none.
    pub(crate) fn add(&mut self, record: &Result<Record<'_>, Rejection>) {
        match record {
            Ok(record) => record.values.iter().for_each(|value| match value {
                Value::Missing => self.add_part(0, ""),
                Value::Null => self.add_part(1, ""),
                Value::Text(text) => self.add_part(2, text),
                Value::Number(number) => self.add_part(3, number),
                Value::Bool(value) => self.add_part(4 + u64::from(*value), ""),
                Value::Other(kind) => self.add_part(6, kind),
            }),
            Err(rejection) => self.add_part(7, &rejection.reason),
        }
    }

    fn add_part(&mut self, kind: u64, content: &str) {
        self.0 = hash64(content.as_bytes(), Seed(mix64(self.0.wrapping_add(kind))));
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}

/// One pass over all blocks of a corpus.
pub(crate) struct Pass<'c> {
    corpus: &'c Corpus<'c>,
    wanted: &'c Wanted,
    part: usize,
    reader: Option<Box<dyn ReadBlocks + 'c>>,
    bytes_before: u64,
    /// The part and the first record of the block that [`Pass::read_again`] would find without a seek.
    next: (usize, RecordId),
}

impl<'c> Pass<'c> {
    pub(super) fn new(corpus: &'c Corpus<'c>, wanted: &'c Wanted) -> Self {
        Pass {
            corpus,
            wanted,
            part: 0,
            reader: None,
            bytes_before: 0,
            next: (0, RecordId::from(0)),
        }
    }

    /// The next block and the part it is from.
    pub(crate) fn next_block(&mut self, block: &mut Block) -> Result<Option<usize>, Error> {
        while self.part < self.corpus.parts.len() {
            if self.reader().next_block(block)? {
                return Ok(Some(self.part));
            }
            self.bytes_before += self.corpus.parts[self.part].bytes();
            self.reader = None;
            self.part += 1;
        }
        Ok(None)
    }

    /// Passes over what is left of the input itself.
    pub(crate) fn skip_input(&mut self) {
        if self.part == 0 && !self.corpus.parts.is_empty() {
            self.bytes_before = self.corpus.parts[0].bytes();
            self.reader = None;
            self.part = 1;
        }
    }

    /// Reads a block seen in an earlier pass again. Blocks in input order cost no seek.
    pub(crate) fn read_again(&mut self, mark: &BlockMark, block: &mut Block) -> Result<(), Error> {
        let is_it = |part, block: &Block| part == Some(mark.part()) && block.place == mark.place();
        let follows = self.next == (mark.part(), mark.first);
        if !(follows && is_it(self.next_block(block)?, block)) {
            self.seek(mark)?;
            if !is_it(self.next_block(block)?, block) {
                return Err(self.corpus.changed(mark));
            }
        }
        let print = block.fingerprint();
        if print.is_some_and(|print| print != mark.fingerprint) {
            return Err(self.corpus.changed(mark));
        }
        self.next = (mark.part(), mark.first.plus(mark.records));
        Ok(())
    }

    fn seek(&mut self, mark: &BlockMark) -> Result<(), Error> {
        if mark.part() != self.part {
            self.part = mark.part();
            self.bytes_before = self.corpus.parts[..self.part]
                .iter()
                .map(|part| part.bytes())
                .sum();
            self.reader = None;
        }
        Ok(self.reader().seek(mark.place())?)
    }

    /// How far the pass has come, in bytes on disk.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.bytes_before + self.reader.as_ref().map_or(0, |reader| reader.bytes_read())
    }

    fn reader(&mut self) -> &mut (dyn ReadBlocks + 'c) {
        let (corpus, wanted, part) = (self.corpus, self.wanted, self.part);
        let reader = self
            .reader
            .get_or_insert_with(|| corpus.parts[part].pass(wanted));
        &mut **reader
    }
}
