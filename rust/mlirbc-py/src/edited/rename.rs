//! Renaming of edited operations, and their properties as one attribute or as bytes; `mlirbc.fallback` converts
//! operations with these functions.

use ::mlirbc::edit::{NewProperties, PropertyReference};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::handle::EditedItem;
use crate::handle::entry::{Attribute, Type};
use crate::text::text;

/// Gives an operation another name, with other properties.
pub(crate) fn rename(
    place: &EditedItem<'_>,
    name: &str,
    is_registered: bool,
    properties: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let properties = match properties {
        None => NewProperties::None,
        Some(given) => match given.cast::<Attribute>() {
            Ok(value) => NewProperties::Attribute(value.get().value(place.py())?),
            Err(_) => NewProperties::Bytes(given.extract()?),
        },
    };
    place.change(|editor, row| editor.rename_operation(editor.handle(row), name, is_registered, &properties))
}

/// Returns the properties as one attribute.
pub(crate) fn property_attribute<'py>(place: &EditedItem<'py>) -> PyResult<Option<Bound<'py, Attribute>>> {
    let attribute = place.look(|editor, row| editor.property_attribute(editor.handle(row)))?;
    attribute.map(|value| Attribute::object(place.py(), value)).transpose()
}

/// Property bytes, and the references whose positions are the indices in the bytes: attributes, types and
/// strings.
pub(crate) type PropertyReferences<'py> = (Bound<'py, PyBytes>, Vec<Bound<'py, PyAny>>);

/// Returns the property bytes with the values that they refer to.
pub(crate) fn property_references<'py>(place: &EditedItem<'py>) -> PyResult<Option<PropertyReferences<'py>>> {
    let py = place.py();
    let references = place.look(|editor, row| editor.property_references(editor.handle(row)))?;
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
