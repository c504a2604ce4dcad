//! Properties of edited operations of dialects that declare a property scheme or have hooks.

use ::mlirbc::attr::FieldValue;
use ::mlirbc::attr::hooks::{BytecodeDialectInterface, DialectValue, WrittenProperties};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::edit::PyEditor;
use crate::errors::raise;
use crate::hook_values::{fields, fields_of};

/// Returns the properties of an edited operation by name, if its dialect declares a scheme or has hooks.
#[pyfunction]
pub(crate) fn _edit_declared_properties<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    op: u32,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let properties = editor.with(py, |editor| editor.declared_properties(editor.handle(op)))?;
    properties
        .map(|properties| fields(py, &DialectValue { fields: properties, ..DialectValue::default() }))
        .transpose()
}

/// Replaces the properties of an edited operation by the encoding that a table declares or hooks write, for
/// the dialect version that the module is written with.
#[pyfunction]
pub(crate) fn _edit_set_declared_properties(
    py: Python<'_>,
    editor: &PyEditor,
    op: (u32, &str),
    properties: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let fields = fields_of(properties)?;
    let (dialect, stem) = op.1.split_once('.').unwrap_or((op.1, op.1));
    let (interface, table, versions) = editor.look(py, |editor| {
        let interface = editor.base().tables().find_interface(dialect).cloned();
        Ok((interface, editor.property_table(dialect), editor.written_versions()?))
    })?;
    let table = table.or_else(|| ::mlirbc::dialect::find_dialect(dialect));
    // No lock is held while a hook runs.
    let written = match (interface.filter(|interface| writes_properties(py, &**interface)), table) {
        (Some(interface), _) => WrittenProperties::by_interface(&*interface, op.1, fields, versions),
        (None, Some(table)) => {
            let fields: Vec<(&str, FieldValue)> =
                fields.iter().map(|(name, value)| (&**name, value.clone())).collect();
            table.properties(stem, &fields)
        }
        (None, None) => {
            let message = format!("no table and no hook has the properties of {}", op.1);
            return Err(PyValueError::new_err(message));
        }
    };
    let written = written.map_err(|error| raise(py, error, None))?;
    editor.with(py, |editor| editor.set_declared_properties(editor.handle(op.0), &written))
}

fn writes_properties(py: Python<'_>, interface: &dyn BytecodeDialectInterface) -> bool {
    let object = interface.object().and_then(|object| object.downcast_ref::<Py<PyAny>>());
    let has = object.and_then(|object| object.bind(py).call_method1("_has", ("write_properties",)).ok());
    has.is_some_and(|has| has.is_truthy().unwrap_or(false))
}

/// Sets the target versions for which properties are encoded while operations are converted.
#[pyfunction]
pub(crate) fn _edit_set_target_versions(
    py: Python<'_>,
    editor: &PyEditor,
    versions: Vec<(String, Option<Vec<u8>>)>,
) -> PyResult<()> {
    let versions: Vec<_> = versions.iter().map(|(name, bytes)| (&**name, bytes.as_deref())).collect();
    editor.look(py, |editor| editor.set_target_versions(&versions))
}

/// Returns the parts of an edited module whose layout in a new version of a dialect is unknown.
#[pyfunction]
pub(crate) fn _edit_opaque_for_version(
    py: Python<'_>,
    editor: &PyEditor,
    dialect: &str,
    version: Option<Vec<u8>>,
) -> PyResult<Vec<String>> {
    editor.look(py, |editor| editor.opaque_for_version(dialect, version.as_deref()))
}

/// Adds a dialect that a module does not use.
#[pyfunction]
pub(crate) fn _edit_add_dialect(py: Python<'_>, editor: &PyEditor, dialect: &str) -> PyResult<()> {
    editor.with(py, |editor| editor.add_dialect(dialect))
}
