//! Threads on their way to the spool, in parts that fit in memory: a file for each, with entries in no order.
//!
//! An entry is its slot (4 bytes), what it is (1), its length (8) and its bytes.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// What all buffers together hold.
const BUFFERED_BYTES: usize = 16 << 20;
const SMALLEST_BUFFER: usize = 4 << 10;
const LARGEST_BUFFER: usize = 1 << 20;

/// What an entry is, in the order within a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Kind {
    /// A whole line.
    Rejection,
    /// A line up to its answer.
    Question,
    /// The end of a line.
    Answer,
}

/// The files, which are removed with it.
pub(super) struct Parts {
    folder: PathBuf,
    /// What is not written yet, for each part.
    buffers: Vec<Vec<u8>>,
    buffer_bytes: usize,
}

impl Parts {
    /// Makes the folder anew.
    pub(super) fn create(folder: &Path, count: usize) -> Result<Parts, Error> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
        Ok(Parts {
            folder: folder.to_owned(),
            buffers: vec![Vec::new(); count],
            buffer_bytes: (BUFFERED_BYTES / count.max(1)).clamp(SMALLEST_BUFFER, LARGEST_BUFFER),
        })
    }

    /// Adds the entry that `fill` writes.
    pub(super) fn add(
        &mut self,
        part: usize,
        (slot, kind): (u32, Kind),
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), Error> {
        let buffer = &mut self.buffers[part];
        buffer.extend_from_slice(&slot.to_le_bytes());
        buffer.push(kind as u8);
        let begin = buffer.len() + 8;
        buffer.extend_from_slice(&[0; 8]);
        fill(buffer);
        let len = (buffer.len() - begin) as u64;
        buffer[begin - 8..begin].copy_from_slice(&len.to_le_bytes());
        if buffer.len() >= self.buffer_bytes {
            self.flush(part)?;
        }
        Ok(())
    }

    /// There may be more parts than files that can be open at a time.
    fn flush(&mut self, part: usize) -> Result<(), Error> {
        let path = self.path(part);
        let buffer = &mut self.buffers[part];
        File::options()
            .create(true)
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(buffer))
            .map_err(Error::file("write", &path))?;
        buffer.clear();
        // One huge row must not leave a huge buffer.
        buffer.shrink_to(self.buffer_bytes);
        Ok(())
    }

    fn path(&self, part: usize) -> PathBuf {
        self.folder.join(part.to_string())
    }

    /// Takes the entries of a part out, sorted.
    pub(super) fn take(&mut self, part: usize) -> Result<Part, Error> {
        let path = self.path(part);
        let mut bytes = if path.exists() {
            fs::read(&path).map_err(Error::file("read", &path))?
        } else {
            Vec::new()
        };
        bytes.append(&mut std::mem::take(&mut self.buffers[part]));
        let _ = fs::remove_file(&path);
        Part::of(bytes).ok_or_else(|| Error::Internal(format!("{} is damaged", path.display())))
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The entries of a part.
pub(super) struct Part {
    bytes: Vec<u8>,
    /// Slot, kind, begin and end, in order.
    entries: Vec<(u32, Kind, usize, usize)>,
}

impl Part {
    fn of(bytes: Vec<u8>) -> Option<Part> {
        let mut entries = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let (slot, rest) = bytes[at..].split_first_chunk()?;
            let (kind, rest) = rest.split_first()?;
            let (len, rest) = rest.split_first_chunk()?;
            let kind = match kind {
                0 => Kind::Rejection,
                1 => Kind::Question,
                _ => Kind::Answer,
            };
            let len = usize::try_from(u64::from_le_bytes(*len)).ok()?;
            let begin = bytes.len() - rest.len();
            at = begin + len;
            bytes.get(begin..at)?;
            entries.push((u32::from_le_bytes(*slot), kind, begin, at));
        }
        entries.sort_unstable();
        Some(Part { bytes, entries })
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (u32, Kind, &[u8])> {
        self.entries
            .iter()
            .map(|&(slot, kind, begin, end)| (slot, kind, &self.bytes[begin..end]))
    }
}
