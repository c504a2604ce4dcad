//! Resources: an ordered multi-mapping of named blobs, bools and strings.

#![allow(unsafe_code)]

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::c_int;

use ::mlirbc::ResourceKind;
use ::mlirbc::ResourceValue;
use ::mlirbc::format::resource::ResourcePayload;
use ::mlirbc::tool::printable;
use mlirbc_py_macros::checked;
use pyo3::exceptions::{PyBufferError, PyIndexError, PyKeyError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyIterator, PyList, PyString, PyTuple};

use crate::blob::{Blob, fill};
use crate::handle::ir::identity_hash;
use crate::handle::module::Module;
use crate::lost::{checked as unless_lost, reads};
use crate::text::text;

/// The resources of a module by key; keys may repeat, and `resources[key]` is the first of them.
///
/// Also by number, and by `(group, key)`. A missing key raises `KeyError`, a missing number `IndexError`.
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
        Resource { module: self.module.clone_ref(py), index }
    }

    // The first one that a key, or a pair of group and key, names.
    fn first(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Resource>> {
        let (group, wanted) = match key.extract::<(Bound<'_, PyString>, Bound<'_, PyString>)>() {
            Ok((group, key)) => (Some(name(&group)?), key),
            Err(_) => match key.cast::<PyString>() {
                Ok(key) => (None, key.clone()),
                Err(_) => return Ok(None),
            },
        };
        self.find(key.py(), &name(&wanted)?, group.as_deref(), |found| found.next())
    }

    // Resources that share a key in the file share it here: it may be long.
    fn all_keys<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
        let module = self.module.get();
        let mut made: HashMap<(*const u8, usize), Bound<'py, PyString>> = HashMap::new();
        let resources = module.inner.resources().map_err(|error| module.raise(py, error))?;
        let keys =
            resources.map(|resource| match made.entry((resource.key().as_ptr(), resource.key().len())) {
                Entry::Occupied(known) => Ok(known.get().clone()),
                Entry::Vacant(place) => Ok(place.insert(text(py, resource.key())?).clone()),
            });
        keys.collect()
    }

    // Takes some of the resources with that key, and of that group if one is given.
    fn find<T>(
        &self,
        py: Python<'_>,
        key: &[u8],
        group: Option<&[u8]>,
        take: impl FnOnce(&mut dyn Iterator<Item = Resource>) -> T,
    ) -> PyResult<T> {
        let module = self.module.get();
        let raise = |error| module.raise(py, error);
        let at = |resource: ::mlirbc::Resource<'_>| self.at(py, resource.index());
        Ok(match group {
            Some(group) => take(&mut module.inner.resources_of_group(group, key).map_err(raise)?.map(at)),
            None => take(&mut module.inner.resources_named(key).map_err(raise)?.map(at)),
        })
    }
}

/// The bytes of a name that `text` made.
pub(crate) fn name(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    text.call_method1("encode", ("utf-8", "surrogateescape"))?.extract()
}

reads! {
    Resources: module;
    Resource: module;
}

#[checked]
#[pymethods]
impl Resources {
    fn __len__(&self) -> usize {
        self.len
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.keys(py)?.try_iter()
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.first(key)?.is_some())
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Resource> {
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

    /// The first resource with this key, or with this group and key; `default` when there is none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources.get("layer0.bias").size
    ///     16
    ///     >>> module.resources.get(("builtin", "nothing")) is None
    ///     True
    #[pyo3(signature = (key, default = None))]
    fn get(&self, key: &Bound<'_, PyAny>, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        match self.first(key)? {
            Some(resource) => Ok(Some(Py::new(key.py(), resource)?.into_any())),
            None => Ok(default),
        }
    }

    /// All resources with this key, and in this group if one is given, in file order.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [resource.size for resource in module.resources.get_all("layer0.bias")]
    ///     [16]
    #[pyo3(signature = (key, group = None))]
    fn get_all(
        &self,
        key: &Bound<'_, PyString>,
        group: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Vec<Resource>> {
        let group = group.map(name).transpose()?;
        self.find(key.py(), &name(key)?, group.as_deref(), |found| found.collect())
    }

    /// The keys in file order, repeated ones repeatedly.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources.keys()[2:]
    ///     ['layer0.weight', 'layer0.bias', 'layer1.weight', 'layer1.bias']
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.all_keys(py)?)
    }

    /// The resources in file order.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [resource.kind for resource in module.resources.values()]
    ///     ['string', 'bool', 'blob', 'blob', 'blob', 'blob']
    fn values(&self, py: Python<'_>) -> Vec<Resource> {
        (0..self.len).map(|index| self.at(py, index)).collect()
    }

    /// Keys and resources in file order.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [key for key, resource in module.resources.items() if resource.is_external]
    ///     ['note', 'trained']
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let items = self.all_keys(py)?.into_iter().enumerate().map(|(index, key)| {
            let resource = Py::new(py, self.at(py, index))?;
            PyTuple::new(py, [key.into_any().unbind(), resource.into_any()])
        });
        items.collect()
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Resources of {} entries>", self.len)
    }
}

/// A named blob, bool or string beside the IR. A blob's resource is a buffer itself.
///
/// Taking the buffer of anything else raises `BufferError`.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> memoryview(module.resources["layer1.bias"]).cast("f").tolist()
///     [0.125, -0.125]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Resource {
    module: Py<Module>,
    index: usize,
}

impl Resource {
    fn view(&self, py: Python<'_>) -> PyResult<::mlirbc::Resource<'_>> {
        let module = self.module.get();
        let found = module.inner.resource(self.index).map_err(|error| module.raise(py, error))?;
        found.ok_or_else(|| PyIndexError::new_err("no such resource"))
    }

    fn payload(&self, py: Python<'_>) -> PyResult<Option<ResourcePayload>> {
        self.view(py)?.payload().map_err(|error| self.module.get().raise(py, error))
    }
}

#[checked]
#[pymethods]
impl Resource {
    /// Its key.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources[0].key
    ///     'note'
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, self.view(py)?.key())
    }

    /// The dialect it belongs to, or the name of an external group.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["note"].group, module.resources["layer0.bias"].group
    ///     ('example', 'builtin')
    #[getter]
    fn group<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, self.view(py)?.group())
    }

    /// Whether it belongs to a client outside the IR rather than to a dialect.
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

    /// Whether the file has more of it than the key.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["layer0.weight"].has_data
    ///     True
    #[getter]
    fn has_data(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.view(py)?.has_data())
    }

    /// The alignment of a blob in bytes, a power of two; None for other kinds. Raises `ReadError` when it is
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

    /// File offset of a blob's first byte; None for other kinds. Raises `ReadError` when it is malformed.
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

    /// Bytes of what it holds: of the blob, of the string, 1 of a bool, 0 without data. Raises `ReadError` when it
    /// is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["layer0.weight"].size, module.resources["note"].size  # tensor<4x3xf32>
    ///     (48, 22)
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<u64> {
        self.view(py)?.size().map_err(|error| self.module.get().raise(py, error))
    }

    /// What it holds: a `Blob`, bool or str; None when the file has only the key. Raises `ReadError` when it
    /// is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources["note"].value, module.resources["trained"].value
    ///     ('weights chosen by hand', False)
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let module = self.module.get();
        // Reading on demand may take a while.
        let value = match module.inner.resource(self.index) {
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
                let blob = Blob::of_resource(&module.inner, key, bytes, range.start, alignment);
                Some(Py::new(py, blob)?.into_any())
            }
        })
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
        let value = this.view(py)?.value().map_err(|error| this.module.get().raise(py, error));
        let value = unless_lost(this, value)?;
        let Some(ResourceValue::Blob { bytes, range, alignment }) = value else {
            return Err(PyBufferError::new_err("the resource is not a blob with data"));
        };
        let (module, key) = (this.module.get(), this.view(py)?.key());
        let blob = Blob::of_resource(&module.inner, key, bytes.clone(), range.start, alignment);
        let blob = Bound::new(py, blob)?;
        // SAFETY: called by the interpreter; the new `Blob` shares the bytes and becomes the view's owner.
        unsafe { fill(blob.as_any(), &bytes, view, flags) }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.view(py)?;
        // A malformed one has a `repr`, too.
        let size = view.size().map_or_else(|_| "malformed".to_owned(), |size| format!("{size} bytes"));
        let (key, group) = (String::from_utf8_lossy(view.key()), String::from_utf8_lossy(view.group()));
        Ok(format!("<mlirbc.Resource {key:?} of {}, {size}>", printable(&group)))
    }
}
