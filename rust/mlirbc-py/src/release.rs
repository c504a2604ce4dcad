//! Releases, and the tables that describe what they write.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::raise;

/// The release that wrote a module, and how that is known.
///
///     >>> mlirbc.open("examples/two_layers.mlirbc").release
///     <mlirbc.Release llvm-22, from the producer string `MLIR22.1.8`>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Release {
    /// Its name, one of `known_releases()`; None when it is not known.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.name
    ///     'llvm-22'
    #[pyo3(get)]
    name: Option<String>,
    /// The version of it whose properties are taken for its own; None when it is not known.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.version
    ///     '22.1.8'
    #[pyo3(get)]
    version: Option<String>,
    /// How it is known.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc", release="llvm-19").release.origin
    ///     'specified by the caller'
    #[pyo3(get)]
    origin: String,
    contradicted: Vec<String>,
    ambiguous: Vec<String>,
    text: String,
}

impl Release {
    pub(crate) fn new(release: &::mlirbc::file::Release) -> Self {
        Self {
            name: release.name().map(str::to_owned),
            version: release.schema().map(|schema| schema.version().to_owned()),
            origin: release.origin().to_string(),
            contradicted: release.contradicted().to_vec(),
            ambiguous: release.ambiguous().to_vec(),
            text: release.to_string(),
        }
    }
}

#[pymethods]
impl Release {
    /// What in the file contradicts the producer string, a sentence for each operation.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.contradicted
    ///     ()
    #[getter]
    fn contradicted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.contradicted)
    }

    /// The operations whose properties are opaque because builds with the same producer string write them in
    /// several ways that fit, a sentence for each.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.ambiguous
    ///     ()
    #[getter]
    fn ambiguous<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.ambiguous)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Release {}>", self.text)
    }
}

/// The names of all releases whose properties are known, sorted.
///
///     >>> "llvm-22" in mlirbc.known_releases()
///     True
#[pyfunction]
pub(crate) fn known_releases() -> Vec<String> {
    ::mlirbc::props::known_releases()
}

/// How a dialect encodes its attributes and types; `mlirbc.dialects.table` makes one.
///
///     >>> mlirbc.dialects.table({"dialect": "toy"})
///     <mlirbc.DialectTable of toy>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct DialectTable(pub(crate) Arc<::mlirbc::dialect::DialectTable>);

#[pymethods]
impl DialectTable {
    /// Make one from the text of a TOML file.
    ///
    /// Raises `InvalidError` that names the line which is wrong.
    ///
    ///     >>> mlirbc.DialectTable.from_toml("dialect = 'toy'")
    ///     <mlirbc.DialectTable of toy>
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str) -> PyResult<Self> {
        ::mlirbc::dialect::DialectTable::from_toml(text).map(Self).map_err(|error| raise(py, error, None))
    }

    /// Make one from JSON with the same keys; errors name a line of the table as TOML.
    ///
    ///     >>> mlirbc.DialectTable.from_json('{"dialect": "toy"}')
    ///     <mlirbc.DialectTable of toy>
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        ::mlirbc::dialect::DialectTable::from_json(text).map(Self).map_err(|error| raise(py, error, None))
    }

    /// The dialect's name.
    ///
    ///     >>> mlirbc.dialects.table({"dialect": "toy"}).dialect
    ///     'toy'
    #[getter]
    fn dialect(&self) -> &str {
        self.0.dialect()
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.DialectTable of {}>", self.0.dialect())
    }
}

/// What the properties of a release's operations look like; `mlirbc.schemas.schema` makes one.
///
///     >>> mlirbc.schemas.schema({"format": "mlirbc-properties/1", "release": "toy-1", "version": "1.0",
///     ...     "producers": [], "ops": {}})
///     <mlirbc.PropertySchema of toy-1>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct PropertySchema(Arc<::mlirbc::props::PropertySchema>);

#[pymethods]
impl PropertySchema {
    /// Make one from the text of a JSON file.
    ///
    /// Raises `InvalidError` that names what is wrong.
    ///
    ///     >>> try:
    ///     ...     mlirbc.PropertySchema.from_json("{}")
    ///     ... except mlirbc.InvalidError as error:
    ///     ...     print(error.identifier)
    ///     mlirbc.invalid.property_schema
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        ::mlirbc::props::PropertySchema::from_json(text).map(Self).map_err(|error| raise(py, error, None))
    }

    /// The release's name.
    ///
    ///     >>> mlirbc.schemas.schema({"format": "mlirbc-properties/1", "release": "toy-1", "version": "1.0",
    ///     ...     "producers": [], "ops": {}}).release
    ///     'toy-1'
    #[getter]
    fn release(&self) -> &str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.PropertySchema of {}>", self.0.name())
    }
}

/// Registers a dialect table for the modules that are opened from now on.
#[pyfunction]
pub(crate) fn _register_dialect(table: &DialectTable) {
    ::mlirbc::dialect::register_dialect(table.0.clone());
}

/// Registers a property schema for the modules that are opened from now on.
#[pyfunction]
pub(crate) fn _register_schema(schema: &PropertySchema) {
    ::mlirbc::props::register_schema(schema.0.clone());
}

/// The names of the dialects with a table.
#[pyfunction]
pub(crate) fn _registered_dialects() -> Vec<String> {
    ::mlirbc::dialect::registered_dialects()
}

/// The dialect tables in a list of whatever `mlirbc.dialects.table` takes.
pub(crate) fn tables(
    py: Python<'_>,
    list: &Bound<'_, PyAny>,
) -> PyResult<Vec<Arc<::mlirbc::dialect::DialectTable>>> {
    let make = py.import("mlirbc.dialects")?.getattr("table")?;
    let table = |item: PyResult<Bound<'_, PyAny>>| -> PyResult<_> {
        Ok(make.call1((item?,))?.cast::<DialectTable>()?.get().0.clone())
    };
    list.try_iter()?.map(table).collect()
}

/// The property schemas in a list of whatever `mlirbc.schemas.schema` takes.
pub(crate) fn schemas(
    py: Python<'_>,
    list: &Bound<'_, PyAny>,
) -> PyResult<Vec<Arc<::mlirbc::props::PropertySchema>>> {
    let make = py.import("mlirbc.schemas")?.getattr("schema")?;
    let schema = |item: PyResult<Bound<'_, PyAny>>| -> PyResult<_> {
        Ok(make.call1((item?,))?.cast::<PropertySchema>()?.get().0.clone())
    };
    list.try_iter()?.map(schema).collect()
}
