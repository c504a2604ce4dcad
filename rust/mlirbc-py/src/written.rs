//! The bytes that `write` returns, filled where they are: a module and a copy of it may be more than there is memory for.

#![allow(unsafe_code)]

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::report::WriteReport;

/// A `WrittenBytes` of `size` bytes, all of which `fill` writes, with the report that it returns as an attribute.
pub(crate) fn written_bytes<'py>(
    py: Python<'py>,
    size: usize,
    fill: impl FnOnce(&mut [u8]) -> PyResult<WriteReport>,
) -> PyResult<Bound<'py, PyAny>> {
    // Zeros: Python copies into an object of a derived class, and zeros that nobody wrote take no memory.
    let class = py.import("mlirbc._written")?.getattr("WrittenBytes")?;
    let written = class.call1((size,))?.cast_into::<PyBytes>()?;
    let len = written.as_bytes().len();
    // SAFETY: the object has that many bytes, all of them written, and stays alive as long as `written`. It is new, and nobody
    // else has a reference to it; its hash was never computed.
    let place =
        unsafe { std::slice::from_raw_parts_mut(ffi::PyBytes_AsString(written.as_ptr()).cast(), len) };
    let report = fill(place)?;
    written.setattr("report", report)?;
    Ok(written.into_any())
}
