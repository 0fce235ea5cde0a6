//! Data of Python as a source of records: Arrow batches, in place or copied to a file, or lines of JSON.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatchIterator;
use lookalike::engine::{Failure, ReadBlocks, Source};
use lookalike::io::{ArrowRecords, Input, InputOptions, Wanted};
use lookalike::kernel::Spec;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

use crate::errors::calling;
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
        let stream = data.into_reader()?;
        calling(py, move || {
            let records = ArrowRecords::spooled(name, stream, &folder)?;
            Ok(Records {
                kind: Kind::Arrow(records),
            })
        })
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

    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn part_name(&self, _: u32) -> &str {
        &self.name
    }
}
