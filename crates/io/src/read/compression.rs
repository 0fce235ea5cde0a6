//! Compressed files as streams of plain bytes: gzip, Zstandard and bzip2, each also as several members one after the
//! other, told apart by their first bytes and not by their names.
//!
//! In goes a path, out come its bytes. What could be decompressed before a damage is given out; then the stream ends and
//! [`Stream::damage`] says why.

mod expander;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::input::InputOptions;
use expander::{Damage, Expander, read_retrying};

const SKIP_BYTES: usize = 256 << 10;

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Gzip,
    Zstd,
    Bzip2,
}

impl Codec {
    /// The codec that a file name ends in.
    pub(crate) fn of_path(path: &Path) -> Option<Codec> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" => Some(Codec::Gzip),
            "zst" => Some(Codec::Zstd),
            "bz2" => Some(Codec::Bzip2),
            _ => None,
        }
    }

    /// `pages.jsonl` for `pages.jsonl.gz`.
    pub(crate) fn strip_extension(path: &Path) -> PathBuf {
        match Codec::of_path(path) {
            Some(_) => path.with_extension(""),
            None => path.to_owned(),
        }
    }

    /// The codec that a file's first bytes say.
    pub(crate) fn of_magic(first: &[u8]) -> Option<Codec> {
        match first {
            [0x1f, 0x8b, 0x08, ..] => Some(Codec::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Codec::Zstd),
            // A skippable frame, which may come first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Codec::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Some(Codec::Bzip2),
            // An empty archive has no block, only the end mark.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => Some(Codec::Bzip2),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Codec::Gzip => "gzip",
            Codec::Zstd => "Zstandard",
            Codec::Bzip2 => "bzip2",
        }
    }
}

/// The plain bytes of a file.
pub(crate) struct Stream {
    path: PathBuf,
    file: File,
    file_bytes: u64,
    /// Bytes taken from the file.
    raw: u64,
    /// Plain bytes given out.
    position: u64,
    expander: Option<Expander>,
    max_expansion: u64,
    expansion_floor: u64,
}

impl Stream {
    pub(crate) fn open(path: &Path, options: &InputOptions) -> Result<Stream, Error> {
        let mut file = File::open(path).map_err(Error::file("open", path))?;
        let file_bytes = file.metadata().map_err(Error::file("read", path))?.len();
        let mut first = Vec::with_capacity(8);
        (&mut file)
            .take(8)
            .read_to_end(&mut first)
            .map_err(Error::file("read", path))?;
        file.rewind().map_err(Error::file("read", path))?;
        let expander = match Codec::of_magic(&first) {
            Some(codec) => Some(Expander::new(codec).map_err(Error::file("decompress", path))?),
            None => None,
        };
        Ok(Stream {
            path: path.to_owned(),
            file,
            file_bytes,
            raw: 0,
            position: 0,
            expander,
            max_expansion: options.max_expansion,
            expansion_floor: options.expansion_floor,
        })
    }

    /// Fills some of `out`; 0 at the end, or where damage begins.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let Some(expander) = &mut self.expander else {
            let count =
                read_retrying(&mut self.file, out).map_err(Error::file("read", &self.path))?;
            self.raw += count as u64;
            self.position += count as u64;
            return Ok(count);
        };
        let count = expander
            .read(&mut self.file, &mut self.raw, out)
            .map_err(Error::file("read", &self.path))?;
        self.position += count as u64;
        let most = self
            .max_expansion
            .saturating_mul(self.file_bytes)
            .max(self.expansion_floor);
        if self.position > most {
            return Err(Error::Expansion {
                name: self.path.display().to_string(),
                limit: self.max_expansion,
            });
        }
        Ok(count)
    }

    /// Goes to a position in the plain bytes.
    pub(crate) fn seek(&mut self, position: u64) -> Result<(), Error> {
        let Some(expander) = &self.expander else {
            self.file
                .seek(SeekFrom::Start(position))
                .map_err(Error::file("read", &self.path))?;
            self.raw = position;
            self.position = position;
            return Ok(());
        };
        if position < self.position {
            self.expander =
                Some(Expander::new(expander.codec).map_err(Error::file("decompress", &self.path))?);
            self.file
                .rewind()
                .map_err(Error::file("read", &self.path))?;
            self.raw = 0;
            self.position = 0;
        }
        let mut skipped = vec![0; SKIP_BYTES];
        while self.position < position {
            let most =
                SKIP_BYTES.min(usize::try_from(position - self.position).unwrap_or(SKIP_BYTES));
            if self.read(&mut skipped[..most])? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Plain bytes given out so far.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Bytes on disk used so far.
    pub(crate) fn raw_bytes(&self) -> u64 {
        self.raw
    }

    /// The compression, if there is one.
    pub(crate) fn codec(&self) -> Option<Codec> {
        self.expander.as_ref().map(|expander| expander.codec)
    }

    /// Why the stream ended before its end, once it did.
    pub(crate) fn damage(&self) -> Option<String> {
        let expander = self.expander.as_ref()?;
        let damage = expander.damage.as_ref()?;
        let name = expander.codec.name();
        Some(match damage {
            Damage::CutShort => {
                format!("the {name} data ends in the middle; the file was cut short")
            }
            Damage::Invalid(cause) => {
                format!("the {name} data is damaged ({cause}); what follows is lost")
            }
        })
    }
}
