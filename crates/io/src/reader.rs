//! One pass over an input: its sources one after the other, in blocks.

use std::sync::Arc;

use crate::block::{Block, BlockPlace};
use crate::error::Error;
use crate::input::{Input, Source};
use crate::read::{Cut, Opening};
use lookalike_kernel::record::Wanted;

/// Cuts an input into blocks, in order.
pub struct Reader<'i> {
    input: &'i Input,
    wanted: Arc<Wanted>,
    /// The source being read, or the next to open.
    source: u32,
    cutter: Option<Box<dyn Cut>>,
    /// Bytes on disk of all sources before this one.
    bytes_before: u64,
}

impl<'i> Reader<'i> {
    /// A pass from the beginning. Nothing is opened yet.
    pub fn new(input: &'i Input, wanted: &Wanted) -> Self {
        Self {
            input,
            wanted: Arc::new(wanted.clone()),
            source: 0,
            cutter: None,
            bytes_before: 0,
        }
    }

    /// A pass from the beginning of a source.
    pub(crate) fn of_source(input: &'i Input, wanted: &Wanted, source: u32) -> Self {
        Self {
            source,
            ..Self::new(input, wanted)
        }
    }

    /// Fills `block` with the next records; false at the end of the input. A block can be without slots, or hold
    /// nothing but rejections.
    pub fn next_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        while let Some(cutter) = self.cutter()? {
            if cutter.next_block(block)? {
                return Ok(true);
            }
            self.leave_source();
        }
        Ok(false)
    }

    /// Goes to where a block starts, in either direction. In a compressed source, going ahead means decompressing what
    /// lies between, and going back means starting over.
    pub fn seek(&mut self, place: BlockPlace) -> Result<(), Error> {
        if place.part as usize >= self.input.sources.len() {
            return Err(Error::Internal(format!(
                "no source {} to seek in",
                place.part
            )));
        }
        if place.part != self.source {
            self.cutter = None;
            self.source = place.part;
            self.bytes_before = self.input.sources[..place.part as usize]
                .iter()
                .map(Source::bytes)
                .sum();
        }
        match self.cutter()? {
            Some(cutter) => cutter.seek(place),
            None => Ok(()),
        }
    }

    /// How much of [`Input::bytes`] has been passed.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_before + self.cutter.as_ref().map_or(0, |cutter| cutter.bytes_read())
    }

    fn cutter(&mut self) -> Result<Option<&mut Box<dyn Cut>>, Error> {
        if self.cutter.is_none() {
            let Some(source) = self.input.sources.get(self.source as usize) else {
                return Ok(None);
            };
            let opening = Opening {
                source,
                number: self.source,
                options: &self.input.options,
                wanted: &self.wanted,
            };
            self.cutter = Some((source.format.entry().open)(&opening)?);
        }
        Ok(self.cutter.as_mut())
    }

    fn leave_source(&mut self) {
        if let Some(source) = self.input.sources.get(self.source as usize) {
            self.bytes_before += source.bytes();
        }
        self.cutter = None;
        self.source += 1;
    }
}
