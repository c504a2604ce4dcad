//! The command line, reached from the wheel's entry point.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Run the command line with these arguments, the program's name first; returns the exit status.
#[pyfunction]
pub(crate) fn run_cli(py: Python<'_>, argv: Vec<OsString>) -> i32 {
    // Commands that run themselves again need the interpreter, whose path is not that of the process in every
    // environment.
    let python = py.import("sys").and_then(|sys| sys.getattr("executable")?.extract::<OsString>());
    let program = [python.unwrap_or_else(|_| "python3".into()), "-m".into(), "mlirbc".into()];
    py.detach(|| mlirbc_cli::run_as(argv, &program))
}
