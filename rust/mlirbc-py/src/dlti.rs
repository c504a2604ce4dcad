//! Attributes of the dlti dialect, decoded, and their entries as Python objects.

use ::mlirbc::Attribute as CoreAttribute;
use ::mlirbc::layout::{self, DltiEntry, DltiKey};
use ::mlirbc::tool::printable;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::raise;
use crate::handle::entry::{Attribute, Type};
use crate::lost_bytes::checked as unless_lost;
use crate::text::text;

pub(crate) fn done<T>(py: Python<'_>, result: ::mlirbc::Result<T>) -> PyResult<T> {
    result.map_err(|error| raise(py, error, None))
}

pub(crate) fn attribute(py: Python<'_>, value: Option<&CoreAttribute>) -> PyResult<Option<Py<Attribute>>> {
    value.map(|value| Ok(Attribute::object(py, value.clone())?.unbind())).transpose()
}

pub(crate) fn key<'py>(py: Python<'py>, key: &DltiKey) -> PyResult<Bound<'py, PyAny>> {
    Ok(match key {
        DltiKey::Type(of) => Type::object(py, of.clone())?.into_any(),
        DltiKey::Identifier(name) => text(py, name)?.into_any(),
    })
}

pub(crate) fn core_key(given: &Bound<'_, PyAny>) -> PyResult<DltiKey> {
    if let Ok(of) = given.cast::<Type>() {
        return Ok(DltiKey::Type(of.get().value(given.py())?));
    }
    match given.cast::<PyString>() {
        Ok(name) => {
            let encoded = name.call_method1("encode", ("utf-8", "surrogateescape"))?;
            let bytes = encoded.cast::<PyBytes>()?.as_bytes().to_vec();
            Ok(DltiKey::Identifier(bytes.into()))
        }
        Err(_) => Err(PyTypeError::new_err("a key is a name or a type")),
    }
}

pub(crate) type Pairs<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, Attribute>)>;

pub(crate) fn pairs<'py>(py: Python<'py>, entries: &[DltiEntry]) -> PyResult<Pairs<'py>> {
    entries
        .iter()
        .map(|entry| Ok((key(py, &entry.key)?, Attribute::object(py, entry.value.clone())?)))
        .collect()
}

/// A decoded attribute of the dlti dialect: a specification, a description of a target, or a map.
///
/// The argument is the text or an attribute; `str` returns the text that MLIR 22 prints. Raises
/// `InvalidError` if the text is not valid.
///
///     >>> spec = mlirbc.layout.DltiAttr("#dlti.dl_spec<#dlti.dl_entry<index, 32>, i8 = dense<8> : vector<1xi64>>")
///     >>> str(spec)
///     '#dlti.dl_spec<index = 32 : i64, i8 = dense<8> : vector<1xi64>>'
#[pyclass(frozen, eq, module = "mlirbc")]
#[derive(PartialEq)]
pub(crate) struct DltiAttr {
    pub(crate) inner: layout::DltiAttr,
}

#[pymethods]
impl DltiAttr {
    #[new]
    pub(crate) fn new(py: Python<'_>, of: &Bound<'_, PyAny>) -> PyResult<Self> {
        let inner = match of.cast::<Attribute>() {
            Ok(attribute) => {
                let text = attribute.get().value(py)?.to_string();
                layout::DltiAttr::parse(unless_lost(attribute.get(), Ok(text))?)
            }
            Err(_) => layout::DltiAttr::parse(of.extract::<&str>()?),
        };
        Ok(Self { inner: done(py, inner)? })
    }

    /// The name of the class in MLIR.
    ///
    ///     >>> mlirbc.layout.DltiAttr("#dlti.map<>").class_name
    ///     'MapAttr'
    #[getter]
    fn class_name(&self) -> &'static str {
        self.inner.kind().class()
    }

    /// The keys and values in order; a key is a type or a name.
    ///
    ///     >>> mlirbc.layout.DltiAttr('#dlti.map<"a" = 1 : i8>').entries
    ///     [('a', IntegerAttr(1 : i8))]
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Pairs<'py>> {
        pairs(py, &self.inner.entries())
    }

    /// The value as an ordinary attribute.
    ///
    ///     >>> mlirbc.layout.DltiAttr("#dlti.map<>").attribute
    ///     Attribute(#dlti.map<>)
    #[getter]
    fn attribute<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        Attribute::object(py, self.inner.value())
    }

    /// Return the value at a chain of keys. Raises `InvalidError` if there is none.
    ///
    ///     >>> mlirbc.layout.DltiAttr('#dlti.map<"a" = #dlti.map<"b" = 7 : i8>>').query("a", "b")
    ///     IntegerAttr(7 : i8)
    #[pyo3(signature = (*keys))]
    fn query<'py>(&self, py: Python<'py>, keys: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, Attribute>> {
        let keys = keys.iter().map(core_key).collect::<PyResult<Vec<_>>>()?;
        Attribute::object(py, done(py, self.inner.query(&keys))?)
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        printable(&format!("DltiAttr({})", self.inner)).into_owned()
    }
}
