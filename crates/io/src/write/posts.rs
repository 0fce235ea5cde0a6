//! A Stack Exchange dump without the questions that were removed and their answers; all else byte for byte.

use memchr::memrchr;

use super::dump::{self, Kept};
use super::encoder::Encoder;
use super::{Clean, Cleaning};
use crate::error::Error;
use crate::input::{InputOptions, Source};
use crate::read::stackexchange::posts::{Content, for_each};

/// Begins the copy of a dump.
pub(crate) fn start<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    dump::start(cleaning, copy)
}

fn copy(
    source: &Source,
    options: &InputOptions,
    kept: &Kept,
    out: &mut Encoder,
) -> Result<(), Error> {
    // The ids of the questions that go.
    let mut removed = Vec::new();
    for_each(source, options, |piece| {
        if let Content::Question(question, slot) = piece.content
            && !kept.contains(slot)
        {
            removed.push(question.id);
        }
        Ok(())
    })?;
    removed.sort_unstable();
    // White space before a row goes with the row.
    let mut indent = Vec::new();
    for_each(source, options, |piece| {
        let (bytes, next_indent) = split_indent(piece.bytes);
        let stays = match piece.content {
            Content::Question(_, slot) | Content::Rejected(_, slot) => kept.contains(slot),
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
    out.write(&indent)
}

/// A piece up to its last line end, and the white space after that.
fn split_indent(piece: &[u8]) -> (&[u8], &[u8]) {
    let markup = piece.trim_ascii_end().len();
    let line = memrchr(b'\n', &piece[markup..]).map_or(piece.len(), |at| markup + at + 1);
    piece.split_at(line)
}
