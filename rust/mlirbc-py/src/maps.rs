//! The attributes of an operation by name.

use std::sync::Arc;

use ::mlirbc::Attribute as CoreAttribute;
use ::mlirbc::attr::FieldValue;
use ::mlirbc::bytes::Bytes;
use ::mlirbc::ir::{AttrId, InherentAttributes, PropertyReading};
use ::mlirbc::props::{PropertyField, PropertyValue};
use ::mlirbc::tool::printable;
use mlirbc_py_macros::checked;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyIterator, PyList, PyString, PyTuple};

use crate::handle::attribute_map::OpAttributeMap;
use crate::handle::entry::Attribute;
use crate::handle::module::Module;
use crate::handle::rows::{AttributeRows, MapPart, NamedRows, NamedValue};
use crate::lost_bytes::reads;
use crate::text::text;

/// An exhausted iterator, shared by all maps without rows: most operations have no attributes.
fn exhausted(py: Python<'_>) -> PyResult<Bound<'_, PyIterator>> {
    static EXHAUSTED: PyOnceLock<Py<PyIterator>> = PyOnceLock::new();
    let make = || {
        let mut iterator = PyTuple::empty(py).try_iter()?;
        // An iterator that has stopped never returns anything again, so it can be shared.
        let _ = iterator.next();
        Ok::<_, PyErr>(iterator.unbind())
    };
    Ok(EXHAUSTED.get_or_try_init(py, make)?.bind(py).clone())
}

reads! {
    OpAttributeMap: module;
    OpPropertyMap: module;
}

impl OpAttributeMap {
    fn value(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
        let row = self.rows()?.find(key)?;
        row.map(|row| Ok(row.object(key.py(), self.module.get())?.unbind())).transpose()
    }
}

#[checked]
#[pymethods]
impl OpAttributeMap {
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.rows()?.len())
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.rows()?.contains(name)
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = key.py();
        // A conversion of the string to a number would create an exception only to drop it.
        if !key.is_instance_of::<PyString>()
            && let Ok(index) = key.extract::<isize>()
        {
            let rows = self.rows()?;
            let len = rows.len();
            let place = if index < 0 { index + len as isize } else { index };
            let row = usize::try_from(place).ok().and_then(|place| rows.nth(py, place));
            let Some((name, row)) = row else {
                return Err(PyIndexError::new_err(format!(
                    "index {index} is out of range for {len} attributes"
                )));
            };
            let attr = row.object(py, self.module.get())?.unbind();
            return Ok(Py::new(py, NamedAttribute { name: name.clone_ref(py), attr })?.into_any());
        }
        self.value(key)?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let rows = self.rows()?;
        match rows.len() {
            0 => exhausted(py),
            _ => rows.names(py)?.try_iter(),
        }
    }

    /// Return the attribute with this name; `default` if there is none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].attributes.get("colour") is None
    ///     True
    #[pyo3(signature = (key, default = None))]
    fn get(&self, key: &Bound<'_, PyAny>, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        Ok(self.value(key)?.or(default))
    }

    /// Return the names, sorted.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].attributes.keys()
    ///     ['example.entry', 'function_type', 'sym_name']
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.rows()?.names(py)?.to_list())
    }

    /// Return the attributes in the order of their names.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].attributes.values()[2]
    ///     StringAttr("main")
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.rows()?.values(py, self.module.get())
    }

    /// Return names and attributes, sorted by name.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].attributes.items()[2]
    ///     ('sym_name', StringAttr("main"))
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.rows()?.items(py, self.module.get())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<mlirbc.OpAttributeMap of {}>", self.rows()?.names(py)?.to_list().repr()?))
    }
}

/// An attribute with its name.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body.operations[0].attributes[1]
///     NamedAttribute(sym_name="dense")
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct NamedAttribute {
    /// The name.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].attributes[1].name
    ///     'sym_name'
    #[pyo3(get)]
    name: Py<PyString>,
    /// The attribute.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].attributes[1].attr
    ///     StringAttr("dense")
    #[pyo3(get)]
    attr: Py<PyAny>,
}

#[pymethods]
impl NamedAttribute {
    #[new]
    pub(crate) fn new(name: Py<PyString>, attr: Bound<'_, Attribute>) -> Self {
        Self { name, attr: attr.into_any().unbind() }
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.get();
        Ok(self.name.bind(py).as_any().eq(&other.name)? && self.attr.bind(py).eq(&other.attr)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, [self.name.bind(py).as_any(), self.attr.bind(py)])?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let attr = match self.attr.bind(py).cast::<Attribute>() {
            Ok(attr) => attr.get().brief(py)?,
            Err(_) => self.attr.bind(py).str()?.to_string(),
        };
        let text = format!("NamedAttribute({}={attr})", self.name.bind(py));
        Ok(printable(&text).into_owned())
    }
}

/// The inherent values of an operation by name, sorted: attributes, and for native properties `int`, `bool`,
/// `str`, lists of these and None.
///
/// Only properties that the operation sets are included. The map is empty if the layout of the properties is
/// unknown; then `opaque` has the bytes.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
///     >>> dict(branch.properties)
///     {'operandSegmentSizes': [1, 1, 0]}
#[pyclass(frozen, mapping, module = "mlirbc")]
pub(crate) struct OpPropertyMap {
    module: Py<Module>,
    rows: AttributeRows,
    opaque: Option<Bytes>,
}

impl OpPropertyMap {
    fn value(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
        let row = self.rows.find(key)?;
        row.map(|row| Ok(row.object(key.py(), self.module.get())?.unbind())).transpose()
    }
}

#[checked]
#[pymethods]
impl OpPropertyMap {
    /// The bytes of properties whose layout is not known; otherwise None.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.properties.opaque is None
    ///     True
    #[getter]
    fn opaque<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(self.opaque.as_ref().map(|bytes| PyBytes::new(py, bytes)))
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.rows.contains(name)
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.value(key)?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.rows.names(py)?.try_iter()
    }

    /// Return the value with this name; `default` if there is none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].properties.get("sym_name")
    ///     StringAttr("dense")
    #[pyo3(signature = (key, default = None))]
    fn get(&self, key: &Bound<'_, PyAny>, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        Ok(self.value(key)?.or(default))
    }

    /// Return the names, sorted.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].properties.keys()
    ///     ['function_type', 'sym_name']
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.rows.names(py)?.to_list())
    }

    /// Return the values in the order of their names.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].properties.values()[1]
    ///     StringAttr("main")
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.rows.values(py, self.module.get())
    }

    /// Return names and values, sorted by name.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].properties.items()[1]
    ///     ('sym_name', StringAttr("main"))
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.rows.items(py, self.module.get())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        match &self.opaque {
            Some(bytes) => Ok(format!("<mlirbc.OpPropertyMap of {} opaque bytes>", bytes.len())),
            None => Ok(format!("<mlirbc.OpPropertyMap of {}>", self.rows.names(py)?.to_list().repr()?)),
        }
    }
}

/// Reads the attributes of one operation.
pub(crate) struct Reader<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) module: &'a Py<Module>,
    pub(crate) op: ::mlirbc::Operation<'a>,
}

impl Reader<'_, '_> {
    /// Whether the file stores no attributes for the operation.
    pub(crate) fn is_bare(&self) -> PyResult<bool> {
        // Without properties and dictionary, there is nothing to look up in tables.
        let is_bare = self.op.properties().is_none() && self.op.attribute_dictionary().is_none();
        Ok(is_bare && !self.module.get().has_segments(self.py, self.op.name_id())?)
    }

    /// Returns the inherent and the discardable attributes together.
    pub(crate) fn attributes(&self) -> PyResult<AttributeRows> {
        let (inherent, discardable) = self.read()?;
        let mut parts = Vec::with_capacity(1);
        parts.extend(discardable);
        self.inherent_rows(&mut parts, inherent, true)?;
        // Short parts, which are the common case, are merged.
        if parts.len() > 1 && parts.iter().all(|part| part.rows.len() <= 32) {
            let rows = parts.into_iter().flat_map(|part| Arc::into_inner(part.rows).unwrap_or_default());
            parts = vec![MapPart::new(self.py, rows.collect())];
        }
        Ok(AttributeRows::new(parts))
    }

    /// Returns the discardable attributes.
    pub(crate) fn discardable(&self) -> PyResult<OpAttributeMap> {
        let rows = AttributeRows::new(self.read()?.1.into_iter().collect());
        Ok(OpAttributeMap::of_rows(self.module.clone_ref(self.py), rows))
    }

    /// Returns the inherent values.
    pub(crate) fn properties(&self) -> PyResult<OpPropertyMap> {
        let mut parts = Vec::new();
        let opaque = self.inherent_rows(&mut parts, self.read()?.0, false)?;
        Ok(OpPropertyMap { module: self.module.clone_ref(self.py), rows: AttributeRows::new(parts), opaque })
    }

    /// Returns the readings of ambiguous properties, each with the builds that have its layout.
    pub(crate) fn readings(&self) -> PyResult<Vec<(Vec<String>, OpPropertyMap)>> {
        let readings =
            self.op.property_readings().map_err(|error| self.module.get().raise(self.py, error))?;
        let map = |reading: PropertyReading<'_>| {
            let mut parts = Vec::new();
            let properties = InherentAttributes::Known(reading.properties().to_vec());
            let opaque = self.inherent_rows(&mut parts, properties, false)?;
            let builds = reading.builds().iter().map(|&build| build.to_owned()).collect();
            let rows = AttributeRows::new(parts);
            Ok((builds, OpPropertyMap { module: self.module.clone_ref(self.py), rows, opaque }))
        };
        readings.into_iter().map(map).collect()
    }

    // Reads both kinds of attributes; the discardable part is `None` if there are none.
    fn read(&self) -> PyResult<(InherentAttributes<'_>, Option<MapPart>)> {
        let py = self.py;
        if self.is_bare()? {
            return Ok((InherentAttributes::Known(Vec::new()), None));
        }
        let dictionary = self.op.attribute_dictionary();
        let raise = |error| self.module.get().raise(py, error);
        let Some(rows) = dictionary.map(|id| self.long_dictionary(id)).transpose()?.flatten() else {
            let (inherent, discardable) = self.op.attributes().map_err(raise)?;
            let rows = self.discardable_rows(discardable)?;
            return Ok((inherent, (!rows.is_empty()).then(|| MapPart::new(py, rows))));
        };
        let inherent = self.op.inherent_attributes().map_err(raise)?;
        let mut part = MapPart { rows, hidden: Vec::new() };
        if let InherentAttributes::Known(properties) = &inherent {
            let fields = properties.iter().map(|property| property.field);
            let names = fields.filter(|field| field.is_in_dictionary()).flat_map(PropertyField::names);
            let mut hidden: Vec<usize> = names.flat_map(|name| part.find(py, name)).collect();
            hidden.sort_unstable();
            part.hidden = hidden;
        }
        Ok((inherent, Some(part)))
    }

    // Returns the rows of a long dictionary; the rows are made once.
    fn long_dictionary(&self, id: AttrId) -> PyResult<Option<Arc<NamedRows>>> {
        let module = self.module.get();
        let dictionaries = &module.dictionaries.0;
        if let Some(rows) = dictionaries.lock().ok().and_then(|rows| rows.get(&id).cloned()) {
            return Ok(Some(rows));
        }
        let pairs = module.inner.long_dictionary(id).map_err(|error| module.raise(self.py, error))?;
        let Some(pairs) = pairs else { return Ok(None) };
        let rows = MapPart::new(self.py, self.discardable_rows(pairs)?).rows;
        if let Ok(mut dictionaries) = dictionaries.lock() {
            dictionaries.insert(id, rows.clone());
        }
        Ok(Some(rows))
    }

    fn discardable_rows(&self, pairs: Vec<(AttrId, AttrId)>) -> PyResult<Vec<(Py<PyString>, NamedValue)>> {
        let module = self.module.get();
        let row = |(name, value)| Ok((module.attribute_name(self.py, name)?, NamedValue::Entry(value)));
        pairs.into_iter().map(row).collect()
    }

    fn inherent_rows(
        &self,
        parts: &mut Vec<MapPart>,
        inherent: InherentAttributes<'_>,
        attributes_only: bool,
    ) -> PyResult<Option<Bytes>> {
        let (py, mut rows) = (self.py, Vec::new());
        match inherent {
            InherentAttributes::Known(properties) => {
                rows.reserve_exact(properties.len());
                for property in properties {
                    let name = property.name();
                    let row = match property.value {
                        PropertyValue::Absent => continue,
                        PropertyValue::Attribute(index) => NamedValue::Entry(index),
                        PropertyValue::Segments(sizes) if attributes_only => {
                            NamedValue::Object(self.segments(&sizes)?)
                        }
                        _ if attributes_only => continue,
                        value => NamedValue::Object(self.native(value)?),
                    };
                    rows.push((PyString::intern(py, name).unbind(), row));
                }
            }
            InherentAttributes::Attribute(id) => parts.extend(self.dictionary(id)?),
            InherentAttributes::Declared(_) if attributes_only => {}
            InherentAttributes::Declared(declared) => {
                let module = self.module.get();
                let fields = declared.fields(&module.inner).map_err(|error| module.raise(py, error))?;
                for (name, value) in fields {
                    let value = crate::field::to_python(py, value)?;
                    rows.push((PyString::intern(py, &name).unbind(), NamedValue::Object(value)));
                }
            }
            InherentAttributes::Opaque(bytes) => return Ok(Some(bytes)),
        }
        if !rows.is_empty() {
            parts.push(MapPart::new(py, rows));
        }
        Ok(None)
    }

    // Returns the attributes of an operation that was not registered in its writer.
    fn dictionary(&self, id: AttrId) -> PyResult<Option<MapPart>> {
        let module = self.module.get();
        let value = module.attribute_value(self.py, id)?;
        if value.class() != Some("DictionaryAttr") {
            return Ok(None);
        }
        if let Some(rows) = self.long_dictionary(id)? {
            return Ok(Some(MapPart { rows, hidden: Vec::new() }));
        }
        let Ok(Some(FieldValue::List(pairs))) = value.field("value") else { return Ok(None) };
        let mut rows = Vec::new();
        for pair in pairs {
            let FieldValue::List(pair) = pair else { continue };
            if let [FieldValue::Attribute(name), FieldValue::Attribute(value)] = &*pair
                && let (Some(name), Some(value)) = (name.id(), value.id())
            {
                rows.push((module.attribute_name(self.py, name)?, NamedValue::Entry(value)));
            }
        }
        Ok(Some(MapPart::new(self.py, rows)))
    }

    // Returns segment sizes as the attribute that upstream shows.
    fn segments(&self, sizes: &[i32]) -> PyResult<Py<PyAny>> {
        let raise = |error| self.module.get().raise(self.py, error);
        let width = [("widthAndSign", FieldValue::Unsigned(32 << 2))];
        let element = ::mlirbc::Type::build("builtin", "IntegerType", &width).map_err(raise)?;
        let data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        let fields = [
            ("elementType", FieldValue::Type(element)),
            ("size", FieldValue::Unsigned(sizes.len() as u64)),
            ("data", FieldValue::Blob(data.into())),
        ];
        let value = CoreAttribute::build("builtin", "DenseArrayAttr", &fields).map_err(raise)?;
        Ok(Attribute::object(self.py, value)?.into_any().unbind())
    }

    fn native(&self, value: PropertyValue) -> PyResult<Py<PyAny>> {
        let (py, module) = (self.py, self.module.get());
        Ok(match value {
            PropertyValue::Absent | PropertyValue::Optional(None) => py.None(),
            PropertyValue::Optional(Some(inner)) => self.native(*inner)?,
            PropertyValue::Attribute(index) => module.attribute(py, index)?.into_any().unbind(),
            PropertyValue::Int(number) => number.into_pyobject(py)?.into_any().unbind(),
            PropertyValue::Bool(value) => pyo3::types::PyBool::new(py, value).to_owned().into_any().unbind(),
            PropertyValue::String(index) => {
                let strings = module.inner.tables().strings().map_err(|error| module.raise(py, error))?;
                text(py, strings.get(index).unwrap_or_default())?.into_any().unbind()
            }
            PropertyValue::Segments(sizes) => PyList::new(py, sizes)?.into_any().unbind(),
            PropertyValue::Array(items) => {
                let items = items.into_iter().map(|item| self.native(item)).collect::<PyResult<Vec<_>>>()?;
                PyList::new(py, items)?.into_any().unbind()
            }
        })
    }
}
