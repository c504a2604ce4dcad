//! The attributes of an operation of an edited module, by name.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};

use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

use super::handle::{EditedItem, Home, classes};
use crate::edit::bytes_of;
use crate::handle::entry::Attribute;
use crate::lost_bytes::Reads;
use crate::maps::NamedAttribute;
use crate::reuse::{Reusable, Slot};
use crate::text::text;
use ::mlirbc::tool::printable;

/// The base of maps of attributes: the attributes as they are at the time of each call.
#[pyclass(frozen, subclass, mapping, module = "mlirbc._mlirbc", name = "_EditedAttributes")]
pub(crate) struct AttributeMap {
    home: Home,
    op: AtomicU32,
    // Whether properties are left out.
    is_discardable: bool,
}

thread_local! {
    static NEXT: RefCell<Option<AttributeMap>> = const { RefCell::new(None) };
}

impl Reusable for AttributeMap {
    type Id = u32;

    fn set_id(this: &Bound<'_, Self>, op: u32) {
        this.get().op.store(op, Ordering::Relaxed);
    }
}

impl Reads for AttributeMap {
    fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
        self.home.reads()
    }
}

impl AttributeMap {
    /// Returns the attributes of an operation.
    pub(crate) fn of<'py>(place: &EditedItem<'py>, is_discardable: bool) -> PyResult<Bound<'py, PyAny>> {
        let map = Self { home: place.home(), op: AtomicU32::new(place.row), is_discardable };
        NEXT.with(|next| next.replace(Some(map)));
        let classes = classes(place.py())?;
        let class = if is_discardable { &classes.discardable_attributes } else { &classes.attributes };
        class.object(place.py()).inspect_err(|_| drop(NEXT.with(RefCell::take)))
    }

    /// Returns the attributes of an operation, in `slot` if the map there can be reused.
    pub(crate) fn cached<'py>(place: &EditedItem<'py>, slot: &Slot<Self>) -> PyResult<Bound<'py, PyAny>> {
        let make = |_| Ok(Self::of(place, false)?.cast_into::<Self>()?);
        Ok(slot.get(place.py(), true, place.row, make)?.into_any())
    }

    fn place<'py>(&self, py: Python<'py>) -> EditedItem<'py> {
        self.home.place(py, self.op.load(Ordering::Relaxed))
    }

    // Returns the attributes by name, sorted; operations may share the dictionary, which nothing changes.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let place = self.place(py);
        let rows = match place.editor.get().attribute_dict(py, place.row)? {
            Some(rows) => rows,
            None => with_unregistered(&place)?,
        };
        if !self.is_discardable {
            return Ok(rows);
        }
        let discardable = PyDict::new(py);
        for name in discardable_names(&place)? {
            if let Some(value) = rows.get_item(&name)? {
                discardable.set_item(name, value)?;
            }
        }
        Ok(discardable)
    }

    fn find<'py>(&self, name: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = name.py();
        if !name.is_instance_of::<PyString>() {
            return Ok(None);
        }
        let place = self.place(py);
        if self.is_discardable && !contains(&discardable_names(&place)?, name)? {
            return Ok(None);
        }
        match place.editor.get().attribute_named(py, place.row, name)? {
            Some(value) => Ok(Some(value.into_any())),
            None => self.rows(py)?.get_item(name),
        }
    }
}

fn contains(names: &[Bound<'_, PyString>], name: &Bound<'_, PyAny>) -> PyResult<bool> {
    for known in names {
        if known.as_any().eq(name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn discardable_names<'py>(place: &EditedItem<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let properties = place.look(|editor, row| editor.op_properties(editor.handle(row)))?;
    properties.discardable.iter().map(|name| text(place.py(), name)).collect()
}

// Returns the attributes of an operation that its writer did not know: its properties are one dictionary.
fn with_unregistered<'py>(place: &EditedItem<'py>) -> PyResult<Bound<'py, PyDict>> {
    let py = place.py();
    let properties = place.look(|editor, row| editor.op_properties(editor.handle(row)))?;
    let rows = place.editor.get().read_attributes(py, place.row)?;
    for (name, value) in properties.values {
        let (name, value) = (text(py, &name)?, crate::field::to_python(py, value)?);
        if value.bind(py).is_instance_of::<Attribute>() && !rows.contains(&name)? {
            rows.set_item(name, value)?;
        }
    }
    let names = rows.keys();
    names.sort()?;
    let sorted = PyDict::new(py);
    for name in names {
        let value = rows.get_item(&name)?;
        sorted.set_item(name, value)?;
    }
    Ok(sorted)
}

#[mlirbc_py_macros::checked]
#[pymethods]
impl AttributeMap {
    #[new]
    fn new() -> PyResult<Self> {
        NEXT.with(RefCell::take).ok_or_else(|| PyTypeError::new_err("the attributes come from an operation"))
    }

    /// The attribute with this name; `default` if there is none.
    #[pyo3(signature = (key, default = None))]
    fn get<'py>(
        &self,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !key.is_instance_of::<PyString>() {
            let kind = key.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected the name of an attribute, found {kind}")));
        }
        Ok(self.find(key)?.or(default))
    }

    /// The names, sorted.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py)?.call_method0("keys")
    }

    /// The attributes in the order of their names.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py)?.call_method0("values")
    }

    /// Names and attributes, sorted by name.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py)?.call_method0("items")
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.rows(py)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.rows(py)?.as_any().try_iter()?.into_any())
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.rows(name.py())?.contains(name)
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        if key.is_instance_of::<PyInt>() {
            let names = self.rows(py)?.keys();
            let number: isize = key.extract()?;
            let index = if number < 0 { number + names.len() as isize } else { number };
            let Some(index) = usize::try_from(index).ok().filter(|&index| index < names.len()) else {
                return Err(PyIndexError::new_err("list index out of range"));
            };
            let name = names.get_item(index)?.cast_into::<PyString>()?;
            let value = self.find(name.as_any())?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))?;
            let named = NamedAttribute::new(name.unbind(), value.cast_into::<Attribute>()?);
            return Ok(Bound::new(py, named)?.into_any());
        }
        self.find(key)?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    fn __setitem__(&self, name: &Bound<'_, PyAny>, value: &Bound<'_, Attribute>) -> PyResult<()> {
        let place = self.place(name.py());
        if self.is_discardable {
            let properties = place.look(|editor, row| editor.op_properties(editor.handle(row)))?;
            let key = bytes_of(name)?;
            if properties.values.iter().any(|(property, _)| *property == key) {
                let op = place.editor.get().name_text(name.py(), place.row)?;
                let message = format!("{name} is a property of {op}: set it in `attributes`");
                return Err(PyKeyError::new_err(message));
            }
        }
        let (name, value) = (bytes_of(name)?, value.get().value(name.py())?);
        place.change(|editor, row| editor.set_attribute(editor.handle(row), name, &value))
    }

    fn __delitem__(&self, name: &Bound<'_, PyAny>) -> PyResult<()> {
        let missing = || PyKeyError::new_err(name.clone().unbind());
        if self.is_discardable && self.find(name)?.is_none() {
            return Err(missing());
        }
        let key = bytes_of(name)?;
        let place = self.place(name.py());
        match place.change(|editor, row| editor.remove_attribute(editor.handle(row), key))? {
            true => Ok(()),
            false => Err(missing()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Ok(rows) = self.rows(py) else { return Ok("<mlirbc.edit.OpAttributeMap>".into()) };
        let names = rows.keys().repr()?.to_string();
        Ok(printable(&format!("<mlirbc.edit.OpAttributeMap of {names}>")).into_owned())
    }
}
