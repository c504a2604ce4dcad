//! The `bytes` that `write` returns, filled in place: memory may not suffice for a module and a copy.

#![allow(unsafe_code)]

use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::report::WriteReport;

/// Returns a `WrittenBytes` of `size` bytes, which `fill` writes, with the report of `fill` as an attribute.
pub(crate) fn written_bytes<'py>(
    py: Python<'py>,
    size: usize,
    fill: impl FnOnce(&mut [u8]) -> PyResult<WriteReport>,
) -> PyResult<Bound<'py, PyAny>> {
    // Python makes an object of a derived class by copying a temporary `bytes`. With a size instead of
    // contents, the temporary consists of untouched zeros, which occupy no memory.
    let class = py.import("mlirbc._written")?.getattr("WrittenBytes")?;
    let written = class.call1((size,))?.cast_into::<PyBytes>()?;
    let pointer = written.as_ptr();
    // SAFETY: the object is alive.
    let is_new = unsafe { ffi::Py_REFCNT(pointer) } == 1;
    if !is_new || written.as_bytes().len() != size {
        return Err(PySystemError::new_err("`mlirbc._written.WrittenBytes` does not make new bytes"));
    }
    // SAFETY: the object is alive. It is tracked again below, and one that is not tracked is destroyed in the same way.
    let is_tracked = unsafe { ffi::PyObject_GC_IsTracked(pointer) } != 0;
    if is_tracked {
        // SAFETY: only an object that the collector manages is tracked. From now on, `gc.get_objects` does
        // not find it.
        unsafe { ffi::PyObject_GC_UnTrack(pointer.cast()) };
    }
    // SAFETY: the object has `size` initialised bytes and lives as long as `written`. This is the only reference to it, and the
    // collector cannot hand out another, so nothing reads the bytes meanwhile, and no hash of them is cached.
    let place = unsafe { std::slice::from_raw_parts_mut(ffi::PyBytes_AsString(pointer).cast(), size) };
    let report = fill(place);
    if is_tracked {
        // SAFETY: the object was tracked, and all its fields are valid.
        unsafe { ffi::PyObject_GC_Track(pointer.cast()) };
    }
    written.setattr("report", report?)?;
    Ok(written.into_any())
}
