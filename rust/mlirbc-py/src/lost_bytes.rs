//! Checks that a mapped file has not lost bytes before a value is returned.
//!
//! A file that another program truncates reads as zeros from then on. Every class that reads a file
//! implements [`Reads`] and has `#[checked]` above its methods, which calls [`checked`] after each of them:
//! see `docs/explanation/design.md`.

use ::mlirbc::file::FileTables;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::errors::raise;

/// An object whose answers come from the bytes of a file.
pub(crate) trait Reads {
    /// Returns the file of the object; `None` for objects without a file.
    fn reads(&self) -> Option<&FileTables>;
}

/// Returns the result of a method, or an error if the file has lost bytes.
#[inline]
pub(crate) fn checked<T>(object: &impl Reads, answer: PyResult<T>) -> PyResult<T> {
    match object.reads().map(|file| file.source().check_pages()) {
        Some(Err(error)) => Err(shrunk(error, answer.err())),
        _ => answer,
    }
}

#[cold]
fn shrunk(error: ::mlirbc::Error, instead_of: Option<PyErr>) -> PyErr {
    Python::attach(|py| match instead_of {
        // Ctrl-C and similar exceptions are unrelated to the file.
        Some(other) if !other.is_instance_of::<PyException>(py) => other,
        other => {
            let shrunk = raise(py, error, None);
            shrunk.set_cause(py, other);
            shrunk
        }
    })
}

/// Implements [`Reads`] for classes that keep their module in a field.
macro_rules! reads {
    ($($name:ty: $($field:tt).+;)*) => {
        $(impl $crate::lost_bytes::Reads for $name {
            #[inline]
            fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
                Some(self.$($field).+.get().inner.tables())
            }
        })*
    };
}

pub(crate) use reads;
