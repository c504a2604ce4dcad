//! Fields of attributes and types: conversion from the core to Python and back.

use std::collections::HashMap;

use ::mlirbc::attr::FieldValue;
use ::mlirbc::bytes::Bytes;
use ::mlirbc::{Attribute as CoreAttribute, Type as CoreType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyList, PyMemoryView, PyString};

use crate::blob::Blob;
use crate::errors::raise;
use crate::handle::entry::{Attribute, Type};
use crate::text::text;

/// The length in bytes from which equal strings share one object.
const LONG: usize = 64;

/// Converts a field: numbers become `int`, strings `str`, bytes `memoryview`, an absent field None; the bits
/// of a float are an `int`.
pub(crate) fn to_python(py: Python<'_>, value: FieldValue) -> PyResult<Py<PyAny>> {
    Ok(match value {
        FieldValue::Absent => py.None(),
        FieldValue::Unsigned(number) => number.into_pyobject(py)?.into_any().unbind(),
        FieldValue::Signed(number) => number.into_pyobject(py)?.into_any().unbind(),
        FieldValue::Bool(value) => PyBool::new(py, value).to_owned().into_any().unbind(),
        FieldValue::String(bytes) | FieldValue::Resource(bytes) => text(py, &bytes)?.into_any().unbind(),
        FieldValue::Attribute(value) => Attribute::object(py, value)?.into_any().unbind(),
        FieldValue::Type(value) => Type::object(py, value)?.into_any().unbind(),
        FieldValue::Integer { words, .. } => integer(py, &words)?,
        FieldValue::Blob(bytes) => view(py, bytes)?.into_any().unbind(),
        FieldValue::List(items) => {
            // A long string that occurs often is one object, in the core and in Python.
            let mut strings_in_use = Vec::new();
            let mut long: HashMap<(usize, usize), Py<PyAny>> = HashMap::new();
            let items = items.into_iter().map(|item| match &item {
                FieldValue::String(bytes) if bytes.len() > LONG => {
                    let place = (bytes.as_ptr() as usize, bytes.len());
                    if let Some(known) = long.get(&place) {
                        return Ok(known.clone_ref(py));
                    }
                    // The bytes stay allocated until the list is complete, so no other string gets their
                    // address.
                    let object = to_python(py, item.clone())?;
                    long.insert(place, object.clone_ref(py));
                    strings_in_use.push(item);
                    Ok(object)
                }
                _ => to_python(py, item),
            });
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind()
        }
    })
}

fn integer(py: Python<'_>, words: &[u64]) -> PyResult<Py<PyAny>> {
    match words {
        [] => Ok(0_u64.into_pyobject(py)?.into_any().unbind()),
        [only] => Ok(only.into_pyobject(py)?.into_any().unbind()),
        several => {
            let bytes: Vec<u8> = several.iter().flat_map(|word| word.to_le_bytes()).collect();
            let number =
                py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))?;
            Ok(number.unbind())
        }
    }
}

/// Returns a read-only view of bytes, which keeps the bytes alive.
pub(crate) fn view(py: Python<'_>, bytes: Bytes) -> PyResult<Bound<'_, PyMemoryView>> {
    let blob = Bound::new(py, Blob::new(None, bytes, 0, 1))?;
    PyMemoryView::from(blob.as_any())
}

/// A field as the Python classes pass it: the name of its kind, and its value.
struct TypedField<'py>(Bound<'py, PyString>, Bound<'py, PyAny>);

impl TypedField<'_> {
    fn value(&self) -> PyResult<FieldValue> {
        let value = &self.1;
        Ok(match self.0.to_str()? {
            "unsigned" => FieldValue::Unsigned(value.extract()?),
            "signed" => FieldValue::Signed(value.extract()?),
            "bool" => FieldValue::Bool(value.extract()?),
            "string" => FieldValue::String(bytes_of(value)?),
            "resource" => FieldValue::Resource(bytes_of(value)?),
            "attribute" => FieldValue::Attribute(attribute(value)?),
            "type" => FieldValue::Type(r#type(value)?),
            "blob" => FieldValue::Blob(bytes_of(value)?),
            "bits" => {
                let (bytes, width): (Vec<u8>, u32) = value.extract()?;
                let word =
                    |piece: &[u8]| piece.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                let mut words: Vec<u64> = bytes.chunks(8).map(word).collect();
                words.resize(width.div_ceil(64) as usize, 0);
                FieldValue::Integer { words, width }
            }
            "list" => {
                let items: Vec<(Bound<'_, PyString>, Bound<'_, PyAny>)> = value.extract()?;
                let items = items.into_iter().map(|(tag, value)| TypedField(tag, value).value());
                FieldValue::List(items.collect::<PyResult<_>>()?)
            }
            other => return Err(PyValueError::new_err(format!("unknown kind of field: {other}"))),
        })
    }
}

fn attribute(value: &Bound<'_, PyAny>) -> PyResult<CoreAttribute> {
    match value.cast::<Attribute>() {
        Ok(value) => value.get().value(value.py()),
        Err(_) => Err(wrong("an Attribute", value)),
    }
}

fn r#type(value: &Bound<'_, PyAny>) -> PyResult<CoreType> {
    match value.cast::<Type>() {
        Ok(value) => value.get().value(value.py()),
        Err(_) => Err(wrong("a Type", value)),
    }
}

fn wrong(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("expected {expected}, found {name}"))
}

pub(crate) fn bytes_of(value: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    if value.is_instance_of::<PyString>() {
        let bytes: Vec<u8> = value.call_method1("encode", ("utf-8", "surrogateescape"))?.extract()?;
        return Ok(bytes.into());
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec().into());
    }
    let copied = PyMemoryView::from(value)?.call_method0("tobytes")?;
    Ok(copied.cast::<PyBytes>()?.as_bytes().to_vec().into())
}

type Fields<'py> = Vec<(String, Bound<'py, PyString>, Bound<'py, PyAny>)>;

fn given(fields: Fields<'_>) -> PyResult<Vec<(String, FieldValue)>> {
    fields.into_iter().map(|(name, tag, value)| Ok((name, TypedField(tag, value).value()?))).collect()
}

/// Builds an attribute from fields as triples of name, kind and value.
#[pyfunction]
pub(crate) fn _build_attribute<'py>(
    py: Python<'py>,
    dialect: &str,
    class: &str,
    fields: Fields<'py>,
) -> PyResult<Bound<'py, Attribute>> {
    let fields = given(fields)?;
    let fields: Vec<(&str, FieldValue)> =
        fields.iter().map(|(name, value)| (&**name, value.clone())).collect();
    let built = py.detach(|| CoreAttribute::build(dialect, class, &fields));
    Attribute::object(py, built.map_err(|error| raise(py, error, None))?)
}

/// Builds a type from fields as triples of name, kind and value.
#[pyfunction]
pub(crate) fn _build_type<'py>(
    py: Python<'py>,
    dialect: &str,
    class: &str,
    fields: Fields<'py>,
) -> PyResult<Bound<'py, Type>> {
    let fields = given(fields)?;
    let fields: Vec<(&str, FieldValue)> =
        fields.iter().map(|(name, value)| (&**name, value.clone())).collect();
    let built = py.detach(|| CoreType::build(dialect, class, &fields));
    Type::object(py, built.map_err(|error| raise(py, error, None))?)
}

/// Builds an attribute that its dialect writes as text.
#[pyfunction]
pub(crate) fn _text_attribute<'py>(
    py: Python<'py>,
    dialect: &str,
    text: &str,
) -> PyResult<Bound<'py, Attribute>> {
    let value = CoreAttribute::from_text_entry(dialect, text);
    Attribute::object(py, value.map_err(|error| raise(py, error, None))?)
}

/// Builds a type that its dialect writes as text.
#[pyfunction]
pub(crate) fn _text_type<'py>(py: Python<'py>, dialect: &str, text: &str) -> PyResult<Bound<'py, Type>> {
    let value = CoreType::from_text_entry(dialect, text);
    Type::object(py, value.map_err(|error| raise(py, error, None))?)
}
