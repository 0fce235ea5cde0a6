//! The file of an index: a redb database with named values and sections of bytes, each under a hash.
//!
//! A value or section is written once in a transaction and read only if its hash is right, so a file that was damaged is
//! an error and never an answer. A section is cut into chunks, so that a part of it can be read. What is damaged within the
//! tree of redb itself may make it panic; that is caught here and told as what it is.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use lookalike_kernel::text::Seed;
use lookalike_kernel::text::hash::hash64;
use redb::{
    Builder, ConcurrencyMode, Database, DatabaseError, ReadOnlyDatabase, ReadOnlyTable,
    ReadableDatabase, ReadableTable, StorageBackend, Table, TableDefinition,
};

use crate::Error;

/// The name of the file in the folder of an index.
pub const FILE: &str = "index.redb";

/// How many bytes of a section are in a chunk. With its hash, its key and what the tree adds, it fills four pages; and it
/// holds whole postings (12 bytes), sketches (16 bytes) and rows (32 bytes).
pub(crate) const CHUNK: usize = 16_320;

const VALUES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("values");
const CHUNKS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("chunks");

/// A part of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) segment: u32,
    pub(crate) kind: Kind,
}

/// What is in a part of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The keys of documents, sorted.
    Keys = 0,
    /// The hashes of their ids, sorted.
    Ids = 1,
    /// A row of fixed size a document.
    Rows = 2,
    /// Ids and texts.
    Texts = 3,
    /// Which documents were removed.
    Removed = 4,
    /// The first key of each chunk of keys.
    FirstKeys = 5,
    /// The first hash of each chunk of ids.
    FirstIds = 6,
    /// A sketch a document, where candidates are sifted by such.
    Sketches = 7,
}

impl Kind {
    pub(crate) const ALL: [Kind; 8] = [
        Kind::Keys,
        Kind::Ids,
        Kind::Rows,
        Kind::Texts,
        Kind::Removed,
        Kind::FirstKeys,
        Kind::FirstIds,
        Kind::Sketches,
    ];
}

impl Section {
    /// The key of a chunk: sections of a segment, and the chunks of a section, follow each other.
    fn chunk(self, number: usize) -> u64 {
        u64::from(self.segment) << 32 | (self.kind as u64) << 28 | number as u64
    }
}

/// The open file.
pub(crate) struct Store {
    folder: PathBuf,
    database: Handle,
}

enum Handle {
    Writing(Database),
    Reading(ReadOnlyDatabase),
}

/// What the file holds at a moment.
pub(crate) struct Snapshot {
    folder: PathBuf,
    /// None once it is closed.
    tables: Option<Tables>,
}

struct Tables {
    values: ReadOnlyTable<&'static str, &'static [u8]>,
    chunks: ReadOnlyTable<u64, &'static [u8]>,
}

/// How much of the file is kept in memory by redb; what is looked up most is kept by the segments.
const CACHE_BYTES: usize = 64 << 20;

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn shared() -> Builder {
    let mut builder = builder();
    builder.set_concurrency_mode(ConcurrencyMode::SingleWriter);
    builder
}

impl Store {
    /// Makes the file of a new index.
    pub(crate) fn create(folder: &Path) -> Result<Self, Error> {
        let file = folder.join(FILE);
        let path = folder.to_path_buf();
        if file.exists() {
            return Err(Error::Exists { path });
        }
        let is_empty = fs::read_dir(folder).map(|mut listed| listed.next().is_none());
        if folder.exists() && !is_empty.unwrap_or(false) {
            return Err(Error::Occupied { path });
        }
        fs::create_dir_all(folder).map_err(Error::storage("create", folder))?;
        let database = guarded(folder, || {
            shared()
                .create(&file)
                .map_err(|error| opening(folder, error))
        })?;
        let store = Store {
            folder: folder.to_path_buf(),
            database: Handle::Writing(database),
        };
        store.write(|_| Ok(()))?;
        Ok(store)
    }

    /// A new index in this storage; for tests of what survives a crash.
    pub(crate) fn in_storage(backend: impl StorageBackend, folder: &Path) -> Result<Self, Error> {
        let database = guarded(folder, || {
            let created = builder().create_with_backend(backend);
            created.map_err(|error| opening(folder, error))
        })?;
        let store = Store {
            folder: folder.to_path_buf(),
            database: Handle::Writing(database),
        };
        store.write(|_| Ok(()))?;
        Ok(store)
    }

    /// Opens the file to write to it. One process can at a time.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        let file = existing(folder)?;
        let database = guarded(folder, || {
            shared().open(&file).map_err(|error| opening(folder, error))
        })?;
        Ok(Store {
            folder: folder.to_path_buf(),
            database: Handle::Writing(database),
        })
    }

    /// Opens the file to read it, while another process may write.
    pub(crate) fn open_to_read(folder: &Path) -> Result<Self, Error> {
        let file = existing(folder)?;
        let opened = guarded(folder, || {
            match shared().open_read_only(&file) {
                // Whoever wrote last was killed: the file is put in order first, by the one that comes first.
                Err(DatabaseError::RepairAborted) => {
                    drop(
                        shared()
                            .open(&file)
                            .map_err(|error| opening(folder, error))?,
                    );
                    shared().open_read_only(&file)
                }
                opened => opened,
            }
            .map_err(|error| opening(folder, error))
        })?;
        Ok(Store {
            folder: folder.to_path_buf(),
            database: Handle::Reading(opened),
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the file holds now.
    pub(crate) fn snapshot(&self) -> Result<Snapshot, Error> {
        let folder = &self.folder;
        guarded(folder, || {
            let transaction = match &self.database {
                Handle::Writing(database) => database.begin_read(),
                Handle::Reading(database) => database.begin_read(),
            };
            let transaction = transaction.map_err(|error| reading(folder, error))?;
            let values = transaction.open_table(VALUES);
            let chunks = transaction.open_table(CHUNKS);
            Ok(Snapshot {
                folder: folder.clone(),
                tables: Some(Tables {
                    values: values.map_err(|error| reading(folder, error))?,
                    chunks: chunks.map_err(|error| reading(folder, error))?,
                }),
            })
        })
    }

    /// Writes what `fill` writes: all of it once this returns, synced, and nothing of it if it fails.
    pub(crate) fn write<T>(
        &self,
        fill: impl FnOnce(&mut Writing<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let folder = &self.folder;
        let Handle::Writing(database) = &self.database else {
            let problem = "an index that was opened to read was written to".to_string();
            return Err(Error::Internal(problem));
        };
        guarded(folder, || {
            let begun = database.begin_write();
            let mut transaction = begun.map_err(|error| writing(folder, error))?;
            transaction.set_two_phase_commit(true);
            let filled = {
                // Both tables are there from the first commit on.
                let values = transaction.open_table(VALUES);
                let chunks = transaction.open_table(CHUNKS);
                let mut into = Writing {
                    folder,
                    values: values.map_err(|error| writing(folder, error))?,
                    chunks: chunks.map_err(|error| writing(folder, error))?,
                };
                fill(&mut into)?
            };
            transaction
                .commit()
                .map_err(|error| writing(folder, error))?;
            Ok(filled)
        })
    }

    /// Gives the room of what was removed back to the system.
    pub(crate) fn shrink(&mut self) -> Result<(), Error> {
        let (folder, database) = (&self.folder, &mut self.database);
        let Handle::Writing(database) = database else {
            return Ok(());
        };
        guarded(folder, || {
            match database.compact() {
                // A reader holds on to what it sees: the room is used again all the same.
                Ok(_) | Err(redb::CompactionError::TransactionInProgress) => Ok(()),
                Err(error) => Err(writing(folder, error)),
            }
        })
    }
}

fn existing(folder: &Path) -> Result<PathBuf, Error> {
    let file = folder.join(FILE);
    match file.is_file() {
        true => Ok(file),
        false => Err(Error::NoIndex {
            path: folder.to_path_buf(),
        }),
    }
}

/// A transaction that writes.
pub(crate) struct Writing<'t> {
    folder: &'t Path,
    values: Table<'t, &'static str, &'static [u8]>,
    chunks: Table<'t, u64, &'static [u8]>,
}

impl Writing<'_> {
    /// Sets a named value.
    pub(crate) fn set(&mut self, name: &str, value: &[u8]) -> Result<(), Error> {
        let sealed = sealed(value, value_seed(name));
        let set = self.values.insert(name, sealed.as_slice());
        set.map(|_| ()).map_err(|error| writing(self.folder, error))
    }

    /// Writes a section, which replaces one that was there.
    pub(crate) fn put(&mut self, section: Section, bytes: &[u8]) -> Result<(), Error> {
        self.remove(section)?;
        let mut stream = SectionStream::new(section);
        stream.push(bytes, self)?;
        stream.finish(self)
    }

    /// Removes a section.
    pub(crate) fn remove(&mut self, section: Section) -> Result<(), Error> {
        let (first, last) = (section.chunk(0), section.chunk((1 << 28) - 1));
        let removed = self.chunks.retain_in(first..=last, |_, _| false);
        removed.map_err(|error| writing(self.folder, error))
    }

    fn put_chunk(&mut self, key: u64, bytes: &[u8]) -> Result<(), Error> {
        let sealed = sealed(bytes, Seed(key));
        let put = self.chunks.insert(key, sealed.as_slice());
        put.map(|_| ()).map_err(|error| writing(self.folder, error))
    }
}

/// A section that is written piece by piece.
pub(crate) struct SectionStream {
    section: Section,
    buffer: Vec<u8>,
    chunks: usize,
}

impl SectionStream {
    pub(crate) fn new(section: Section) -> Self {
        SectionStream {
            section,
            buffer: Vec::with_capacity(CHUNK),
            chunks: 0,
        }
    }

    /// Appends bytes.
    pub(crate) fn push(
        &mut self,
        mut bytes: &[u8],
        writing: &mut Writing<'_>,
    ) -> Result<(), Error> {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(CHUNK - self.buffer.len()));
            self.buffer.extend_from_slice(part);
            bytes = rest;
            if self.buffer.len() == CHUNK {
                self.flush(writing)?;
            }
        }
        Ok(())
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self, writing: &mut Writing<'_>) -> Result<(), Error> {
        match self.buffer.is_empty() {
            true => Ok(()),
            false => self.flush(writing),
        }
    }

    fn flush(&mut self, writing: &mut Writing<'_>) -> Result<(), Error> {
        writing.put_chunk(self.section.chunk(self.chunks), &self.buffer)?;
        self.chunks += 1;
        self.buffer.clear();
        Ok(())
    }
}

fn value_seed(name: &str) -> Seed {
    Seed(hash64(name.as_bytes(), Seed(0)))
}

impl Snapshot {
    /// The same, of which nothing can be read, and which holds on to nothing.
    pub(crate) fn closed(&self) -> Self {
        Snapshot {
            folder: self.folder.clone(),
            tables: None,
        }
    }

    fn tables(&self) -> Result<&Tables, Error> {
        let tables = self.tables.as_ref();
        tables.ok_or_else(|| Error::Internal("a closed index was read".to_string()))
    }

    /// A named value.
    pub(crate) fn value(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        guarded(&self.folder, || {
            let found = self.tables()?.values.get(name);
            let found = found.map_err(|error| reading(&self.folder, error))?;
            let Some(found) = found else {
                return Ok(None);
            };
            match unsealed(found.value(), value_seed(name)) {
                Some(value) => Ok(Some(value.to_vec())),
                None => Err(Error::damaged(
                    &self.folder,
                    format!("its {name} was changed"),
                )),
            }
        })
    }

    /// A chunk of a section; `read` looks at its bytes.
    pub(crate) fn chunk<T>(
        &self,
        section: Section,
        number: usize,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Error> {
        guarded(&self.folder, || {
            let key = section.chunk(number);
            let found = self.tables()?.chunks.get(key);
            let found = found.map_err(|error| reading(&self.folder, error))?;
            let sealed = found.as_ref().map(redb::AccessGuard::value);
            let bytes = sealed.and_then(|sealed| unsealed(sealed, Seed(key)));
            match bytes {
                Some(bytes) => Ok(read(bytes)),
                None => {
                    let Section { segment, kind } = section;
                    let problem =
                        format!("part {number} of the {kind:?} of segment {segment} was changed");
                    Err(Error::damaged(&self.folder, problem.to_lowercase()))
                }
            }
        })
    }

    /// Some bytes of a section.
    pub(crate) fn bytes(
        &self,
        section: Section,
        range: std::ops::Range<usize>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        out.clear();
        let mut at = range.start;
        while at < range.end {
            let (number, within) = (at / CHUNK, at % CHUNK);
            let wanted = (range.end - at).min(CHUNK - within);
            let is_there = self.chunk(section, number, |bytes| {
                let part = bytes.get(within..within + wanted);
                out.extend_from_slice(part.unwrap_or_default());
                part.is_some()
            })?;
            if !is_there {
                let problem = format!("segment {} ends early", section.segment);
                return Err(Error::damaged(&self.folder, problem));
            }
            at += wanted;
        }
        Ok(())
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Bytes with their hash before them. The seed tells where they belong, so that they are nowhere else.
fn sealed(bytes: &[u8], seed: Seed) -> Vec<u8> {
    let mut sealed = Vec::with_capacity(8 + bytes.len());
    sealed.extend_from_slice(&hash64(bytes, seed).to_le_bytes());
    sealed.extend_from_slice(bytes);
    sealed
}

fn unsealed(sealed: &[u8], seed: Seed) -> Option<&[u8]> {
    let (hash, bytes) = sealed.split_first_chunk::<8>()?;
    (hash64(bytes, seed) == u64::from_le_bytes(*hash)).then_some(bytes)
}

/// What the storage does, or what is wrong with the file where that makes it panic.
fn guarded<T>(folder: &Path, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let caught = catch_unwind(AssertUnwindSafe(work));
    caught.unwrap_or_else(|_| {
        Err(Error::damaged(
            folder,
            "its tree of pages does not hold together",
        ))
    })
}

fn opening(folder: &Path, error: DatabaseError) -> Error {
    let path = folder.to_path_buf();
    match error {
        DatabaseError::DatabaseAlreadyOpen => Error::Locked { path },
        DatabaseError::UpgradeRequired(found) => Error::Version {
            path,
            found: u32::from(found),
            known: crate::FORMAT,
        },
        DatabaseError::Storage(error) => of_storage("open", folder, error),
        error => Error::damaged(folder, error.to_string()),
    }
}

fn reading(folder: &Path, error: impl Into<redb::Error>) -> Error {
    of_error("read", folder, error.into())
}

fn writing(folder: &Path, error: impl Into<redb::Error>) -> Error {
    of_error("write to", folder, error.into())
}

fn of_error(action: &'static str, folder: &Path, error: redb::Error) -> Error {
    match error {
        redb::Error::Io(error) => io_error(action, folder, &error),
        redb::Error::Corrupted(problem) => Error::damaged(folder, problem),
        redb::Error::TableDoesNotExist(_)
        | redb::Error::TableTypeMismatch { .. }
        | redb::Error::TableIsMultimap(_) => Error::damaged(folder, error.to_string()),
        error => Error::storage(action, folder)(error),
    }
}

fn of_storage(action: &'static str, folder: &Path, error: redb::StorageError) -> Error {
    of_error(action, folder, error.into())
}

/// A file that ends early is damaged, and data that is none; anything else is a matter of the system.
fn io_error(action: &'static str, folder: &Path, error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::InvalidData => {
            Error::damaged(folder, error.to_string())
        }
        _ => Error::storage(action, folder)(error),
    }
}
