//! Data of Python as a source of records: Arrow batches, in place or copied to a file, or lines of JSON.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use lookalike::Observer;
use lookalike::engine::{AnswerFields, Block, BlockPlace, Failure, ReadBlocks, Source};
use lookalike::io::{ArrowRecords, Input, InputOptions, Record, Wanted};
use lookalike::kernel::Spec;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use crate::errors::calling;
use crate::observe::{TICK, hear};
use crate::stream::Stream;

/// Data of Python as records.
#[pyclass(frozen, from_py_object, module = "lookalike._lookalike")]
#[derive(Clone)]
pub(crate) struct Records {
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Arrow(ArrowRecords),
    Lines { name: String, file: PathBuf },
}

#[pymethods]
impl Records {
    /// Batches that can be read again, where they are.
    #[staticmethod]
    fn in_place(
        py: Python<'_>,
        data: PyRecordBatchReader,
        name: &str,
        looks_at_content: bool,
    ) -> PyResult<Self> {
        let stream = data.into_reader()?;
        calling(py, || {
            let schema = stream.schema();
            let batches = stream.collect::<Result<Vec<_>, _>>();
            let batches = batches.map_err(|error| unread(name, &error))?;
            let records = ArrowRecords::in_place(name, schema, batches, looks_at_content);
            Ok(Records {
                kind: Kind::Arrow(records),
            })
        })
    }

    /// Batches that can be read once, copied to a file in a folder.
    #[staticmethod]
    fn spooled(
        py: Python<'_>,
        data: PyRecordBatchReader,
        name: &str,
        folder: PathBuf,
    ) -> PyResult<Self> {
        let interrupt = Mutex::new(None);
        let stream = Heard {
            batches: data.into_reader()?,
            heard: Instant::now(),
            interrupt: &interrupt,
        };
        let copied = calling(py, move || {
            let records = ArrowRecords::spooled(name, stream, &folder)?;
            Ok(Records {
                kind: Kind::Arrow(records),
            })
        });
        let interrupt = interrupt.into_inner();
        match interrupt.unwrap_or_else(PoisonError::into_inner) {
            Some(interrupt) => Err(interrupt),
            None => copied,
        }
    }

    /// The lines of a file, each a record as JSON.
    #[staticmethod]
    fn lines(file: PathBuf, name: String) -> Self {
        Records {
            kind: Kind::Lines { name, file },
        }
    }

    /// The batches again, where they are batches.
    fn stream(&self) -> Option<Stream> {
        let Kind::Arrow(records) = &self.kind else {
            return None;
        };
        let (schema, records) = (Arc::clone(records.schema()), records.clone());
        Some(Stream::again(schema, move || {
            let schema = Arc::clone(records.schema());
            Ok(Box::new(RecordBatchIterator::new(
                records.batches(),
                schema,
            )))
        }))
    }
}

/// Batches between which signals are heard.
struct Heard<'i, B> {
    batches: B,
    heard: Instant,
    interrupt: &'i Mutex<Option<PyErr>>,
}

impl<B> Heard<'_, B> {
    fn stop_with(&self, interrupt: PyErr) {
        let told = self.interrupt.lock();
        *told.unwrap_or_else(PoisonError::into_inner) = Some(interrupt);
    }
}

impl<B: RecordBatchReader> Iterator for Heard<'_, B> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.heard.elapsed() >= TICK {
            self.heard = Instant::now();
            if let Err(interrupt) = Python::attach(hear) {
                self.stop_with(interrupt);
                return Some(Err(ArrowError::ComputeError("interrupted".to_string())));
            }
        }
        let batch = self.batches.next()?;
        if let Err(error) = &batch
            && raised(error).is_some_and(|raised| raised.starts_with("KeyboardInterrupt"))
        {
            self.stop_with(PyKeyboardInterrupt::new_err(()));
        }
        Some(batch.map_err(|error| match raised(&error) {
            Some(raised) => ArrowError::ComputeError(raised),
            None => error,
        }))
    }
}

/// The exception of Python that made a stream fail, of which Arrow hands on the text: its last line.
fn raised(error: &ArrowError) -> Option<String> {
    let text = error.to_string();
    let (_, trace) = text.split_once("Python exception:")?;
    let mut lines = trace.lines().rev();
    lines
        .find(|line| !line.trim().is_empty())
        .map(str::to_string)
}

impl<B: RecordBatchReader> RecordBatchReader for Heard<'_, B> {
    fn schema(&self) -> SchemaRef {
        self.batches.schema()
    }
}

fn unread(name: &str, error: &arrow_schema::ArrowError) -> lookalike::io::Error {
    lookalike::io::Error::Damaged {
        name: name.to_string(),
        format: "an Arrow stream",
        cause: error.to_string(),
    }
}

impl Records {
    /// As the spec reads them.
    pub(crate) fn source(
        &self,
        spec: &Spec,
        spool: &Path,
    ) -> Result<Box<dyn Source>, lookalike::io::Error> {
        let max_record = spec.input.max_record;
        Ok(match &self.kind {
            Kind::Arrow(records) => Box::new(records.clone().with_largest(max_record)),
            Kind::Lines { name, file } => {
                let options = InputOptions::default().with(|options| {
                    options.max_record = max_record;
                });
                let file = file.display().to_string();
                let mut input = Input::resolve(&[file], &options, spool)?;
                for source in &mut input.sources {
                    source.name.clone_from(name);
                }
                Box::new(Named {
                    name: name.clone(),
                    input,
                })
            }
        })
    }
}

/// Files under another name.
#[derive(Debug)]
struct Named {
    name: String,
    input: Input,
}

impl Source for Named {
    fn pass<'s>(&'s self, wanted: &Wanted) -> Box<dyn ReadBlocks + 's> {
        Source::pass(&self.input, wanted)
    }

    fn check(&self, wanted: &Wanted) -> Result<(), Failure> {
        Source::check(&self.input, wanted)
    }

    fn fields(&self, records: u32) -> Result<Option<Vec<String>>, Failure> {
        Source::fields(&self.input, records)
    }

    fn bytes(&self) -> u64 {
        Source::bytes(&self.input)
    }

    fn fingerprint(&self) -> u64 {
        Source::fingerprint(&self.input)
    }

    fn changed(&self) -> Option<String> {
        Source::changed(&self.input)
    }

    fn touched(&self) -> Option<u64> {
        Source::touched(&self.input)
    }

    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn part_name(&self, _: u32) -> &str {
        &self.name
    }

    fn answers(&self) -> Option<AnswerFields> {
        self.input.answers()
    }

    fn apart_by(&self) -> Option<&str> {
        self.input.apart_by()
    }

    fn has_revisions(&self) -> bool {
        self.input.has_revisions()
    }

    fn revisions(
        &self,
        wanted: &Wanted,
        is_wanted: &dyn Fn(u32, u64) -> bool,
        each: &mut dyn FnMut(u32, Record<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.input.revisions(wanted, is_wanted, each)
    }
}

/// A source that ends with an error once somebody wants it to stop.
pub(crate) struct Stoppable<'s> {
    pub(crate) source: &'s dyn Source,
    pub(crate) observer: &'s dyn Observer,
}

impl fmt::Debug for Stoppable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

struct StoppablePass<'s> {
    pass: Box<dyn ReadBlocks + 's>,
    observer: &'s dyn Observer,
}

impl ReadBlocks for StoppablePass<'_> {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Failure> {
        if self.observer.is_stopped() {
            return Err(Box::new(lookalike::engine::Error::Stopped));
        }
        self.pass.next_block(block)
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Failure> {
        self.pass.seek(place)
    }

    fn bytes_read(&self) -> u64 {
        self.pass.bytes_read()
    }
}

impl Source for Stoppable<'_> {
    fn pass<'s>(&'s self, wanted: &Wanted) -> Box<dyn ReadBlocks + 's> {
        Box::new(StoppablePass {
            pass: self.source.pass(wanted),
            observer: self.observer,
        })
    }

    fn check(&self, wanted: &Wanted) -> Result<(), Failure> {
        self.source.check(wanted)
    }

    fn fields(&self, records: u32) -> Result<Option<Vec<String>>, Failure> {
        self.source.fields(records)
    }

    fn bytes(&self) -> u64 {
        self.source.bytes()
    }

    fn fingerprint(&self) -> u64 {
        self.source.fingerprint()
    }

    fn changed(&self) -> Option<String> {
        self.source.changed()
    }

    fn touched(&self) -> Option<u64> {
        self.source.touched()
    }

    fn names(&self) -> Vec<String> {
        self.source.names()
    }

    fn part_name(&self, part: u32) -> &str {
        self.source.part_name(part)
    }

    fn place(&self, part: u32, line: u64) -> (String, Option<u64>) {
        self.source.place(part, line)
    }

    fn answers(&self) -> Option<AnswerFields> {
        self.source.answers()
    }

    fn apart_by(&self) -> Option<&str> {
        self.source.apart_by()
    }

    fn has_revisions(&self) -> bool {
        self.source.has_revisions()
    }

    fn revisions(
        &self,
        wanted: &Wanted,
        is_wanted: &dyn Fn(u32, u64) -> bool,
        each: &mut dyn FnMut(u32, Record<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.source.revisions(wanted, is_wanted, each)
    }

    fn has_block_lines(&self) -> bool {
        self.source.has_block_lines()
    }
}
