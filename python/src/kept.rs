//! Which records stay, a bit each.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::BooleanArray;
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use arrow_schema::{DataType, Field};
use lookalike::engine::{Block, CleanCorpus, Failure, WriteClean};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::to_array_pycapsules;

/// Which records stay, in their order.
#[pyclass(frozen, module = "lookalike._lookalike")]
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) bits: BooleanArray,
}

#[pymethods]
impl Kept {
    fn __len__(&self) -> usize {
        self.bits.values().len()
    }

    fn __getitem__(&self, record: isize) -> PyResult<bool> {
        let len = self.__len__();
        let at = usize::try_from(record).ok().filter(|at| *at < len);
        let at = at.ok_or_else(|| PyIndexError::new_err("there is no such record"))?;
        Ok(self.bits.value(at))
    }

    /// What `mask` gave.
    #[staticmethod]
    fn of_mask(mask: &[u8]) -> Self {
        let bits = BooleanBuffer::collect_bool(mask.len(), |at| mask[at] != 0);
        Kept {
            bits: BooleanArray::new(bits, None),
        }
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let class = slf.get_type().getattr("of_mask")?;
        Ok((class, (slf.get().mask(slf.py()),)))
    }

    /// How many stay.
    fn count(&self) -> usize {
        self.bits.true_count()
    }

    /// A byte a record, 0 or 1.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.bits.values().iter().map(u8::from).collect();
        PyBytes::new(py, &bytes)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        let field = Arc::new(Field::new("kept", DataType::Boolean, false));
        to_array_pycapsules(py, field, &self.bits, requested_schema)
    }
}

/// A cleaned corpus that is nothing but which records are in it.
#[derive(Default)]
pub(crate) struct Keeping(Mutex<Option<BooleanBufferBuilder>>);

impl Keeping {
    /// What stays of so many records; those that were not looked at do not.
    pub(crate) fn finish(self, records: u64) -> Kept {
        let bits = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut bits = bits.unwrap_or_else(|| BooleanBufferBuilder::new(0));
        let missing = (records as usize).saturating_sub(bits.len());
        bits.append_n(missing, false);
        Kept {
            bits: BooleanArray::new(bits.finish(), None),
        }
    }
}

impl CleanCorpus for Keeping {
    fn check(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn begin(&self) -> Result<Box<dyn WriteClean + '_>, Failure> {
        Ok(Box::new(Keeper {
            of: self,
            bits: BooleanBufferBuilder::new(0),
        }))
    }
}

struct Keeper<'k> {
    of: &'k Keeping,
    bits: BooleanBufferBuilder,
}

impl WriteClean for Keeper<'_> {
    fn write(&mut self, block: &Block, keep: &mut dyn FnMut(u32) -> bool) -> Result<(), Failure> {
        let slots = block.decode(&mut |_| false, &mut |_, _| {})?;
        for slot in 0..slots {
            self.bits.append(keep(slot));
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        let mut kept = self.of.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(self.bits);
        Ok(())
    }
}
