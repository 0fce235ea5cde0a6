//! The documents that are to be aligned, read again: their texts, and where their sentences are.

use std::ops::Range;

use lookalike_text::{RecordId, Sentence, Unit};

use super::Context;
use super::reread::Reread;
use super::sign::Signed;
use super::store::{Store, Window};
use crate::Error;
use crate::bits::Bits;

/// The texts of some records: of each its text, where its sentences are, and how many there are.
pub(crate) struct Texts(Store<RecordId, u8>);

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
        records: &Bits<RecordId>,
    ) -> Result<Self, Error> {
        let keeper = || {
            let mut sentences = Vec::new();
            Ok(move |page: &Unit<'_>, out: &mut Vec<u8>| {
                context.corpus.sentences(page.text, &mut sentences);
                Text::encode(page.text, &sentences, out);
                Ok(())
            })
        };
        let reread = Reread::of(context, signed, records)?;
        Ok(Texts(Store::read(&reread, keeper)?))
    }

    /// The text of a record, which must be among those read.
    pub(crate) fn get(&self, record: RecordId) -> Result<Text, Error> {
        Text::decode(self.0.get(record, &mut Window::default())?).ok_or_else(|| damaged(record))
    }

    /// A part of the text of a record, from one byte to another, read into `buffer`.
    pub(crate) fn part<'b>(
        &self,
        record: RecordId,
        bytes: Range<u32>,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b str, Error> {
        self.0.read_part(record, bytes, buffer)?;
        simdutf8::basic::from_utf8(buffer).map_err(|_| damaged(record))
    }

    /// About how many bytes a record has.
    pub(crate) fn size(&self, record: RecordId) -> Result<usize, Error> {
        self.0.size(record)
    }
}

fn damaged(record: RecordId) -> Error {
    Error::Internal(format!("the text of record {record} is damaged"))
}

impl Text {
    fn encode(text: &str, sentences: &[Sentence], out: &mut Vec<u8>) {
        out.extend_from_slice(text.as_bytes());
        for Sentence { range, .. } in sentences {
            out.extend_from_slice(&(range.start as u32).to_le_bytes());
            out.extend_from_slice(&(range.end as u32).to_le_bytes());
        }
        out.extend_from_slice(&(sentences.len() as u32).to_le_bytes());
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (rest, count) = bytes.split_last_chunk()?;
        let count = u32::from_le_bytes(*count) as usize;
        let (text, ranges) = rest.split_at_checked(rest.len().checked_sub(8 * count)?)?;
        let number = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).ok();
        let sentences = ranges
            .chunks_exact(8)
            .map(|range| Some(number(&range[..4])?..number(&range[4..])?));
        Some(Text {
            // The standard library is slower where texts are not plain.
            text: simdutf8::basic::from_utf8(text).ok()?.to_string(),
            sentences: sentences.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_back_as_it_was_stored() {
        for (text, sentences) in [("", vec![]), ("一。二。", vec![0..6, 6..12])] {
            let sentence = |range: &Range<usize>| Sentence {
                range: range.clone(),
                number: 0,
            };
            let mut bytes = Vec::new();
            let encoded: Vec<Sentence> = sentences.iter().map(sentence).collect();
            Text::encode(text, &encoded, &mut bytes);
            let read = Text::decode(&bytes).unwrap();
            assert_eq!(read.text, text);
            let found = read.sentences.iter();
            let found: Vec<_> = found.map(|r| r.start as usize..r.end as usize).collect();
            assert_eq!(found, sentences);
        }
        assert!(Text::decode(&[1, 2]).is_none());
        assert!(Text::decode(&[9, 0, 0, 0]).is_none());
    }
}
