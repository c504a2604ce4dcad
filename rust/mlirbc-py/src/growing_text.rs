//! A `str` that is filled while its text is produced, so that a long text is in memory only once.
//!
//! Nearly all text is ASCII, which PEP 393 stores directly after the header of the object: such text is
//! written there. A short text is collected and decoded at the end, and so is everything from the first piece
//! that is not ASCII.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use ::mlirbc::bytes::HugePages;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use crate::text::text;

/// The length in bytes from which a text is written in place.
const LONG: usize = 64 << 10;

/// A growing text, which nothing else refers to until it is complete.
#[derive(Default)]
pub(crate) struct GrowingText {
    buffer: Option<StringBuffer>,
    is_decided: bool,
    // The text after the in-place part, or the whole text.
    rest: Vec<u8>,
}

/// A string whose characters from `len` on are not initialized yet.
struct StringBuffer {
    object: Py<PyString>,
    /// The offset of the characters from the start of the object, in bytes.
    offset: usize,
    len: usize,
    room: usize,
}

impl GrowingText {
    /// The length in bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.buffer.as_ref().map_or(0, |place| place.len) + self.rest.len()
    }

    /// Appends text; takes the interpreter lock only when the object must grow.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> PyResult<()> {
        if let Some(place) = &mut self.buffer
            && self.rest.is_empty()
            && bytes.is_ascii()
        {
            return place.push(bytes);
        }
        self.rest.extend_from_slice(bytes);
        if !self.is_decided && self.rest.len() >= LONG {
            self.is_decided = true;
            if self.rest.is_ascii() {
                self.buffer = Python::attach(|py| StringBuffer::new(py, &self.rest))?;
                if self.buffer.is_some() {
                    self.rest = Vec::new();
                }
            }
        }
        Ok(())
    }

    /// Returns the whole text.
    pub(crate) fn finish(self, py: Python<'_>) -> PyResult<Bound<'_, PyString>> {
        let Some(mut buffer) = self.buffer else { return text(py, &self.rest) };
        buffer.resize(py, buffer.len)?;
        let whole = buffer.object.into_bound(py);
        match &*self.rest {
            [] => Ok(whole),
            rest => Ok(whole.add(text(py, rest)?)?.cast_into::<PyString>()?),
        }
    }
}

impl StringBuffer {
    /// Returns `None` if strings are not laid out as in PEP 393.
    fn new(py: Python<'_>, bytes: &[u8]) -> PyResult<Option<Self>> {
        static OFFSET: PyOnceLock<Option<usize>> = PyOnceLock::new();
        let object = text(py, bytes)?;
        let offset = *OFFSET.get_or_init(py, || offset_of_text(&object));
        let (object, len) = (object.unbind(), bytes.len());
        Ok(offset.map(|offset| Self { object, offset, len, room: len }))
    }

    fn push(&mut self, bytes: &[u8]) -> PyResult<()> {
        if bytes.len() > self.room - self.len {
            // The size doubles, so that a system that copies the text to grow it does so only a few times.
            let room = (2 * self.room).max(self.len + bytes.len());
            Python::attach(|py| self.resize(py, room))?;
            // SAFETY: an object with `room` characters has at least this many bytes, and nothing else uses it. The slice is
            // not read.
            let memory = unsafe {
                let start = self.object.as_ptr().cast::<MaybeUninit<u8>>();
                std::slice::from_raw_parts_mut(start, self.offset + room)
            };
            HugePages::advise(memory);
        }
        // SAFETY: the object has room for that many one-byte characters at this offset, and this is the only reference to
        // it. The bytes are ASCII, as the header of the object says.
        unsafe {
            let end = self.object.as_ptr().cast::<u8>().add(self.offset + self.len);
            end.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        self.len += bytes.len();
        Ok(())
    }

    fn resize(&mut self, py: Python<'_>, room: usize) -> PyResult<()> {
        let mut object = std::mem::replace(&mut self.object, PyString::new(py, "").unbind()).into_ptr();
        // SAFETY: `object` is the only reference to the string, and its hash was never computed. The call replaces it with
        // the resized string; if there is not enough memory, it stays as it is.
        let status = unsafe { ffi::PyUnicode_Resize(&mut object, room as ffi::Py_ssize_t) };
        // SAFETY: the call left an owned reference to a string in `object`, whether it failed or not.
        self.object = unsafe { Bound::from_owned_ptr(py, object) }.cast_into::<PyString>()?.unbind();
        if status != 0 {
            return Err(PyErr::fetch(py));
        }
        self.room = room;
        Ok(())
    }
}

// Returns the offset of the characters in a long ASCII string, which are also its UTF-8 form.
fn offset_of_text(object: &Bound<'_, PyString>) -> Option<usize> {
    // Debug builds of the interpreter read all characters whenever a string is resized.
    if object.py().import("sys").ok()?.hasattr("gettotalrefcount").ok()? {
        return None;
    }
    let start = object.as_ptr() as usize;
    let offset = (object.to_str().ok()?.as_ptr() as usize).checked_sub(start)?;
    // The characters follow the header, which is a few words long; any other offset is in a copy.
    (offset < 128).then_some(offset)
}
