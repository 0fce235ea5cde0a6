//! The documents that are to be aligned, read again: their texts, and where their sentences are.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use lookalike_io::Block;
use lookalike_pair::spill::Spool;

use super::sign::Signed;
use super::{Context, LARGE_BLOCK};
use crate::Error;
use crate::bits::{Bits, Numbered};
use crate::corpus::{BlockMark, Splitter};
use lookalike_pair::workers::{Flow, Pulled, in_order};

/// The texts of some records.
pub(crate) struct Texts {
    members: Numbered,
    /// Where each member begins, and the end of the last.
    begins: Spool<u64>,
    /// Of each how many sentences it has, where they are, and its text.
    bytes: Spool<u8>,
}

/// A text read back.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) sentences: Vec<Range<u32>>,
}

impl Texts {
    /// Reads these records.
    pub(crate) fn read(
        context: &Context<'_>,
        signed: &Signed,
        records: Bits,
    ) -> Result<Self, Error> {
        let mut texts = Texts {
            begins: Spool::new("begins", context.folder, context.budget.percent(5)),
            bytes: Spool::new("texts", context.folder, context.budget.percent(40)),
            members: Numbered::new(records),
        };
        texts.begins.append(&[0])?;
        let wanted = texts.members.bits().clone();
        let marks = signed.blocks.read_all()?;
        let (mut pass, mut next, read) = (context.corpus.pass(), 0, AtomicU64::new(0));
        in_order(
            context.threads,
            || Ok(Rereader::new(context)),
            |rereader: &mut Rereader<'_>| {
                let is_passed = |mark: &BlockMark| !wanted.any(mark.first, mark.records);
                while marks.get(next).is_some_and(is_passed) {
                    next += 1;
                }
                let Some(mark) = marks.get(next) else {
                    return Ok(Pulled::Nothing);
                };
                next += 1;
                pass.read_again(mark, &mut rereader.block)?;
                read.store(pass.bytes_read(), Ordering::Relaxed);
                rereader.first = mark.first;
                rereader.records = mark.records;
                Ok(if rereader.block.bytes_held() > LARGE_BLOCK {
                    Pulled::LargeItem
                } else {
                    Pulled::Item
                })
            },
            |rereader| rereader.read(&wanted),
            |(bytes, lengths)| {
                let mut end = texts.bytes.len();
                for length in lengths {
                    end += length as u64;
                    texts.begins.append(&[end])?;
                }
                texts.bytes.append(&bytes)?;
                context.observer.done(read.load(Ordering::Relaxed));
                Ok(Flow::Continue)
            },
        )?;
        if texts.begins.len() != wanted.count() + 1 {
            return Err(Error::Internal(
                "the input changed while it was read: a record could not be read again".to_string(),
            ));
        }
        Ok(texts)
    }

    /// The text of a record, which must be among those read.
    pub(crate) fn get(&self, record: u32) -> Result<Text, Error> {
        let mut ends = [0; 2];
        let number = self.members.number(record) as u64;
        self.begins.read_at(&mut ends, number)?;
        let mut bytes = vec![0; (ends[1] - ends[0]) as usize];
        self.bytes.read_at(&mut bytes, ends[0])?;
        Text::decode(bytes)
            .ok_or_else(|| Error::Internal(format!("the text of record {record} is damaged")))
    }

    /// About how many bytes a record has.
    pub(crate) fn size(&self, record: u32) -> Result<usize, Error> {
        let mut ends = [0; 2];
        let number = self.members.number(record) as u64;
        self.begins.read_at(&mut ends, number)?;
        Ok((ends[1] - ends[0]) as usize)
    }
}

impl Text {
    /// The text, then where its sentences are, then how many there are.
    fn encode(text: &str, sentences: impl Iterator<Item = Range<usize>>, out: &mut Vec<u8>) {
        out.extend_from_slice(text.as_bytes());
        let mut count = 0u32;
        for range in sentences {
            count += 1;
            out.extend_from_slice(&(range.start as u32).to_le_bytes());
            out.extend_from_slice(&(range.end as u32).to_le_bytes());
        }
        out.extend_from_slice(&count.to_le_bytes());
    }

    fn decode(mut bytes: Vec<u8>) -> Option<Self> {
        let (rest, count) = bytes.split_last_chunk()?;
        let count = u32::from_le_bytes(*count) as usize;
        let (text, ranges) = rest.split_at_checked(rest.len().checked_sub(8 * count)?)?;
        let number = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).ok();
        let sentences = ranges
            .chunks_exact(8)
            .map(|range| Some(number(&range[..4])?..number(&range[4..])?));
        let sentences = sentences.collect::<Option<_>>()?;
        let length = text.len();
        bytes.truncate(length);
        // The standard library is slower where texts are not plain.
        let text = simdutf8::basic::from_utf8(&bytes).ok()?.to_string();
        Some(Text { text, sentences })
    }
}

struct Rereader<'r> {
    block: Block,
    first: u32,
    records: u32,
    splitter: Splitter<'r>,
}

impl<'r> Rereader<'r> {
    fn new(context: &'r Context<'r>) -> Self {
        Rereader {
            block: Block::default(),
            first: 0,
            records: 0,
            splitter: context.corpus.splitter(),
        }
    }

    /// The wanted records of the block, one after the other, and how long each is.
    fn read(&mut self, wanted: &Bits) -> Result<(Vec<u8>, Vec<usize>), Error> {
        let (first, records, splitter) = (self.first, self.records, &mut self.splitter);
        let (mut bytes, mut lengths) = (Vec::new(), Vec::new());
        let is_wanted = |slot: u32| slot < records && wanted.contains(first + slot);
        self.block
            .decode(&mut |slot| is_wanted(slot), &mut |slot, record| {
                if let (true, Ok(record)) = (is_wanted(slot), record) {
                    let before = bytes.len();
                    let (text, sentences) = splitter.page(&record);
                    let ranges = sentences.iter().map(|sentence| sentence.range.clone());
                    Text::encode(text, ranges, &mut bytes);
                    lengths.push(bytes.len() - before);
                }
            })?;
        Ok((bytes, lengths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_back_as_it_was_stored() {
        for (text, sentences) in [("", vec![]), ("一。二。", vec![0..6, 6..12])] {
            let mut bytes = Vec::new();
            Text::encode(text, sentences.iter().cloned(), &mut bytes);
            let read = Text::decode(bytes).unwrap();
            assert_eq!(read.text, text);
            let found = read.sentences.iter();
            let found: Vec<_> = found.map(|r| r.start as usize..r.end as usize).collect();
            assert_eq!(found, sentences);
        }
        assert!(Text::decode(vec![1, 2]).is_none());
        assert!(Text::decode(vec![9, 0, 0, 0]).is_none());
    }
}
