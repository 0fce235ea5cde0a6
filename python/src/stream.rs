//! Record batches for Python, as often as they are asked for.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, Field, SchemaBuilder, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::PyRecordBatchReader;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};

use crate::errors::exception;
use crate::kept::Kept;

pub(crate) type Batches = Box<dyn RecordBatchReader + Send>;

/// What makes the batches anew; none where they could be read once only and were.
type Make = Box<dyn Fn() -> Result<Option<Batches>, lookalike::program::Failure> + Send + Sync>;

/// Record batches, made as they are read.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Stream {
    schema: SchemaRef,
    make: Make,
}

impl Stream {
    /// Batches that can be made as often as they are asked for.
    pub(crate) fn again(
        schema: SchemaRef,
        make: impl Fn() -> Result<Batches, lookalike::program::Failure> + Send + Sync + 'static,
    ) -> Self {
        Stream {
            schema,
            make: Box::new(move || make().map(Some)),
        }
    }

    /// Batches that can be read once.
    pub(crate) fn once(batches: Batches) -> Self {
        let schema = batches.schema();
        let batches = Mutex::new(Some(batches));
        Stream {
            schema,
            make: Box::new(move || {
                Ok(batches
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .take())
            }),
        }
    }
}

#[pymethods]
impl Stream {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let made = crate::errors::calling(py, || (self.make)())?;
        let batches = made.ok_or_else(|| {
            exception(
                py,
                "InputError",
                "this stream was read already, and can be read once only",
            )
        })?;
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        let field = field.with_metadata(self.schema.metadata().clone());
        let arrays = batches.map(|batch| {
            let array: ArrayRef = Arc::new(StructArray::from(batch?));
            Ok(array)
        });
        let arrays = ArrayIterator::new(arrays, Arc::new(field));
        to_stream_pycapsule(py, Box::new(arrays), requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, &*self.schema)
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }
}

/// Lines of text, one by one.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Lines {
    pub(crate) lines: Mutex<Box<dyn Iterator<Item = io::Result<String>> + Send>>,
}

#[pymethods]
impl Lines {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        crate::errors::calling(py, || {
            let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(lines.next().transpose()?)
        })
    }
}

/// The rows of a stream that stay.
#[pyfunction]
pub(crate) fn keep_rows(stream: PyRecordBatchReader, kept: &Kept) -> PyResult<Stream> {
    let stream = stream.into_reader()?;
    let (schema, bits, mut before) = (stream.schema(), kept.bits.clone(), 0);
    let batches = stream.map(move |batch| {
        let batch = batch?;
        let rows = batch.num_rows();
        if bits.len().saturating_sub(before) < rows {
            return Err(more_rows());
        }
        let here = bits.slice(before, rows);
        before += rows;
        filter_record_batch(&batch, &here)
    });
    let batches = RecordBatchIterator::new(batches, schema);
    Ok(Stream::once(Box::new(batches)))
}

fn more_rows() -> ArrowError {
    let problem = "there are more rows than were compared; is it the same data?";
    ArrowError::InvalidArgumentError(problem.to_string())
}

/// The columns of a stream and those of another one with as many rows, under names that begin with `prefix`.
#[pyfunction]
pub(crate) fn add_columns(
    stream: PyRecordBatchReader,
    more: PyRecordBatchReader,
    prefix: &str,
) -> PyResult<Stream> {
    let (stream, mut more) = (stream.into_reader()?, more.into_reader()?);
    let (mut schema, added) = (SchemaBuilder::from(&*stream.schema()), more.schema());
    for field in added.fields() {
        let name = format!("{prefix}{}", field.name());
        schema.push(Arc::new(field.as_ref().clone().with_name(name)));
    }
    let schema = Arc::new(schema.finish());
    let (joined, mut left) = (Arc::clone(&schema), RecordBatch::new_empty(added));
    let batches = stream.map(move |batch| {
        let batch = batch?;
        let (mut rows, mut parts) = (left.num_rows(), vec![left.clone()]);
        while rows < batch.num_rows() {
            let next = more.next().ok_or_else(more_rows)??;
            rows += next.num_rows();
            parts.push(next);
        }
        let all = concat_batches(&left.schema(), &parts)?;
        let here = all.slice(0, batch.num_rows());
        left = all.slice(batch.num_rows(), rows - batch.num_rows());
        let columns = batch.columns().iter().chain(here.columns()).cloned();
        RecordBatch::try_new(Arc::clone(&joined), columns.collect())
    });
    let batches = RecordBatchIterator::new(batches, schema);
    Ok(Stream::once(Box::new(batches)))
}
