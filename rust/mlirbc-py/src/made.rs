//! Attributes, types and versions that the hooks or the table of their dialect make.

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

/// Versions of dialects for which a value is made.
pub(crate) fn versions(given: Vec<(String, Py<PyAny>)>) -> Vec<(String, DialectVersion)> {
    given.into_iter().map(|(name, version)| (name, DialectVersion::Value(Arc::new(version)))).collect()
}

/// Makes an attribute with the hooks of its dialect.
#[pyfunction]
pub(crate) fn _attribute_by_interface<'py>(
    py: Python<'py>,
    interface: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    given: Vec<(String, Py<PyAny>)>,
) -> PyResult<Bound<'py, Attribute>> {
    let (interface, value) = (Interface::new(interface)?, value_of(value)?);
    let made = CoreAttribute::by_interface(&interface, &value, versions(given));
    Attribute::object(py, made.map_err(|error| raise(py, error, None))?)
}

/// Makes a type with the hooks of its dialect.
#[pyfunction]
pub(crate) fn _type_by_interface<'py>(
    py: Python<'py>,
    interface: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    given: Vec<(String, Py<PyAny>)>,
) -> PyResult<Bound<'py, Type>> {
    let (interface, value) = (Interface::new(interface)?, value_of(value)?);
    let made = CoreType::by_interface(&interface, &value, versions(given));
    Type::object(py, made.map_err(|error| raise(py, error, None))?)
}

/// The bytes of a version of a dialect; of the current one for None.
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

/// A version of a dialect from its bytes, in a file or outside of one; None when no hook reads it.
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

/// The exception of a hook itself, where no value is made opaque by it.
fn raised(py: Python<'_>, error: Error) -> PyErr {
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<PyErr>());
    source.map(|raised| raised.clone_ref(py)).unwrap_or_else(|| raise(py, error, None))
}

type GivenFields<'py> = (Vec<Bound<'py, PyAny>>, Vec<(String, Bound<'py, PyAny>)>);

type Given<'f> = (Vec<FieldValue>, Vec<(&'f str, FieldValue)>);

fn given<'f>((arguments, fields): &'f GivenFields<'_>) -> PyResult<Given<'f>> {
    let arguments = arguments.iter().map(|value| field_of(value, 0)).collect::<PyResult<_>>()?;
    let field = |(name, value): &'f (String, Bound<'_, PyAny>)| Ok((name.as_str(), field_of(value, 0)?));
    Ok((arguments, fields.iter().map(field).collect::<PyResult<_>>()?))
}

/// Makes an attribute by the table of its dialect.
#[pyfunction]
pub(crate) fn _attribute_by_table<'py>(
    py: Python<'py>,
    table: &DialectTable,
    name: &str,
    values: GivenFields<'py>,
) -> PyResult<Bound<'py, Attribute>> {
    let (arguments, fields) = given(&values)?;
    let made = table.0.attribute(name, arguments, fields);
    Attribute::object(py, made.map_err(|error| raise(py, error, None))?)
}

/// Makes a type by the table of its dialect.
#[pyfunction]
pub(crate) fn _type_by_table<'py>(
    py: Python<'py>,
    table: &DialectTable,
    name: &str,
    values: GivenFields<'py>,
) -> PyResult<Bound<'py, Type>> {
    let (arguments, fields) = given(&values)?;
    let made = table.0.r#type(name, arguments, fields);
    Type::object(py, made.map_err(|error| raise(py, error, None))?)
}
