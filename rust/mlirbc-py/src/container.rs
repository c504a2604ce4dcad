//! The container of a module, its dialects and operation names.

use ::mlirbc::ir::OpNameId;
use ::mlirbc::tool::printable;
use mlirbc_py_macros::checked;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::handle::module::Module;
use crate::lost_bytes::reads;
use crate::text::text;

/// The container of a module: version, producer and sections.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.bytecode
///     <mlirbc.Bytecode version 6, 1474 bytes>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Bytecode {
    pub(crate) module: Py<Module>,
}

reads! { Bytecode: module; }

#[checked]
#[pymethods]
impl Bytecode {
    /// The bytecode version, 0 to 6.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.version
    ///     6
    #[getter]
    fn version(&self) -> u8 {
        self.module.get().inner.tables().bytecode().version().number()
    }

    /// The producer string of the writer, e.g. `MLIR22.1.8`.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.producer
    ///     'MLIR22.1.8'
    #[getter]
    fn producer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, self.module.get().inner.tables().bytecode().producer())
    }

    /// The size of the file in bytes.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.size
    ///     1474
    #[getter]
    fn size(&self) -> u64 {
        self.module.get().inner.tables().bytecode().size()
    }

    /// The sections in file order.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [section.id for section in module.bytecode.sections]
    ///     [1, 3, 2, 4, 6, 5, 0, 8]
    #[getter]
    fn sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let sections = self.module.get().inner.tables().bytecode().sections();
        PyTuple::new(py, sections.iter().map(|&section| Section(section)).collect::<Vec<_>>())
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Bytecode version {}, {} bytes>", self.version(), self.size())
    }
}

/// The position of a section in the file: its data is `file[offset : offset + size]`.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> strings = module.bytecode.sections[6]
///     >>> with open("examples/two_layers.mlirbc", "rb") as file:
///     ...     data = file.read()[strings.offset : strings.offset + strings.size]
///     >>> b"layer0.weight\0" in data
///     True
#[pyclass(frozen, module = "mlirbc", eq)]
#[derive(PartialEq, Eq)]
pub(crate) struct Section(::mlirbc::format::container::Section);

#[pymethods]
impl Section {
    /// The number of the section kind, 0 to 8.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].id
    ///     1
    #[getter]
    fn id(&self) -> u8 {
        self.0.id.byte()
    }

    /// The name that MLIR's diagnostics use for the section.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].name
    ///     'Dialect'
    #[getter]
    fn name(&self) -> &'static str {
        self.0.id.name()
    }

    /// The file offset of the data.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].offset
    ///     18
    #[getter]
    fn offset(&self) -> u64 {
        self.0.offset
    }

    /// The size of the data in bytes.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].size
    ///     35
    #[getter]
    fn size(&self) -> u64 {
        self.0.size
    }

    /// The file offset of the section header.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").bytecode.sections[0].header_offset
    ///     16
    #[getter]
    fn header_offset(&self) -> u64 {
        self.0.header_offset
    }

    /// The alignment in bytes that the header requires; None if it requires none.
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
    /// The name of the dialect.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").dialects[1].name
    ///     'func'
    #[pyo3(get)]
    pub(crate) name: Py<PyString>,
    /// The bytes of the version, which only the dialect interprets; None if the file has no version.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").dialects[1].version is None
    ///     True
    #[pyo3(get)]
    pub(crate) version: Option<Py<PyBytes>>,
    /// The operation names of the dialect, in the order of the file.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> sorted(op_name.name for op_name in module.dialects[1].op_names)
    ///     ['func.call', 'func.func', 'func.return']
    #[pyo3(get)]
    pub(crate) op_names: Py<PyTuple>,
}

#[pymethods]
impl Dialect {
    fn __repr__(&self, py: Python<'_>) -> String {
        printable(&format!("<mlirbc.Dialect {}>", self.name.bind(py))).into_owned()
    }
}

/// An operation name of a module.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.op_names[0]
///     <mlirbc.OperationName builtin.module>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OperationName {
    pub(crate) module: Py<Module>,
    pub(crate) id: OpNameId,
    /// The name of the dialect.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").op_names[0].dialect
    ///     'builtin'
    #[pyo3(get)]
    pub(crate) dialect: Py<PyString>,
    /// Whether the operation was registered in the writer; None below version 5.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").op_names[0].is_registered
    ///     True
    #[pyo3(get)]
    pub(crate) is_registered: Option<bool>,
}

#[pymethods]
impl OperationName {
    /// The full name, `dialect.op`; only the name of the dialect if the file has no operation name.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").op_names[0].name
    ///     'builtin.module'
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.module.get().op_name(py, self.id)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(printable(&format!("<mlirbc.OperationName {}>", self.name(py)?)).into_owned())
    }
}
