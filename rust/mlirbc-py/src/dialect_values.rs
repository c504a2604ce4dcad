//! Attributes, types and versions that are built by the hooks or the table of their dialect.

use std::sync::Arc;

use ::mlirbc::attr::FieldValue;
use ::mlirbc::attr::hooks::{DialectVersion, version_bytes};
use ::mlirbc::bytes::Bytes;
use ::mlirbc::{Attribute as CoreAttribute, Error, Type as CoreType};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::dialect_hooks::Interface;
use crate::errors::raise;
use crate::handle::entry::{Attribute, Type};
use crate::handle::module::Module;
use crate::hook_values::{field_of, value_of, version_object};
use crate::release::DialectTable;

/// Converts the dialect versions for which a value is built.
pub(crate) fn versions(given: Vec<(String, Py<PyAny>)>) -> Vec<(String, DialectVersion)> {
    given.into_iter().map(|(name, version)| (name, DialectVersion::Value(Arc::new(version)))).collect()
}

/// Builds an attribute with the hooks of its dialect.
#[pyfunction]
pub(crate) fn _attribute_by_interface<'py>(
    py: Python<'py>,
    interface: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    given: Vec<(String, Py<PyAny>)>,
) -> PyResult<Bound<'py, Attribute>> {
    let (interface, value) = (Interface::new(interface)?, value_of(value)?);
    let attribute = CoreAttribute::by_interface(&interface, &value, versions(given));
    Attribute::object(py, attribute.map_err(|error| raise(py, error, None))?)
}

/// Builds a type with the hooks of its dialect.
#[pyfunction]
pub(crate) fn _type_by_interface<'py>(
    py: Python<'py>,
    interface: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    given: Vec<(String, Py<PyAny>)>,
) -> PyResult<Bound<'py, Type>> {
    let (interface, value) = (Interface::new(interface)?, value_of(value)?);
    let dialect_type = CoreType::by_interface(&interface, &value, versions(given));
    Type::object(py, dialect_type.map_err(|error| raise(py, error, None))?)
}

/// Returns the bytes of a dialect version; None means the current version.
#[pyfunction]
pub(crate) fn _interface_version_bytes<'py>(
    py: Python<'py>,
    interface: &Bound<'py, PyAny>,
    version: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let interface = Interface::new(interface)?;
    let version = version.map(|version| DialectVersion::Value(Arc::new(version)));
    let bytes = version_bytes(&interface, version).map_err(|error| raised(py, error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Decodes a dialect version from its bytes; None if no hook reads versions.
#[pyfunction]
pub(crate) fn _read_interface_version<'py>(
    py: Python<'py>,
    interface: &Bound<'py, PyAny>,
    data: &[u8],
    module: Option<&Module>,
) -> PyResult<Bound<'py, PyAny>> {
    let interface = Interface::new(interface)?;
    let file = module.map(|module| module.inner.tables());
    let version = ::mlirbc::attr::hooks::read_version(&interface, Bytes::copy_from_slice(data), file);
    version_object(py, version.map_err(|error| raised(py, error))?)
}

/// Returns the exception of the hook itself, because no value becomes opaque in these functions.
fn raised(py: Python<'_>, error: Error) -> PyErr {
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<PyErr>());
    source.map(|raised| raised.clone_ref(py)).unwrap_or_else(|| raise(py, error, None))
}

type PythonFieldArguments<'py> = (Vec<Bound<'py, PyAny>>, Vec<(String, Bound<'py, PyAny>)>);

type FieldArguments<'f> = (Vec<FieldValue>, Vec<(&'f str, FieldValue)>);

fn field_arguments<'f>((arguments, fields): &'f PythonFieldArguments<'_>) -> PyResult<FieldArguments<'f>> {
    let arguments = arguments.iter().map(|value| field_of(value, 0)).collect::<PyResult<_>>()?;
    let field = |(name, value): &'f (String, Bound<'_, PyAny>)| Ok((name.as_str(), field_of(value, 0)?));
    Ok((arguments, fields.iter().map(field).collect::<PyResult<_>>()?))
}

/// Builds an attribute by the table of its dialect.
#[pyfunction]
pub(crate) fn _attribute_by_table<'py>(
    py: Python<'py>,
    table: &DialectTable,
    name: &str,
    values: PythonFieldArguments<'py>,
) -> PyResult<Bound<'py, Attribute>> {
    let (arguments, fields) = field_arguments(&values)?;
    let attribute = table.0.attribute(name, arguments, fields);
    Attribute::object(py, attribute.map_err(|error| raise(py, error, None))?)
}

/// Builds a type by the table of its dialect.
#[pyfunction]
pub(crate) fn _type_by_table<'py>(
    py: Python<'py>,
    table: &DialectTable,
    name: &str,
    values: PythonFieldArguments<'py>,
) -> PyResult<Bound<'py, Type>> {
    let (arguments, fields) = field_arguments(&values)?;
    let dialect_type = table.0.r#type(name, arguments, fields);
    Type::object(py, dialect_type.map_err(|error| raise(py, error, None))?)
}
