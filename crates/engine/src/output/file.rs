//! A result file in the making.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use lookalike_kernel::rows::Written;
use xxhash_rust::xxh3::Xxh3;

use crate::Error;

/// Hashes and counts what passes through.
struct Hashing {
    file: File,
    hash: Xxh3,
    bytes: u64,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

pub(crate) struct OutputFile {
    path: PathBuf,
    out: BufWriter<Hashing>,
}

impl OutputFile {
    fn create(folder: &Path, name: &str) -> Result<Self, Error> {
        let path = folder.join(name);
        let file = File::create(&path).map_err(Error::output("create", &path))?;
        let hashing = Hashing {
            file,
            hash: Xxh3::new(),
            bytes: 0,
        };
        Ok(OutputFile {
            path,
            out: BufWriter::with_capacity(1 << 17, hashing),
        })
    }

    pub(crate) fn write(&mut self, text: fmt::Arguments<'_>) -> Result<(), Error> {
        self.out
            .write_fmt(text)
            .map_err(Error::output("write", &self.path))
    }

    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out
            .write_all(bytes)
            .map_err(Error::output("write", &self.path))
    }

    fn finish(mut self) -> Result<Written, Error> {
        self.out
            .flush()
            .map_err(Error::output("write", &self.path))?;
        let hashing = self.out.get_ref();
        hashing
            .file
            .sync_data()
            .map_err(Error::output("write", &self.path))?;
        Ok(Written {
            bytes: hashing.bytes,
            xxh3_128: format!("{:032x}", hashing.hash.digest128()),
        })
    }
}

/// The result files written so far.
pub(crate) struct ResultFiles {
    folder: PathBuf,
    /// What the summary says of them.
    pub(crate) written: BTreeMap<String, Written>,
}

impl ResultFiles {
    /// Files in this folder.
    pub(crate) fn new(folder: PathBuf) -> Self {
        ResultFiles {
            folder,
            written: BTreeMap::new(),
        }
    }

    /// Writes one file and returns what writing it found out.
    pub(crate) fn write<T>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut OutputFile) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut file = OutputFile::create(&self.folder, name)?;
        let found = fill(&mut file)?;
        self.written.insert(name.to_string(), file.finish()?);
        Ok(found)
    }
}

/// The field `similarity` as JSON: the shortest form that reads back as the same number. A pair that was not verified
/// has none and says so.
pub(crate) struct Similarity(pub(crate) f64);

impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() {
            return f.write_str("\"similarity\":null,\"verified\":false");
        }
        // Debug keeps the ".0" of a whole number, so that the field is a real number in every line.
        write!(f, "\"similarity\":{:?}", self.0)
    }
}
