//! Renaming of operations, and the numbering of a module; `mlirbc.fallback` converts operations with these
//! functions.

use ::mlirbc::edit::{NewProperties, PossibleReference, PropertyReference};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::edit::{PyEditor, bytes_of};
use crate::handle::entry::{Attribute, Type};
use crate::text::text;

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
    editor.with(py, |editor| editor.rename_operation(editor.handle(op), name, is_registered, &properties))
}

#[pyfunction]
pub(crate) fn _edit_property_attribute<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    op: u32,
) -> PyResult<Option<Bound<'py, Attribute>>> {
    let attribute = editor.look(py, |editor| editor.property_attribute(editor.handle(op)))?;
    attribute.map(|value| Attribute::object(py, value)).transpose()
}

/// Property bytes, and the references whose positions are the indices in the bytes: attributes, types and
/// strings.
type DeclaredProperties<'py> = (Bound<'py, PyBytes>, Vec<Bound<'py, PyAny>>);

#[pyfunction]
pub(crate) fn _edit_property_references<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    op: u32,
) -> PyResult<Option<DeclaredProperties<'py>>> {
    let references = editor.look(py, |editor| editor.property_references(editor.handle(op)))?;
    let Some((bytes, references)) = references else { return Ok(None) };
    let references = references.into_iter().map(|reference| {
        Ok(match reference {
            PropertyReference::Attribute(value) => Attribute::object(py, value)?.into_any(),
            PropertyReference::Type(value) => Type::object(py, value)?.into_any(),
            PropertyReference::String(value) => text(py, &value)?.into_any(),
        })
    });
    let references = references.collect::<PyResult<Vec<_>>>()?;
    Ok(Some((PyBytes::new(py, &bytes), references)))
}

/// An attribute, with the type and the text in it.
type Reference<'py> = (Bound<'py, Attribute>, Option<Bound<'py, Type>>, Option<Bound<'py, PyAny>>);

/// Returns property bytes for this module; an index in the given bytes is a position in the list of
/// references.
#[pyfunction]
pub(crate) fn _edit_encode_declared<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    name: &str,
    bytes: Vec<u8>,
    references: Vec<Reference<'py>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let references = references.into_iter().map(|(attribute, r#type, text)| {
        Ok(PossibleReference {
            attribute: attribute.get().value(py)?,
            r#type: r#type.map(|of| of.get().value(py)).transpose()?,
            text: text.map(|text| bytes_of(&text)).transpose()?,
        })
    });
    let references = references.collect::<PyResult<Vec<_>>>()?;
    let encoded = editor.with(py, |editor| editor.encode_declared(name, &bytes, &references))?;
    Ok(PyBytes::new(py, &encoded))
}

/// Returns the counts and the hash; None if the module has fewer entries.
#[pyfunction]
pub(crate) fn _edit_numbering(
    py: Python<'_>,
    editor: &PyEditor,
    counts: Option<[u32; 4]>,
) -> PyResult<Option<([u32; 4], u64)>> {
    let numbering = editor.look(py, |editor| editor.numbering(counts))?;
    Ok(numbering.map(|state| (state.counts, state.hash)))
}

/// Returns a number that changes with every edit.
#[pyfunction]
pub(crate) fn _edit_revision(editor: &PyEditor) -> u64 {
    editor.revision()
}
