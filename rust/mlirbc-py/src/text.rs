//! Conversion of text between files and Python.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Converts text of the file: UTF-8, with any other byte as a surrogate escape of Python.
pub(crate) fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => {
            let decoded = PyBytes::new(py, bytes).call_method1("decode", ("utf-8", "surrogateescape"))?;
            Ok(decoded.cast_into::<PyString>()?)
        }
    }
}
