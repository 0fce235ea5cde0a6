//! A MediaWiki dump without the pages that were removed or rejected; all else byte for byte, and in UTF-8.

use super::dump::{self, Kept};
use super::encoder::Encoder;
use super::{Clean, Cleaning};
use crate::error::Error;
use crate::input::{InputOptions, Source};
use crate::read::mediawiki::dump::{Content, for_each};

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
    let mut slots = 0..;
    for_each(source, options, |piece| {
        let stays = match piece.content {
            Content::Page(_) | Content::Rejected(_) => {
                slots.next().is_some_and(|slot| kept.contains(slot))
            }
            Content::Other => true,
        };
        if stays {
            out.write(piece.bytes)?;
        }
        Ok(())
    })
}
