//! The ids of all records, or their titles, as JSON, on disk beyond a limit and found again by record number.

use std::sync::Arc;

use lookalike_pair::spill::{Folder, Spill, Spool};
use lookalike_text::RecordId;

use crate::Error;
use crate::column::{Column, Lists};

/// Ids in a page: these are read at once.
const PAGE: u32 = 16;

/// The stored ids. Where none is stored, records are numbered.
#[derive(Debug)]
pub(crate) struct Ids {
    /// Each id as its length in four bytes and its JSON; that of a rejected record is empty.
    bytes: Spool<u8>,
    /// Where each page begins.
    pages: Spool<u64>,
}

impl Ids {
    pub(crate) fn new(name: &'static str, folder: &Arc<Folder>, memory: usize) -> Self {
        // A page has at least as many bytes as would hold 8 of its beginnings.
        let of_pages = memory / 8;
        Ids {
            bytes: Spool::new(name, folder, memory - of_pages),
            pages: Spool::new(name, folder, of_pages),
        }
    }

    /// Whether none is stored.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// About how long the ids of so many records are, at the least as long as their numbers.
    pub(crate) fn mean_bytes(&self, records: u64) -> usize {
        const NUMBER_BYTES: u64 = 8;
        (self.bytes.len() / records.max(1)).max(NUMBER_BYTES) as usize
    }

    /// A reader with a page of its own. Numbers start again with the record `second_from`, the first of `--against`.
    pub(crate) fn lookup(&self, second_from: RecordId) -> Lookup<'_> {
        Lookup {
            ids: self,
            second_from,
            page: None,
            bytes: Vec::new(),
            number: String::new(),
        }
    }
}

impl Column<RecordId> for Ids {
    type Block = Lists<u8>;

    fn append(&mut self, block: &Lists<u8>, first: RecordId) -> Result<(), Error> {
        let (mut bytes, mut pages) = (Vec::new(), Vec::new());
        for (record, id) in (first.get()..).zip(block.iter()) {
            if record % PAGE == 0 {
                pages.push(self.bytes.len() + bytes.len() as u64);
            }
            bytes.extend_from_slice(&(id.len() as u32).to_le_bytes());
            bytes.extend_from_slice(id);
        }
        self.pages.append(&pages)?;
        Ok(self.bytes.append(&bytes)?)
    }

    fn spilled(&mut self) -> Vec<&mut dyn Spill> {
        vec![&mut self.bytes, &mut self.pages]
    }
}

/// Looks ids up; neighbours cost next to nothing.
pub(crate) struct Lookup<'i> {
    ids: &'i Ids,
    second_from: RecordId,
    /// The number of the page looked at last, where it begins, and how long it is.
    page: Option<(u32, u64, usize)>,
    /// What it says, where it is on disk.
    bytes: Vec<u8>,
    number: String,
}

impl Lookup<'_> {
    /// The id of a record as JSON.
    pub(crate) fn id(&mut self, record: RecordId) -> Result<&str, Error> {
        let Ids { bytes, pages } = self.ids;
        if pages.is_empty() {
            let mut before = record.index();
            if record >= self.second_from {
                before -= self.second_from.index();
            }
            self.number = (before + 1).to_string();
            return Ok(&self.number);
        }
        let page = record.get() / PAGE;
        let (begin, length) = match self.page {
            Some((number, begin, length)) if number == page => (begin, length),
            _ => {
                let mut ends = [0, bytes.len()];
                let known = (pages.len() - u64::from(page)).min(2) as usize;
                pages.read_at(&mut ends[..known], page.into())?;
                let [begin, end] = ends;
                let length = (end - begin) as usize;
                if bytes.in_memory(begin, length).is_none() {
                    self.bytes.resize(length, 0);
                    bytes.read_at(&mut self.bytes, begin)?;
                }
                self.page = Some((page, begin, length));
                (begin, length)
            }
        };
        let mut rest = bytes.in_memory(begin, length).unwrap_or(&self.bytes);
        for _ in 0..record.get() % PAGE {
            rest = next(rest).1;
        }
        Ok(std::str::from_utf8(next(rest).0).unwrap_or_default())
    }
}

fn next(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk() else {
        return (&[], &[]);
    };
    rest.split_at((u32::from_le_bytes(*length) as usize).min(rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::OfBlock;

    #[test]
    fn every_id_is_found_again_whatever_the_memory() {
        for memory in [0, 100, 1 << 20] {
            let place = tempfile::tempdir().unwrap();
            let folder = Arc::new(Folder::new(place.path(), 0));
            let mut ids = Ids::new("ids", &folder, memory);
            let id = |record: u32| {
                if record.is_multiple_of(5) {
                    String::new()
                } else {
                    format!("\"文书-{record}\"")
                }
            };
            for first in (0..1000).step_by(50) {
                let mut block = Lists::kept_if(true);
                for record in first..first + 50 {
                    block.open();
                    block.fill(|ids| ids.extend_from_slice(id(record).as_bytes()));
                }
                ids.append(&block, first.into()).unwrap();
            }
            let saved: Vec<_> = ids
                .spilled()
                .into_iter()
                .map(|s| s.save().unwrap())
                .collect();
            let mut restored = Ids::new("ids", &folder, memory);
            for (spilled, files) in restored.spilled().into_iter().zip(saved) {
                spilled.restore(files).unwrap();
            }
            for ids in [ids, restored] {
                let mut lookup = ids.lookup(RecordId::NONE);
                for record in [0, 1, 255, 256, 999, 3, 512] {
                    assert_eq!(lookup.id(record.into()).unwrap(), id(record));
                }
            }
        }
    }

    #[test]
    fn numbers_count_from_one_on_each_side() {
        let folder = Arc::new(Folder::new("nowhere", 0));
        let ids = Ids::new("ids", &folder, 0);
        for record in [0, 5] {
            assert_eq!(ids.lookup(5.into()).id(record.into()).unwrap(), "1");
        }
    }
}
