//! Formats whose records are pieces of the file: those that stay are copied byte for byte, each with a line end.

use super::encoder::Encoder;
use super::{Clean, Cleaning, Keep};
use crate::block::Block;
use crate::error::Error;
use crate::read::csv;

/// For formats that are nothing but records.
pub(crate) fn start<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    let out = Encoder::create(&cleaning.path())?;
    Ok(Box::new(RawRecords { out }))
}

/// For CSV, which starts with a header.
pub(crate) fn start_csv<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    start_with_header(cleaning, csv::COMMA)
}

/// For TSV, which starts with a header.
pub(crate) fn start_tsv<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    start_with_header(cleaning, csv::TAB)
}

fn start_with_header<'a>(
    cleaning: &Cleaning<'a>,
    delimiter: u8,
) -> Result<Box<dyn Clean + 'a>, Error> {
    let mut out = Encoder::create(&cleaning.path())?;
    let header = csv::header(cleaning.source, cleaning.options, delimiter)?;
    out.write(&header)?;
    if !header.is_empty() && !header.ends_with(b"\n") {
        out.write(b"\n")?;
    }
    Ok(Box::new(RawRecords { out }))
}

struct RawRecords {
    out: Encoder,
}

impl Clean for RawRecords {
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error> {
        for (slot, record) in block.raw() {
            if keep(slot) {
                self.out.write(record)?;
                self.out.write(b"\n")?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.out.finish()
    }
}
