//! Several segments become one: the documents that are left, in their order, with all their keys in one sorted list.
//!
//! Segments are of classes, each eight times as large as the one before, and stand in the order in which their documents
//! were added, none before a larger one. Eight of one class at the end become one of the next, so a document is copied once
//! for each class and a lookup meets at most seven segments of each, however large the index becomes.

use crate::Error;
use crate::postings::{Cursor, PostingsWriter};
use crate::segment::{Described, Removed, Row, Segment};
use crate::sketches::Sketches;
use crate::store::{Kind, Section, SectionStream, Snapshot, Writing};

/// So many segments of one class become one of the next.
const TOGETHER: usize = 8;
/// Segments with fewer documents are of the lowest class.
const SMALLEST: u32 = 1024;

/// How many of the last segments are to become one now, given how many documents each has.
pub(crate) fn how_many(documents: impl IntoIterator<Item = u32>) -> Option<usize> {
    let class = |documents: u32| (documents / SMALLEST).checked_ilog(TOGETHER as u32);
    let classes: Vec<Option<u32>> = documents.into_iter().map(class).collect();
    let last = *classes.last()?;
    // Smaller ones go along with a larger one that comes after them, which costs no more than writing that one did.
    if let Some(smaller) = classes.iter().position(|class| *class < last) {
        return Some(classes.len() - smaller);
    }
    let alike = classes.iter().rev().take_while(|class| **class == last);
    let alike = alike.count();
    (alike >= TOGETHER).then_some(alike)
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
            let Some(stored) = segment.sketches() else {
                continue;
            };
            let mut stored = stored.pass(self.snapshot);
            for (document, _) in numbers.iter().enumerate().filter(|one| *one.1 != GONE) {
                stored.range(Sketches::range(document), |piece| {
                    sketches.push(piece, writing)
                })?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Adds segments of these sizes one by one: what is left of them, and how many documents were copied.
    fn added(sizes: impl IntoIterator<Item = u32>) -> (Vec<u32>, u64) {
        let (mut segments, mut copied) = (Vec::new(), 0);
        for size in sizes {
            segments.push(size);
            while let Some(last) = how_many(segments.iter().copied()) {
                assert!(last >= 2);
                let merged = segments.split_off(segments.len() - last).iter().sum();
                segments.push(merged);
                copied += u64::from(merged);
            }
        }
        (segments, copied)
    }

    #[test]
    fn the_tenth_million_copies_as_much_as_the_first() {
        let copies = |millions: u32| added((0..10 * millions).map(|_| 100_000)).1;
        assert_eq!(copies(10) - copies(9), copies(1));
        // Every document once for each of the two classes, but for those at the end.
        assert_eq!(copies(10), 9_600_000 + 6_400_000);
    }

    proptest! {
        #[test]
        fn segments_stay_few_and_copies_bounded(sizes in prop::collection::vec(1u32..200_000, 1..400)) {
            let total: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
            let (segments, copied) = added(sizes);
            prop_assert_eq!(segments.iter().map(|size| u64::from(*size)).sum::<u64>(), total);
            // Classes from below 1024 to below 8^5 * 1024.
            prop_assert!(segments.len() <= 7 * 7);
            prop_assert!(copied <= 2 * 7 * total, "{} of {}", copied, total);
        }
    }
}
