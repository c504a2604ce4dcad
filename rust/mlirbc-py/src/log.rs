//! Records for the logger `mlirbc` of Python.

use pyo3::intern;
use pyo3::prelude::*;

const DEBUG: u8 = 10;

/// Sends a debug record to the `mlirbc` logger. Does nothing until the program has imported `logging`: before that there
/// can be no handler, and importing it here would slow down programs that do not log.
pub(crate) fn debug(py: Python<'_>, text: impl FnOnce() -> String) -> PyResult<()> {
    let modules = py.import(intern!(py, "sys"))?.getattr(intern!(py, "modules"))?;
    if !modules.contains(intern!(py, "logging"))? {
        return Ok(());
    }
    let logger = py.import(intern!(py, "mlirbc._logging"))?.getattr(intern!(py, "logger"))?;
    if logger.call_method1(intern!(py, "isEnabledFor"), (DEBUG,))?.is_truthy()? {
        logger.call_method1(intern!(py, "debug"), ("%s", text()))?;
    }
    Ok(())
}

/// Logs that a file was written.
pub(crate) fn saved(py: Python<'_>, path: &std::path::Path) -> PyResult<()> {
    debug(py, || {
        let size = std::fs::metadata(path).map_or(0, |written| written.len());
        format!("saved {}: {size} bytes", path.display())
    })
}
