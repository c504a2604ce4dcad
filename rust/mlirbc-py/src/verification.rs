//! The result of `Module.verify` for a well-formed file.

use ::mlirbc::tool::printable;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::raise;
use crate::ops::OperationChecks;

/// The result of `Module.verify` for a well-formed file: the parts that were not checked, and unused entries
/// that are broken.
///
///     >>> mlirbc.open("examples/two_layers.mlirbc").verify()
///     <mlirbc.Verification for llvm-22, 1 not checked, 0 broken entries>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Verification(::mlirbc::ir::Verification, Option<Py<OperationChecks>>);

/// Parts of a file whose contents were not checked.
///
///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/test_dialect_properties.mlirbc")
///     >>> print(module.verify().unchecked[0])
///     test.with_properties: 1 property blob of unknown layout
#[pyclass(frozen, eq, get_all, module = "mlirbc")]
#[derive(PartialEq)]
pub(crate) struct Unchecked {
    /// The kind of the parts: `text`, `entries`, `properties`, `resources` or `versions`.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/test_dialect_properties.mlirbc")
    ///     >>> module.verify().unchecked[0].kind
    ///     'properties'
    kind: &'static str,
    /// The dialect or the operation.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/test_dialect_properties.mlirbc")
    ///     >>> module.verify().unchecked[0].name
    ///     'test.with_properties'
    name: String,
    /// The number of parts.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/test_dialect_properties.mlirbc")
    ///     >>> module.verify().unchecked[0].count
    ///     1
    count: u64,
    /// The row as a sentence.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/test_dialect_properties.mlirbc")
    ///     >>> module.verify().unchecked[0].text
    ///     'test.with_properties: 1 property blob of unknown layout'
    text: String,
}

#[pymethods]
impl Unchecked {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        printable(&format!("<mlirbc.Unchecked {}>", self.text)).into_owned()
    }
}

impl Verification {
    pub(crate) fn new(
        verification: ::mlirbc::ir::Verification,
        operations: Option<Py<OperationChecks>>,
    ) -> Self {
        Self(verification, operations)
    }

    fn broken(&self) -> u64 {
        self.0.broken_entries().map_or(0, |(count, _)| count)
    }
}

#[pymethods]
impl Verification {
    /// The release whose rules were applied; None if no release is certain.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify().release
    ///     'llvm-22'
    #[getter]
    fn release(&self) -> Option<&str> {
        self.0.release()
    }

    /// The checks of operations; None without `ops=True`.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify(ops=True).operations.without_definition
    ///     0
    #[getter]
    fn operations(&self, py: Python<'_>) -> Option<Py<OperationChecks>> {
        self.1.as_ref().map(|checks| checks.clone_ref(py))
    }

    /// The parts that were not checked, up to 32 rows.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify().unchecked
    ///     (<mlirbc.Unchecked arith: 2 attributes and types that are stored as text>,)
    #[getter]
    fn unchecked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows = self.0.unchecked().iter().map(|one| Unchecked {
            kind: one.kind().name(),
            name: one.name().to_owned(),
            count: one.count(),
            text: one.to_string(),
        });
        PyTuple::new(py, rows.map(|row| Py::new(py, row)).collect::<PyResult<Vec<_>>>()?)
    }

    /// The number of rows beyond the ones in `unchecked`.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify().left_out
    ///     0
    #[getter]
    fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// The number of broken attributes and types that nothing refers to, so that no reader decodes them.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify().broken_entries
    ///     0
    #[getter]
    fn broken_entries(&self) -> u64 {
        self.broken()
    }

    /// The error of the first of these entries, as if it were in use; None if there is none.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify().first_broken_entry is None
    ///     True
    #[getter]
    fn first_broken_entry<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let (_, error) = self.0.broken_entries()?;
        Some(raise(py, error.clone(), None).into_value(py).into_bound(py).into_any())
    }

    fn __repr__(&self) -> String {
        let release = self.0.release().map_or_else(String::new, |name| format!(" for {name},"));
        let unchecked = self.0.unchecked().len() as u64 + self.0.left_out();
        printable(&format!(
            "<mlirbc.Verification{release} {unchecked} not checked, {} broken entries>",
            self.broken()
        ))
        .into_owned()
    }
}
