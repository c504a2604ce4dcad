//! Layout tables, which describe layouts as data.

use ::mlirbc::layout;
use ::mlirbc::tool::printable;
use pyo3::prelude::*;

use crate::dlti::done;

/// Layouts of types as data; made by `mlirbc.layout.table`.
///
///     >>> mlirbc.layout.RFC_MEMREF_LAYOUT
///     <mlirbc.LayoutTable of memref>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct LayoutTable {
    pub(crate) inner: layout::LayoutTable,
}

#[pymethods]
impl LayoutTable {
    /// Parse a table from TOML; raises `InvalidError`, which names the line or the formula.
    ///
    ///     >>> text = '[[type]]\nname = "toy.handle"\nsize_in_bits = 64\nabi_alignment = 8'
    ///     >>> mlirbc.layout.LayoutTable.from_toml(text)
    ///     <mlirbc.LayoutTable of toy.handle>
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str) -> PyResult<Self> {
        Ok(Self { inner: done(py, layout::LayoutTable::from_toml(text))? })
    }

    /// Parse a table from JSON with the same keys.
    ///
    ///     >>> text = '{"type": [{"name": "toy.handle", "size_in_bits": 64, "abi_alignment": 8}]}'
    ///     >>> mlirbc.layout.LayoutTable.from_json(text)
    ///     <mlirbc.LayoutTable of toy.handle>
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        Ok(Self { inner: done(py, layout::LayoutTable::from_json(text))? })
    }

    /// The classes of types that the table describes.
    ///
    ///     >>> mlirbc.layout.RFC_MEMREF_LAYOUT.classes
    ///     ['memref']
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.inner.types().into_iter().map(|(class, _)| class).collect()
    }

    fn __repr__(&self) -> String {
        printable(&format!("<mlirbc.LayoutTable of {}>", self.classes().join(", "))).into_owned()
    }
}

#[pyfunction]
pub(crate) fn _rfc_memref_layout() -> LayoutTable {
    LayoutTable { inner: layout::rfc_memref_layout().clone() }
}

#[pyfunction]
pub(crate) fn _register_layout_table(table: &Bound<'_, LayoutTable>) {
    layout::register_table(&table.get().inner);
}
