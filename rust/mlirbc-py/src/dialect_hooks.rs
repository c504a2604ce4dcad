//! Hooks of dialects that are written in Python.
//!
//! A hook runs in the thread that asks for a value, with the interpreter, while no lock is held. Its exceptions
//! make the value opaque, except for those that end a program, such as `KeyboardInterrupt`, which are raised.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use ::mlirbc::attr::hooks::{
    BytecodeDialectInterface, DialectBytecodeReader as CoreReader, DialectBytecodeWriter as CoreWriter,
    DialectInterfaces, DialectValue, DialectVersion, version_bytes,
};
use ::mlirbc::{
    Attribute as CoreAttribute, Bytes, DialectTable, Error, ErrorKind, FieldValue, Result, Type as CoreType,
};
use pyo3::exceptions::{PyException, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyInt, PyList, PyMapping, PyMemoryView, PyString, PyTuple,
};

use crate::errors::{of_callback, raise};
use crate::field::{bytes_of, to_python, view};
use crate::handle::entry::{Attribute, Type};
use crate::handle::module::Module;
use crate::text::text;

/// The hooks of one dialect.
pub(crate) struct Interface {
    object: Py<PyAny>,
    dialect: String,
    reads_entries: bool,
    reads_properties: bool,
}

const NAME: &str = "BytecodeDialectInterface";

/// Tables, and objects with hooks, from a list of both.
pub(crate) fn split(
    py: Python<'_>,
    list: &Bound<'_, PyAny>,
) -> PyResult<(Vec<Arc<DialectTable>>, Vec<Py<PyAny>>)> {
    let class = py.import("mlirbc.dialects")?.getattr(NAME)?;
    let (tables, mut interfaces) = (PyList::empty(py), Vec::new());
    for item in list.try_iter()? {
        let item = item?;
        match item.is_instance(&class)? {
            true => interfaces.push(item.unbind()),
            false => tables.append(item)?,
        }
    }
    Ok((crate::release::tables(py, tables.as_any())?, interfaces))
}

/// The hooks as the core takes them.
pub(crate) fn interfaces(py: Python<'_>, objects: &[Py<PyAny>]) -> PyResult<DialectInterfaces> {
    let interface = |object: &Py<PyAny>| -> PyResult<Arc<dyn BytecodeDialectInterface>> {
        Ok(Arc::new(Interface::new(object.bind(py))?))
    };
    Ok(DialectInterfaces::new(objects.iter().map(interface).collect::<PyResult<_>>()?))
}

impl Interface {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let base = py.import("mlirbc.dialects")?.getattr(NAME)?;
        if !object.is_instance(&base)? {
            return Err(PyTypeError::new_err(format!("expected a {NAME}, not {}", type_name(object))));
        }
        let dialect = object.getattr("dialect")?;
        let dialect: String = dialect.extract().map_err(|_| {
            PyTypeError::new_err(format!("`dialect` of {} is the name of a dialect", type_name(object)))
        })?;
        // A hook that the class leaves out is that of the base class.
        let class = object.get_type();
        let has = |hook: &str| -> PyResult<bool> { Ok(!class.getattr(hook)?.is(&base.getattr(hook)?)) };
        Ok(Self {
            object: object.clone().unbind(),
            dialect,
            reads_entries: has("read_attribute")? || has("read_type")?,
            reads_properties: has("read_properties")?,
        })
    }

    /// The error for an exception of a hook.
    fn failed(&self, py: Python<'_>, hook: &str, raised: PyErr) -> Error {
        if !raised.is_instance_of::<PyException>(py) {
            return of_callback(raised);
        }
        let class = raised.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
        let message = format!("{hook} of {} raised {class}: {}", self.dialect, raised.value(py));
        Error::message(ErrorKind::DialectHook, message).with_source(raised)
    }

    /// Calls a hook with a reader.
    fn read<T>(
        &self,
        hook: &str,
        op: Option<&str>,
        reader: &mut CoreReader,
        answer: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Result<Option<T>> {
        Python::attach(|py| {
            let failed = |raised| self.failed(py, hook, raised);
            let lent =
                Bound::new(py, DialectBytecodeReader(Mutex::new(Some(reader.moved())))).map_err(failed)?;
            let object = self.object.bind(py);
            let result = match op {
                Some(op) => object.call_method1(hook, (op, &lent)),
                None => object.call_method1(hook, (&lent,)),
            };
            // Whoever kept the reader has an empty one.
            if let Some(back) = lent.get().0.lock().unwrap_or_else(PoisonError::into_inner).take() {
                *reader = back;
            }
            let result = result.map_err(failed)?;
            if result.is_none() {
                return Ok(None);
            }
            answer(&result).map(Some).map_err(failed)
        })
    }

    fn write(
        &self,
        hook: &str,
        op: Option<&str>,
        value: Option<&DialectValue>,
        writer: &mut CoreWriter,
    ) -> Result<bool> {
        Python::attach(|py| {
            let failed = |raised| self.failed(py, hook, raised);
            let lent =
                Bound::new(py, DialectBytecodeWriter(Mutex::new(Some(writer.moved())))).map_err(failed)?;
            let call = || {
                let object = self.object.bind(py);
                match (op, value) {
                    (Some(op), Some(value)) => object.call_method1(hook, (op, fields(py, value)?, &lent)),
                    (_, Some(value)) => object.call_method1(hook, (value_object(py, value)?, &lent)),
                    _ => object.call_method1(hook, (&lent,)),
                }
            };
            let result = call();
            if let Some(back) = lent.get().0.lock().unwrap_or_else(PoisonError::into_inner).take() {
                *writer = back;
            }
            let result = result.map_err(failed)?;
            // No answer is one that has written.
            Ok(result.is_none() || result.is_truthy().map_err(failed)?)
        })
    }
}

fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map(|name| name.to_string()).unwrap_or_default()
}

impl BytecodeDialectInterface for Interface {
    fn dialect(&self) -> &str {
        &self.dialect
    }

    fn object(&self) -> Option<&(dyn Any + Send + Sync)> {
        Some(&self.object)
    }

    fn reads_entries(&self) -> bool {
        self.reads_entries
    }

    fn reads_properties(&self) -> bool {
        self.reads_properties
    }

    fn read_attribute(&self, reader: &mut CoreReader) -> Result<Option<DialectValue>> {
        self.read("read_attribute", None, reader, value_of)
    }

    fn write_attribute(&self, value: &DialectValue, writer: &mut CoreWriter) -> Result<bool> {
        self.write("write_attribute", None, Some(value), writer)
    }

    fn read_type(&self, reader: &mut CoreReader) -> Result<Option<DialectValue>> {
        self.read("read_type", None, reader, value_of)
    }

    fn write_type(&self, value: &DialectValue, writer: &mut CoreWriter) -> Result<bool> {
        self.write("write_type", None, Some(value), writer)
    }

    fn read_properties(
        &self,
        op: &str,
        reader: &mut CoreReader,
    ) -> Result<Option<Vec<(String, FieldValue)>>> {
        self.read("read_properties", Some(op), reader, fields_of)
    }

    fn write_properties(
        &self,
        op: &str,
        properties: &[(String, FieldValue)],
        writer: &mut CoreWriter,
    ) -> Result<bool> {
        let value = DialectValue { fields: properties.to_vec(), ..DialectValue::default() };
        self.write("write_properties", Some(op), Some(&value), writer)
    }

    fn read_version(&self, reader: &mut CoreReader) -> Result<Option<DialectVersion>> {
        self.read("read_version", None, reader, |version| {
            Ok(DialectVersion::Value(Arc::new(version.clone().unbind())))
        })
    }

    fn write_version(&self, writer: &mut CoreWriter) -> Result<()> {
        self.write("write_version", None, None, writer).map(drop)
    }
}

// ---- values ----

fn value_class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("mlirbc.dialects")?.getattr("DialectValue")
}

fn value_of(object: &Bound<'_, PyAny>) -> PyResult<DialectValue> {
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

fn value_object<'py>(py: Python<'py>, value: &DialectValue) -> PyResult<Bound<'py, PyAny>> {
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

/// Lists in lists that a field may have.
const MAX_LISTS: u32 = 32;

fn field_of(object: &Bound<'_, PyAny>, depth: u32) -> PyResult<FieldValue> {
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
    let what = "None, a bool, an int, a str, bytes, an Attribute, a Type or a list of these";
    Err(PyTypeError::new_err(format!("expected {what}, not {}", type_name(object))))
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

/// An integer as words, low word first; a negative one in two's complement.
fn words_of(object: &Bound<'_, PyAny>, width: u32) -> PyResult<Vec<u64>> {
    let py = object.py();
    let one = 1_u8.into_pyobject(py)?;
    let limit = one.lshift(width)?;
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

fn version_object<'py>(py: Python<'py>, version: Option<DialectVersion>) -> PyResult<Bound<'py, PyAny>> {
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

// ---- reader and writer ----

/// What a hook reads from: MLIR's `DialectBytecodeReader`.
///
/// It can be used until the hook returns. Reading past the end is an error that stays, even if it is caught.
/// Indices refer to the tables of the file, and are read as what they refer to.
///
///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
///     ...     dialect = "toy"
///     ...     def read_version(self, reader):
///     ...         return reader.read_varint(), reader.read_varint()
///     >>> mlirbc.versions.read_version(Toy(), b"\x03\x05")
///     (1, 2)
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct DialectBytecodeReader(Mutex<Option<CoreReader>>);

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
    #[getter]
    fn bytecode_version(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |reader| Ok(reader.bytecode_version()))
    }

    /// The number of bytes that are left.
    #[getter]
    fn remaining(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |reader| Ok(reader.remaining()))
    }

    /// The version of a dialect in the file: what its hook reads, else a tuple of numbers by its table, else
    /// an `OpaqueVersion`; None when it has none.
    fn dialect_version<'py>(&self, py: Python<'py>, dialect: &str) -> PyResult<Bound<'py, PyAny>> {
        // The hook of the version runs without the reader, which it may be given by mistake.
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(ended)?;
        let version = taken.dialect_version(dialect);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(taken);
        version_object(py, version.map_err(|error| raise(py, error, None))?)
    }

    /// An unsigned varint.
    fn read_varint(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, CoreReader::read_varint)
    }

    /// A signed varint.
    fn read_signed_varint(&self, py: Python<'_>) -> PyResult<i64> {
        self.with(py, CoreReader::read_signed_varint)
    }

    /// A varint and the flag in its lowest bit.
    fn read_varint_with_flag(&self, py: Python<'_>) -> PyResult<(u64, bool)> {
        self.with(py, CoreReader::read_varint_with_flag)
    }

    /// One byte.
    fn read_byte(&self, py: Python<'_>) -> PyResult<u8> {
        self.with(py, CoreReader::read_byte)
    }

    /// One byte that is 0 or 1.
    fn read_bool(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, CoreReader::read_bool)
    }

    /// A string of the file.
    fn read_string<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, &self.with(py, CoreReader::read_string)?)
    }

    /// A size and that many bytes.
    fn read_blob<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        view(py, self.with(py, CoreReader::read_blob)?)
    }

    /// An attribute. Its own hook runs when it is asked for something.
    fn read_attribute<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        Attribute::object(py, self.with(py, CoreReader::read_attribute)?)
    }

    /// An attribute, or None.
    fn read_optional_attribute<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Attribute>>> {
        let value = self.with(py, CoreReader::read_optional_attribute)?;
        value.map(|value| Attribute::object(py, value)).transpose()
    }

    /// A type. Its own hook runs when it is asked for something.
    fn read_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Type>> {
        Type::object(py, self.with(py, CoreReader::read_type)?)
    }

    /// A type, or None.
    fn read_optional_type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Type>>> {
        let value = self.with(py, CoreReader::read_optional_type)?;
        value.map(|value| Type::object(py, value)).transpose()
    }

    /// The key of a dialect resource.
    fn read_resource_handle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        text(py, &self.with(py, CoreReader::read_resource_handle)?)
    }

    /// An integer of this width in bits, as an unsigned number.
    fn read_apint_with_known_width(&self, py: Python<'_>, width: u32) -> PyResult<Py<PyAny>> {
        words_object(py, self.with(py, |reader| reader.read_apint_with_known_width(width))?)
    }

    /// The bits of a float of this width, as an unsigned number.
    fn read_apfloat_with_known_semantics(&self, py: Python<'_>, width: u32) -> PyResult<Py<PyAny>> {
        words_object(py, self.with(py, |reader| reader.read_apfloat_with_known_semantics(width))?)
    }

    /// A sparse array of `len` numbers.
    fn read_sparse_array(&self, py: Python<'_>, len: u32) -> PyResult<Vec<u64>> {
        self.with(py, |reader| reader.read_sparse_array(len))
    }

    /// All bytes that are left, which must not contain indices of tables.
    fn read_rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(py, CoreReader::read_rest)?))
    }

    /// A count, and that many items, each of which `item` reads: `reader.read_list(reader.read_varint)`.
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

/// What a hook writes to: MLIR's `DialectBytecodeWriter`.
///
/// It can be used until the hook returns.
///
///     >>> class Toy(mlirbc.dialects.BytecodeDialectInterface):
///     ...     dialect = "toy"
///     ...     def write_version(self, writer):
///     ...         for number in writer.dialect_version("toy") or (1, 2):
///     ...             writer.write_varint(number)
///     >>> mlirbc.versions.write_version(Toy()).hex()
///     '0305'
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct DialectBytecodeWriter(Mutex<Option<CoreWriter>>);

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
    #[getter]
    fn bytecode_version(&self) -> PyResult<u64> {
        self.with(|writer| writer.bytecode_version())
    }

    /// The version of a dialect that is written; None for the current one.
    fn dialect_version<'py>(&self, py: Python<'py>, dialect: &str) -> PyResult<Bound<'py, PyAny>> {
        let version = self.with(|writer| writer.dialect_version(dialect))?;
        version_object(py, version.map_err(|error| raise(py, error, None))?)
    }

    /// An unsigned varint.
    fn write_varint(&self, number: u64) -> PyResult<()> {
        self.with(|writer| writer.write_varint(number))
    }

    /// A signed varint.
    fn write_signed_varint(&self, number: i64) -> PyResult<()> {
        self.with(|writer| writer.write_signed_varint(number))
    }

    /// A varint below 2**63, and a flag in its lowest bit.
    fn write_varint_with_flag(&self, number: u64, flag: bool) -> PyResult<()> {
        self.with(|writer| writer.write_varint_with_flag(number, flag))
    }

    /// One byte.
    fn write_byte(&self, byte: u8) -> PyResult<()> {
        self.with(|writer| writer.write_byte(byte))
    }

    /// One byte that is 0 or 1.
    fn write_bool(&self, value: bool) -> PyResult<()> {
        self.with(|writer| writer.write_bool(value))
    }

    /// A string, which a file stores once.
    fn write_string(&self, text: &Bound<'_, PyAny>) -> PyResult<()> {
        let text = bytes_of(text)?;
        self.with(|writer| writer.write_string(text))
    }

    /// A size and these bytes.
    fn write_blob(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = bytes_of(data)?;
        self.with(|writer| writer.write_blob(data))
    }

    /// An attribute.
    fn write_attribute(&self, value: &Bound<'_, Attribute>) -> PyResult<()> {
        let value = value.get().value(value.py())?;
        self.with(|writer| writer.write_attribute(&value))
    }

    /// An attribute, or None.
    #[pyo3(signature = (value))]
    fn write_optional_attribute(&self, value: Option<&Bound<'_, Attribute>>) -> PyResult<()> {
        let value = core_attribute(value)?;
        self.with(|writer| writer.write_optional_attribute(value.as_ref()))
    }

    /// A type.
    fn write_type(&self, value: &Bound<'_, Type>) -> PyResult<()> {
        let value = value.get().value(value.py())?;
        self.with(|writer| writer.write_type(&value))
    }

    /// A type, or None.
    #[pyo3(signature = (value))]
    fn write_optional_type(&self, value: Option<&Bound<'_, Type>>) -> PyResult<()> {
        let value = core_type(value)?;
        self.with(|writer| writer.write_optional_type(value.as_ref()))
    }

    /// The key of a dialect resource.
    fn write_resource_handle(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let key = bytes_of(key)?;
        self.with(|writer| writer.write_resource_handle(key))
    }

    /// An integer of this width in bits; a negative one in two's complement.
    fn write_apint_with_known_width(&self, number: &Bound<'_, PyAny>, width: u32) -> PyResult<()> {
        let words = words_of(number, width)?;
        self.with(|writer| writer.write_apint_with_known_width(words, width))
    }

    /// The bits of a float of this width.
    fn write_apfloat_with_known_semantics(&self, bits: &Bound<'_, PyAny>, width: u32) -> PyResult<()> {
        self.write_apint_with_known_width(bits, width)
    }

    /// A sparse array of numbers of 31 bits.
    fn write_sparse_array(&self, numbers: Vec<u64>) -> PyResult<()> {
        self.with(|writer| writer.write_sparse_array(&numbers))
    }

    /// Bytes without a size, which end the value and contain no indices of tables.
    fn write_rest(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = bytes_of(data)?;
        self.with(|writer| writer.write_rest(data))
    }

    /// A count, and the items, each of which `item` writes: `writer.write_list(numbers, writer.write_varint)`.
    fn write_list(&self, items: &Bound<'_, PyAny>, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let items: Vec<Bound<'_, PyAny>> = items.extract()?;
        self.with(|writer| writer.write_varint(items.len() as u64))?;
        items.into_iter().try_for_each(|value| item.call1((value,)).map(drop))
    }
}

// ---- functions of the package ----

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

fn given<'f>(
    (arguments, fields): &'f GivenFields<'_>,
) -> PyResult<(Vec<FieldValue>, Vec<(&'f str, FieldValue)>)> {
    let arguments = arguments.iter().map(|value| field_of(value, 0)).collect::<PyResult<_>>()?;
    let field = |(name, value): &'f (String, Bound<'_, PyAny>)| Ok((name.as_str(), field_of(value, 0)?));
    Ok((arguments, fields.iter().map(field).collect::<PyResult<_>>()?))
}

/// Makes an attribute by the table of its dialect.
#[pyfunction]
pub(crate) fn _attribute_by_table<'py>(
    py: Python<'py>,
    table: &crate::release::DialectTable,
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
    table: &crate::release::DialectTable,
    name: &str,
    values: GivenFields<'py>,
) -> PyResult<Bound<'py, Type>> {
    let (arguments, fields) = given(&values)?;
    let made = table.0.r#type(name, arguments, fields);
    Type::object(py, made.map_err(|error| raise(py, error, None))?)
}
