//! Plain text: the files that stay are copied.

use std::fs;
use std::path::Path;

use super::encoder::{Encoder, create_file};
use super::{Clean, Cleaning, Keep, Names};
use crate::block::Block;
use crate::error::Error;
use crate::input::{InputOptions, Source};
use crate::read::compression::{Codec, Stream};

const CHUNK_BYTES: usize = 256 << 10;

/// Begins the copies of a run of files.
pub(crate) fn start<'a>(cleaning: &Cleaning<'a>) -> Result<Box<dyn Clean + 'a>, Error> {
    Ok(Box::new(Copies {
        source: cleaning.source,
        options: cleaning.options,
        names: cleaning.names.clone(),
    }))
}

struct Copies<'a> {
    source: &'a Source,
    options: &'a InputOptions,
    names: Names<'a>,
}

impl Clean for Copies<'_> {
    fn write(&mut self, block: &Block, keep: Keep<'_>) -> Result<(), Error> {
        let files = &self.source.files[block.rows.start as usize..block.rows.end as usize];
        for (slot, file) in (0..).zip(files) {
            if keep(slot) {
                self.copy(&file.path, &self.names.of(&file.path))?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        Ok(())
    }
}

impl Copies<'_> {
    fn copy(&self, from: &Path, to: &Path) -> Result<(), Error> {
        let mut stream = Stream::open(from, self.options)?;
        if stream.codec() == Codec::of_path(to) {
            create_file(to)?;
            fs::copy(from, to).map_err(Error::file("write", to))?;
            return Ok(());
        }
        let mut out = Encoder::create(to)?;
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            match stream.read(&mut chunk)? {
                0 => return out.finish(),
                count => out.write(&chunk[..count])?,
            }
        }
    }
}
