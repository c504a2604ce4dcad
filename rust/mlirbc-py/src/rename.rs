//! Other names for operations, and the numbering of a module; `mlirbc.fallback` converts operations with it.

use ::mlirbc::edit::{EditOp, NewProperties};
use pyo3::prelude::*;

use crate::edit::PyEditor;
use crate::handle::entry::Attribute;

#[pyfunction]
pub(crate) fn _edit_rename_operation(
    py: Python<'_>,
    editor: &PyEditor,
    op: u32,
    name: &str,
    is_registered: bool,
    properties: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let properties = match properties {
        None => NewProperties::None,
        Some(given) => match given.cast::<Attribute>() {
            Ok(value) => NewProperties::Attribute(value.get().value(py)?),
            Err(_) => NewProperties::Bytes(given.extract()?),
        },
    };
    editor.with(py, |editor| editor.rename_operation(EditOp::from_bits(op), name, is_registered, &properties))
}

#[pyfunction]
pub(crate) fn _edit_property_attribute<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    op: u32,
) -> PyResult<Option<Bound<'py, Attribute>>> {
    let found = editor.look(py, |editor| editor.property_attribute(EditOp::from_bits(op)))?;
    found.map(|value| Attribute::object(py, value)).transpose()
}

/// The counts and the hash; None if the module has fewer.
#[pyfunction]
pub(crate) fn _edit_numbering(
    py: Python<'_>,
    editor: &PyEditor,
    counts: Option<[u32; 4]>,
) -> PyResult<Option<([u32; 4], u64)>> {
    let found = editor.look(py, |editor| editor.numbering(counts))?;
    Ok(found.map(|numbering| (numbering.counts, numbering.hash)))
}

/// Another number after anything was changed.
#[pyfunction]
pub(crate) fn _edit_revision(editor: &PyEditor) -> u64 {
    editor.revision()
}
