//! Flat arrays of all operations, for NumPy and anything else that takes buffers.

#![allow(unsafe_code)]

use std::ffi::c_int;

use ::mlirbc::ir::OpNameId;
use ::mlirbc::tool::OpColumns;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::module::Module;

/// All operations of a module as flat arrays, one row an operation in pre-order.
///
/// Operands name values by number: results in row order, then block arguments. `0xffffffff` stands for none.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> columns = module.columns()
///     >>> ids, names = memoryview(columns.name), columns.op_names
///     >>> [names[ids[row]] for row in range(3)]
///     ['builtin.module', 'func.func', 'arith.constant']
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Columns {
    len: usize,
    /// The operation names by index.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").columns().op_names[0]
    ///     'builtin.module'
    #[pyo3(get)]
    op_names: Py<PyTuple>,
    /// Index of each operation's name, in `op_names`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> memoryview(module.columns().name)[0]
    ///     0
    #[pyo3(get)]
    name: Py<Column>,
    /// Row of the operation around each operation; 0xffffffff at the top level.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> memoryview(module.columns().parent)[:3].tolist()
    ///     [4294967295, 0, 1]
    #[pyo3(get)]
    parent: Py<Column>,
    /// Index of each operation's location, in `Module.attributes`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> memoryview(module.columns().location)[0] == module.operation.location.index
    ///     True
    #[pyo3(get)]
    location: Py<Column>,
    /// Index of each operation's dictionary, in `Module.attributes`; 0xffffffff for none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> memoryview(module.columns().attributes)[0] == module.operation.attribute_dictionary.index
    ///     True
    #[pyo3(get)]
    attributes: Py<Column>,
    /// Index of each operation's property blob, in `Module.properties`; 0xffffffff for none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> index = memoryview(module.columns().properties)[0]
    ///     >>> module.properties[index] == module.operation.property_blob
    ///     True
    #[pyo3(get)]
    properties: Py<Column>,
    /// Where each operation's operands begin in `operands`; one more row than there are operations.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> columns = module.columns()
    ///     >>> starts = memoryview(columns.operand_offsets)
    ///     >>> starts[7], starts[8] - starts[7]  # the first loop, and how many operands it has
    ///     (4, 4)
    #[pyo3(get)]
    operand_offsets: Py<Column>,
    /// Numbers of the values used: results in row order, then block arguments.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> columns = module.columns()
    ///     >>> len(columns.operands) == memoryview(columns.operand_offsets)[-1]
    ///     True
    #[pyo3(get)]
    operands: Py<Column>,
    /// Number of each operation's first result; one more row than there are operations.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> columns = module.columns()
    ///     >>> memoryview(columns.result_offsets)[-1] == len(columns.result_types)
    ///     True
    #[pyo3(get)]
    result_offsets: Py<Column>,
    /// Type of each result, by its index in `Module.types`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> types = memoryview(module.columns().result_types)
    ///     >>> types[0] == module.body.operations[0].regions[0].blocks[0].operations[0].result.type.index
    ///     True
    #[pyo3(get)]
    result_types: Py<Column>,
    /// Type of each block argument; argument `i` is value `len(result_types) + i`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.columns().argument_types)  # 3 + 2 + 2 in @dense and its loops, 2 + 1 in @main
    ///     10
    #[pyo3(get)]
    argument_types: Py<Column>,
}

impl Columns {
    pub(crate) fn new(module: &Bound<'_, Module>) -> PyResult<Self> {
        let (this, py) = (module.get(), module.py());
        let columns = this.detached(py, OpColumns::read)?;
        let section = this.inner.dialect_section().map_err(|error| this.raise(py, error))?;
        let names = (0..section.op_names.len() as u32).map(|id| this.op_name(py, OpNameId(id)));
        let names: Vec<_> = names.collect::<PyResult<_>>()?;
        let column = |values| Py::new(py, Column { values });
        Ok(Self {
            len: columns.op_name.len(),
            op_names: PyTuple::new(py, names)?.unbind(),
            name: column(columns.op_name)?,
            parent: column(columns.parent)?,
            location: column(columns.location)?,
            attributes: column(columns.attributes)?,
            properties: column(columns.properties)?,
            operand_offsets: column(columns.operand_offsets)?,
            operands: column(columns.operands)?,
            result_offsets: column(columns.result_offsets)?,
            result_types: column(columns.result_types)?,
            argument_types: column(columns.argument_types)?,
        })
    }
}

#[pymethods]
impl Columns {
    fn __len__(&self) -> usize {
        self.len
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Columns of {} operations>", self.len)
    }
}

/// Read-only `uint32` values, exported without a copy.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> memoryview(module.columns().name).format, memoryview(module.columns().name).itemsize
///     ('I', 4)
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Column {
    values: Vec<u32>,
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
        // The shape must outlive the view; it is given back in `__releasebuffer__`.
        let shape = Box::into_raw(Box::new([values.len() as ffi::Py_ssize_t, 4]));
        // SAFETY: as in `blob::fill`; format and shape are set by hand because items have four bytes: the
        // format is a static string, and `shape` points at two numbers that live until the view is released.
        unsafe {
            let len = size_of_val(&values[..]) as ffi::Py_ssize_t;
            let pointer = values.as_ptr() as *mut _;
            let filled = ffi::PyBuffer_FillInfo(view, slf.as_ptr(), pointer, len, 1, flags);
            if filled != 0 {
                drop(Box::from_raw(shape));
                return Err(PyErr::fetch(slf.py()));
            }
            (*view).itemsize = 4;
            if flags & ffi::PyBUF_FORMAT == ffi::PyBUF_FORMAT {
                (*view).format = c"I".as_ptr() as *mut _;
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
