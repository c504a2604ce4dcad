//! The attributes of an operation by name.

use std::sync::{Arc, Mutex};

use ::mlirbc::Bytes;
use ::mlirbc::InherentAttributes;
use ::mlirbc::PropertyValue;
use ::mlirbc::ir::{AttrId, OpNameId, PropertyId};
use ::mlirbc::tool::printable;
use ::mlirbc::{AttributeValue, FieldValue};
use mlirbc_py_macros::checked;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyList, PyString, PyTuple};

use crate::attribute::Attribute;
use crate::lost::reads;
use crate::module::{Module, text};

/// What a name stands for.
enum Row {
    Entry(AttrId),
    Made(Py<PyAny>),
}

impl Row {
    fn object(&self, py: Python<'_>, module: &Py<Module>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Entry(id) => Ok(module.get().attribute(py, *id)?.into_any().unbind()),
            Self::Made(object) => Ok(object.clone_ref(py)),
        }
    }
}

/// Names and what they stand for, sorted by name.
type NamedRows = Vec<(Py<PyString>, Row)>;

struct Rows {
    module: Py<Module>,
    rows: Arc<NamedRows>,
}

/// Attributes of the operations that have this name, dictionary and property blob, by index.
type Parts = (OpNameId, Option<AttrId>, Option<PropertyId>);

/// The last long list of attributes that was made: many operations may share one large dictionary.
#[derive(Default)]
pub(crate) struct LastRows(Mutex<Option<(Parts, Arc<NamedRows>)>>);

impl LastRows {
    /// Shorter lists cost little.
    const LONG: usize = 32;

    fn get(&self, parts: Parts) -> Option<Arc<NamedRows>> {
        let last = self.0.lock().ok()?;
        last.as_ref().filter(|(known, _)| *known == parts).map(|(_, rows)| rows.clone())
    }

    // A value that was made may lead back to the module, which would then never be freed.
    fn set(&self, parts: Parts, rows: &Arc<NamedRows>) {
        let is_plain = || rows.iter().all(|(_, row)| matches!(row, Row::Entry(_)));
        if rows.len() > Self::LONG
            && is_plain()
            && let Ok(mut last) = self.0.lock()
        {
            *last = Some((parts, rows.clone()));
        }
    }
}

impl Rows {
    fn new(py: Python<'_>, module: Py<Module>, mut rows: Vec<(Py<PyString>, Row)>) -> PyResult<Self> {
        if rows.len() > 1 {
            let key = |row: &(Py<PyString>, Row)| row.0.bind(py).to_string_lossy().into_owned();
            rows.sort_by_cached_key(key);
        }
        Ok(Self { module, rows: Arc::new(rows) })
    }

    fn find(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<&Row>> {
        let Ok(key) = key.cast::<PyString>() else { return Ok(None) };
        let (py, text) = (key.py(), key.to_string_lossy());
        // Of names that are no Unicode, several may look the same.
        let is_before = |row: &(Py<PyString>, Row)| *row.0.bind(py).to_string_lossy() < *text;
        for (name, row) in &self.rows[self.rows.partition_point(is_before)..] {
            if name.is(key) || name.bind(key.py()).as_any().eq(key)? {
                return Ok(Some(row));
            }
            if *name.bind(py).to_string_lossy() != *text {
                break;
            }
        }
        Ok(None)
    }

    fn get(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
        self.find(key)?.map(|row| row.object(key.py(), &self.module)).transpose()
    }

    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.rows.iter().map(|(name, _)| name.bind(py)))
    }

    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.rows.iter().map(|(_, row)| row.object(py, &self.module)).collect()
    }

    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let item = |(name, row): &(Py<PyString>, Row)| {
            let value = row.object(py, &self.module)?;
            PyTuple::new(py, [name.bind(py).as_any(), value.bind(py)])
        };
        self.rows.iter().map(item).collect()
    }

    fn list(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.names(py)?.repr()?.to_string())
    }
}

/// Attributes of an operation by name, sorted.
///
/// A missing name raises `KeyError`. A number gives the `NamedAttribute` at that place.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> dense = module.body.operations[0]
///     >>> list(dense.attributes)
///     ['function_type', 'sym_name', 'sym_visibility']
///     >>> dense.attributes["sym_name"], dense.attributes[1].name
///     (StringAttr("dense"), 'sym_name')
#[pyclass(frozen, mapping, module = "mlirbc")]
pub(crate) struct OpAttributeMap(Rows);

reads! {
    OpAttributeMap: 0.module;
    OpPropertyMap: rows.module;
}

#[checked]
#[pymethods]
impl OpAttributeMap {
    fn __len__(&self) -> usize {
        self.0.rows.len()
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.find(name)?.is_some())
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = key.py();
        if let Ok(index) = key.extract::<isize>() {
            let len = self.0.rows.len();
            let place = if index < 0 { index + len as isize } else { index };
            let row = usize::try_from(place).ok().and_then(|place| self.0.rows.get(place));
            let Some((name, row)) = row else {
                return Err(PyIndexError::new_err(format!(
                    "index {index} is out of range for {len} attributes"
                )));
            };
            let attr = row.object(py, &self.0.module)?;
            return Ok(Py::new(py, NamedAttribute { name: name.clone_ref(py), attr })?.into_any());
        }
        self.0.get(key)?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.0.names(py)?.try_iter()
    }

    /// The attribute with this name; `default` when there is none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].attributes.get("colour") is None
    ///     True
    #[pyo3(signature = (key, default = None))]
    fn get(&self, key: &Bound<'_, PyAny>, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        Ok(self.0.get(key)?.or(default))
    }

    /// The names, sorted.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].attributes.keys()
    ///     ['example.entry', 'function_type', 'sym_name']
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.0.names(py)
    }

    /// The attributes in the order of their names.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].attributes.values()[2]
    ///     StringAttr("main")
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.0.values(py)
    }

    /// Names and attributes, sorted by name.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].attributes.items()[2]
    ///     ('sym_name', StringAttr("main"))
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.0.items(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<mlirbc.OpAttributeMap of {}>", self.0.list(py)?))
    }
}

/// An attribute and its name.
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

/// The inherent values of an operation by name, sorted: attributes, and where the operation keeps something else,
/// `int`, `bool`, `str`, lists of these and None.
///
/// What the operation does not have is not there. Empty when its properties cannot be told apart; then `opaque`
/// has their bytes.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
///     >>> dict(branch.properties)
///     {'operandSegmentSizes': [1, 1, 0]}
#[pyclass(frozen, mapping, module = "mlirbc")]
pub(crate) struct OpPropertyMap {
    rows: Rows,
    opaque: Option<Bytes>,
}

#[checked]
#[pymethods]
impl OpPropertyMap {
    /// The bytes of properties whose layout is not known; else None.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.properties.opaque is None
    ///     True
    #[getter]
    fn opaque<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(self.opaque.as_ref().map(|bytes| PyBytes::new(py, bytes)))
    }

    fn __len__(&self) -> usize {
        self.rows.rows.len()
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.rows.find(name)?.is_some())
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.rows.get(key)?.ok_or_else(|| PyKeyError::new_err(key.clone().unbind()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.rows.names(py)?.try_iter()
    }

    /// The value with this name; `default` when there is none.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].properties.get("sym_name")
    ///     StringAttr("dense")
    #[pyo3(signature = (key, default = None))]
    fn get(&self, key: &Bound<'_, PyAny>, default: Option<Py<PyAny>>) -> PyResult<Option<Py<PyAny>>> {
        Ok(self.rows.get(key)?.or(default))
    }

    /// The names, sorted.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].properties.keys()
    ///     ['function_type', 'sym_name']
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.rows.names(py)
    }

    /// The values in the order of their names.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].properties.values()[1]
    ///     StringAttr("main")
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.rows.values(py)
    }

    /// Names and values, sorted by name.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].properties.items()[1]
    ///     ('sym_name', StringAttr("main"))
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.rows.items(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        match &self.opaque {
            Some(bytes) => Ok(format!("<mlirbc.OpPropertyMap of {} opaque bytes>", bytes.len())),
            None => Ok(format!("<mlirbc.OpPropertyMap of {}>", self.rows.list(py)?)),
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
    fn rows(&self, rows: Vec<(Py<PyString>, Row)>) -> PyResult<Rows> {
        Rows::new(self.py, self.module.clone_ref(self.py), rows)
    }

    /// Inherent and discardable attributes together.
    pub(crate) fn attributes(&self) -> PyResult<OpAttributeMap> {
        let parts = (self.op.name_id(), self.op.attribute_dictionary(), self.op.properties());
        let last = &self.module.get().last_rows;
        if let Some(rows) = last.get(parts) {
            return Ok(OpAttributeMap(Rows { module: self.module.clone_ref(self.py), rows }));
        }
        let (inherent, discardable) = self.read()?;
        let mut rows = self.discardable_rows(discardable)?;
        self.inherent_rows(&mut rows, inherent, true)?;
        let rows = self.rows(rows)?;
        last.set(parts, &rows.rows);
        Ok(OpAttributeMap(rows))
    }

    /// The discardable ones.
    pub(crate) fn discardable(&self) -> PyResult<OpAttributeMap> {
        Ok(OpAttributeMap(self.rows(self.discardable_rows(self.read()?.1)?)?))
    }

    /// The inherent values.
    pub(crate) fn properties(&self) -> PyResult<OpPropertyMap> {
        let mut rows = Vec::new();
        let opaque = self.inherent_rows(&mut rows, self.read()?.0, false)?;
        Ok(OpPropertyMap { rows: self.rows(rows)?, opaque })
    }

    // What the file has of both sorts, in one reading.
    fn read(&self) -> PyResult<(InherentAttributes<'_>, Vec<(AttrId, AttrId)>)> {
        // Nothing is there to be looked for in tables.
        let is_bare = self.op.properties().is_none() && self.op.attribute_dictionary().is_none();
        if is_bare && !self.has_segments()? {
            return Ok((InherentAttributes::Known(Vec::new()), Vec::new()));
        }
        self.op.attributes().map_err(|error| self.module.get().raise(self.py, error))
    }

    // Segment sizes are there even if the file has nothing.
    fn has_segments(&self) -> PyResult<bool> {
        let module = self.module.get();
        let release = module.inner.release().map_err(|error| module.raise(self.py, error))?;
        let schema = release.op(self.op.name_id());
        Ok(schema.is_some_and(|schema| schema.fields().any(|field| field.kind() == "segment_sizes")))
    }

    fn discardable_rows(&self, pairs: Vec<(AttrId, AttrId)>) -> PyResult<Vec<(Py<PyString>, Row)>> {
        let module = self.module.get();
        let row = |(name, value)| Ok((module.attribute_name(self.py, name)?, Row::Entry(value)));
        pairs.into_iter().map(row).collect()
    }

    fn inherent_rows(
        &self,
        rows: &mut Vec<(Py<PyString>, Row)>,
        inherent: InherentAttributes<'_>,
        attributes_only: bool,
    ) -> PyResult<Option<Bytes>> {
        let py = self.py;
        match inherent {
            InherentAttributes::Known(properties) => {
                for property in properties {
                    let name = property.name();
                    let row = match property.value {
                        PropertyValue::Absent => continue,
                        PropertyValue::Attribute(index) => Row::Entry(AttrId(index)),
                        PropertyValue::Segments(sizes) if attributes_only => {
                            Row::Made(self.segments(&sizes)?)
                        }
                        _ if attributes_only => continue,
                        value => Row::Made(self.native(value)?),
                    };
                    rows.push((PyString::intern(py, name).unbind(), row));
                }
            }
            InherentAttributes::Attribute(id) => self.dictionary(rows, id)?,
            InherentAttributes::Declared(_) if attributes_only => {}
            InherentAttributes::Declared(declared) => {
                let module = self.module.get();
                let fields = declared.fields(&module.inner).map_err(|error| module.raise(py, error))?;
                for (name, value) in fields {
                    let value = crate::field::to_python(py, value)?;
                    rows.push((PyString::intern(py, &name).unbind(), Row::Made(value)));
                }
            }
            InherentAttributes::Opaque(bytes) => return Ok(Some(bytes)),
        }
        Ok(None)
    }

    // The attributes of an op that its writer did not know.
    fn dictionary(&self, rows: &mut Vec<(Py<PyString>, Row)>, id: AttrId) -> PyResult<()> {
        let module = self.module.get();
        let value = module.attribute_value(self.py, id)?;
        let Ok(Some(FieldValue::List(pairs))) = value.field("value") else { return Ok(()) };
        if value.class() != Some("DictionaryAttr") {
            return Ok(());
        }
        for pair in pairs {
            let FieldValue::List(pair) = pair else { continue };
            if let [FieldValue::Attribute(name), FieldValue::Attribute(value)] = &*pair
                && let (Some(name), Some(value)) = (name.id(), value.id())
            {
                rows.push((module.attribute_name(self.py, name)?, Row::Entry(value)));
            }
        }
        Ok(())
    }

    // As upstream shows them among the attributes.
    fn segments(&self, sizes: &[i32]) -> PyResult<Py<PyAny>> {
        let raise = |error| self.module.get().raise(self.py, error);
        let width = [("widthAndSign", FieldValue::Unsigned(32 << 2))];
        let element = ::mlirbc::TypeValue::build("builtin", "IntegerType", &width).map_err(raise)?;
        let data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        let fields = [
            ("elementType", FieldValue::Type(element)),
            ("size", FieldValue::Unsigned(sizes.len() as u64)),
            ("data", FieldValue::Blob(data.into())),
        ];
        let value = AttributeValue::build("builtin", "DenseArrayAttr", &fields).map_err(raise)?;
        Ok(Attribute::object(self.py, value)?.into_any().unbind())
    }

    fn native(&self, value: PropertyValue) -> PyResult<Py<PyAny>> {
        let (py, module) = (self.py, self.module.get());
        Ok(match value {
            PropertyValue::Absent | PropertyValue::Optional(None) => py.None(),
            PropertyValue::Optional(Some(inner)) => self.native(*inner)?,
            PropertyValue::Attribute(index) => module.attribute(py, AttrId(index))?.into_any().unbind(),
            PropertyValue::Int(number) => number.into_pyobject(py)?.into_any().unbind(),
            PropertyValue::Bool(value) => pyo3::types::PyBool::new(py, value).to_owned().into_any().unbind(),
            PropertyValue::String(index) => {
                let strings = module.inner.strings().map_err(|error| module.raise(py, error))?;
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
