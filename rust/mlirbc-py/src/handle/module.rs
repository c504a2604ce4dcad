//! The module as a handle, with the caches that all other handles use.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use ::mlirbc::attr::FieldValue;
use ::mlirbc::format::attr_type::EntryEncoding;
use ::mlirbc::ir::{AttrId, Body, BodyId, OpNameId, TypeId};
use ::mlirbc::props::OpSchema;
use ::mlirbc::{Attribute as CoreAttribute, Type as CoreType};
use foldhash::fast::RandomState;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use crate::class;
use crate::errors::{Interrupt, raise};
use crate::handle::entry::{Attribute, Type};
use crate::handle::rows::{AttributeSource, Dictionaries, Shapes};
use crate::lost_bytes::{Reads, checked as unless_lost};
use crate::open_arguments::OpenArguments;
use crate::reuse::Slot;
use crate::text::text;

/// The number of attributes whose classes are in one page.
const CLASSES_PAGE: usize = 1024;
type ClassesPage = Box<[AtomicU8; CLASSES_PAGE]>;
/// The length in bytes up to which operation names are cached.
const KEPT_NAME: usize = 1024;

/// A module of MLIR bytecode; everything but its header is read when it is accessed.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module
///     <mlirbc.Module version 6 by "MLIR22.1.8", 1474 bytes>
#[pyclass(frozen, module = "mlirbc", weakref)]
pub(crate) struct Module {
    pub(crate) inner: ::mlirbc::Module,
    pub(crate) interrupt: Arc<Interrupt>,
    names: OnceLock<Vec<PyOnceLock<Py<PyString>>>>,
    // Class numbers by attribute index: the number plus one, or 0 if it is not known yet. Pages are allocated
    // on first use.
    classes: OnceLock<Box<[OnceLock<ClassesPage>]>>,
    // Class numbers by code of builtin attributes, for codes that determine the class.
    classes_by_code: [AtomicU8; 128],
    // Types by index.
    types: OnceLock<Box<[PyOnceLock<Py<Type>>]>>,
    // Attribute handles by class: the last handle that was made.
    recent: OnceLock<Box<[Slot<Attribute>]>>,
    // Names of discardable attributes, by the index of the attribute that holds the name.
    attribute_names: Mutex<HashMap<u32, Py<PyString>>>,
    pub(crate) dictionaries: Dictionaries,
    kept_attributes: KeptAttributes,
    pub(crate) shapes: Shapes,
    // By operation name: whether the operation has segment sizes as attributes, even if the file stores none.
    segments: OnceLock<Box<[bool]>>,
    pub(crate) weights: OnceLock<Arc<::mlirbc::tool::Weights>>,
    pub(crate) closed: AtomicBool,
    pub(crate) opened: OnceLock<OpenArguments>,
}

/// The number of attributes up to which a module keeps the objects. A file may have millions of attributes, most
/// of them locations.
const MOST_KEPT: usize = 1 << 16;

/// The objects of attributes by index.
type KeptAttributes = Mutex<HashMap<u32, Py<Attribute>, RandomState>>;

impl Module {
    pub(crate) fn new(
        py: Python<'_>,
        opened: ::mlirbc::Result<::mlirbc::Module>,
        interrupt: Arc<Interrupt>,
    ) -> PyResult<Self> {
        let inner = opened.map_err(|error| raise(py, error, Some(&interrupt)))?;
        Ok(Self {
            inner,
            interrupt,
            names: OnceLock::new(),
            classes: OnceLock::new(),
            classes_by_code: std::array::from_fn(|_| AtomicU8::new(0)),
            types: OnceLock::new(),
            recent: OnceLock::new(),
            attribute_names: Mutex::default(),
            dictionaries: Dictionaries::default(),
            kept_attributes: KeptAttributes::default(),
            shapes: Shapes::default(),
            segments: OnceLock::new(),
            weights: OnceLock::new(),
            closed: AtomicBool::new(false),
            opened: OnceLock::new(),
        })
    }

    pub(crate) fn raise(&self, py: Python<'_>, error: ::mlirbc::Error) -> PyErr {
        let start = self.inner.source().start();
        let error = if start > 0 && error.offset().is_some() { error.in_module_at(start) } else { error };
        raise(py, error, Some(&self.interrupt))
    }

    /// Runs work on the core without the interpreter.
    pub(crate) fn detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&::mlirbc::Module) -> ::mlirbc::Result<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| work(&self.inner)).map_err(|error| self.raise(py, error))
    }

    /// Returns the body, decoded without the interpreter if necessary.
    #[inline]
    pub(crate) fn decoded(&self, py: Python<'_>, id: BodyId) -> PyResult<&Body> {
        match self.inner.decoded_body(id) {
            Some(body) => Ok(body),
            None => {
                self.detached(py, |module| module.body(id).map(drop))?;
                self.inner.body(id).map_err(|error| self.raise(py, error))
            }
        }
    }

    /// Whether operations of this name have segment sizes, even if the file stores none.
    #[inline]
    pub(crate) fn has_segments(&self, py: Python<'_>, name: OpNameId) -> PyResult<bool> {
        let all = match self.segments.get() {
            Some(all) => all,
            None => self.find_segments(py)?,
        };
        Ok(all.get(name.index()).copied().unwrap_or_default())
    }

    #[cold]
    fn find_segments(&self, py: Python<'_>) -> PyResult<&[bool]> {
        let has_segments = self.detached(py, |module| {
            let (release, names) = (module.release()?, module.tables().op_names()?.len() as u32);
            let has = |name| release.op(OpNameId::new(name)).is_some_and(OpSchema::has_segment_sizes);
            Ok((0..names).map(has).collect())
        })?;
        Ok(self.segments.get_or_init(|| has_segments))
    }

    /// Returns the full name of an operation; the string is made once.
    #[inline]
    pub(crate) fn op_name<'py>(&self, py: Python<'py>, id: OpNameId) -> PyResult<Bound<'py, PyString>> {
        let names = match self.names.get() {
            Some(names) => names,
            None => self.make_names(py)?,
        };
        match names.get(id.index()) {
            Some(cell) => match cell.get(py) {
                Some(name) => Ok(name.bind(py).clone()),
                None => {
                    let name = self.inner.op_name(id).map(|name| name.full_bytes()).unwrap_or_default();
                    let name = unless_lost(self, Ok(name))?;
                    // Many names may share one long dialect name, so long names are not cached.
                    if name.len() > KEPT_NAME {
                        return text(py, &name);
                    }
                    Ok(cell.get_or_try_init(py, || text(py, &name).map(Bound::unbind))?.bind(py).clone())
                }
            },
            None => Ok(PyString::new(py, "")),
        }
    }

    #[cold]
    fn make_names(&self, py: Python<'_>) -> PyResult<&Vec<PyOnceLock<Py<PyString>>>> {
        let section = self.inner.tables().dialect_section().map_err(|error| self.raise(py, error))?;
        Ok(self.names.get_or_init(|| section.op_names.iter().map(|_| PyOnceLock::new()).collect()))
    }

    /// Returns the attribute with this index; the object is the same each time, unless very many are kept.
    #[inline]
    pub(crate) fn attribute<'py>(&self, py: Python<'py>, id: AttrId) -> PyResult<Bound<'py, Attribute>> {
        let is_full = match self.kept_attributes.lock() {
            Ok(kept) => match kept.get(&id.number()) {
                Some(attribute) => return Ok(attribute.bind(py).clone()),
                None => kept.len() >= MOST_KEPT,
            },
            Err(_) => true,
        };
        if is_full {
            return self.passing_attribute(py, id);
        }
        // The lock is released first, because the classes are in Python.
        let attribute = Attribute::of_class(py, &self.inner, id, self.attribute_class(py, id)?)?;
        Ok(match self.kept_attributes.lock() {
            Ok(mut kept) => kept.entry(id.number()).or_insert_with(|| attribute.unbind()).bind(py).clone(),
            Err(_) => attribute,
        })
    }

    // Returns an attribute whose object a later attribute may get.
    fn passing_attribute<'py>(&self, py: Python<'py>, id: AttrId) -> PyResult<Bound<'py, Attribute>> {
        let class = self.attribute_class(py, id)?;
        let make = |_| Attribute::of_class(py, &self.inner, id, class);
        let recent = match self.recent.get() {
            Some(recent) => recent,
            None => self.recent.get_or_init(|| (0..3 * class::count()).map(|_| Slot::new()).collect()),
        };
        let place = 3 * usize::from(class);
        Slot::first_free(py, recent.get(place..place + 3).unwrap_or_default(), id, make)
    }

    fn attribute_class(&self, py: Python<'_>, id: AttrId) -> PyResult<u8> {
        let classes = match self.classes.get() {
            Some(classes) => classes,
            None => {
                let counts = self.inner.tables().entry_counts().map_err(|error| self.raise(py, error))?;
                let pages = (counts.attributes as usize).div_ceil(CLASSES_PAGE);
                self.classes.get_or_init(|| (0..pages).map(|_| OnceLock::new()).collect())
            }
        };
        let index = id.index();
        let Some(page) = classes.get(index / CLASSES_PAGE) else { return Ok(0) };
        let page = page.get_or_init(|| Box::new([const { AtomicU8::new(0) }; CLASSES_PAGE]));
        let Some(known) = page.get(index % CLASSES_PAGE) else { return Ok(0) };
        match known.load(Ordering::Relaxed) {
            0 => {
                let class = unless_lost(self, self.find_attribute_class(py, id))?;
                known.store(class + 1, Ordering::Relaxed);
                Ok(class)
            }
            known => Ok(known - 1),
        }
    }

    // Most attributes are locations, and usually their code determines the class.
    fn find_attribute_class(&self, py: Python<'_>, id: AttrId) -> PyResult<u8> {
        let entry = self.inner.tables().attribute(id).map_err(|error| self.raise(py, error))?;
        let code = entry.and_then(|entry| {
            let is_short = entry.encoding == EntryEncoding::Custom && entry.dialect == b"builtin";
            entry.data.first().copied().filter(|first| is_short && first & 1 == 1)
        });
        let cached_class = code.and_then(|code| self.classes_by_code.get(usize::from(code >> 1)));
        if let Some(class) =
            cached_class.map(|class| class.load(Ordering::Relaxed)).filter(|class| *class > 0)
        {
            return Ok(class - 1);
        }
        let value = self.attribute_value(py, id)?;
        let class = unless_lost(self, Ok(class::attribute_class(&value)))?;
        if let Some(cached_class) = cached_class
            && class::is_by_code(&value)
        {
            cached_class.store(class + 1, Ordering::Relaxed);
        }
        Ok(class)
    }

    /// Returns the value of the attribute with this index.
    pub(crate) fn attribute_value(&self, py: Python<'_>, id: AttrId) -> PyResult<CoreAttribute> {
        let value = CoreAttribute::of_file(self.inner.tables(), id).map_err(|error| self.raise(py, error))?;
        value.ok_or_else(|| PyValueError::new_err("the attribute is gone"))
    }

    /// Returns the type with this index; the object is made once.
    #[inline]
    pub(crate) fn r#type<'py>(&self, py: Python<'py>, id: TypeId) -> PyResult<Bound<'py, Type>> {
        let types = match self.types.get() {
            Some(types) => types,
            None => {
                let counts = self.inner.tables().entry_counts().map_err(|error| self.raise(py, error))?;
                self.types.get_or_init(|| (0..counts.types).map(|_| PyOnceLock::new()).collect())
            }
        };
        let make = || {
            let value = CoreType::of_file(self.inner.tables(), id).map_err(|error| self.raise(py, error))?;
            let value = value.ok_or_else(|| PyValueError::new_err("the type is gone"))?;
            unless_lost(self, Type::object(py, value).map(Bound::unbind))
        };
        match types.get(id.index()) {
            Some(cell) => Ok(cell.get_or_try_init(py, make)?.bind(py).clone()),
            None => Ok(make()?.into_bound(py)),
        }
    }

    /// Returns the text of the attribute that names another one; the string is made once.
    pub(crate) fn attribute_name(&self, py: Python<'_>, id: AttrId) -> PyResult<Py<PyString>> {
        let cached_name = self
            .attribute_names
            .lock()
            .ok()
            .and_then(|names| names.get(&id.number()).map(|name| name.clone_ref(py)));
        if let Some(name) = cached_name {
            return Ok(name);
        }
        let name = match self.attribute_value(py, id)?.field("value") {
            Ok(Some(FieldValue::String(name))) => text(py, &name)?.unbind(),
            _ => PyString::new(py, "").unbind(),
        };
        let name = unless_lost(self, Ok(name))?;
        if let Ok(mut names) = self.attribute_names.lock() {
            names.insert(id.number(), name.clone_ref(py));
        }
        Ok(name)
    }

    pub(crate) fn ensure_open(&self) -> PyResult<()> {
        match self.closed.load(Ordering::Relaxed) {
            true => Err(PyValueError::new_err("the module is closed")),
            false => Ok(()),
        }
    }
}

impl Reads for Module {
    #[inline]
    fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
        Some(self.inner.tables())
    }
}

impl AttributeSource for Module {
    fn attribute_object<'py>(&self, py: Python<'py>, id: AttrId) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.attribute(py, id)?.into_any())
    }
}
