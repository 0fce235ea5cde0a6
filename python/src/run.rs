//! A run of a job, and its result.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use arrow_array::RecordBatchReader;
use lookalike::engine::{CleanCorpus, Source};
use lookalike::finished::Finished;
use lookalike::io::{TableBatches, columns_of_file, has_number_ids};
use lookalike::jobs::{Outcome, PairRows};
use lookalike::kernel::IdSource;
use lookalike::kernel::rows::{Column, Shape, Table};
use lookalike::program::{self, Failure};
use lookalike::{Annotation, Annotations, Observer, RunOptions, Sources, Spec};
use pyo3::prelude::*;
use tempfile::TempDir;

use crate::errors::calling;
use crate::kept::{Keeping, Kept};
use crate::observe::watched;
use crate::records::Records;
use crate::samples::{self, Texts};
use crate::stream::{Lines, Stream};

/// A finished run.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Run {
    inner: Arc<Inner>,
    kept: Option<Kept>,
    records: Option<Records>,
    against: Option<Records>,
}

struct Inner {
    finished: Finished,
    number_ids: OnceLock<bool>,
    /// Holds the result until nobody needs it, unless it has a place of its own.
    _temporary: Option<TempDir>,
}

/// Runs a job.
///
/// `arguments` are those of the program. What is not named there is given as records. A temporary result goes with the object.
#[pyfunction]
#[pyo3(signature = (arguments, *, records=None, against=None, is_temporary=false, may_number=false, progress=None))]
pub(crate) fn run(
    py: Python<'_>,
    arguments: Vec<OsString>,
    records: Option<Records>,
    against: Option<Records>,
    is_temporary: bool,
    may_number: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Run> {
    let (request, mut options) = calling(py, || program::job(&arguments))?;
    let mut spec = request.spec.clone();
    let temporary = calling(py, || match is_temporary {
        true => Ok(Some(folder_for(&mut options)?)),
        false => Ok(None),
    })?;
    let kept = watched(py, progress, |observer| {
        if records.is_none() && against.is_none() {
            lookalike::run(&request, &options, observer)?;
            return Ok(None);
        }
        let spool = tempfile::tempdir()?;
        let open =
            |records: &Option<Records>, names: &[String]| -> Result<Box<dyn Source>, Failure> {
                Ok(match records {
                    Some(records) => records.source(&request.spec, spool.path())?,
                    None => Box::new(lookalike::open_files(&request.spec, names, spool.path())?),
                })
            };
        let input = open(&records, &request.inputs)?;
        let other = match &against {
            None if request.against.is_empty() => None,
            against => Some(open(against, &request.against)?),
        };
        if may_number && other.is_none() && lacks_ids(&*input, &spec)? {
            spec.input.ids = IdSource::Number;
        }
        let sources = Sources {
            input: &*input,
            against: other.as_deref(),
            pair_list: request.pair_list.as_deref(),
            clean: None,
        };
        run_sources(&spec, sources, &options, observer)
    })?;
    let finished = calling(py, || Ok(Finished::open(&options.out)?))?;
    Ok(Run {
        inner: Arc::new(Inner {
            finished,
            number_ids: OnceLock::new(),
            _temporary: temporary,
        }),
        kept,
        records,
        against,
    })
}

/// Runs, and notes which records stay where some are removed.
fn run_sources(
    spec: &Spec,
    sources: Sources<'_>,
    options: &RunOptions,
    observer: &dyn Observer,
) -> Result<Option<Kept>, Failure> {
    let keeping = Keeping::default();
    let removes = spec.job.removes_records(spec);
    let sources = Sources {
        clean: removes.then_some(&keeping as &dyn CleanCorpus),
        ..sources
    };
    let summary = lookalike::run_sources(spec, &sources, options, observer)?;
    Ok(removes.then(|| keeping.finish(summary.counts.records)))
}

/// Makes a folder for a result that nobody named one for.
fn folder_for(options: &mut RunOptions) -> Result<TempDir, Failure> {
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix("lookalike-");
    let folder = match options.work_dir.take() {
        Some(folder) => {
            std::fs::create_dir_all(&folder)?;
            builder.tempdir_in(folder)?
        }
        None => builder.tempdir()?,
    };
    options.out = folder.path().join("result");
    options.report = None;
    Ok(folder)
}

/// Whether no record has the usual field of ids.
pub(crate) fn lacks_ids(source: &dyn Source, spec: &Spec) -> Result<bool, Failure> {
    let fields = source
        .fields(1000)
        .map_err(lookalike::engine::Error::Source)?;
    let has = |fields: Vec<String>| fields.contains(&spec.input.id_field);
    Ok(!fields.is_some_and(has))
}

impl Inner {
    fn columns(&self, table: Table) -> Result<Vec<Column>, Failure> {
        let there = columns_of_file(table, &self.finished.file_of(table))?;
        let parameters = &self.finished.summary.parameters;
        Ok(there.unwrap_or_else(|| usual_shape(table, parameters).columns().to_vec()))
    }

    /// Whether all ids of the result are whole numbers.
    fn has_number_ids(&self) -> Result<bool, Failure> {
        if let Some(known) = self.number_ids.get() {
            return Ok(*known);
        }
        let mut all = true;
        for table in Table::ALL {
            if all && self.finished.has(table) {
                let file = self.finished.file_of(table);
                all = has_number_ids(&self.columns(table)?, &file)?;
            }
        }
        Ok(*self.number_ids.get_or_init(|| all))
    }

    fn batches(&self, table: Table) -> Result<TableBatches, Failure> {
        let columns = self.columns(table)?;
        let file = self.finished.file_of(table);
        Ok(TableBatches::open(&columns, self.has_number_ids()?, &file)?)
    }

    /// What is said of each record, as JSON.
    fn said(&self) -> Result<impl Iterator<Item = io::Result<String>> + Send + use<>, Failure> {
        let mut annotations =
            Annotations::open(&self.finished.file_of(Table::Records).with_file_name(""))?;
        let records = self.finished.summary.counts.records;
        Ok((1..=records).map(move |number| {
            let annotation = annotations.of(number)?;
            Ok(serde_json::to_string(&annotation)?)
        }))
    }

    fn annotations(&self) -> Result<TableBatches, Failure> {
        let (number_ids, lines) = (self.has_number_ids()?, self.said()?);
        Ok(TableBatches::of(Annotation::COLUMNS, number_ids, lines))
    }
}

/// What the rows of a table say where there are none.
fn usual_shape(table: Table, spec: &Spec) -> Shape {
    let outcome = spec.job.outcome();
    let of_table = |shape: &Shape| shape.table() == table;
    match (table, outcome) {
        (Table::Pairs, Outcome::Passages) => Shape::DocumentPairs,
        (Table::Pairs, Outcome::Pairs(PairRows::Sentences)) => Shape::SentencePairs,
        (Table::Pairs, _) if !spec.compared_fields().is_empty() => Shape::ThreadPairs,
        (Table::Pairs, _) if spec.job.tells_differences() => Shape::MessagePairs,
        (Table::Clusters, Outcome::Passages) => Shape::DocumentClusters,
        (Table::Clusters, Outcome::Pairs(PairRows::Sentences)) => Shape::SentenceClusters,
        _ => Shape::ALL
            .into_iter()
            .find(of_table)
            .unwrap_or(Shape::RecordPairs),
    }
}

fn named(name: &str) -> Option<Table> {
    Table::ALL.into_iter().find(|table| table.name() == name)
}

#[pymethods]
impl Run {
    /// A result that the program or an earlier run wrote into a folder.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let finished = calling(py, || Ok(Finished::open(&folder)?))?;
        Ok(Run {
            inner: Arc::new(Inner {
                finished,
                number_ids: OnceLock::new(),
                _temporary: None,
            }),
            kept: None,
            records: None,
            against: None,
        })
    }

    /// The folder of the result.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.inner.finished.folder().to_path_buf()
    }

    /// The summary as JSON.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        calling(py, || {
            Ok(serde_json::to_string(&self.inner.finished.summary)?)
        })
    }

    /// The file of a table as lines of JSON; none where the result has no such table.
    fn lines(&self, table: &str) -> Option<PathBuf> {
        let table = named(table).filter(|table| self.inner.finished.has(*table))?;
        Some(self.inner.finished.file_of(table))
    }

    /// A table; none where the result has none.
    fn table(&self, py: Python<'_>, table: &str) -> PyResult<Option<Stream>> {
        let Some(table) = named(table).filter(|table| self.inner.finished.has(*table)) else {
            return Ok(None);
        };
        let schema = calling(py, || Ok(self.inner.batches(table)?.schema()))?;
        let inner = Arc::clone(&self.inner);
        let stream = Stream::again(schema, move || Ok(Box::new(inner.batches(table)?)));
        Ok(Some(stream))
    }

    /// What is said of each record, in their order.
    fn annotations(&self, py: Python<'_>) -> PyResult<Stream> {
        let schema = calling(py, || Ok(self.inner.annotations()?.schema()))?;
        let inner = Arc::clone(&self.inner);
        Ok(Stream::again(schema, move || {
            Ok(Box::new(inner.annotations()?))
        }))
    }

    /// The same as lines of JSON.
    fn said(&self, py: Python<'_>) -> PyResult<Lines> {
        let lines = calling(py, || self.inner.said())?;
        Ok(Lines {
            lines: Mutex::new(Box::new(lines)),
        })
    }

    /// Which records stay, where records were given and some may be removed.
    #[getter]
    fn kept(&self) -> Option<Kept> {
        self.kept.clone()
    }

    /// The records that were given.
    #[getter]
    fn records(&self) -> Option<Records> {
        self.records.clone()
    }

    /// The strongest and the weakest pairs with their texts, as JSON.
    fn samples(&self, py: Python<'_>, most: usize) -> PyResult<String> {
        calling(py, || {
            let texts = Texts {
                records: self.records.as_ref(),
                against: self.against.as_ref(),
            };
            samples::read(&self.inner.finished, &texts, most)
        })
    }
}
