//! A `str` that grows piece by piece, so that a long text is in memory once.

#![allow(unsafe_code)]

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A text that nothing else refers to yet.
#[derive(Default)]
pub(crate) struct GrowingText(Option<Py<PyString>>);

impl GrowingText {
    /// Whether a large block of memory grows without being copied, as glibc and musl move its pages.
    pub(crate) const IS_QUICK: bool = cfg!(target_os = "linux");

    /// A good size of a piece, in bytes: it stays in the cache of a core.
    pub(crate) const PIECE: usize = 256 << 10;

    pub(crate) fn push(&mut self, piece: &Bound<'_, PyString>) -> PyResult<()> {
        let py = piece.py();
        let Some(text) = self.0.take() else {
            self.0 = Some(piece.clone().unbind());
            return Ok(());
        };
        let mut whole = text.into_ptr();
        // SAFETY: both are live strings, and the first is a reference that is given up: the call replaces it by a new
        // reference, or by null with an exception set.
        let grown = unsafe {
            ffi::PyUnicode_Append(&mut whole, piece.as_ptr());
            Bound::from_owned_ptr_or_err(py, whole)
        }?;
        self.0 = Some(grown.cast_into::<PyString>()?.unbind());
        Ok(())
    }

    pub(crate) fn finish<'py>(self, py: Python<'py>) -> Bound<'py, PyString> {
        self.0.map_or_else(|| PyString::new(py, ""), |text| text.into_bound(py))
    }
}
