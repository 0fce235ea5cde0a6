//! Compressed files as streams of plain bytes: gzip, Zstandard, bzip2 and LZ4, each also as several members one after the
//! other, told apart by their first bytes and not by their names.
//!
//! In goes a path, out come its bytes. What could be decompressed before a damage is given out; then the stream ends and
//! [`Stream::damage`] says why.

mod bits;
mod bzip2;
mod expander;
mod lz4;
mod utf16;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::block::Buffer;
use crate::error::Error;
use crate::input::InputOptions;
use bzip2::Blocks;
use expander::{Damage, Expander, read_retrying};

pub(crate) use expander::Break;
use utf16::Utf16;

const DECODED_BYTES: usize = 128 << 10;
const SKIP_BYTES: usize = 256 << 10;

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Gzip,
    Zstd,
    Bzip2,
    Lz4,
}

impl Codec {
    /// The codec that a file name ends in.
    pub(crate) fn of_path(path: &Path) -> Option<Codec> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" => Some(Codec::Gzip),
            "zst" => Some(Codec::Zstd),
            "bz2" => Some(Codec::Bzip2),
            "lz4" => Some(Codec::Lz4),
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

    /// The codec of a file with these first bytes. Zstandard and LZ4 have the same frames that are to be skipped: where
    /// one comes first, the name tells.
    fn of_file(path: &Path, first: &[u8]) -> Option<Codec> {
        match (Codec::of_magic(first)?, Codec::of_path(path)) {
            (Codec::Zstd, Some(Codec::Lz4)) if first[0] != 0x28 => Some(Codec::Lz4),
            (codec, _) => Some(codec),
        }
    }

    /// The codec that a file's first bytes say.
    pub(crate) fn of_magic(first: &[u8]) -> Option<Codec> {
        match first {
            [0x1f, 0x8b, 0x08, ..] => Some(Codec::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Codec::Zstd),
            [0x04, 0x22, 0x4d, 0x18, ..] => Some(Codec::Lz4),
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
            Codec::Lz4 => "LZ4",
        }
    }
}

/// The plain bytes of a file.
pub(crate) struct Stream {
    path: PathBuf,
    file: BufReader<File>,
    /// Bytes taken from the file.
    raw: u64,
    /// Plain bytes given out.
    position: u64,
    expander: Option<Expansion>,
    /// Where UTF-16 is read as UTF-8.
    decoder: Option<Utf16>,
    /// How many may decompress.
    threads: usize,
    /// A damage does not end it.
    resumes: bool,
    max_expansion: u64,
    most_bytes: u64,
}

impl Stream {
    pub(crate) fn open(path: &Path, options: &InputOptions) -> Result<Stream, Error> {
        let file = File::open(path).map_err(Error::file("open", path))?;
        let file_bytes = file.metadata().map_err(Error::file("read", path))?.len();
        let mut file = BufReader::new(file);
        let mut first = Vec::with_capacity(8);
        (&mut file)
            .take(8)
            .read_to_end(&mut first)
            .map_err(Error::file("read", path))?;
        file.rewind().map_err(Error::file("read", path))?;
        let expander = match Codec::of_file(path, &first) {
            Some(codec) => Some(Expansion::new(codec, 1).map_err(Error::file("decompress", path))?),
            None => None,
        };
        Ok(Stream {
            path: path.to_owned(),
            file,
            raw: 0,
            position: 0,
            expander,
            decoder: None,
            threads: 1,
            resumes: false,
            max_expansion: options.max_expansion,
            most_bytes: options.most_expanded(file_bytes),
        })
    }

    /// The first bytes of a file, which may say what it is; fewer than `len` if it has no more.
    pub(crate) fn first_bytes(
        path: &Path,
        options: &InputOptions,
        len: usize,
    ) -> Result<Buffer, Error> {
        let mut first = Buffer::default();
        first.fill(&mut Stream::open(path, options)?, len)?;
        Ok(first)
    }

    /// Opens a file of text, which may be in UTF-16 by its byte order mark: that is read as UTF-8.
    pub(crate) fn open_text(path: &Path, options: &InputOptions) -> Result<Stream, Error> {
        let mut stream = Stream::open(path, options)?;
        let mut first = Buffer::default();
        first.fill(&mut stream, 2)?;
        if let [0xff, 0xfe] | [0xfe, 0xff] = first.as_slice() {
            stream.decoder = Some(Utf16::default());
        }
        stream.restart()?;
        Ok(stream)
    }

    /// Lets so many threads decompress, where the format allows it. To be said before anything is read.
    pub(crate) fn on_threads(mut self, threads: usize) -> Stream {
        self.threads = threads;
        if let Some(Expansion::Blocks(blocks)) = &mut self.expander {
            *blocks = Blocks::new(threads);
        }
        self
    }

    /// Goes on after a damage with the next member that is whole, where the format allows it. To be said before anything
    /// is read.
    pub(crate) fn resuming(mut self) -> Stream {
        self.resumes = true;
        self.set_resuming();
        self
    }

    fn set_resuming(&mut self) {
        if let Some(Expansion::Members(expander)) = &mut self.expander {
            expander.resumes = self.resumes;
        }
    }

    /// Where it went on after a damage, as far as it has been read.
    pub(crate) fn breaks(&self) -> &[Break] {
        match &self.expander {
            Some(Expansion::Members(expander)) => &expander.breaks,
            _ => &[],
        }
    }

    /// Fills some of `out`; 0 at the end, or where damage begins.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let Some(mut decoder) = self.decoder.take() else {
            let count = self.read_plain(out)?;
            self.position += count as u64;
            return Ok(count);
        };
        let mut count = decoder.take(out);
        let mut plain = Vec::new();
        while count == 0 && !out.is_empty() {
            plain.resize(DECODED_BYTES, 0);
            let read = self.read_plain(&mut plain)?;
            decoder.put(&plain[..read]);
            count = decoder.take(out);
            if read == 0 {
                break;
            }
        }
        self.decoder = Some(decoder);
        self.position += count as u64;
        Ok(count)
    }

    fn read_plain(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let Some(expander) = &mut self.expander else {
            let count =
                read_retrying(&mut self.file, out).map_err(Error::file("read", &self.path))?;
            self.raw += count as u64;
            return Ok(count);
        };
        let count = expander
            .read(&mut self.file, &mut self.raw, out)
            .map_err(Error::file("read", &self.path))?;
        if self.position + count as u64 > self.most_bytes {
            return Err(Error::Expansion {
                name: self.path.display().to_string(),
                limit: self.max_expansion,
            });
        }
        Ok(count)
    }

    /// Goes to a position in the plain bytes.
    pub(crate) fn seek(&mut self, position: u64) -> Result<(), Error> {
        if self.expander.is_none() && self.decoder.is_none() {
            self.file
                .seek(SeekFrom::Start(position))
                .map_err(Error::file("read", &self.path))?;
            self.raw = position;
            self.position = position;
            return Ok(());
        }
        if position < self.position {
            self.restart()?;
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

    fn restart(&mut self) -> Result<(), Error> {
        if let Some(codec) = self.codec() {
            let expander = Expansion::new(codec, self.threads);
            self.expander = Some(expander.map_err(Error::file("decompress", &self.path))?);
            self.set_resuming();
        }
        if self.decoder.is_some() {
            self.decoder = Some(Utf16::default());
        }
        self.file
            .rewind()
            .map_err(Error::file("read", &self.path))?;
        self.raw = 0;
        self.position = 0;
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
        self.expander.as_ref().map(Expansion::codec)
    }

    /// Why the stream ended before its end, once it did.
    pub(crate) fn damage(&self) -> Option<String> {
        let expander = self.expander.as_ref()?;
        let damage = expander.damage()?;
        let name = expander.codec().name();
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

/// A decompression.
enum Expansion {
    Members(Expander),
    /// bzip2.
    Blocks(Blocks),
}

impl Expansion {
    fn new(codec: Codec, threads: usize) -> io::Result<Expansion> {
        Ok(match codec {
            Codec::Bzip2 => Expansion::Blocks(Blocks::new(threads)),
            Codec::Gzip | Codec::Zstd | Codec::Lz4 => Expansion::Members(Expander::new(codec)?),
        })
    }

    fn codec(&self) -> Codec {
        match self {
            Expansion::Members(expander) => expander.codec,
            Expansion::Blocks(_) => Codec::Bzip2,
        }
    }

    fn read(
        &mut self,
        file: &mut BufReader<File>,
        raw: &mut u64,
        out: &mut [u8],
    ) -> io::Result<usize> {
        match self {
            Expansion::Members(expander) => expander.read(file, raw, out),
            Expansion::Blocks(blocks) => blocks.read(file, raw, out),
        }
    }

    fn damage(&self) -> Option<&Damage> {
        match self {
            Expansion::Members(expander) => expander.damage.as_ref(),
            Expansion::Blocks(blocks) => blocks.damage.as_ref(),
        }
    }
}
