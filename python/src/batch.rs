//! A record batch that Python can hold, hand on and pickle.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::Field;
use arrow_select::concat::concat_batches;
use lookalike::io::{read_batch, write_batch};
use lookalike::program::Failure;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple, PyType};
use pyo3_arrow::PyRecordBatchReader;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_stream_pycapsule};

use crate::errors::calling;

/// Rows with their columns.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Batch {
    pub(crate) batch: RecordBatch,
}

impl Batch {
    fn array(&self) -> (Arc<Field>, ArrayRef) {
        let field = Field::new_struct("", self.batch.schema().fields().clone(), false);
        let array: ArrayRef = Arc::new(StructArray::from(self.batch.clone()));
        (Arc::new(field), array)
    }
}

#[pymethods]
impl Batch {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        let (field, array) = self.array();
        to_array_pycapsules(py, field, &array, requested_schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let (field, array) = self.array();
        let arrays = ArrayIterator::new([Ok(array)], field);
        to_stream_pycapsule(py, Box::new(arrays), requested_schema)
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.batch.schema();
        let fields = schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.batch.num_rows(), self.columns().join(", "));
        format!("<{rows} rows of {columns}>")
    }

    /// What `of_bytes` reads.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = calling(py, || Ok(write_batch(&self.batch)?))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// What `to_bytes` wrote.
    #[staticmethod]
    fn of_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let batch = calling(py, || Ok(read_batch(Cursor::new(bytes))?))?;
        Ok(Batch { batch })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let class: Bound<'py, PyType> = slf.get_type();
        let bytes = slf.get().to_bytes(slf.py())?;
        Ok((class.getattr("of_bytes")?, (bytes,)))
    }
}

/// All rows of what Python gives, as one batch.
pub(crate) fn one_batch(py: Python<'_>, data: PyRecordBatchReader) -> PyResult<RecordBatch> {
    let stream = data.into_reader()?;
    calling(py, move || -> Result<RecordBatch, Failure> {
        let schema = stream.schema();
        let batches = stream.collect::<Result<Vec<_>, _>>()?;
        Ok(concat_batches(&schema, &batches)?)
    })
}
