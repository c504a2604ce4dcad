//! The properties of an operation of an edited module, by name.

use ::mlirbc::tool::printable;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyMapping};

use super::declared_properties::{declared_properties, set_declared_properties};
use super::handle::EditedItem;
use super::operation::EditedOperation;

/// The base of the properties that a dialect declares.
#[pyclass(frozen, subclass, mapping, module = "mlirbc._mlirbc", name = "_DeclaredProperties")]
pub(crate) struct DeclaredProperties(Py<EditedOperation>);

impl DeclaredProperties {
    fn place<'py>(&self, py: Python<'py>) -> PyResult<EditedItem<'py>> {
        self.0.get().place(py)
    }

    fn all<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Ok(declared_properties(&self.place(py)?)?.unwrap_or_else(|| PyDict::new(py)))
    }
}

#[pymethods]
impl DeclaredProperties {
    #[new]
    fn new(op: Py<EditedOperation>) -> Self {
        Self(op)
    }

    fn __getitem__<'py>(&self, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.all(name.py())?.as_any().get_item(name)
    }

    fn __setitem__(&self, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let properties = self.all(name.py())?;
        properties.set_item(name, value)?;
        set_declared_properties(&self.place(name.py())?, &properties)
    }

    fn __delitem__(&self, name: &Bound<'_, PyAny>) -> PyResult<()> {
        let properties = self.all(name.py())?;
        properties.del_item(name)?;
        set_declared_properties(&self.place(name.py())?, &properties)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.all(py)?.as_any().try_iter()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.all(py)?.len())
    }

    /// Set all properties at once, for operations that are valid only with the complete set.
    fn replace(&self, properties: &Bound<'_, PyMapping>) -> PyResult<()> {
        set_declared_properties(&self.place(properties.py())?, properties)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(printable(&self.all(py)?.repr()?.to_string()).into_owned())
    }
}

/// The base of the inherent values of an operation.
#[pyclass(frozen, subclass, mapping, module = "mlirbc._mlirbc", name = "_EditedProperties")]
pub(crate) struct EditedProperties {
    values: Py<PyDict>,
    /// The bytes of properties whose layout is not known; else None.
    #[pyo3(get)]
    opaque: Option<Py<PyBytes>>,
}

#[pymethods]
impl EditedProperties {
    #[new]
    fn new(values: Py<PyDict>, opaque: Option<Py<PyBytes>>) -> Self {
        Self { values, opaque }
    }

    fn __getitem__<'py>(&self, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.values.bind(name.py()).as_any().get_item(name)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.values.bind(py).as_any().try_iter()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.values.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if let Some(opaque) = &self.opaque {
            let count = opaque.as_bytes(py).len();
            return Ok(format!("<mlirbc.edit.OpPropertyMap of {count} opaque bytes>"));
        }
        let names = self.values.bind(py).keys().repr()?;
        Ok(printable(&format!("<mlirbc.edit.OpPropertyMap of {names}>")).into_owned())
    }
}
