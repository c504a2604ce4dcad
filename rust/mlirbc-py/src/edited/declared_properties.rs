//! Properties of edited operations of dialects that declare a property scheme or have hooks.

use ::mlirbc::attr::FieldValue;
use ::mlirbc::attr::hooks::{BytecodeDialectInterface, DialectValue, WrittenProperties};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::handle::EditedItem;
use crate::errors::raise;
use crate::hook_values::{fields, fields_of};

/// Returns the properties of an edited operation by name, if its dialect declares a scheme or has hooks.
pub(crate) fn declared_properties<'py>(place: &EditedItem<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
    let properties = place.change(|editor, row| editor.declared_properties(editor.handle(row)))?;
    properties
        .map(|properties| fields(place.py(), &DialectValue { fields: properties, ..DialectValue::default() }))
        .transpose()
}

/// Replaces the properties of an edited operation by the encoding that a table declares or hooks write, for
/// the dialect version that the module is written with.
pub(crate) fn set_declared_properties(place: &EditedItem<'_>, properties: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = place.py();
    let name = place.look(|editor, row| editor.name(editor.handle(row)))?;
    let fields = fields_of(properties)?;
    let (dialect, stem) = name.split_once('.').unwrap_or((&name, &name));
    let (interface, table, versions) = place.look(|editor, _| {
        let interface = editor.base().tables().find_interface(dialect).cloned();
        Ok((interface, editor.property_table(dialect), editor.written_versions()?))
    })?;
    let table = table.or_else(|| ::mlirbc::dialect::find_dialect(dialect));
    // No lock is held while a hook runs.
    let written = match (interface.filter(|interface| writes_properties(py, &**interface)), table) {
        (Some(interface), _) => WrittenProperties::by_interface(&*interface, &name, fields, versions),
        (None, Some(table)) => {
            let fields: Vec<(&str, FieldValue)> =
                fields.iter().map(|(name, value)| (&**name, value.clone())).collect();
            table.properties(stem, &fields)
        }
        (None, None) => {
            let message = format!("no table and no hook has the properties of {name}");
            return Err(PyValueError::new_err(message));
        }
    };
    let written = written.map_err(|error| raise(py, error, None))?;
    place.change(|editor, row| editor.set_declared_properties(editor.handle(row), &written))
}

fn writes_properties(py: Python<'_>, interface: &dyn BytecodeDialectInterface) -> bool {
    let object = interface.object().and_then(|object| object.downcast_ref::<Py<PyAny>>());
    let has = object.and_then(|object| object.bind(py).call_method1("_has", ("write_properties",)).ok());
    has.is_some_and(|has| has.is_truthy().unwrap_or(false))
}
