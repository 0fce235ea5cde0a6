//! Record batches in a file that nobody else sees, to be read again one by one, by any thread.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;

use crate::error::Error;

/// Batches in a file, each as an Arrow stream of its own, so that dictionaries go with the batch that needs them.
pub(super) struct Spool {
    file: Mutex<File>,
    folder: PathBuf,
    /// Where each begins, and at the end where the last one ends.
    starts: Vec<u64>,
    /// The rows and bytes of each.
    sizes: Vec<(usize, usize)>,
}

impl Spool {
    /// An empty one in a folder.
    pub(super) fn create(folder: &Path) -> Result<Self, Error> {
        let file = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
        Ok(Spool {
            file: Mutex::new(file.map_err(Error::file("write a copy of the data to", folder))?),
            folder: folder.to_path_buf(),
            starts: vec![0],
            sizes: Vec::new(),
        })
    }

    pub(super) fn append(&mut self, batch: &RecordBatch, bytes: usize) -> Result<(), Error> {
        let folder = &self.folder;
        let unwritten =
            |error: io::Error| Error::file("write a copy of the data to", folder)(error);
        let unfit = |error: ArrowError| unwritten(io::Error::other(error));
        let written = write_batch(batch).map_err(unfit)?;
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&written).map_err(unwritten)?;
        let end = self.starts.last().copied().unwrap_or(0) + written.len() as u64;
        self.starts.push(end);
        self.sizes.push((batch.num_rows(), bytes));
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Self, Error> {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.flush()
            .map_err(Error::file("write a copy of the data to", &self.folder))?;
        Ok(self)
    }

    #[cfg(test)]
    pub(super) fn bytes_written(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    pub(super) fn sizes(&self) -> impl Iterator<Item = (usize, usize)> {
        self.sizes.iter().copied()
    }

    pub(super) fn read(&self, number: usize) -> Result<RecordBatch, Error> {
        let read = self
            .bytes(number)
            .and_then(|bytes| read_batch(Cursor::new(bytes)).map_err(io::Error::other));
        read.map_err(Error::file("read a copy of the data in", &self.folder))
    }

    fn bytes(&self, number: usize) -> io::Result<Vec<u8>> {
        let (start, end) = (self.starts[number], self.starts[number + 1]);
        let mut bytes = vec![0; usize::try_from(end - start).map_err(io::Error::other)?];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// A batch as an Arrow stream of its own.
///
/// # Errors
/// If it has no form in one.
pub fn write_batch(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema())?;
    stream.write(batch)?;
    stream.into_inner()
}

/// The batch that [`write_batch`] wrote.
///
/// # Errors
/// If it was not.
pub fn read_batch(stream: impl Read) -> Result<RecordBatch, ArrowError> {
    let none = || ArrowError::IpcError("there is no batch in it".to_string());
    StreamReader::try_new(stream, None)?
        .next()
        .ok_or_else(none)?
}
