//! Files that could not be read have no copy.

use super::{Clean, Cleaning, Keep};
use crate::block::Block;
use crate::error::Error;

/// Begins nothing.
pub(crate) fn start<'a>(_: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    Ok(Box::new(Nothing))
}

struct Nothing;

impl Clean for Nothing {
    fn write(&mut self, _: &Block, _: Keep<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        Ok(())
    }
}
