//! A file to write, compressed as its name says.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use lz4_flex::frame::{FrameEncoder, FrameInfo};

use crate::error::Error;
use crate::read::compression::Codec;

const BUFFER_BYTES: usize = 256 << 10;

/// A file being written.
pub(super) struct Encoder {
    path: PathBuf,
    to: To,
}

enum To {
    Plain(BufWriter<File>),
    Gzip(flate2::write::GzEncoder<BufWriter<File>>),
    /// Every write is a member of its own.
    Members(BufWriter<File>, WriteMember),
    Zstd(zstd::stream::write::Encoder<'static, BufWriter<File>>),
    Bzip2(bzip2::write::BzEncoder<BufWriter<File>>),
    Lz4(FrameEncoder<BufWriter<File>>),
}

type WriteMember = fn(&mut BufWriter<File>, &[u8]) -> io::Result<()>;

/// Makes a new file and the folders above it.
pub(super) fn create_file(path: &Path) -> Result<File, Error> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    }
    // Two inputs that would go by one name must not overwrite each other.
    File::create_new(path).map_err(Error::file("create", path))
}

impl Encoder {
    pub(super) fn create(path: &Path) -> Result<Encoder, Error> {
        let file = BufWriter::with_capacity(BUFFER_BYTES, create_file(path)?);
        let to = match Codec::of_path(path) {
            None => To::Plain(file),
            Some(Codec::Gzip) => To::Gzip(flate2::write::GzEncoder::new(
                file,
                flate2::Compression::default(),
            )),
            Some(Codec::Zstd) => {
                let level = zstd::DEFAULT_COMPRESSION_LEVEL;
                let encoder = zstd::stream::write::Encoder::new(file, level);
                To::Zstd(encoder.map_err(Error::file("compress", path))?)
            }
            Some(Codec::Bzip2) => To::Bzip2(bzip2::write::BzEncoder::new(
                file,
                bzip2::Compression::default(),
            )),
            Some(Codec::Lz4) => To::Lz4(lz4_frame(file)),
        };
        Ok(Encoder {
            path: path.to_owned(),
            to,
        })
    }

    /// As `create`, but where it is gzip or LZ4 every write is a member of its own.
    pub(super) fn create_members(path: &Path) -> Result<Encoder, Error> {
        let write: WriteMember = match Codec::of_path(path) {
            Some(Codec::Gzip) => write_gzip,
            Some(Codec::Lz4) => write_lz4,
            _ => return Self::create(path),
        };
        let file = BufWriter::with_capacity(BUFFER_BYTES, create_file(path)?);
        Ok(Encoder {
            path: path.to_owned(),
            to: To::Members(file, write),
        })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let result = match &mut self.to {
            To::Plain(to) => to.write_all(bytes),
            To::Gzip(to) => to.write_all(bytes),
            To::Members(to, write) => write(to, bytes),
            To::Zstd(to) => to.write_all(bytes),
            To::Bzip2(to) => to.write_all(bytes),
            To::Lz4(to) => to.write_all(bytes),
        };
        result.map_err(Error::file("write", &self.path))
    }

    /// Writes what is left, down to the disk.
    pub(super) fn finish(self) -> Result<(), Error> {
        let finish = |to: To| -> io::Result<()> {
            let file = match to {
                To::Plain(to) | To::Members(to, _) => to,
                To::Gzip(to) => to.finish()?,
                To::Zstd(to) => to.finish()?,
                To::Bzip2(to) => to.finish()?,
                To::Lz4(to) => to.finish()?,
            };
            file.into_inner()?.sync_all()
        };
        finish(self.to).map_err(Error::file("write", &self.path))
    }
}

fn write_gzip(to: &mut BufWriter<File>, bytes: &[u8]) -> io::Result<()> {
    let mut member = flate2::write::GzEncoder::new(to, flate2::Compression::default());
    member.write_all(bytes)?;
    member.finish().map(|_| ())
}

/// A frame with a checksum, as the program `lz4` writes it.
fn lz4_frame<W: Write>(to: W) -> FrameEncoder<W> {
    FrameEncoder::with_frame_info(FrameInfo::new().content_checksum(true), to)
}

fn write_lz4(to: &mut BufWriter<File>, bytes: &[u8]) -> io::Result<()> {
    let mut frame = lz4_frame(to);
    frame.write_all(bytes)?;
    frame.finish()?;
    Ok(())
}
