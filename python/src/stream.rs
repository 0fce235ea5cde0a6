//! Record batches for Python, as often as they are asked for.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, Field, SchemaRef};
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

/// The rows of a stream that stay.
#[pyfunction]
pub(crate) fn keep_rows(stream: PyRecordBatchReader, kept: &Kept) -> PyResult<Stream> {
    let stream = stream.into_reader()?;
    let (schema, bits, mut before) = (stream.schema(), kept.bits.clone(), 0);
    let batches = stream.map(move |batch| {
        let batch = batch?;
        let rows = batch.num_rows();
        let there = bits.len().saturating_sub(before).min(rows);
        if there < rows {
            let problem = "there are more rows than were compared; is it the same data?";
            return Err(ArrowError::InvalidArgumentError(problem.to_string()));
        }
        let here = bits.slice(before, rows);
        before += rows;
        filter_record_batch(&batch, &here)
    });
    let batches = RecordBatchIterator::new(batches, schema);
    Ok(Stream::once(Box::new(batches)))
}
