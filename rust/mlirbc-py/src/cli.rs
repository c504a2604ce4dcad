//! The command line, called by the entry point of the wheel.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::open::open_url;

/// Run the command line with these arguments, the program's name first; returns the exit status.
#[pyfunction]
pub(crate) fn run_cli(py: Python<'_>, argv: Vec<OsString>) -> i32 {
    // Commands that run themselves again need the path of the interpreter, which is not the path of the
    // process in every environment.
    let python = py.import("sys").and_then(|sys| sys.getattr("executable")?.extract::<OsString>());
    let words = vec![python.unwrap_or_else(|_| "python3".into()), "-m".into(), "mlirbc".into()];
    let program = mlirbc_cli::Program { words, open_url: Some(open_url) };
    py.detach(|| mlirbc_cli::run_as(argv, &program))
}

/// Returns the hint of an error for the options of `mlirbc query`.
#[pyfunction]
#[pyo3(signature = (identifier, hint))]
pub(crate) fn _query_hint(identifier: &str, hint: Option<&str>) -> Option<String> {
    mlirbc_cli::hint_of_query(identifier, hint)
}

/// Whether a spreadsheet may take a text for a formula.
#[pyfunction]
pub(crate) fn _is_formula(text: &str) -> bool {
    mlirbc_cli::is_formula(text)
}
