//! Opening files and reading buffers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ::mlirbc::ReadOptions;
use ::mlirbc::artifact::ModuleFile;
use ::mlirbc::bytes::{Backend, ReadAt, Source, read_small};
use ::mlirbc::tool::{FolderInputs, has_suffix, holds_modules};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyString};

use crate::blob::Blob;
use crate::dialect_hooks;
use crate::errors::{Interrupt, raise};
use crate::handle::module::Module;
use crate::limits::Limits;
use crate::log;
use crate::open_arguments::{Choice, OpenArguments, Origin, stamp, stamp_of};

/// The state that both ways of opening share.
struct Opening {
    options: ReadOptions,
    interrupt: Arc<Interrupt>,
    interfaces: Vec<Py<PyAny>>,
    opened: OpenArguments,
}

impl Opening {
    #[allow(clippy::too_many_arguments)] // those of `open`
    fn new(
        py: Python<'_>,
        origin: Origin,
        limits: Option<Bound<'_, Limits>>,
        release: Option<String>,
        dialects: Option<&Bound<'_, PyAny>>,
        schemas: Option<&Bound<'_, PyAny>>,
        (unknown_dialects, layouts): (Option<Vec<String>>, Option<BTreeMap<String, String>>),
        module: Option<Choice>,
    ) -> PyResult<Self> {
        let interrupt = Arc::new(Interrupt::default());
        let interrupt_flag = interrupt.clone();
        let core_limits = limits.as_ref().map_or_else(Default::default, |limits| limits.get().to_core());
        let (tables, interfaces) = match dialects {
            Some(list) => dialect_hooks::split(py, list)?,
            None => (Vec::new(), Vec::new()),
        };
        let schemas = schemas.map_or(Ok(Vec::new()), |list| crate::release::schemas(py, list))?;
        let opened = OpenArguments {
            origin,
            limits: limits.map(Bound::unbind),
            release: release.clone(),
            unknown_dialects: unknown_dialects.clone(),
            layouts: layouts.clone(),
            module: module.clone(),
            allows_redirects: false,
            is_described: !(tables.is_empty() && interfaces.is_empty() && schemas.is_empty()),
        };
        let options = ReadOptions::default()
            .limits(core_limits)
            .interrupt(Arc::new(move || interrupt_flag.requested()))
            .release(release.map(::mlirbc::Release::named))
            .dialects(tables)
            .interfaces(dialect_hooks::interfaces(py, &interfaces)?)
            .schemas(schemas)
            .unknown_dialects(unknown_dialects.unwrap_or_default())
            .layouts(layouts.unwrap_or_default().into_iter().collect())
            .module(module.map(Choice::into_core));
        Ok(Self { options, interrupt, interfaces, opened })
    }

    /// Returns the module, or the upgraded module if hooks of its dialects upgrade it.
    fn upgraded(self, py: Python<'_>, module: Module) -> PyResult<Module> {
        if self.interfaces.is_empty() {
            let _ = module.opened.set(self.opened);
            return Ok(module);
        }
        let module = Py::new(py, module)?;
        let upgrade = py.import("mlirbc.versions")?.getattr("_upgraded")?;
        let interfaces = PyList::new(py, &self.interfaces)?;
        let written = upgrade.call1((module.clone_ref(py), interfaces))?;
        // If nothing was changed, the bytes are still those in the file.
        let opened = if written.is_none() {
            Ok(module.get().inner.clone())
        } else {
            let source = Source::foreign(Foreign::new(&written)?);
            py.detach(|| ::mlirbc::Module::from_source(source, &self.options))
        };
        let module = Module::new(py, opened, self.interrupt)?;
        let _ = module.opened.set(self.opened);
        Ok(module)
    }
}

/// Open a file: bytecode, a container such as a JAX export, or the text of a module; `backend` is `map`, or `read` for local files that other programs may cut.
///
/// `source` is a path, bytes or another buffer, a binary file, or a URL or file of
/// [fsspec](https://filesystem-spec.readthedocs.io) such as `s3://bucket/model.mlirbc`, which
/// `pip install 'mlirbc[remote]'` installs. Of files and URLs, the ranges that are needed are read, in blocks of 64 KiB.
/// Pipes, devices, other sources that cannot seek, and URLs whose server knows no ranges are read into memory, at most
/// `limits.max_memory` bytes or a quarter of the machine's memory. A server that sends another range than requested, or
/// another file than before, is an `OSError`. A URL that redirects to another host is refused, unless `allow_redirects`
/// is true.
///
/// Text is assembled for `release`, or as `mlirbc.parse` chooses; `module.release` names the release. If the producer
/// string of bytecode does not name its release, `release` does, one of `known_releases()`. `dialects` and `schemas` are
/// what `mlirbc.dialects.register` and `mlirbc.schemas.register` take, for this module alone; `dialects` may also have
/// objects of `mlirbc.dialects.BytecodeDialectInterface`. If they upgrade, the module is the upgraded one.
/// `unknown_dialects` are treated as unknown, except for tables in `dialects`. `layouts` selects the release whose layout
/// the properties of an operation have: `{"tpu.iota": "jaxlib-0.6"}`. With `require_known`, the whole file is read, and
/// operations, attributes and types that no table, schema or hook describes raise an `UnsupportedError`, which lists them.
///
/// The file may be a JAX export or compressed, by gzip or zstd: `module.container` says so. A compressed file is
/// decompressed into memory. `module` selects one of several modules, by its index or its name; by default the
/// first.
///
/// Raises `OSError` if the source cannot be opened, `ReadError` or `UnsupportedError` if its header is not bytecode of
/// versions 0 to 6, and `InvalidError` for invalid text, with the line, and if there is no such module. Raises
/// `LimitError` if the source has to be in memory and is too long, `TypeError` for a source of another kind,
/// `ImportError` for a URL without fsspec, and `ValueError` for another backend.
///
///     >>> mlirbc.open("examples/two_layers.mlirbc", backend="read").bytecode.version
///     6
///     >>> mlirbc.open("examples/two_layers.mlirbc", release="llvm-19").release.name
///     'llvm-19'
///     >>> mlirbc.open("examples/mlp.jax", module="fun_vjp_jax").container.module
///     1
#[pyfunction]
#[pyo3(signature = (source, *, backend = "map", limits = None, release = None, dialects = None, schemas = None,
    unknown_dialects = None, layouts = None, require_known = false, module = None, allow_redirects = false))]
#[allow(clippy::too_many_arguments)] // keywords
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    backend: &str,
    limits: Option<Bound<'_, Limits>>,
    release: Option<String>,
    dialects: Option<&Bound<'_, PyAny>>,
    schemas: Option<&Bound<'_, PyAny>>,
    unknown_dialects: Option<Vec<String>>,
    layouts: Option<BTreeMap<String, String>>,
    require_known: bool,
    module: Option<Choice>,
    allow_redirects: bool,
) -> PyResult<Module> {
    let backend = match backend {
        "map" => Backend::Map,
        "read" => Backend::Read,
        other => {
            return Err(PyValueError::new_err(format!("expected backend='map' or 'read', found {other:?}")));
        }
    };
    let open_source = OpenSource::new(source, allow_redirects)?;
    let origin = open_source.origin(source, backend)?;
    let mut opening =
        Opening::new(py, origin, limits, release, dialects, schemas, (unknown_dialects, layouts), module)?;
    opening.options.backend = backend;
    opening.opened.allows_redirects = allow_redirects;
    let opened = py.detach(|| match open_source {
        OpenSource::Path(path) => ::mlirbc::Module::open_with(&path, &opening.options),
        OpenSource::Buffer(buffer) => ModuleFile::new("-").open(Source::foreign(buffer), &opening.options),
        OpenSource::Remote(remote) => remote
            .source(&opening.options.limits)
            .and_then(|source| ModuleFile::new("-").open(source, &opening.options)),
    });
    let module = Module::new(py, opened, opening.interrupt.clone())?;
    known(py, opening.upgraded(py, module)?, require_known)
}

/// Open a local file for `mlirbc.corpus`, which reads many: a small file is read at once, not mapped.
#[pyfunction]
pub(crate) fn _open_one_of_many(
    py: Python<'_>,
    path: PathBuf,
    limits: Option<Bound<'_, Limits>>,
    release: Option<String>,
) -> PyResult<Module> {
    let small = py.detach(|| read_small(&path));
    let stamp = small.as_ref().map_or_else(|| stamp(&path), |(_, metadata)| stamp_of(metadata));
    let origin = Origin::File { stamp, path: std::path::absolute(&path)?, is_mapped: true };
    let opening = Opening::new(py, origin, limits, release, None, None, (None, None), None)?;
    let opened = py.detach(|| match small {
        Some((bytes, _)) => ModuleFile::new(path.display().to_string()).open(bytes.into(), &opening.options),
        None => ::mlirbc::Module::open_with(&path, &opening.options),
    });
    let module = Module::new(py, opened, opening.interrupt.clone())?;
    known(py, opening.upgraded(py, module)?, false)
}

/// A source that `open` accepts.
enum OpenSource {
    Path(PathBuf),
    Buffer(Foreign),
    Remote(Remote),
}

/// A URL, or a file object of Python.
enum Remote {
    Ranges(PyRanges),
    Stream(PyStream),
}

impl Remote {
    fn new(source: &Bound<'_, PyAny>, allow_redirects: bool) -> PyResult<Self> {
        let reader = source.py().import("mlirbc._ranges")?.getattr("reader")?;
        let reader = reader.call1((source, allow_redirects))?;
        let stream = reader.getattr("stream")?;
        Ok(match stream.is_none() {
            true => Self::Ranges(PyRanges::new(reader)?),
            false => Self::Stream(PyStream::new(&reader, stream)?),
        })
    }

    fn source(self, limits: &::mlirbc::limits::Limits) -> ::mlirbc::Result<Source> {
        match self {
            Self::Ranges(ranges) => Ok(ranges.into()),
            Self::Stream(stream) => stream.read_all(limits),
        }
    }
}

/// Opens a URL for the command.
pub(crate) fn open_url(
    url: &str,
    limits: &::mlirbc::limits::Limits,
    allow_redirects: bool,
) -> ::mlirbc::Result<Source> {
    let remote = Python::attach(|py| Remote::new(PyString::new(py, url).as_any(), allow_redirects));
    let failed = |error| {
        ::mlirbc::Error::io(format!("cannot open `{url}`"), std::io::Error::other(error))
            .with_hint("the message ends with the reason that the client of this storage gives")
    };
    remote.map_err(failed)?.source(limits)
}

impl OpenSource {
    fn new(source: &Bound<'_, PyAny>, allow_redirects: bool) -> PyResult<Self> {
        let is_url = source.extract::<&str>().is_ok_and(|text| text.contains("://"));
        if is_url || source.hasattr("read")? || source.hasattr("fs")? && source.hasattr("path")? {
            return Ok(Self::Remote(Remote::new(source, allow_redirects)?));
        }
        if let Ok(path) = source.extract::<PathBuf>() {
            return Ok(Self::Path(path));
        }
        match Foreign::new(source) {
            Ok(buffer) => Ok(Self::Buffer(buffer)),
            Err(error) if error.is_instance_of::<PyTypeError>(source.py()) => {
                let class = source.get_type().name()?.to_string();
                Err(PyTypeError::new_err(format!(
                    "expected a path, a URL, a buffer or a binary file to open, found {class}"
                )))
            }
            Err(error) => Err(error),
        }
    }

    fn origin(&self, source: &Bound<'_, PyAny>, backend: Backend) -> PyResult<Origin> {
        Ok(match self {
            Self::Path(path) => {
                let path = std::path::absolute(path)?;
                Origin::File { stamp: stamp(&path), path, is_mapped: backend == Backend::Map }
            }
            Self::Buffer(buffer) => Origin::Buffer(buffer.owner.clone_ref(source.py())),
            Self::Remote(_) => Origin::Object(source.clone().unbind()),
        })
    }
}

/// A URL or a Python file object that is read by ranges; `mlirbc._ranges` implements the reads.
struct PyRanges {
    reader: Py<PyAny>,
    len: u64,
}

impl PyRanges {
    fn new(reader: Bound<'_, PyAny>) -> PyResult<Self> {
        let len = reader.getattr("size")?.extract()?;
        Ok(Self { reader: reader.unbind(), len })
    }
}

impl ReadAt for PyRanges {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        Python::attach(|py| {
            let read = self.reader.bind(py).call_method1("read_at", (offset, buffer.len()));
            // An exception of the file object is raised unchanged, see `errors::os_error`.
            let read = read.map_err(std::io::Error::other)?;
            let bytes = read
                .cast::<PyBytes>()
                .map_err(|_| std::io::Error::other("the file does not return bytes"))?;
            match bytes.as_bytes() {
                bytes if bytes.len() == buffer.len() => buffer.copy_from_slice(bytes),
                bytes if bytes.len() < buffer.len() => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                _ => return Err(std::io::Error::other("the file returns more bytes than it was asked for")),
            }
            Ok(())
        })
    }
}

/// A Python file object that cannot seek, or the body of a server's answer; `mlirbc._ranges` makes it.
struct PyStream {
    stream: Py<PyAny>,
    /// The length that a server announces; 0 if the length is not known.
    announced: u64,
}

impl PyStream {
    fn new(reader: &Bound<'_, PyAny>, stream: Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { stream: stream.unbind(), announced: reader.getattr("size")?.extract()? })
    }

    /// Reads all bytes, up to the limit for streams.
    fn read_all(mut self, limits: &::mlirbc::limits::Limits) -> ::mlirbc::Result<Source> {
        let name = "the file";
        let source = Source::check_announced(self.announced, name, limits)
            .and_then(|()| Source::from_stream(&mut self, name, limits));
        // Bytes that were read are valid even if the connection cannot be closed.
        Python::attach(|py| drop(self.stream.bind(py).call_method0("close")));
        source
    }
}

impl std::io::Read for PyStream {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        Python::attach(|py| {
            let read = self.stream.bind(py).call_method1("read", (buffer.len(),));
            let read = read.map_err(std::io::Error::other)?;
            let bytes = read
                .cast::<PyBytes>()
                .map_err(|_| std::io::Error::other("the file does not return bytes"))?;
            let bytes = bytes.as_bytes();
            let room = buffer.get_mut(..bytes.len());
            room.ok_or_else(|| std::io::Error::other("the file returns more bytes than it was asked for"))?
                .copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}

/// Returns the bytes of a local file, read up to the limit for streams.
#[pyfunction]
pub(crate) fn _bytes_of_file<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyBytes>> {
    let limits = ::mlirbc::limits::Limits::default();
    let read = py.detach(|| Source::open_with(&path, Backend::Read, &limits)?.all(&limits));
    Ok(PyBytes::new(py, &read.map_err(|error| raise(py, error, None))?))
}

/// Returns the contents of a folder for `mlirbc.corpus.files`: the files with modules, or with one of the
/// suffixes; the pipes and devices that are left out; and the folders that cannot be read.
#[pyfunction]
pub(crate) fn _inputs_below(
    py: Python<'_>,
    folder: PathBuf,
    suffixes: Option<Vec<String>>,
) -> (Vec<PathBuf>, Vec<PathBuf>, Vec<PathBuf>) {
    let inputs = py.detach(|| match suffixes {
        None => FolderInputs::below(&folder, &has_suffix, &holds_modules),
        Some(suffixes) => {
            let is_input = |path: &std::path::Path| {
                let name = path.file_name().map(|name| name.as_encoded_bytes()).unwrap_or_default();
                suffixes.iter().any(|suffix| name.ends_with(suffix.as_bytes()))
            };
            FolderInputs::below(&folder, &is_input, &is_input)
        }
    });
    (inputs.files, inputs.special, inputs.unreadable.into_iter().map(|(folder, _)| folder).collect())
}

/// Returns the module, unless `require_known` is set and parts of the module are described nowhere.
fn known(py: Python<'_>, module: Module, require_known: bool) -> PyResult<Module> {
    if require_known {
        module.detached(py, |module| module.require_known())?;
    }
    log::debug(py, || {
        let bytecode = module.inner.tables().bytecode();
        let (size, version) = (bytecode.size(), bytecode.version().number());
        let producer = String::from_utf8_lossy(bytecode.producer());
        let name = module.opened.get().map_or_else(String::new, |opened| opened.origin.described(py));
        format!("opened {name}: {size} bytes, bytecode version {version}, producer {producer:?}")
    })?;
    Ok(module)
}

/// Read bytecode from a buffer of any contiguous kind.
///
/// `bytes`, read-only `mmap` objects, buffers from mlirbc, and views of these are read in place, and the module
/// keeps them. Any other buffer could be written to meanwhile, so it is copied: `bytearray`, arrays, views of these.
///
/// The keywords are those of `open`. Raises `ReadError` or `UnsupportedError` when it is not bytecode of versions 0
/// to 6, and `BufferError` when it is not contiguous.
///
///     >>> with open("examples/two_layers.mlirbc", "rb") as file:
///     ...     mlirbc.read(file.read()).bytecode.version
///     6
#[pyfunction]
#[allow(clippy::too_many_arguments)] // keywords
#[pyo3(signature = (buffer, *, limits = None, release = None, dialects = None, schemas = None,
    unknown_dialects = None, layouts = None, require_known = false, module = None))]
pub(crate) fn read(
    py: Python<'_>,
    buffer: &Bound<'_, PyAny>,
    limits: Option<Bound<'_, Limits>>,
    release: Option<String>,
    dialects: Option<&Bound<'_, PyAny>>,
    schemas: Option<&Bound<'_, PyAny>>,
    unknown_dialects: Option<Vec<String>>,
    layouts: Option<BTreeMap<String, String>>,
    require_known: bool,
    module: Option<Choice>,
) -> PyResult<Module> {
    let buffer = Foreign::new(buffer)?;
    let origin = Origin::Buffer(buffer.owner.clone_ref(py));
    let opening =
        Opening::new(py, origin, limits, release, dialects, schemas, (unknown_dialects, layouts), module)?;
    let source = Source::foreign(buffer);
    let opened = ::mlirbc::Module::from_source(source, &opening.options);
    let module = Module::new(py, opened, opening.interrupt.clone())?;
    known(py, opening.upgraded(py, module)?, require_known)
}

/// Returns the bytes of a Python buffer: the buffer itself if nothing in this process can write to it,
/// otherwise a copy.
pub(crate) fn foreign(object: &Bound<'_, PyAny>) -> PyResult<::mlirbc::bytes::Bytes> {
    Ok(::mlirbc::bytes::Bytes::from_owner(Foreign::new(object)?))
}

/// A Python buffer that does not change, held until the last view is dropped.
pub(crate) struct Foreign {
    buffer: PyBuffer<u8>,
    // The owner of the buffer: the object, or a copy of its bytes.
    owner: Py<PyAny>,
}

impl Foreign {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        // Items of any size are treated as bytes.
        let view = match view_of(object) {
            // Elements that buffers cannot export are taken through DLPack.
            Err(_) if object.hasattr("__dlpack__")? && !object.hasattr("__array_interface__")? => {
                let module = object.py().import("mlirbc._dlpack")?;
                view_of(&module.call_method1("array_of", (object,))?)?
            }
            view => view?,
        };
        if !view.getattr("c_contiguous")?.is_truthy()? {
            return Err(PyBufferError::new_err("the buffer is not contiguous"));
        }
        let is_constant = view.getattr("readonly")?.is_truthy()? && is_constant(&view.getattr("obj")?)?;
        let owner = match is_constant {
            true => view.call_method1("cast", ("B",))?,
            false => view.call_method0("tobytes")?,
        };
        Ok(Self { buffer: PyBuffer::get(&owner)?, owner: owner.unbind() })
    }
}

/// Returns the bytes of a buffer, or of an array whose dtype buffers cannot describe.
pub(crate) fn view_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyMemoryView>> {
    PyMemoryView::from(object).or_else(|error| match plain_bytes(object)? {
        Some(plain) => PyMemoryView::from(&plain),
        None => Err(error),
    })
}

// NumPy exports no buffers of dtypes that it does not define, such as the dtypes of `ml_dtypes`, but gives
// access to the bytes of a contiguous array.
fn plain_bytes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !object.hasattr("__array_interface__")? {
        return Ok(None);
    }
    if !object.getattr("flags")?.getattr("c_contiguous")?.is_truthy()? {
        return Err(PyBufferError::new_err("the array is not contiguous"));
    }
    Ok(Some(object.call_method1("reshape", (-1,))?.call_method1("view", ("uint8",))?))
}

// Whether the owner of a read-only buffer cannot write to it, either. A read-only view may well be a view of
// a `bytearray`, whose owner can write. Mapped files are treated as by `open`.
fn is_constant(owner: &Bound<'_, PyAny>) -> PyResult<bool> {
    if owner.is_instance_of::<PyBytes>() || owner.is_instance_of::<Blob>() {
        return Ok(true);
    }
    owner.is_instance(&owner.py().import("mmap")?.getattr("mmap")?)
}

impl AsRef<[u8]> for Foreign {
    #[allow(unsafe_code)]
    fn as_ref(&self) -> &[u8] {
        let len = self.buffer.len_bytes();
        if len == 0 {
            return &[];
        }
        // SAFETY: the buffer protocol keeps the memory at this address and size until the buffer is released,
        // which happens when `self` is dropped. The memory belongs to an immutable object or to a read-only
        // map, see `is_constant`, so no code of this process writes to it meanwhile.
        unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>(), len) }
    }
}
