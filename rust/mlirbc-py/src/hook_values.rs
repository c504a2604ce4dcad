//! Conversion of values and versions between hooks in Python and the core.

use ::mlirbc::attr::FieldValue;
use ::mlirbc::attr::hooks::{DialectValue, DialectVersion};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyInt, PyList, PyMapping, PyMemoryView, PyString, PyTuple,
};

use crate::field::{bytes_of, to_python};
use crate::handle::entry::{Attribute, Type};

pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map(|name| name.to_string()).unwrap_or_default()
}

fn value_class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("mlirbc.dialects")?.getattr("DialectValue")
}

pub(crate) fn value_of(object: &Bound<'_, PyAny>) -> PyResult<DialectValue> {
    if !object.is_instance(&value_class(object.py())?)? {
        let message = format!("expected a DialectValue or None, not {}", type_name(object));
        return Err(PyTypeError::new_err(message));
    }
    Ok(DialectValue {
        mnemonic: object.getattr("mnemonic")?.extract()?,
        class: object.getattr("class_name")?.extract()?,
        asm: object.getattr("asm")?.extract()?,
        fields: fields_of(&object.getattr("fields")?)?,
    })
}

pub(crate) fn value_object<'py>(py: Python<'py>, value: &DialectValue) -> PyResult<Bound<'py, PyAny>> {
    let more = PyDict::new(py);
    more.set_item("class_name", value.class.as_deref())?;
    more.set_item("asm", value.asm.as_deref())?;
    value_class(py)?.call((&value.mnemonic, fields(py, value)?), Some(&more))
}

pub(crate) fn fields<'py>(py: Python<'py>, value: &DialectValue) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in &value.fields {
        dict.set_item(name, to_python(py, value.clone())?)?;
    }
    Ok(dict)
}

pub(crate) fn fields_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<(String, FieldValue)>> {
    let Ok(mapping) = object.cast::<PyMapping>() else {
        let message = format!("expected fields by name, not {}", type_name(object));
        return Err(PyTypeError::new_err(message));
    };
    let mut fields = Vec::new();
    for item in mapping.items()?.iter() {
        let (name, value): (String, Bound<'_, PyAny>) = item.extract()?;
        let value = field_of(&value, 0).map_err(|error| {
            let message = format!("field `{name}`: {}", error.value(object.py()));
            PyErr::from_type(error.get_type(object.py()), message)
        })?;
        fields.push((name, value));
    }
    Ok(fields)
}

/// The maximum nesting of lists in a field.
const MAX_LISTS: u32 = 32;

pub(crate) fn field_of(object: &Bound<'_, PyAny>, depth: u32) -> PyResult<FieldValue> {
    let py = object.py();
    if object.is_none() {
        return Ok(FieldValue::Absent);
    }
    if object.is_instance_of::<PyBool>() {
        return Ok(FieldValue::Bool(object.extract()?));
    }
    if object.is_instance_of::<PyInt>() {
        return integer_of(object);
    }
    if object.is_instance_of::<PyString>() {
        return Ok(FieldValue::String(bytes_of(object)?));
    }
    if object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyMemoryView>()
    {
        return Ok(FieldValue::Blob(bytes_of(object)?));
    }
    if let Ok(value) = object.cast::<Attribute>() {
        return value.get().value(py).map(FieldValue::Attribute);
    }
    if let Ok(value) = object.cast::<Type>() {
        return value.get().value(py).map(FieldValue::Type);
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        if depth >= MAX_LISTS {
            return Err(PyValueError::new_err(format!("lists are nested more than {MAX_LISTS} deep")));
        }
        let items = object.try_iter()?.map(|item| field_of(&item?, depth + 1));
        return Ok(FieldValue::List(items.collect::<PyResult<_>>()?));
    }
    let accepted_types = "None, a bool, an int, a str, bytes, an Attribute, a Type or a list of these";
    Err(PyTypeError::new_err(format!("expected {accepted_types}, not {}", type_name(object))))
}

fn integer_of(object: &Bound<'_, PyAny>) -> PyResult<FieldValue> {
    if let Ok(number) = object.extract::<u64>() {
        return Ok(FieldValue::Unsigned(number));
    }
    if let Ok(number) = object.extract::<i64>() {
        return Ok(FieldValue::Signed(number));
    }
    if object.lt(0)? {
        return Err(PyOverflowError::new_err("a negative number of a field has at most 64 bits"));
    }
    let width: u32 = object.call_method0("bit_length")?.extract()?;
    Ok(FieldValue::Integer { words: words_of(object, width)?, width })
}

/// Returns an integer as words, low word first; negative numbers are in two's complement.
pub(crate) fn words_of(object: &Bound<'_, PyAny>, width: u32) -> PyResult<Vec<u64>> {
    let py = object.py();
    let bit = 1_u8.into_pyobject(py)?;
    let limit = bit.lshift(width)?;
    if object.ge(&limit)? || object.lt(limit.neg()?)? {
        return Err(PyOverflowError::new_err(format!("the number does not fit {width} bits")));
    }
    let bits = object.rem(&limit)?;
    let size = width.div_ceil(64) as usize;
    let bytes: Vec<u8> = bits.call_method1("to_bytes", (size.max(1) * 8, "little"))?.extract()?;
    let word = |piece: &[u8]| piece.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let mut words: Vec<u64> = bytes.chunks(8).map(word).collect();
    words.truncate(size);
    Ok(words)
}

pub(crate) fn version_object<'py>(
    py: Python<'py>,
    version: Option<DialectVersion>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match version {
        None => py.None().into_bound(py),
        Some(DialectVersion::Numbers(numbers)) => PyTuple::new(py, numbers)?.into_any(),
        Some(DialectVersion::Bytes(bytes)) => {
            py.import("mlirbc.versions")?.getattr("OpaqueVersion")?.call1((PyBytes::new(py, &bytes),))?
        }
        Some(DialectVersion::Value(value)) => match value.downcast_ref::<Py<PyAny>>() {
            Some(object) => object.bind(py).clone(),
            None => py.None().into_bound(py),
        },
    })
}
