//! Standard input, copied to a file so that it can be read more than once.

use std::path::Path;

use crate::error::Error;

pub(super) struct Spooled;

pub(super) fn standard_input(_folder: &Path) -> Result<Option<Spooled>, Error> {
    Ok(None)
}
