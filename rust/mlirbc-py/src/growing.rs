//! A `str` that is made while its text is, so that a long text is in memory once.
//!
//! Text of ASCII characters, which nearly all of it is, goes to the place where CPython will have it: PEP 393 puts it
//! right behind the head of the object. From the first piece with other characters on, the text is kept and decoded at the
//! end.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use ::mlirbc::bytes::HugePages;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::text::text;

/// The text, which nothing else refers to until it is complete.
pub(crate) struct GrowingText {
    // Its characters from `len` on have no meaning yet.
    object: Py<PyString>,
    len: usize,
    room: usize,
    /// Where the characters begin, in bytes from the start of the object; `None` where that is not known.
    offset: Option<usize>,
    rest: Vec<u8>,
}

const FIRST_ROOM: usize = 4096;

impl GrowingText {
    pub(crate) fn new(py: Python<'_>) -> Self {
        let object = PyString::new(py, &" ".repeat(FIRST_ROOM));
        let offset = offset_of_text(&object);
        Self { object: object.unbind(), len: 0, room: FIRST_ROOM, offset, rest: Vec::new() }
    }

    /// The bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.len + self.rest.len()
    }

    /// Appends text; takes the interpreter lock only when the object must grow.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> PyResult<()> {
        let Some(offset) = self.offset.filter(|_| self.rest.is_empty() && bytes.is_ascii()) else {
            self.rest.extend_from_slice(bytes);
            return Ok(());
        };
        if bytes.len() > self.room - self.len {
            // Doubled, so that a system that has to copy the text to make it grow does so a few times only.
            let room = (2 * self.room).max(self.len + bytes.len());
            Python::attach(|py| self.resize(py, room))?;
            // SAFETY: an object that was just made has this many bytes at least, and nothing else uses it.
            let memory = unsafe {
                std::slice::from_raw_parts_mut(self.object.as_ptr().cast::<MaybeUninit<u8>>(), offset + room)
            };
            HugePages::advise(memory);
        }
        // SAFETY: the object has room for as many characters of one byte behind this offset, and this is the only
        // reference to it. The bytes are ASCII, so it remains what its head says it is.
        unsafe {
            let place = self.object.as_ptr().cast::<u8>().add(offset + self.len);
            place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        self.len += bytes.len();
        Ok(())
    }

    /// The whole text.
    pub(crate) fn finish(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyString>> {
        if self.len == 0 {
            return text(py, &self.rest);
        }
        self.resize(py, self.len)?;
        if self.rest.is_empty() {
            return Ok(self.object.into_bound(py));
        }
        let rest = text(py, &std::mem::take(&mut self.rest))?;
        Ok(self.object.bind(py).add(rest)?.cast_into::<PyString>()?)
    }

    fn resize(&mut self, py: Python<'_>, room: usize) -> PyResult<()> {
        let mut object = std::mem::replace(&mut self.object, PyString::new(py, "").unbind()).into_ptr();
        // SAFETY: `object` is the only reference to a string whose hash nobody asked for. It is replaced by the resized
        // string, or remains if there is not enough memory.
        let status = unsafe { ffi::PyUnicode_Resize(&mut object, room as ffi::Py_ssize_t) };
        // SAFETY: the reference of above.
        self.object = unsafe { Bound::from_owned_ptr(py, object) }.cast_into::<PyString>()?.unbind();
        if status != 0 {
            return Err(PyErr::fetch(py));
        }
        self.room = room;
        Ok(())
    }
}

// Where the text of a long ASCII string is in its object, which is also its UTF-8 form.
fn offset_of_text(object: &Bound<'_, PyString>) -> Option<usize> {
    // An interpreter made for debugging looks at all characters whenever a string is resized.
    if object.py().import("sys").ok()?.hasattr("gettotalrefcount").ok()? {
        return None;
    }
    let start = object.as_ptr() as usize;
    let offset = (object.to_str().ok()?.as_ptr() as usize).checked_sub(start)?;
    // Behind the head of the object, which has a few words; elsewhere it would be a copy.
    (offset < 128).then_some(offset)
}
