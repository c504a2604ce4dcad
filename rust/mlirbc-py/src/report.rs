//! Reports of writing, as Python objects.

use ::mlirbc::tool::printable;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::Loss;

/// A report of `write` or `save`: the mode and its reason, the losses, and how much of the file was copied.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.write().report
///     <mlirbc.WriteReport verbatim, 1474 bytes copied, 0 encoded, 0 losses>
#[pyclass(frozen, eq, module = "mlirbc")]
#[derive(PartialEq)]
pub(crate) struct WriteReport(::mlirbc::write::WriteReport);

impl WriteReport {
    pub(crate) fn new(report: ::mlirbc::write::WriteReport) -> Self {
        Self(report)
    }
}

#[pymethods]
impl WriteReport {
    /// The mode of writing, a `WriteMode`.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").write(numbering="canonical").report.mode
    ///     <WriteMode.RENUMBER: 'renumbered'>
    #[getter]
    fn mode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("mlirbc.fallback")?.getattr("WriteMode")?.call1((self.0.mode.to_string(),))
    }

    /// The reason for the mode: the fact that prevents a stricter mode.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").write(version=4).report.reason
    ///     'everything is numbered again for bytecode version 4'
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Parts that were left out or shortened because of `drop_unsupported`.
    ///
    ///     >>> import warnings
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")
    ///     >>> with warnings.catch_warnings(action="ignore"):
    ///     ...     report = module.write(version=2, drop_unsupported=True).report
    ///     >>> [loss.kind for loss in report.losses]
    ///     ['use_list_orders']
    #[getter]
    fn losses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.losses.iter().map(Loss::new))
    }

    /// The size of the file in bytes.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").write().report.bytes
    ///     1474
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes
    }

    /// The number of bytes that were copied from the file that was read.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").write().report.bytes_copied
    ///     1474
    #[getter]
    fn bytes_copied(&self) -> u64 {
        self.0.bytes_copied
    }

    /// The number of new bytes: encoded, or content of new resources.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").write().report.bytes_encoded
    ///     0
    #[getter]
    fn bytes_encoded(&self) -> u64 {
        self.0.bytes_encoded
    }

    fn __str__(&self) -> String {
        printable(&format!("{}: {}", self.0.mode, self.0.reason)).into_owned()
    }

    fn __repr__(&self) -> String {
        format!(
            "<mlirbc.WriteReport {}, {} bytes copied, {} encoded, {} losses>",
            self.0.mode,
            self.0.bytes_copied,
            self.0.bytes_encoded,
            self.0.losses.len()
        )
    }
}
