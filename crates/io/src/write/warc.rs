//! A WARC file without the pages that were removed and the records that were rejected; all else byte for byte. Where it is
//! compressed by gzip, every record is a member, as readers of such files expect.

use super::encoder::Encoder;
use super::{Clean, Cleaning, Keep};
use crate::block::Block;
use crate::error::Error;
use crate::read::warc;

/// Begins the copy of a file.
pub(crate) fn start<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    let out = Encoder::create_members(&cleaning.path())?;
    Ok(Box::new(Records { out }))
}

struct Records {
    out: Encoder,
}

impl Clean for Records {
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error> {
        let mut result = Ok(());
        let mut slot = 0;
        warc::for_each(block, |record, is_slot| {
            let stays = !is_slot || keep(slot);
            slot += u32::from(is_slot);
            if stays && result.is_ok() && !record.is_empty() {
                result = self.record(record);
            }
        });
        result
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.out.finish()
    }
}

impl Records {
    fn record(&mut self, record: &[u8]) -> Result<(), Error> {
        if record.ends_with(b"\n\r\n") || record.ends_with(b"\n\n") {
            return self.out.write(record);
        }
        // The last record of a file may lack its end.
        self.out.write(&[record, b"\r\n\r\n"].concat())
    }
}
