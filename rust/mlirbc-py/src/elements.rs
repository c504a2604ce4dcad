//! Buffers of the elements of attributes, exported through the arrays of `to_numpy`.

#![allow(unsafe_code)]

use std::ffi::c_int;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::class::HandleTarget;
use crate::handle::entry::Attribute;

/// The base of the classes with `to_numpy`; it exports the buffer of the array.
#[pyclass(frozen, subclass, extends = Attribute, module = "mlirbc")]
#[derive(Default)]
pub(crate) struct _Elements {
    // The array whose buffers were exported, with the entry that it belongs to: NumPy keeps the attribute
    // alive and not the owner of the buffer. A handle gets another entry only while nothing else refers to
    // it.
    exported: Mutex<Option<(Option<u32>, Py<PyAny>)>>,
}

impl _Elements {
    /// Returns the array whose buffers this entry exports.
    fn exported<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let array = slf.call_method0("to_numpy")?;
        let entry = match &slf.as_super().get().held {
            HandleTarget::InFile(_, id) => Some(id.load(Ordering::Relaxed)),
            HandleTarget::Alone(_) => None,
        };
        let mut exported = slf.get().exported.lock().unwrap_or_else(PoisonError::into_inner);
        match &*exported {
            Some((of, array)) if *of == entry => Ok(array.bind(slf.py()).clone()),
            _ => {
                *exported = Some((entry, array.clone().unbind()));
                Ok(array)
            }
        }
    }
}

#[pymethods]
impl _Elements {
    #[new]
    #[classmethod]
    #[pyo3(signature = (cast_from = None, /))]
    fn new(
        cls: &Bound<'_, PyType>,
        cast_from: Option<&Bound<'_, Attribute>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        Ok(PyClassInitializer::from(Attribute::new(cls, cast_from)?).add_subclass(Self::default()))
    }

    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let py = slf.py();
        let array = Self::exported(&slf)?;
        if view.is_null() {
            return Err(PyBufferError::new_err("no view to fill"));
        }
        // SAFETY: `view` is the pointer that the interpreter passed to this slot; the array fills the view,
        // which keeps the array alive.
        if unsafe { ffi::PyObject_GetBuffer(array.as_ptr(), view, flags) } == 0 {
            // The bytes of a file may be unaligned: NumPy marks this by `=`, which `memoryview` does not
            // understand. SAFETY: the view was filled, and its format, if there is one, ends with a zero
            // byte.
            unsafe {
                let format = (*view).format;
                if !format.is_null() && *format.cast::<u8>() == b'=' {
                    (*view).format = format.add(1);
                }
            }
            return Ok(());
        }
        let error = PyErr::fetch(py);
        // NumPy raises other errors for dtypes that buffers cannot describe.
        if error.is_instance_of::<PyBufferError>(py) {
            return Err(error);
        }
        Err(PyBufferError::new_err(error.value(py).to_string()))
    }
}
