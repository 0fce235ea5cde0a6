//! Files that are not read: why is all that comes out, as a rejection.

use super::{Cut, Opening};
use crate::block::{Block, BlockPlace};
use crate::error::Error;
use crate::format::Entry;
use crate::write;
use lookalike_kernel::record::Rejection;

/// What a file is found to be that cannot be opened. It is part of no cleaned corpus, and nobody can ask for it.
pub(crate) static FORMAT: Entry = Entry {
    // It has no text that could have others.
    has_block_lines: true,
    ..Entry::new("unreadable", open, write::refused::start)
};

fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let fault = opening.source.fault.clone();
    Ok(refuse(opening, fault.unwrap_or_default()))
}

/// Opens a source of which nothing is read for this reason.
pub(super) fn refuse(opening: &Opening<'_>, reason: String) -> Box<dyn Cut> {
    Box::new(Refused {
        source: opening.number,
        bytes: opening.source.bytes(),
        rejection: Rejection {
            source: opening.source.name.clone(),
            line: None,
            reason,
        },
        told: false,
    })
}

struct Refused {
    source: u32,
    bytes: u64,
    rejection: Rejection,
    told: bool,
}

impl Cut for Refused {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        if self.told {
            return Ok(false);
        }
        let place = BlockPlace {
            part: self.source,
            offset: 0,
            line: 1,
        };
        block.begin(place, None);
        block.rejections.push(self.rejection.clone());
        self.told = true;
        Ok(true)
    }

    fn seek(&mut self, _place: BlockPlace) -> Result<(), Error> {
        self.told = false;
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        if self.told { self.bytes } else { 0 }
    }
}
