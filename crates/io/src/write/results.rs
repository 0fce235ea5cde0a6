//! The result of a run as a folder: a file of JSON Lines a table, and `summary.json`.
//!
//! The files are written aside and moved into place as a whole once all of them are complete. The summary of the result that
//! they replace goes first and the new one, which has the sizes and hashes of the others, comes last: a folder with a summary
//! holds a whole result. Of what is in the folder, only what such a summary lists is replaced.
//!
//! ```
//! use lookalike_engine::Sink;
//! use lookalike_io::{FolderSink, Replaceable};
//! use lookalike_kernel::rows::{IdRef, RecordPair, Row, Shape, Summary};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
//! let folder = tempfile::tempdir()?;
//! let aside = folder.path().join("aside");
//! let replaceable = Replaceable::new(folder.path(), folder.path().join("journal"));
//! let mut sink = FolderSink::new(folder.path(), aside, &replaceable);
//! let mut table = sink.table(Shape::RecordPairs)?;
//! let mut encoder = table.encoder();
//! let [a, b] = ["1", "2"].map(|json| IdRef::from_json(json).unwrap());
//! encoder.encode(&Row::RecordPair(RecordPair { a, b, similarity: Some(0.5), verified: true }))?;
//! table.append(encoder.take())?;
//! table.finish()?;
//! sink.finish(&mut Summary::default())?;
//! let pairs = std::fs::read_to_string(folder.path().join("pairs.jsonl"))?;
//! assert_eq!(pairs, "{\"a\":1,\"b\":2,\"similarity\":0.5}\n");
//! # Ok(())
//! # }
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use lookalike_engine::{Chunk, Encoder, Failure, Sink, TableSink, sync_folder};
use lookalike_kernel::jobs::Outcome;
use lookalike_kernel::rows::{IdRef, Row, Shape, Summary, Table, Written, write_line};

use super::output_file::check_output;
use super::replaceable::{Hashed, Replaceable};
use crate::error::Error;

pub(super) const SUMMARY: &str = "summary.json";

/// The name of a table's file.
fn file_of(table: Table) -> String {
    format!("{table}.jsonl")
}

/// Every name that a result may have, the summary last: a finished one is replaced as a whole.
pub fn result_files() -> impl Iterator<Item = String> {
    let others = ["report.html", SUMMARY].map(str::to_string);
    Table::ALL.into_iter().map(file_of).chain(others)
}

/// Whether the result of a job can be written into `out`.
///
/// # Errors
/// If one of its files would replace one that no run wrote.
pub fn check_replaceable(
    out: &Path,
    outcome: Outcome,
    replaceable: &Replaceable,
) -> Result<(), Error> {
    if out.exists() && !out.is_dir() {
        return Err(Error::result("write into", out)(
            std::io::ErrorKind::NotADirectory.into(),
        ));
    }
    check_summary(&out.join(SUMMARY))?;
    let tables = Table::ALL.into_iter();
    let tables = tables.filter(|&table| outcome.may_write(table));
    let mut paths = tables.map(|table| out.join(file_of(table)));
    match paths.find(|path| !replaceable.allows(path)) {
        Some(path) => Err(Error::Foreign { path }),
        None => Ok(()),
    }
}

/// Ends with an error if a file that is read is one that the result of the job would replace.
///
/// # Errors
/// That one.
pub fn check_apart(out: &Path, outcome: Outcome, read: &[&Path]) -> Result<(), Error> {
    let tables = Table::ALL.into_iter();
    let tables = tables.filter(|&table| outcome.may_write(table));
    let mut names = tables.map(file_of).chain([SUMMARY.to_string()]);
    names.try_for_each(|name| check_output(&out.join(name), read.iter().copied()))
}

/// Ends with an error if there is a summary that no run wrote.
fn check_summary(summary: &Path) -> Result<(), Error> {
    match fs::symlink_metadata(summary) {
        Ok(found) if !found.is_file() || !is_ours(summary) => Err(Error::Foreign {
            path: summary.to_path_buf(),
        }),
        _ => Ok(()),
    }
}

fn is_ours(summary: &Path) -> bool {
    let read = fs::read(summary)
        .ok()
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    read.is_some_and(|summary| summary.get("lookalike").is_some())
}

/// See the [module](self).
#[derive(Debug)]
pub struct FolderSink<'r> {
    out: PathBuf,
    aside: PathBuf,
    replaceable: &'r Replaceable,
    /// What the summary says of the files; none before the first is begun.
    written: Option<BTreeMap<String, Written>>,
}

impl<'r> FolderSink<'r> {
    /// A result in the folder `out`, written in the folder `aside` of the same file system until it is complete. What was in
    /// that one is removed.
    pub fn new(
        out: impl Into<PathBuf>,
        aside: impl Into<PathBuf>,
        replaceable: &'r Replaceable,
    ) -> Self {
        FolderSink {
            out: out.into(),
            aside: aside.into(),
            replaceable,
            written: None,
        }
    }

    fn move_into_place(&self, summary: &Summary) -> Result<(), Error> {
        let files = summary.files.iter();
        let files = files.map(|(name, file)| (self.out.join(name), file.clone()));
        self.replaceable.note(files)?;
        let replaced = self.out.join(SUMMARY);
        check_summary(&replaced)?;
        for name in summary.files.keys() {
            let path = self.out.join(name);
            if !self.replaceable.allows(&path) {
                return Err(Error::Foreign { path });
            }
        }
        if replaced.exists() {
            fs::remove_file(&replaced).map_err(Error::result("replace", &replaced))?;
            self.sync()?;
        }
        for name in result_files() {
            let (from, to) = (self.aside.join(&name), self.out.join(&name));
            if from.exists() {
                if name == SUMMARY {
                    self.sync()?;
                }
                fs::rename(&from, &to).map_err(Error::result("write", &to))?;
            } else if to.exists() && self.replaceable.allows(&to) {
                fs::remove_file(&to).map_err(Error::result("replace", &to))?;
            }
        }
        self.sync()?;
        self.replaceable.forget();
        Ok(())
    }

    /// Makes what was renamed and removed durable.
    fn sync(&self) -> Result<(), Error> {
        sync_folder(&self.out).map_err(Error::result("write", &self.out))
    }
}

impl Sink for FolderSink<'_> {
    fn table(&mut self, shape: Shape) -> Result<Box<dyn TableSink + '_>, Failure> {
        if self.written.is_none() {
            let _ = fs::remove_dir_all(&self.aside);
            fs::create_dir_all(&self.aside).map_err(Error::result("create", &self.aside))?;
        }
        let name = file_of(shape.table());
        let path = self.aside.join(&name);
        Ok(Box::new(TableFile {
            file: File::create(&path).map_err(Error::result("create", &path))?,
            path,
            hashed: Hashed::default(),
            name,
            written: self.written.get_or_insert_default(),
        }))
    }

    fn finish(&mut self, summary: &mut Summary) -> Result<(), Failure> {
        summary.files = self.written.take().unwrap_or_default();
        summary.deduplicated = self.replaceable.cleaned();
        let path = self.aside.join(SUMMARY);
        let mut bytes = serde_json::to_vec_pretty(summary)?;
        bytes.push(b'\n');
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(&bytes)?;
            file.sync_all()
        };
        write().map_err(Error::result("write", &path))?;
        Ok(self.move_into_place(summary)?)
    }
}

/// A file being written.
struct TableFile<'s> {
    file: File,
    path: PathBuf,
    hashed: Hashed,
    name: String,
    written: &'s mut BTreeMap<String, Written>,
}

impl TableSink for TableFile<'_> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(JsonLines::default())
    }

    fn append(&mut self, chunk: Chunk) -> Result<(), Failure> {
        let Ok(bytes) = chunk.downcast::<Vec<u8>>() else {
            let problem = "a chunk of a result file is not of lines".to_owned();
            return Err(Error::Internal(problem).into());
        };
        let written = self
            .file
            .write_all(&bytes)
            .and_then(|()| self.hashed.write_all(&bytes));
        Ok(written.map_err(Error::result("write", &self.path))?)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        let synced = self.file.sync_data();
        synced.map_err(Error::result("write", &self.path))?;
        self.written.insert(self.name, self.hashed.written());
        Ok(())
    }
}

/// Encodes rows as lines of JSON.
#[derive(Default)]
struct JsonLines {
    lines: Vec<u8>,
}

impl Encoder for JsonLines {
    fn encode(&mut self, row: &Row<'_, IdRef<'_>>) -> Result<(), Failure> {
        Ok(write_line(row, &mut self.lines)?)
    }

    fn bytes_held(&self) -> usize {
        self.lines.len()
    }

    fn take(&mut self) -> Chunk {
        // The next chunk will be as large.
        let next = Vec::with_capacity(self.lines.len());
        Box::new(std::mem::replace(&mut self.lines, next))
    }
}
