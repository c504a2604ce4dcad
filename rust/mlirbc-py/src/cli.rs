//! The command line, reached from the wheel's entry point.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Run the command line with these arguments, the program's name first; returns the exit status.
#[pyfunction]
pub(crate) fn run_cli(py: Python<'_>, argv: Vec<OsString>) -> i32 {
    py.detach(|| mlirbc_cli::run(argv))
}
