//! The whole input with what a run found of each record: `--annotate`.
//!
//! In: the input and a finished result. Out: every record, with `"lookalike": {"cluster", "size", "kept", "of", "similarity"}`
//! added to it. Both the records of the result and the input are in input order, so that they are read side by side; only the
//! sizes of the clusters are held in memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Lines};
use std::path::Path;

use lookalike_io::{AnnotatedFile, Input};
use lookalike_kernel::rows::{Column, ColumnKind, Id, RecordCluster, RecordRow, RemovedRow};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, ReadableResult};

/// What is said of a record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Annotation {
    /// The record that its cluster is named by; none where it is in no cluster.
    pub cluster: Option<Id>,
    /// How many records the cluster has.
    pub size: u64,
    /// Whether the record stays.
    pub kept: bool,
    /// The record that is kept for it, where it does not stay,
    pub of: Option<Id>,
    /// and how similar it is to that one.
    pub similarity: Option<f64>,
}

impl Annotation {
    /// The columns, where annotations are a table.
    pub const COLUMNS: &[Column] = &[
        Column {
            name: "cluster",
            kind: ColumnKind::Id,
            optional: true,
        },
        Column {
            name: "size",
            kind: ColumnKind::Integer,
            optional: false,
        },
        Column {
            name: "kept",
            kind: ColumnKind::Boolean,
            optional: false,
        },
        Column {
            name: "of",
            kind: ColumnKind::Id,
            optional: true,
        },
        Column {
            name: "similarity",
            kind: ColumnKind::Real,
            optional: true,
        },
    ];
}

/// What is said of the records of an input, in their order.
pub struct Annotations {
    sizes: BTreeMap<Id, u64>,
    records: Rows<RecordRow<'static>>,
    removed: Rows<RemovedRow>,
    record: Option<RecordRow<'static>>,
    gone: Option<RemovedRow>,
}

impl Annotations {
    /// Those of a result whose tables lie in a folder as JSON Lines.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn open(result: &Path) -> Result<Self, Error> {
        let unusable = |error: std::io::Error| Error::Unusable {
            path: result.to_path_buf(),
            problem: error.to_string(),
        };
        let mut sizes: BTreeMap<Id, u64> = BTreeMap::new();
        let mut clusters = Rows::<RecordCluster<'static>>::open(result, "clusters.jsonl")?;
        while let Some(cluster) = clusters.next().map_err(unusable)? {
            sizes.insert(cluster.cluster, cluster.size);
        }
        let mut records = Rows::<RecordRow<'static>>::open(result, "records.jsonl")?;
        let mut removed = Rows::<RemovedRow>::open(result, "removed.jsonl")?;
        let record = records.next().map_err(unusable)?;
        let gone = removed.next().map_err(unusable)?;
        Ok(Annotations {
            sizes,
            records,
            removed,
            record,
            gone,
        })
    }

    /// What is said of the record of this number, from 1, which is larger than that of the last call.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn of(&mut self, number: u64) -> io::Result<Annotation> {
        let is_before = |record: &RecordRow<'_>| record.against || record.order < number;
        while self.record.as_ref().is_some_and(is_before) {
            self.record = self.records.next()?;
        }
        let here = self.record.as_ref();
        let here = here.filter(|record| record.order == number);
        let taken = match (&self.gone, here) {
            (Some(row), Some(record)) if row.id == record.id => self.gone.take(),
            _ => None,
        };
        if taken.is_some() {
            self.gone = self.removed.next()?;
        }
        let of = taken.as_ref().map(|row| &row.kept);
        let cluster = of.or(here.map(|record| &record.id));
        let cluster = cluster.filter(|id| self.sizes.contains_key(id));
        Ok(Annotation {
            cluster: cluster.cloned(),
            size: cluster.map_or(1, |id| self.sizes[id]),
            kept: taken.is_none(),
            of: of.cloned(),
            similarity: taken.as_ref().and_then(|row| row.similarity),
        })
    }
}

/// Writes the first records of the input, at most so many, with what a result says of them.
pub(crate) fn annotate(
    input: &Input,
    (result, most): (&Path, u64),
    file: &AnnotatedFile,
) -> Result<(), Error> {
    let readable = ReadableResult::open(result)?;
    let mut annotations = Annotations::open(readable.folder())?;
    file.write(input, (result, most), &mut |number| {
        Ok(serde_json::to_string(&annotations.of(number)?)?)
    })?;
    Ok(())
}

/// The rows of a file of a result, one by one.
struct Rows<T> {
    lines: Lines<BufReader<File>>,
    rows: std::marker::PhantomData<T>,
}

impl<T: DeserializeOwned> Rows<T> {
    fn open(result: &Path, name: &str) -> Result<Self, Error> {
        let path = result.join(name);
        let file = File::open(&path).map_err(|error| Error::Unusable {
            path: path.clone(),
            problem: error.to_string(),
        })?;
        Ok(Rows {
            lines: BufReader::new(file).lines(),
            rows: std::marker::PhantomData,
        })
    }

    fn next(&mut self) -> Result<Option<T>, std::io::Error> {
        match self.lines.next() {
            None => Ok(None),
            Some(line) => Ok(Some(serde_json::from_str(&line?)?)),
        }
    }
}
