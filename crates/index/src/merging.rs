//! Several segments become one: the documents that are left, in their order, with all their keys in one sorted list.
//!
//! Small segments are merged when there are many of about one size, so a document is copied a few times in all, however
//! large the index becomes, and a lookup meets few segments.

use crate::Error;
use crate::postings::{Cursor, PostingsWriter};
use crate::segment::{Described, Removed, Row, SKETCH, Segment};
use crate::store::{Kind, Section, SectionStream, Snapshot, Writing};

/// So many segments of one size become one.
const TOGETHER: usize = 8;
/// Smaller ones are of one size.
const SMALLEST: u32 = 1024;

/// How many of the last segments are to become one now.
pub(crate) fn how_many(segments: &[Segment]) -> Option<usize> {
    let size =
        |segment: &Segment| (segment.described.documents / SMALLEST).checked_ilog(TOGETHER as u32);
    let sizes = segments
        .iter()
        .map(|segment| size(segment).map_or(0, |size| size + 1));
    let sizes: Vec<u32> = sizes.collect();
    let largest = sizes.iter().copied().max()?;
    (0..=largest).find_map(|size| {
        let last = sizes
            .iter()
            .rev()
            .take_while(|other| **other <= size)
            .count();
        (last >= TOGETHER).then_some(last)
    })
}

/// Writes what is left of segments as a new one, and removes them. What is expired at `now` is not left.
pub(crate) fn merge(
    segments: &[Segment],
    number: u32,
    now: Option<u64>,
    (snapshot, writing): (&Snapshot, &mut Writing<'_>),
) -> Result<Described, Error> {
    let mut merging = Merging {
        segments,
        number,
        numbers: Vec::new(),
        documents: 0,
        snapshot,
    };
    let text_bytes = merging.rows_and_texts(now, writing)?;
    let sketches = merging.sketches(writing)?;
    let keys = merging.postings(
        Kind::Keys,
        Kind::FirstKeys,
        |segment| segment.keys.cursor(snapshot),
        writing,
    )?;
    merging.postings(
        Kind::Ids,
        Kind::FirstIds,
        |segment| segment.ids.cursor(snapshot),
        writing,
    )?;
    let documents = merging.documents;
    let removed = Removed::new(documents as usize).write(number, writing)?;
    for segment in segments {
        crate::segment::remove(segment.described.number, writing)?;
    }
    Ok(Described {
        number,
        documents,
        removed,
        keys: keys as u64,
        text_bytes,
        sketches,
    })
}

struct Merging<'m> {
    segments: &'m [Segment],
    number: u32,
    /// Of each segment, the new number of each document.
    numbers: Vec<Vec<u32>>,
    documents: u32,
    snapshot: &'m Snapshot,
}

/// A document that is not there any more.
const GONE: u32 = u32::MAX;

impl Merging<'_> {
    fn section(&self, kind: Kind) -> Section {
        Section {
            segment: self.number,
            kind,
        }
    }

    /// Numbers the documents that are left, and copies them.
    fn rows_and_texts(
        &mut self,
        now: Option<u64>,
        writing: &mut Writing<'_>,
    ) -> Result<u64, Error> {
        let mut rows = SectionStream::new(self.section(Kind::Rows));
        let mut texts = SectionStream::new(self.section(Kind::Texts));
        let mut offset = 0;
        for segment in self.segments {
            let mut numbers = Vec::with_capacity(segment.described.documents as usize);
            let mut stored = segment.texts(self.snapshot);
            for (document, row) in (0..).zip(segment.rows(self.snapshot)?) {
                if segment.removed.has(document) || row.is_expired(now) {
                    numbers.push(GONE);
                    continue;
                }
                numbers.push(self.documents);
                self.documents += 1;
                let begin = row.offset as usize;
                let end = begin.saturating_add(row.length as usize);
                stored.range(begin..end, |piece| texts.push(piece, writing))?;
                rows.push(&Row { offset, ..row }.to_bytes(), writing)?;
                offset += u64::from(row.length);
            }
            self.numbers.push(numbers);
        }
        rows.finish(writing)?;
        texts.finish(writing)?;
        Ok(offset)
    }

    /// Copies the sketches of the documents that are left, where all segments have such.
    fn sketches(&self, writing: &mut Writing<'_>) -> Result<bool, Error> {
        if self.documents == 0 || self.segments.iter().any(|one| !one.described.sketches) {
            return Ok(false);
        }
        let mut sketches = SectionStream::new(self.section(Kind::Sketches));
        for (segment, numbers) in self.segments.iter().zip(&self.numbers) {
            let Some(mut stored) = segment.sketches(self.snapshot) else {
                continue;
            };
            for (document, _) in numbers.iter().enumerate().filter(|one| *one.1 != GONE) {
                let range = document * SKETCH..(document + 1) * SKETCH;
                stored.range(range, |piece| sketches.push(piece, writing))?;
            }
        }
        sketches.finish(writing)?;
        Ok(true)
    }

    /// Merges sorted postings, of documents that are left.
    fn postings<'s>(
        &'s self,
        kind: Kind,
        first: Kind,
        cursor: impl Fn(&'s Segment) -> Cursor<'s>,
        writing: &mut Writing<'_>,
    ) -> Result<usize, Error> {
        let mut writer = PostingsWriter::new((self.number, kind, first));
        let mut cursors: Vec<Cursor<'s>> = self.segments.iter().map(cursor).collect();
        let mut heads = Vec::with_capacity(cursors.len());
        for (place, cursor) in cursors.iter_mut().enumerate() {
            heads.push(self.next_left(place, cursor)?);
        }
        loop {
            let least = heads.iter().enumerate();
            let least = least.filter_map(|(place, head)| head.map(|posting| (posting, place)));
            let Some((posting, place)) = least.min() else {
                return writer.finish(writing);
            };
            writer.push(posting, writing)?;
            heads[place] = self.next_left(place, &mut cursors[place])?;
        }
    }

    /// The next posting of a segment whose document is left, with its new number.
    fn next_left(
        &self,
        place: usize,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<(u64, u32)>, Error> {
        while let Some((key, document)) = cursor.next()? {
            match self.numbers[place].get(document as usize) {
                Some(&GONE) => {}
                Some(&number) => return Ok(Some((key, number))),
                None => {
                    let problem = "a key belongs to a document that does not exist";
                    return Err(Error::damaged(self.snapshot.folder(), problem));
                }
            }
        }
        Ok(None)
    }
}
