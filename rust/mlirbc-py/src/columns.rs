//! Flat arrays of all operations, for NumPy and other consumers of buffers.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};

use ::mlirbc::ir::OpNameId;
use ::mlirbc::tool::TextLimit;
use ::mlirbc::tool::{ColumnKind, ColumnLayout};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::handle::module::Module;

/// All operations of a module as flat arrays, with one row for each operation in pre-order.
///
/// Operands refer to values by number: results in row order, then block arguments. `0xffffffff` means none.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> columns = module.columns()
///     >>> ids, names = memoryview(columns.name), columns.op_names
///     >>> [names[ids[row]] for row in range(3)]
///     ['builtin.module', 'func.func', 'arith.constant']
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Columns {
    module: Py<Module>,
    layout: ColumnLayout,
    len: usize,
    /// The operation names by index.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").columns().op_names[0]
    ///     'builtin.module'
    #[pyo3(get)]
    op_names: Py<PyTuple>,
    // Columns by kind, created on first use, because an unused column would waste memory.
    columns: [PyOnceLock<Py<Column>>; 10],
}

impl Columns {
    pub(crate) fn new(module: &Bound<'_, Module>) -> PyResult<Self> {
        let (this, py) = (module.get(), module.py());
        // Malformed operations are found here, so that no column can fail later.
        let (layout, name) = this.detached(py, |module| {
            let layout = ColumnLayout::plan(module)?;
            let name = layout.column(ColumnKind::OpName)?;
            Ok((layout, name))
        })?;
        let section = this.inner.tables().dialect_section().map_err(|error| this.raise(py, error))?;
        let limit = TextLimit::of_kept(&this.inner);
        let names = (0..section.op_names.len() as u32).map(|id| {
            let name = this.op_name(py, OpNameId::new(id))?;
            limit.spend(name.len()? as u64).map_err(|error| this.raise(py, error))?;
            Ok(name)
        });
        let names = names.collect::<PyResult<Vec<_>>>()?;
        let columns = Self {
            module: module.clone().unbind(),
            layout,
            len: name.len(),
            op_names: PyTuple::new(py, names)?.unbind(),
            columns: std::array::from_fn(|_| PyOnceLock::new()),
        };
        let name = Py::new(py, Column::from(name))?;
        let _ = columns.columns[ColumnKind::OpName as usize].set(py, name);
        Ok(columns)
    }

    fn column(&self, py: Python<'_>, kind: ColumnKind) -> PyResult<Py<Column>> {
        let column = self.columns[kind as usize].get_or_try_init(py, || {
            let values = self.module.get().detached(py, |_| self.layout.column(kind))?;
            Py::new(py, Column::from(values))
        })?;
        Ok(column.clone_ref(py))
    }
}

#[pymethods]
impl Columns {
    /// The index of each operation's name, in `op_names`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> memoryview(module.columns().name)[0]
    ///     0
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::OpName)
    }

    /// The row of the operation around each operation; 0xffffffff at the top level.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> memoryview(module.columns().parent)[:3].tolist()
    ///     [4294967295, 0, 1]
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::Parent)
    }

    /// The index of each operation's location, in `Module.attributes`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> memoryview(module.columns().location)[0] == module.operation.location.index
    ///     True
    #[getter]
    fn location(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::Location)
    }

    /// The index of each operation's dictionary, in `Module.attributes`; 0xffffffff for none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> memoryview(module.columns().attributes)[0] == module.operation.attribute_dictionary.index
    ///     True
    #[getter]
    fn attributes(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::Attributes)
    }

    /// The index of each operation's property blob, in `Module.properties`; 0xffffffff for none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> index = memoryview(module.columns().properties)[0]
    ///     >>> module.properties[index] == module.operation.property_blob
    ///     True
    #[getter]
    fn properties(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::Properties)
    }

    /// The position in `operands` of each operation's first operand, and a final entry with the number of
    /// operands.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> columns = module.columns()
    ///     >>> starts = memoryview(columns.operand_offsets)
    ///     >>> starts[7], starts[8] - starts[7]  # the first loop, and how many operands it has
    ///     (4, 4)
    #[getter]
    fn operand_offsets(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::OperandOffsets)
    }

    /// The numbers of the used values: results in row order, then block arguments.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> columns = module.columns()
    ///     >>> len(columns.operands) == memoryview(columns.operand_offsets)[-1]
    ///     True
    #[getter]
    fn operands(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::Operands)
    }

    /// The number of each operation's first result, and a final entry with the number of results.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> columns = module.columns()
    ///     >>> memoryview(columns.result_offsets)[-1] == len(columns.result_types)
    ///     True
    #[getter]
    fn result_offsets(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::ResultOffsets)
    }

    /// The type of each result, as an index in `Module.types`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> types = memoryview(module.columns().result_types)
    ///     >>> types[0] == module.body.operations[0].regions[0].blocks[0].operations[0].result.type.index
    ///     True
    #[getter]
    fn result_types(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::ResultTypes)
    }

    /// The type of each block argument; argument `i` is value `len(result_types) + i`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.columns().argument_types)  # 3 + 2 + 2 in @dense and its loops, 2 + 1 in @main
    ///     10
    #[getter]
    fn argument_types(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, ColumnKind::ArgumentTypes)
    }

    fn __len__(&self) -> usize {
        self.len
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Columns of {} operations>", self.len)
    }
}

/// Read-only numbers, exported without a copy: `uint32` in the columns of operations.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> memoryview(module.columns().name).format, memoryview(module.columns().name).itemsize
///     ('I', 4)
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Column {
    values: Numbers,
}

/// Numbers of one width.
enum Numbers {
    Bytes(Vec<u8>),
    Words(Vec<u32>),
    Sizes(Vec<u64>),
}

impl Numbers {
    fn len(&self) -> usize {
        match self {
            Self::Bytes(values) => values.len(),
            Self::Words(values) => values.len(),
            Self::Sizes(values) => values.len(),
        }
    }

    /// The address, the size of an item, and the item format in the notation of Python's `struct`.
    fn buffer(&self) -> (*const u8, usize, &'static CStr) {
        match self {
            Self::Bytes(values) => (values.as_ptr(), 1, c"B"),
            Self::Words(values) => (values.as_ptr().cast(), 4, c"I"),
            Self::Sizes(values) => (values.as_ptr().cast(), 8, c"Q"),
        }
    }
}

impl From<Vec<u8>> for Column {
    fn from(values: Vec<u8>) -> Self {
        Self { values: Numbers::Bytes(values) }
    }
}

impl From<Vec<u32>> for Column {
    fn from(values: Vec<u32>) -> Self {
        Self { values: Numbers::Words(values) }
    }
}

impl From<Vec<u64>> for Column {
    fn from(values: Vec<u64>) -> Self {
        Self { values: Numbers::Sizes(values) }
    }
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.values.len()
    }

    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no view to fill"));
        }
        let values = &slf.get().values;
        let (pointer, width, format) = values.buffer();
        // The shape must outlive the view; `__releasebuffer__` frees it.
        let shape = Box::into_raw(Box::new([values.len() as ffi::Py_ssize_t, width as ffi::Py_ssize_t]));
        // SAFETY: as in `blob::fill`; format and shape are set by hand because items may have several bytes:
        // the format is a static string, and `shape` points at two numbers that live until the view is released.
        unsafe {
            let len = (values.len() * width) as ffi::Py_ssize_t;
            let pointer = pointer.cast_mut().cast();
            let filled = ffi::PyBuffer_FillInfo(view, slf.as_ptr(), pointer, len, 1, flags);
            if filled != 0 {
                drop(Box::from_raw(shape));
                return Err(PyErr::fetch(slf.py()));
            }
            (*view).itemsize = width as ffi::Py_ssize_t;
            if flags & ffi::PyBUF_FORMAT == ffi::PyBUF_FORMAT {
                (*view).format = format.as_ptr() as *mut _;
            }
            if flags & ffi::PyBUF_ND == ffi::PyBUF_ND {
                (*view).shape = shape.cast();
            }
            if flags & ffi::PyBUF_STRIDES == ffi::PyBUF_STRIDES {
                (*view).strides = shape.cast::<ffi::Py_ssize_t>().add(1);
            }
            (*view).internal = shape.cast();
        }
        Ok(())
    }

    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: `internal` is the pointer that `__getbuffer__` made, and a view is released once.
        unsafe {
            let shape = (*view).internal.cast::<[ffi::Py_ssize_t; 2]>();
            if !shape.is_null() {
                drop(Box::from_raw(shape));
                (*view).internal = std::ptr::null_mut();
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Column of {} values>", self.values.len())
    }
}
