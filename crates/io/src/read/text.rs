//! Plain text: a file is a record. In comes a range of files, out comes the text of each.
//!
//! Neighbouring files are one source, so that a million small files make blocks of many. A block holds only which
//! files are in it; they are read when it is decoded.

use std::sync::Arc;

use super::compression::Stream;
use super::records::{invalid_utf8, too_large};
use super::{Cut, Decode, Each, Opening, Want};
use crate::block::{Block, Buffer, Place};
use crate::error::Error;
use crate::input::{InputOptions, SourceFile};
use crate::record::{Need, Record, Rejection, Value, Wanted};

/// Opens a run of text files.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let files = Arc::clone(&opening.source.files);
    let decoder = Documents {
        files: Arc::clone(&files),
        wanted: Arc::clone(opening.wanted),
        options: opening.options.clone(),
    };
    Ok(Box::new(DocumentCutter {
        files,
        source: opening.number,
        block_bytes: opening.options.block_bytes as u64,
        next: 0,
        bytes_read: 0,
        decoder: Arc::new(decoder),
    }))
}

struct DocumentCutter {
    files: Arc<Vec<SourceFile>>,
    source: u32,
    block_bytes: u64,
    /// The next file.
    next: usize,
    bytes_read: u64,
    decoder: Arc<dyn Decode>,
}

impl Cut for DocumentCutter {
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
        let place = Place {
            source: self.source,
            offset: first as u64,
            line: first as u64 + 1,
        };
        block.begin(place, Some(Arc::clone(&self.decoder)));
        block.rows = first as u64..self.next as u64;
        block.named_bytes = bytes as usize;
        Ok(self.next > first)
    }

    fn seek(&mut self, place: Place) -> Result<(), Error> {
        self.next = (place.offset as usize).min(self.files.len());
        self.bytes_read = self.files[..self.next].iter().map(|file| file.bytes).sum();
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }
}

struct Documents {
    files: Arc<Vec<SourceFile>>,
    wanted: Arc<Wanted>,
    options: InputOptions,
}

impl Decode for Documents {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let mut buffer = Buffer::default();
        let files = &self.files[block.rows.start as usize..block.rows.end as usize];
        for (slot, file) in (0..).zip(files) {
            if !want(slot) {
                continue;
            }
            let name = file.path.display().to_string();
            match self.read(file, &mut buffer)? {
                Ok(text) => {
                    let values = self.values(text);
                    each(
                        slot,
                        Ok(Record {
                            line: 1,
                            values: &values,
                            name: Some(&name),
                        }),
                    );
                }
                Err(reason) => each(
                    slot,
                    Err(Rejection {
                        source: name,
                        line: None,
                        reason,
                    }),
                ),
            }
        }
        Ok(files.len() as u32)
    }
}

impl Documents {
    /// The text of a file, or why it cannot be used.
    fn read<'a>(
        &self,
        file: &SourceFile,
        buffer: &'a mut Buffer,
    ) -> Result<Result<&'a str, String>, Error> {
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
        if let Some(damage) = stream.damage() {
            return Ok(Err(damage));
        }
        let bytes = buffer.as_slice();
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let Ok(text) = simdutf8::basic::from_utf8(bytes) else {
            return Ok(Err(invalid_utf8(bytes)));
        };
        if memchr::memchr(0, bytes).is_some() {
            return Ok(Err(
                "the text contains a NUL character; is it a binary file?".to_owned(),
            ));
        }
        Ok(Ok(text))
    }

    /// The first field that must be a text is the file's; it has no others.
    fn values<'a>(&self, text: &'a str) -> Vec<Value<'a>> {
        let fields = &self.wanted.fields;
        let first_text = fields.iter().position(|field| field.need == Need::Text);
        (0..fields.len())
            .map(|at| {
                if Some(at) == first_text {
                    Value::Text(text)
                } else {
                    Value::Missing
                }
            })
            .collect()
    }
}
