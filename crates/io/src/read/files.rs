//! Formats in which a file is a record. In comes a range of files, out comes what is in each.
//!
//! Neighbouring files are one source, so that a million small files make blocks of many. A block holds only which
//! files are in it; they are read when it is decoded.

use std::sync::Arc;

use super::compression::Stream;
use super::records::too_large;
use super::{Cut, Decode, Each, Opening, Want};
use crate::block::{Block, BlockPlace, Buffer};
use crate::error::Error;
use crate::input::{InputOptions, SourceFile};
use lookalike_kernel::record::{Record, Rejection, Value};

/// What is in a file of one format.
pub(super) trait Contents: Send + Sync {
    /// Tells the values of the wanted fields, or says why there are none.
    fn read(&self, bytes: &[u8], tell: &mut dyn FnMut(&[Value<'_>])) -> Result<(), String>;

    /// The names of the fields, if they have names.
    fn fields(&self) -> Option<Vec<String>> {
        None
    }
}

/// Opens a run of files.
pub(super) fn open(opening: &Opening<'_>, contents: impl Contents + 'static) -> Box<dyn Cut> {
    let files = Arc::clone(&opening.source.files);
    let decoder = Files {
        name: opening.source.name.clone(),
        files: Arc::clone(&files),
        options: opening.options.clone(),
        contents,
    };
    Box::new(FileCutter {
        files,
        source: opening.number,
        block_bytes: opening.options.block_bytes as u64,
        next: 0,
        bytes_read: 0,
        decoder: Arc::new(decoder),
    })
}

struct FileCutter {
    files: Arc<Vec<SourceFile>>,
    source: u32,
    block_bytes: u64,
    /// The next file.
    next: usize,
    bytes_read: u64,
    decoder: Arc<dyn Decode>,
}

impl Cut for FileCutter {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        let first = self.next;
        let mut bytes = 0;
        while let Some(file) = self.files.get(self.next) {
            if bytes + file.bytes > self.block_bytes && self.next > first {
                break;
            }
            bytes += file.bytes;
            self.bytes_read += file.bytes;
            self.next += 1;
        }
        let place = BlockPlace {
            part: self.source,
            offset: first as u64,
            line: first as u64 + 1,
        };
        block.begin(place, Some(Arc::clone(&self.decoder)));
        block.rows = first as u64..self.next as u64;
        block.named_bytes = bytes as usize;
        Ok(self.next > first)
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Error> {
        self.next = (place.offset as usize).min(self.files.len());
        self.bytes_read = self.files[..self.next].iter().map(|file| file.bytes).sum();
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }
}

struct Files<C> {
    /// The name of the source.
    name: String,
    files: Arc<Vec<SourceFile>>,
    options: InputOptions,
    contents: C,
}

impl<C: Contents> Decode for Files<C> {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let mut buffer = Buffer::default();
        let files = &self.files[block.rows.start as usize..block.rows.end as usize];
        for (slot, file) in (0..).zip(files) {
            if !want(slot) {
                continue;
            }
            // A copy of standard input is known by its place there, as its records are.
            let path = file.path.display().to_string();
            let is_named = !file.is_copy();
            let name = if is_named { path } else { self.name.clone() };
            let read = self.read(file, &mut buffer)?.and_then(|bytes| {
                self.contents.read(bytes, &mut |values| {
                    each(
                        slot,
                        Ok(Record {
                            line: 1,
                            values,
                            name: is_named.then_some(&name),
                        }),
                    );
                })
            });
            if let Err(reason) = read {
                each(
                    slot,
                    Err(Rejection {
                        source: name,
                        line: None,
                        reason,
                    }),
                );
            }
        }
        Ok(files.len() as u32)
    }

    fn fields(&self, _: &Block, _: &mut u32) -> Option<Vec<String>> {
        self.contents.fields()
    }
}

impl<C> Files<C> {
    /// The bytes of a file, or why they cannot be used.
    fn read<'a>(
        &self,
        file: &SourceFile,
        buffer: &'a mut Buffer,
    ) -> Result<Result<&'a [u8], String>, Error> {
        let mut stream = Stream::open(&file.path, &self.options)?;
        buffer.clear();
        let limit = usize::try_from(self.options.max_record).unwrap_or(usize::MAX - 1);
        // Most files are plain and known to the byte; archives and growing files take more rounds.
        let mut wanted = usize::try_from(file.bytes).unwrap_or(limit).min(limit) + 1;
        while buffer.fill(&mut stream, wanted)? {
            if buffer.len() > limit {
                return Ok(Err(too_large(self.options.max_record)));
            }
            wanted = wanted.saturating_mul(2).min(limit + 1);
        }
        Ok(match stream.damage() {
            Some(damage) => Err(damage),
            None => Ok(buffer.as_slice()),
        })
    }
}
