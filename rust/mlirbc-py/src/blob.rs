//! Read-only buffers into the file, without a copy.
//!
//! Unsafe code of this crate is in this file, in the other exporters of buffers (`arrow.rs`, `columns.rs`,
//! `elements.rs`, `resource.rs`), where a buffer is taken in (`open.rs`), where an object is filled after it
//! was made (`growing_text.rs`, `written_bytes.rs`), and where a reference count is read (`reuse.rs`).

#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::{Arc, Mutex, PoisonError};

use ::mlirbc::bytes::Bytes;
use ::mlirbc::file::FileTables;
use mlirbc_py_macros::{checked, dlpack};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::lost_bytes::{Reads, checked as unless_lost};

/// Read-only bytes of the file; keeps the file open.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> blob = module.resources["layer1.bias"].value
///     >>> memoryview(blob).cast("f").tolist()
///     [0.125, -0.125]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Blob {
    // Counts the buffer until it is dropped.
    _lease: Option<Lease>,
    file: Option<FileTables>,
    bytes: Bytes,
    /// The file offset of the first byte.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> blob = module.resources["layer1.bias"].value
    ///     >>> blob.offset % blob.alignment
    ///     0
    #[pyo3(get)]
    offset: u64,
    /// A power of two, in bytes, that divides the file offset.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["layer1.bias"].value.alignment
    ///     16
    #[pyo3(get)]
    alignment: u64,
}

impl Blob {
    pub(crate) fn new(file: Option<&FileTables>, bytes: Bytes, offset: u64, alignment: u64) -> Self {
        Self { _lease: None, file: file.cloned(), bytes, offset, alignment }
    }

    /// Creates a buffer that counts as a buffer of a resource of its file.
    pub(crate) fn of_resource(
        file: &FileTables,
        key: &[u8],
        bytes: Bytes,
        offset: u64,
        alignment: u64,
    ) -> Self {
        Self { _lease: Some(Lease::new(file, key)), ..Self::new(Some(file), bytes, offset, alignment) }
    }
}

/// The number of buffers by file address and resource key.
static LEASES: Mutex<BTreeMap<LeaseKey, usize>> = Mutex::new(BTreeMap::new());

/// The address of a file, and the key of a resource.
type LeaseKey = (usize, Arc<[u8]>);

/// A counted buffer of a resource. The owner keeps the file alive, so that no other file can have the same
/// address.
pub(crate) struct Lease(usize, Arc<[u8]>);

fn address(file: &FileTables) -> usize {
    std::ptr::from_ref(file.source()) as usize
}

impl Lease {
    pub(crate) fn new(file: &FileTables, key: &[u8]) -> Self {
        let this = Self(address(file), key.into());
        let mut leases = LEASES.lock().unwrap_or_else(PoisonError::into_inner);
        *leases.entry((this.0, this.1.clone())).or_default() += 1;
        this
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut leases = LEASES.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (self.0, self.1.clone());
        if let Some(count) = leases.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                leases.remove(&key);
            }
        }
    }
}

/// Returns the keys of a file's resources that have buffers.
pub(crate) fn keys_in_use(file: &FileTables) -> Vec<Arc<[u8]>> {
    let leases = LEASES.lock().unwrap_or_else(PoisonError::into_inner);
    let (first, next) = ((address(file), Arc::from([])), (address(file) + 1, Arc::from([])));
    leases.range(first..next).map(|((_, key), _)| key.clone()).collect()
}

/// Fills `view` with read-only bytes that `owner` keeps alive.
///
/// # Safety
/// `view` is a pointer the interpreter passed to a buffer slot, and `bytes` stays at its address as long as
/// `owner` lives.
pub(crate) unsafe fn fill(
    owner: &Bound<'_, PyAny>,
    bytes: &[u8],
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("no view to fill"));
    }
    let len = bytes.len() as ffi::Py_ssize_t;
    // SAFETY: `view` is valid by this function's contract; the buffer is marked read-only, so nothing writes
    // through the pointer; `PyBuffer_FillInfo` takes a reference to `owner`, which keeps `bytes` in place.
    let filled =
        unsafe { ffi::PyBuffer_FillInfo(view, owner.as_ptr(), bytes.as_ptr() as *mut _, len, 1, flags) };
    match filled {
        0 => Ok(()),
        _ => Err(PyErr::fetch(owner.py())),
    }
}

/// The DLPack device number of the processor.
pub(crate) const HOST: (i32, i32) = (1, 0);

/// Returns a DLPack capsule for the bytes of a buffer; the other parameters are the arguments of
/// `__dlpack__`.
pub(crate) fn exchanged<'py>(
    owner: &Bound<'py, PyAny>,
    [stream, max_version, dl_device, copy]: [Option<&Bound<'py, PyAny>>; 4],
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = (owner, stream, max_version, dl_device, copy);
    owner.py().import("mlirbc._dlpack")?.call_method1("bytes_to_dlpack", arguments)
}

impl Reads for Blob {
    fn reads(&self) -> Option<&FileTables> {
        self.file.as_ref()
    }
}

#[dlpack]
#[checked]
#[pymethods]
impl Blob {
    fn __len__(&self) -> usize {
        self.bytes.len()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.bytes))
    }

    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        unless_lost(slf.get(), Ok(()))?;
        // SAFETY: called by the interpreter; `Bytes` never moves its contents, and the frozen `Blob` owns
        // them.
        unsafe { fill(slf.as_any(), &slf.get().bytes, view, flags) }
    }

    fn __repr__(&self) -> String {
        format!(
            "<mlirbc.Blob at {:#x}, {} bytes aligned to {}>",
            self.offset,
            self.bytes.len(),
            self.alignment
        )
    }
}
