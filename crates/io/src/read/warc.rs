//! WARC files, which hold what a crawler was sent, and WET files, which hold its text: records of many kinds, of which
//! those with pages are read. In comes a file, out come title, text, address and date of every page.
//!
//! Records are cut by the length that their header states ([`cutter`]); damage loses one record only. Which of them
//! hold a page is seen from their headers ([`record`]); all others are passed over.

mod cutter;
mod header;
mod http;
mod record;
mod window;

use std::sync::Arc;

use super::html::PageOptions;
use super::records::outcome;
use super::{Cut, Decode, Each, Opening, Want, places, web};
use crate::block::{Block, Piece};
use crate::error::Error;
use crate::format::Entry;
use crate::write;
use lookalike_kernel::record::{Value, Wanted};
use record::Reading;

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["warc", "wet"],
    magic: MAGIC,
    has_block_lines: true,
    ..Entry::new("warc", open, write::warc::start)
};

/// What a file starts with.
pub(crate) const MAGIC: &[u8] = b"WARC/";

/// The fields of a page.
const FIELDS: [&str; 6] = ["id", "url", "date", "title", "text", "language"];

/// Opens a WARC file.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let pages = Pages {
        name: opening.source.name.clone(),
        wanted: Arc::clone(opening.wanted),
        places: places(opening, &FIELDS),
        reading: Reading {
            page: PageOptions::of(opening.options),
            max_record: opening.options.max_record,
        },
    };
    cutter::open(opening, Arc::new(pages))
}

struct Pages {
    name: String,
    wanted: Arc<Wanted>,
    /// Of each wanted field, the place in [`FIELDS`].
    places: Vec<Option<usize>>,
    reading: Reading,
}

impl Decode for Pages {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let mut slots = 0;
        for (piece, page) in pages(block) {
            let Some(page) = page else {
                continue;
            };
            let slot = slots;
            slots += 1;
            if !want(slot) {
                continue;
            }
            let told = page.and_then(|page| self.tell(&page, piece.number, slot, each));
            if let Err(reason) = told {
                each(slot, outcome(&self.name, piece.number, Err(reason)));
            }
        }
        Ok(slots)
    }

    fn fields(&self, _: &Block, _: &mut u32) -> Option<Vec<String>> {
        Some(FIELDS.map(str::to_owned).to_vec())
    }
}

impl Pages {
    fn tell(
        &self,
        record: &record::Record<'_>,
        number: u64,
        slot: u32,
        each: Each<'_>,
    ) -> Result<(), String> {
        let page = record.read(self.reading)?;
        let fields = [
            web::optional(record.id()),
            web::optional(record.url()),
            web::optional(record.date()),
            Value::Text(&page.title),
            Value::Text(&page.text),
            web::optional(page.language.as_deref()),
        ];
        let values = web::choose(&self.wanted, &self.places, &fields, &FIELDS[3..5])?;
        each(slot, outcome(&self.name, number, Ok(&values)));
        Ok(())
    }
}

/// The records of a block, each with its page. Those with one, and those that cannot be used, are slots.
fn pages(
    block: &Block,
) -> impl Iterator<Item = (&Piece, Option<Result<record::Record<'_>, String>>)> {
    block.pieces.iter().map(|piece| match &piece.fault {
        Some(fault) => (piece, Some(Err(fault.clone()))),
        None => (
            piece,
            record::page(&block.bytes.as_slice()[piece.bytes.clone()]),
        ),
    })
}

/// Tells the bytes of every record of a block, and whether it is a slot.
pub(crate) fn for_each(block: &Block, mut each: impl FnMut(&[u8], bool)) {
    for (piece, page) in pages(block) {
        each(&block.bytes.as_slice()[piece.bytes.clone()], page.is_some());
    }
}
