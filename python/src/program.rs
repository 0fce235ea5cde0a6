//! The program and its options.

use std::ffi::OsString;

use lookalike::program;
use pyo3::prelude::*;

use crate::errors::calling;
use crate::observe::awaited;

/// Does what these arguments of a command line say, the first of which is the name of the program, and returns the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    calling(py, || Ok(program::main(arguments)))
}

/// What a command prints that answers a question.
#[pyfunction]
pub(crate) fn answer(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<String> {
    awaited(py, move || program::answer(&arguments))
}

/// The settings that the options of a job come to, as TOML.
#[pyfunction]
pub(crate) fn settings(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<String> {
    calling(py, || {
        let (request, _) = program::job(&arguments)?;
        Ok(toml::to_string(&request.spec.resolved()?)?)
    })
}

/// The options of a command, each with whether it takes a value.
#[pyfunction]
pub(crate) fn options(command: &str) -> Vec<(String, bool)> {
    program::options(command)
}
