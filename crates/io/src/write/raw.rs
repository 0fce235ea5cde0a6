//! Formats whose records are pieces of the file: those that stay are copied byte for byte, and what is no record with them.

use super::encoder::Encoder;
use super::{Clean, Cleaning, Keep};
use crate::block::Block;
use crate::error::Error;
use crate::read::compression::Stream;
use crate::read::csv;
use crate::read::records::BYTE_ORDER_MARK;

/// For formats that are nothing but records.
pub(crate) fn start<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    start_with(cleaning, &[])
}

/// For CSV, which starts with a header.
pub(crate) fn start_csv<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    let delimiter = csv::delimiter(cleaning.source, cleaning.options)?;
    let header = csv::header(cleaning.source, cleaning.options, delimiter)?;
    start_with(cleaning, &header)
}

/// For TSV, which starts with a header.
pub(crate) fn start_tsv<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    let header = csv::header(cleaning.source, cleaning.options, csv::TAB)?;
    start_with(cleaning, &header)
}

fn start_with<'a>(cleaning: &Cleaning<'a>, header: &[u8]) -> Result<Box<dyn Clean + 'a>, Error> {
    let mut out = Encoder::create(&cleaning.path())?;
    let (path, mark) = (cleaning.source.path(), BYTE_ORDER_MARK);
    if Stream::first_bytes(path, cleaning.options, mark.len())?.as_slice() == mark {
        out.write(mark)?;
    }
    out.write(header)?;
    Ok(Box::new(RawRecords { out }))
}

struct RawRecords {
    out: Encoder,
}

impl Clean for RawRecords {
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error> {
        for (slot, bytes) in block.raw() {
            if slot.is_none_or(&mut *keep) {
                self.out.write(bytes)?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.out.finish()
    }
}
