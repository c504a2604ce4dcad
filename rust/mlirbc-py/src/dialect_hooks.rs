//! Dialect hooks that are written in Python.
//!
//! A hook runs in the thread that requests a value, with the interpreter attached and without locks. An
//! exception of a hook makes the value opaque, except for exceptions that end a program, such as
//! `KeyboardInterrupt`, which are raised.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use ::mlirbc::attr::FieldValue;
use ::mlirbc::attr::hooks::{
    BytecodeDialectInterface, DialectBytecodeReader as CoreReader, DialectBytecodeWriter as CoreWriter,
    DialectInterfaces, DialectValue, DialectVersion,
};
use ::mlirbc::dialect::DialectTable;
use ::mlirbc::{Error, ErrorKind, Result};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::of_callback;
use crate::hook_streams::{DialectBytecodeReader, DialectBytecodeWriter};
use crate::hook_values::{fields, fields_of, type_name, value_object, value_of};

/// The hooks of one dialect.
pub(crate) struct Interface {
    object: Py<PyAny>,
    dialect: String,
    reads_entries: bool,
    reads_properties: bool,
}

const NAME: &str = "BytecodeDialectInterface";

/// Tables, and objects with hooks.
type Split = (Vec<Arc<DialectTable>>, Vec<Py<PyAny>>);

/// Splits a list into tables and objects with hooks.
pub(crate) fn split(py: Python<'_>, list: &Bound<'_, PyAny>) -> PyResult<Split> {
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

/// Converts the hooks for the core.
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
        // A hook that the class does not define is inherited from the base class.
        let class = object.get_type();
        let has = |hook: &str| -> PyResult<bool> { Ok(!class.getattr(hook)?.is(&base.getattr(hook)?)) };
        Ok(Self {
            object: object.clone().unbind(),
            dialect,
            reads_entries: has("read_attribute")? || has("read_type")?,
            reads_properties: has("read_properties")?,
        })
    }

    /// Returns the error for an exception of a hook.
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
            // Code that kept the reader has an empty one.
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
            // A hook that returns None has written the value.
            Ok(result.is_none() || result.is_truthy().map_err(failed)?)
        })
    }
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
