//! Merging sorted terms: sources come in, each with its terms in order; every term goes out once, its counts summed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::TermCount;

/// Smaller reads than this cost more in calls than they save in memory.
const MIN_BUFFER_BYTES: usize = 1 << 12;
const MAX_BUFFER_BYTES: usize = 1 << 20;

/// How common a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) documents: u32,
    pub(super) occurrences: u64,
}

/// Terms in the order of their bytes.
pub(super) trait Source {
    /// Replaces `term` by the next term, whose counts it returns; `None` at the end.
    fn next(&mut self, term: &mut Vec<u8>) -> io::Result<Option<Counts>>;
}

/// Gives every term to `take`, in order.
pub(super) fn merge(
    mut sources: Vec<Box<dyn Source + '_>>,
    mut take: impl FnMut(TermCount<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut heap = BinaryHeap::with_capacity(sources.len());
    let mut heads = Vec::with_capacity(sources.len());
    for (number, source) in sources.iter_mut().enumerate() {
        let mut term = Vec::new();
        let counts = source.next(&mut term)?;
        heads.push(counts);
        if counts.is_some() {
            heap.push(Reverse((term, number)));
        }
    }
    let mut current = Vec::new();
    let mut sum: Option<Counts> = None;
    while let Some(Reverse((mut term, number))) = heap.pop() {
        let Some(counts) = heads[number] else {
            continue;
        };
        sum = match sum {
            Some(before) if current == term => Some(Counts {
                documents: before.documents.saturating_add(counts.documents),
                occurrences: before.occurrences.saturating_add(counts.occurrences),
            }),
            finished => {
                give(&current, finished, &mut take)?;
                current.clone_from(&term);
                Some(counts)
            }
        };
        heads[number] = sources[number].next(&mut term)?;
        if heads[number].is_some() {
            heap.push(Reverse((term, number)));
        }
    }
    give(&current, sum, &mut take)
}

fn give(
    term: &[u8],
    counts: Option<Counts>,
    take: &mut impl FnMut(TermCount<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let Some(counts) = counts else {
        return Ok(());
    };
    take(TermCount {
        term: std::str::from_utf8(term).map_err(|_| damaged())?,
        documents: counts.documents,
        occurrences: counts.occurrences,
    })
}

/// Terms in memory.
pub(super) struct Sorted<I>(I);

impl<I> Sorted<I> {
    pub(super) fn new(terms: I) -> Self {
        Sorted(terms)
    }
}

impl<'a, I: Iterator<Item = (&'a [u8], Counts)>> Source for Sorted<I> {
    fn next(&mut self, term: &mut Vec<u8>) -> io::Result<Option<Counts>> {
        Ok(self.0.next().map(|(bytes, counts)| {
            term.clear();
            term.extend_from_slice(bytes);
            counts
        }))
    }
}

/// A record is the length of the term (4 bytes), its counts (4 and 8), all little-endian, and the term.
const HEAD_BYTES: usize = 16;

pub(super) fn write_record(out: &mut impl Write, term: &[u8], counts: Counts) -> io::Result<()> {
    let mut head = [0; HEAD_BYTES];
    head[..4].copy_from_slice(&(term.len() as u32).to_le_bytes());
    head[4..8].copy_from_slice(&counts.documents.to_le_bytes());
    head[8..].copy_from_slice(&counts.occurrences.to_le_bytes());
    out.write_all(&head)?;
    out.write_all(term)
}

/// Terms on disk: a part of a file that other runs are in too.
pub(super) struct Run<'a> {
    file: &'a File,
    rest: Range<u64>,
    buffer: Vec<u8>,
    at: usize,
    buffer_bytes: usize,
}

impl<'a> Run<'a> {
    pub(super) fn new(file: &'a File, run: Range<u64>, buffer_bytes: usize) -> Self {
        Run {
            file,
            rest: run,
            buffer: Vec::new(),
            at: 0,
            buffer_bytes: buffer_bytes.clamp(MIN_BUFFER_BYTES, MAX_BUFFER_BYTES),
        }
    }

    /// Makes the next `count` bytes available in the buffer.
    fn need(&mut self, count: usize) -> io::Result<()> {
        let available = self.buffer.len() - self.at;
        if available >= count {
            return Ok(());
        }
        self.buffer.drain(..self.at);
        self.at = 0;
        let wanted = (count - available).max(self.buffer_bytes - available.min(self.buffer_bytes));
        let wanted = (wanted as u64).min(self.rest.end - self.rest.start);
        let mut file = self.file;
        // The runs share the position of the file, and are read by one thread.
        file.seek(SeekFrom::Start(self.rest.start))?;
        let read = file.take(wanted).read_to_end(&mut self.buffer)?;
        self.rest.start += read as u64;
        if self.buffer.len() < count {
            return Err(damaged());
        }
        Ok(())
    }
}

impl Source for Run<'_> {
    fn next(&mut self, term: &mut Vec<u8>) -> io::Result<Option<Counts>> {
        if self.at == self.buffer.len() && self.rest.is_empty() {
            return Ok(None);
        }
        self.need(HEAD_BYTES)?;
        let (head, _) = self.buffer[self.at..]
            .split_first_chunk::<HEAD_BYTES>()
            .ok_or_else(damaged)?;
        let number = u128::from_le_bytes(*head);
        let (length, documents, occurrences) = (
            number as u32 as usize,
            (number >> 32) as u32,
            (number >> 64) as u64,
        );
        self.at += HEAD_BYTES;
        self.need(length)?;
        term.clear();
        term.extend_from_slice(&self.buffer[self.at..self.at + length]);
        self.at += length;
        Ok(Some(Counts {
            documents,
            occurrences,
        }))
    }
}

fn damaged() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "a temporary file of term counts is damaged; check the disk, and run again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(documents: u32) -> Counts {
        Counts {
            documents,
            occurrences: u64::from(documents) * 3,
        }
    }

    #[test]
    fn a_run_is_read_back_through_a_small_buffer() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"other run").unwrap();
        let begin = file.stream_position().unwrap();
        let terms: Vec<String> = (0..300)
            .map(|n| format!("{n}{}", "长".repeat(n * 10)))
            .collect();
        for (term, number) in terms.iter().zip(1..) {
            write_record(&mut file, term.as_bytes(), counts(number)).unwrap();
        }
        let end = file.stream_position().unwrap();
        file.write_all(b"another").unwrap();
        let mut run = Run::new(&file, begin..end, 1);
        let mut found = Vec::new();
        for (term, number) in terms.iter().zip(1..) {
            assert_eq!(run.next(&mut found).unwrap(), Some(counts(number)));
            assert_eq!(found, term.as_bytes());
            assert!(run.buffer.len() <= MIN_BUFFER_BYTES + 9000);
        }
        assert_eq!(run.next(&mut found).unwrap(), None);
    }

    #[test]
    fn a_run_that_is_cut_off_is_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        write_record(&mut file, b"term", counts(1)).unwrap();
        for end in 1..20 {
            let mut run = Run::new(&file, 0..end, 1);
            let message = run.next(&mut Vec::new()).unwrap_err().to_string();
            assert!(message.contains("is damaged"), "{message}");
        }
    }
}
