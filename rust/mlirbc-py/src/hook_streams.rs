//! The reader and the writer for hooks in Python.

use std::sync::{Mutex, PoisonError};

use ::mlirbc::attr::FieldValue;
use ::mlirbc::attr::hooks::{DialectBytecodeReader as CoreReader, DialectBytecodeWriter as CoreWriter};
use ::mlirbc::{Attribute as CoreAttribute, Result, Type as CoreType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyString};

use crate::errors::raise;
use crate::field::{bytes_of, to_python, view};
use crate::handle::entry::{Attribute, Type};
use crate::hook_values::{version_object, words_of};
use crate::text::text;

/// The input of a hook that decodes: MLIR's `DialectBytecodeReader`.
///
/// The reader can be used until the hook returns. Reading past the end is an error that stays, even if it is
/// caught. Indices refer to the tables of the file; the methods return the table entries.
///
///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
///     ...     dialect = "toy"
///     ...     def read_version(self, reader):
///     ...         return reader.read_varint(), reader.read_varint()
///     >>> mlirbc.versions.read_version(Toy(), b"\x03\x05")
///     (1, 2)
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct DialectBytecodeReader(pub(crate) Mutex<Option<CoreReader>>);

impl DialectBytecodeReader {
    fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut CoreReader) -> Result<T>) -> PyResult<T> {
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = reader.as_mut().ok_or_else(ended)?;
        work(reader).map_err(|error| raise(py, error, None))
    }
}

fn ended() -> PyErr {
    PyValueError::new_err("the hook has returned, and its reader or writer with it")
}

fn words_object<'py>(py: Python<'py>, words: Vec<u64>) -> PyResult<Py<PyAny>> {
    let width = 64 * words.len() as u32;
    to_python(py, FieldValue::Integer { words, width })
}

#[pymethods]
impl DialectBytecodeReader {
    /// The bytecode version of the file.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_varint(), reader.bytecode_version
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x05")
    ///     (2, 6)
    #[getter]
    fn bytecode_version(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |reader| Ok(reader.bytecode_version()))
    }

    /// The number of unread bytes.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.remaining, reader.read_rest()
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x05")
    ///     (1, b'\x05')
    #[getter]
    fn remaining(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |reader| Ok(reader.remaining()))
    }

    /// Return the version of a dialect in the file: decoded by its hook, otherwise a tuple of numbers by its
    /// table, otherwise an `OpaqueVersion`; None if the file has no version.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_varint(), reader.dialect_version("other")
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x05")
    ///     (2, None)
    fn dialect_version<'py>(&self, py: Python<'py>, dialect: &str) -> PyResult<Bound<'py, PyAny>> {
        // The hook for the version runs without this reader, which it might get by mistake.
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(ended)?;
        let version = taken.dialect_version(dialect);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(taken);
        version_object(py, version.map_err(|error| raise(py, error, None))?)
    }

    /// Read an unsigned varint.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_varint()
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x05")
    ///     2
    fn read_varint(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, CoreReader::read_varint)
    }

    /// Read a signed varint.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_signed_varint()
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x07")
    ///     -2
    fn read_signed_varint(&self, py: Python<'_>) -> PyResult<i64> {
        self.with(py, CoreReader::read_signed_varint)
    }

    /// Read a varint and the flag in its lowest bit.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_varint_with_flag()
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x0b")
    ///     (2, True)
    fn read_varint_with_flag(&self, py: Python<'_>) -> PyResult<(u64, bool)> {
        self.with(py, CoreReader::read_varint_with_flag)
    }

    /// Read one byte.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_byte()
    ///     >>> mlirbc.versions.read_version(Toy(), b"\xff")
    ///     255
    fn read_byte(&self, py: Python<'_>) -> PyResult<u8> {
        self.with(py, CoreReader::read_byte)
    }

    /// Read a byte that is 0 or 1.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_bool()
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x01")
    ///     True
    fn read_bool(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, CoreReader::read_bool)
    }

    /// Read a string of the file.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_string(value.fields["x"])
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_string()})
    ///     >>> Toy().attribute("note", x="a").fields
    ///     {'x': 'a'}
    fn read_string<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, &self.with(py, CoreReader::read_string)?)
    }

    /// Read a size and that number of bytes.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return bytes(reader.read_blob())
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x05ab")
    ///     b'ab'
    fn read_blob<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        view(py, self.with(py, CoreReader::read_blob)?)
    }

    /// Read an attribute. The hook of the attribute runs when its contents are needed.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_attribute(value.fields["x"])
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_attribute()})
    ///     >>> Toy().attribute("note", x=mlirbc.attributes.UnitAttr.get()).fields
    ///     {'x': UnitAttr(unit)}
    fn read_attribute<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        Attribute::object(py, self.with(py, CoreReader::read_attribute)?)
    }

    /// Read an attribute, or None.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_optional_attribute(None)
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_optional_attribute()})
    ///     >>> Toy().attribute("note", x=None).fields
    ///     {}
    fn read_optional_attribute<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Attribute>>> {
        let value = self.with(py, CoreReader::read_optional_attribute)?;
        value.map(|value| Attribute::object(py, value)).transpose()
    }

    /// Read a type. The hook of the type runs when its contents are needed.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_type(value.fields["x"])
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_type()})
    ///     >>> Toy().attribute("note", x=mlirbc.types.IndexType.get()).fields
    ///     {'x': IndexType(index)}
    fn read_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Type>> {
        Type::object(py, self.with(py, CoreReader::read_type)?)
    }

    /// Read a type, or None.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_optional_type(None)
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_optional_type()})
    ///     >>> Toy().attribute("note", x=None).fields
    ///     {}
    fn read_optional_type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Type>>> {
        let value = self.with(py, CoreReader::read_optional_type)?;
        value.map(|value| Type::object(py, value)).transpose()
    }

    /// Read the key of a dialect resource.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_resource_handle(value.fields["x"])
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_resource_handle()})
    ///     >>> Toy().attribute("note", x="weights").fields
    ///     {'x': 'weights'}
    fn read_resource_handle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, &self.with(py, CoreReader::read_resource_handle)?)
    }

    /// Read an integer of this width in bits, as an unsigned number.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_apint_with_known_width(8)
    ///     >>> mlirbc.versions.read_version(Toy(), b"\xff")
    ///     255
    fn read_apint_with_known_width(&self, py: Python<'_>, width: u32) -> PyResult<Py<PyAny>> {
        words_object(py, self.with(py, |reader| reader.read_apint_with_known_width(width))?)
    }

    /// The bits of a float of this width, as an unsigned number.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_apfloat_with_known_semantics(8)
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x38")
    ///     56
    fn read_apfloat_with_known_semantics(&self, py: Python<'_>, width: u32) -> PyResult<Py<PyAny>> {
        words_object(py, self.with(py, |reader| reader.read_apfloat_with_known_semantics(width))?)
    }

    /// Read a sparse array of `len` numbers.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_sparse_array(2)
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x09\x05\x03")
    ///     [2, 1]
    fn read_sparse_array(&self, py: Python<'_>, len: u32) -> PyResult<Vec<u64>> {
        self.with(py, |reader| reader.read_sparse_array(len))
    }

    /// Read all remaining bytes, which must not contain table indices.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return reader.read_rest()
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x01\x02")
    ///     b'\x01\x02'
    fn read_rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(py, CoreReader::read_rest)?))
    }

    /// Read a count and that number of items, each of which `item` reads:
    /// `reader.read_list(reader.read_varint)`.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def read_version(self, reader):
    ///     ...         return tuple(reader.read_list(reader.read_varint))
    ///     >>> mlirbc.versions.read_version(Toy(), b"\x05\x03\x05")
    ///     (1, 2)
    fn read_list<'py>(&self, py: Python<'py>, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let mut list = self.with(py, CoreReader::begin_list)?;
        let items = PyList::empty(py);
        for _ in 0..list.items() {
            items.append(item.call0()?)?;
            self.with(py, |reader| {
                reader.end_item(&mut list);
                Ok(())
            })?;
        }
        self.with(py, |reader| {
            reader.end_list(list);
            Ok(())
        })?;
        Ok(items)
    }
}

/// The output of a hook that encodes: MLIR's `DialectBytecodeWriter`.
///
/// The writer can be used until the hook returns.
///
///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
///     ...     dialect = "toy"
///     ...     def write_version(self, writer):
///     ...         for number in writer.dialect_version("toy") or (1, 2):
///     ...             writer.write_varint(number)
///     >>> mlirbc.versions.write_version(Toy()).hex()
///     '0305'
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct DialectBytecodeWriter(pub(crate) Mutex<Option<CoreWriter>>);

impl DialectBytecodeWriter {
    fn with<T>(&self, work: impl FnOnce(&mut CoreWriter) -> T) -> PyResult<T> {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(work(writer.as_mut().ok_or_else(ended)?))
    }
}

fn core_attribute(value: Option<&Bound<'_, Attribute>>) -> PyResult<Option<CoreAttribute>> {
    value.map(|value| value.get().value(value.py())).transpose()
}

fn core_type(value: Option<&Bound<'_, Type>>) -> PyResult<Option<CoreType>> {
    value.map(|value| value.get().value(value.py())).transpose()
}

#[pymethods]
impl DialectBytecodeWriter {
    /// The bytecode version that is written.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_varint(writer.bytecode_version)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\r'
    #[getter]
    fn bytecode_version(&self) -> PyResult<u64> {
        self.with(|writer| writer.bytecode_version())
    }

    /// Return the version of a dialect for which the module is written; None for the current version.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_varint(writer.dialect_version("toy") or 1)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\x03'
    fn dialect_version<'py>(&self, py: Python<'py>, dialect: &str) -> PyResult<Bound<'py, PyAny>> {
        let version = self.with(|writer| writer.dialect_version(dialect))?;
        version_object(py, version.map_err(|error| raise(py, error, None))?)
    }

    /// Write an unsigned varint.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_varint(2)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\x05'
    fn write_varint(&self, number: u64) -> PyResult<()> {
        self.with(|writer| writer.write_varint(number))
    }

    /// Write a signed varint.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_signed_varint(-2)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\x07'
    fn write_signed_varint(&self, number: i64) -> PyResult<()> {
        self.with(|writer| writer.write_signed_varint(number))
    }

    /// Write a varint below 2**63, and a flag in its lowest bit.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_varint_with_flag(2, True)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\x0b'
    fn write_varint_with_flag(&self, number: u64, flag: bool) -> PyResult<()> {
        self.with(|writer| writer.write_varint_with_flag(number, flag))
    }

    /// Write one byte.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_byte(255)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\xff'
    fn write_byte(&self, byte: u8) -> PyResult<()> {
        self.with(|writer| writer.write_byte(byte))
    }

    /// Write a byte that is 0 or 1.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_bool(True)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\x01'
    fn write_bool(&self, value: bool) -> PyResult<()> {
        self.with(|writer| writer.write_bool(value))
    }

    /// Write a string, which a file stores only once.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_string(value.fields["x"])
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_string()})
    ///     >>> Toy().attribute("note", x="a").fields
    ///     {'x': 'a'}
    fn write_string(&self, text: &Bound<'_, PyAny>) -> PyResult<()> {
        let text = bytes_of(text)?;
        self.with(|writer| writer.write_string(text))
    }

    /// Write a size and the bytes.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_blob(b"ab")
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\x05ab'
    fn write_blob(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = bytes_of(data)?;
        self.with(|writer| writer.write_blob(data))
    }

    /// Write an attribute.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_attribute(value.fields["x"])
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_attribute()})
    ///     >>> Toy().attribute("note", x=mlirbc.attributes.UnitAttr.get()).fields
    ///     {'x': UnitAttr(unit)}
    fn write_attribute(&self, value: &Bound<'_, Attribute>) -> PyResult<()> {
        let value = value.get().value(value.py())?;
        self.with(|writer| writer.write_attribute(&value))
    }

    /// Write an attribute, or None.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_optional_attribute(None)
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_optional_attribute()})
    ///     >>> Toy().attribute("note", x=None).fields
    ///     {}
    #[pyo3(signature = (value))]
    fn write_optional_attribute(&self, value: Option<&Bound<'_, Attribute>>) -> PyResult<()> {
        let value = core_attribute(value)?;
        self.with(|writer| writer.write_optional_attribute(value.as_ref()))
    }

    /// Write a type.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_type(value.fields["x"])
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_type()})
    ///     >>> Toy().attribute("note", x=mlirbc.types.IndexType.get()).fields
    ///     {'x': IndexType(index)}
    fn write_type(&self, value: &Bound<'_, Type>) -> PyResult<()> {
        let value = value.get().value(value.py())?;
        self.with(|writer| writer.write_type(&value))
    }

    /// Write a type, or None.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_optional_type(None)
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_optional_type()})
    ///     >>> Toy().attribute("note", x=None).fields
    ///     {}
    #[pyo3(signature = (value))]
    fn write_optional_type(&self, value: Option<&Bound<'_, Type>>) -> PyResult<()> {
        let value = core_type(value)?;
        self.with(|writer| writer.write_optional_type(value.as_ref()))
    }

    /// Write the key of a dialect resource.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_attribute(self, value, writer):
    ///     ...         writer.write_resource_handle(value.fields["x"])
    ///     ...     def read_attribute(self, reader):
    ///     ...         return mlirbc.dialects.DialectValue("note", {"x": reader.read_resource_handle()})
    ///     >>> Toy().attribute("note", x="weights").fields
    ///     {'x': 'weights'}
    fn write_resource_handle(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let key = bytes_of(key)?;
        self.with(|writer| writer.write_resource_handle(key))
    }

    /// Write an integer of this width in bits; negative numbers are in two's complement.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_apint_with_known_width(-1, 8)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\xff'
    fn write_apint_with_known_width(&self, number: &Bound<'_, PyAny>, width: u32) -> PyResult<()> {
        let words = words_of(number, width)?;
        self.with(|writer| writer.write_apint_with_known_width(words, width))
    }

    /// Write the bits of a float of this width.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_apfloat_with_known_semantics(56, 8)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'8'
    fn write_apfloat_with_known_semantics(&self, bits: &Bound<'_, PyAny>, width: u32) -> PyResult<()> {
        self.write_apint_with_known_width(bits, width)
    }

    /// Write a sparse array of numbers of 31 bits.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_sparse_array([2, 1])
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\t\x05\x03'
    fn write_sparse_array(&self, numbers: Vec<u64>) -> PyResult<()> {
        self.with(|writer| writer.write_sparse_array(&numbers))
    }

    /// Write bytes without a size; these end the value and contain no table indices.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_rest(b"ab")
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'ab'
    fn write_rest(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = bytes_of(data)?;
        self.with(|writer| writer.write_rest(data))
    }

    /// Write a count and the items, each of which `item` writes: `writer.write_list(numbers,
    /// writer.write_varint)`.
    ///
    ///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
    ///     ...     dialect = "toy"
    ///     ...     def write_version(self, writer):
    ///     ...         writer.write_list([1, 2], writer.write_varint)
    ///     >>> mlirbc.versions.write_version(Toy())
    ///     b'\x05\x03\x05'
    fn write_list(&self, items: &Bound<'_, PyAny>, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let items: Vec<Bound<'_, PyAny>> = items.extract()?;
        self.with(|writer| writer.write_varint(items.len() as u64))?;
        items.into_iter().try_for_each(|value| item.call1((value,)).map(drop))
    }
}
