//! A MediaWiki dump without the pages that were removed or rejected; all else byte for byte, and in UTF-8.

use super::encoder::Encoder;
use super::{Clean, Cleaning, Keep};
use crate::block::Block;
use crate::error::Error;
use crate::input::{InputOptions, Source};
use crate::read::mediawiki::dump::{self, Content};

/// Begins the copy of a dump.
pub(crate) fn start<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    let path = cleaning.names.of(cleaning.source.path());
    Ok(Box::new(Pages {
        source: cleaning.source,
        options: cleaning.options,
        out: Encoder::create(&path)?,
        kept: Vec::new(),
    }))
}

struct Pages<'a> {
    source: &'a Source,
    options: &'a InputOptions,
    out: Encoder,
    /// Of each article and each rejected page, whether it stays.
    kept: Vec<bool>,
}

impl Clean for Pages<'_> {
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error> {
        // The articles are a line each, and blocks come in order.
        block.raw(&mut |slot, _| self.kept.push(keep(slot)));
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        let Pages {
            source,
            options,
            ref mut out,
            ref kept,
        } = *self;
        let mut kept = kept.iter();
        dump::for_each(source, options, |piece| {
            let stays = match piece.content {
                Content::Page(_) | Content::Rejected(_) => kept.next().copied().unwrap_or(false),
                Content::Other => true,
            };
            if stays {
                out.write(piece.bytes)?;
            }
            Ok(())
        })?;
        self.out.finish()
    }
}
