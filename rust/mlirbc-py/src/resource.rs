//! Resources: an ordered multi-mapping of named blobs, bools and strings.

#![allow(unsafe_code)]

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::c_int;
use std::sync::OnceLock;

use ::mlirbc::bytes::Bytes;
use ::mlirbc::file::ResourceValue;
use ::mlirbc::format::resource::{ResourceKind, ResourcePayload};
use ::mlirbc::tool::{html_fragment, printable, weight_html};
use mlirbc_py_macros::{checked, dlpack};
use pyo3::exceptions::{PyBufferError, PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyMemoryView, PySlice, PyString, PyTuple};

use crate::blob::{Blob, Lease, fill};
use crate::handle::ir::identity_hash;
use crate::handle::module::Module;
use crate::lost_bytes::{checked as unless_lost, reads};
use crate::open::view_of;
use crate::reading::{ResourceReading, resource_methods};
use crate::text::text;
use crate::weights::weights;

/// The resources of a module by key; keys may repeat, and `resources[key]` is the first resource with the
/// key.
///
/// Resources can also be accessed by number, and by `(group, key)`. A missing key raises `KeyError`, a
/// missing number `IndexError`.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> len(module.resources), module.resources["builtin", "layer0.bias"].size
///     (6, 16)
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Resources {
    module: Py<Module>,
    len: usize,
}

impl Resources {
    pub(crate) fn new(module: &Bound<'_, Module>) -> PyResult<Self> {
        let len = module.get().detached(module.py(), |module| Ok(module.resources()?.len()))?;
        Ok(Self { module: module.clone().unbind(), len })
    }

    fn at(&self, py: Python<'_>, index: usize) -> Resource {
        Resource { module: self.module.clone_ref(py), index, exported: OnceLock::new() }
    }

    // Returns the first resource that a key, or a pair of group and key, names.
    pub(crate) fn first(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Resource>> {
        let (group, wanted) = match key.extract::<(Bound<'_, PyString>, Bound<'_, PyString>)>() {
            Ok((group, key)) => (Some(name(&group)?), key),
            Err(_) => match key.cast::<PyString>() {
                Ok(key) => (None, key.clone()),
                Err(_) => return Ok(None),
            },
        };
        self.find(key.py(), &name(&wanted)?, group.as_deref(), |found| found.next())
    }

    // Resources that share a key in the file share a string, because the key may be long.
    pub(crate) fn all_keys<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
        let module = self.module.get();
        let mut strings: HashMap<(*const u8, usize), Bound<'py, PyString>> = HashMap::new();
        let resources = module.inner.resources().map_err(|error| module.raise(py, error))?;
        let keys =
            resources.map(|resource| match strings.entry((resource.key().as_ptr(), resource.key().len())) {
                Entry::Occupied(string) => Ok(string.get().clone()),
                Entry::Vacant(entry) => Ok(entry.insert(text(py, resource.key())?).clone()),
            });
        keys.collect()
    }

    // Returns the resources with this key, and of this group if one is given.
    fn find<T>(
        &self,
        py: Python<'_>,
        key: &[u8],
        group: Option<&[u8]>,
        take: impl FnOnce(&mut dyn Iterator<Item = Resource>) -> T,
    ) -> PyResult<T> {
        let module = self.module.get();
        let raise = |error| module.raise(py, error);
        let at = |resource: ::mlirbc::file::Resource<'_>| self.at(py, resource.index());
        Ok(match group {
            Some(group) => {
                take(&mut module.inner.tables().resources_of_group(group, key).map_err(raise)?.map(at))
            }
            None => take(&mut module.inner.resources_named(key).map_err(raise)?.map(at)),
        })
    }
}

/// Returns the bytes of a name that the function `text` converted.
pub(crate) fn name(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    text.call_method1("encode", ("utf-8", "surrogateescape"))?.extract()
}

reads! {
    Resources: module;
    Resource: module;
}

impl Resources {
    pub(crate) fn length(&self) -> usize {
        self.len
    }

    /// Returns the resource with a key, or with a number.
    pub(crate) fn by_key(&self, key: &Bound<'_, PyAny>) -> PyResult<Resource> {
        let py = key.py();
        if let Ok(index) = key.extract::<isize>() {
            let number = if index < 0 { index + self.len as isize } else { index };
            if number < 0 || number as usize >= self.len {
                let message = format!("resource {index} is out of range for {} resources", self.len);
                return Err(PyIndexError::new_err(message));
            }
            return Ok(self.at(py, number as usize));
        }
        self.first(key)?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    /// Returns the resources with a key, and of a group if one is given.
    pub(crate) fn of_key(
        &self,
        key: &Bound<'_, PyString>,
        group: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Vec<Resource>> {
        let group = group.map(name).transpose()?;
        self.find(key.py(), &name(key)?, group.as_deref(), |found| found.collect())
    }

    pub(crate) fn all(&self, py: Python<'_>) -> Vec<Resource> {
        (0..self.len).map(|index| self.at(py, index)).collect()
    }

    /// Returns keys and resources.
    pub(crate) fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let pairs = self.all_keys(py)?.into_iter().enumerate().map(|(index, key)| {
            let resource = Py::new(py, self.at(py, index))?;
            PyTuple::new(py, [key.into_any().unbind(), resource.into_any()])
        });
        pairs.collect()
    }
}

impl ResourceReading for Resources {
    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        Ok(slf.clone())
    }
}

resource_methods!(Resources, {
    fn __repr__(&self) -> String {
        format!("<mlirbc.Resources of {} entries>", self.len)
    }
});

/// A named blob, bool or string beside the IR. A resource with a blob supports the buffer protocol.
///
/// Taking the buffer of another kind raises `BufferError`.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> memoryview(module.resources["layer1.bias"]).cast("f").tolist()
///     [0.125, -0.125]
///
/// A slice is a part of it: of a file that is read on demand, that part alone is read.
///
///     >>> bytes(module.resources["layer1.bias"][-4:]).hex()
///     '000000be'
#[pyclass(frozen, mapping, module = "mlirbc")]
pub(crate) struct Resource {
    module: Py<Module>,
    index: usize,
    // The bytes of exported buffers: NumPy keeps the resource itself alive and not the owner of the buffer,
    // and may use buffers of this object after the buffer object is gone.
    exported: OnceLock<(Bytes, Lease)>,
}

impl Resource {
    fn view(&self, py: Python<'_>) -> PyResult<::mlirbc::file::Resource<'_>> {
        let module = self.module.get();
        let resource = module.inner.tables().resource(self.index).map_err(|error| module.raise(py, error))?;
        resource.ok_or_else(|| PyIndexError::new_err("no such resource"))
    }

    fn payload(&self, py: Python<'_>) -> PyResult<Option<ResourcePayload>> {
        self.view(py)?.payload().map_err(|error| self.module.get().raise(py, error))
    }
}

/// The number of bytes that `read_into` reads at a time.
const PIECE: usize = 1 << 20;

#[cold]
fn not_a_blob() -> PyErr {
    PyBufferError::new_err("the resource is not a blob with data")
}

#[dlpack]
#[checked]
#[pymethods]
impl Resource {
    /// The key of the resource.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources[0].key
    ///     'note'
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, self.view(py)?.key())
    }

    /// The dialect of the resource, or the name of an external group.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["note"].group, module.resources["layer0.bias"].group
    ///     ('example', 'builtin')
    #[getter]
    fn group<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, self.view(py)?.group())
    }

    /// Whether the resource belongs to a client outside the IR rather than to a dialect.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["note"].is_external
    ///     True
    #[getter]
    fn is_external(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.view(py)?.is_external())
    }

    /// `blob`, `bool` or `string`; `unknown` for any other number.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["layer0.weight"].kind
    ///     'blob'
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.view(py)?.kind().map_or("unknown", ResourceKind::name))
    }

    /// Whether the file stores data for the resource, and not only its key.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["layer0.weight"].has_data
    ///     True
    #[getter]
    fn has_data(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.view(py)?.has_data())
    }

    /// The alignment of a blob in bytes, a power of two; None for other kinds. Raises `ReadError` if it is
    /// malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["layer0.weight"].alignment
    ///     16
    #[getter]
    fn alignment(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        Ok(match self.payload(py)? {
            Some(ResourcePayload::Blob { alignment, .. }) => Some(alignment),
            _ => None,
        })
    }

    /// The file offset of a blob's first byte; None for other kinds. Raises `ReadError` if it is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["layer0.weight"].offset % 16
    ///     0
    #[getter]
    fn offset(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        Ok(match self.payload(py)? {
            Some(ResourcePayload::Blob { range, .. }) => Some(range.start),
            _ => None,
        })
    }

    /// The size of the data in bytes: of a blob or a string, 1 for a bool, 0 without data. Raises `ReadError`
    /// if it is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["layer0.weight"].size, module.resources["note"].size  # tensor<4x3xf32>
    ///     (48, 22)
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<u64> {
        self.view(py)?.size().map_err(|error| self.module.get().raise(py, error))
    }

    /// The content: a `Blob`, bool or str; None if the file has only the key. Raises `ReadError` if it is
    /// malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["note"].value, module.resources["trained"].value
    ///     ('weights chosen by hand', False)
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let module = self.module.get();
        // Reading on demand may take some time.
        let value = match module.inner.tables().resource(self.index) {
            Ok(Some(resource)) => py.detach(|| resource.value()),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        Ok(match value.map_err(|error| module.raise(py, error))? {
            None => None,
            Some(ResourceValue::Bool(value)) => Some(PyBool::new(py, value).to_owned().into_any().unbind()),
            Some(ResourceValue::String(value)) => Some(text(py, value)?.into_any().unbind()),
            Some(ResourceValue::Blob { bytes, range, alignment }) => {
                let key = self.view(py)?.key();
                let blob = Blob::of_resource(module.inner.tables(), key, bytes, range.start, alignment);
                Some(Py::new(py, blob)?.into_any())
            }
        })
    }

    /// Return a part of a blob as a read-only view; only this part is read, and it is not copied if the file
    /// is mapped.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        range: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyMemoryView>> {
        let Ok(range) = range.cast::<PySlice>() else {
            return Err(PyTypeError::new_err("a resource is read by a slice, e.g. `resource[0:16]`"));
        };
        let step = range.getattr("step")?;
        if !step.is_none() && step.extract::<i64>().ok() != Some(1) {
            let message = "the step of a slice of a resource is 1; slice `memoryview(resource)` with others";
            return Err(PyValueError::new_err(message));
        }
        let raise = |error| self.module.get().raise(py, error);
        let view = self.view(py)?;
        // A resource that is not a blob has no slices, not even empty ones.
        view.read_range(0..0).map_err(raise)?;
        let size = view.size().map_err(raise)?;
        let indices = range.indices(isize::try_from(size).unwrap_or(isize::MAX))?;
        let start = indices.start.max(0) as u64;
        let range = start..start.max(indices.stop.max(0) as u64);
        let bytes = py.detach(|| view.read_range(range)).map_err(raise)?;
        let payload = view.payload().map_err(raise)?;
        let Some(ResourcePayload::Blob { range: blob, .. }) = payload else { return Err(not_a_blob()) };
        // A part does not have the alignment of the whole blob.
        let part = Blob::new(Some(self.module.get().inner.tables()), bytes, blob.start + start, 1);
        PyMemoryView::from(Bound::new(py, part)?.as_any())
    }

    /// Read bytes of a blob, from `offset` on, into a writable buffer; returns the number of bytes.
    ///
    /// Fewer than the buffer holds come only at the end of the blob. No other memory is needed for them. Raises
    /// `InvalidError` for what is not a blob and for an offset past its end, and `BufferError` for a buffer that is
    /// read-only or not contiguous.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc", backend="read")
    ///     >>> buffer = bytearray(6)
    ///     >>> module.resources["layer1.bias"].read_into(buffer, 4), bytes(buffer).hex()
    ///     (4, '000000be0000')
    #[pyo3(signature = (buffer, offset = 0))]
    fn read_into(&self, py: Python<'_>, buffer: &Bound<'_, PyAny>, offset: u64) -> PyResult<usize> {
        let raise = |error| self.module.get().raise(py, error);
        let resource = self.view(py)?;
        let view = view_of(buffer)?;
        if view.getattr("readonly")?.is_truthy()? {
            return Err(PyBufferError::new_err("the buffer is read-only"));
        }
        if !view.getattr("c_contiguous")?.is_truthy()? {
            return Err(PyBufferError::new_err("the buffer is not contiguous"));
        }
        if view.getattr("nbytes")?.extract::<usize>()? == 0 {
            return resource.read_into(offset, &mut []).map_err(raise);
        }
        let target = view.call_method1("cast", ("B",))?;
        let capacity = view.getattr("nbytes")?.extract::<u64>()?;
        // This call only checks the offset.
        resource.read_into(offset, &mut []).map_err(raise)?;
        let count = capacity.min(resource.size().map_err(raise)? - offset);
        for start in (0..count).step_by(PIECE) {
            let end = count.min(start + PIECE as u64);
            let bytes = py.detach(|| resource.read_range(offset + start..offset + end)).map_err(raise)?;
            let part = Bound::new(py, Blob::new(Some(self.module.get().inner.tables()), bytes, 0, 1))?;
            let place = PySlice::new(py, start as isize, end as isize, 1);
            target.set_item(place, PyMemoryView::from(part.as_any())?)?;
        }
        Ok(count as usize)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| self.module.is(&other.get().module) && self.index == other.get().index)
    }

    fn __hash__(&self) -> u64 {
        identity_hash(&self.module, self.index as u64)
    }

    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let py = slf.py();
        let this = slf.get();
        let bytes = match this.exported.get() {
            Some((bytes, _)) => unless_lost(this, Ok(bytes))?,
            None => {
                let resource = this.view(py)?;
                let value = py.detach(|| resource.value());
                let value = value.map_err(|error| this.module.get().raise(py, error));
                let Some(ResourceValue::Blob { bytes, .. }) = unless_lost(this, value)? else {
                    return Err(not_a_blob());
                };
                let lease = Lease::new(this.module.get().inner.tables(), resource.key());
                &this.exported.get_or_init(|| (bytes, lease)).0
            }
        };
        // SAFETY: called by the interpreter; the frozen resource owns the bytes as long as it lives.
        unsafe { fill(slf.as_any(), bytes, view, flags) }
    }

    #[doc(hidden)]
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let title = self.__repr__(py)?;
        let module = self.module.get();
        let weights = weights(py, module)?;
        let of_this = weights.rows().iter().find(|weight| weight.resource() == Some(self.index));
        match of_this {
            Some(weight) => module.detached(py, |_| weight_html(&weights, weight)),
            None => Ok(html_fragment(title.trim_matches(['<', '>']), "", "")),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.view(py)?;
        // A malformed resource has a `repr`, too.
        let size = view.size().map_or_else(|_| "malformed".to_owned(), |size| format!("{size} bytes"));
        let (key, group) = (String::from_utf8_lossy(view.key()), String::from_utf8_lossy(view.group()));
        Ok(format!("<mlirbc.Resource {key:?} of {}, {size}>", printable(&group)))
    }
}
