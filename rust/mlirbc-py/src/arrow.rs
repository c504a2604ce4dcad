//! Tables for other libraries through Arrow's C stream interface, without a copy.
//!
//! The structures and the rules for their release are defined by
//! <https://arrow.apache.org/docs/format/CDataInterface.html> and `CStreamInterface.html`; the capsule
//! follows the Arrow PyCapsule interface. `mlirbc.tables` defines the columns.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyMemoryView};

/// `ARROW_FLAG_NULLABLE`.
const NULLABLE: i64 = 2;

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// A column, or a table, which is a column whose children are the columns of the table.
struct Array {
    name: CString,
    format: CString,
    is_nullable: bool,
    length: i64,
    null_count: i64,
    // `None` for a validity bitmap if nothing is null.
    buffers: Vec<Option<PyBuffer<u8>>>,
    children: Vec<Arc<Array>>,
    dictionary: Option<Arc<Array>>,
}

/// Name, format, whether it is nullable, length, number of nulls, buffers, children and dictionary of an array.
#[derive(FromPyObject)]
pub(crate) struct ArrayTuple<'py>(
    String,
    String,
    bool,
    i64,
    i64,
    Vec<Option<Bound<'py, PyAny>>>,
    Vec<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
);

impl Array {
    fn new(parts: ArrayTuple<'_>) -> PyResult<Self> {
        let ArrayTuple(name, format, is_nullable, length, null_count, buffers, children, dictionary) = parts;
        let text =
            |text: String| CString::new(text).map_err(|error| PyValueError::new_err(error.to_string()));
        let buffer = |buffer: Option<Bound<'_, PyAny>>| -> PyResult<_> {
            let bytes = buffer.map(|buffer| PyMemoryView::from(&buffer)?.call_method1("cast", ("B",)));
            bytes.transpose()?.map(|bytes| PyBuffer::get(&bytes)).transpose()
        };
        let array = |array: Bound<'_, PyAny>| Ok::<_, PyErr>(Arc::new(Self::new(array.extract()?)?));
        Ok(Self {
            name: text(name)?,
            format: text(format)?,
            is_nullable,
            length,
            null_count,
            buffers: buffers.into_iter().map(buffer).collect::<PyResult<_>>()?,
            children: children.into_iter().map(array).collect::<PyResult<_>>()?,
            dictionary: dictionary.map(array).transpose()?,
        })
    }

    fn schema(self: &Arc<Self>) -> ArrowSchema {
        let mut parts = Box::new(Exported {
            children: self.children.iter().map(|child| Box::into_raw(Box::new(child.schema()))).collect(),
            dictionary: self
                .dictionary
                .as_ref()
                .map_or(null_mut(), |all| Box::into_raw(Box::new(all.schema()))),
            buffers: Vec::new(),
            array: self.clone(),
        });
        ArrowSchema {
            format: self.format.as_ptr(),
            name: self.name.as_ptr(),
            metadata: null(),
            flags: if self.is_nullable { NULLABLE } else { 0 },
            n_children: parts.children.len() as i64,
            children: parts.children.as_mut_ptr(),
            dictionary: parts.dictionary,
            release: Some(release_schema),
            private_data: Box::into_raw(parts).cast(),
        }
    }

    fn array(self: &Arc<Self>) -> ArrowArray {
        let pointer = |buffer: &Option<PyBuffer<u8>>| match buffer {
            Some(buffer) => buffer.buf_ptr().cast_const(),
            None => null(),
        };
        let mut parts = Box::new(Exported {
            children: self.children.iter().map(|child| Box::into_raw(Box::new(child.array()))).collect(),
            dictionary: self
                .dictionary
                .as_ref()
                .map_or(null_mut(), |all| Box::into_raw(Box::new(all.array()))),
            buffers: self.buffers.iter().map(pointer).collect(),
            array: self.clone(),
        });
        ArrowArray {
            length: self.length,
            null_count: self.null_count,
            offset: 0,
            n_buffers: parts.buffers.len() as i64,
            n_children: parts.children.len() as i64,
            buffers: parts.buffers.as_mut_ptr(),
            children: parts.children.as_mut_ptr(),
            dictionary: parts.dictionary,
            release: Some(release_array),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

/// The memory behind the pointers of a structure; owned by its `private_data` until the structure is
/// released.
struct Exported<T> {
    children: Vec<*mut T>,
    dictionary: *mut T,
    buffers: Vec<*const c_void>,
    // Keeps names, formats and buffers alive.
    #[allow(dead_code)]
    array: Arc<Array>,
}

impl<T> Drop for Exported<T> {
    fn drop(&mut self) {
        for child in self.children.drain(..).chain([self.dictionary]).filter(|child| !child.is_null()) {
            // SAFETY: made by `Box::into_raw` in `schema` or `array`, and freed only here. A consumer that
            // moved the content away has cleared `release`, and then dropping does nothing else.
            drop(unsafe { Box::from_raw(child) });
        }
    }
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: `release` is called once, on a structure that was not released: it clears the field.
            unsafe { release(self) };
        }
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: as for `ArrowSchema`.
            unsafe { release(self) };
        }
    }
}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: as for `ArrowSchema`.
            unsafe { release(self) };
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller passes a structure that `Array::schema` made and that was not released.
    unsafe {
        (*schema).release = None;
        drop(Box::from_raw((*schema).private_data.cast::<Exported<ArrowSchema>>()));
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the caller passes a structure that `Array::array` made and that was not released.
    unsafe {
        (*array).release = None;
        drop(Box::from_raw((*array).private_data.cast::<Exported<ArrowArray>>()));
    }
}

/// The state of a stream.
struct Stream {
    schema: Arc<Array>,
    // The batches that were not read yet.
    batches: std::vec::IntoIter<Arc<Array>>,
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the caller passes a stream that was not released, and room for a structure without content.
    unsafe {
        let state = &*(*stream).private_data.cast::<Stream>();
        out.write(state.schema.schema());
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`; a stream is used by one thread at a time. Zeros are a structure that was released,
    // which ends the stream.
    unsafe {
        let state = &mut *(*stream).private_data.cast::<Stream>();
        match state.batches.next() {
            Some(batch) => out.write(batch.array()),
            None => out.write(std::mem::zeroed()),
        }
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut ArrowArrayStream) -> *const c_char {
    // A null pointer means that there is no error; no call can fail.
    null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: the caller passes a stream that `_arrow_stream` made and that was not released.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private_data.cast::<Stream>()));
    }
}

// SAFETY: the pointers lead to memory that the structures own, and its types are `Send`.
unsafe impl Send for ArrowSchema {}
// SAFETY: as for `ArrowSchema`.
unsafe impl Send for ArrowArrayStream {}

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// A capsule with a stream of batches, at least one, for `__arrow_c_stream__`. The buffers must not change while it is
/// used.
#[pyfunction]
pub(crate) fn _arrow_stream<'py>(
    py: Python<'py>,
    batches: Vec<ArrayTuple<'py>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = batches.into_iter().map(|batch| Array::new(batch).map(Arc::new));
    let batches = batches.collect::<PyResult<Vec<_>>>()?;
    let schema = batches.first().cloned();
    let schema = schema.ok_or_else(|| PyValueError::new_err("a stream needs at least one batch"))?;
    let state = Stream { schema, batches: batches.into_iter() };
    let stream = ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(Box::new(state)).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// A capsule with the schema of a table, for `__arrow_c_schema__`.
#[pyfunction]
pub(crate) fn _arrow_schema<'py>(py: Python<'py>, table: ArrayTuple<'py>) -> PyResult<Bound<'py, PyCapsule>> {
    let table = Arc::new(Array::new(table)?);
    PyCapsule::new_with_value(py, table.schema(), SCHEMA)
}
