//! Where records come from.
//!
//! A [`Source`] gives its records as often as they are read, in *blocks* that are always the same ones in the same order.
//! Getting the next block is sequential and should be cheap: threads take turns at it. *Decoding* a block looks at nothing
//! but the block and runs on any thread. A record is found again by the [`BlockPlace`] of its block and its *slot* in it:
//! the slots of a block are its records in order, counted from 0, good and bad ones alike.
//!
//! What a source keeps in a block is its own affair ([`BlockContent`]); the engine hands the same blocks back to be filled
//! again, so that buffers are reused.

mod memory;

use std::any::Any;
use std::fmt;

use lookalike_kernel::record::{Record, Rejection, Wanted};

pub use memory::MemorySource;

/// Why a source or a sink cannot go on.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Asked for every slot: is its record wanted?
pub type Want<'a> = &'a mut dyn FnMut(u32) -> bool;

/// Told the record of every wanted slot.
pub type Each<'a> = &'a mut dyn FnMut(u32, Result<Record<'_>, Rejection>);

/// The fields of records that carry answers, of which one is read at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerFields {
    /// How many there are.
    pub count: &'static str,
    /// The one that is read.
    pub chosen: &'static str,
}

/// Where records come from.
pub trait Source: fmt::Debug + Send + Sync {
    /// A pass over all blocks from the beginning, of which these fields are wanted.
    fn pass<'s>(&'s self, wanted: &Wanted) -> Box<dyn ReadBlocks + 's>;

    /// Whether it can have what is wanted: a table without a column has not.
    ///
    /// # Errors
    /// If it cannot.
    fn check(&self, _wanted: &Wanted) -> Result<(), Failure> {
        Ok(())
    }

    /// The names of the fields that records have, fields within others as paths (`doc.text`): those of its tables, and
    /// where it has none those of its first so many records. None where records have no such names.
    ///
    /// # Errors
    /// If it cannot be read.
    fn fields(&self, _records: u32) -> Result<Option<Vec<String>>, Failure> {
        Ok(None)
    }

    /// How large it is, in bytes: for progress, and to share the memory out.
    fn bytes(&self) -> u64;

    /// Changes when the records change: an interrupted run continues only with the same.
    fn fingerprint(&self) -> u64;

    /// A part that is not what it was when the source was made: a file that somebody has written to. None where all are.
    fn changed(&self) -> Option<String> {
        None
    }

    /// Changes whenever somebody may have changed the records, and perhaps when nobody has: a run that is continued then
    /// compares them with what was read before. None where that cannot be told.
    fn touched(&self) -> Option<u64> {
        Some(0)
    }

    /// How the user calls it.
    fn names(&self) -> Vec<String>;

    /// What a part of it is called where a record is named by its place: a file.
    fn part_name(&self, part: u32) -> &str;

    /// What a record of a part is found by: the name of a file, and a line in it unless the file is the record. `line` is the
    /// line of the record, or where records are files its number among those of the part, from 1.
    fn place(&self, part: u32, line: u64) -> (String, Option<u64>) {
        (self.part_name(part).to_string(), Some(line))
    }

    /// Whether it may know earlier states of its records.
    fn has_revisions(&self) -> bool {
        false
    }

    /// Tells the states that wanted records were in, the oldest of each first and the present one last. A record is known
    /// by its part and its line. Nothing where it knows no earlier states.
    ///
    /// # Errors
    /// If it cannot be read, or what `each` ends with.
    fn revisions(
        &self,
        _wanted: &Wanted,
        _is_wanted: &dyn Fn(u32, u64) -> bool,
        _each: &mut dyn FnMut(u32, Record<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        Ok(())
    }

    /// Where its records carry answers of which one is read at most: a cleaned corpus lacks all answers of a removed record.
    fn answers(&self) -> Option<AnswerFields> {
        None
    }

    /// The field in which two records must agree for one to stand for the other, whatever is compared of them: a mail does not
    /// stand for one with other attachments. A record without it agrees with all others without it.
    fn apart_by(&self) -> Option<&str> {
        None
    }

    /// Whether every line of a text is a block of its own, as in text that was HTML.
    fn has_block_lines(&self) -> bool {
        false
    }
}

/// One pass over a source.
pub trait ReadBlocks: Send {
    /// Fills `block` with the next records; false at the end. A block can be without slots, or hold nothing but rejections.
    ///
    /// # Errors
    /// If the source cannot be read.
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Failure>;

    /// Goes to where a block starts, in either direction.
    ///
    /// # Errors
    /// If the source cannot be read.
    fn seek(&mut self, place: BlockPlace) -> Result<(), Failure>;

    /// How much of [`Source::bytes`] has been passed.
    fn bytes_read(&self) -> u64;
}

/// What a source keeps in a block.
pub trait BlockContent: Any + Send {
    /// Decodes the records whose slots are wanted, and says how many slots there are. `each` is called in order of slots,
    /// once for each wanted one.
    ///
    /// # Errors
    /// If the block cannot be decoded as a whole.
    fn decode(&self, want: Want<'_>, each: Each<'_>) -> Result<u32, Failure>;

    /// About how many bytes decoding takes.
    fn bytes_held(&self) -> usize;

    /// Changes with what the block holds: a source that can change tells by it that it did. None where it holds nothing yet,
    /// such as rows that are read when it is decoded.
    fn fingerprint(&self) -> Option<u64> {
        None
    }
}

/// Where a block starts. [`ReadBlocks::seek`] to it and the next block is that very block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockPlace {
    /// The part of the source, such as a file, counted from 0.
    pub part: u32,
    /// What lies before the block, as the source counts it.
    pub offset: u64,
    /// The line or row of the block's first record, from 1.
    pub line: u64,
}

/// Some records of a source. Made empty once and filled again and again.
#[derive(Default)]
pub struct Block {
    /// Where the block starts.
    pub place: BlockPlace,
    /// What was found unusable before decoding and has no slot: a record too large to hold, the rest of a damaged archive.
    pub rejections: Vec<Rejection>,
    content: Option<Box<dyn BlockContent>>,
}

impl Block {
    /// What a source of this kind keeps in the block; empty if it was filled by none.
    pub fn content_mut<C: BlockContent + Default>(&mut self) -> &mut C {
        if self.content::<C>().is_none() {
            self.content = None;
        }
        let content = self.content.get_or_insert_with(|| Box::new(C::default()));
        let content: &mut dyn Any = &mut **content;
        content.downcast_mut().unwrap_or_else(|| unreachable!())
    }

    /// The same to look at; none if a source of another kind filled it.
    pub fn content<C: BlockContent>(&self) -> Option<&C> {
        let content: &dyn Any = &**self.content.as_ref()?;
        content.downcast_ref()
    }

    /// See [`BlockContent::decode`].
    ///
    /// # Errors
    /// If the block cannot be decoded as a whole.
    pub fn decode(&self, want: Want<'_>, each: Each<'_>) -> Result<u32, Failure> {
        match &self.content {
            Some(content) => content.decode(want, each),
            None => Ok(0),
        }
    }

    /// See [`BlockContent::fingerprint`].
    pub fn fingerprint(&self) -> Option<u64> {
        self.content.as_ref()?.fingerprint()
    }

    /// See [`BlockContent::bytes_held`].
    pub fn bytes_held(&self) -> usize {
        let content = self.content.as_ref();
        content.map_or(0, |content| content.bytes_held())
    }
}

/// Where the corpus goes without what was removed.
pub trait CleanCorpus: Sync {
    /// Whether it can be written: what is wrong is known before the work, not after it.
    ///
    /// # Errors
    /// If it cannot.
    fn check(&self) -> Result<(), Failure>;

    /// Begins to write it.
    ///
    /// # Errors
    /// If it cannot be written.
    fn begin(&self) -> Result<Box<dyn WriteClean + '_>, Failure>;
}

/// Writes the corpus without what was removed.
pub trait WriteClean {
    /// Writes the records of a block that stay. Blocks come in input order.
    ///
    /// # Errors
    /// If they cannot be written.
    fn write(&mut self, block: &Block, keep: &mut dyn FnMut(u32) -> bool) -> Result<(), Failure>;

    /// Completes the corpus and puts it in its place.
    ///
    /// # Errors
    /// If that fails.
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}
