//! The Python package `lookalike`, as far as it is compiled: Arrow data in, a run of the engine, Arrow data out.
//!
//! What users see is in `lookalike/*.py`, which is thin over this; this is thin over the crates `lookalike` (jobs, with the
//! options of the program) and `lookalike-io` (Arrow record batches as a source, tables as batches). Every function here
//! returns errors as exceptions of one hierarchy, catches panics, and releases the interpreter while it works.

// Python hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

mod batch;
mod errors;
mod index;
mod kept;
mod kernels;
mod observe;
mod program;
mod records;
mod run;
mod samples;
mod stages;
mod stream;

use pyo3::prelude::*;

/// Nothing in here is shared between threads without a lock.
#[pymodule(gil_used = false)]
mod _lookalike {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::index::Index;
    #[pymodule_export]
    use crate::kept::Kept;
    #[pymodule_export]
    use crate::kernels::{align, merge, signatures, statistics, verify};
    #[pymodule_export]
    use crate::program::{answer, main, options, settings};
    #[pymodule_export]
    use crate::records::Records;
    #[pymodule_export]
    use crate::run::{Run, run};
    #[pymodule_export]
    use crate::stages::{
        FeatureCounts, Stages, add_counts, aligned, bucket_pairs, buckets_again, common_words,
        components, floors, frames, is_running_text, least_framed, linking, made_up,
        near_identical, near_pairs, neighbour_keys, outlines, page_bands, page_texts,
        pages_in_line, parts_of, prefix_pairs, prefixes, quoted, sampled_words, shared_keys,
        sifted, split, split_pages, stars, stories, unit_digests, worth_aligning,
    };
    #[pymodule_export]
    use crate::stream::{Stream, add_columns, keep_rows};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
