//! Where records stand: their files and lines.

use lookalike_text::RecordId;

use crate::Error;
use crate::corpus::{BlockMark, Corpus};
use crate::paged::Paged;
use crate::stages::Signed;

/// Says where records stand; neighbours cost next to nothing.
pub(crate) struct Places<'r> {
    corpus: &'r Corpus<'r>,
    marks: Vec<BlockMark>,
    lines: Paged<'r, u64>,
}

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The source: the input, or the corpus that it is compared with.
    pub(crate) side: usize,
    /// The part of it.
    pub(crate) part: u32,
    pub(crate) line: u64,
}

impl<'r> Places<'r> {
    pub(crate) fn new(corpus: &'r Corpus<'r>, signed: &'r Signed) -> Result<Self, Error> {
        Ok(Places {
            corpus,
            marks: signed.blocks.read_all()?,
            lines: Paged::new(&signed.columns.lines),
        })
    }

    /// The file of a record and its line, which a record that is a file has none of.
    pub(crate) fn of(&mut self, record: RecordId) -> Result<(String, Option<u64>), Error> {
        let Place { side, part, line } = self.at(record)?;
        Ok(self.corpus.place(side, part, line))
    }

    /// The same as the sources count it.
    pub(crate) fn at(&mut self, record: RecordId) -> Result<Place, Error> {
        let after = self.marks.partition_point(|mark| mark.first <= record);
        let mark = after.checked_sub(1).map(|last| self.marks[last]);
        let Some(mark) = mark else {
            return Err(Error::Internal(format!("record {record} is in no block")));
        };
        Ok(Place {
            side: mark.part(),
            part: mark.place().part,
            line: self.lines.at(record.get())?,
        })
    }
}
