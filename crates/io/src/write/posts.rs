//! A Stack Exchange dump without the questions that were removed and their answers; all else byte for byte.

use memchr::memrchr;

use super::encoder::Encoder;
use super::{Clean, Cleaning, Keep};
use crate::block::Block;
use crate::error::Error;
use crate::input::{InputOptions, Source};
use crate::read::stackexchange::posts::{self, Content};

/// Begins the copy of a dump.
pub(crate) fn start<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    let path = cleaning.names.of(cleaning.source.path());
    Ok(Box::new(Posts {
        source: cleaning.source,
        options: cleaning.options,
        out: Encoder::create(&path)?,
        kept: Vec::new(),
    }))
}

struct Posts<'a> {
    source: &'a Source,
    options: &'a InputOptions,
    out: Encoder,
    /// A bit for each slot of the dump.
    kept: Vec<u64>,
}

impl Clean for Posts<'_> {
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error> {
        // The threads are a line each.
        let first = block.place.line as usize - 1;
        block.raw(&mut |slot, _| {
            if keep(slot) {
                let slot = first + slot as usize;
                let word = slot / 64;
                if self.kept.len() <= word {
                    self.kept.resize(word + 1, 0);
                }
                self.kept[word] |= 1 << (slot % 64);
            }
        });
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        let removed = self.removed()?;
        let Posts {
            source,
            options,
            ref mut out,
            ref kept,
        } = *self;
        // White space before a row goes with the row.
        let mut indent = Vec::new();
        posts::for_each(source, options, |piece| {
            let (bytes, next_indent) = split_indent(piece.bytes);
            let stays = match piece.content {
                Content::Question(_, slot) | Content::Rejected(_, slot) => is_kept(kept, slot),
                Content::Answer(answer, _) => removed.binary_search(&answer.parent).is_err(),
                Content::Other => true,
            };
            if stays {
                out.write(&indent)?;
                out.write(bytes)?;
            }
            indent.clear();
            indent.extend_from_slice(next_indent);
            Ok(())
        })?;
        out.write(&indent)?;
        self.out.finish()
    }
}

impl Posts<'_> {
    /// The ids of the questions that go, sorted.
    fn removed(&self) -> Result<Vec<u32>, Error> {
        let mut removed = Vec::new();
        posts::for_each(self.source, self.options, |piece| {
            if let Content::Question(question, slot) = piece.content
                && !is_kept(&self.kept, slot)
            {
                removed.push(question.id);
            }
            Ok(())
        })?;
        removed.sort_unstable();
        Ok(removed)
    }
}

fn is_kept(kept: &[u64], slot: u32) -> bool {
    kept.get(slot as usize / 64)
        .is_some_and(|word| word >> (slot % 64) & 1 == 1)
}

/// A piece up to its last line end, and the white space after that.
fn split_indent(piece: &[u8]) -> (&[u8], &[u8]) {
    let markup = piece.trim_ascii_end().len();
    let line = memrchr(b'\n', &piece[markup..]).map_or(piece.len(), |at| markup + at + 1);
    piece.split_at(line)
}
