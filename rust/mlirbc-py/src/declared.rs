//! Properties of edited operations whose dialect declares them or has hooks for them.

use ::mlirbc::attr::FieldValue;
use ::mlirbc::attr::hooks::{DialectValue, WrittenProperties};
use ::mlirbc::edit::EditOp;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::dialect_hooks::Interface;
use crate::edit::PyEditor;
use crate::errors::raise;
use crate::hook_values::{fields, fields_of};
use crate::made::versions;
use crate::release::DialectTable;

/// The properties of an edited operation by name, if its dialect declares them or has hooks for them.
#[pyfunction]
pub(crate) fn _edit_declared_properties<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    op: u32,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let found = editor.with(py, |editor| editor.declared_properties(EditOp::from_bits(op)))?;
    found.map(|found| fields(py, &DialectValue { fields: found, ..DialectValue::default() })).transpose()
}

/// Replaces the properties of an edited operation with those that a table declares, or that hooks write.
#[pyfunction]
pub(crate) fn _edit_set_declared_properties<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    op: (u32, &str),
    by: &Bound<'py, PyAny>,
    properties: &Bound<'py, PyAny>,
    given: Vec<(String, Py<PyAny>)>,
) -> PyResult<()> {
    let fields = fields_of(properties)?;
    let written = match by.cast::<DialectTable>() {
        Ok(table) => {
            let fields: Vec<(&str, FieldValue)> =
                fields.iter().map(|(name, value)| (&**name, value.clone())).collect();
            let stem = op.1.split_once('.').map_or(op.1, |(_, stem)| stem);
            table.get().0.properties(stem, &fields)
        }
        Err(_) => WrittenProperties::by_interface(&Interface::new(by)?, op.1, fields, versions(given)),
    };
    let written = written.map_err(|error| raise(py, error, None))?;
    editor.with(py, |editor| editor.set_declared_properties(EditOp::from_bits(op.0), &written))
}

/// Adds a dialect that a module does not use.
#[pyfunction]
pub(crate) fn _edit_add_dialect(py: Python<'_>, editor: &PyEditor, dialect: &str) -> PyResult<()> {
    editor.with(py, |editor| editor.add_dialect(dialect))
}

/// What says how the properties of a dialect are written in an edited module: its hooks, or its table.
#[pyfunction]
pub(crate) fn _edit_property_writer(
    py: Python<'_>,
    editor: &PyEditor,
    dialect: &str,
) -> PyResult<Option<Py<PyAny>>> {
    let module = editor.module();
    let interface = module.as_ref().and_then(|module| module.tables().find_interface(dialect));
    if let Some(object) = interface.and_then(|found| found.object()?.downcast_ref::<Py<PyAny>>())
        && object.bind(py).call_method1("_has", ("write_properties",))?.is_truthy()?
    {
        return Ok(Some(object.clone_ref(py)));
    }
    let table = match module {
        Some(module) => module.dialect_table_of(dialect),
        None => ::mlirbc::dialect::find_dialect(dialect),
    };
    table.map(|table| Ok(Py::new(py, DialectTable(table))?.into_any())).transpose()
}
