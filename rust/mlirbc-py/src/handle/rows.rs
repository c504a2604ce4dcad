//! The rows of maps of attributes.
//!
//! Operations with the same name, dictionary and properties have the same rows, which a module keeps for
//! thousands of such shapes: no operation of a known shape is decoded again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use ::mlirbc::ir::AttrId;
use foldhash::fast::RandomState;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// A module, as far as the values of maps need it.
pub(crate) trait AttributeSource {
    /// Returns the object of an attribute of the file.
    fn attribute_object<'py>(&self, py: Python<'py>, id: AttrId) -> PyResult<Bound<'py, PyAny>>;
}

/// The value of a name in a map of attributes.
pub(crate) enum NamedValue {
    Entry(AttrId),
    Object(Py<PyAny>),
}

impl NamedValue {
    pub(crate) fn object<'py>(
        &self,
        py: Python<'py>,
        source: &impl AttributeSource,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Entry(id) => source.attribute_object(py, *id),
            Self::Object(object) => Ok(object.bind(py).clone()),
        }
    }
}

/// Names and their values, sorted by name.
pub(crate) type NamedRows = Vec<(Py<PyString>, NamedValue)>;

/// Long dictionaries that were read, by index: many operations may share one.
#[derive(Default)]
pub(crate) struct Dictionaries(pub(crate) Mutex<HashMap<AttrId, Arc<NamedRows>>>);

/// A part of the rows of a map.
pub(crate) struct MapPart {
    pub(crate) rows: Arc<NamedRows>,
    /// Indices of rows that belong elsewhere, in ascending order.
    pub(crate) hidden: Vec<usize>,
}

impl MapPart {
    pub(crate) fn new(py: Python<'_>, mut rows: NamedRows) -> Self {
        // Usually the rows are sorted already, like the fields of a schema.
        let is_sorted = rows.is_sorted_by(|one, other| {
            one.0.bind(py).to_string_lossy() <= other.0.bind(py).to_string_lossy()
        });
        if !is_sorted {
            rows.sort_by_cached_key(|row| sort_key(py, row));
        }
        Self { rows: Arc::new(rows), hidden: Vec::new() }
    }

    /// Returns the indices of the rows with this text as their name.
    pub(crate) fn find(&self, py: Python<'_>, text: &str) -> impl Iterator<Item = usize> {
        let is_before = |row: &(Py<PyString>, NamedValue)| *row.0.bind(py).to_string_lossy() < *text;
        let is_same = |row: &(Py<PyString>, NamedValue)| *row.0.bind(py).to_string_lossy() == *text;
        let start = self.rows.partition_point(is_before);
        let len = self.rows[start..].partition_point(is_same);
        (start..start + len).filter(|place| self.hidden.binary_search(place).is_err())
    }
}

fn sort_key(py: Python<'_>, row: &(Py<PyString>, NamedValue)) -> String {
    row.0.bind(py).to_string_lossy().into_owned()
}

/// The number of rows up to which a map has Python objects for its names and items.
const MOST_INDEXED: usize = 64;

/// The rows of a map of attributes.
pub(crate) struct AttributeRows {
    /// For equal names, rows of the first part come first.
    parts: Vec<MapPart>,
    /// Parts and row indices in the order of names.
    order: OnceLock<Vec<(usize, usize)>>,
    names: PyOnceLock<Py<PyTuple>>,
    /// The positions of names among the sorted rows.
    positions: PyOnceLock<Py<PyDict>>,
    items: PyOnceLock<Py<PyList>>,
}

impl AttributeRows {
    pub(crate) fn new(parts: Vec<MapPart>) -> Self {
        let (names, positions, items) = (PyOnceLock::new(), PyOnceLock::new(), PyOnceLock::new());
        Self { parts, order: OnceLock::new(), names, positions, items }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.rows.len() - part.hidden.len()).sum()
    }

    fn order(&self, py: Python<'_>) -> &[(usize, usize)] {
        self.order.get_or_init(|| {
            let rows = self.parts.iter().enumerate().flat_map(|(number, part)| {
                let places = (0..part.rows.len()).filter(|place| part.hidden.binary_search(place).is_err());
                places.map(move |place| (number, place))
            });
            let mut rows: Vec<_> = rows.collect();
            if self.parts.len() > 1 {
                rows.sort_by_cached_key(|&(part, place)| sort_key(py, &self.parts[part].rows[place]));
            }
            rows
        })
    }

    fn sorted<'r>(&'r self, py: Python<'_>) -> impl ExactSizeIterator<Item = &'r (Py<PyString>, NamedValue)> {
        self.order(py).iter().map(|&(part, place)| &self.parts[part].rows[place])
    }

    /// Returns the row at a position in the order of names.
    pub(crate) fn nth(&self, py: Python<'_>, place: usize) -> Option<&(Py<PyString>, NamedValue)> {
        self.order(py).get(place).map(|&(part, place)| &self.parts[part].rows[place])
    }

    fn positions<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyDict>> {
        let make = || {
            let positions = PyDict::new(py);
            for (position, (name, _)) in self.sorted(py).enumerate() {
                // The first of several rows with one name is the value of the name.
                if !positions.contains(name)? {
                    positions.set_item(name, position)?;
                }
            }
            Ok::<_, PyErr>(positions.unbind())
        };
        Ok(self.positions.get_or_try_init(py, make)?.bind(py))
    }

    /// Returns whether a row has this name.
    pub(crate) fn contains(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.len() {
            0 => Ok(false),
            1..=MOST_INDEXED if key.is_instance_of::<PyString>() => self.positions(key.py())?.contains(key),
            _ => Ok(self.find(key)?.is_some()),
        }
    }

    /// Returns the value of a name.
    pub(crate) fn find(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<&NamedValue>> {
        let Ok(key) = key.cast::<PyString>() else { return Ok(None) };
        let py = key.py();
        if self.len() <= MOST_INDEXED {
            let Some(position) = self.positions(py)?.get_item(key)? else { return Ok(None) };
            return Ok(self.nth(py, position.extract()?).map(|(_, row)| row));
        }
        let text = key.to_string_lossy();
        // Several names that are not Unicode may have the same text.
        for part in &self.parts {
            for place in part.find(py, &text) {
                let (name, row) = &part.rows[place];
                if name.is(key) || name.bind(py).as_any().eq(key)? {
                    return Ok(Some(row));
                }
            }
        }
        Ok(None)
    }

    /// Returns the sorted names.
    pub(crate) fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let make = || PyTuple::new(py, self.sorted(py).map(|(name, _)| name.bind(py)));
        if self.len() > MOST_INDEXED {
            return make();
        }
        Ok(self.names.get_or_try_init(py, || make().map(Bound::unbind))?.bind(py).clone())
    }

    /// Returns the values in the order of names.
    pub(crate) fn values(&self, py: Python<'_>, source: &impl AttributeSource) -> PyResult<Vec<Py<PyAny>>> {
        self.sorted(py).map(|(_, row)| Ok(row.object(py, source)?.unbind())).collect()
    }

    /// Returns names and values, sorted by name, in a list of its own.
    pub(crate) fn items<'py>(
        &self,
        py: Python<'py>,
        source: &impl AttributeSource,
    ) -> PyResult<Bound<'py, PyList>> {
        let item = |(name, row): &(Py<PyString>, NamedValue)| {
            PyTuple::new(py, [name.bind(py).as_any(), &row.object(py, source)?])
        };
        let make = || PyList::new(py, self.sorted(py).map(item).collect::<PyResult<Vec<_>>>()?);
        if self.len() > MOST_INDEXED {
            return make();
        }
        let items = self.items.get_or_try_init(py, || make().map(Bound::unbind))?.bind(py);
        Ok(items.get_slice(0, items.len()))
    }
}

/// A name, a dictionary and a property blob, by index; `u32::MAX` stands for none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ShapeKey {
    pub(crate) name: u32,
    pub(crate) dictionary: u32,
    pub(crate) properties: u32,
}

/// Page `n` has room for `FIRST_PAGE << n` shapes, so that a small module needs little memory.
const FIRST_PAGE: usize = 8;
const PAGES: usize = 11;
type ShapesPage = Box<[OnceLock<AttributeRows>]>;

/// The rows of the attributes of operations, by shape. The first 16,376 shapes are kept; others are prepared
/// each time, because the shapes of a file may all differ.
#[derive(Default)]
pub(crate) struct Shapes {
    numbers: Mutex<HashMap<ShapeKey, u32, RandomState>>,
    pages: [OnceLock<ShapesPage>; PAGES],
}

impl Shapes {
    const MOST: usize = FIRST_PAGE * ((1 << PAGES) - 1);

    /// Returns the number of a shape that is kept.
    #[inline]
    pub(crate) fn number(&self, key: ShapeKey) -> Option<u32> {
        self.numbers.lock().ok()?.get(&key).copied()
    }

    /// Returns the rows of the shape with this number.
    #[inline]
    pub(crate) fn rows(&self, number: u32) -> Option<&AttributeRows> {
        let (page, place) = Self::place(number);
        self.pages.get(page)?.get()?.get(place)?.get()
    }

    /// Keeps the rows of a shape, and returns its number, or the rows if there is no room for them.
    pub(crate) fn keep(&self, key: ShapeKey, rows: AttributeRows) -> Result<u32, AttributeRows> {
        let Ok(mut numbers) = self.numbers.lock() else { return Err(rows) };
        // Another thread may have been faster.
        if let Some(&number) = numbers.get(&key) {
            return Ok(number);
        }
        if numbers.len() >= Self::MOST {
            return Err(rows);
        }
        let number = numbers.len() as u32;
        let (page, place) = Self::place(number);
        let Some(page_lock) = self.pages.get(page) else { return Err(rows) };
        let slots = page_lock.get_or_init(|| (0..FIRST_PAGE << page).map(|_| OnceLock::new()).collect());
        let Some(slot) = slots.get(place) else { return Err(rows) };
        slot.set(rows)?;
        numbers.insert(key, number);
        Ok(number)
    }

    #[inline]
    fn place(number: u32) -> (usize, usize) {
        let index = number as usize + FIRST_PAGE;
        let page = (index / FIRST_PAGE).ilog2() as usize;
        (page, index - (FIRST_PAGE << page))
    }
}
