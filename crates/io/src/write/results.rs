//! The result of a run as a folder: a file a table, of JSON Lines or another [`TableFormat`], and `summary.json`.
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

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use lookalike_engine::{Chunk, Encoder, Failure, Sink, TableSink, sync_folder, write_whole};
use lookalike_kernel::jobs::Outcome;
use lookalike_kernel::rows::{IdRef, Row, Shape, Summary, Table, TablesForm, Written, write_line};

use super::output_file::check_output;
use super::replaceable::{Hashed, Replaceable, place, written_file};
use crate::error::Error;
use crate::tables::texts::{RecordTexts, Stored, columns_of};
use crate::tables::{Columns, Ids, TableFormat, ambiguous_id, convert, has_number_ids};

pub(super) const SUMMARY: &str = "summary.json";

const PAGE: &str = "report.html";

/// Makes the page that shows a result, given its summary and the folder in which its tables lie as JSON Lines; none where none
/// is wanted.
pub type MakePage<'p> =
    dyn Fn(&Path, &Summary) -> Result<Option<String>, Failure> + Send + Sync + 'p;

/// The name of a table's file.
fn file_of(table: Table, format: TableFormat) -> String {
    format!("{table}.{}", format.name())
}

/// Every name that a result may have, the summary last: a finished one is replaced as a whole.
pub fn result_files() -> impl Iterator<Item = String> {
    let others = [PAGE, SUMMARY].map(str::to_string);
    let tables = Table::ALL.into_iter();
    let tables = tables.flat_map(|table| TableFormat::ALL.map(|format| file_of(table, format)));
    tables.chain(others)
}

/// The names of what a job may write, but for the summary.
fn files_of(outcome: Outcome, format: TableFormat) -> impl Iterator<Item = String> {
    let tables = Table::ALL.into_iter();
    let tables = tables.filter(move |&table| outcome.may_write(table));
    let tables = tables.map(move |table| file_of(table, format));
    tables.chain([PAGE.to_string()])
}

/// Whether the result of a job can be written into `out`.
///
/// # Errors
/// If one of its files would replace one that no run wrote.
pub fn check_replaceable(
    out: &Path,
    (outcome, format): (Outcome, TableFormat),
    replaceable: &Replaceable,
) -> Result<(), Error> {
    if out.exists() && !out.is_dir() {
        return Err(Error::result("write into", out)(
            std::io::ErrorKind::NotADirectory.into(),
        ));
    }
    check_summary(&out.join(SUMMARY), replaceable)?;
    let mut paths = files_of(outcome, format).map(|name| out.join(name));
    match paths.find(|path| !replaceable.allows(path)) {
        Some(path) => Err(Error::Foreign { path }),
        None => Ok(()),
    }
}

/// Ends with an error if a file that is read is one that the result of the job would replace.
///
/// # Errors
/// That one.
pub fn check_apart(
    out: &Path,
    (outcome, format): (Outcome, TableFormat),
    named: &[&str],
    read: &[&Path],
) -> Result<(), Error> {
    let out_itself = out.canonicalize();
    let is_out = |path: &&Path| {
        let (Ok(out), Ok(path)) = (&out_itself, path.canonicalize()) else {
            return false;
        };
        path == *out
    };
    if named.iter().any(|name| is_out(&Path::new(name))) {
        let cause = "it is also the folder that is read, whose files the results would be mixed with; choose another \
                     `out=`";
        return Err(Error::output(out, cause));
    }
    let mut names = files_of(outcome, format).chain([SUMMARY.to_string()]);
    names.try_for_each(|name| check_output(&out.join(name), read.iter().copied()))
}

/// Ends with an error if there is a summary that no run wrote.
fn check_summary(summary: &Path, replaceable: &Replaceable) -> Result<(), Error> {
    let is_ours = || is_ours(summary) || replaceable.allows(summary);
    match fs::symlink_metadata(summary) {
        Ok(found) if !found.is_file() || !is_ours() => Err(Error::Foreign {
            path: summary.to_path_buf(),
        }),
        _ => Ok(()),
    }
}

/// The names of the files that a run wrote into a folder, if it holds a result.
pub(crate) fn files_of_result(folder: &Path) -> BTreeSet<OsString> {
    let Some(summary) = ours(&folder.join(SUMMARY)) else {
        return BTreeSet::new();
    };
    let listed = |name: &str| summary.get(name).and_then(serde_json::Value::as_object);
    let keys = |name: &str| listed(name).into_iter().flat_map(serde_json::Map::keys);
    let names = keys("files").map(OsString::from).chain([SUMMARY.into()]);
    // A cleaned corpus is listed by its path. The folder may have been moved since, with what was in it.
    let cleaned = listed("deduplicated").into_iter().flatten();
    let cleaned = cleaned.filter_map(|(path, written)| {
        let name = Path::new(path).file_name()?;
        let bytes = written.get("bytes").and_then(serde_json::Value::as_u64);
        let found = fs::metadata(folder.join(name)).ok()?;
        (Some(found.len()) == bytes).then(|| OsString::from(name))
    });
    names.chain(cleaned).collect()
}

fn is_ours(summary: &Path) -> bool {
    ours(summary).is_some()
}

/// A summary, if a run wrote it.
fn ours(summary: &Path) -> Option<serde_json::Value> {
    let read = fs::read(summary).ok()?;
    let summary: serde_json::Value = serde_json::from_slice(&read).ok()?;
    summary.get("lookalike").is_some().then_some(summary)
}

/// The result of a run as a folder: a file for each table, a page that shows them, and `summary.json`.
pub struct FolderSink<'r> {
    out: PathBuf,
    aside: PathBuf,
    replaceable: &'r Replaceable,
    /// The tables that are finished; none before the first is begun.
    tables: Option<BTreeMap<Table, Finished>>,
    format: TableFormat,
    texts: Option<RecordTexts<'r>>,
    page: Option<&'r MakePage<'r>>,
}

/// A table that is finished, as JSON Lines in the folder aside.
#[derive(Debug)]
struct Finished {
    shape: Shape,
    written: Written,
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
            tables: None,
            format: TableFormat::JsonLines,
            texts: None,
            page: None,
        }
    }

    /// The same with tables of this format.
    #[must_use]
    pub fn with_format(mut self, format: TableFormat) -> Self {
        self.format = format;
        self
    }

    /// The same with the texts of records in the rows that name them, if there are any.
    #[must_use]
    pub fn with_texts(mut self, texts: Option<RecordTexts<'r>>) -> Self {
        self.texts = texts;
        self
    }

    /// The same with a page that shows the result.
    #[must_use]
    pub fn with_page(mut self, page: &'r MakePage<'r>) -> Self {
        self.page = Some(page);
        self
    }

    /// Makes the page and says in the summary how long that took.
    fn write_page(&self, summary: &mut Summary) -> Result<(), Failure> {
        let begun = Instant::now();
        let Some(make) = self.page else {
            return Ok(());
        };
        if let Some(page) = make(&self.aside, summary)? {
            let path = self.aside.join(PAGE);
            let mut hashed = Hashed::default();
            fs::write(&path, &page)
                .and_then(|()| hashed.write_all(page.as_bytes()))
                .map_err(Error::result("write", &path))?;
            summary.files.insert(PAGE.to_string(), hashed.written());
            let seconds = begun.elapsed().as_secs_f64();
            summary.seconds.insert("report".to_string(), seconds);
            summary.total_seconds += seconds;
        }
        Ok(())
    }

    /// Writes a table whose lines are known.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_table(&mut self, shape: Shape, lines: &[u8]) -> Result<(), Failure> {
        let mut file = self.begin(shape)?;
        file.append(Box::new(lines.to_vec()))?;
        Box::new(file).finish()
    }

    /// Copies a table of another result; one that it does not have becomes an empty one.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn copy_table(&mut self, shape: Shape, from: &Path) -> Result<(), Failure> {
        let lines = match fs::read(from) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(Error::file("read", from))?,
        };
        self.write_table(shape, &lines)
    }

    fn begin(&mut self, shape: Shape) -> Result<TableFile<'_>, Error> {
        if self.tables.is_none() {
            let _ = fs::remove_dir_all(&self.aside);
            fs::create_dir_all(&self.aside).map_err(Error::result("create", &self.aside))?;
        }
        let path = self
            .aside
            .join(file_of(shape.table(), TableFormat::JsonLines));
        Ok(TableFile {
            file: File::create(&path).map_err(Error::result("create", &path))?,
            path,
            hashed: Hashed::default(),
            shape,
            tables: self.tables.get_or_insert_default(),
        })
    }

    /// Adds texts to the tables that get them.
    fn add_texts(&self, tables: &mut BTreeMap<Table, Finished>) -> Result<(), Error> {
        let Some(texts) = &self.texts else {
            return Ok(());
        };
        let of = |table: Table| self.aside.join(file_of(table, TableFormat::JsonLines));
        let (store, anew) = (self.aside.join("texts"), self.aside.join("with-text"));
        let mut stored = Stored::read(texts, &of(Table::Records), &store)?;
        for (&table, finished) in tables {
            if !columns_of(finished.shape).is_empty() {
                let path = of(table);
                stored.add_to(table, &path, &anew)?;
                finished.written = hash_of(&path)?;
            }
        }
        fs::remove_file(&store).map_err(Error::result("remove", &store))
    }

    /// Writes the tables as files of the format beside those of JSON Lines, and says what is common to them.
    fn convert(&self, tables: &mut BTreeMap<Table, Finished>) -> Result<Option<TablesForm>, Error> {
        if self.format == TableFormat::JsonLines {
            return Ok(None);
        }
        let from = |table: Table| self.aside.join(file_of(table, TableFormat::JsonLines));
        let mut number_ids = true;
        for (&table, finished) in tables.iter() {
            number_ids &= has_number_ids(finished.shape.columns(), &from(table))?;
        }
        if let (false, Some(id)) = (number_ids, ambiguous_id(&from(Table::Records))?) {
            return Err(Error::AmbiguousId { id });
        }
        for (&table, finished) in tables.iter_mut() {
            let mut columns = finished.shape.columns().to_vec();
            let texts = columns_of(finished.shape);
            if texts
                .first()
                .is_some_and(|text| has_field(&from(table), text.name))
            {
                columns.extend(texts);
            }
            let ids = match number_ids {
                true => Ids::Numbers,
                false => Ids::Texts,
            };
            let (from, to) = (from(table), self.aside.join(file_of(table, self.format)));
            convert(self.format, &Columns { columns, ids }, &from, &to)?;
            finished.written = hash_of(&to)?;
        }
        let format = self.format.name().to_string();
        Ok(Some(TablesForm { format, number_ids }))
    }

    /// Leaves of the tables only those of the format.
    fn remove_converted(&self) -> Result<(), Error> {
        if self.format == TableFormat::JsonLines {
            return Ok(());
        }
        let files = Table::ALL.map(|table| self.aside.join(file_of(table, TableFormat::JsonLines)));
        for path in files.iter().filter(|path| path.exists()) {
            fs::remove_file(path).map_err(Error::result("remove", path))?;
        }
        Ok(())
    }

    fn move_into_place(&self, summary: &Summary) -> Result<(), Error> {
        let files = summary.files.iter();
        let files = files.map(|(name, file)| (self.out.join(name), file.clone()));
        self.replaceable.note(files)?;
        let replaced = self.out.join(SUMMARY);
        check_summary(&replaced, self.replaceable)?;
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
        Ok(Box::new(self.begin(shape)?))
    }

    fn finish(&mut self, summary: &mut Summary) -> Result<(), Failure> {
        let mut tables = self.tables.take().unwrap_or_default();
        self.add_texts(&mut tables)?;
        summary.tables = self.convert(&mut tables)?;
        let files = tables.into_iter();
        let files = files.map(|(table, file)| (file_of(table, self.format), file.written));
        summary.files = files.collect();
        summary.deduplicated = self.replaceable.cleaned();
        summary.annotated = self.replaceable.annotated();
        self.write_page(summary)?;
        self.remove_converted()?;
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

/// Puts a page into the folder of a finished result, whose summary then knows it.
///
/// # Errors
/// If it cannot be written, or would replace one that is not known.
pub fn replace_page(out: &Path, page: &str, replaceable: &Replaceable) -> Result<(), Error> {
    let path = out.join(PAGE);
    if !replaceable.allows(&path) {
        return Err(Error::Foreign { path });
    }
    let mut known = read_summary(out)?;
    let mut hashed = Hashed::default();
    write_whole(&path, |file| {
        file.write_all(page.as_bytes())?;
        hashed.write_all(page.as_bytes())
    })
    .map_err(Error::result("write", &path))?;
    known.files.insert(PAGE.to_string(), hashed.written());
    write_summary(out, &known)
}

/// Notes in the summary of a finished result what its annotated input holds, so that a later run may replace that.
pub(super) fn note_annotated(out: &Path, path: &Path) -> Result<(), Error> {
    let mut known = read_summary(out)?;
    known.annotated.insert(place(path), hash_of(path)?);
    write_summary(out, &known)
}

fn read_summary(out: &Path) -> Result<Summary, Error> {
    let path = out.join(SUMMARY);
    let read = fs::read(&path).map_err(Error::file("read", &path))?;
    serde_json::from_slice(&read).map_err(|error| Error::file("read", &path)(error.into()))
}

fn write_summary(out: &Path, summary: &Summary) -> Result<(), Error> {
    let path = out.join(SUMMARY);
    write_whole(&path, |file| {
        serde_json::to_writer_pretty(&mut *file, summary)?;
        file.write_all(b"\n")
    })
    .map_err(Error::result("write", &path))
}

/// Whether the first row of a table has a field.
fn has_field(path: &Path, name: &str) -> bool {
    let mut line = String::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_line(&mut line));
    read.is_ok() && line.contains(&format!(",\"{name}\":"))
}

fn hash_of(path: &Path) -> Result<Written, Error> {
    written_file(path).map_err(Error::result("read", path))
}

/// A file being written.
struct TableFile<'s> {
    file: File,
    path: PathBuf,
    hashed: Hashed,
    shape: Shape,
    tables: &'s mut BTreeMap<Table, Finished>,
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
        let (shape, written) = (self.shape, self.hashed.written());
        let finished = Finished { shape, written };
        self.tables.insert(shape.table(), finished);
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
