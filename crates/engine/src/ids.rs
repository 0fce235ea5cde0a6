//! The ids of all records, or their titles, as JSON, on disk beyond a limit and found again by record number.

use std::sync::Arc;

use lookalike_pair::spill::{Error, Folder, SavedSpool, Spool};
use serde::{Deserialize, Serialize};

/// Ids in a page; one place a page stays resident.
const PAGE: usize = 64;

/// The stored ids, or none where records are numbered.
#[derive(Debug)]
pub(crate) struct Ids {
    stored: Option<Stored>,
}

#[derive(Debug)]
struct Stored {
    /// Each id as its length in four bytes and its JSON.
    bytes: Spool<u8>,
    /// Where each page begins.
    pages: Vec<u64>,
    count: usize,
}

/// The files of a checkpoint.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SavedIds {
    bytes: SavedSpool,
    pages: Vec<u64>,
    count: usize,
}

impl SavedIds {
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.bytes.files()
    }
}

impl Ids {
    /// Records are numbered: nothing is stored.
    pub(crate) fn numbers() -> Self {
        Ids { stored: None }
    }

    pub(crate) fn new(name: &'static str, folder: &Arc<Folder>, memory: usize) -> Self {
        Ids {
            stored: Some(Stored {
                bytes: Spool::new(name, folder, memory),
                pages: Vec::new(),
                count: 0,
            }),
        }
    }

    pub(crate) fn restore(mut self, saved: SavedIds) -> Result<Self, Error> {
        if let Some(stored) = self.stored.take() {
            self.stored = Some(Stored {
                bytes: stored.bytes.restore(saved.bytes)?,
                pages: saved.pages,
                count: saved.count,
            });
        }
        Ok(self)
    }

    pub(crate) fn save(&mut self) -> Result<SavedIds, Error> {
        match &mut self.stored {
            None => Ok(SavedIds::default()),
            Some(stored) => Ok(SavedIds {
                bytes: stored.bytes.save()?,
                pages: stored.pages.clone(),
                count: stored.count,
            }),
        }
    }

    /// The id of the next record; empty for a rejected one.
    pub(crate) fn push(&mut self, id: &[u8]) -> Result<(), Error> {
        let Some(stored) = &mut self.stored else {
            return Ok(());
        };
        if stored.count % PAGE == 0 {
            stored.pages.push(stored.bytes.len());
        }
        stored.count += 1;
        stored.bytes.append(&(id.len() as u32).to_le_bytes())?;
        stored.bytes.append(id)
    }

    /// The ids of the next records, one after the other.
    pub(crate) fn extend(&mut self, mut ids: &[u8], lengths: &[u32]) -> Result<(), Error> {
        for &length in lengths {
            let (id, rest) = ids.split_at(length as usize);
            self.push(id)?;
            ids = rest;
        }
        Ok(())
    }

    /// A reader with a page of its own. Numbers start again with the record `second_from`, the first of `--against`.
    pub(crate) fn lookup(&self, second_from: u32) -> Lookup<'_> {
        Lookup {
            ids: self,
            second_from,
            page: None,
            bytes: Vec::new(),
            number: String::new(),
        }
    }
}

/// Looks ids up; neighbours cost next to nothing.
pub(crate) struct Lookup<'i> {
    ids: &'i Ids,
    second_from: u32,
    page: Option<usize>,
    bytes: Vec<u8>,
    number: String,
}

impl Lookup<'_> {
    /// The id of a record as JSON.
    pub(crate) fn id(&mut self, record: u32) -> Result<&str, Error> {
        let Some(stored) = &self.ids.stored else {
            let before = if record < self.second_from {
                0
            } else {
                self.second_from
            };
            self.number = (u64::from(record - before) + 1).to_string();
            return Ok(&self.number);
        };
        let page = record as usize / PAGE;
        if self.page != Some(page) {
            let begin = stored.pages[page];
            let end = stored
                .pages
                .get(page + 1)
                .copied()
                .unwrap_or(stored.bytes.len());
            self.bytes.resize((end - begin) as usize, 0);
            stored.bytes.read_at(&mut self.bytes, begin)?;
            self.page = Some(page);
        }
        let mut rest = self.bytes.as_slice();
        for _ in 0..record as usize % PAGE {
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
            for record in 0..1000 {
                ids.push(id(record).as_bytes()).unwrap();
            }
            let saved = ids.save().unwrap();
            for ids in [
                ids,
                Ids::new("ids", &folder, memory).restore(saved).unwrap(),
            ] {
                let mut lookup = ids.lookup(u32::MAX);
                for record in [0, 1, 255, 256, 999, 3, 512] {
                    assert_eq!(lookup.id(record).unwrap(), id(record));
                }
            }
        }
    }

    #[test]
    fn numbers_count_from_one_on_each_side() {
        assert_eq!(Ids::numbers().lookup(5).id(0).unwrap(), "1");
        assert_eq!(Ids::numbers().lookup(5).id(5).unwrap(), "1");
    }
}
