//! Opening, the module, and the tables around the IR.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use ::mlirbc::ir::{BodyId, OpId, OpNameId};
use ::mlirbc::{Backend, Body, ReadOptions, Source};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::attribute::{Table, TableKind};
use crate::columns::Columns;
use crate::errors::{Interrupt, raise};
use crate::operation::Operation;
use crate::resource::Resources;
use crate::structure::{Block, OperationList};

/// What a module may cost its reader: `max_depth` levels of nesting, and `max_memory` bytes of decoded
/// tables.
///
/// None stands for the default: 10,000,000 levels; 64 bytes for each byte of the file and 16 MiB.
/// Going past a limit raises `LimitError`.
///
///     >>> limits = mlirbc.Limits(max_depth=1000, max_memory=64 << 20)
///     >>> mlirbc.open("examples/two_layers.mlirbc", limits=limits).bytecode.version
///     6
#[pyclass(frozen, module = "mlirbc", eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Limits {
    /// How deep regions, attributes and types may nest.
    ///
    ///     >>> mlirbc.Limits().max_depth
    ///     10000000
    #[pyo3(get)]
    max_depth: u32,
    /// Bytes that decoded tables and bodies may take; None for the default.
    ///
    ///     >>> mlirbc.Limits(max_memory=1 << 20).max_memory
    ///     1048576
    #[pyo3(get)]
    max_memory: Option<u64>,
}

#[pymethods]
impl Limits {
    #[new]
    #[pyo3(signature = (*, max_depth = None, max_memory = None))]
    fn new(max_depth: Option<u32>, max_memory: Option<u64>) -> Self {
        let default = ::mlirbc::Limits::default();
        Self { max_depth: max_depth.unwrap_or(default.max_depth), max_memory }
    }

    fn __repr__(&self) -> String {
        let memory = self.max_memory.map_or("None".to_owned(), |bytes| bytes.to_string());
        format!("Limits(max_depth={}, max_memory={memory})", self.max_depth)
    }
}

/// An MLIR bytecode file; everything but its header is read when it is asked for.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module
///     <mlirbc.Module version 6 by "MLIR22.1.8", 1474 bytes>
#[pyclass(frozen, module = "mlirbc", weakref)]
pub(crate) struct Module {
    pub(crate) inner: Arc<::mlirbc::Module>,
    pub(crate) interrupt: Arc<Interrupt>,
    names: OnceLock<Vec<PyOnceLock<Py<PyString>>>>,
    closed: AtomicBool,
}

fn options(backend: Backend, limits: Option<&Limits>, interrupt: &Arc<Interrupt>) -> ReadOptions {
    let interrupt = interrupt.clone();
    let limits = limits.map_or_else(::mlirbc::Limits::default, |limits| ::mlirbc::Limits {
        max_depth: limits.max_depth,
        max_memory: limits.max_memory,
    });
    ReadOptions { backend, limits, interrupt: Some(Arc::new(move || interrupt.requested())) }
}

/// Open a bytecode file; `backend` is `map`, or `read` for files that other programs may cut.
///
/// Raises `OSError` when it cannot be opened, `ReadError` or `UnsupportedError` when its header is not
/// bytecode of versions 0 to 6, and `ValueError` for another backend.
///
///     >>> mlirbc.open("examples/two_layers.mlirbc", backend="read").bytecode.version
///     6
#[pyfunction]
#[pyo3(signature = (path, *, backend = "map", limits = None))]
pub(crate) fn open(
    py: Python<'_>,
    path: PathBuf,
    backend: &str,
    limits: Option<&Limits>,
) -> PyResult<Module> {
    let backend = match backend {
        "map" => Backend::Map,
        "read" => Backend::Read,
        other => {
            return Err(PyValueError::new_err(format!("backend is 'map' or 'read', not {other:?}")));
        }
    };
    let interrupt = Arc::new(Interrupt::default());
    let options = options(backend, limits, &interrupt);
    let opened = py.detach(|| ::mlirbc::Module::open_with(&path, &options));
    Module::new(py, opened, interrupt)
}

/// Read bytecode from a buffer of any contiguous kind, without a copy; the module keeps the buffer.
///
/// Raises `ReadError` or `UnsupportedError` when it is not bytecode of versions 0 to 6, and `BufferError`
/// when it is not contiguous.
///
///     >>> with open("examples/two_layers.mlirbc", "rb") as file:
///     ...     mlirbc.read(file.read()).bytecode.version
///     6
#[pyfunction]
#[pyo3(signature = (buffer, *, limits = None))]
pub(crate) fn read(py: Python<'_>, buffer: &Bound<'_, PyAny>, limits: Option<&Limits>) -> PyResult<Module> {
    let interrupt = Arc::new(Interrupt::default());
    let options = options(Backend::Map, limits, &interrupt);
    let source = Source::foreign(Foreign::new(buffer)?);
    Module::new(py, ::mlirbc::Module::from_source(source, &options), interrupt)
}

/// A Python buffer, held until the last view of it is gone.
struct Foreign {
    buffer: PyBuffer<u8>,
}

impl Foreign {
    fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        // Items of any size are taken as the bytes they are.
        let buffer = match PyBuffer::<u8>::get(object) {
            Ok(buffer) => buffer,
            Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => {
                let view = pyo3::types::PyMemoryView::from(object)?;
                PyBuffer::get(&view.call_method1("cast", ("B",))?)?
            }
            Err(error) => return Err(error),
        };
        if !buffer.is_c_contiguous() {
            return Err(PyBufferError::new_err("the buffer is not contiguous"));
        }
        Ok(Self { buffer })
    }
}

impl AsRef<[u8]> for Foreign {
    #[allow(unsafe_code)]
    fn as_ref(&self) -> &[u8] {
        let len = self.buffer.len_bytes();
        if len == 0 {
            return &[];
        }
        // SAFETY: the buffer protocol keeps the memory at this address and size until the buffer is released,
        // which happens when `self` is dropped. Python code that writes into a writable buffer meanwhile can
        // make decoded content meaningless, not memory unsafe: every index is checked when it is used.
        unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>(), len) }
    }
}

/// Text of the file: UTF-8, with any other byte kept as Python's own surrogate escape.
pub(crate) fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => {
            let decoded = PyBytes::new(py, bytes).call_method1("decode", ("utf-8", "surrogateescape"))?;
            Ok(decoded.cast_into::<PyString>()?)
        }
    }
}

impl Module {
    fn new(
        py: Python<'_>,
        opened: ::mlirbc::Result<::mlirbc::Module>,
        interrupt: Arc<Interrupt>,
    ) -> PyResult<Self> {
        let inner = Arc::new(opened.map_err(|error| raise(py, error, Some(&interrupt)))?);
        Ok(Self { inner, interrupt, names: OnceLock::new(), closed: AtomicBool::new(false) })
    }

    pub(crate) fn raise(&self, py: Python<'_>, error: ::mlirbc::Error) -> PyErr {
        raise(py, error, Some(&self.interrupt))
    }

    /// Runs work on the core without the interpreter.
    pub(crate) fn detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&::mlirbc::Module) -> ::mlirbc::Result<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| work(&self.inner)).map_err(|error| self.raise(py, error))
    }

    /// The body, decoded without the interpreter if it is not decoded yet.
    #[inline]
    pub(crate) fn decoded(&self, py: Python<'_>, id: BodyId) -> PyResult<&Body> {
        match self.inner.decoded_body(id) {
            Some(body) => Ok(body),
            None => {
                self.detached(py, |module| module.body(id).map(drop))?;
                self.inner.body(id).map_err(|error| self.raise(py, error))
            }
        }
    }

    /// The full name of an op, made once.
    #[inline]
    pub(crate) fn op_name<'py>(&self, py: Python<'py>, id: OpNameId) -> PyResult<Bound<'py, PyString>> {
        let names = match self.names.get() {
            Some(names) => names,
            None => self.make_names(py)?,
        };
        match names.get(id.index()) {
            Some(cell) => match cell.get(py) {
                Some(name) => Ok(name.bind(py).clone()),
                None => {
                    let name = self.inner.op_name(id).map(|name| name.full_bytes()).unwrap_or_default();
                    Ok(cell.get_or_try_init(py, || text(py, &name).map(Bound::unbind))?.bind(py).clone())
                }
            },
            None => Ok(PyString::new(py, "")),
        }
    }

    #[cold]
    fn make_names(&self, py: Python<'_>) -> PyResult<&Vec<PyOnceLock<Py<PyString>>>> {
        let section = self.inner.dialect_section().map_err(|error| self.raise(py, error))?;
        Ok(self.names.get_or_init(|| section.op_names.iter().map(|_| PyOnceLock::new()).collect()))
    }

    pub(crate) fn ensure_open(&self) -> PyResult<()> {
        match self.closed.load(Ordering::Relaxed) {
            true => Err(PyValueError::new_err("the module is closed")),
            false => Ok(()),
        }
    }

    /// The operation names with the indices of their dialects.
    fn all_names(&self, py: Python<'_>) -> PyResult<Vec<(u32, Py<OperationName>)>> {
        let section = self.inner.dialect_section().map_err(|error| self.raise(py, error))?;
        let names = section.op_names.iter().enumerate().map(|(id, entry)| {
            let id = OpNameId(id as u32);
            let dialect = self.inner.op_name(id).map(|name| name.dialect).unwrap_or_default();
            let name = OperationName {
                name: self.op_name(py, id)?.unbind(),
                dialect: text(py, dialect)?.unbind(),
                is_registered: entry.is_registered,
            };
            Ok((entry.dialect, Py::new(py, name)?))
        });
        names.collect()
    }
}

#[pymethods]
impl Module {
    /// Version, producer and sections.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [section.name for section in module.bytecode.sections][:3]
    ///     ['Dialect', 'AttrTypeOffset', 'AttrType']
    #[getter]
    fn bytecode(slf: Py<Self>) -> Bytecode {
        Bytecode { module: slf }
    }

    /// The dialects by index. Raises `ReadError` when the table is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [dialect.name for dialect in module.dialects]
    ///     ['builtin', 'func', 'arith', 'tensor', 'cf', 'scf']
    #[getter]
    fn dialects<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.ensure_open()?;
        let dialects = self.inner.dialects().map_err(|error| self.raise(py, error))?;
        let mut names: Vec<Vec<Py<OperationName>>> = (0..dialects.len()).map(|_| Vec::new()).collect();
        for (dialect, name) in self.all_names(py)? {
            names[dialect as usize].push(name);
        }
        let dialects: Vec<Dialect> = dialects
            .zip(names)
            .map(|(dialect, names)| {
                Ok(Dialect {
                    name: text(py, dialect.name)?.unbind(),
                    version: dialect.version.map(|bytes| PyBytes::new(py, &bytes).unbind()),
                    op_names: PyTuple::new(py, names)?.unbind(),
                })
            })
            .collect::<PyResult<_>>()?;
        PyTuple::new(py, dialects)
    }

    /// The operation names by index. Raises `ReadError` when the table is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [op_name.name for op_name in module.op_names][:2]
    ///     ['builtin.module', 'func.return']
    #[getter]
    fn op_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.ensure_open()?;
        PyTuple::new(py, self.all_names(py)?.into_iter().map(|(_, name)| name).collect::<Vec<_>>())
    }

    /// The strings by index. Raises `ReadError` when the table is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.strings[0]
    ///     'builtin'
    #[getter]
    fn strings(slf: &Bound<'_, Self>) -> PyResult<Table> {
        Table::new(slf, TableKind::Strings)
    }

    /// The attributes by index, as they stand in the file; locations are attributes. Raises `ReadError` when
    /// the table is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.attributes[64].asm
    ///     '#arith.fastmath<contract>'
    #[getter]
    fn attributes(slf: &Bound<'_, Self>) -> PyResult<Table> {
        Table::new(slf, TableKind::Attributes)
    }

    /// The types by index, as they stand in the file. Raises `ReadError` when the table is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.types)
    ///     13
    #[getter]
    fn types(slf: &Bound<'_, Self>) -> PyResult<Table> {
        Table::new(slf, TableKind::Types)
    }

    /// The property blobs by index, as bytes; empty below version 5. Raises `ReadError` when the table is
    /// malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.properties), type(module.properties[0])
    ///     (15, <class 'bytes'>)
    #[getter]
    fn properties(slf: &Bound<'_, Self>) -> PyResult<Table> {
        Table::new(slf, TableKind::Properties)
    }

    /// The resources, external ones first. Raises `ReadError` when their directory is malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources.keys()[:3]
    ///     ['note', 'trained', 'layer0.weight']
    #[getter]
    fn resources(slf: &Bound<'_, Self>) -> PyResult<Resources> {
        slf.get().ensure_open()?;
        Resources::new(slf)
    }

    /// The top-level operation, usually a `builtin.module`. Raises `ReadError` when there is none or more
    /// than one.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.name
    ///     'builtin.module'
    #[getter]
    fn operation(slf: &Bound<'_, Self>) -> PyResult<Operation> {
        let (this, py) = (slf.get(), slf.py());
        this.ensure_open()?;
        this.decoded(py, BodyId::TOP_LEVEL)?;
        this.inner.operation().map_err(|error| this.raise(py, error))?;
        Ok(Operation::new(slf.clone().unbind(), BodyId::TOP_LEVEL, OpId(0)))
    }

    /// The top-level operations; almost always one.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [op.name for op in module.operations]
    ///     ['builtin.module']
    #[getter]
    fn operations(slf: &Bound<'_, Self>) -> PyResult<OperationList> {
        slf.get().ensure_open()?;
        Ok(OperationList(Block::top_level(slf)?))
    }

    /// The block of the top-level operation. Raises `ReadError` as `operation` does, and `IndexError` without
    /// a block.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [op.name for op in module.body]
    ///     ['func.func', 'func.func']
    #[getter]
    fn body(slf: &Bound<'_, Self>) -> PyResult<Block> {
        Self::operation(slf)?.first_block(slf.py())
    }

    /// Whether `close` was called.
    ///
    ///     >>> with mlirbc.open("examples/two_layers.mlirbc") as module:
    ///     ...     module.closed
    ///     False
    ///     >>> module.closed
    ///     True
    #[getter]
    fn closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Call `callback` on all top-level operations and everything inside them, in post-order unless told
    /// otherwise.
    ///
    /// The callback returns a `WalkResult`, or None to go on. Returns `WalkResult.INTERRUPT` if the callback
    /// did, else `WalkResult.ADVANCE`. Raises what the callback raises, `ReadError` where the file is
    /// malformed, and `TypeError` when the callback returns anything else.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> def visit(op):
    ///     ...     if op.name == "cf.cond_br":
    ///     ...         print(op.parent.name)
    ///     ...         return mlirbc.WalkResult.INTERRUPT
    ///     >>> module.walk(visit)
    ///     func.func
    ///     <WalkResult.INTERRUPT: 1>
    #[pyo3(signature = (callback, walk_order = None))]
    fn walk(
        slf: &Bound<'_, Self>,
        callback: &Bound<'_, PyAny>,
        walk_order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        slf.get().ensure_open()?;
        let block = Block::top_level(slf)?;
        let mut roots = Vec::new();
        for op in block.view(slf.py())?.operations() {
            roots.push(op.id());
        }
        crate::walk::walk(slf, BodyId::TOP_LEVEL, &roots, callback, walk_order)
    }

    /// How many operations of each name there are; keeps nothing in memory. Raises `ReadError` where the
    /// operations are malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.op_counts()["arith.constant"]
    ///     7
    fn op_counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.ensure_open()?;
        let counts = self.detached(py, ::mlirbc::Module::op_counts)?;
        let dict = PyDict::new(py);
        for (id, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            let name = self.op_name(py, OpNameId(id as u32))?;
            // The same name may stand in the table more than once.
            let before: u64 = dict.get_item(&name)?.map_or(Ok(0), |count| count.extract())?;
            dict.set_item(name, before + count)?;
        }
        Ok(dict)
    }

    /// All operations as flat `uint32` arrays, one row an operation. Raises `ReadError` where they are
    /// malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.columns())
    ///     34
    fn columns(slf: &Bound<'_, Self>) -> PyResult<Columns> {
        slf.get().ensure_open()?;
        Columns::new(slf)
    }

    /// Decode every body now, on `threads` threads (0: as many as there are cores), without the interpreter
    /// lock.
    ///
    /// Raises `ReadError` or `LimitError` for the first body that has a fault, in the order of a walk.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.decode_all(threads=2)
    #[pyo3(signature = (*, threads = 1))]
    fn decode_all(&self, py: Python<'_>, threads: usize) -> PyResult<()> {
        self.ensure_open()?;
        if threads == 1 {
            return self.detached(py, |module| module.decode_all(1));
        }
        // Signals reach this thread only, so it waits with open ears while others work.
        let (inner, interrupt) = (&self.inner, &self.interrupt);
        py.detach(|| {
            let (waiting, is_done) = (std::thread::current(), AtomicBool::new(false));
            std::thread::scope(|scope| {
                let worker = scope.spawn(|| {
                    let decoded = inner.decode_all(threads);
                    is_done.store(true, Ordering::Release);
                    waiting.unpark();
                    decoded
                });
                while !is_done.load(Ordering::Acquire) && !worker.is_finished() {
                    std::thread::park_timeout(std::time::Duration::from_millis(20));
                    Python::attach(|py| interrupt.check_signals(py));
                }
                worker.join().unwrap_or(Ok(()))
            })
        })
        .map_err(|error| self.raise(py, error))?;
        // A signal may have come when there was nothing left to stop.
        self.interrupt.take().map_or(Ok(()), Err)
    }

    /// Check the whole file. Raises `ReadError` or `LimitError` for the first broken rule.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify()
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        self.ensure_open()?;
        self.detached(py, |module| module.verify(&|_, _| {}))
    }

    /// Let go of the file. Handles and buffers made from it stay valid and keep it in memory; asking the
    /// module for operations or resources raises `ValueError`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> weight = memoryview(module.resources["layer0.weight"])
    ///     >>> module.close()
    ///     >>> weight.nbytes
    ///     48
    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (exc_type, exc_value, traceback, /))]
    fn __exit__(
        &self,
        exc_type: &Bound<'_, PyAny>,
        exc_value: &Bound<'_, PyAny>,
        traceback: &Bound<'_, PyAny>,
    ) {
        let _ = (exc_type, exc_value, traceback);
        self.close();
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        slf.is(other)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> u64 {
        let mut hasher = DefaultHasher::new();
        (slf.as_ptr() as usize).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let bytecode = self.inner.bytecode();
        let producer = String::from_utf8_lossy(bytecode.producer());
        format!("<mlirbc.Module version {} by {producer:?}, {} bytes>", bytecode.version(), bytecode.size())
    }
}

/// The container of a module: version, producer and sections.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.bytecode
///     <mlirbc.Bytecode version 6, 1474 bytes>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Bytecode {
    module: Py<Module>,
}

#[pymethods]
impl Bytecode {
    /// The bytecode version, 0 to 6.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.version
    ///     6
    #[getter]
    fn version(&self) -> u8 {
        self.module.get().inner.bytecode().version().number()
    }

    /// Who wrote the file, e.g. `MLIR22.1.8`.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.producer
    ///     'MLIR22.1.8'
    #[getter]
    fn producer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, self.module.get().inner.bytecode().producer())
    }

    /// Size of the file in bytes.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.size
    ///     1474
    #[getter]
    fn size(&self) -> u64 {
        self.module.get().inner.bytecode().size()
    }

    /// The sections in file order.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [section.id for section in module.bytecode.sections]
    ///     [1, 3, 2, 4, 6, 5, 0, 8]
    #[getter]
    fn sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let sections = self.module.get().inner.bytecode().sections();
        PyTuple::new(py, sections.iter().map(|&section| Section(section)).collect::<Vec<_>>())
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Bytecode version {}, {} bytes>", self.version(), self.size())
    }
}

/// Where a section lies in the file: its data is `file[offset : offset + size]`.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> strings = module.bytecode.sections[6]
///     >>> with open("examples/two_layers.mlirbc", "rb") as file:
///     ...     data = file.read()[strings.offset : strings.offset + strings.size]
///     >>> b"layer0.weight\0" in data
///     True
#[pyclass(frozen, module = "mlirbc", eq)]
#[derive(PartialEq, Eq)]
pub(crate) struct Section(::mlirbc::Section);

#[pymethods]
impl Section {
    /// The number of its kind, 0 to 8.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].id
    ///     1
    #[getter]
    fn id(&self) -> u8 {
        self.0.id.byte()
    }

    /// The name MLIR's diagnostics use for it.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].name
    ///     'Dialect'
    #[getter]
    fn name(&self) -> &'static str {
        self.0.id.name()
    }

    /// File offset of its data, in bytes.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].offset
    ///     18
    #[getter]
    fn offset(&self) -> u64 {
        self.0.offset
    }

    /// Bytes of data.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].size
    ///     35
    #[getter]
    fn size(&self) -> u64 {
        self.0.size
    }

    /// File offset of its header, in bytes.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].header_offset
    ///     16
    #[getter]
    fn header_offset(&self) -> u64 {
        self.0.header_offset
    }

    /// The alignment in bytes that its header asks for; None when it asks for none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [section.alignment for section in module.bytecode.sections if section.name == "Resource"]
    ///     [16]
    #[getter]
    fn alignment(&self) -> Option<u64> {
        self.0.alignment
    }

    fn __repr__(&self) -> String {
        format!(
            "<mlirbc.Section {} ({}) at {:#x}, {} bytes>",
            self.name(),
            self.id(),
            self.0.offset,
            self.0.size
        )
    }
}

/// A dialect of a module.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.dialects[1]
///     <mlirbc.Dialect func>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Dialect {
    /// Its name.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").dialects[1].name
    ///     'func'
    #[pyo3(get)]
    name: Py<PyString>,
    /// The bytes of its version, whose meaning is the dialect's; None if the file has none.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").dialects[1].version is None
    ///     True
    #[pyo3(get)]
    version: Option<Py<PyBytes>>,
    /// The names of its operations, in the order of the file.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> sorted(op_name.name for op_name in module.dialects[1].op_names)
    ///     ['func.call', 'func.func', 'func.return']
    #[pyo3(get)]
    op_names: Py<PyTuple>,
}

#[pymethods]
impl Dialect {
    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<mlirbc.Dialect {}>", self.name.bind(py))
    }
}

/// An operation name of a module.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.op_names[0]
///     <mlirbc.OperationName builtin.module>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OperationName {
    /// The full name, `dialect.op`; the dialect's alone for a name without a dot.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").op_names[0].name
    ///     'builtin.module'
    #[pyo3(get)]
    name: Py<PyString>,
    /// The dialect's name.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").op_names[0].dialect
    ///     'builtin'
    #[pyo3(get)]
    dialect: Py<PyString>,
    /// Whether the writer knew the op; None below version 5.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").op_names[0].is_registered
    ///     True
    #[pyo3(get)]
    is_registered: Option<bool>,
}

#[pymethods]
impl OperationName {
    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<mlirbc.OperationName {}>", self.name.bind(py))
    }
}
