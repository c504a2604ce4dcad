//! Buffers of the elements of attributes, as the arrays of `to_numpy` hand them out.

#![allow(unsafe_code)]

use std::ffi::c_int;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::handle::entry::Attribute;

/// The base of the classes that have `to_numpy`: a buffer is that of the array.
#[pyclass(frozen, subclass, extends = Attribute, module = "mlirbc")]
pub(crate) struct _Elements;

#[pymethods]
impl _Elements {
    #[new]
    #[classmethod]
    #[pyo3(signature = (cast_from = None, /))]
    fn new(
        cls: &Bound<'_, PyType>,
        cast_from: Option<&Bound<'_, Attribute>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        Ok(PyClassInitializer::from(Attribute::new(cls, cast_from)?).add_subclass(Self))
    }

    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let py = slf.py();
        let array = slf.call_method0("to_numpy")?;
        if view.is_null() {
            return Err(PyBufferError::new_err("no view to fill"));
        }
        // SAFETY: `view` is the pointer that the interpreter passed to this slot; the array fills it and is what it
        // keeps alive.
        if unsafe { ffi::PyObject_GetBuffer(array.as_ptr(), view, flags) } == 0 {
            // Bytes of a file lie where they lie: NumPy marks that by `=`, which `memoryview` does not read.
            // SAFETY: the view was filled, and its format, if there is one, ends with a zero byte.
            unsafe {
                let format = (*view).format;
                if !format.is_null() && *format.cast::<u8>() == b'=' {
                    (*view).format = format.add(1);
                }
            }
            return Ok(());
        }
        let error = PyErr::fetch(py);
        // NumPy has other errors for dtypes that buffers cannot describe.
        if error.is_instance_of::<PyBufferError>(py) {
            return Err(error);
        }
        Err(PyBufferError::new_err(error.value(py).to_string()))
    }
}
