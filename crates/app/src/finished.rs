//! A finished result, whatever its tables are written as: its summary, the rows of its tables as JSON Lines, and where its
//! records stand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use lookalike_io::restore_table;
use lookalike_kernel::rows::{Id, RecordRow, Summary, Table};
use serde::Deserialize;
use serde_json::value::RawValue;
use tempfile::TempDir;

use crate::Error;

/// A finished result.
#[derive(Debug)]
pub struct Finished {
    folder: PathBuf,
    readable: ReadableResult,
    /// What was done, found, promised and spent.
    pub summary: Summary,
}

/// The records of a result by their ids, and whether they are of the corpus that the input is compared with.
pub type RecordsById = BTreeMap<(Id, bool), RecordRow<'static>>;

impl Finished {
    /// The result in a folder.
    ///
    /// # Errors
    /// If there is none, or one of another version.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let read = fs::read(folder.join("summary.json")).map_err(|_| {
            match folder.join(".lookalike").is_dir() {
                true => unusable(
                    folder,
                    "the run is not finished; the command that began it continues it",
                ),
                false => Error::Unfinished {
                    path: folder.to_path_buf(),
                },
            }
        })?;
        let summary: Summary = serde_json::from_slice(&read)
            .map_err(|_| unusable(folder, "summary.json is not from this version; run again"))?;
        Ok(Finished {
            folder: folder.to_path_buf(),
            readable: ReadableResult::of(folder, &summary)?,
            summary,
        })
    }

    /// A result that is complete and is yet to be put into its place, its tables as JSON Lines in a folder.
    pub(crate) fn lying_in(folder: &Path, summary: &Summary) -> Self {
        Finished {
            folder: folder.to_path_buf(),
            readable: ReadableResult::as_it_is(folder),
            summary: summary.clone(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether it has a table.
    pub fn has(&self, table: Table) -> bool {
        (self.summary.files).contains_key(&self.summary.file_of(table))
    }

    /// The file with the rows of a table as JSON Lines, if it has the table.
    pub fn file_of(&self, table: Table) -> PathBuf {
        self.readable.folder().join(format!("{table}.jsonl"))
    }

    /// Tells each row of a table as a line of JSON; none if the result has no such table.
    ///
    /// # Errors
    /// If it cannot be read, or with what `each` says is wrong with a row.
    pub fn for_each_line(
        &self,
        table: Table,
        mut each: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<(), Error> {
        if !self.has(table) {
            return Ok(());
        }
        let mut file = BufReader::with_capacity(1 << 18, self.file(table)?);
        let (mut line, mut number) = (String::new(), 0u64);
        loop {
            number += 1;
            let read = file.read_line(&mut line).map_err(|error| error.to_string());
            let told = read.and_then(|bytes| match bytes {
                0 => Ok(false),
                _ => each(line.trim_end_matches('\n')).map(|()| true),
            });
            let wrong = |problem| {
                let name = self.summary.file_of(table);
                unusable(&self.folder, format!("{name}, line {number}: {problem}"))
            };
            if !told.map_err(wrong)? {
                return Ok(());
            }
            line.clear();
        }
    }

    /// The rows of a table as lines of JSON; none if the result has no such table.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn lines(
        &self,
        table: Table,
    ) -> Result<impl Iterator<Item = std::io::Result<String>> + use<>, Error> {
        let file = self.has(table).then(|| self.file(table)).transpose()?;
        let lines = |file: File| BufReader::new(file).lines();
        Ok(file.into_iter().flat_map(lines))
    }

    fn file(&self, table: Table) -> Result<File, Error> {
        let name = self.summary.file_of(table);
        let file = File::open(self.file_of(table));
        file.map_err(|error| unusable(&self.folder, format!("{name}: {error}")))
    }

    /// Where the records with these ids stand, as far as the result knows them.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn records(&self, wanted: &BTreeSet<Id>) -> Result<RecordsById, Error> {
        let mut found = BTreeMap::new();
        self.for_each_line(Table::Records, |line| {
            if let Ok(row) = serde_json::from_str::<RecordRow<'static>>(line)
                && wanted.contains(&row.id)
            {
                found.insert((row.id.clone(), row.against), row);
            }
            Ok(())
        })?;
        Ok(found)
    }
}

/// The folder of a finished result whose tables can be read as JSON Lines: the result itself, or a copy that lasts as long as
/// this.
#[derive(Debug)]
pub struct ReadableResult {
    folder: PathBuf,
    copy: Option<TempDir>,
}

impl ReadableResult {
    /// The result in a folder. Where none is, whoever reads it will say so.
    ///
    /// # Errors
    /// If its tables are of another format and cannot be read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let read = fs::read(folder.join("summary.json")).ok();
        let summary = read.and_then(|bytes| serde_json::from_slice::<Summary>(&bytes).ok());
        match summary {
            Some(summary) => ReadableResult::of(folder, &summary),
            None => Ok(ReadableResult::as_it_is(folder)),
        }
    }

    fn as_it_is(folder: &Path) -> Self {
        ReadableResult {
            folder: folder.to_path_buf(),
            copy: None,
        }
    }

    fn of(folder: &Path, summary: &Summary) -> Result<Self, Error> {
        let mut readable = ReadableResult::as_it_is(folder);
        let Some(tables) = &summary.tables else {
            return Ok(readable);
        };
        let unusable = |error: std::io::Error| unusable(folder, error.to_string());
        let copy = tempfile::tempdir().map_err(unusable)?;
        for table in Table::ALL {
            let name = summary.file_of(table);
            if summary.files.contains_key(&name) {
                let to = copy.path().join(format!("{table}.jsonl"));
                restore_table(table, tables, &folder.join(name), &to)?;
            }
        }
        let [from, to] = [folder, copy.path()].map(|folder| folder.join("summary.json"));
        fs::copy(from, to).map_err(unusable)?;
        readable.copy = Some(copy);
        Ok(readable)
    }

    /// The folder with `pairs.jsonl` and the others.
    pub fn folder(&self) -> &Path {
        self.copy.as_ref().map_or(&self.folder, TempDir::path)
    }
}

pub(crate) fn unusable(result: &Path, problem: impl Into<String>) -> Error {
    Error::Unusable {
        path: result.to_path_buf(),
        problem: problem.into(),
    }
}

/// One side of a pair, or a member of a cluster: a record, or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// The record.
    pub id: Id,
    /// Its title, where the row says it.
    pub title: Option<String>,
    /// The number of the sentence, where it is one.
    pub sentence: Option<u32>,
    /// What it says, where the row says it.
    pub text: Option<String>,
    /// When the record was last changed, where the row says it.
    pub date: Option<String>,
    /// Since when it has had the text, where that is known.
    pub since: Option<String>,
    /// The characters that it has of the record, where it is a part.
    pub span: Option<(usize, usize)>,
}

#[derive(Deserialize)]
struct RawSide {
    id: Id,
    title: Option<String>,
    sentence: Option<u32>,
    text: Option<String>,
    date: Option<String>,
    begin: Option<usize>,
    end: Option<usize>,
}

impl Side {
    /// Reads an id, or an object with one.
    pub fn read(raw: &RawValue) -> Option<Side> {
        if raw.get().starts_with('{') {
            let side: RawSide = serde_json::from_str(raw.get()).ok()?;
            return Some(Side {
                id: side.id,
                title: side.title,
                sentence: side.sentence,
                text: side.text,
                date: side.date,
                since: None,
                span: side.begin.zip(side.end),
            });
        }
        Some(Side::of(Id::from_json(raw.get())?))
    }

    /// A whole record.
    pub fn of(id: Id) -> Side {
        Side {
            id,
            title: None,
            sentence: None,
            text: None,
            date: None,
            since: None,
            span: None,
        }
    }

    /// Its id as it is called, be that a string or a number.
    pub fn called(&self) -> &str {
        called(&self.id)
    }

    /// The day since when it has had the text, as in ` (since 2013-05-01)`, or else the day on which it was last changed; nothing
    /// where no date is known.
    pub fn dated(&self) -> String {
        let day = |date: &str| date.chars().take(10).collect::<String>();
        match (self.since.as_deref(), self.date.as_deref()) {
            (Some(since), _) => format!(" (since {})", day(since)),
            (None, Some(date)) => format!(" ({})", day(date)),
            (None, None) => String::new(),
        }
    }

    /// Its title, or its id.
    pub fn name(&self) -> &str {
        self.title.as_deref().unwrap_or_else(|| self.called())
    }
}

/// An id as it is called, be that a string or a number.
pub fn called(id: &Id) -> &str {
    match id {
        Id::Text(text) | Id::Number(text) => text,
    }
}
